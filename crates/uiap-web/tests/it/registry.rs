//! Actions that a page registers, and tools that it offers to its browser.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail loudly")]

use crate::support::*;
use serde_json::{Value, json};
use std::time::Duration;
use uiap_protocol::wire::JsonObject;
use uiap_web::{
    ActionSource, BrowserSignal, Deadline, Interruption, Invoked, LaunchOptions, Page, Position, Registered,
    RegisteredAction, Returned, Uninvoked,
};

/// A page that registers what a script says; `action(id)` is a sound descriptor.
async fn page_of(script: &str) -> (uiap_web::Browser, Page, Site) {
    let page = format!(
        "<!doctype html><link rel=icon href='data:,'><button>x</button><script>
        const action = (id, more) => ({{ id, kind: 'domain', targetKinds: ['none'], executionModes: ['appAction'],
            risk: {{ level: 'safe' }}, success: [{{ kind: 'toast.contains', text: 'x' }}], ...more }});
        const register = (descriptor, handler = () => 'done') =>
            (globalThis.uiap ??= []).push(['registerAction', descriptor, handler]);
        const say = (signal) => (globalThis.uiap ??= []).push(['signal', signal]);
        {script}</script>"
    );
    let site = site_of(&page).await;
    let (browser, page) = open(&site.url("/")).await;
    (browser, page, site)
}

fn ids(registered: &Registered) -> Vec<&str> {
    registered.actions.iter().map(|action| action.descriptor.id.as_str()).collect()
}

async fn offered(page: &Page) -> Registered {
    page.actions(soon()).await.unwrap()
}

async fn action(page: &Page, id: &str) -> RegisteredAction {
    let registered = offered(page).await;
    let found = registered.actions.iter().find(|action| action.descriptor.id.as_str() == id);
    found.cloned().unwrap_or_else(|| panic!("no {id} in {registered:?}"))
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}

async fn invoke(page: &Page, id: &str, args: Value) -> Invoked {
    let action = action(page, id).await;
    page.invoke(&action, &object(args), Some("key-1"), soon()).await
}

fn threw(message: &str) -> Invoked {
    Invoked::Unknown(Interruption::Threw { message: message.to_owned() })
}

#[tokio::test]
async fn what_is_registered_is_listed_and_can_be_invoked() {
    let (_browser, page, _site) = page_of(
        "register(action('a.echo'), (args, context) => ({ args, context }));
        register(action('a.echo', { title: 'Again' }), async (args, context) => ({ args, context }));
        register(action('a.none'), () => {});
        register(action('a.cycle'), () => { const all = {}; all.all = all; return all; });
        register(action('a.long'), () => 'x'.repeat(2_000_000));
        register(action('a.gone')); uiap.push(['unregisterAction', 'a.gone']);
        register(action('a.late'));",
    )
    .await;
    assert_eq!(ids(&offered(&page).await), ["a.echo", "a.none", "a.cycle", "a.long", "a.late"]);
    let echo = action(&page, "a.echo").await;
    assert_eq!((echo.source, echo.descriptor.title.as_deref()), (ActionSource::App, Some("Again")));
    let value = json!({ "args": { "n": 1, "t": "ä\u{2028}" }, "context": { "idempotencyKey": "key-1" } });
    assert_eq!(
        invoke(&page, "a.echo", json!({ "n": 1, "t": "ä\u{2028}" })).await,
        Invoked::Delivered(Returned::Value(value))
    );
    for (id, returned) in [
        ("a.none", Returned::Nothing),
        ("a.cycle", Returned::Unreadable),
        ("a.long", Returned::TooLong),
        ("a.late", Returned::Value(json!("done"))),
    ] {
        assert_eq!(invoke(&page, id, json!({})).await, Invoked::Delivered(returned), "{id}");
    }
    // What comes or goes later is seen at the next time.
    let late = action(&page, "a.late").await;
    page.evaluate_main(
        "uiap.push(['unregisterAction', 'a.late'], ['registerAction', action('a.new')])",
        soon(),
    )
    .await
    .unwrap();
    assert_eq!(ids(&offered(&page).await), ["a.echo", "a.none", "a.cycle", "a.long", "a.new"]);
    let gone = page.invoke(&late, &JsonObject::new(), None, soon()).await;
    assert_eq!(gone, Invoked::None(Uninvoked::Unregistered));
}

