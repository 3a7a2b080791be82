//! The PageGraph store against a naive model: lists, searched from end to end.
//!
//! Random snapshots and deltas go to both; they must agree on every result, every refusal and every lookup, and a
//! refused delta must leave no trace.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::text::Node;
use uiap_protocol::web::{DeltaError, ElementNode, GraphStore, NodeKind, PageGraph, WebStateDelta};
use uiap_protocol::wire::accept;

const KINDS: [(&str, &str, &str); 4] = [
    ("document", "documents", "id"),
    ("scope", "scopes", "id"),
    ("element", "elements", "instanceId"),
    ("opaque", "opaqueRegions", "id"),
];

/// Few ids, so that operations meet.
fn id() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b"), Just("c"), Just("d"), Just("e")]
}

fn scope() -> impl Strategy<Value = Option<&'static str>> {
    // "a" is a scope that may come and go; the other two always exist.
    prop_oneof![Just(None), Just(Some("s1")), Just(Some("s2")), Just(Some("a"))]
}

fn stable() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![Just(None), Just(Some("video.submit")), Just(Some("video.title"))]
}

fn kind() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(0_usize), 1 => Just(1), 5 => Just(2), 1 => Just(3)]
}

fn put(object: &mut Value, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        object[name] = json!(value);
    }
}

/// A legal node of a kind; elements vary in what they are indexed by.
fn node(kind: usize, id: &str, scope: Option<&str>, stable: Option<&str>) -> Value {
    let mut node = match kind {
        0 => json!({ "id": id, "boundary": { "kind": "root", "opaque": false } }),
        1 => json!({ "id": id, "kind": "form", "documentId": "doc" }),
        2 => json!({ "instanceId": id, "documentId": "doc", "role": "button", "state": { "visible": true } }),
        _ => json!({ "id": id, "kind": "canvas" }),
    };
    if kind == 2 {
        put(&mut node, "scopeId", scope);
        put(&mut node, "stableId", stable);
    }
    node
}

#[derive(Clone, Debug)]
enum Op {
    Add {
        kind: usize,
        id: &'static str,
        scope: Option<&'static str>,
        stable: Option<&'static str>,
        before: Option<&'static str>,
    },
    Update {
        kind: usize,
        id: &'static str,
        change: Value,
        before: Option<&'static str>,
    },
    Remove {
        kind: usize,
        id: &'static str,
    },
}

fn change() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!({ "stableId": "video.submit" })),
        Just(json!({ "stableId": null })),
        Just(json!({ "scopeId": "s1", "stableId": "video.title" })),
        Just(json!({ "scopeId": "s2" })),
        Just(json!({ "scopeId": null })),
        Just(json!({ "bbox": { "x": 1, "y": 2.5, "width": 3, "height": 4 } })),
        Just(json!({ "state": { "visible": false } })),
        // Not legal for at least one kind of node.
        Just(json!({ "documentId": null })),
        Just(json!({ "kind": "nonsense" })),
        Just(json!({ "role": "nonsense" })),
        Just(json!({ "id": "z" })),
        Just(json!({ "instanceId": "z" })),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let before = || prop_oneof![2 => Just(None), 1 => id().prop_map(Some)];
    prop_oneof![
        4 => (kind(), id(), scope(), stable(), before()).prop_map(|(kind, id, scope, stable, before)| Op::Add {
            kind, id, scope, stable, before
        }),
        3 => (kind(), id(), change(), before())
            .prop_map(|(kind, id, change, before)| Op::Update { kind, id, change, before }),
        2 => (kind(), id()).prop_map(|(kind, id)| Op::Remove { kind, id }),
    ]
}

#[derive(Clone, Debug)]
struct Delta {
    known_base: bool,
    next_in_order: bool,
    ops: Vec<Op>,
}

fn delta() -> impl Strategy<Value = Delta> {
    (prop::bool::weighted(0.9), prop::bool::weighted(0.9), prop::collection::vec(op(), 0..5))
        .prop_map(|(known_base, next_in_order, ops)| Delta { known_base, next_in_order, ops })
}

/// The model: the snapshot as JSON.
#[derive(Clone, Debug, PartialEq)]
struct Model(Value);

type Refusal = &'static str;

