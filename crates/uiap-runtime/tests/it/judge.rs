//! Whether actions had their effect: the cases of `spec/cases/judge`.
//!
//! A file is a page and what happens on it. Its members: `about`, `proves`, `page` (elements and scopes in short form:
//! the document need not be named) and `cases`. Each case has `what`, `steps`, and where the file does not say it for
//! all of them `action`, `args`, `target` (an instance id), `verification`, `described` (the signals of the descriptor)
//! and `origin` (who must be found to say what proves the action). `before` is a step that happens before the baseline;
//! `idle` is a list of such steps, in which nobody acts.
//! A step changes the page (`set`: members by element, `add` and `addScope`, `remove` and `removeScope`, `route`,
//! `focus`, `modalStack`), says something (`signals`, `told`, `object`), may be unsettled (`settled: false`), and
//! expects a word (`expect`), and optionally exactly these kinds (`observed`, `missing`) and a part of the sentence
//! (`says`). `changed: false` expects that nothing relevant is reported.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot start has failed")]

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::path::Path;
use uiap_protocol::action::{ActionRequest, VerificationPolicy, VerificationSpec};
use uiap_protocol::capability::{ExecutionMode, Idempotency, SuccessSignal};
use uiap_protocol::ids::ActionHandle;
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{GraphStore, PageGraph, WebSignal, WebStateDelta};
use uiap_protocol::wire::{Wire, accept_object};
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::judge::{Asked, Expectation, Judge, Told, Wanted};
use uiap_runtime::life::Observation;
use uiap_runtime::plan::plan;
use uiap_testkit::proves;

const AT: &str = "2026-03-26T14:03:00.000Z";

fn typed<T: Wire>(value: &Value, what: &str) -> T {
    let object = value.as_object().unwrap_or_else(|| panic!("{what}: {value} is no object"));
    accept_object(object).unwrap_or_else(|findings| panic!("{what}: {value}: {findings:?}"))
}

fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

/// A node with the members that every node of the cases has.
fn filled(node: &Value, state: bool) -> Value {
    let mut node = node.clone();
    let members = node.as_object_mut().expect("a node");
    members.entry("documentId").or_insert(json!("d"));
    if state {
        members.entry("state").or_insert(json!({}));
    }
    node
}

fn route(path: &str) -> Value {
    json!({"url": if path.contains("://") { path.to_owned() } else { format!("https://a.test{path}") }})
}

fn page(file: &Value) -> GraphStore {
    let page = file.get("page").expect("a page");
    let mut graph = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "r0", "seq": 1, "capturedAt": AT,
        "route": route(text(page, "route").unwrap_or("/")),
        "documents": [{"id": "d", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": list(page, "scopes").iter().map(|node| filled(node, false)).collect::<Vec<_>>(),
        "elements": list(page, "elements").iter().map(|node| filled(node, true)).collect::<Vec<_>>(),
    });
    let members = graph.as_object_mut().expect("a graph");
    if let Some(stack) = page.get("modalStack") {
        members.insert("modalStack".to_owned(), stack.clone());
    }
    if let Some(focus) = text(page, "focus") {
        members.insert("focus".to_owned(), json!({"target": focus}));
    }
    GraphStore::new(typed::<PageGraph>(&graph, "page"))
}

/// Applies what a step changes; a step that changes nothing leads to no revision.
fn change(page: &mut GraphStore, step: &Value) {
    let mut ops = Vec::new();
    for node in list(step, "addScope") {
        ops.push(json!({"op": "add", "kind": "scope", "id": node.get("id"), "value": filled(node, false)}));
    }
    for node in list(step, "add") {
        ops.push(json!({"op": "add", "kind": "element", "id": node.get("instanceId"), "value": filled(node, true)}));
    }
    for (id, value) in step.get("set").and_then(Value::as_object).into_iter().flatten() {
        let kind = if page.element(id).is_some() { "element" } else { "scope" };
        ops.push(json!({"op": "update", "kind": kind, "id": id, "value": value}));
    }
    for id in list(step, "remove") {
        ops.push(json!({"op": "remove", "kind": "element", "id": id}));
    }
    for id in list(step, "removeScope") {
        ops.push(json!({"op": "remove", "kind": "scope", "id": id}));
    }
    let mut delta = Map::new();
    if let Some(path) = text(step, "route") {
        delta.insert("route".to_owned(), route(path));
    }
    match step.get("focus") {
        Some(Value::String(focus)) => drop(delta.insert("focus".to_owned(), json!({"target": focus}))),
        Some(_) => drop(delta.insert("focus".to_owned(), json!({}))),
        None => {}
    }
    if let Some(stack) = step.get("modalStack") {
        delta.insert("modalStack".to_owned(), stack.clone());
    }
    if ops.is_empty() && delta.is_empty() {
        return;
    }
    delta.insert("ops".to_owned(), ops.into());
    delta.insert("baseRevision".to_owned(), page.revision().as_str().into());
    delta.insert("revision".to_owned(), format!("r{}", page.seq()).into());
    delta.insert("seq".to_owned(), (page.seq() + 1).into());
    delta.insert("at".to_owned(), AT.into());
    let delta: WebStateDelta = typed(&delta.into(), "step");
    page.apply(&delta).unwrap_or_else(|error| panic!("{step}: {error}"));
}

