//! Videoland with the SDK in a real browser.

use crate::app::stage::{WAIT, effects, videoland};
use serde_json::{Value, json};
use uiap_testkit::proves;
use uiap_web::{Browser, Deadline, LaunchOptions};

fn by(id: &str) -> Value {
    json!({"ref": {"by": "stableId", "value": id}})
}

fn write(id: &str, text: &str) -> Value {
    json!({"actionId": "ui.enterText", "target": by(id), "args": {"text": text}})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_looks_fills_a_form_and_runs_an_action_of_the_application() {
    proves!["SDK-4", "SDK-8", "SDK-9", "SDK-22", "SDK-28"];
    let (server, stage) = videoland("videoland").await;
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let soon = || Deadline::after(WAIT);
    let context = browser.context(soon()).await.expect("a context");
    let page = context.open(&format!("{}/login", server.origin()), soon()).await.expect("a page");
    let mut agent = stage.agent().await;
    let person = stage.person().await.agree();

    let graph = agent.page().await;
    assert_eq!(graph["route"]["routeId"], "login", "the application says itself where it is");
    agent.succeed(&write("login.user", "editor")).await;
    agent.succeed(&write("login.password", "videoland")).await;
    agent
        .succeed(&json!({
            "actionId": "ui.activate", "target": by("login.submit"),
            "verification": {"policy": "all", "signals": [{"kind": "route.changed", "pattern": "/**"}]},
        }))
        .await;
    agent.succeed(&json!({"actionId": "nav.navigate", "args": {"url": "/videos/new"}})).await;
    agent.succeed(&write("video.title", "Von innen")).await;
    let field = "document.querySelector('[data-uiap-id=\"video.title\"]').value";
    let shown = page.evaluate_main(field, soon()).await.expect("a value");
    assert_eq!(shown, "Von innen");

    let create = json!({
        "actionId": "video.create", "args": {"title": "Mit Handler"}, "idempotencyKey": "one-video",
        "presentation": {"ghostCursor": true, "highlight": "outline", "narration": "Ein Video entsteht."},
    });
    let result = agent.succeed(&create).await;
    assert_eq!(result["sideEffectState"], "applied", "{result}");
    assert_eq!(result["chosenExecutionMode"], "appAction", "{result}");
    assert_eq!(result["verification"]["passed"], true, "{result}");
    assert_eq!(effects(&server, "video.created").await, 1);
    agent.act(&create).await;
    assert_eq!(effects(&server, "video.created").await, 1, "the same key does nothing twice");

    let press = json!({"actionId": "ui.activate", "target": by("nav.videos"), "preferredExecutionModes": ["externalDriver"]});
    let pressed = agent.succeed(&press).await;
    assert_eq!(pressed["chosenExecutionMode"], "semanticUi", "nobody presses from outside: {pressed}");
    person.abort();
    browser.close().await;
    server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_loaded_again_takes_its_place_again() {
    let (server, stage) = videoland("reload").await;
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let soon = || Deadline::after(WAIT);
    let context = browser.context(soon()).await.expect("a context");
    let page = context.open(&format!("{}/login", server.origin()), soon()).await.expect("a page");
    let mut agent = stage.agent().await;
    let first = agent.page().await["revision"].clone();
    page.evaluate_main("location.reload()", soon()).await.expect("it reloads");
    // The document that was there may still be looked at once.
    let mut revision = agent.page().await["revision"].clone();
    while revision == first {
        revision = agent.page().await["revision"].clone();
    }
    agent.succeed(&write("login.user", "admin")).await;
    browser.close().await;
    server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_invitation_a_page_knows_nothing_of_agents() {
    let options = videoland::Options { test_api: true, ..videoland::Options::default() };
    let server = videoland::Server::start(options).await.expect("Videoland starts");
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let soon = || Deadline::after(WAIT);
    let context = browser.context(soon()).await.expect("a context");
    let page = context.open(&format!("{}/login", server.origin()), soon()).await.expect("a page");
    let loaded = "performance.getEntriesByType('resource').filter(({name}) => name.includes('uiap')).length";
    assert_eq!(page.evaluate_main(loaded, soon()).await.expect("a number"), 0);
    browser.close().await;
    server.shut_down().await;
}
