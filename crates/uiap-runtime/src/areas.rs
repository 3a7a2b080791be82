//! The areas that something stands in.

use std::iter::successors;
use uiap_protocol::ids::ScopeId;
use uiap_protocol::web::{GraphStore, ScopeNode};

/// Most areas around an element that are looked at. A sound graph has no circles; this guards against one that is not.
const AREAS_MAX: usize = 64;

/// An area and those around it, from the inside out.
pub(crate) fn areas<'p>(
    page: &'p GraphStore,
    innermost: Option<&'p ScopeId>,
) -> impl Iterator<Item = &'p ScopeNode> {
    let around = |scope: &&'p ScopeNode| page.scope(scope.parent_scope_id.as_ref()?.as_str());
    successors(innermost.and_then(|id| page.scope(id.as_str())), around).take(AREAS_MAX)
}
