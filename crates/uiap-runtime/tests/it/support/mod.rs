//! Pages, bundles and requests from short texts.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Map, Value, json};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::ActionHandle;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::web::{GraphStore, PageGraph};
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::catalogue::Catalogue;

/// A YAML text as JSON.
pub(crate) fn yaml(text: &str) -> Value {
    read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json()
}

/// A sound value.
pub(crate) fn sound<T: Wire>(value: &Value) -> T {
    accept(&Node::from_json(value)).unwrap_or_else(|findings| panic!("{value} is not sound: {findings:?}"))
}

/// Every sound item of a list that may be absent.
pub(crate) fn list<T: Wire>(case: &Value, name: &str) -> Vec<T> {
    case.get(name).and_then(Value::as_array).into_iter().flatten().map(sound).collect()
}

pub(crate) fn handle() -> ActionHandle {
    ActionHandle::new("act_1").expect("an id")
}

/// The ways of a case; without any, those of a driven page.
pub(crate) fn available(case: &Value) -> Vec<ExecutionMode> {
    match case.get("available") {
        Some(_) => list(case, "available"),
        None => vec![
            ExecutionMode::AppAction,
            ExecutionMode::SemanticUi,
            ExecutionMode::ExternalDriver,
            ExecutionMode::InputSynthesis,
        ],
    }
}

/// What the `bundle` of a case and its `claims` say.
pub(crate) fn catalogue(case: &Value) -> Catalogue {
    let mut catalogue = case.get("bundle").map_or_else(Catalogue::new, |members| {
        let mut bundle = json!({
            "packageId": "videoland.uiap", "version": "0.1.0", "profile": "web@0.1",
            "buildContext": {}, "compatibility": {"uiapCore": ">=0.1 <0.2"},
            "app": {"appId": "videoland", "displayName": "Videoland"}, "digest": "sha256:00",
        });
        extend(&mut bundle, members);
        Catalogue::of_bundle(&sound::<CompiledBundle>(&bundle))
    });
    catalogue.claim(list(case, "claims"));
    catalogue
}

/// The `page` of a case; what every page and every node must have need not be said.
pub(crate) fn page(case: &Value) -> GraphStore {
    let given = case.get("page").cloned().unwrap_or_else(|| json!({}));
    let mut graph = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1,
        "capturedAt": "2026-03-26T14:03:00.000Z", "route": {"url": "https://videoland.test/videos/5?key=s#top"},
        "documents": [{"id": "main", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": [], "elements": [],
    });
    extend(&mut graph, &given);
    for (list, more) in
        [("scopes", json!({"documentId": "main"})), ("elements", json!({"documentId": "main", "state": {}}))]
    {
        for node in graph.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            let mut whole = more.clone();
            extend(&mut whole, node);
            *node = whole;
        }
    }
    GraphStore::new(sound::<PageGraph>(&graph))
}

fn extend(object: &mut Value, members: &Value) {
    let nothing = Map::new();
    let members = members.as_object().unwrap_or(&nothing);
    let object = object.as_object_mut().expect("an object");
    object.extend(members.iter().map(|(name, value)| (name.clone(), value.clone())));
}