fn signal(value: &Value) -> WebSignal {
    let mut value = value.clone();
    let members = value.as_object_mut().expect("a signal");
    members.insert("id".to_owned(), "s".into());
    members.insert("at".to_owned(), AT.into());
    for route_member in ["from", "to"] {
        if let Some(Value::String(path)) = members.get(route_member) {
            members.insert(route_member.to_owned(), route(path));
        }
    }
    typed(&value, "signal")
}

fn told(value: &Value) -> Told {
    let flag = |member: &str| value.get(member).and_then(Value::as_bool);
    let selected = value.get("selected").and_then(Value::as_array);
    Told {
        as_wanted: flag("asWanted"),
        against: text(value, "against").map(str::to_owned),
        selected: selected.map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        scrolled: flag("scrolled"),
        at_limit: flag("atLimit"),
        in_view: flag("inView"),
        zoomed: flag("zoomed"),
        acknowledged: flag("acknowledged"),
    }
}

/// What the case says, or else the file.
fn said<'v>(file: &'v Value, case: &'v Value, member: &str) -> Option<&'v Value> {
    case.get(member).or_else(|| file.get(member)).filter(|value| !value.is_null())
}

fn expectation(file: &Value, case: &Value, page: &GraphStore) -> Expectation {
    let action = said(file, case, "action").and_then(Value::as_str).expect("an action");
    let target = said(file, case, "target").and_then(Value::as_str);
    let mut request = json!({"actionId": action});
    let members = request.as_object_mut().expect("a request");
    for member in ["args", "verification"] {
        if let Some(value) = said(file, case, member) {
            members.insert(member.to_owned(), value.clone());
        }
    }
    if let Some(target) = target {
        let custom = json!({"ref": {"by": "custom", "value": format!("instance:{target}")}});
        members.insert("target".to_owned(), custom);
    }
    let spec = said(file, case, "verification").map(|spec| typed::<VerificationSpec>(spec, "verification"));
    let described = said(file, case, "described").and_then(Value::as_array);
    let described: Vec<SuccessSignal> =
        described.into_iter().flatten().map(|signal| typed(signal, "described")).collect();
    let (wanted, idempotent) = match action {
        // What the application does is known from its catalogue, which these cases do not have.
        "app.invoke" => (Wanted::Invoked, false),
        _ => {
            let request: ActionRequest = typed(&request, "request");
            let handle = ActionHandle::new("act").expect("an id");
            let modes = [ExecutionMode::SemanticUi, ExecutionMode::ExternalDriver];
            let planned = plan(&request, handle, &Catalogue::new(), &modes);
            let planned = planned.unwrap_or_else(|refusal| panic!("{action}: {refusal:?}"));
            (Wanted::from(&planned.deed), planned.plan.idempotency == Idempotency::Idempotent)
        }
    };
    let element = target.map(|id| page.element(id).expect("the target is on the page"));
    Expectation::of(&Asked {
        verification: spec.as_ref(),
        described: &described,
        target: element,
        wanted: &wanted,
        idempotent,
    })
}

