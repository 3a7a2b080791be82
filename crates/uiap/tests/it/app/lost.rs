//! The link ends between a deed and the answer: nobody claims to know, and nothing is done twice.

use crate::app::page::HandMade;
use crate::app::stage::Stage;
use serde_json::{Value, json};

const ORIGIN: &str = "http://127.0.0.1:1";

/// Asks for an action that a page begins and never answers, because its link ends; then asks again, with a page that
/// counts what it is asked for.
async fn cut(name: &str, word: &'static str, request: Value) -> (Value, Value, usize) {
    let stage = Stage::start(name, ORIGIN);
    let mut page = HandMade::enter(&stage, None).await.expect("a place");
    let mut agent = stage.agent().await;
    let first = request.clone();
    let asks = tokio::spawn(async move {
        let result = agent.act(&first).await;
        (agent, result)
    });
    page.until(word).await;
    drop(page);
    let (mut agent, result) = asks.await.expect("a result");
    let mut page = HandMade::enter(&stage, None).await.expect("its place");
    let counted = tokio::spawn(async move {
        page.until(word).await;
    });
    let again = agent.act(&request).await;
    let times = usize::from(counted.is_finished());
    counted.abort();
    (result, again, times)
}

#[tokio::test]
async fn a_handler_that_was_called_and_did_not_answer_may_have_done_it() {
    let make = json!({
        "actionId": "thing.make", "args": {}, "idempotencyKey": "once", "timeoutMs": 30000,
        "verification": {"policy": "all", "signals": [{"kind": "custom", "name": "made"}], "timeoutMs": 500},
    });
    let (result, again, times) = cut("invoke", "x.uiap.page.invoke", make).await;
    assert_ne!(result["status"], "succeeded", "{result}");
    assert_eq!(result["sideEffectState"], "unknown", "{result}");
    assert_eq!(times, 0, "{again}");
}

#[tokio::test]
async fn a_press_that_was_asked_for_and_not_answered_may_have_happened() {
    let press = json!({
        "actionId": "ui.activate", "target": {"ref": {"by": "stableId", "value": "the.button"}},
        "idempotencyKey": "once", "timeoutMs": 30000,
        "verification": {"policy": "all", "signals": [{"kind": "custom", "name": "gone-on"}], "timeoutMs": 500},
    });
    let (result, again, times) = cut("perform", "x.uiap.page.perform", press).await;
    assert_ne!(result["status"], "succeeded", "{result}");
    assert_eq!(result["sideEffectState"], "unknown", "{result}");
    assert_eq!(times, 0, "{again}");
}
