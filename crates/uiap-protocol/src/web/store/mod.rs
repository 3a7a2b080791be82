//! A consumer's copy of the page: a snapshot, kept current by deltas.
//!
//! Applying a delta costs what the delta is long, whatever the size of the page. A delta is applied whole or not
//! at all.

mod ordered;
mod relevance;
mod staging;

use super::{
    DocumentNode, ElementNode, Focus, GraphNode, NodeKind, OpaqueRegion, PageGraph, RouteState, ScopeNode,
    WebStateDelta,
};
use crate::finding::Finding;
use crate::ids::{ElementInstanceId, RevisionId, ScopeId, StableId};
use crate::wire::JsonObject;
use ordered::Ordered;
use relevance::differ;
use staging::{Change, stage};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Most changes of elements that are remembered.
const PAST_MAX: usize = 2_048;

/// Why a delta was refused. The store is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum DeltaError {
    /// The delta belongs to another revision; ask for a snapshot.
    #[error("the delta applies to revision {base}, but the store is at {current}")]
    UnknownBase {
        /// What the delta applies to.
        base: RevisionId,
        /// Where the store is.
        current: RevisionId,
    },
    /// The delta leads to where it starts.
    #[error("the delta leads from revision {revision} to itself")]
    SameRevision {
        /// The revision.
        revision: RevisionId,
    },
    /// The delta skips or repeats a number.
    #[error("the delta has number {found}; {expected} would follow")]
    OutOfSequence {
        /// What would follow.
        expected: u64,
        /// What came.
        found: u64,
    },
    /// Something is added that is there already.
    #[error("there is a {kind} {id:?} already")]
    AlreadyThere {
        /// Of what kind.
        kind: NodeKind,
        /// Which.
        id: String,
    },
    /// Something is changed, removed or used as a landmark that is not there.
    #[error("there is no {kind} {id:?}")]
    NotThere {
        /// Of what kind.
        kind: NodeKind,
        /// Which.
        id: String,
    },
    /// Something is removed that other nodes still name.
    #[error("the {kind} {id:?} is removed, but other nodes still name it")]
    StillNamed {
        /// Of what kind.
        kind: NodeKind,
        /// Which.
        id: String,
    },
    /// What an operation leads to is not a legal node.
    #[error("the {kind} {id:?} would not be legal: {}", findings.first().map_or("", |finding| &finding.message))]
    Illegal {
        /// Of what kind.
        kind: NodeKind,
        /// Which.
        id: String,
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
}

/// A page that is followed.
#[derive(Debug)]
pub struct GraphStore {
    /// Everything but the four lists, which are kept below.
    head: PageGraph,
    documents: Ordered<DocumentNode>,
    scopes: Ordered<ScopeNode>,
    elements: Ordered<ElementNode>,
    opaque: Ordered<OpaqueRegion>,
    by_stable_id: HashMap<StableId, BTreeSet<ElementInstanceId>>,
    by_scope: HashMap<ScopeId, BTreeSet<ElementInstanceId>>,
    /// How many nodes name a node.
    references: HashMap<NodeKey, usize>,
    stirs: u64,
    /// The revision of the snapshot.
    began_at: RevisionId,
    past: VecDeque<Past>,
    /// The last number of a revision of which something was forgotten.
    forgotten: Option<u64>,
}

/// An element as it was before it changed.
#[derive(Clone, Debug)]
struct Past {
    /// At this revision it still was so.
    seq: u64,
    id: ElementInstanceId,
    /// Nothing, if it was not there.
    was: Option<Box<ElementNode>>,
}

/// Names a node of any list.
type NodeKey = (NodeKind, String);

impl GraphStore {
    /// Starts from a snapshot.
    pub fn new(mut graph: PageGraph) -> Self {
        let documents = std::mem::take(&mut graph.documents);
        let scopes = std::mem::take(&mut graph.scopes);
        let elements = std::mem::take(&mut graph.elements);
        let opaque = graph.opaque_regions.take().unwrap_or_default();
        let mut store = Self {
            began_at: graph.revision.clone(),
            head: graph,
            documents: Ordered::default(),
            scopes: Ordered::default(),
            elements: Ordered::default(),
            opaque: Ordered::default(),
            by_stable_id: HashMap::new(),
            by_scope: HashMap::new(),
            references: HashMap::new(),
            stirs: 0,
            past: VecDeque::new(),
            forgotten: None,
        };
        documents.into_iter().for_each(|node| store.put(GraphNode::Document(node), None));
        scopes.into_iter().for_each(|node| store.put(GraphNode::Scope(node), None));
        elements.into_iter().for_each(|node| store.put(GraphNode::Element(Box::new(node)), None));
        opaque.into_iter().for_each(|node| store.put(GraphNode::Opaque(node), None));
        store.past.clear();
        store.forgotten = None;
        store
    }