/// What is not as a step expects it.
fn wrong(step: &Value, settled: bool, seen: &Observation) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut same = |what: &str, found: &str, expected: &str| {
        if found != expected {
            wrong.push(format!("{what} is {found}, not {expected}"));
        }
    };
    let finding = seen.finding.as_ref().expect("a finding");
    let word = finding.word.word();
    same(&format!("the word ({})", finding.says), word, text(step, "expect").unwrap_or("said"));
    let good = matches!(word, "verified" | "within_tolerance");
    same("enough", &(seen.enough && settled).to_string(), &good.to_string());
    for (member, found) in [("observed", &seen.observed), ("missing", &seen.missing)] {
        if step.get(member).is_some() {
            let expected: Vec<_> = list(step, member).iter().filter_map(Value::as_str).collect();
            let found: Vec<_> = found.iter().map(SuccessSignal::word).collect();
            same(member, &found.join(" "), &expected.join(" "));
        }
    }
    if let Some(part) = text(step, "says") {
        same(&format!("{part:?} in {:?}", finding.says), &finding.says.contains(part).to_string(), "true");
    }
    if let Some(changed) = step.get("changed").and_then(Value::as_bool) {
        same("changed", &seen.changed.to_string(), &changed.to_string());
    }
    wrong
}

fn run(name: &str, file: &Value, case: &Value) -> Vec<String> {
    let mut failures = Vec::new();
    let what = text(case, "what").expect("a case says what it shows");
    let mut page = page(file);
    if let Some(before) = case.get("before") {
        change(&mut page, before);
    }
    let idle_since = page.seq();
    list(case, "idle").iter().for_each(|step| change(&mut page, step));
    let expectation = expectation(file, case, &page);
    if let Some(origin) = text(case, "origin") {
        assert_eq!(expectation.origin.word(), origin, "{name}: {what}: {}", expectation.words());
    }
    let mut judge = Judge::new(expectation, &page);
    judge.idle_since(&page, idle_since);
    let steps = list(case, "steps");
    assert!(!steps.is_empty(), "{name}: {what}: no steps");
    for (number, step) in steps.iter().enumerate() {
        change(&mut page, step);
        list(step, "signals").iter().for_each(|value| judge.hear(&signal(value)));
        if let Some(value) = step.get("told") {
            judge.tell(told(value));
        }
        if let Some(reason) = text(step, "object") {
            judge.object(reason);
        }
        let settled = step.get("settled").and_then(Value::as_bool).unwrap_or(true);
        let seen = judge.observe(&page, settled);
        let wrong = wrong(step, settled, &seen).into_iter();
        failures.extend(wrong.map(|wrong| format!("{name}: {what}: step {number}: {wrong}")));
    }
    failures
}

