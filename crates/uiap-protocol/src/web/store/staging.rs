//! Works out what a delta leads to before anything is changed.

use super::{DeltaError, GraphStore, NodeKey};
use crate::ids::Id;
use crate::web::{DeltaOp, GraphNode, NodeKind, WebStateDelta};
use crate::wire::JsonObject;
use std::collections::HashMap;

/// One step that can no longer fail.
pub(super) enum Change {
    Put { node: GraphNode, before: Option<String> },
    Swap { node: GraphNode },
    Remove { kind: NodeKind, id: String },
}

/// The store as it will be: nodes that operations added or changed, `None` for removed ones.
struct Staged<'s> {
    store: &'s GraphStore,
    ahead: HashMap<NodeKey, Option<GraphNode>>,
}

impl Staged<'_> {
    fn has(&self, kind: NodeKind, id: &str) -> bool {
        match self.ahead.get(&(kind, id.to_owned())) {
            Some(node) => node.is_some(),
            None => self.store.has(kind, id),
        }
    }

    fn node(&self, kind: NodeKind, id: &str) -> Option<GraphNode> {
        match self.ahead.get(&(kind, id.to_owned())) {
            Some(node) => node.clone(),
            None => self.store.node(kind, id),
        }
    }

    fn landmark(&self, kind: NodeKind, before: Option<&Id>) -> Result<Option<String>, DeltaError> {
        match before {
            Some(id) if !self.has(kind, id.as_str()) => Err(not_there(kind, id.as_str())),
            landmark => Ok(landmark.map(|id| id.as_str().to_owned())),
        }
    }

    fn change(&mut self, op: &DeltaOp) -> Result<Change, DeltaError> {
        match op {
            DeltaOp::Add { kind, id, value, before } => {
                let before = self.landmark(*kind, before.as_ref())?;
                if self.has(*kind, id.as_str()) {
                    return Err(DeltaError::AlreadyThere { kind: *kind, id: id.as_str().to_owned() });
                }
                let node = legal(*kind, id, value)?;
                self.ahead.insert((*kind, id.as_str().to_owned()), Some(node.clone()));
                Ok(Change::Put { node, before })
            }
            DeltaOp::Update { kind, id, value, before } => {
                let landmark = self.landmark(*kind, before.as_ref())?;
                let old = self.node(*kind, id.as_str()).ok_or_else(|| not_there(*kind, id.as_str()))?;
                let node = legal(*kind, id, &merged(&old, value))?;
                self.ahead.insert((*kind, id.as_str().to_owned()), Some(node.clone()));
                // In front of itself is where it stands already.
                let moved = landmark.filter(|landmark| landmark != id.as_str());
                Ok(if moved.is_some() { Change::Put { node, before: moved } } else { Change::Swap { node } })
            }
            DeltaOp::Remove { kind, id } => {
                if !self.has(*kind, id.as_str()) {
                    return Err(not_there(*kind, id.as_str()));
                }
                self.ahead.insert((*kind, id.as_str().to_owned()), None);
                Ok(Change::Remove { kind: *kind, id: id.as_str().to_owned() })
            }
        }
    }

    /// Every node that is named exists, and nothing that is still named was removed.
    fn check_references(&self) -> Result<(), DeltaError> {
        let mut change: HashMap<NodeKey, isize> = HashMap::new();
        for ((kind, id), node) in &self.ahead {
            let before = self.store.node(*kind, id);
            count(before.as_ref(), -1, &mut change);
            count(node.as_ref(), 1, &mut change);
            for (_, kind, named) in node.iter().flat_map(GraphNode::references) {
                if !self.has(kind, named) {
                    return Err(not_there(kind, named));
                }
            }
        }
        for (key, node) in &self.ahead {
            let stored = self.store.references.get(key).copied().unwrap_or_default();
            let left = stored.checked_add_signed(change.get(key).copied().unwrap_or_default());
            if node.is_none() && left != Some(0) {
                return Err(DeltaError::StillNamed { kind: key.0, id: key.1.clone() });
            }
        }
        Ok(())
    }

    /// Focus and dialogs name nodes that exist.
    fn check_head(&self, delta: &WebStateDelta) -> Result<(), DeltaError> {
        let focus = delta.focus.as_ref().or(self.store.head.focus.as_ref());
        let modals = delta.modal_stack.as_ref().or(self.store.head.modal_stack.as_ref());
        let target = focus.and_then(|focus| focus.target.as_ref()).map(|id| (NodeKind::Element, id.as_str()));
        let document = focus.and_then(|focus| focus.document_id.as_ref());
        let document = document.map(|id| (NodeKind::Document, id.as_str()));
        let scopes = modals.into_iter().flatten().map(|id| (NodeKind::Scope, id.as_str()));
        let mut named = target.into_iter().chain(document).chain(scopes);
        match named.find(|(kind, id)| !self.has(*kind, id)) {
            Some((kind, id)) => Err(not_there(kind, id)),
            None => Ok(()),
        }
    }
}

pub(super) fn stage(store: &GraphStore, delta: &WebStateDelta) -> Result<Vec<Change>, DeltaError> {
    let mut staged = Staged { store, ahead: HashMap::new() };
    let changes = delta.ops.iter().map(|op| staged.change(op)).collect::<Result<_, _>>()?;
    staged.check_references()?;
    staged.check_head(delta)?;
    Ok(changes)
}

fn not_there(kind: NodeKind, id: &str) -> DeltaError {
    DeltaError::NotThere { kind, id: id.to_owned() }
}

fn count(node: Option<&GraphNode>, by: isize, change: &mut HashMap<NodeKey, isize>) {
    for (_, kind, named) in node.into_iter().flat_map(GraphNode::references) {
        *change.entry((kind, named.to_owned())).or_default() += by;
    }
}

fn legal(kind: NodeKind, id: &Id, value: &JsonObject) -> Result<GraphNode, DeltaError> {
    let illegal = |findings| DeltaError::Illegal { kind, id: id.as_str().to_owned(), findings };
    let node = GraphNode::from_json(kind, value).map_err(illegal)?;
    if node.id() == id.as_str() { Ok(node) } else { Err(illegal(Vec::new())) }
}

/// The old node with the changed members; `null` takes a member away.
fn merged(old: &GraphNode, changes: &JsonObject) -> JsonObject {
    let json = match old {
        GraphNode::Document(node) => serde_json::to_value(node),
        GraphNode::Scope(node) => serde_json::to_value(node),
        GraphNode::Element(node) => serde_json::to_value(node),
        GraphNode::Opaque(node) => serde_json::to_value(node),
    };
    let Ok(serde_json::Value::Object(mut object)) = json else { return JsonObject::new() };
    for (name, value) in changes {
        if value.is_null() {
            object.remove(name);
        } else {
            object.insert(name.clone(), value.clone());
        }
    }
    object
}
