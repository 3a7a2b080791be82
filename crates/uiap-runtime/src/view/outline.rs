//! What stands in what: the page as blocks (areas and rows) that hold things and other blocks, in document order.
//!
//! Start at [`Outline::of`]. An area that says nothing, such as a region without a name, is no block: what stands in
//! it stands in the block around it. Every block is younger than the one around it, so a page that contradicts
//! itself cannot make a walk endless.

use super::line::{is_actionable, is_message};
use super::refs::{PAGE, RefError, Refs};
use super::style::OptionStyle;
use std::collections::{HashMap, HashSet};
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, ScopeId};
use uiap_protocol::web::{ElementNode, PageGraph, ScopeKind, ScopeNode};

/// Most blocks around a block; what is deeper stands in the last one.
const DEPTH_MAX: usize = 32;

/// The place of a block.
pub(super) type BlockId = usize;
/// The block around everything.
pub(super) const WHOLE_PAGE: BlockId = 0;

/// What a block is.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'g> {
    Page,
    Area {
        scope: &'g ScopeNode,
        element: Option<&'g ElementNode>,
    },
    Row(&'g ElementNode),
    /// An element that somebody asked to look into.
    Part(&'g ElementNode),
}

/// What stands in a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'g> {
    Thing(&'g ElementNode),
    Block(BlockId),
}

#[derive(Debug)]
pub(super) struct Block<'g> {
    pub(super) what: What<'g>,
    pub(super) depth: usize,
    pub(super) entries: Vec<Entry<'g>>,
}

/// A page, laid out for being written.
pub(super) struct Outline<'g> {
    pub(super) graph: &'g PageGraph,
    pub(super) refs: Refs<'g>,
    pub(super) style: OptionStyle,
    blocks: Vec<Block<'g>>,
    /// Blocks that have anything to say.
    spoken: Vec<bool>,
    of_scope: HashMap<&'g str, BlockId>,
    of_element: HashMap<&'g str, BlockId>,
    cells: HashMap<&'g str, &'g str>,
}

impl<'g> Outline<'g> {
    /// Lays a page out. What somebody wants to look into is a block, whatever it is.
    pub(super) fn of(
        graph: &'g PageGraph,
        wanted: Option<&str>,
        style: OptionStyle,
    ) -> Result<Self, RefError> {
        let refs = Refs::of(graph);
        let mut builder = Builder::new(graph);
        if let Some(wanted) = wanted.filter(|wanted| *wanted != PAGE) {
            let scope = graph.scopes.iter().find(|scope| scope.id.as_str() == wanted);
            match (scope, refs.resolve(wanted)) {
                (_, Ok(element)) => builder.force(element.instance_id.as_str()),
                // Scopes without an element have no other name.
                (Some(scope), Err(RefError::Unknown { .. })) => builder.force(scope.id.as_str()),
                (_, Err(error)) => return Err(error),
            }
        }
        for modal in graph.modal_stack.iter().flatten() {
            builder.force(modal.as_str());
        }
        builder.build();
        let Builder { blocks, of_scope, of_element, cells, .. } = builder;
        let mut outline =
            Self { graph, refs, style, blocks, spoken: Vec::new(), of_scope, of_element, cells };
        outline.spoken = outline.find_spoken();
        Ok(outline)
    }