#[test]
fn every_case_is_judged_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/judge");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("cases").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut count = 0;
    let mut failures = Vec::new();
    for path in &files {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let text = std::fs::read_to_string(path).expect("readable");
        let file = read(&text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json();
        for case in list(&file, "cases") {
            failures.extend(run(name, &file, case));
            count += 1;
        }
    }
    assert!(failures.is_empty(), "{} of {count} cases:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 100, "only {count} cases in {} files", files.len());
}

/// Signals of every kind, on things that may or may not be on the page below.
const SIGNALS: [&str; 16] = [
    "{kind: element.appeared, target: {by: stableId, value: a}}",
    "{kind: element.disappeared, target: {by: stableId, value: b}}",
    "{kind: element.state, target: {by: stableId, value: a}, state: {checked: true}}",
    "{kind: value.equals, target: {by: stableId, value: b}, value: x}",
    "{kind: route.changed, pattern: '/x/:id'}",
    "{kind: dialog.opened}",
    "{kind: dialog.closed, target: {by: scope, value: dlg}}",
    "{kind: toast.contains, text: saved}",
    "{kind: status.contains, text: saved}",
    "{kind: validation.none}",
    "{kind: collection.count, target: {by: stableId, value: b}, op: gte, value: 2}",
    "{kind: entity.created, entityType: video}",
    "{kind: entity.updated, entityType: video, idPath: /id}",
    "{kind: entity.deleted, entityType: video}",
    "{kind: network.response, status: 200}",
    "{kind: custom, name: done}",
];

/// Things that may happen, as steps of a case.
const STEPS: [&str; 14] = [
    "{set: {a: {state: {checked: true}}}}",
    "{set: {a: {state: {checked: false}}}}",
    "{set: {b: {state: {textValue: x}, collection: {count: 3}}}}",
    "{set: {b: {state: {visible: false}}}}",
    "{set: {b: {validation: {invalid: true}}}}",
    "{route: /x/1}",
    "{route: /}",
    "{set: {dlg: {state: {open: true}}}}",
    "{set: {dlg: {state: {open: false}}}}",
    "{signals: [{kind: toast.shown, text: Saved}]}",
    "{signals: [{kind: status.changed, text: Saved}]}",
    "{signals: [{kind: entity.created, entityType: video}, {kind: entity.updated, entityType: video, payload: {id: 1}}]}",
    "{signals: [{kind: entity.deleted, entityType: video}, {kind: network.response, url: 'https://a.test/', status: 200}]}",
    "{signals: [{kind: custom, name: done}], focus: b}",
];

const PAGE: &str = "
page:
  scopes: [{id: page, kind: page}, {id: dlg, kind: dialog, parentScopeId: page, state: {open: false}}]
  elements:
  - {instanceId: a, stableId: a, role: checkbox, name: A, scopeId: page, state: {checked: false}}
  - {instanceId: b, stableId: b, role: textbox, name: B, scopeId: page, state: {textValue: y}}
";

fn yaml(text: &str) -> Value {
    read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json()
}

fn hear(judge: &mut Judge, page: &mut GraphStore, step: &Value) {
    change(page, step);
    list(step, "signals").iter().for_each(|value| judge.hear(&signal(value)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every expected signal is either observed or missing; enough is what the policy says; what happened before the
    /// baseline is no effect; the same events give the same words.
    #[test]
    fn observed_and_missing_are_what_was_expected(
        wanted in proptest::sample::subsequence((0..SIGNALS.len()).collect::<Vec<_>>(), 1..5),
        before in proptest::collection::vec(0..STEPS.len(), 0..6),
        after in proptest::collection::vec(0..STEPS.len(), 0..6),
        all in any::<bool>(),
        idempotent in any::<bool>(),
    ) {
        proves!["R005-7.0"];
        let signals: Vec<SuccessSignal> =
            wanted.iter().map(|index| typed(&yaml(SIGNALS[*index]), "signal")).collect();
        let spec = VerificationSpec {
            policy: Some(if all { VerificationPolicy::All } else { VerificationPolicy::Any }),
            signals: Some(signals.clone()),
            ..VerificationSpec::default()
        };
        let run = || {
            let mut page = page(&yaml(PAGE));
            before.iter().for_each(|index| change(&mut page, &yaml(STEPS[*index])));
            let wanted = &Wanted::Reaction;
            let target = page.element("a");
            let asked = Asked { verification: Some(&spec), described: &[], target, wanted, idempotent };
            let mut judge = Judge::new(Expectation::of(&asked), &page);
            let mut seen = vec![judge.observe(&page, true)];
            for index in &after {
                hear(&mut judge, &mut page, &yaml(STEPS[*index]));
                seen.push(judge.observe(&page, true));
            }
            seen
        };
        let seen = run();
        prop_assert_eq!(&seen, &run());
        let first = seen.first().expect("one look");
        prop_assert!(idempotent || (!first.enough && first.observed.is_empty()), "nothing has happened yet");
        prop_assert!(!first.changed);
        for seen in &seen {
            let mut union: Vec<_> = seen.observed.iter().chain(&seen.missing).map(SuccessSignal::word).collect();
            let mut expected: Vec<_> = signals.iter().map(SuccessSignal::word).collect();
            union.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(union, expected);
            prop_assert_eq!(seen.enough, if all { seen.missing.is_empty() } else { !seen.observed.is_empty() });
        }
    }

    /// Pressing something that does nothing is never a success, whatever the page does elsewhere.
    #[test]
    fn what_happens_elsewhere_proves_nothing(names in proptest::collection::vec("[a-z0-9:. ]{0,8}", 1..8)) {
        let file = yaml("
page:
  scopes: [{id: page, kind: page}, {id: here, kind: region, parentScopeId: page}, {id: there, kind: region, parentScopeId: page}]
  elements:
  - {instanceId: a, role: button, name: A, scopeId: here}
  - {instanceId: b, role: label, name: B, scopeId: there}
  - {instanceId: c, role: status, scopeId: there, state: {textValue: on}}
");
        let mut page = page(&file);
        let target = page.element("a");
        let asked =
            Asked { verification: None, described: &[], target, wanted: &Wanted::Reaction, idempotent: false };
        let mut judge = Judge::new(Expectation::of(&asked), &page);
        for (number, name) in names.iter().enumerate() {
            let id = format!("n{number}");
            let step = json!({
                "set": {"b": {"name": name}, "c": {"state": {"textValue": format!("on {name}")}}},
                "add": [{"instanceId": id, "role": "listitem", "name": name, "scopeId": "there"}],
                "focus": "a",
            });
            hear(&mut judge, &mut page, &step);
            let seen = judge.observe(&page, true);
            prop_assert!(!seen.enough, "{:?}", seen.finding);
        }
    }
}