#[tokio::test]
async fn a_page_without_a_queue_stays_as_it_is() {
    let (_browser, page, _site) = page_of("").await;
    let names =
        "JSON.stringify([Object.getOwnPropertyNames(globalThis), Object.getOwnPropertyNames(document)])";
    let before = page.evaluate_main(names, soon()).await.unwrap();
    assert_eq!(offered(&page).await, Registered::default());
    assert_eq!(page.evaluate_main(names, soon()).await.unwrap(), before);
    // It may still get one, or another one.
    for id in ["a.first", "a.second"] {
        page.evaluate_main(&format!("globalThis.uiap = [], register(action('{id}'))"), soon()).await.unwrap();
        assert_eq!(ids(&offered(&page).await), [id]);
    }
}

#[tokio::test]
async fn an_element_or_a_frozen_queue_is_taken_for_what_it_is() {
    let (_browser, page, _site) =
        page_of("document.body.insertAdjacentHTML('beforeend', '<form id=uiap></form>');").await;
    assert_eq!(offered(&page).await, Registered::default());
    let freeze = "globalThis.uiap = Object.freeze([['registerAction', action('a.frozen'), () => 1]])";
    page.evaluate_main(&format!("void ({freeze})"), soon()).await.unwrap();
    assert_eq!(invoke(&page, "a.frozen", json!({})).await, Invoked::Delivered(Returned::Value(json!(1))));
}

#[tokio::test]
async fn what_is_not_sound_is_refused_and_said() {
    let (_browser, page, _site) = page_of(
        "register({ id: 'a.half' });
        register(action('ui.activate', { kind: 'primitive' }));
        register(action('nav.navigate'));
        register(action('webmcp.posing'));
        register(null); register('text'); register(action('a.bad', { risk: { level: 'none' } }));
        register({ id: 'a.getter', get kind() { throw new Error('no'); } });
        register({ get id() { throw new Error('no'); } });
        register({ id: 'a.cycle', get self() { return this; } });
        register(action('a.long', { description: 'x'.repeat(100_000) }));
        uiap.push(7, null, [], ['registerAction'], ['other', 1]);
        uiap.push(['registerAction', action('a.mute'), 'no function']);
        register(action('a.fine'));",
    )
    .await;
    let registered = offered(&page).await;
    assert_eq!(ids(&registered), ["a.mute", "a.fine"]);
    let refused: Vec<_> = registered.refused.iter().map(|refused| refused.id.as_str()).collect();
    assert_eq!(
        refused,
        [
            "a.half",
            "ui.activate",
            "nav.navigate",
            "webmcp.posing",
            "",
            "",
            "a.bad",
            "a.getter",
            "",
            "a.cycle",
            "a.long",
            ""
        ]
    );
    assert!(registered.refused.iter().all(|refused| !refused.why.is_empty()), "{registered:?}");
    assert_eq!(invoke(&page, "a.mute", json!({})).await, Invoked::None(Uninvoked::Unregistered));
}

#[tokio::test]
async fn a_page_that_turns_everything_against_us_only_deceives_itself() {
    let (_browser, page, _site) = page_of(
        "register(action('a.fine'));
        JSON.stringify = () => 'x'.repeat(30_000_000);",
    )
    .await;
    let registered = offered(&page).await;
    assert_eq!((ids(&registered), registered.refused.len()), (vec![], 1));
    page.evaluate_main(
        "void (JSON.stringify = () => '{}', Object.hasOwn = () => { throw { toString: null } })",
        soon(),
    )
    .await
    .unwrap();
    let registered = offered(&page).await;
    assert_eq!((ids(&registered), registered.refused.len()), (vec![], 1));
    // The publisher lives elsewhere.
    assert_eq!(seen(&page).await, "button x");
}

