//! The actions of Videoland: listed, invoked, and seen in its ledger.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::time::Duration;
use uiap_web::{
    ActionSource, Browser, Deadline, Invoked, LaunchOptions, Page, Registered, RegisteredAction, Returned,
};
use videoland::{Options, Server};

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

async fn fetched(page: &Page, request: &str) -> Value {
    let script = format!("fetch({request}).then((answer) => answer.json())");
    page.evaluate_main(&script, soon()).await.expect("an answer")
}

async fn offered(page: &Page) -> Registered {
    page.actions(soon()).await.expect("the page says what it offers")
}

fn named<'r>(registered: &'r Registered, id: &str) -> &'r RegisteredAction {
    let found = registered.actions.iter().find(|action| action.descriptor.id.as_str() == id);
    found.unwrap_or_else(|| panic!("no {id} in {registered:?}"))
}

async fn invoke(page: &Page, action: &RegisteredAction, args: &Value) -> Value {
    let args = args.as_object().expect("arguments");
    match page.invoke(action, args, Some("key-1"), soon()).await {
        Invoked::Delivered(Returned::Value(value)) => value,
        other => panic!("{}: {other:?}", action.descriptor.id),
    }
}

/// Actions and tools that Videoland offers.
const EXPECTED: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn the_actions_of_videoland_do_what_they_say() {
    let options = Options { test_api: true, ..Options::default() };
    let server = Server::start(options).await.expect("Videoland starts");
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let mut page = context.open(&format!("{}/login", server.origin()), soon()).await.expect("it opens");
    let sign_in = "'/api/login', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user: 'admin', password: 'videoland' }) }";
    fetched(&page, sign_in).await;
    page.go(&format!("{}/videos", server.origin()), soon()).await.expect("it goes there");

    // Modules register when they have run, and nobody announces that.
    let deadline = soon();
    let mut registered = offered(&page).await;
    while registered.actions.len() < EXPECTED && !deadline.is_over() {
        registered = offered(&page).await;
    }
    assert_eq!((registered.refused.len(), registered.left_out), (0, 0), "{registered:?}");
    let of = |source| registered.actions.iter().filter(move |action| action.source == source);
    let ids = |source| of(source).map(|action| action.descriptor.id.as_str()).collect::<Vec<_>>();
    assert_eq!(
        ids(ActionSource::App),
        [
            "video.create",
            "video.rename",
            "video.delete",
            "video.publish",
            "team.invite",
            "billing.openSettings",
            "workspace.search"
        ]
    );
    assert_eq!(
        ids(ActionSource::WebMcp),
        ["webmcp.video_rename", "webmcp.billing_openSettings", "webmcp.workspace_search"]
    );

    let invited = json!({ "email": "new@example.org", "role": "viewer" });
    invoke(&page, named(&registered, "team.invite"), &invited).await;
    let renamed = json!({ "id": 1, "title": "By a tool" });
    invoke(&page, named(&registered, "webmcp.video_rename"), &renamed).await;
    let ledger = fetched(&page, "'/__test/ledger'").await;
    let effects = ledger["effects"].as_array().expect("effects");
    let effect = |effect: &Value| format!("{} {}", effect["kind"], effect["idempotencyKey"]).replace('"', "");
    assert_eq!(
        effects.iter().map(effect).collect::<Vec<_>>(),
        ["session.started null", "member.invited key-1", "mail.sent key-1", "video.updated null"]
    );
    assert!(ledger.to_string().contains("invitation to new@example.org"), "{ledger}");
    let video = fetched(&page, "'/api/videos/1'").await;
    assert_eq!(video["video"]["title"], "By a tool", "{video}");
    browser.close().await;
    server.shut_down().await;
}