    pub(super) fn block(&self, id: BlockId) -> &Block<'g> {
        // Every id comes from this list, and the page is always in it.
        self.blocks.get(id).or(self.blocks.first()).unwrap_or(const { &NOTHING })
    }

    /// The block of an area that was asked for.
    pub(super) fn wanted(&self, wanted: &str) -> BlockId {
        let by_element = || {
            let element = self.refs.resolve(wanted).ok()?;
            self.of_element.get(element.instance_id.as_str())
        };
        by_element().or_else(|| self.of_scope.get(wanted)).copied().unwrap_or(WHOLE_PAGE)
    }

    /// An element by its id.
    pub(super) fn element(&self, id: &str) -> Option<&'g ElementNode> {
        self.refs.by_instance(id)
    }

    /// The block that an element is.
    pub(super) fn block_of(&self, element: &str) -> Option<BlockId> {
        self.of_element.get(element).copied()
    }

    /// The block that holds what stands in a scope.
    pub(super) fn block_of_scope(&self, scope: &str) -> Option<BlockId> {
        self.of_scope.get(scope).copied()
    }

    /// The dialog that keeps everything else from being used.
    pub(super) fn modal(&self) -> Option<BlockId> {
        let top = self.graph.modal_stack.iter().flatten().next_back()?;
        self.of_scope.get(top.as_str()).copied()
    }

    /// What stands in a block and has anything to say; not the cells, which only hold the texts of a row.
    pub(super) fn entries(&self, id: BlockId) -> impl Iterator<Item = Entry<'g>> + '_ {
        let speaks = |entry: &Entry<'_>| match entry {
            Entry::Thing(thing) => !is_text_of_row(thing),
            Entry::Block(block) => self.spoken.get(*block) == Some(&true),
        };
        self.block(id).entries.iter().copied().filter(speaks)
    }

    /// The things of a row with their cells, and the cells themselves.
    pub(super) fn things_of_row(&self, id: BlockId) -> impl Iterator<Item = &'g ElementNode> + '_ {
        self.block(id).entries.iter().filter_map(|entry| match entry {
            Entry::Thing(thing) => Some(*thing),
            Entry::Block(_) => None,
        })
    }

    /// The cell that a thing of a row stands in.
    pub(super) fn cell_of(&self, thing: &ElementNode) -> Option<&'g str> {
        self.cells.get(thing.instance_id.as_str()).copied()
    }

    /// How a block is called, where somebody may want to look into it.
    pub(super) fn reference(&self, id: BlockId) -> String {
        match self.block(id).what {
            What::Page => PAGE.to_owned(),
            What::Area { scope, .. } => self.refs.of_scope(scope),
            What::Row(element) | What::Part(element) => self.refs.of_element(element),
        }
    }

    fn find_spoken(&self) -> Vec<bool> {
        let mut spoken = vec![false; self.blocks.len()];
        for (id, block) in self.blocks.iter().enumerate().rev() {
            let inside = block.entries.iter().any(|entry| match entry {
                Entry::Thing(thing) => !is_text_of_row(thing) || has_name(thing),
                Entry::Block(inner) => spoken.get(*inner) == Some(&true),
            });
            let itself = match block.what {
                What::Page | What::Part(_) => true,
                What::Area { element, .. } => element.is_some_and(is_actionable),
                What::Row(element) => is_actionable(element) || has_name(element),
            };
            if let Some(spoken) = spoken.get_mut(id) {
                *spoken = inside || itself;
            }
        }
        spoken
    }
}

const NOTHING: Block<'static> = Block { what: What::Page, depth: 0, entries: Vec::new() };

struct Builder<'g> {
    graph: &'g PageGraph,
    blocks: Vec<Block<'g>>,
    /// Scopes by the element they belong to.
    scopes: HashMap<&'g str, &'g ScopeNode>,
    /// Elements and scopes that are blocks because somebody asked for them.
    forced: HashSet<String>,
    of_scope: HashMap<&'g str, BlockId>,
    of_element: HashMap<&'g str, BlockId>,
    /// The block that holds what stands in an element.
    inner: HashMap<&'g str, BlockId>,
    /// The cell that an element is, or stands in.
    cells: HashMap<&'g str, &'g str>,
}