    /// The revision the store is at.
    pub fn revision(&self) -> &RevisionId {
        &self.head.revision
    }

    /// The number of that revision.
    pub fn seq(&self) -> u64 {
        self.head.seq
    }

    /// Grows with every revision that brings a change that matters (R013-7.1); not when only the focus moves, something
    /// is drawn elsewhere or the pointer is over something else.
    pub fn stirs(&self) -> u64 {
        self.stirs
    }

    /// The revision of the snapshot that the store began with. A page that was read anew has another one.
    pub fn began_at(&self) -> &RevisionId {
        &self.began_at
    }

    /// The elements that say something else than at the revision of this number, each as it was then; nothing where it
    /// was not there. Unknown, if too much has happened since.
    pub fn changed_since(&self, seq: u64) -> Option<Vec<(&ElementInstanceId, Option<&ElementNode>)>> {
        if self.forgotten.is_some_and(|forgotten| forgotten >= seq) {
            return None;
        }
        let mut seen = HashSet::new();
        let since = self.past.iter().filter(|past| past.seq >= seq && seen.insert(&past.id));
        Some(since.map(|past| (&past.id, past.was.as_deref())).collect())
    }

    /// How often elements came to say something else since the revision of this number, as far as it is remembered.
    pub fn changes_since(&self, seq: u64) -> HashMap<&ElementInstanceId, usize> {
        let mut counts = HashMap::new();
        for past in self.past.iter().filter(|past| past.seq >= seq) {
            *counts.entry(&past.id).or_default() += 1;
        }
        counts
    }

    /// Where the application is.
    pub fn route(&self) -> &RouteState {
        &self.head.route
    }

    /// The title of the page.
    pub fn title(&self) -> Option<&str> {
        self.head.title.as_deref()
    }

    /// Dialogs on top of each other, the topmost last.
    pub fn modal_stack(&self) -> &[ScopeId] {
        self.head.modal_stack.as_deref().unwrap_or_default()
    }

    /// What has the focus.
    pub fn focus(&self) -> Option<&Focus> {
        self.head.focus.as_ref()
    }

    /// An element by its instance id.
    pub fn element(&self, id: &str) -> Option<&ElementNode> {
        self.elements.get(id)
    }

    /// A scope by its id.
    pub fn scope(&self, id: &str) -> Option<&ScopeNode> {
        self.scopes.get(id)
    }

    /// A document by its id.
    pub fn document(&self, id: &str) -> Option<&DocumentNode> {
        self.documents.get(id)
    }

    /// All scopes, in document order.
    pub fn scopes(&self) -> impl Iterator<Item = &ScopeNode> {
        self.scopes.iter()
    }

    /// All documents.
    pub fn documents(&self) -> impl Iterator<Item = &DocumentNode> {
        self.documents.iter()
    }

    /// All elements, in document order.
    pub fn elements(&self) -> impl Iterator<Item = &ElementNode> {
        self.elements.iter()
    }

    /// Every element that has a stable id; more than one means that the page is ambiguous.
    pub fn by_stable_id(&self, id: &str) -> impl Iterator<Item = &ElementNode> {
        self.by_stable_id.get(id).into_iter().flatten().filter_map(|id| self.elements.get(id.as_str()))
    }

    /// The elements of a scope, in the order of their ids.
    pub fn in_scope(&self, id: &str) -> impl Iterator<Item = &ElementNode> {
        self.by_scope.get(id).into_iter().flatten().filter_map(|id| self.elements.get(id.as_str()))
    }

    /// The whole page as a snapshot.
    pub fn graph(&self) -> PageGraph {
        let mut graph = self.head.clone();
        graph.documents = self.documents.iter().cloned().collect();
        graph.scopes = self.scopes.iter().cloned().collect();
        graph.elements = self.elements.iter().cloned().collect();
        let opaque: Vec<_> = self.opaque.iter().cloned().collect();
        graph.opaque_regions = (!opaque.is_empty()).then_some(opaque);
        graph
    }