impl Model {
    fn list(&mut self, kind: usize) -> &mut Vec<Value> {
        self.0[KINDS[kind].1].as_array_mut().expect("a list")
    }

    fn position(&mut self, kind: usize, id: &str) -> Option<usize> {
        self.list(kind).iter().position(|node| node[KINDS[kind].2] == id)
    }

    fn apply(&mut self, delta: &Delta, at: u64) -> Result<(), Refusal> {
        if !delta.known_base {
            return Err("unknown base");
        }
        if !delta.next_in_order {
            return Err("out of sequence");
        }
        let mut next = self.clone();
        delta.ops.iter().try_for_each(|op| next.apply_one(op))?;
        next.references_hold()?;
        next.0["revision"] = json!(format!("rev_{}", at + 1));
        next.0["seq"] = json!(at + 1);
        *self = next;
        Ok(())
    }

    /// Every scope and document that is named exists.
    fn references_hold(&mut self) -> Result<(), Refusal> {
        let nodes = |list: &str| self.0[list].as_array().cloned().unwrap_or_default();
        let scopes = nodes("scopes").into_iter().map(|node| (0, node["documentId"].clone()));
        let elements = nodes("elements").into_iter().flat_map(|node| {
            [(0, node["documentId"].clone()), (1, node.get("scopeId").cloned().unwrap_or_default())]
        });
        let named: Vec<(usize, Value)> = scopes.chain(elements).collect();
        let holds =
            |(kind, id): &(usize, Value)| id.as_str().is_none_or(|id| self.position(*kind, id).is_some());
        if named.iter().all(holds) { Ok(()) } else { Err("dangling") }
    }

    fn apply_one(&mut self, op: &Op) -> Result<(), Refusal> {
        match op {
            Op::Add { kind, id, scope, stable, before } => {
                self.landmark(*kind, *before)?;
                if self.position(*kind, id).is_some() {
                    return Err("already there");
                }
                let node = node(*kind, id, *scope, *stable);
                let place = before.and_then(|before| self.position(*kind, before));
                let place = place.unwrap_or(self.list(*kind).len());
                self.list(*kind).insert(place, node);
            }
            Op::Update { kind, id, change, before } => {
                self.landmark(*kind, *before)?;
                let place = self.position(*kind, id).ok_or("not there")?;
                let mut node = self.list(*kind)[place].clone();
                let members = node.as_object_mut().expect("a node");
                for (name, value) in change.as_object().expect("members") {
                    if value.is_null() {
                        members.remove(name);
                    } else {
                        members.insert(name.clone(), value.clone());
                    }
                }
                let node = legal(*kind, id, node).ok_or("illegal")?;
                match before.filter(|before| before != id) {
                    None => self.list(*kind)[place] = node,
                    Some(before) => {
                        self.list(*kind).remove(place);
                        let place = self.position(*kind, before).expect("a landmark");
                        self.list(*kind).insert(place, node);
                    }
                }
            }
            Op::Remove { kind, id } => {
                let place = self.position(*kind, id).ok_or("not there")?;
                self.list(*kind).remove(place);
            }
        }
        Ok(())
    }

    fn landmark(&mut self, kind: usize, before: Option<&str>) -> Result<(), Refusal> {
        match before {
            Some(before) if self.position(kind, before).is_none() => Err("not there"),
            _ => Ok(()),
        }
    }

    fn ids_where(&mut self, member: &str, value: &str) -> Vec<String> {
        let found = self.list(2).iter().filter(|node| node[member] == value);
        let mut ids: Vec<_> =
            found.map(|node| node["instanceId"].as_str().expect("an id").to_owned()).collect();
        ids.sort();
        ids
    }
}

/// What the changed node must look like, by the rules for `change()` alone; members a kind does not know fall away.
fn legal(kind: usize, id: &str, node: Value) -> Option<Value> {
    let known: &[&str] = match kind {
        0 => &["id", "boundary"],
        1 => &["id", "kind", "documentId", "stableId", "state"],
        2 => &["instanceId", "documentId", "role", "state", "scopeId", "stableId", "bbox"],
        _ => &["id", "kind", "bbox"],
    };
    let Value::Object(members) = node else { return None };
    let kept: Map<String, Value> =
        members.into_iter().filter(|(name, _)| known.contains(&name.as_str())).collect();
    let node = Value::Object(kept);
    let mandatory = match kind {
        1 => node["documentId"].is_string() && node["kind"] == "form",
        2 => node["documentId"].is_string() && node["role"] == "button",
        3 => node["kind"] == "canvas",
        _ => true,
    };
    (mandatory && node[KINDS[kind].2] == id).then_some(node)
}

