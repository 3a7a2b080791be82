//! What leads from one state of a page to another.
//!
//! Start at [`difference`]. Only what a delta can say is compared; the store of whoever receives it is the judge.

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use uiap_protocol::ids::{Id, Locale};
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::{
    DeltaOp, DocumentNode, ElementNode, Focus, NodeKind, OpaqueRegion, PageGraph, ScopeNode, WebStateDelta,
};
use uiap_protocol::wire::JsonObject;

/// The language of a page that names none.
const NO_LOCALE: &str = "und";

/// A node of one of the lists of a graph.
trait Listed: PartialEq + serde::Serialize {
    const KIND: NodeKind;

    fn id(&self) -> &str;

    fn members(&self) -> JsonObject {
        match serde_json::to_value(self) {
            Ok(Value::Object(members)) => members,
            _ => JsonObject::new(),
        }
    }
}

macro_rules! listed {
    ($($node:ty, $kind:ident, $id:ident;)+) => {$(
        impl Listed for $node {
            const KIND: NodeKind = NodeKind::$kind;

            fn id(&self) -> &str {
                self.$id.as_str()
            }
        }
    )+};
}

listed! {
    DocumentNode, Document, id;
    ScopeNode, Scope, id;
    ElementNode, Element, instance_id;
    OpaqueRegion, Opaque, id;
}

/// The delta from one state to the next; its number follows that of the old one.
pub(crate) fn difference(old: &PageGraph, new: &PageGraph, at: Timestamp) -> WebStateDelta {
    let mut ops = Vec::new();
    list(&old.documents, &new.documents, &mut ops);
    list(&old.scopes, &new.scopes, &mut ops);
    list(&old.elements, &new.elements, &mut ops);
    let opaque = |graph: &'_ PageGraph| graph.opaque_regions.clone().unwrap_or_default();
    list(&opaque(old), &opaque(new), &mut ops);
    WebStateDelta {
        base_revision: old.revision.clone(),
        revision: new.revision.clone(),
        seq: old.seq.saturating_add(1),
        at,
        route: (old.route != new.route).then(|| new.route.clone()),
        title: (old.title != new.title).then(|| new.title.clone().unwrap_or_default()),
        locale: if old.locale == new.locale {
            None
        } else {
            new.locale.clone().or_else(|| Locale::new(NO_LOCALE).ok())
        },
        focus: (old.focus != new.focus)
            .then(|| new.focus.clone().unwrap_or(Focus { target: None, document_id: None })),
        modal_stack: (old.modal_stack != new.modal_stack)
            .then(|| new.modal_stack.clone().unwrap_or_default()),
        truncated: (old.truncated != new.truncated).then(|| new.truncated == Some(true)),
        redacted: (old.redacted != new.redacted).then(|| new.redacted == Some(true)),
        metadata: (old.metadata != new.metadata).then(|| new.metadata.clone().unwrap_or_default()),
        ops,
    }
}

/// What leads from one list to another: first what goes, then from the back, so that what a node stands in front of is
/// always in its place already.
fn list<N: Listed>(old: &[N], new: &[N], ops: &mut Vec<DeltaOp>) {
    let places: HashMap<&str, usize> =
        old.iter().enumerate().map(|(place, node)| (node.id(), place)).collect();
    let staying: HashSet<&str> = new.iter().map(Listed::id).collect();
    for gone in old.iter().filter(|node| !staying.contains(node.id())) {
        ops.extend(id_of(gone.id()).map(|id| DeltaOp::Remove { kind: N::KIND, id }));
    }
    let kept: Vec<usize> = new.iter().filter_map(|node| places.get(node.id()).copied()).collect();
    let in_place: HashSet<usize> = longest_rise(&kept).into_iter().collect();
    let mut before: Option<&str> = None;
    for node in new.iter().rev() {
        if let Some(id) = id_of(node.id()) {
            let was = places.get(node.id()).and_then(|place| Some((*place, old.get(*place)?)));
            ops.extend(one(node, id, was, &in_place, before));
        }
        before = Some(node.id());
    }
}

fn one<N: Listed>(
    node: &N,
    id: Id,
    was: Option<(usize, &N)>,
    in_place: &HashSet<usize>,
    before: Option<&str>,
) -> Vec<DeltaOp> {
    let kind = N::KIND;
    let landmark = before.and_then(id_of);
    let Some((place, was)) = was else {
        return vec![DeltaOp::Add { kind, id, value: node.members(), before: landmark }];
    };
    if in_place.contains(&place) {
        return if was == node {
            Vec::new()
        } else {
            vec![DeltaOp::Update { kind, id, value: changed(was, node), before: None }]
        };
    }
    match landmark {
        Some(_) => vec![DeltaOp::Update { kind, id, value: changed(was, node), before: landmark }],
        // An update cannot move anything to the end.
        None => vec![
            DeltaOp::Remove { kind, id: id.clone() },
            DeltaOp::Add { kind, id, value: node.members(), before: None },
        ],
    }
}