#[tokio::test]
async fn too_many_are_counted() {
    let (_browser, page, _site) =
        page_of("for (let at = 0; at < 510; at += 1) register(action('a.n' + at));").await;
    let registered = offered(&page).await;
    assert_eq!((registered.actions.len(), registered.left_out), (500, 10));
}

#[tokio::test]
async fn a_handler_that_does_not_come_to_its_end_leaves_the_outcome_unknown() {
    let (_browser, page, site) = page_of(
        "register(action('a.throw'), () => { throw new Error('Oh'); });
        register(action('a.reject'), () => Promise.reject({ toString() { throw 1; } }));
        register(action('a.never'), () => new Promise((settle) => { globalThis.kept = settle; }));
        register(action('a.leave'), () => { location.href = '/elsewhere'; return new Promise((settle) => { globalThis.kept = settle; }); });",
    )
    .await;
    assert_eq!(invoke(&page, "a.throw", json!({})).await, threw("Error: Oh"));
    assert_eq!(
        invoke(&page, "a.reject", json!({})).await,
        threw("something that cannot be written was thrown")
    );
    let never = action(&page, "a.never").await;
    let ended =
        page.invoke(&never, &JsonObject::new(), None, Deadline::after(Duration::from_millis(300))).await;
    assert!(matches!(ended, Invoked::Unknown(Interruption::Call(_))), "{ended:?}");
    assert_eq!(invoke(&page, "a.leave", json!({})).await, Invoked::Unknown(Interruption::Replaced));
    // The next document registers anew.
    until_async("the other page is there", async || page.url() == site.url("/elsewhere")).await;
    assert_eq!(invoke(&page, "a.throw", json!({})).await, threw("Error: Oh"));
}

fn told(page: &Page, since: Position) -> Vec<String> {
    let kinds = ["entity.", "custom", "x.uiap.signals"];
    let mut lines = Vec::new();
    for signal in page.signals().since(since).signals {
        let told = json_of(&signal);
        let kind = told["kind"].as_str().unwrap();
        if kinds.iter().any(|wanted| kind.starts_with(wanted)) {
            let name = told.get("name").or(told.get("entityType")).map_or("-", |name| name.as_str().unwrap());
            lines.push(format!("{kind} {name} {}", told.get("payload").unwrap_or(&Value::Null)));
        }
    }
    lines
}

#[tokio::test]
async fn what_the_application_says_is_among_the_signals() {
    let (_browser, page, _site) = page_of(
        "say({ kind: 'custom', name: 'early', payload: { a: [1] } });
        register(action('a.create'), () => { say({ kind: 'entity.created', entityType: 'video', payload: { id: 7 } }); });",
    )
    .await;
    let since = Position::default();
    invoke(&page, "a.create", json!({})).await;
    assert_eq!(told(&page, since), ["custom early {\"a\":[1]}", "entity.created video {\"id\":7}"]);
    // Signals of the browser, of the publisher and of later versions are not the application's to give.
    let since = page.signals().position();
    let deep = "var deep = {}; for (let at = 0; at < 30; at += 1) deep = { deep };";
    for bad in [
        "{ kind: 'x.uiap.ended', reason: 'closed' }",
        "{ kind: 'network.response', url: 'x', status: 200 }",
        "{ kind: 'custom', name: '' }",
        "{ kind: 'custom', name: 'x'.repeat(20_000) }",
        "{ kind: 'custom', name: 'deep', payload: deep }",
        "{ kind: 'entity.created', entityType: '' }",
        "(() => {})",
    ] {
        page.evaluate_main(&format!("{deep} void say({bad})"), soon()).await.unwrap();
    }
    assert_eq!(told(&page, since), vec!["x.uiap.signals.dropped - null"; 7]);
    assert!(!page.signals().since(since).ended);
}

