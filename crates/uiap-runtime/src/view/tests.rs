//! Pages in, lines out.

use super::{RefError, Refs, ViewOptions, view};
use insta::assert_snapshot;
use serde_json::{Value, json};
use uiap_protocol::text::Node;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::accept;

/// A page of the publisher's making: `el_k3_7` is written `7`.
pub(super) fn page(scopes: &Value, elements: &Value, more: &Value) -> PageGraph {
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
    said(&page(scopes, elements, &json!({})), options)
}

fn said(graph: &PageGraph, options: &ViewOptions) -> String {
    view(graph, options).unwrap_or_else(|error| format!("error: {error}"))
}

fn in_scope(scope: &str) -> ViewOptions {
    ViewOptions { scope: Some(scope.to_owned()), ..ViewOptions::default() }
}

fn finding(text: &str) -> ViewOptions {
    ViewOptions { find: Some(text.to_owned()), ..ViewOptions::default() }
}

fn button(id: usize, scope: &str, name: &str) -> Value {
    json!({ "instanceId": format!("el_k3_{id}"), "scopeId": scope, "role": "button", "name": name, "affordances": ["activate"] })
}

#[test]
fn what_has_no_name_shows_its_icon() {
    let icon = |id: usize, name: &str, icon: &str| json!({ "instanceId": format!("el_k3_{id}"), "role": "button", "name": name, "icon": icon, "affordances": ["activate"] });
    let elements = json!([icon(1, "\u{f1f8}", "trash"), icon(2, "", "bars"), icon(3, "Menu", "bars")]);
    assert_snapshot!(shown(&json!([]), &elements, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    e1 button icon "trash"
    e2 button icon "bars"
    e3 button "Menu"
    "#);
    assert_snapshot!(shown(&json!([]), &elements, &finding("trash")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    e1 button icon "trash"
    "#);
}

#[test]
fn a_form_shows_names_values_and_what_is_unusual() {
    let scopes =
        json!([{ "id": "s1", "kind": "form", "name": "Neues Video", "stableId": "video.create.form" }]);
    let elements = json!([
        { "instanceId": "el_k3_1", "scopeId": "s1", "stableId": "video.title", "role": "textbox", "name": "Titel",
          "affordances": ["edit"], "state": { "required": true, "invalid": true, "textValue": "" },
          "validation": { "invalid": true, "message": "Bitte ausfüllen" } },
        { "instanceId": "el_k3_2", "scopeId": "s1", "role": "combobox", "name": "Anwendungsfall", "affordances": ["choose"],
          "options": [{ "value": "a", "label": "Schulung" }, { "value": "b", "label": "Werbung", "selected": true }] },
        { "instanceId": "el_k3_3", "scopeId": "s1", "role": "slider", "name": "Qualität", "affordances": ["edit"],
          "state": { "numericValue": 80, "min": 0, "max": 100 } },
        { "instanceId": "el_k3_4", "scopeId": "s1", "role": "label", "name": "Titel", "affordances": ["read"] },
        { "instanceId": "el_k3_5", "scopeId": "s1", "role": "button", "name": "Video erstellen", "affordances": ["activate"],
          "state": { "enabled": false }, "risk": { "level": "confirm" } },
        { "instanceId": "el_k3_6", "scopeId": "s1", "role": "status", "state": { "textValue": "Gespeichert" } },
    ]);
    assert_snapshot!(shown(&scopes, &elements, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    form "Neues Video" [video.create.form]
      video.title textbox "Titel" required invalid "Bitte ausfüllen"
      e2 combobox "Anwendungsfall" = "Werbung" or "Schulung"
      e3 slider "Qualität" = 80 (0..100)
      e5 button "Video erstellen" disabled risk=confirm
      e6 status = "Gespeichert"
    "#);
}

/// The instance id that the publisher gives to its n-th element.
fn id(number: usize) -> String {
    let digit = |number: usize| char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
    let digits = [number / 1296, number / 36 % 36, number % 36].map(digit).iter().collect::<String>();
    format!("el_k3_{}", digits.trim_start_matches('0'))
}

/// A table whose first row names its columns; each other row can be opened and deleted.
fn table(rows: usize) -> (Value, Value) {
    let scopes = json!([{ "id": "scope_k3_1", "kind": "table", "name": "Videos", "elementId": id(1) }]);
    let mut elements = vec![json!({ "instanceId": id(1), "role": "table", "name": "Videos" })];
    let add = |elements: &mut Vec<Value>, parent: usize, role: &str, name: &str| {
        let number = elements.len() + 1;
        let mut node = json!({ "instanceId": id(number), "scopeId": "scope_k3_1", "parentId": id(parent), "role": role });
        if !name.is_empty() {
            node["name"] = name.into();
        }
        if ["link", "button"].contains(&role) {
            node["affordances"] = json!(["activate"]);
        }
        elements.push(node);
        number
    };
    let head = add(&mut elements, 1, "row", "");
    for name in ["Titel", "Aufrufe", "Aktionen"] {
        add(&mut elements, head, "cell", name);
    }
    for number in 0..rows {
        let row = add(&mut elements, 1, "row", "");
        let title = add(&mut elements, row, "cell", &format!("Film {number} · 3 min"));
        add(&mut elements, title, "link", &format!("Film {number}"));
        add(&mut elements, row, "cell", &(number * 7).to_string());
        let deeds = add(&mut elements, row, "cell", "Löschen");
        add(&mut elements, deeds, "button", "Löschen");
    }
    (scopes, elements.into())
}

#[test]
fn a_long_table_shows_its_first_rows_and_how_to_reach_the_others() {
    let (scopes, elements) = table(200);
    let text = shown(&scopes, &elements, &ViewOptions::default());
    let lines: Vec<_> = text.lines().collect();
    assert_snapshot!([&lines[..5], &lines[lines.len() - 2..]].concat().join("\n"), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    table "Videos" [e1] 200 rows
      columns: "Titel" | "Aufrufe" | "Aktionen"
      - e8 "Film 0" "· 3 min" | 0 | e11 "Löschen"
      - e14 "Film 1" "· 3 min" | 7 | e17 "Löschen"
      - e86 "Film 13" "· 3 min" | 91 | e89 "Löschen"
      ... 186 more rows, 15 to 200; --scope e1 --from N, or --find TEXT
    "#);
}

#[test]
fn every_row_is_one_more_look_away() {
    let (scopes, elements) = table(200);
    assert_snapshot!(shown(&scopes, &elements, &finding("film 17\"")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    table "Videos" [e1] 200 rows
      - e110 "Film 17" "· 3 min" | 119 | e113 "Löschen"
    "#);
    for row in (0..200).step_by(13) {
        let options = ViewOptions { from: Some(row + 1), ..in_scope("e1") };
        let text = shown(&scopes, &elements, &options);
        assert!(text.lines().nth(3).is_some_and(|line| line.contains(&format!("\"Film {row}\""))), "{text}");
    }
}

#[test]
fn rows_inside_rows_are_shown_and_found() {
    let item = |number: usize, parent: Option<usize>, name: &str| {
        let mut item =
            json!({ "instanceId": id(number), "role": "treeitem", "name": name, "affordances": ["expand"] });
        if let Some(parent) = parent {
            item["parentId"] = id(parent).into();
        }
        item
    };
    let elements =
        json!([item(1, None, "Filme"), item(2, Some(1), "Western"), item(3, Some(2), "Rio Bravo")]);
    assert_snapshot!(shown(&json!([]), &elements, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    - e1: "Filme"
      - e2: "Western"
        - e3: "Rio Bravo"
    "#);
    assert_snapshot!(shown(&json!([]), &elements, &finding("rio")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
        - e3: "Rio Bravo"
    "#);
}

#[test]
fn like_areas_are_folded_by_their_names() {
    let (mut scopes, mut elements) = (Vec::new(), Vec::new());
    for card in 0..60 {
        let (region, name) = (card * 6 + 1, format!("Bestellung {card}"));
        let scope = format!("scope_{}", id(region).trim_start_matches("el_"));
        scopes.push(json!({ "id": scope, "kind": "region", "name": name, "elementId": id(region) }));
        elements.push(json!({ "instanceId": id(region), "role": "region", "name": name }));
        elements.extend((1..6).map(|deed| {
            json!({ "instanceId": id(region + deed), "scopeId": scope, "parentId": id(region), "role": "button",
                "name": format!("Knopf {deed}"), "affordances": ["activate"] })
        }));
    }
    elements.push(json!({ "instanceId": id(400), "role": "button", "name": "Alles speichern", "affordances": ["activate"] }));
    let text = shown(&scopes.into(), &elements.into(), &ViewOptions::default());
    let lines: Vec<_> = text.lines().collect();
    assert_snapshot!([&lines[..4], &lines[lines.len() - 2..]].concat().join("\n"), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    region "Bestellung 0" [e1]
      e2 button "Knopf 1"
      e3 button "Knopf 2"
    ... 55 more regions, 6 to 60: "Bestellung 5" [e31], "Bestellung 6" [e37], "Bestellung 7" [e43], "Bestellung 8" [e49], "Bestellung 9" [e55], "Bestellung 10" [e61], "Bestellung 11" [e67], "Bestellung 12" [e73], "Bestellung 13" [e79], "Bestellung 14" [e85], "Bestellung 15" [e91], "Bestellung 16" [e97], "Bestellung 17" [e103], "Bestellung 18" [e109], "Bestellung 19" [e115], "Bestellung 20" [e121], "Bestellung 21" [e127], "Bestellung 22" [e133], "Bestellung 23" [e139], "Bestellung 24" [e145], "Bestellung 25" [e151], "Bestellung 26" [e157], ...; --from N, or --find TEXT
    e400 button "Alles speichern"
    "#);
}

#[test]
fn an_open_dialog_hides_what_cannot_be_reached() {
    let scopes = json!([
        { "id": "s1", "kind": "region", "name": "Liste", "state": { "blocked": true } },
        { "id": "s2", "kind": "dialog", "name": "Löschen?" },
    ]);
    let elements = vec![button(1, "s1", "Neu"), button(2, "s2", "Ja"), button(3, "s2", "Nein")];
    let graph = page(&scopes, &elements.into(), &json!({ "modalStack": ["s2"] }));
    assert_snapshot!(said(&graph, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    dialog "Löschen?" [s2]
      e2 button "Ja"
      e3 button "Nein"
    Behind it, blocked: 1 more; --scope page
    "#);
    assert_snapshot!(said(&graph, &finding("neu")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    region "Liste" [s1]
      e1 button "Neu"
    "#);
}

#[test]
fn one_scope_can_be_looked_at_alone() {
    let scopes = json!([
        { "id": "s1", "kind": "region" },
        { "id": "s2", "kind": "form", "parentScopeId": "s1", "stableId": "login.form" },
        { "id": "s3", "kind": "region" },
    ]);
    let elements = json!([button(1, "s1", "a"), button(2, "s2", "b"), button(3, "s3", "c")]);
    assert_snapshot!(shown(&scopes, &elements, &in_scope("s2")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    form [login.form]
      e2 button "b"
    "#);
    // An area that has no line of its own can still be asked for.
    assert_snapshot!(shown(&scopes, &elements, &in_scope("s3")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    region [s3]
      e3 button "c"
    "#);
    assert_snapshot!(shown(&scopes, &elements, &in_scope("s4")), @r#"error: there is no "s4" on this page"#);
    assert_snapshot!(shown(&scopes, &elements, &finding("nirgends")), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    No control or label here contains "nirgends".
    "#);
}

#[test]
fn what_cannot_be_seen_is_said() {
    let regions =
        json!([{ "id": "o1", "kind": "cross_origin_frame", "label": "Popcorn", "hostElementId": "el_k3_1" }]);
    let elements = json!([{ "instanceId": "el_k3_1", "role": "custom" }]);
    let graph = page(&json!([]), &elements, &json!({ "opaqueRegions": regions, "truncated": true }));
    assert_snapshot!(said(&graph, &ViewOptions::default()), @r#"
    Videos <https://app.example.com/videos> route=videos rev_3
    opaque cross_origin_frame "Popcorn" [e1]
    The page was too large to be read whole; what is missing here may still be there.
    "#);
}

/// Elements as `instance id` or `instance id = stable id`, and how each is called.
fn called(elements: &[(&str, Option<&str>)]) -> String {
    let element = |(id, stable): &(&str, Option<&str>)| {
        let mut element = json!({ "instanceId": id, "role": "button" });
        if let Some(stable) = stable {
            element["stableId"] = (*stable).into();
        }
        element
    };
    let elements: Vec<_> = elements.iter().map(element).collect();
    let graph = page(&json!([]), &elements.into(), &json!({}));
    let refs = Refs::of(&graph);
    let called = graph.elements.iter().map(|element| {
        let called = refs.of_element(element);
        assert_eq!(refs.resolve(&called).unwrap().instance_id, element.instance_id, "{called}");
        called
    });
    called.collect::<Vec<_>>().join(" ")
}

#[test]
fn references_are_short_and_cannot_be_taken_for_each_other() {
    assert_eq!(called(&[("el_k3_1", None), ("el_k3_10", None), ("el_k3_zz", None)]), "e1 e36 e1295");
    // Another publisher numbers for itself, and an id may hold anything.
    assert_eq!(
        called(&[("el_k3_1", None), ("el_x9_1", None), ("a \"b\"", None)]),
        "e1 id:el_x9_1 id:a%20%22b%22"
    );
    // Other ways to write a number are other ids.
    assert_eq!(
        called(&[("el_k3_1", None), ("el_k3_01", None), ("el_k3_A", None)]),
        "e1 id:el_k3_01 id:el_k3_A"
    );
    assert_eq!(called(&[("7", None)]), "id:7");
    // A page cannot pass an element off as another one.
    assert_eq!(called(&[("el_k3_1", Some("save")), ("el_k3_2", Some("e1"))]), "save e2");
    assert_eq!(called(&[("el_k3_1", Some("el_k3_2")), ("el_k3_2", Some("id:el_k3_1"))]), "e1 e2");
    assert_eq!(called(&[("el_k3_1", Some("page")), ("el_k3_2", Some("a b"))]), "e1 e2");
    assert_eq!(called(&[("el_k3_1", Some("save")), ("el_k3_2", Some("save"))]), "e1 e2");
}

#[test]
fn a_reference_that_means_two_things_means_none() {
    let element = |id: &str| json!({ "instanceId": id, "stableId": "save", "role": "button" });
    let graph = page(&json!([]), &json!([element("el_k3_1"), element("el_k3_2")]), &json!({}));
    let refs = Refs::of(&graph);
    let wanted = "save".to_owned();
    assert_eq!(refs.resolve("save").unwrap_err(), RefError::Ambiguous { wanted, count: 2 });
    assert_eq!(refs.resolve("e3").unwrap_err(), RefError::Unknown { wanted: "e3".to_owned() });
    assert_eq!(refs.resolve("el_k3_2").unwrap().instance_id.as_str(), "el_k3_2");
}
