//! The element that is meant, by small pages.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use insta::assert_snapshot;
use proptest::prelude::*;
use std::fmt::Write;
use uiap_protocol::action::ActionTarget;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ActionId, ElementInstanceId};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{GraphStore, PageGraph};
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::gate::{Demand, LiveFacts, Obstacle, check};
use uiap_runtime::identity::Identity;
use uiap_runtime::resolve::{Aim, Candidate, Request, ResolveError, TargetIndex, is_only_read, resolve};
use uiap_testkit::proves;

fn yaml<T: Wire>(text: &str) -> T {
    accept(&read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML")).expect("a sound value")
}

/// A page with these elements, one per line: `id role "name" {more members}`. Scopes a and b, and a1 inside a.
fn page_of<'l>(lines: impl IntoIterator<Item = &'l str>) -> PageGraph {
    let mut elements = String::new();
    for line in lines.into_iter().map(str::trim).filter(|line| !line.is_empty()) {
        let (head, more) =
            line.split_once('{').map_or((line, ""), |(head, more)| (head, more.trim_end_matches('}')));
        let closed = if more.contains('{') { "}" } else { "" };
        let mut words = head.splitn(3, ' ');
        let (id, role) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let name = words.next().unwrap_or_default().trim().trim_matches('"');
        let mut members = format!("instanceId: {id}, role: {role}, name: \"{name}\"");
        for (member, default) in [("documentId", "main"), ("affordances", "[activate]"), ("state", "{}")] {
            if !more.contains(member) {
                write!(members, ", {member}: {default}").expect("a string");
            }
        }
        let comma = if more.is_empty() { "" } else { ", " };
        writeln!(elements, "- {{{members}{comma}{more}{closed}}}").expect("a string");
    }
    let focus = if elements.contains("instanceId: focused,") { "focus: {target: focused}\n" } else { "" };
    let list = if elements.is_empty() { " []" } else { "\n" };
    yaml(&format!(
        "modelVersion: '0.1'\nprofile: web@0.1\nrevision: r1\nseq: 1\ncapturedAt: 2026-03-26T14:03:00.000Z\n\
         route: {{url: 'https://a.test/'}}\n{focus}documents:\n\
         - {{id: main, boundary: {{kind: root, opaque: false}}}}\n\
         - {{id: frame, boundary: {{kind: same-origin-frame, opaque: false}}}}\n\
         scopes:\n- {{id: a, kind: form, documentId: main}}\n- {{id: b, kind: form, documentId: main}}\n\
         - {{id: a1, kind: group, documentId: main, parentScopeId: a}}\nelements:{list}{elements}"
    ))
}

fn shown(candidate: &Candidate) -> String {
    format!("{}:{}", candidate.target.instance_id, candidate.score.deciding())
}

/// What a request finds, in a line.
fn found_for(action: &str, graph: PageGraph, target: &str, hinted: &[&str]) -> String {
    let page = GraphStore::new(graph);
    let index = TargetIndex::new(&page);
    let target: ActionTarget = yaml(target);
    let action = ActionId::new(action).expect("an id");
    let hinted: Vec<_> = hinted.iter().map(|id| ElementInstanceId::new(*id).expect("an id")).collect();
    let answer = resolve(&page, &index, &Request { action: &action, target: &target, hinted: &hinted });
    match answer {
        Ok(Aim::Element(found)) => {
            let inside = found.found_inside.map(|id| format!(" from {id}")).unwrap_or_default();
            format!(
                "{} by {} {}{inside} ({}%)",
                found.target.instance_id,
                found.target.by,
                found.score.total(),
                found.confidence_percent
            )
        }
        Ok(Aim::Route(route)) => format!("route {route}"),
        Ok(Aim::Custom(value)) => format!("custom {value}"),
        Err(error) => {
            let rest = match &error {
                ResolveError::Ambiguous { candidates, distinctions, .. } => {
                    format!(
                        " {} {distinctions:?}",
                        candidates.iter().map(shown).collect::<Vec<_>>().join(" ")
                    )
                }
                ResolveError::NotFound { nearest } => {
                    nearest.iter().fold(String::new(), |text, candidate| text + " " + &shown(candidate))
                }
                ResolveError::Stale { mismatch, found } => format!(" {} {mismatch:?}", shown(found)),
                ResolveError::Required => String::new(),
            };
            format!("{}{rest}", error.code())
        }
    }
}