/// The members that are different; `null` takes one away.
fn changed<N: Listed>(was: &N, node: &N) -> JsonObject {
    let (was, now) = (was.members(), node.members());
    let gone = was.keys().filter(|name| !now.contains_key(*name)).map(|name| (name.clone(), Value::Null));
    let new = now.iter().filter(|(name, value)| was.get(*name) != Some(value));
    gone.chain(new.map(|(name, value)| (name.clone(), value.clone()))).collect()
}

fn id_of(text: &str) -> Option<Id> {
    Id::new(text).ok()
}

/// The longest part of a list that rises: what stands in it need not move.
fn longest_rise(list: &[usize]) -> Vec<usize> {
    if list.is_sorted() {
        return list.to_vec();
    }
    // For every length the place of the smallest end of a rising part of that length, and what came before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(list.len());
    let at = |place: usize| list.get(place).copied().unwrap_or_default();
    for (place, value) in list.iter().enumerate() {
        let length = ends.partition_point(|end| at(*end) < *value);
        previous.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut rise = Vec::new();
    let mut next = ends.last().copied();
    while let Some(place) = next {
        rise.push(at(place));
        next = previous.get(place).copied().flatten();
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use uiap_protocol::text::Node;
    use uiap_protocol::web::GraphStore;
    use uiap_protocol::wire::accept;

    fn graph(revision: u64, elements: &[(u8, u8)], focus: Option<u8>) -> PageGraph {
        let elements: Vec<_> = elements
            .iter()
            .map(|(id, name)| {
                let mut element = json!({"instanceId": format!("el_{id}"), "documentId": "doc", "role": "button", "state": {}});
                if *name > 0
                    && let Some(members) = element.as_object_mut()
                {
                    members.insert("name".to_owned(), json!(format!("name {name}")));
                    members.insert("scopeId".to_owned(), json!(format!("scope_{}", name % 2)));
                }
                element
            })
            .collect();
        let scopes: Vec<_> = (0..2)
            .map(|n| json!({"id": format!("scope_{n}"), "kind": "region", "documentId": "doc"}))
            .collect();
        let mut graph = json!({
            "modelVersion": "0.1", "profile": "web@0.1", "revision": format!("rev_{revision}"), "seq": revision,
            "capturedAt": "2026-01-01T00:00:00Z", "route": {"url": format!("http://x/{revision}")},
            "documents": [{"id": "doc", "boundary": {"kind": "root", "opaque": false}}],
            "scopes": scopes, "elements": elements,
        });
        if let (Some(focus), Some(members)) = (focus, graph.as_object_mut()) {
            members.insert("focus".to_owned(), json!({"target": format!("el_{focus}")}));
        }
        accept(&Node::from_json(&graph)).expect("a sound graph")
    }

    fn elements() -> impl Strategy<Value = Vec<(u8, u8)>> {
        proptest::collection::btree_map(0_u8..24, 0_u8..4, 0..16)
            .prop_map(|map| map.into_iter().collect::<Vec<_>>())
            .prop_shuffle()
    }

    proptest! {
        /// The judge is the store of a consumer: after the delta it holds the new page.
        #[test]
        fn a_consumer_that_applies_the_difference_has_the_new_page(old in elements(), new in elements()) {
            let focus = |list: &[(u8, u8)]| list.first().map(|(id, _)| *id);
            let was = graph(1, &old, focus(&old));
            let now = graph(2, &new, focus(&new));
            let delta = difference(&was, &now, now.captured_at.clone());
            // As it travels: what was written is what is read.
            let wire = serde_json::to_value(&delta).expect("JSON");
            let delta: WebStateDelta = accept(&Node::from_json(&wire)).expect("a sound delta");
            let mut store = GraphStore::new(was);
            store.apply(&delta).expect("a delta that applies");
            let shown = store.graph();
            prop_assert_eq!(shown.elements, now.elements);
            prop_assert_eq!(shown.scopes, now.scopes);
            prop_assert_eq!(shown.route, now.route);
            prop_assert_eq!(shown.focus.and_then(|focus| focus.target), now.focus.and_then(|focus| focus.target));
        }
    }
}
