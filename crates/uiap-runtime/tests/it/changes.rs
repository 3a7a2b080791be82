//! What a model reads after an action: the typical changes, each in a few tokens.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail loudly")]

use insta::assert_snapshot;
use serde_json::{Value, json};
use uiap_protocol::text::Node;
use uiap_protocol::web::{ElementNode, GraphStore, PageGraph, WebSignal, WebStateDelta};
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::view::{OptionStyle, changes, changes_between};

/// What the text about a typical change may cost.
const TOKENS_MAX: usize = 150;

fn read<T: Wire>(value: &Value) -> T {
    accept(&Node::from_json(value)).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

fn element(id: &str, parent: Option<&str>, role: &str, name: &str) -> Value {
    let mut element = json!({ "instanceId": id, "documentId": "doc", "role": role, "name": name, "state": { "enabled": true } });
    if let Some(parent) = parent {
        element["parentId"] = parent.into();
    }
    if ["button", "link", "textbox"].contains(&role) {
        element["affordances"] = json!(["read", "activate"]);
    }
    element
}

fn row(at: usize) -> Vec<Value> {
    let id = |part: usize| format!("el_k3_{at}{part}");
    let (row, title, deeds) = (id(0), id(1), id(3));
    vec![
        element(&row, Some("el_k3_1"), "row", ""),
        element(&title, Some(&row), "cell", &format!("Film {at}")),
        element(&id(2), Some(&title), "link", &format!("Film {at}")),
        element(&deeds, Some(&row), "cell", "Löschen"),
        element(&id(4), Some(&deeds), "button", "Löschen"),
    ]
}

/// A list of videos with a form beside it.
fn page() -> PageGraph {
    let mut elements = vec![element("el_k3_1", None, "table", "Videos")];
    elements.extend((2..5).flat_map(row));
    elements.extend([
        element("el_k3_a", None, "form", "Neues Video"),
        element("el_k3_b", Some("el_k3_a"), "textbox", "Titel"),
        element("el_k3_c", Some("el_k3_a"), "button", "Video erstellen"),
        element("el_k3_d", None, "status", ""),
    ]);
    let scope = |id: &str, kind: &str, name: &str, element: &str| json!({ "id": id, "kind": kind, "name": name, "documentId": "doc", "elementId": element });
    read(&json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_3", "seq": 3, "title": "Videos",
        "capturedAt": "2026-03-26T14:03:00.000Z", "route": { "url": "https://app.example.com/videos", "routeId": "videos" },
        "documents": [{ "id": "doc", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": [scope("scope_k3_1", "table", "Videos", "el_k3_1"), scope("scope_k3_a", "form", "Neues Video", "el_k3_a")],
        "elements": elements,
    }))
}

fn add(kind: &str, value: &Value) -> Value {
    let id = if kind == "element" { &value["instanceId"] } else { &value["id"] };
    json!({ "op": "add", "kind": kind, "id": id, "value": value })
}

fn update(id: &str, value: &Value) -> Value {
    json!({ "op": "update", "kind": "element", "id": id, "value": value })
}

/// Applies a delta as a consumer does and tells about it.
fn told(ops: &[Value], more: &Value, signals: &[Value]) -> String {
    let before = page();
    let mut store = GraphStore::new(before.clone());
    let mut delta = json!({ "baseRevision": "rev_3", "revision": "rev_4", "seq": 4, "at": "2026-03-26T14:03:01.000Z", "ops": ops });
    for (member, value) in more.as_object().into_iter().flatten() {
        delta[member] = value.clone();
    }
    let delta: WebStateDelta = read(&delta);
    store.apply(&delta).expect("the delta fits");
    let signals: Vec<WebSignal> = signals.iter().map(read).collect();
    let text = changes(&before, &[delta], &signals, &store.graph()).expect("no reference is asked for");
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
    assert!(tokens <= TOKENS_MAX, "{tokens} tokens:\n{text}");
    text
}

#[test]
fn a_dialog_that_opened_is_shown_and_what_it_blocks_is_not() {
    let dialog = element("el_k3_x", None, "dialog", "Video löschen?");
    let scope = json!({ "id": "scope_k3_x", "kind": "dialog", "name": "Video löschen?", "documentId": "doc", "elementId": "el_k3_x" });
    let blocked: Vec<Value> = ["el_k3_22", "el_k3_24", "el_k3_b", "el_k3_c"]
        .into_iter()
        .map(|id| update(id, &json!({ "state": { "enabled": true, "blocked": true } })))
        .collect();
    let mut ops = vec![add("element", &dialog), add("scope", &scope)];
    for (id, name) in [("el_k3_y", "Löschen"), ("el_k3_z", "Abbrechen")] {
        ops.push(add("element", &element(id, Some("el_k3_x"), "button", name)));
    }
    ops.extend(blocked);
    let more = json!({ "modalStack": ["scope_k3_x"], "focus": { "target": "el_k3_z" } });
    assert_snapshot!(told(&ops, &more, &[]), @r#"
    rev_4: changes since rev_3
    + dialog "Video löschen?" [e33] modal
        e34 button "Löschen"
        e35 button "Abbrechen"
    focus e35
    "#);
}

#[test]
fn a_row_that_came_and_one_that_went_are_one_line_each() {
    let added: Vec<Value> = row(7).iter().map(|node| add("element", node)).collect();
    assert_snapshot!(told(&added, &json!({}), &[]), @r#"
    rev_4: changes since rev_3
    ~ table "Videos" [e1] 4 rows
      + e254 "Film 7" | e256 "Löschen"
    "#);
    let removed: Vec<Value> = row(3)
        .iter()
        .rev()
        .map(|node| json!({ "op": "remove", "kind": "element", "id": node["instanceId"] }))
        .collect();
    assert_snapshot!(told(&removed, &json!({}), &[]), @r#"
    rev_4: changes since rev_3
    ~ table "Videos" [e1] 2 rows
    - e110 "Film 3" | e112 "Löschen"
    "#);
}

#[test]
fn a_validation_error_stands_at_its_field() {
    let invalid = json!({ "state": { "enabled": true, "invalid": true, "textValue": "" },
        "validation": { "invalid": true, "message": "Bitte ausfüllen" } });
    assert_snapshot!(told(&[update("el_k3_b", &invalid)], &json!({}), &[]), @r#"
    rev_4: changes since rev_3
    ~ e11 textbox "Titel" invalid "Bitte ausfüllen"
    "#);
}

#[test]
fn what_was_chosen_is_told_and_not_what_else_could_be() {
    let mut before = page();
    let choices = |chosen: &str| {
        let choice = |label: &str| json!({ "value": label, "label": label, "selected": label == chosen });
        let mut element = element("el_k3_o", None, "combobox", "Status");
        element["affordances"] = json!(["read", "choose"]);
        element["options"] = json!([choice("Entwurf"), choice("In Prüfung")]);
        read::<ElementNode>(&element)
    };
    let mut after = before.clone();
    before.elements.push(choices("Entwurf"));
    after.elements.push(choices("In Prüfung"));
    let text =
        changes_between(&before, &[], &after, OptionStyle::ToolArguments).expect("no reference is asked for");
    assert_snapshot!(text, @r#"~ e24 combobox "Status" = "In Prüfung""#);
    assert_eq!(
        changes_between(&after, &[], &after, OptionStyle::ToolArguments).expect("the same page"),
        "nothing changed\n"
    );
}

#[test]
fn at_another_address_only_what_came_is_told() {
    let before = page();
    let mut after = page();
    after.route.url = "https://app.example.com/videos/new".to_owned();
    after.title = Some("Neues Video".to_owned());
    let is_gone = |id: &str| id.starts_with("el_k3_4") || id == "el_k3_c";
    after.elements.retain(|element| !is_gone(element.instance_id.as_str()));
    after.elements.push(read(&element("el_k3_n", None, "button", "Abbrechen")));
    let text =
        changes_between(&before, &[], &after, OptionStyle::ToolArguments).expect("no reference is asked for");
    assert_snapshot!(text, @r#"
    now at </videos/new> "Neues Video"
    ~ table "Videos" [e1] 2 rows
    + e23 button "Abbrechen"
    "#);
    after.route.url = "https://elsewhere.example/videos/new".to_owned();
    let text =
        changes_between(&before, &[], &after, OptionStyle::ToolArguments).expect("no reference is asked for");
    assert!(text.starts_with("now at <https://elsewhere.example/videos/new>"), "{text}");
}

#[test]
fn a_message_is_told_once_whether_it_stayed_or_not() {
    let signal = json!({ "id": "sig_1", "at": "2026-03-26T14:03:01.000Z", "kind": "toast.shown", "text": "Gespeichert" });
    assert_snapshot!(told(&[], &json!({}), std::slice::from_ref(&signal)), @r#"
    rev_4: changes since rev_3
    ! toast "Gespeichert"
    "#);
    let shown = update("el_k3_d", &json!({ "state": { "textValue": "Gespeichert" } }));
    assert_snapshot!(told(&[shown], &json!({}), &[signal]), @r#"
    rev_4: changes since rev_3
    ~ e13 status = "Gespeichert"
    "#);
    let twice = element("el_k3_s", None, "toast", "");
    let mut twice = add("element", &twice);
    twice["value"]["state"]["textValue"] = "Gespeichert".into();
    let shown = update("el_k3_d", &json!({ "state": { "textValue": "Gespeichert" } }));
    let text = told(&[shown, twice], &json!({}), &[]);
    assert_eq!(text.matches("Gespeichert").count(), 1, "{text}");
}

#[test]
fn what_a_model_cannot_see_is_not_told() {
    let moved = update("el_k3_c", &json!({ "bbox": { "x": 1, "y": 2, "width": 3, "height": 4 } }));
    assert_snapshot!(told(&[moved], &json!({}), &[]), @"rev_4: nothing changed since rev_3");
    let name = update("el_k3_c", &json!({ "name": "Weiter", "state": { "enabled": false } }));
    assert_snapshot!(told(&[name], &json!({ "title": "Videos (1)" }), &[]), @r#"
    rev_4: changes since rev_3
    title "Videos (1)"
    ~ e12 button "Weiter" disabled
    "#);
}

#[test]
fn many_changes_are_cut_and_counted() {
    let added: Vec<Value> = (100..190)
        .map(|at| add("element", &element(&format!("el_k3_{at}"), None, "button", &format!("Knopf {at}"))))
        .collect();
    let before = page();
    let mut store = GraphStore::new(before.clone());
    let delta: WebStateDelta = read(&json!({ "baseRevision": "rev_3", "revision": "rev_4", "seq": 4,
        "at": "2026-03-26T14:03:01.000Z", "ops": added }));
    store.apply(&delta).expect("the delta fits");
    let text = changes(&before, &[delta], &[], &store.graph()).expect("no reference is asked for");
    let shown = text.lines().filter(|line| line.starts_with("+ ")).count();
    let last = text.lines().last().expect("a last line");
    assert_eq!(last, format!("... {} more changes; look again", 90 - shown));
    assert!((10..90).contains(&shown), "{text}");
}

#[test]
fn a_page_that_was_replaced_is_shown_anew() {
    let mut after = page();
    after.route.url = "https://app.example.com/team".to_owned();
    after.elements.retain(|element| element.instance_id.as_str() == "el_k3_d");
    after.scopes.clear();
    let button: PageGraph = read(&json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_4", "seq": 4, "capturedAt": "2026-03-26T14:03:00.000Z",
        "route": { "url": "https://app.example.com/team" }, "documents": [{ "id": "doc", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": [], "elements": [element("el_k3_t", None, "button", "Einladen")],
    }));
    after.elements.extend(button.elements);
    let text = changes(&page(), &[], &[], &after).expect("no reference is asked for");
    assert_snapshot!(text, @r#"
    Videos <https://app.example.com/team> route=videos rev_3
    e29 button "Einladen"
    "#);
}