    /// The same page at the same revision with edited contents: `graph` has the nodes of this store, and `past` is what
    /// elements were before they changed. For a reader who may not see everything.
    #[must_use]
    pub fn with_contents(&self, graph: PageGraph, edit_past: impl Fn(&mut ElementNode)) -> Self {
        let mut copy = Self::new(graph);
        copy.stirs = self.stirs;
        copy.began_at = self.began_at.clone();
        copy.past.clone_from(&self.past);
        copy.past.iter_mut().filter_map(|past| past.was.as_deref_mut()).for_each(edit_past);
        copy.forgotten = self.forgotten;
        copy
    }

    /// Brings the store to the next revision, or leaves it as it is and says why.
    pub fn apply(&mut self, delta: &WebStateDelta) -> Result<(), DeltaError> {
        if delta.base_revision != self.head.revision {
            return Err(DeltaError::UnknownBase {
                base: delta.base_revision.clone(),
                current: self.head.revision.clone(),
            });
        }
        if delta.revision == delta.base_revision {
            return Err(DeltaError::SameRevision { revision: delta.revision.clone() });
        }
        let expected = self.head.seq.saturating_add(1);
        if delta.seq != expected {
            return Err(DeltaError::OutOfSequence { expected, found: delta.seq });
        }
        let mut stirred = delta.route.is_some() || delta.modal_stack.is_some();
        for change in stage(self, delta)? {
            match change {
                Change::Put { node, before } => {
                    stirred = true;
                    self.put(node, before.as_deref());
                }
                Change::Swap { node } => stirred |= self.swap(node),
                Change::Remove { kind, id } => {
                    stirred = true;
                    self.remove(kind, &id);
                }
            }
        }
        self.stirs = self.stirs.saturating_add(u64::from(stirred));
        self.head.revision = delta.revision.clone();
        self.head.seq = delta.seq;
        self.head.captured_at = delta.at.clone();
        replace(&mut self.head.title, delta.title.as_ref(), String::is_empty);
        replace(&mut self.head.locale, delta.locale.as_ref(), |locale| locale.as_str() == UNDETERMINED);
        replace(&mut self.head.focus, delta.focus.as_ref(), |focus| *focus == Focus::default());
        replace(&mut self.head.modal_stack, delta.modal_stack.as_ref(), Vec::is_empty);
        replace(&mut self.head.truncated, delta.truncated.as_ref(), |truncated| !truncated);
        replace(&mut self.head.redacted, delta.redacted.as_ref(), |redacted| !redacted);
        replace(&mut self.head.metadata, delta.metadata.as_ref(), JsonObject::is_empty);
        if let Some(route) = &delta.route {
            self.head.route = route.clone();
        }
        Ok(())
    }

    fn node(&self, kind: NodeKind, id: &str) -> Option<GraphNode> {
        match kind {
            NodeKind::Document => self.documents.get(id).cloned().map(GraphNode::Document),
            NodeKind::Scope => self.scopes.get(id).cloned().map(GraphNode::Scope),
            NodeKind::Element => {
                self.elements.get(id).cloned().map(|node| GraphNode::Element(Box::new(node)))
            }
            NodeKind::Opaque => self.opaque.get(id).cloned().map(GraphNode::Opaque),
        }
    }

    fn has(&self, kind: NodeKind, id: &str) -> bool {
        match kind {
            NodeKind::Document => self.documents.get(id).is_some(),
            NodeKind::Scope => self.scopes.get(id).is_some(),
            NodeKind::Element => self.elements.get(id).is_some(),
            NodeKind::Opaque => self.opaque.get(id).is_some(),
        }
    }

    /// Inserts a node, or moves and replaces the one with the same id.
    fn put(&mut self, node: GraphNode, before: Option<&str>) {
        self.remove(node.kind(), node.id());
        self.count_references(&node, true);
        let id = node.id().to_owned();
        match node {
            GraphNode::Document(node) => self.documents.insert(id, node, before),
            GraphNode::Scope(node) => self.scopes.insert(id, node, before),
            GraphNode::Opaque(node) => self.opaque.insert(id, node, before),
            GraphNode::Element(node) => {
                self.index(&node.instance_id, (node.scope_id.clone(), node.stable_id.clone()));
                self.remember(node.instance_id.clone(), None);
                self.elements.insert(id, *node, before);
            }
        }
    }