fn found(lines: &str, target: &str) -> String {
    found_for("ui.activate", page_of(lines.lines()), target, &[])
}

#[test]
fn a_stable_id_wins_over_everything() {
    proves!["ACT-8.1-1", "ACT-8.1-2", "ACT-8.2-5", "ACT-6.1-1", "ACT-16-2", "WEB-18", "WEB-27", "R002-4.2"];
    let page =
        "e1 button \"Save\" {stableId: form.save}\ne2 button \"Save\"\ne3 link \"Help\" {meaning: Save}";
    assert_snapshot!(found(page, "ref: {by: stableId, value: form.save}"), @"e1 by stableId 100 (100%)");
    let full = "ref: {by: stableId, value: form.save}\nexpectedRole: button\nexpectedName: Save";
    assert_snapshot!(found(page, full), @"e1 by stableId 140 (100%)");
    let twice = "e1 button \"Save\" {stableId: s, scopeId: a}\ne2 button \"Save\" {stableId: s, scopeId: b}";
    assert_snapshot!(found(twice, "ref: {by: stableId, value: s}"), @"target_ambiguous e1:100 e2:100 [Scope]");
    assert_snapshot!(found(twice, "ref: {by: stableId, value: s}\nexpectedScopeId: b"), @"e2 by stableId 115 (100%)");
}

#[test]
fn what_sends_a_form_is_its_button() {
    let page = "name textbox \"Name\" {scopeId: a1, affordances: [edit]}\n\
                other button \"Help\" {scopeId: a}\n\
                hidden button \"Old\" {scopeId: a, affordances: [submit], state: {visible: false}}\n\
                close button \"Close account\" {scopeId: a, affordances: [activate, submit]}\n\
                later button \"Keep it\" {scopeId: a, affordances: [activate, submit]}\n\
                alone textbox \"Alone\" {scopeId: b, affordances: [edit]}";
    let sent = |role: &str, name: &str| {
        let target = format!("ref: {{by: semantic, role: {role}, name: {name}}}");
        found_for("ui.submit", page_of(page.lines()), &target, &[])
    };
    assert_snapshot!(sent("textbox", "Name"), @"close by semantic 40 from name (100%)");
    assert_snapshot!(sent("button", "Keep it"), @"later by semantic 40 (100%)");
    assert_snapshot!(sent("textbox", "Alone"), @"alone by semantic 40 (100%)");
}

#[test]
fn who_agrees_agrees_to_what_goes_along() {
    let class = |text: &str, beside: &str, count: &str| {
        let lines = format!(
            "to textbox \"To\" {{scopeId: a1, affordances: [edit], state: {{textValue: {text}}}}}\n\
             send button \"Send\" {{scopeId: a, affordances: [activate, submit]}}\n\
             left status \"Left\" {{scopeId: a, affordances: [read], state: {{textValue: {count}}}}}\n\
             other textbox \"Search\" {{scopeId: b, affordances: [edit], state: {{textValue: {beside}}}}}"
        );
        let page = GraphStore::new(page_of(lines.lines()));
        ["send", "to"].map(|id| Identity::revision_class(page.element(id), &page))
    };
    let [send, to] = class("Alice", "x", "one");
    assert_eq!(class("Alice", "y", "two"), [send.clone(), to.clone()], "what is not sent does not matter");
    let [other, same] = class("Mallory", "x", "one");
    assert_ne!(send, other);
    assert_eq!(to, same, "what is written into a field is the action's own doing");
}

