//! The areas of a page, under names that hold in every run.

use crate::naming::{fit, plain, slug};
use crate::place::Place;
use std::collections::{BTreeMap, HashMap, HashSet};
use uiap_protocol::ids::ScopeId;
use uiap_protocol::web::{PageGraph, ScopeKind, ScopeNode};

/// How deep areas may lie in each other.
const DEPTH_MAX: usize = 64;
/// How ids begin that the publisher made up for want of a name; they are others in every run.
const MADE_UP: &str = "scope_";

/// An area of a page.
#[derive(Debug)]
pub struct Area<'g> {
    /// It.
    pub scope: &'g ScopeNode,
    /// What kind: that of the scope, but for a list that is a menu.
    pub kind: ScopeKind,
    /// What it is called inside what surrounds it, and what that is called, and so on.
    pub path: String,
    /// Its name in the package.
    pub id: ScopeId,
    /// The application itself named it.
    pub is_named: bool,
    /// The name in the package of what surrounds it.
    pub parent: Option<ScopeId>,
}

impl Area<'_> {
    /// People would call it a part of the page with a purpose of its own (DSC 15.2).
    pub fn is_of_interest(&self) -> bool {
        let grown = matches!(self.kind, ScopeKind::Page | ScopeKind::Region | ScopeKind::Group);
        !grown || self.is_named || self.scope.name.is_some()
    }

    /// It leads to other places, and everything in it is chosen by the application, not by its data.
    pub fn leads_around(&self) -> bool {
        matches!(self.kind, ScopeKind::Navigation | ScopeKind::Menu | ScopeKind::Toolbar)
    }
}

/// The areas that can be seen, what surrounds before what is inside. Some lists are known to be menus, by their elements.
pub(super) fn areas<'g>(graph: &'g PageGraph, place: &Place, menus: &HashSet<&str>) -> Vec<Area<'g>> {
    let kind_of = |scope: &ScopeNode| {
        let is_menu = scope.element_id.as_ref().is_some_and(|id| menus.contains(id.as_str()));
        if is_menu { ScopeKind::Menu } else { scope.kind }
    };
    let by_id: HashMap<&ScopeId, &ScopeNode> = graph.scopes.iter().map(|scope| (&scope.id, scope)).collect();
    let mut seen: Vec<(usize, &ScopeNode)> = graph
        .scopes
        .iter()
        .filter(|scope| scope.state.as_ref().is_none_or(|state| state.visible != Some(false)))
        .map(|scope| (depth(scope, &by_id), scope))
        .collect();
    seen.sort_by_key(|(depth, _)| *depth);
    let mut named: HashMap<&ScopeId, (String, ScopeId)> = HashMap::new();
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut areas = Vec::with_capacity(seen.len());
    for (_, scope) in seen {
        let around = scope.parent_scope_id.as_ref().and_then(|id| named.get(id)).cloned();
        let (above, parent) = around.map_or((String::new(), None), |(path, id)| (path, Some(id)));
        let is_named = !scope.id.as_str().starts_with(MADE_UP);
        let kind = kind_of(scope);
        let word = if is_named { scope.id.to_string() } else { own_word(scope, kind) };
        let stem = format!("{above}/{word}");
        let count = met.entry(stem.clone()).or_default();
        *count += 1;
        let path = if *count == 1 { stem } else { format!("{stem}~{count}") };
        let id = if is_named { Some(scope.id.clone()) } else { made_id(place, &path) };
        let id = id.unwrap_or_else(|| scope.id.clone());
        named.insert(&scope.id, (path.clone(), id.clone()));
        areas.push(Area { scope, kind, path, id, is_named, parent });
    }
    areas
}

fn depth(scope: &ScopeNode, by_id: &HashMap<&ScopeId, &ScopeNode>) -> usize {
    let mut depth = 0;
    let mut next = scope.parent_scope_id.as_ref();
    while let Some(parent) = next.and_then(|id| by_id.get(id)) {
        depth += 1;
        // A sound graph has no circles; the limit guards against one that is not.
        if depth == DEPTH_MAX {
            break;
        }
        next = parent.parent_scope_id.as_ref();
    }
    depth
}

fn own_word(scope: &ScopeNode, kind: ScopeKind) -> String {
    let name = scope.name.as_deref().map(plain).unwrap_or_default();
    if name.is_empty() { kind.to_string() } else { format!("{kind}:{name}") }
}

/// A name for an area that has none: where it is and what it is called.
fn made_id(place: &Place, path: &str) -> Option<ScopeId> {
    let words: Vec<_> = path.split('/').map(slug).filter(|word| !word.is_empty() && word != "page").collect();
    let id = std::iter::once(place.route_id.to_string()).chain(words).collect::<Vec<_>>().join(".");
    ScopeId::new(fit(&id)).ok()
}