fn snapshot(nodes: &[(usize, &'static str, Option<&'static str>, Option<&'static str>)]) -> Model {
    let mut graph = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_0", "seq": 0,
        "capturedAt": "2026-03-26T14:03:00.000Z", "route": { "url": "https://example.com/" },
        "documents": [{ "id": "doc", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": [
            { "id": "s1", "kind": "form", "documentId": "doc" },
            { "id": "s2", "kind": "form", "documentId": "doc" },
        ],
        "elements": [], "opaqueRegions": [],
    });
    let has_scope = |wanted: &str| nodes.iter().any(|(kind, id, ..)| *kind == 1 && *id == wanted);
    for (kind, id, scope, stable) in nodes {
        let scope = scope.filter(|scope| *scope != "a" || has_scope("a"));
        let list = graph[KINDS[*kind].1].as_array_mut().expect("a list");
        if list.iter().all(|node| node[KINDS[*kind].2] != *id) {
            list.push(node(*kind, id, scope, *stable));
        }
    }
    Model(graph)
}

fn decoded(model: &Model) -> PageGraph {
    accept(&Node::from_json(&model.0)).expect("a sound snapshot")
}

fn message(delta: &Delta, at: u64) -> WebStateDelta {
    let ops: Vec<Value> = delta
        .ops
        .iter()
        .map(|op| match op {
            Op::Add { kind, id, scope, stable, before } => {
                let value = node(*kind, id, *scope, *stable);
                let mut op = json!({ "op": "add", "kind": KINDS[*kind].0, "id": id, "value": value });
                put(&mut op, "before", *before);
                op
            }
            Op::Update { kind, id, change, before } => {
                let mut op = json!({ "op": "update", "kind": KINDS[*kind].0, "id": id, "value": change });
                put(&mut op, "before", *before);
                op
            }
            Op::Remove { kind, id } => json!({ "op": "remove", "kind": KINDS[*kind].0, "id": id }),
        })
        .collect();
    let base = if delta.known_base { format!("rev_{at}") } else { "rev_lost".to_owned() };
    let seq = if delta.next_in_order { at + 1 } else { at + 7 };
    let delta = json!({
        "baseRevision": base, "revision": format!("rev_{}", at + 1), "seq": seq, "at": "2026-03-26T14:03:00.000Z",
        "ops": ops,
    });
    accept(&Node::from_json(&delta)).expect("a sound delta")
}

fn refusal(error: &DeltaError) -> Refusal {
    match error {
        DeltaError::UnknownBase { .. } => "unknown base",
        DeltaError::OutOfSequence { .. } => "out of sequence",
        DeltaError::AlreadyThere { .. } => "already there",
        DeltaError::NotThere { .. } => "not there",
        DeltaError::StillNamed { .. } => "dangling",
        DeltaError::SameRevision { .. } => "same revision",
        DeltaError::Illegal { .. } => "illegal",
    }
}

/// The store as the model would be written.
fn written(store: &GraphStore) -> Value {
    let mut graph = serde_json::to_value(store.graph()).expect("a graph is JSON");
    graph.as_object_mut().expect("an object").entry("opaqueRegions").or_insert_with(|| json!([]));
    graph
}

fn sorted_ids<'n>(nodes: impl Iterator<Item = &'n ElementNode>) -> Vec<String> {
    let mut ids: Vec<_> = nodes.map(|node| node.instance_id.as_str().to_owned()).collect();
    ids.sort();
    ids
}

