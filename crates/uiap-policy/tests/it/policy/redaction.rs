//! What leaves, and what does not.

use crate::policy::support::{compiled, yaml};
use serde_json::{Value, json};
use uiap_policy::CompiledPolicy;
use uiap_policy::redact::{DigestKey, MASK, Redactor};
use uiap_protocol::ids::RouteId;
use uiap_protocol::policy::{PolicyObligation, PolicyPrincipal};
use uiap_protocol::web::{GraphStore, PageGraph, WebSignal, WebStateDelta};
use uiap_testkit::proves;

const SECRETS: [&str; 5] = ["hunter2!", "4111 1111", "tok_live_9f3", "Anna Muster", "0 negativ"];

/// A settings page that shows everything one should not hand on.
fn page() -> PageGraph {
    yaml(
        r#"
modelVersion: "0.1"
profile: web@0.1
revision: rev_1
seq: 1
capturedAt: 2026-03-26T14:03:00.000Z
route: {routeId: settings.security, url: "https://videoland.test/settings?token=tok_live_9f3", path: /settings}
title: Settings of Anna Muster
documents:
- {id: doc, boundary: {kind: root, opaque: false}, url: "https://videoland.test/settings?token=tok_live_9f3"}
scopes:
- {id: form, kind: form, documentId: doc, name: Profile of Anna Muster}
elements:
- {instanceId: e1, documentId: doc, role: textbox, name: Password, dataClasses: [credential], state: {textValue: "hunter2!", sensitive: true}}
- {instanceId: e2, documentId: doc, role: textbox, name: Card, dataClasses: [payment], state: {textValue: "4111 1111"}}
- {instanceId: e3, stableId: security.token.secret, documentId: doc, role: status, name: tok_live_9f3, state: {}}
- {instanceId: e4, documentId: doc, role: textbox, name: Name, dataClasses: [personal], state: {textValue: Anna Muster}}
- {instanceId: e5, documentId: doc, role: combobox, name: Blood group, dataClasses: [health], state: {textValue: "0 negativ", numericValue: 3}, options: [{value: a, label: A, selected: true}]}
- {instanceId: e6, documentId: doc, role: button, name: Save hunter2! now, state: {textValue: "harmless"}}
- {instanceId: e7, documentId: doc, role: status, name: Card, state: {}}
"#,
    )
}

fn policy() -> CompiledPolicy {
    compiled([yaml(
        r#"
modelVersion: "0.1"
id: p
defaults: {onUnknownAction: deny}
rules: []
redaction:
- {id: token, when: {targets: ["security.*.secret"], routes: [settings.security]}, mode: omit}
- {id: personal, when: {dataClasses: [personal]}, mode: mask, unlessGrant: [read.sensitive]}
- {id: hashed, when: {dataClasses: [health]}, mode: hash}
"#,
    )])
}

fn agent(grants: &str) -> PolicyPrincipal {
    yaml(&format!("{{type: agent, id: helper, grants: [{grants}]}}"))
}

fn text<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("it can be written")
}

fn element<'v>(graph: &'v Value, id: &str) -> &'v Value {
    let elements = graph["elements"].as_array().expect("a list");
    elements.iter().find(|element| element["instanceId"] == id).expect("the element")
}

#[test]
fn no_secret_leaves_with_a_page() {
    proves!["POL-4"];
    let (policy, agent) = (policy(), agent("act"));
    let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
    let mut graph = page();
    redactor.graph(&mut graph);
    let leaving = text(&graph);
    for secret in SECRETS {
        assert!(!leaving.contains(secret), "{secret} left: {leaving}");
    }
    let graph = serde_json::to_value(&graph).expect("a graph");
    assert_eq!(element(&graph, "e1")["state"], json!({"redacted": true, "sensitive": true}));
    assert_eq!(element(&graph, "e1")["name"], "Password");
    assert_eq!(element(&graph, "e4")["state"]["textValue"], MASK);
    assert!(element(&graph, "e3").get("name").is_none(), "the content of a status is its name");
    assert_eq!(
        element(&graph, "e5")["state"]["textValue"],
        MASK,
        "of a digest and a mask the mask is stricter"
    );
    assert!(element(&graph, "e5")["options"][0].get("selected").is_none());
    assert_eq!(element(&graph, "e6")["name"], format!("Save {MASK} now"));
    assert_eq!(
        element(&graph, "e7"),
        &json!({"instanceId": "e7", "documentId": "doc", "role": "status", "name": "Card", "state": {}})
    );
    assert_eq!(graph["title"], format!("Settings of {MASK}"));
    assert_eq!(graph["redacted"], true);
}