#[tokio::test]
async fn a_flood_is_cut_and_said() {
    let (_browser, page, _site) = page_of("register(action('a.x'));").await;
    offered(&page).await;
    let since = page.signals().position();
    let flood = "for (let at = 0; at < 5_000; at += 1) say({ kind: 'custom', name: 'n' + at })";
    page.evaluate_main(flood, soon()).await.unwrap();
    signal(&page, since, BrowserSignal::SignalsDropped, json!({})).await;
    let lines = told(&page, since);
    assert_eq!(lines.first().map(String::as_str), Some("custom n0 null"));
    assert!((200..4_000).contains(&lines.len()), "{}", lines.len());
}

#[tokio::test]
async fn tools_of_the_browser_are_actions() {
    let offer = "const tool = (name, execute, more) => document.modelContext.registerTool({ name, description: 'Does ' + name, execute, ...more });";
    let (browser, page, site) = page_of(&format!(
        "{offer}
        tool('echo', (input) => ({{ input }}), {{ inputSchema: {{ type: 'object', required: ['n'], properties: {{
            n: {{ type: 'integer', description: 'How many' }}, c: {{ type: 'string', enum: ['a', 'b'] }}, u: {{ anyOf: [] }} }} }} }});
        tool('read', () => 1, {{ annotations: {{ readOnlyHint: true }} }});
        tool('throw', () => {{ throw new Error('Oh'); }});
        tool('never', () => new Promise((settle) => {{ globalThis.kept = settle; }}));
        tool('leave', () => {{ location.href = '/elsewhere'; return new Promise((settle) => {{ globalThis.kept = settle; }}); }});
        "
    ))
    .await;
    let registered = offered(&page).await;
    let risk = |action: &RegisteredAction| {
        format!("{} {} {:?}", action.descriptor.id, action.descriptor.risk.level, action.source)
    };
    assert_eq!(
        registered.actions.iter().map(risk).collect::<Vec<_>>(),
        [
            "webmcp.echo confirm WebMcp",
            "webmcp.read safe WebMcp",
            "webmcp.throw confirm WebMcp",
            "webmcp.never confirm WebMcp",
            "webmcp.leave confirm WebMcp"
        ]
    );
    let echo = action(&page, "webmcp.echo").await;
    assert_eq!(echo.descriptor.description.as_deref(), Some("Does echo"));
    assert_eq!(
        serde_json::to_value(&echo.descriptor.args).unwrap(),
        json!([
            { "name": "c", "type": "enum", "required": false, "enum": ["a", "b"] },
            { "name": "n", "type": "number", "required": true, "description": "How many" }
        ])
    );
    assert_eq!(
        invoke(&page, "webmcp.echo", json!({ "n": 2 })).await,
        Invoked::Delivered(Returned::Value(json!({ "input": { "n": 2 } })))
    );
    assert_eq!(invoke(&page, "webmcp.throw", json!({})).await, threw("Error: Oh"));
    let never = action(&page, "webmcp.never").await;
    let ended =
        page.invoke(&never, &JsonObject::new(), None, Deadline::after(Duration::from_millis(300))).await;
    assert!(matches!(ended, Invoked::Unknown(Interruption::Call(_))), "{ended:?}");
    assert_eq!(invoke(&page, "webmcp.leave", json!({})).await, Invoked::Unknown(Interruption::Replaced));
    until_async("the other page is there", async || page.url() == site.url("/elsewhere")).await;
    until_async("its tools are there", async || ids(&offered(&page).await).len() == 5).await;
    browser.close().await;

    // A browser that was started without them has none.
    let without = LaunchOptions { web_mcp: false, ..LaunchOptions::default() };
    let browser = uiap_web::Browser::launch(&without).await.unwrap();
    let page = context(&browser).await.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(page.evaluate_main("typeof document.modelContext", soon()).await.unwrap(), "undefined");
    assert_eq!(offered(&page).await, Registered::default());
}
