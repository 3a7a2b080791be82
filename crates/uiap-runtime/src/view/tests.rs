//! Pages in, lines out.

use super::{ViewOptions, view};
use insta::assert_snapshot;
use serde_json::{Value, json};
use uiap_protocol::text::Node;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::accept;

fn page(scopes: &Value, elements: &Value, more: &Value) -> PageGraph {
    let mut page = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_3", "seq": 3,
        "capturedAt": "2026-03-26T14:03:00.000Z", "title": "Videos",
        "route": { "url": "https://app.example.com/videos", "routeId": "videos" },
        "documents": [{ "id": "doc", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": scopes, "elements": elements,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        page[name] = value.clone();
    }
    for list in ["scopes", "elements"] {
        for node in page[list].as_array_mut().into_iter().flatten() {
            node["documentId"] = "doc".into();
            if list == "elements" && node.get("state").is_none() {
                node["state"] = json!({});
            }
        }
    }
    accept(&Node::from_json(&page)).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

fn shown(scopes: &Value, elements: &Value, options: &ViewOptions) -> String {
    view(&page(scopes, elements, &json!({})), options)
}

#[test]
fn a_form_shows_names_values_and_what_is_unusual() {
    let scopes =
        json!([{ "id": "s1", "kind": "form", "name": "Neues Video", "stableId": "video.create.form" }]);
    let elements = json!([
        { "instanceId": "e1", "scopeId": "s1", "stableId": "video.title", "role": "textbox", "name": "Titel",
          "affordances": ["edit"], "state": { "required": true, "invalid": true, "textValue": "" },
          "validation": { "invalid": true, "message": "Bitte ausfüllen" } },
        { "instanceId": "e2", "scopeId": "s1", "role": "combobox", "name": "Anwendungsfall", "affordances": ["choose"],
          "options": [{ "value": "a", "label": "Schulung", "selected": true }, { "value": "b", "label": "Werbung" }] },
        { "instanceId": "e3", "scopeId": "s1", "role": "slider", "name": "Qualität", "affordances": ["edit"],
          "state": { "numericValue": 80, "min": 0, "max": 100 } },
        { "instanceId": "e4", "scopeId": "s1", "role": "label", "name": "Titel", "affordances": ["read"] },
        { "instanceId": "e5", "scopeId": "s1", "role": "button", "name": "Video erstellen", "affordances": ["activate"],
          "state": { "enabled": false }, "risk": { "level": "confirm" } },
    ]);
    assert_snapshot!(shown(&scopes, &elements, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    form "Neues Video" [video.create.form]
      video.title textbox "Titel" = "" required invalid "Bitte ausfüllen"
      e2 combobox "Anwendungsfall" = "Schulung" of "Schulung" "Werbung"
      e3 slider "Qualität" = 80 (0..100)
      e5 button "Video erstellen" disabled risk=confirm
    "#);
}

fn table(rows: usize) -> (Value, Value) {
    let scopes = json!([{ "id": "s1", "kind": "table", "name": "Videos" }]);
    let elements = (0..rows).flat_map(|row| {
        let (id, cell, deed) = (format!("r{row}"), format!("c{row}"), format!("b{row}"));
        [
            json!({ "instanceId": id, "scopeId": "s1", "role": "row" }),
            json!({ "instanceId": cell, "scopeId": "s1", "parentId": id, "role": "cell", "name": format!("Film {row}") }),
            json!({ "instanceId": deed, "scopeId": "s1", "parentId": cell, "role": "button", "name": "Löschen",
                    "affordances": ["activate"] }),
        ]
    });
    (scopes, elements.collect())
}

#[test]
fn a_long_table_shows_its_first_rows_and_how_to_reach_the_others() {
    let (scopes, elements) = table(200);
    assert_snapshot!(shown(&scopes, &elements, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    table "Videos" [s1]
      r0 "Film 0" b0:"Löschen"
      r1 "Film 1" b1:"Löschen"
      r2 "Film 2" b2:"Löschen"
      r3 "Film 3" b3:"Löschen"
      r4 "Film 4" b4:"Löschen"
      ... 195 more rows; --find TEXT shows the rows with a text
    "#);
}

#[test]
fn every_row_is_one_more_look_away() {
    let (scopes, elements) = table(200);
    let options = ViewOptions { find: Some("film 17\"".to_owned()), ..ViewOptions::default() };
    assert_snapshot!(shown(&scopes, &elements, &options), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    table "Videos" [s1]
      r17 "Film 17" b17:"Löschen"
    "#);
}

#[test]
fn an_open_dialog_hides_what_cannot_be_reached() {
    let scopes = json!([
        { "id": "s1", "kind": "region", "name": "Liste" },
        { "id": "s2", "kind": "dialog", "name": "Löschen?" },
    ]);
    let button = |id: &str, scope: &str, name: &str| json!({ "instanceId": id, "scopeId": scope, "role": "button", "name": name, "affordances": ["activate"] });
    let elements = json!([button("e1", "s1", "Neu"), button("e2", "s2", "Ja"), button("e3", "s2", "Nein")]);
    let graph = page(&scopes, &elements, &json!({ "modalStack": ["s2"] }));
    assert_snapshot!(view(&graph, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    dialog "Löschen?" [s2]
      e2 button "Ja"
      e3 button "Nein"
    "#);
}

#[test]
fn one_scope_can_be_looked_at_alone() {
    let scopes = json!([
        { "id": "s1", "kind": "region" },
        { "id": "s2", "kind": "form", "parentScopeId": "s1", "stableId": "login.form" },
        { "id": "s3", "kind": "region" },
    ]);
    let button = |id: &str, scope: &str| json!({ "instanceId": id, "scopeId": scope, "role": "button", "name": id, "affordances": ["activate"] });
    let elements = json!([button("e1", "s1"), button("e2", "s2"), button("e3", "s3")]);
    let options = ViewOptions { scope: Some("login.form".to_owned()), ..ViewOptions::default() };
    assert_snapshot!(shown(&scopes, &elements, &options), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    form [login.form]
      e2 button "e2"
    "#);
}

#[test]
fn what_cannot_be_seen_is_said() {
    let regions = json!([{ "id": "o1", "kind": "cross_origin_frame", "label": "Popcorn" }]);
    let graph = page(&json!([]), &json!([]), &json!({ "opaqueRegions": regions, "truncated": true }));
    assert_snapshot!(view(&graph, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    opaque cross_origin_frame "Popcorn" [o1]
    The page was too large to be shown whole; look at one scope with --scope.
    "#);
}
