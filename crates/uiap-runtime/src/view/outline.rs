//! What stands in what: scopes in their order, elements in their scopes, rows as one line.

use super::line::{element_line, is_actionable, is_message, quoted, reference};
use super::{ROWS_SHOWN_MAX, ViewOptions};
use std::collections::{HashMap, HashSet};
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, ScopeId};
use uiap_protocol::web::{ElementNode, PageGraph, ScopeNode};

/// A page, indexed for being written out.
pub(super) struct Outline<'g> {
    graph: &'g PageGraph,
    scopes: HashMap<&'g str, &'g ScopeNode>,
    /// Elements with their place in the document.
    elements: HashMap<&'g str, (usize, &'g ElementNode)>,
    by_scope: HashMap<Option<&'g str>, Vec<&'g ElementNode>>,
    children: HashMap<&'g str, Vec<&'g ElementNode>>,
    /// Elements that are areas.
    areas: HashSet<&'g str>,
}

impl<'g> Outline<'g> {
    pub(super) fn of(graph: &'g PageGraph) -> Self {
        let mut by_scope: HashMap<_, Vec<_>> = HashMap::new();
        let mut children: HashMap<_, Vec<_>> = HashMap::new();
        for element in &graph.elements {
            by_scope.entry(element.scope_id.as_ref().map(ScopeId::as_str)).or_default().push(element);
            if let Some(parent) = &element.parent_id {
                children.entry(parent.as_str()).or_default().push(element);
            }
        }
        Self {
            graph,
            scopes: graph.scopes.iter().map(|scope| (scope.id.as_str(), scope)).collect(),
            elements: graph
                .elements
                .iter()
                .enumerate()
                .map(|(place, element)| (element.instance_id.as_str(), (place, element)))
                .collect(),
            by_scope,
            children,
            areas: graph
                .scopes
                .iter()
                .filter_map(|scope| scope.element_id.as_ref())
                .map(ElementInstanceId::as_str)
                .collect(),
        }
    }

