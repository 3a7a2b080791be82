//! What changed on a page, for whoever has not kept it as it was.
//!
//! Start at [`changes_since`]. Deltas say what things became, not what they were: what they changed counts as unknown
//! before, and what they took away is told by its reference.

use super::delta::told;
use super::refs::RefError;
use std::collections::{HashMap, HashSet};
use uiap_protocol::web::{DeltaOp, ElementNode, NodeKind, PageGraph, WebStateDelta};
use uiap_protocol::wire::{JsonObject, accept_object};

/// Members without which there is no element.
const ESSENTIAL: [&str; 3] = ["instanceId", "documentId", "role"];

/// Writes out what deltas did to a page, in the words of [`changes`](super::changes). They lead to this graph.
pub fn changes_since(deltas: &[WebStateDelta], after: &PageGraph) -> Result<String, RefError> {
    let past = Past::of(deltas);
    told(&past.before(deltas, after), deltas, &[], after, &past.gone(after))
}

/// What deltas tell about the elements and areas that they touched.
#[derive(Default)]
struct Past<'d> {
    /// In the order in which they were first touched.
    touched: Vec<(NodeKind, &'d str)>,
    known: HashMap<(NodeKind, &'d str), Known<'d>>,
}

struct Known<'d> {
    /// It was there before the first delta.
    was_there: bool,
    /// Members that became different.
    changed: Vec<&'d str>,
}

impl<'d> Past<'d> {
    fn of(deltas: &'d [WebStateDelta]) -> Self {
        let mut past = Self::default();
        for op in deltas.iter().flat_map(|delta| &delta.ops) {
            let (kind, id, was_there, value) = match op {
                DeltaOp::Add { kind, id, .. } => (*kind, id, false, None),
                DeltaOp::Update { kind, id, value, .. } => (*kind, id, true, Some(value)),
                DeltaOp::Remove { kind, id } => (*kind, id, true, None),
            };
            let key = (kind, id.as_str());
            let known = past.known.entry(key).or_insert_with(|| {
                past.touched.push(key);
                Known { was_there, changed: Vec::new() }
            });
            known.changed.extend(value.into_iter().flat_map(JsonObject::keys).map(String::as_str));
        }
        past
    }

    /// The elements that were there and are no longer.
    fn gone(&self, after: &PageGraph) -> Vec<&'d str> {
        let there: HashSet<_> = after.elements.iter().map(|element| element.instance_id.as_str()).collect();
        let elements = self.touched.iter().filter(|(kind, _)| *kind == NodeKind::Element);
        let were_there = elements.filter(|key| self.known.get(key).is_some_and(|known| known.was_there));
        were_there.map(|(_, id)| *id).filter(|id| !there.contains(id)).collect()
    }

    /// The page before, without what is not known of it.
    fn before(&self, deltas: &[WebStateDelta], after: &PageGraph) -> PageGraph {
        let mut before = after.clone();
        before.elements = after.elements.iter().filter_map(|element| self.element(element)).collect();
        let is_new = |kind, id: &str| self.known.get(&(kind, id)).is_some_and(|known| !known.was_there);
        before.scopes.retain(|scope| !is_new(NodeKind::Scope, scope.id.as_str()));
        if let Some(first) = deltas.first() {
            before.revision = first.base_revision.clone();
        }
        for delta in deltas {
            if delta.route.is_some() {
                before.route.url.clear();
            }
            before.title = before.title.filter(|_| delta.title.is_none());
            before.focus = before.focus.filter(|_| delta.focus.is_none());
            before.modal_stack = before.modal_stack.filter(|_| delta.modal_stack.is_none());
        }
        before
    }

    fn element(&self, after: &ElementNode) -> Option<ElementNode> {
        let Some(known) = self.known.get(&(NodeKind::Element, after.instance_id.as_str())) else {
            return Some(after.clone());
        };
        if !known.was_there {
            return None;
        }
        let Ok(serde_json::Value::Object(mut members)) = serde_json::to_value(after) else { return None };
        for name in known.changed.iter().filter(|name| !ESSENTIAL.contains(name)) {
            members.remove(*name);
        }
        members.entry("state").or_insert_with(|| JsonObject::new().into());
        // Something that cannot be told apart from what it became is told as new.
        accept_object(&members).ok()
    }
}