impl<'g> Builder<'g> {
    fn new(graph: &'g PageGraph) -> Self {
        let of_element = |scope: &'g ScopeNode| {
            scope.element_id.as_ref().map(ElementInstanceId::as_str).map(|id| (id, scope))
        };
        Self {
            graph,
            blocks: vec![Block { what: What::Page, depth: 0, entries: Vec::new() }],
            // The first scope of an element counts.
            scopes: graph.scopes.iter().rev().filter_map(of_element).collect(),
            forced: HashSet::new(),
            of_scope: HashMap::new(),
            of_element: HashMap::new(),
            inner: HashMap::new(),
            cells: HashMap::new(),
        }
    }

    fn force(&mut self, id: &str) {
        self.forced.insert(id.to_owned());
    }

    fn build(&mut self) {
        for scope in self.graph.scopes.iter().filter(|scope| scope.element_id.is_none()) {
            let around = scope.parent_scope_id.as_ref().map_or(WHOLE_PAGE, |id| self.in_scope(id));
            let what = What::Area { scope, element: None };
            let block = if self.is_block(scope, None, around) { self.open(what, around) } else { around };
            self.of_scope.insert(scope.id.as_str(), block);
        }
        for element in &self.graph.elements {
            self.place(element);
        }
        // Scopes whose element is not the first to name them stand where that element stands.
        for scope in &self.graph.scopes {
            if let Some(element) = &scope.element_id {
                let block = self.inner.get(element.as_str()).copied().unwrap_or(WHOLE_PAGE);
                self.of_scope.entry(scope.id.as_str()).or_insert(block);
            }
        }
    }

    fn place(&mut self, element: &'g ElementNode) {
        let id = element.instance_id.as_str();
        let parent = element.parent_id.as_ref().map(ElementInstanceId::as_str);
        let around = parent.and_then(|parent| self.inner.get(parent).copied());
        let around = around.or_else(|| element.scope_id.as_ref().map(|scope| self.in_scope(scope)));
        let around = around.unwrap_or(WHOLE_PAGE);
        if self.is_in_row(around) {
            let own = (element.role == Role::Cell).then_some(id);
            let cell = own.or_else(|| parent.and_then(|parent| self.cells.get(parent).copied()));
            self.cells.extend(cell.map(|cell| (id, cell)));
        }
        let block = self.what_is(element, around).map(|what| self.open(what, around));
        match block {
            Some(block) => {
                self.of_element.insert(id, block);
            }
            None if is_actionable(element) || is_message(element) => self.put(around, Entry::Thing(element)),
            None if element.role == Role::Cell && self.is_in_row(around) => {
                self.put(around, Entry::Thing(element));
            }
            None => {}
        }
        let inner = block.unwrap_or(around);
        self.inner.insert(id, inner);
        if let Some(scope) = self.scopes.get(id) {
            self.of_scope.insert(scope.id.as_str(), inner);
        }
    }

    /// What kind of block an element is, if it is one.
    fn what_is(&self, element: &'g ElementNode, around: BlockId) -> Option<What<'g>> {
        if self.is_too_deep(around) && !self.is_forced(element) {
            return None;
        }
        if is_row(element) {
            return Some(What::Row(element));
        }
        match self.scopes.get(element.instance_id.as_str()) {
            Some(scope) if self.is_block(scope, Some(element), around) => {
                Some(What::Area { scope, element: Some(element) })
            }
            _ => self.is_forced(element).then_some(What::Part(element)),
        }
    }

    fn is_block(&self, scope: &ScopeNode, element: Option<&ElementNode>, around: BlockId) -> bool {
        if self.forced.contains(scope.id.as_str()) || element.is_some_and(|element| self.is_forced(element)) {
            return true;
        }
        if self.is_in_row(around) && !stands_out(scope.kind) || self.is_too_deep(around) {
            return false;
        }
        let silent = matches!(
            scope.kind,
            ScopeKind::Page | ScopeKind::Region | ScopeKind::Group | ScopeKind::Custom | ScopeKind::Frame
        );
        let named =
            scope.stable_id.is_some() || scope.name.as_ref().is_some_and(|name| !name.trim().is_empty());
        !silent || named || element.is_some_and(is_actionable)
    }

    fn is_forced(&self, element: &ElementNode) -> bool {
        let id = element.instance_id.as_str();
        let scope = self.scopes.get(id);
        self.forced.contains(id) || scope.is_some_and(|scope| self.forced.contains(scope.id.as_str()))
    }

    fn in_scope(&self, scope: &ScopeId) -> BlockId {
        self.of_scope.get(scope.as_str()).copied().unwrap_or(WHOLE_PAGE)
    }

    fn is_in_row(&self, block: BlockId) -> bool {
        self.blocks.get(block).is_some_and(|block| matches!(block.what, What::Row(_)))
    }

    fn is_too_deep(&self, around: BlockId) -> bool {
        self.blocks.get(around).is_some_and(|block| block.depth >= DEPTH_MAX)
    }

    fn open(&mut self, what: What<'g>, around: BlockId) -> BlockId {
        let id = self.blocks.len();
        let depth = self.blocks.get(around).map_or(0, |block| block.depth) + 1;
        self.blocks.push(Block { what, depth, entries: Vec::new() });
        self.put(around, Entry::Block(id));
        id
    }

    fn put(&mut self, block: BlockId, entry: Entry<'g>) {
        if let Some(block) = self.blocks.get_mut(block) {
            block.entries.push(entry);
        }
    }
}

/// Areas that are shown apart even inside a row.
fn stands_out(kind: ScopeKind) -> bool {
    matches!(
        kind,
        ScopeKind::Dialog
            | ScopeKind::Drawer
            | ScopeKind::Menu
            | ScopeKind::Popover
            | ScopeKind::List
            | ScopeKind::Table
            | ScopeKind::Grid
            | ScopeKind::Tree
    )
}

fn is_row(element: &ElementNode) -> bool {
    matches!(element.role, Role::Row | Role::Listitem | Role::Treeitem)
}

/// Whether an element is there only for the text it brings into a row.
pub(super) fn is_text_of_row(element: &ElementNode) -> bool {
    element.role == Role::Cell && !is_actionable(element)
}

fn has_name(element: &ElementNode) -> bool {
    element.name.as_ref().is_some_and(|name| !name.trim().is_empty())
}
