//! Something that an action of the old bundle can be aimed at, so that a witness is a request that worked.

use std::collections::HashMap;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{ActionDescriptor, TargetKind, TargetRef};
use uiap_protocol::ids::{RouteId, ScopeId, StableId, Text};

/// Targets of a bundle.
#[derive(Debug, Default)]
pub(super) struct Subjects<'b> {
    by_default_action: HashMap<&'b str, &'b StableId>,
    element: Option<&'b StableId>,
    scope: Option<&'b ScopeId>,
    route: Option<&'b RouteId>,
}

impl<'b> Subjects<'b> {
    pub(super) fn new(bundle: &'b CompiledBundle) -> Self {
        let Some(bindings) = &bundle.bindings else { return Self::default() };
        let mut by_default_action = HashMap::new();
        for element in bindings.elements.iter().flatten() {
            if let Some(action) = &element.default_action {
                by_default_action.entry(action.as_str()).or_insert(&element.id);
            }
        }
        Self {
            by_default_action,
            element: bindings.elements.iter().flatten().next().map(|element| &element.id),
            scope: bindings.scopes.iter().flatten().next().map(|scope| &scope.id),
            route: bindings.routes.iter().flatten().next().map(|route| &route.id),
        }
    }

    /// What an action can be aimed at, if it needs a target at all.
    pub(super) fn of(&self, action: &ActionDescriptor) -> Option<TargetRef> {
        let own = self.by_default_action.get(action.id.as_str()).copied();
        if let Some(value) = own.filter(|_| action.target_kinds.contains(&TargetKind::Element)) {
            return Some(TargetRef::StableId { value: value.clone() });
        }
        action.target_kinds.first().and_then(|kind| self.of_kind(*kind))
    }

    /// A target of a kind.
    pub(super) fn of_kind(&self, kind: TargetKind) -> Option<TargetRef> {
        match kind {
            TargetKind::Element => self.element.map(|value| TargetRef::StableId { value: value.clone() }),
            TargetKind::Scope => self.scope.map(|value| TargetRef::Scope { value: value.clone() }),
            TargetKind::Route => {
                let route = self.route.and_then(|route| Text::new(route.as_str()).ok());
                route.map(|value| TargetRef::Route { value })
            }
            TargetKind::Entity | TargetKind::Session | TargetKind::None => None,
        }
    }
}
