//! What changed between two revisions.

use super::graph::Reference;
use super::{DocumentNode, ElementNode, Focus, OpaqueRegion, RouteState, ScopeNode};
use crate::finding::Code;
use crate::finding::Finding;
use crate::ids::{Id, Locale, RevisionId, ScopeId};
use crate::time::Timestamp;
use crate::wire::{Decoder, JsonObject, Wire, accept_object};

/// What changed since a revision that the receiver has.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WEB-33")]
pub struct WebStateDelta {
    /// The revision it applies to.
    pub base_revision: RevisionId,
    /// The revision it leads to.
    pub revision: RevisionId,
    /// One more than that of the base.
    pub seq: u64,
    /// When it was observed.
    pub at: Timestamp,
    /// The route, if it changed.
    pub route: Option<RouteState>,
    /// The title, if it changed; empty if there is none any more.
    pub title: Option<String>,
    /// The language, if it changed; `und` if the page does not say any more.
    pub locale: Option<Locale>,
    /// The focus, if it moved; empty if nothing has it.
    pub focus: Option<Focus>,
    /// The dialogs, if they changed; empty if there are none.
    pub modal_stack: Option<Vec<ScopeId>>,
    /// Whether something is left out for size, if that changed.
    pub truncated: Option<bool>,
    /// Whether something is left out for secrecy, if that changed.
    pub redacted: Option<bool>,
    /// What only the publisher understands, if it changed; empty if there is nothing.
    pub metadata: Option<JsonObject>,
    /// What was added, changed and removed, to be applied in order.
    pub ops: Vec<DeltaOp>,
}

/// Which list of a graph an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum NodeKind {
    Document,
    Scope,
    Element,
    Opaque,
}

/// One change of a graph.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "op", case = "snake_case", check = DeltaOp::check)]
pub enum DeltaOp {
    /// Something is new.
    Add {
        /// Of what kind.
        kind: NodeKind,
        /// Its id.
        id: Id,
        /// The whole of it.
        value: JsonObject,
        /// What it stands in front of, in document order; without it, it stands last.
        before: Option<Id>,
    },
    /// Something is different.
    Update {
        /// Of what kind.
        kind: NodeKind,
        /// Its id.
        id: Id,
        /// The members that are different; `null` takes a member away.
        value: JsonObject,
        /// Where it moved, if it moved.
        before: Option<Id>,
    },
    /// Something is gone.
    Remove {
        /// Of what kind.
        kind: NodeKind,
        /// Its id.
        id: Id,
    },
}

impl DeltaOp {
    fn check(&self, decoder: &mut Decoder<'_>) {
        let Self::Add { kind, id, value, .. } = self else { return };
        decoder.at("value", |decoder| match GraphNode::from_json(*kind, value) {
            Ok(node) if node.id() == id.as_str() => {}
            Ok(node) => {
                let message = format!("The operation is about \"{id}\", its value about \"{}\".", node.id());
                decoder.error(Code::Inconsistent, message);
            }
            Err(findings) => decoder.adopt(findings),
        });
    }
}

/// A node of any of the four lists.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphNode {
    /// A document.
    Document(DocumentNode),
    /// A scope.
    Scope(ScopeNode),
    /// An element.
    Element(Box<ElementNode>),
    /// An opaque region.
    Opaque(OpaqueRegion),
}

impl GraphNode {
    /// Decodes a node of a known kind.
    pub fn from_json(kind: NodeKind, value: &JsonObject) -> Result<Self, Vec<Finding>> {
        match kind {
            NodeKind::Document => accept_object(value).map(Self::Document),
            NodeKind::Scope => accept_object(value).map(Self::Scope),
            NodeKind::Element => accept_object(value).map(|element| Self::Element(Box::new(element))),
            NodeKind::Opaque => accept_object(value).map(Self::Opaque),
        }
    }

    /// The nodes that this one names, each with the member that names it.
    pub(super) fn references(&self) -> Vec<Reference<'_>> {
        match self {
            Self::Document(node) => node.references().collect(),
            Self::Scope(node) => node.references().collect(),
            Self::Element(node) => node.references().collect(),
            Self::Opaque(node) => node.references().collect(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> NodeKind {
        match self {
            Self::Document(_) => NodeKind::Document,
            Self::Scope(_) => NodeKind::Scope,
            Self::Element(_) => NodeKind::Element,
            Self::Opaque(_) => NodeKind::Opaque,
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Self::Document(node) => node.id.as_str(),
            Self::Scope(node) => node.id.as_str(),
            Self::Element(node) => node.instance_id.as_str(),
            Self::Opaque(node) => node.id.as_str(),
        }
    }
}
