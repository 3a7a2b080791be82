//! What can be reached: a modal layer keeps everything beneath it from being used.
//!
//! The publisher marks only areas as blocked, so that a dialog that opens over ten thousand elements is a change of
//! a few bytes.

use super::{ElementNode, PageGraph, ScopeNode};
use std::collections::{HashMap, HashSet};

/// Answers for the elements of one graph.
#[derive(Debug)]
pub struct Reach<'g> {
    scopes: HashMap<&'g str, &'g ScopeNode>,
    /// The area that an element is the frame of.
    own: HashMap<&'g str, &'g ScopeNode>,
    layers: HashSet<&'g str>,
}

impl<'g> Reach<'g> {
    /// Prepares the areas of a graph.
    pub fn of(graph: &'g PageGraph) -> Self {
        let own = |scope: &'g ScopeNode| scope.element_id.as_ref().map(|element| (element.as_str(), scope));
        Self {
            scopes: graph.scopes.iter().map(|scope| (scope.id.as_str(), scope)).collect(),
            own: graph.scopes.iter().filter_map(own).collect(),
            layers: graph.modal_stack.iter().flatten().map(crate::ids::ScopeId::as_str).collect(),
        }
    }

    /// Whether an element cannot be used because something modal lies above it or its author made it inert.
    pub fn is_blocked(&self, element: &ElementNode) -> bool {
        if element.state.ui.blocked == Some(true) {
            return true;
        }
        let around = element.scope_id.as_ref().and_then(|scope| self.scopes.get(scope.as_str()));
        let mut scope = self.own.get(element.instance_id.as_str()).or(around).copied();
        // A sound graph has no circles; the count guards against one that is not.
        for _ in 0..=self.scopes.len() {
            let Some(at) = scope else { return false };
            if at.state.as_ref().and_then(|state| state.blocked) == Some(true) {
                return true;
            }
            if self.layers.contains(at.id.as_str()) {
                return false;
            }
            scope = at.parent_scope_id.as_ref().and_then(|id| self.scopes.get(id.as_str())).copied();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Format, Limits, read};
    use crate::wire::accept;

    #[test]
    fn what_lies_under_a_dialog_is_blocked_and_what_is_in_it_is_not() {
        let json = r#"{"modelVersion":"0.1","profile":"web@0.1","revision":"r","seq":1,"capturedAt":"2026-01-01T00:00:00Z",
            "route":{"url":"http://x/"},"documents":[{"id":"d","boundary":{"kind":"root","opaque":false}}],
            "modalStack":["low","top"],
            "scopes":[{"id":"page","kind":"page","documentId":"d","state":{"blocked":true}},
              {"id":"low","kind":"dialog","documentId":"d","parentScopeId":"page","elementId":"e2","state":{"blocked":true}},
              {"id":"top","kind":"dialog","documentId":"d","parentScopeId":"page","elementId":"e4"},
              {"id":"list","kind":"list","documentId":"d","parentScopeId":"top"}],
            "elements":[{"instanceId":"e1","documentId":"d","scopeId":"page","role":"button","state":{}},
              {"instanceId":"e2","documentId":"d","scopeId":"page","role":"dialog","state":{}},
              {"instanceId":"e3","documentId":"d","scopeId":"low","role":"button","state":{}},
              {"instanceId":"e4","documentId":"d","scopeId":"page","role":"dialog","state":{}},
              {"instanceId":"e5","documentId":"d","scopeId":"list","role":"button","state":{}},
              {"instanceId":"e6","documentId":"d","scopeId":"list","role":"button","state":{"blocked":true}}]}"#;
        let tree = read(json, Format::Json, Limits::DOCUMENT).unwrap();
        let graph: PageGraph = accept(&tree).unwrap();
        let reach = Reach::of(&graph);
        let blocked = graph.elements.iter().filter(|element| reach.is_blocked(element));
        let ids: Vec<_> = blocked.map(|element| element.instance_id.as_str()).collect();
        assert_eq!(ids, ["e1", "e2", "e3", "e6"]);
    }
}