fn same(store: &GraphStore, model: &mut Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(&written(store), &model.0);
    prop_assert_eq!(store.revision().as_str(), model.0["revision"].as_str().unwrap_or_default());
    prop_assert_eq!(Some(store.seq()), model.0["seq"].as_u64());
    for id in ["a", "b", "c", "d", "e", "z"] {
        prop_assert_eq!(store.element(id).is_some(), model.position(2, id).is_some());
        prop_assert_eq!(store.scope(id).is_some(), model.position(1, id).is_some());
        prop_assert_eq!(store.document(id).is_some(), model.position(0, id).is_some());
        if let Some(element) = store.element(id) {
            prop_assert_eq!(element.instance_id.as_str(), id);
        }
    }
    for stable in ["video.submit", "video.title", "nobody"] {
        prop_assert_eq!(sorted_ids(store.by_stable_id(stable)), model.ids_where("stableId", stable));
    }
    for scope in ["a", "s1", "s2", "nowhere"] {
        prop_assert_eq!(sorted_ids(store.in_scope(scope)), model.ids_where("scopeId", scope));
    }
    let in_order: Vec<_> = store.elements().map(|node| json!(node.instance_id.as_str())).collect();
    let expected: Vec<_> = model.list(2).iter().map(|node| node["instanceId"].clone()).collect();
    prop_assert_eq!(in_order, expected);
    Ok(())
}

#[test]
fn the_store_does_what_the_model_does() {
    uiap_testkit::proves!["WEB-15", "WEB-16", "WEB-17", "WEB-33"];
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let nodes = prop::collection::vec((kind(), id(), scope(), stable()), 0..12);
    let outcome = runner.run(&(nodes, prop::collection::vec(delta(), 1..8)), |(nodes, deltas)| {
        let mut model = snapshot(&nodes);
        let mut store = GraphStore::new(decoded(&model));
        same(&store, &mut model)?;
        let mut at = 0;
        for delta in &deltas {
            let before = written(&store);
            let expected = model.apply(delta, at);
            let found = store.apply(&message(delta, at));
            let found = found.as_ref().map_err(refusal).copied();
            // A node that names nothing, and a removed node that is still named: the model tells neither from the other.
            let alike = expected == Err("dangling") && found == Err("not there");
            prop_assert!(found == expected || alike, "{:?}: {:?}, expected {:?}", delta, found, expected);
            if expected.is_err() {
                prop_assert_eq!(&written(&store), &before, "a refused delta left a trace: {:?}", delta);
            } else {
                at += 1;
            }
            same(&store, &mut model)?;
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_delta_replaces_route_focus_and_modal_stack_and_keeps_what_it_does_not_name() {
    let mut graph = decoded(&snapshot(&[(2, "a", None, None)]));
    graph.title = Some("Before".to_owned());
    let mut store = GraphStore::new(graph);
    let delta = json!({
        "baseRevision": "rev_0", "revision": "rev_1", "seq": 1, "at": "2026-03-26T14:03:09.000Z",
        "route": { "routeId": "videos", "url": "https://example.com/videos" }, "focus": { "target": "a" },
        "modalStack": ["s1"], "ops": [],
    });
    store.apply(&accept(&Node::from_json(&delta)).expect("a delta")).expect("applied");
    let graph = written(&store);
    assert_eq!(graph["route"], delta["route"]);
    assert_eq!(graph["focus"], delta["focus"]);
    assert_eq!(graph["modalStack"], delta["modalStack"]);
    assert_eq!(graph["capturedAt"], delta["at"]);
    assert_eq!(graph["title"], "Before");
    assert_eq!(
        store.focus().and_then(|focus| focus.target.as_ref()).map(ElementInstanceId::as_str),
        Some("a")
    );
}

#[test]
fn an_operation_whose_value_is_about_something_else_does_not_decode() {
    for (kind, value) in [
        (NodeKind::Element, node(2, "b", None, None)),
        (NodeKind::Scope, node(1, "b", None, None)),
        (NodeKind::Document, node(0, "b", None, None)),
        (NodeKind::Opaque, node(3, "b", None, None)),
    ] {
        let delta = json!({
            "baseRevision": "rev_0", "revision": "rev_1", "seq": 1, "at": "2026-03-26T14:03:09.000Z",
            "ops": [{ "op": "add", "kind": kind.as_str(), "id": "a", "value": value }],
        });
        let findings = accept::<WebStateDelta>(&Node::from_json(&delta)).expect_err("refused");
        let found: Vec<_> =
            findings.iter().map(|finding| (finding.code.as_str(), finding.pointer.as_str())).collect();
        assert_eq!(found, [("inconsistent", "/ops/0/value")], "{kind}");
    }
}