#[test]
fn each_tier_is_asked_only_if_those_above_found_nothing() {
    proves!["ACT-8.1-1", "ACT-8.1-3", "ACT-8.1-4", "ACT-8.1-5", "WEB-28", "R002-4.3", "R007-5.1"];
    let lines = [
        "e1 button \"Save\" {stableId: form.save}",
        "e2 button \"Save\"",
        "e3 link \"Go\" {meaning: Save}",
        "e4 image \"x\"",
    ];
    let answers: Vec<_> = (0..4)
        .map(|from| {
            let target = if from < 2 {
                "ref: {by: stableId, value: form.save}\nexpectedRole: button\nexpectedName: Save"
            } else {
                "ref: {by: stableId, value: form.save}\nexpectedName: Save"
            };
            let target = if from == 3 { "ref: {by: stableId, value: form.save}" } else { target };
            found_for("ui.activate", page_of(lines.iter().skip(from).copied()), target, &["e4"])
        })
        .collect();
    assert_snapshot!(answers.join("\n"), @r"
    e1 by stableId 140 (100%)
    e2 by semantic 40 (100%)
    e3 by annotation 20 (100%)
    e4 by runtimeHint 0 (100%)
    ");
}

#[test]
fn what_it_is_and_how_it_is_called() {
    proves!["ACT-8.1-3", "ACT-8.2-1", "ACT-8.2-2", "ACT-8.2-3", "ACT-8.2-4", "ACT-15-1", "WEB-19", "WEB-20"];
    let page = "e1 button \"Save\" {scopeId: a1}\ne2 button \"Save\" {scopeId: b}\ne3 link \"Save\"\ne4 button \"Save all\"";
    let save = "ref: {by: semantic, role: button, name: Save}";
    assert_snapshot!(found(page, save), @"target_ambiguous e1:40 e2:40 [Scope]");
    assert_snapshot!(found(page, &format!("{save}\nexpectedScopeId: a")), @"e1 by semantic 55 (100%)");
    assert_snapshot!(found(page, "ref: {by: semantic, role: button, name: Save, scope: b}"), @"e2 by semantic 55 (100%)");
    assert_snapshot!(found(page, "ref: {by: semantic, role: link, name: Save}"), @"e3 by semantic 40 (100%)");
    assert_snapshot!(found(page, "ref: {by: semantic, role: button, name: save ALL}"), @"e4 by semantic 35 (87%)");
    assert_snapshot!(found(page, "ref: {by: semantic, role: button, name: all}"), @"target_not_found e4:28");
    assert_snapshot!(found(page, "ref: {by: semantic, role: button, name: Delete}"), @"target_not_found");
    assert_snapshot!(found(page, "ref: {by: semantic, role: link}"), @"e3 by semantic 20 (100%)");
    assert_snapshot!(found("e1 button \"Save\" {documentId: frame}\ne2 button \"Save\"", &format!("{save}\nexpectedDocumentId: frame")), @"e1 by semantic 50 (100%)");
    assert_snapshot!(found(page, "expectedRole: link\nexpectedName: Save"), @"e3 by semantic 40 (100%)");
}

#[test]
fn equal_elements_are_refused_and_told_apart() {
    proves!["ACT-8.2-8", "ACT-15-2", "R007-3.2", "R005-8.3"];
    let three = "e1 button \"Delete\"\ne2 button \"Delete\"\ne3 button \"Delete\"";
    assert_snapshot!(found(three, "ref: {by: semantic, role: button, name: Delete}"), @"target_ambiguous e1:40 e2:40 e3:40 [Instance]");
    assert_snapshot!(found(three, "ref: {by: custom, value: 'instance:e2'}"), @"e2 by instanceId 0 (100%)");
    let hidden = "e1 button \"Delete\" {state: {visible: false}}\ne2 button \"Delete\"";
    assert_snapshot!(found(hidden, "ref: {by: semantic, role: button, name: Delete}"), @"e2 by semantic 40 (100%)");
}

#[test]
fn the_focus_explains_but_never_decides() {
    proves!["ACT-8.2-6"];
    let rect = |x: u32| format!("bbox: {{x: {x}, y: 0, width: 10, height: 10}}");
    let page = format!(
        "focused textbox \"Name\" {{{}}}\ne1 button \"Save\" {{{}}}\ne2 button \"Save\" {{{}}}\ne3 button \"SAVE\" {{{}}}",
        rect(0),
        rect(900),
        rect(10),
        rect(20)
    );
    // e2 is next to the focus: it comes first among equals, and still there is no winner.
    assert_snapshot!(found(&page, "ref: {by: semantic, role: button, name: Save}"), @"target_ambiguous e2:40 e1:40 e3:35 [Name]");
    let near = format!("focused textbox \"Name\" {{{}}}\ne1 button \"Save\" {{{}}}", rect(0), rect(10));
    assert_snapshot!(found(&near, "ref: {by: semantic, role: button, name: Save}"), @"e1 by semantic 45 (100%)");
}

#[test]
fn the_default_action_decides_among_equals() {
    proves!["ACT-8.2-7"];
    let page =
        "e1 button \"Save\" {defaultAction: ui.activate}\ne2 button \"Save\" {defaultAction: video.save}";
    assert_snapshot!(found(page, "ref: {by: semantic, role: button, name: Save}"), @"e1 by semantic 50 (100%)");
}

#[test]
fn what_the_sender_believes_is_checked() {
    proves!["ACT-8.3-2"];
    let page = "e1 button \"Publish\" {stableId: s, scopeId: a}";
    let named = |more: &str| found(page, &format!("ref: {{by: stableId, value: s}}\n{more}"));
    assert_snapshot!(named("expectedName: Save"), @"stale_target e1:100 Name");
    assert_snapshot!(named("expectedRole: link"), @"stale_target e1:100 Role");
    assert_snapshot!(named("expectedScopeId: b"), @"stale_target e1:100 Scope");
    assert_snapshot!(named("expectedDocumentId: frame"), @"stale_target e1:100 Document");
    assert_snapshot!(named("expectedName: publish"), @"e1 by stableId 115 (100%)");
    // A name alone does not lead to an element that the application calls something else.
    let other = "e1 button \"Save\" {stableId: other}";
    assert_snapshot!(found(other, "ref: {by: stableId, value: s}\nexpectedRole: button\nexpectedName: Save"), @"target_not_found e1:40");
}

#[test]
fn the_owner_of_an_action_is_meant_not_the_text_in_it() {
    proves!["R007-3.1", "R007-6.A", "R007-6.C", "R007-9.1", "R005-4.1", "R009-8.1"];
    let page = "row row \"Video 7\"\ncell cell \"Video 7\" {parentId: row, affordances: [read]}\ntext label \"Video 7\" {parentId: cell, affordances: [read]}";
    assert_snapshot!(found(page, "ref: {by: semantic, role: label, name: Video 7}"), @"row by semantic 40 from text (100%)");
    assert_snapshot!(found_for("ui.read", page_of(page.lines()), "ref: {by: semantic, role: label, name: Video 7}", &[]), @"text by semantic 40 (100%)");
    // The innermost that owns a handler, and no farther one; several texts of one card are one card.
    let nested = "card custom \"Film\"\nbox group \"\" {parentId: card, affordances: []}\ntitle label \"Film\" {parentId: box, affordances: [read]}\nmore link \"More\" {parentId: box}\nmark label \"New\" {parentId: more, affordances: [read]}\nagain label \"Film\" {parentId: box, affordances: [read]}";
    assert_snapshot!(found(nested, "ref: {by: semantic, role: label, name: Film}"), @"card by semantic 40 from again (100%)");
    assert_snapshot!(found(nested, "ref: {by: semantic, role: label, name: New}"), @"more by semantic 40 from mark (100%)");
    let lonely = "text label \"Video 7\" {affordances: [read]}";
    assert_snapshot!(found(lonely, "ref: {by: semantic, role: label, name: Video 7}"), @"text by semantic 40 (90%)");
}

#[test]
fn each_signal_counts_and_is_told() {
    proves!["R007-3.3", "R007-3.5"];
    let page = page_of([
        "e1 button \"Save\" {stableId: s, scopeId: a, defaultAction: ui.activate}",
        "e2 button \"SAVE\" {scopeId: b}",
    ]);
    let store = GraphStore::new(page);
    let index = TargetIndex::new(&store);
    let action = ActionId::new("ui.activate").expect("an id");
    let parts = |target: &str| {
        let target: ActionTarget = yaml(target);
        match resolve(&store, &index, &Request { action: &action, target: &target, hinted: &[] }) {
            Ok(Aim::Element(found)) => {
                let told = found.explanation();
                assert_eq!(
                    told.get("targetId").and_then(|id| id.as_str()),
                    Some(found.target.instance_id.as_str())
                );
                format!("{} {}", found.target.instance_id, told.get("score").expect("a score"))
            }
            other => format!("{other:?}"),
        }
    };
    // All that can be asked for, and then each part taken away in turn: its points go, and nothing else.
    let all = "ref: {by: stableId, value: s}\nexpectedRole: button\nexpectedName: Save\nexpectedScopeId: a\nexpectedDocumentId: main";
    assert_snapshot!(parts(all), @r#"e1 {"defaultAction":10,"document":10,"name":20,"role":20,"scope":15,"stableId":100}"#);
    let without =
        |part: &str| parts(&all.lines().filter(|line| !line.contains(part)).collect::<Vec<_>>().join("\n"));
    assert_snapshot!(without("expectedRole"), @r#"e1 {"defaultAction":10,"document":10,"name":20,"scope":15,"stableId":100}"#);
    assert_snapshot!(without("expectedName"), @r#"e1 {"defaultAction":10,"document":10,"role":20,"scope":15,"stableId":100}"#);
    assert_snapshot!(without("expectedScopeId"), @r#"e1 {"defaultAction":10,"document":10,"name":20,"role":20,"stableId":100}"#);
    assert_snapshot!(without("expectedDocumentId"), @r#"e1 {"defaultAction":10,"name":20,"role":20,"scope":15,"stableId":100}"#);
    assert_snapshot!(without("ref"), @r#"e1 {"defaultAction":10,"document":10,"name":20,"role":20,"scope":15}"#);
    // Another area is another winner.
    assert_snapshot!(parts("ref: {by: semantic, role: button, name: Save}\nexpectedScopeId: b"), @r#"e2 {"name":15,"role":20,"scope":15}"#);
}

#[test]
fn an_action_that_does_not_fit_lowers_the_confidence() {
    proves!["R007-4.3"];
    let page = "head label \"Film\" {affordances: [read]}\nrow button \"Film\" {affordances: [activate]}\ntext label \"New\" {parentId: row, affordances: [read]}\nmute custom \"Sound\"";
    let for_action = |action: &str, role: &str, name: &str| {
        let target = format!("ref: {{by: semantic, role: {role}, name: {name}}}");
        found_for(action, page_of(page.lines()), &target, &[])
    };
    assert_snapshot!(for_action("x.uiap.long-press", "label", "Film"), @"head by semantic 40 (90%)");
    assert_snapshot!(for_action("x.uiap.long-press", "button", "Film"), @"row by semantic 40 (100%)");
    assert_snapshot!(for_action("ui.enterText", "button", "Film"), @"row by semantic 40 (90%)");
    // A text stands for the row around it, for a finger that is held as for a press.
    assert_snapshot!(for_action("x.uiap.long-press", "label", "New"), @"row by semantic 40 from text (100%)");
    // What says nothing about itself is not doubted, and reading fits everything.
    assert_snapshot!(for_action("x.uiap.long-press", "custom", "Sound"), @"mute by semantic 40 (100%)");
    assert_snapshot!(for_action("ui.read", "label", "Film"), @"head by semantic 40 (100%)");
}

#[test]
fn structure_counts() {
    proves!["R007-4.1"];
    let save = "ref: {by: semantic, role: button, name: Save}";
    // What can be pressed around it, and nothing beyond the next document.
    let owned = "box group \"\"\ntext label \"Go\" {parentId: box, affordances: [read]}";
    assert_snapshot!(found(owned, "ref: {by: semantic, role: label, name: Go}"), @"box by semantic 40 from text (100%)");
    let foreign =
        "box group \"\" {documentId: frame}\ntext label \"Go\" {parentId: box, affordances: [read]}";
    assert_snapshot!(found(foreign, "ref: {by: semantic, role: label, name: Go}"), @"text by semantic 40 (90%)");
    // What can be seen, and where it is.
    let hidden = "e1 button \"Save\" {state: {visible: false}}\ne2 button \"Save\"";
    assert_snapshot!(found(hidden, save), @"e2 by semantic 40 (100%)");
    let placed = "focused textbox \"Name\" {bbox: {x: 0, y: 0, width: 9, height: 9}}\ne1 button \"Save\" {bbox: {x: 9, y: 0, width: 9, height: 9}}";
    assert_snapshot!(found(placed, save), @"e1 by semantic 45 (100%)");
    // Whether it can be used and take the focus is measured when it is acted on.
    let facts = |enabled, focusable| LiveFacts {
        enabled: Some(enabled),
        editable: Some(true),
        focusable: Some(focusable),
        ..LiveFacts::shown(Role::Textbox)
    };
    assert_eq!(check(Demand::Writing, &facts(true, true)), Ok(()));
    assert_eq!(check(Demand::Writing, &facts(false, true)), Err(Obstacle::Disabled));
    assert_eq!(check(Demand::Writing, &facts(true, false)), Err(Obstacle::NotFocusable));
}

#[test]
fn what_a_page_does_not_say_is_not_assumed() {
    proves!["R009-11.1"];
    let bare: PageGraph = yaml(
        "modelVersion: '0.1'\nprofile: web@0.1\nrevision: r1\nseq: 1\ncapturedAt: 2026-03-26T14:03:00.000Z\n\
         route: {url: 'https://a.test/'}\ndocuments: [{id: main, boundary: {kind: root, opaque: false}}]\nscopes: []\n\
         elements: [{instanceId: e1, documentId: main, role: button, state: {}}, {instanceId: e2, documentId: main, role: slider, state: {}}]",
    );
    let ask = |action: &str, target: &str| found_for(action, bare.clone(), target, &[]);
    assert_snapshot!(ask("ui.activate", "ref: {by: semantic, role: button}"), @"e1 by semantic 20 (100%)");
    assert_snapshot!(ask("ui.setValue", "ref: {by: semantic, role: slider}"), @"e2 by semantic 20 (100%)");
    assert_snapshot!(ask("ui.activate", "ref: {by: semantic, role: button, name: Save}"), @"target_not_found");
    // Nothing says that it can be pressed, and nothing says that it cannot.
    let press = ActionId::new("ui.activate").expect("an id");
    assert!(bare.elements.iter().all(|element| !is_only_read(element, &press)));
}

#[test]
fn other_aims_are_handed_on() {
    assert_snapshot!(found("", "ref: {by: route, value: videos}"), @"route videos");
    assert_snapshot!(found("", "ref: {by: custom, value: 'entity:video/7'}"), @"custom entity:video/7");
    assert_snapshot!(found("", "ref: {by: scope, value: a}"), @"target_not_found");
    assert_snapshot!(found("e1 button \"x\"", "{}"), @"target_required");
}

const NOISE: &str = "n1 button \"Cancel\"\nn2 link \"Save as\"\nn3 textbox \"Name\" {stableId: form.name}\nn4 button \"Saved\"\nn5 row \"Save\" {scopeId: b}";

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_and_bystanders_change_nothing(order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(), keep in prop::collection::vec(any::<bool>(), 8)) {
        proves!["ACT-3-3"];
        let lines: Vec<&str> = ["t1 button \"Save\" {scopeId: a}", "t2 button \"Save\" {scopeId: b}", "t3 link \"Open\" {stableId: video.open}"].into_iter().chain(NOISE.lines()).collect();
        let chosen: Vec<&str> = order.iter().filter(|n| **n < 3 || keep[**n]).map(|n| lines[*n]).collect();
        let ask = |target: &str| found_for("ui.activate", page_of(chosen.iter().copied()), target, &[]);
        prop_assert_eq!(ask("ref: {by: semantic, role: button, name: Save, scope: a}"), "t1 by semantic 55 (100%)");
        prop_assert_eq!(ask("ref: {by: stableId, value: video.open}"), "t3 by stableId 100 (100%)");
        prop_assert_eq!(ask("ref: {by: semantic, role: button, name: Save}"), "target_ambiguous t1:40 t2:40 [Scope]");
    }

    #[test]
    fn an_index_that_follows_equals_a_new_one(renames in prop::collection::vec((0..6_usize, 0..4_usize), 0..20)) {
        let names = ["Save", "Delete", "Save all", ""];
        let mut graph = page_of(["e0 button \"Save\"", "e1 button \"Save\"", "e2 link \"Save\"", "e3 button \"Go\"", "e4 row \"Row\"", "e5 button \"Delete\""]);
        let mut index = TargetIndex::new(&GraphStore::new(graph.clone()));
        for (element, name) in renames {
            graph.elements[element].name = Some(names[name].to_owned());
            index.put(&graph.elements[element]);
        }
        let gone = graph.elements.remove(0);
        index.remove(&gone.instance_id);
        let page = GraphStore::new(graph);
        let fresh = TargetIndex::new(&page);
        let action = ActionId::new("ui.activate").expect("an id");
        for name in ["Save", "Delete", "Go", "all"] {
            let target: ActionTarget = yaml(&format!("ref: {{by: semantic, role: button, name: {name}}}"));
            let request = Request { action: &action, target: &target, hinted: &[] };
            prop_assert_eq!(resolve(&page, &index, &request), resolve(&page, &fresh, &request));
        }
    }
}
