//! Pages that misbehave: bounded, named, and nobody else notices.

use crate::app::page::HandMade;
use crate::app::peer::Peer;
use crate::app::stage::Stage;
use futures_util::SinkExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use uiap_web::app::{PAGE_MESSAGE_BYTES_MAX, STRIKES_MAX};

const ORIGIN: &str = "http://127.0.0.1:1";

async fn raw(page: &mut HandMade, text: String) {
    // The server may have hung up already.
    let _ = page.socket.send(Message::text(text)).await;
}

/// Others are served, and the place is free for a page that behaves.
async fn unharmed(stage: &Stage, agent: &mut Peer) {
    assert_eq!(agent.ask("session.ping", &json!({"nonce": "n"})).await.0, "session.pong");
    while agent.ask("web.state.get", &json!({})).await.0 != "error" {}
    assert!(HandMade::enter(stage, None).await.is_ok());
}

#[tokio::test]
async fn what_cannot_be_understood_ends_the_link() {
    let nonsense =
        ["", "{", "[]", "\u{0}", r#"{"uiap":"0.1"}"#, r#"{"uiap":"9.9","kind":"event","type":"x"}"#];
    let stage = Stage::start("garbage", ORIGIN);
    let mut agent = stage.agent().await;
    let mut page = HandMade::enter(&stage, None).await.expect("a place");
    for at in 0..STRIKES_MAX as usize {
        raw(&mut page, nonsense[at % nonsense.len()].to_owned()).await;
    }
    assert_eq!(page.ending().await, 4400);
    unharmed(&stage, &mut agent).await;
}

#[tokio::test]
async fn answers_that_nobody_asked_for_end_the_link() {
    let stage = Stage::start("unasked", ORIGIN);
    let mut agent = stage.agent().await;
    let mut page = HandMade::enter(&stage, None).await.expect("a place");
    for at in 0..STRIKES_MAX {
        let to = format!("page_{}", 1_000_000 + at);
        page.say("response", "x.uiap.page.answer", &json!({"value": null}), Some(&to)).await;
    }
    assert_eq!(page.ending().await, 4400);
    unharmed(&stage, &mut agent).await;
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_link() {
    let stage = Stage::start("huge", ORIGIN);
    let mut agent = stage.agent().await;
    let mut page = HandMade::enter(&stage, None).await.expect("a place");
    raw(&mut page, " ".repeat(PAGE_MESSAGE_BYTES_MAX + 1)).await;
    let code = page.ending().await;
    // The system may lose the farewell of a link whose rest was never read.
    assert!([1009, 0].contains(&code), "{code}");
    unharmed(&stage, &mut agent).await;
}

#[tokio::test]
async fn a_page_that_never_answers_holds_nobody_up() {
    let stage = Stage::start("silent", ORIGIN);
    let mut agent = stage.agent().await;
    let _page = HandMade::enter(&stage, None).await.expect("a place");
    let press = json!({
        "actionId": "ui.activate", "target": {"ref": {"by": "stableId", "value": "the.button"}}, "timeoutMs": 500,
    });
    let result = agent.act(&press).await;
    assert_eq!(result["status"], "failed", "{result}");
    assert_eq!(result["sideEffectState"], "none", "{result}");
    assert_eq!(agent.ask("session.ping", &json!({})).await.0, "session.pong");
}

#[tokio::test]
async fn a_page_cannot_act_agree_or_speak_for_a_browser() {
    let stage = Stage::start("rights", ORIGIN);
    let mut page = HandMade::enter(&stage, None).await.expect("a place");
    let handle = json!({"actionHandle": "act_1"});
    for (kind, payload) in [
        ("action.request", json!({"actionId": "ui.read"})),
        ("action.confirmation.grant", handle.clone()),
        ("action.cancel", handle),
        ("capabilities.list", json!({})),
        ("web.state.get", json!({})),
    ] {
        page.say("request", kind, &payload, None).await;
        let answer = crate::app::peer::next(&mut page.socket).await.expect("an answer");
        assert_eq!(answer["payload"]["code"], "forbidden", "{kind}: {answer}");
    }
    let mut agent = stage.agent().await;
    let follows = tokio::spawn(async move {
        let (word, _) = agent.ask("web.state.subscribe", &json!({"signals": true})).await;
        assert_eq!(word, "web.state.subscribed");
        agent
    });
    let asked = page.until("web.state.get").await;
    let snapshot = json!({"graph": crate::app::page::graph()});
    page.say("response", "web.state.snapshot", &snapshot, asked["id"].as_str()).await;
    let mut agent = follows.await.expect("it follows");
    let at = "2026-03-26T14:03:00.000Z";
    let forged = [
        json!({"id": "s1", "at": at, "kind": "x.uiap.request.refused", "method": "POST", "url": "/", "status": 500}),
        json!({"id": "s2", "at": at, "kind": "network.response", "url": "/api/videos", "status": 201}),
    ];
    for signal in &forged {
        page.say("event", "web.signal", signal, None).await;
    }
    let last = json!({"id": "s3", "at": at, "kind": "custom", "name": "last"});
    page.say("event", "web.signal", &last, None).await;
    let heard = agent.signals_until("custom").await;
    assert_eq!(heard, ["x.uiap.signals.dropped", "x.uiap.signals.dropped", "custom"]);
}
