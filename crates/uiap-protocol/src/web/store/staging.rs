//! Works out what a delta leads to before anything is changed.

use super::{DeltaError, GraphStore};
use crate::ids::Id;
use crate::web::{DeltaOp, GraphNode, NodeKind};
use crate::wire::JsonObject;
use std::collections::HashMap;

/// One step that can no longer fail.
pub(super) enum Change {
    Put { node: GraphNode, before: Option<String> },
    Swap { node: GraphNode },
    Remove { kind: NodeKind, id: String },
}

/// The store as it will be: nodes that earlier operations added or changed, `None` for removed ones.
struct Staged<'s> {
    store: &'s GraphStore,
    ahead: HashMap<(NodeKind, String), Option<GraphNode>>,
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
            Some(id) if !self.has(kind, id.as_str()) => {
                Err(DeltaError::NotThere { kind, id: id.as_str().to_owned() })
            }
            landmark => Ok(landmark.map(|id| id.as_str().to_owned())),
        }
    }
}

pub(super) fn stage(store: &GraphStore, ops: &[DeltaOp]) -> Result<Vec<Change>, DeltaError> {
    let mut staged = Staged { store, ahead: HashMap::new() };
    ops.iter().map(|op| stage_one(&mut staged, op)).collect()
}

fn stage_one(staged: &mut Staged<'_>, op: &DeltaOp) -> Result<Change, DeltaError> {
    match op {
        DeltaOp::Add { kind, id, value, before } => {
            let before = staged.landmark(*kind, before.as_ref())?;
            if staged.has(*kind, id.as_str()) {
                return Err(DeltaError::AlreadyThere { kind: *kind, id: id.as_str().to_owned() });
            }
            let node = legal(*kind, id, value)?;
            staged.ahead.insert((*kind, id.as_str().to_owned()), Some(node.clone()));
            Ok(Change::Put { node, before })
        }
        DeltaOp::Update { kind, id, value, before } => {
            let landmark = staged.landmark(*kind, before.as_ref())?;
            let Some(old) = staged.node(*kind, id.as_str()) else {
                return Err(DeltaError::NotThere { kind: *kind, id: id.as_str().to_owned() });
            };
            let node = legal(*kind, id, &merged(&old, value))?;
            staged.ahead.insert((*kind, id.as_str().to_owned()), Some(node.clone()));
            // In front of itself is where it stands already.
            let moved = landmark.filter(|landmark| landmark != id.as_str());
            Ok(if moved.is_some() { Change::Put { node, before: moved } } else { Change::Swap { node } })
        }
        DeltaOp::Remove { kind, id } => {
            if !staged.has(*kind, id.as_str()) {
                return Err(DeltaError::NotThere { kind: *kind, id: id.as_str().to_owned() });
            }
            staged.ahead.insert((*kind, id.as_str().to_owned()), None);
            Ok(Change::Remove { kind: *kind, id: id.as_str().to_owned() })
        }
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