    /// The page itself, then its scopes. The topmost dialog hides everything else.
    pub(super) fn scopes_in_order(&self) -> Vec<Option<&'g ScopeNode>> {
        let modal = self.graph.modal_stack.iter().flatten().next_back().map(ScopeId::as_str);
        let reachable = |scope: &&ScopeNode| modal.is_none_or(|modal| self.is_within(Some(scope), modal));
        let scopes = self.graph.scopes.iter().filter(reachable).map(Some);
        let page = modal.is_none().then_some(None);
        page.into_iter().chain(scopes).collect()
    }

    /// How many of the shown scopes surround a scope.
    pub(super) fn depth_among(&self, scope: &ScopeNode, shown: &HashSet<&str>) -> usize {
        self.ancestors(scope).into_iter().filter(|around| shown.contains(around.id.as_str())).count()
    }

    fn parent(&self, scope: &ScopeNode) -> Option<&'g ScopeNode> {
        self.scopes.get(scope.parent_scope_id.as_ref()?.as_str()).copied()
    }

    /// The scopes around a scope, nearest first. A page that contradicts itself cannot make this endless.
    fn ancestors(&self, scope: &ScopeNode) -> Vec<&'g ScopeNode> {
        let mut seen = HashSet::from([scope.id.as_str()]);
        let mut ancestors = Vec::new();
        let mut next = self.parent(scope);
        while let Some(scope) = next.filter(|scope| seen.insert(scope.id.as_str())) {
            ancestors.push(scope);
            next = self.parent(scope);
        }
        ancestors
    }

    /// Whether a scope is the one with this id or stable id, or lies in it.
    pub(super) fn is_within(&self, scope: Option<&ScopeNode>, wanted: &str) -> bool {
        let is = |scope: &ScopeNode| {
            scope.id.as_str() == wanted || scope.stable_id.as_ref().is_some_and(|id| id.as_str() == wanted)
        };
        scope.is_some_and(|scope| is(scope) || self.ancestors(scope).into_iter().any(is))
    }

    /// The lines of one scope.
    pub(super) fn lines_of(&self, scope: Option<&str>, options: &ViewOptions) -> Vec<String> {
        let elements = self.by_scope.get(&scope).map(Vec::as_slice).unwrap_or_default();
        let mut lines = Vec::new();
        let mut rows = Vec::new();
        for element in elements {
            if is_row(element) {
                rows.extend(self.row_line(element));
            } else if !self.stands_in_row(element) && !self.is_scope(element) && matters(element) {
                lines.push(element_line(element));
            }
        }
        lines.retain(|line| options.wants(line));
        rows.retain(|line| options.wants(line));
        let hidden = rows.len().saturating_sub(ROWS_SHOWN_MAX);
        lines.extend(rows.into_iter().take(ROWS_SHOWN_MAX));
        if hidden > 0 {
            lines.push(format!("... {hidden} more rows; --find TEXT shows the rows with a text"));
        }
        lines
    }

    /// Whether an element is an area of its own, which has a line already.
    fn is_scope(&self, element: &ElementNode) -> bool {
        self.areas.contains(element.instance_id.as_str())
    }

    fn stands_in_row(&self, element: &ElementNode) -> bool {
        let mut seen = HashSet::new();
        let mut next = element.parent_id.as_ref();
        while let Some(id) = next.filter(|id| seen.insert(id.as_str())) {
            let Some((_, parent)) = self.elements.get(id.as_str()) else { return false };
            if is_row(parent) {
                return true;
            }
            next = parent.parent_id.as_ref();
        }
        false
    }

    /// A row as one line: what its cells say, then what can be done in it.
    fn row_line(&self, row: &ElementNode) -> Option<String> {
        let inside = self.descendants(row);
        let cells = inside.iter().filter(|element| element.role == Role::Cell && !is_actionable(element));
        let cells = cells.filter(|cell| !self.only_names_deeds(cell));
        let texts: Vec<_> =
            cells.filter_map(|cell| cell.name.as_deref()).filter(|name| !name.is_empty()).collect();
        let deeds = inside.iter().filter(|element| is_actionable(element));
        let deeds: Vec<_> = deeds
            .map(|deed| format!("{}:{}", reference(deed), quoted(deed.name.as_deref().unwrap_or_default())))
            .collect();
        let said = if texts.is_empty() { row.name.clone().unwrap_or_default() } else { texts.join(" | ") };
        if said.is_empty() && deeds.is_empty() {
            return None;
        }
        let deeds = if deeds.is_empty() { String::new() } else { format!(" {}", deeds.join(" ")) };
        Some(format!("{} {}{deeds}", reference(row), quoted(&said)))
    }

    /// Whether a cell says nothing but the names of what can be done in it.
    fn only_names_deeds(&self, cell: &ElementNode) -> bool {
        let inside = self.descendants(cell);
        let deeds =
            inside.iter().filter(|element| is_actionable(element)).filter_map(|deed| deed.name.as_deref());
        let named: Vec<_> = deeds.flat_map(str::split_whitespace).collect();
        let said: Vec<_> = cell.name.as_deref().unwrap_or_default().split_whitespace().collect();
        !named.is_empty() && named == said
    }

    fn descendants(&self, element: &ElementNode) -> Vec<&'g ElementNode> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![element.instance_id.as_str()];
        while let Some(id) = open.pop() {
            for child in self.children.get(id).into_iter().flatten() {
                if seen.insert(child.instance_id.as_str()) {
                    found.push(*child);
                    open.push(child.instance_id.as_str());
                }
            }
        }
        found.sort_by_key(|element| self.elements.get(element.instance_id.as_str()).map(|(place, _)| *place));
        found
    }
}

fn is_row(element: &ElementNode) -> bool {
    matches!(element.role, Role::Row | Role::Listitem | Role::Treeitem)
}

fn matters(element: &ElementNode) -> bool {
    let says_something =
        element.name.as_ref().is_some_and(|name| !name.is_empty()) || element.state.ui.busy == Some(true);
    is_actionable(element) || (is_message(element) && says_something)
}
