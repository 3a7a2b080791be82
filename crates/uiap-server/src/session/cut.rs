//! A part of a page, where somebody asks for no more.

use std::collections::HashSet;
use uiap_protocol::ids::ScopeId;
use uiap_protocol::web::{PageGraph, SnapshotOptions};

/// Most areas within each other that are followed.
const DEPTH_MAX: usize = 64;

/// Leaves only these areas and what is in them.
pub(crate) fn to_scopes(graph: &mut PageGraph, wanted: &[ScopeId]) {
    let mut kept: HashSet<ScopeId> = wanted.iter().cloned().collect();
    for _ in 0..DEPTH_MAX {
        let inner = graph.scopes.iter().filter(|scope| {
            !kept.contains(&scope.id)
                && scope.parent_scope_id.as_ref().is_some_and(|parent| kept.contains(parent))
        });
        let inner: Vec<_> = inner.map(|scope| scope.id.clone()).collect();
        if inner.is_empty() {
            break;
        }
        kept.extend(inner);
    }
    graph.scopes.retain(|scope| kept.contains(&scope.id));
    graph.elements.retain(|element| element.scope_id.as_ref().is_some_and(|scope| kept.contains(scope)));
    mend(graph);
}

/// Leaves what the options ask for.
pub(crate) fn to_options(graph: &mut PageGraph, options: &SnapshotOptions) {
    if let Some(documents) = &options.documents {
        graph.scopes.retain(|scope| documents.contains(&scope.document_id));
        graph.elements.retain(|element| documents.contains(&element.document_id));
        mend(graph);
    }
    if let Some(scopes) = &options.scopes {
        to_scopes(graph, scopes);
    }
    if options.include_bbox == Some(false) {
        graph.elements.iter_mut().for_each(|element| element.bbox = None);
    }
    let most = options.max_elements.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    if let Some(most) = most.filter(|most| *most < graph.elements.len()) {
        graph.elements.truncate(most);
        graph.truncated = Some(true);
        mend(graph);
    }
}

/// Takes away every mention of what is not there any more. Documents stay: they say where everything stands.
fn mend(graph: &mut PageGraph) {
    let scopes: HashSet<_> = graph.scopes.iter().map(|scope| scope.id.clone()).collect();
    let elements: HashSet<_> = graph.elements.iter().map(|element| element.instance_id.clone()).collect();
    for element in &mut graph.elements {
        element.parent_id = element.parent_id.take().filter(|id| elements.contains(id));
        element.scope_id = element.scope_id.take().filter(|id| scopes.contains(id));
    }
    for scope in &mut graph.scopes {
        scope.parent_scope_id = scope.parent_scope_id.take().filter(|id| scopes.contains(id));
        scope.element_id = scope.element_id.take().filter(|id| elements.contains(id));
    }
    for document in &mut graph.documents {
        document.host_element_id = document.host_element_id.take().filter(|id| elements.contains(id));
    }
    if let Some(regions) = &mut graph.opaque_regions {
        regions.retain(|region| region.host_element_id.as_ref().is_none_or(|id| elements.contains(id)));
    }
    if let Some(stack) = &mut graph.modal_stack {
        stack.retain(|id| scopes.contains(id));
    }
    graph.focus =
        graph.focus.take().filter(|focus| focus.target.as_ref().is_none_or(|id| elements.contains(id)));
}