    /// Replaces a node where it stands; whether that is a change that matters.
    fn swap(&mut self, node: GraphNode) -> bool {
        let stirs = self.says_something_else(&node);
        self.count_references(&node, true);
        let id = node.id().to_owned();
        let old = match node {
            GraphNode::Document(node) => self.documents.swap(&id, node).map(GraphNode::Document),
            GraphNode::Scope(node) => self.scopes.swap(&id, node).map(GraphNode::Scope),
            GraphNode::Opaque(node) => self.opaque.swap(&id, node).map(GraphNode::Opaque),
            GraphNode::Element(node) => {
                let keys = (node.scope_id.clone(), node.stable_id.clone());
                let old = self.elements.swap(&id, *node);
                if let Some(old) = &old
                    && (&old.scope_id, &old.stable_id) != (&keys.0, &keys.1)
                {
                    self.unindex(old);
                    self.index(&old.instance_id, keys);
                }
                old.map(|old| GraphNode::Element(Box::new(old)))
            }
        };
        if let Some(old) = old {
            self.count_references(&old, false);
            if let (GraphNode::Element(old), true) = (old, stirs) {
                self.remember(old.instance_id.clone(), Some(old));
            }
        }
        stirs
    }

    fn says_something_else(&self, new: &GraphNode) -> bool {
        match new {
            GraphNode::Element(new) => {
                self.elements.get(new.instance_id.as_str()).is_none_or(|old| differ(old, new))
            }
            GraphNode::Scope(new) => self.scopes.get(new.id.as_str()) != Some(new),
            GraphNode::Document(new) => self.documents.get(new.id.as_str()) != Some(new),
            GraphNode::Opaque(_) => false,
        }
    }

    fn remember(&mut self, id: ElementInstanceId, was: Option<Box<ElementNode>>) {
        if self.past.len() == PAST_MAX {
            self.forgotten = self.past.pop_front().map(|past| past.seq);
        }
        self.past.push_back(Past { seq: self.head.seq, id, was });
    }

    fn remove(&mut self, kind: NodeKind, id: &str) {
        let old = match kind {
            NodeKind::Document => self.documents.remove(id).map(GraphNode::Document),
            NodeKind::Scope => self.scopes.remove(id).map(GraphNode::Scope),
            NodeKind::Opaque => self.opaque.remove(id).map(GraphNode::Opaque),
            NodeKind::Element => self.elements.remove(id).map(|old| GraphNode::Element(Box::new(old))),
        };
        if let Some(old) = old {
            self.count_references(&old, false);
            if let GraphNode::Element(element) = old {
                self.unindex(&element);
                self.remember(element.instance_id.clone(), Some(element));
            }
        }
    }

    fn count_references(&mut self, node: &GraphNode, named: bool) {
        for (_, kind, id) in node.references() {
            let key = (kind, id.to_owned());
            let before = self.references.get(&key).copied().unwrap_or_default();
            // Ids are never reused, so what nobody names is forgotten.
            match if named { before + 1 } else { before.saturating_sub(1) } {
                0 => self.references.remove(&key),
                count => self.references.insert(key, count),
            };
        }
    }

    fn index(&mut self, id: &ElementInstanceId, (scope, stable): (Option<ScopeId>, Option<StableId>)) {
        if let Some(scope) = scope {
            self.by_scope.entry(scope).or_default().insert(id.clone());
        }
        if let Some(stable) = stable {
            self.by_stable_id.entry(stable).or_default().insert(id.clone());
        }
    }

    fn unindex(&mut self, node: &ElementNode) {
        if let Some(id) = &node.stable_id {
            forget(&mut self.by_stable_id, id, &node.instance_id);
        }
        if let Some(id) = &node.scope_id {
            forget(&mut self.by_scope, id, &node.instance_id);
        }
    }
}

/// Takes an element out of an index and leaves no empty entry behind.
fn forget<K: std::hash::Hash + Eq>(
    index: &mut HashMap<K, BTreeSet<ElementInstanceId>>,
    key: &K,
    id: &ElementInstanceId,
) {
    if let Some(ids) = index.get_mut(key) {
        ids.remove(id);
        if ids.is_empty() {
            index.remove(key);
        }
    }
}

/// A language that nobody says, by BCP 47.
const UNDETERMINED: &str = "und";

/// Takes what a delta says; what says nothing takes the member away.
fn replace<T: Clone>(slot: &mut Option<T>, new: Option<&T>, says_nothing: impl Fn(&T) -> bool) {
    if let Some(new) = new {
        *slot = (!says_nothing(new)).then(|| new.clone());
    }
}