#[test]
fn a_grant_opens_what_it_is_for_and_nothing_else() {
    proves!["POL-24", "POL-25"];
    let left = |grants: &str| {
        let (policy, agent) = (policy(), agent(grants));
        let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
        let mut graph = page();
        redactor.graph(&mut graph);
        let leaving = text(&graph);
        SECRETS.into_iter().filter(|secret| leaving.contains(secret)).collect::<Vec<_>>()
    };
    assert_eq!(left("admin"), Vec::<&str>::new());
    assert_eq!(left("read.sensitive"), ["Anna Muster"]);
    assert_eq!(left("read.secret"), ["hunter2!", "4111 1111"]);
    let health = {
        let (policy, agent) = (policy(), agent("read.sensitive"));
        let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
        let mut graph = page();
        redactor.graph(&mut graph);
        let graph = serde_json::to_value(&graph).expect("a graph");
        element(&graph, "e5")["state"]["textValue"].as_str().expect("a digest").to_owned()
    };
    assert!(health.starts_with("hash:") && health.len() == 21, "{health}");
}

#[test]
fn no_secret_leaves_with_a_change() {
    let (policy, agent) = (policy(), agent("act"));
    let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
    let store = GraphStore::new(page());
    let mut delta: WebStateDelta = yaml(
        r#"
baseRevision: rev_1
revision: rev_2
seq: 2
at: 2026-03-26T14:03:01.000Z
title: 5555 4444
ops:
- {op: update, kind: element, id: e2, value: {state: {textValue: 5555 4444}}}
- {op: update, kind: element, id: e6, value: {name: "Pay with 5555 4444", description: null}}
- op: add
  kind: element
  id: e8
  value: {instanceId: e8, documentId: doc, role: textbox, name: Pin, description: "1234 5", dataClasses: [secret], state: {textValue: "1234 5"}}
- {op: remove, kind: element, id: e7}
"#,
    );
    redactor.delta(&mut delta, &store, Some(&RouteId::new("settings.security").expect("an id")));
    let leaving = text(&delta);
    assert!(!leaving.contains("5555") && !leaving.contains("1234"), "{leaving}");
    let mut store = GraphStore::new(page());
    store.apply(&delta).expect("a redacted change still applies");
    assert_eq!(store.element("e2").expect("an element").state.redacted, Some(true));
    assert_eq!(store.element("e8").expect("an element").name.as_deref(), Some("Pin"));
}

#[test]
fn no_secret_leaves_with_signals_answers_and_traces() {
    let (policy, agent) = (policy(), agent("act"));
    let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
    let store = GraphStore::new(page());
    redactor.graph(&mut page());
    redactor.withhold("typed by the agent");
    let signal =
        |body: &str| yaml::<WebSignal>(&format!("{{id: s, at: '2026-03-26T14:03:00.000Z', {body}}}"));
    for body in [
        "kind: toast.shown, text: 'Password hunter2! saved'",
        "kind: status.changed, text: something new, target: e1",
        "kind: custom, name: saved, payload: {list: ['x 4111 1111'], 'tok_live_9f3': 1}",
        "kind: network.response, url: 'https://a.test/?t=tok_live_9f3', status: 200",
        "kind: validation.changed, errors: [{message: 'something new', target: e4}]",
        "kind: route.changed, to: {url: 'https://a.test/Anna Muster'}",
        "kind: x.acme.saved, who: typed by the agent",
    ] {
        let mut signal = signal(body);
        redactor.signal(&mut signal, Some(&store), None);
        let leaving = text(&signal);
        assert!(leaving.contains(MASK), "{leaving}");
        let secrets = SECRETS.into_iter().chain(["something new", "typed by the agent"]);
        assert!(secrets.into_iter().all(|secret| !leaving.contains(secret)), "{leaving}");
    }
    let obligations: Vec<PolicyObligation> = vec![
        yaml("{kind: redact, fields: [apiKey], mode: omit}"),
        yaml("{kind: redact, fields: [mail], mode: hash}"),
    ];
    let mut answer = json!({"apiKey": "k1", "rows": [{"mail": "a@b.c", "note": "hunter2!"}], "n": 1});
    redactor.json(&mut answer, &obligations);
    assert_eq!(answer["rows"][0]["note"], MASK);
    assert!(answer.get("apiKey").is_none());
    assert!(answer["rows"][0]["mail"].as_str().is_some_and(|mail| mail.starts_with("hash:")));
    assert_eq!(answer["n"], 1);
    assert!(!format!("{redactor:?}").contains("hunter2"), "not even a debug print shows it");
}

