//! Finds again what was meant, also after the page was drawn anew.

use super::text::folded;
use uiap_protocol::capability::TargetRef;
use uiap_protocol::ids::Text;
use uiap_protocol::web::{ElementNode, GraphStore, ScopeNode};

/// Most scopes around an element.
const SCOPE_DEPTH_MAX: usize = 64;
/// Most elements around an element.
const ELEMENT_DEPTH_MAX: usize = 256;

/// The element as it is now: the same one, or the only one that took its place. Nothing, if it is gone.
pub(super) fn followed<'p>(page: &'p GraphStore, target: &ElementNode) -> Option<&'p ElementNode> {
    if let Some(same) = page.element(target.instance_id.as_str()) {
        return Some(same);
    }
    if let Some(stable_id) = &target.stable_id {
        return only(page.by_stable_id(stable_id.as_str()).filter(|found| found.role == target.role));
    }
    let name = folded(target.name.as_deref()?);
    let alike = |found: &&ElementNode| {
        found.role == target.role
            && found.document_id == target.document_id
            && found.name.as_deref().is_some_and(|found| folded(found) == name)
    };
    match &target.scope_id {
        Some(scope) => only(page.in_scope(scope.as_str()).filter(alike)),
        None => only(page.elements().filter(|found| found.scope_id.is_none()).filter(alike)),
    }
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// How a signal can name an element.
pub(super) fn reference(element: &ElementNode) -> Option<TargetRef> {
    match &element.stable_id {
        Some(stable_id) => Some(TargetRef::StableId { value: stable_id.clone() }),
        None => {
            let value = Text::new(format!("instance:{}", element.instance_id)).ok()?;
            Some(TargetRef::Custom { value })
        }
    }
}

/// The elements that a signal names. A route and what only an adapter knows are no elements.
pub(super) fn named<'p>(page: &'p GraphStore, target: &TargetRef) -> Vec<&'p ElementNode> {
    match target {
        TargetRef::StableId { value } => page.by_stable_id(value.as_str()).collect(),
        TargetRef::Scope { value } => scope_element(page, value.as_str()).into_iter().collect(),
        TargetRef::Semantic { role, name, scope } => {
            let name = name.as_deref().map(folded);
            let fits = |element: &&ElementNode| {
                element.role == *role
                    && name.as_ref().is_none_or(|name| {
                        element.name.as_deref().is_some_and(|found| folded(found) == *name)
                    })
                    && scope.as_ref().is_none_or(|scope| within(page, element, scope.as_str()))
            };
            page.elements().filter(fits).collect()
        }
        TargetRef::Custom { value } => {
            let instance = value.as_str().strip_prefix("instance:");
            instance.and_then(|id| page.element(id)).into_iter().collect()
        }
        TargetRef::Route { .. } => Vec::new(),
    }
}

fn scope_element<'p>(page: &'p GraphStore, scope: &str) -> Option<&'p ElementNode> {
    page.scope(scope)?.element_id.as_ref().and_then(|id| page.element(id.as_str()))
}

/// Whether a signal means this scope.
pub(super) fn names_scope(page: &GraphStore, target: &TargetRef, scope: &ScopeNode) -> bool {
    match target {
        TargetRef::Scope { value } => *value == scope.id,
        TargetRef::StableId { value } if scope.stable_id.as_ref() == Some(value) => true,
        other => {
            named(page, other).iter().any(|element| scope.element_id.as_ref() == Some(&element.instance_id))
        }
    }
}

/// The scopes around an element, the nearest first.
pub(super) fn scopes_around<'p>(
    page: &'p GraphStore,
    element: &ElementNode,
) -> impl Iterator<Item = &'p ScopeNode> {
    let first = element.scope_id.as_ref().and_then(|id| page.scope(id.as_str()));
    scopes_up(page, first)
}

/// A scope and those around it.
pub(super) fn scopes_up<'p>(
    page: &'p GraphStore,
    first: Option<&'p ScopeNode>,
) -> impl Iterator<Item = &'p ScopeNode> {
    let up = |scope: &&'p ScopeNode| scope.parent_scope_id.as_ref().and_then(|id| page.scope(id.as_str()));
    std::iter::successors(first, up).take(SCOPE_DEPTH_MAX)
}

/// Whether an element is in a scope, or in one inside it.
pub(super) fn within(page: &GraphStore, element: &ElementNode, scope: &str) -> bool {
    scopes_around(page, element).any(|around| around.id.as_str() == scope)
}

/// The elements around an element, the nearest first.
pub(super) fn elements_around<'p>(
    page: &'p GraphStore,
    element: &ElementNode,
) -> impl Iterator<Item = &'p ElementNode> {
    let up = |id: &uiap_protocol::ids::ElementInstanceId| page.element(id.as_str());
    let first = element.parent_id.as_ref().and_then(up);
    std::iter::successors(first, move |element| element.parent_id.as_ref().and_then(up))
        .take(ELEMENT_DEPTH_MAX)
}

/// Whether one of two elements is in the other, or is the other.
pub(super) fn related(page: &GraphStore, one: &ElementNode, other: &ElementNode) -> bool {
    let is = |a: &ElementNode, b: &ElementNode| a.instance_id == b.instance_id;
    is(one, other)
        || elements_around(page, one).any(|around| is(around, other))
        || elements_around(page, other).any(|around| is(around, one))
}