#[test]
fn a_deep_answer_ends_in_nothing() {
    let (policy, agent) = (policy(), agent("act"));
    let redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
    let mut deep = json!("bottom");
    for _ in 0..200 {
        deep = json!([deep]);
    }
    redactor.json(&mut deep, []);
    assert!(!deep.to_string().contains("bottom"));
}

#[test]
fn what_stands_in_something_withheld_is_withheld_with_it() {
    let (policy, agent) = (policy(), agent("act"));
    let mut graph: PageGraph = yaml(
        r#"
modelVersion: "0.1"
profile: web@0.1
revision: rev_1
seq: 1
capturedAt: 2026-03-26T14:03:00.000Z
route: {url: "https://videoland.test/?who=Anna%20Muster&also=Anna+Muster"}
documents:
- {id: doc, boundary: {kind: root, opaque: false}}
scopes:
- {id: card, kind: region, documentId: doc, name: Card of Bo, elementId: e3}
elements:
- {instanceId: e1, documentId: doc, role: row, name: Anna Muster, dataClasses: [personal], state: {}}
- {instanceId: e2, documentId: doc, role: cell, parentId: e1, name: Bo, state: {}}
- {instanceId: e3, documentId: doc, role: region, name: Card of Bo, dataClasses: [personal], state: {}}
- {instanceId: e4, documentId: doc, role: radio, scopeId: card, name: Single, state: {checked: true}}
- {instanceId: e5, documentId: doc, role: cell, name: Bo, state: {}}
"#,
    );
    let store = GraphStore::new(graph.clone());
    let mut redactor = Redactor::new(&policy, &agent, DigestKey::new([7; 32]));
    redactor.graph(&mut graph);
    let seen = serde_json::to_value(&graph).expect("a graph");
    assert_eq!(element(&seen, "e2")["name"], MASK);
    assert_eq!(element(&seen, "e4")["state"], json!({"redacted": true}));
    assert_eq!(element(&seen, "e4")["name"], "Single", "a label is no value");
    assert_eq!(seen["scopes"][0]["name"], MASK);
    assert_eq!(element(&seen, "e5")["name"], "Bo", "so short a text is struck out nowhere");
    assert_eq!(graph.route.url, format!("https://videoland.test/?who={MASK}&also={MASK}"));
    let shown = redactor.page(&store).expect("less than everything");
    assert_eq!(
        serde_json::to_value(shown.graph()).expect("a graph"),
        seen,
        "pages are redacted as graphs are"
    );
    let mut delta: WebStateDelta = yaml(
        r"
baseRevision: rev_1
revision: rev_2
seq: 2
at: 2026-03-26T14:03:01.000Z
ops:
- {op: update, kind: element, id: e2, value: {name: Cy}}
- {op: add, kind: element, id: e9, value: {instanceId: e9, documentId: doc, parentId: e1, role: cell, name: Di, state: {}}}
",
    );
    redactor.delta(&mut delta, &store, None);
    let leaving = text(&delta);
    assert!(!leaving.contains("Cy") && !leaving.contains("Di"), "{leaving}");
}
