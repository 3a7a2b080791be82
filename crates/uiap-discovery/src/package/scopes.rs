//! The areas.

use super::evidence::Backing;
use super::survey::{Spot, Survey};
use super::words::some;
use uiap_protocol::discovery::{DiscoveredScope, EvidenceSource, ScopeCatalog};
use uiap_protocol::ids::ScopeId;
use uiap_protocol::wire::JsonObject;

pub(super) fn catalog(survey: &Survey<'_>) -> ScopeCatalog {
    let scopes = survey.spots.iter().map(|(scope, spot)| entry(survey, scope, spot)).collect();
    ScopeCatalog { scopes, extra: JsonObject::default() }
}

fn entry(survey: &Survey<'_>, scope: &ScopeId, spot: &Spot) -> DiscoveredScope {
    let mut backing = Backing::default();
    for state in &spot.states {
        let seen = survey.look_up(state);
        if spot.is_named {
            backing.add(EvidenceSource::Annotation, seen.clone());
        }
        if !spot.names.is_empty() {
            backing.add(EvidenceSource::VisibleText, seen.clone());
        }
        backing.add(EvidenceSource::Dom, seen);
    }
    let (discovered_by, confidence) = backing.done();
    DiscoveredScope {
        scope_id: scope.clone(),
        kind: spot.kind,
        route_ids: some(spot.routes.iter().cloned().collect()),
        parent_scope_id: spot.parent.clone().filter(|parent| survey.spots.contains_key(parent)),
        names: some(spot.names.iter().cloned().collect()),
        stable_ids: some(spot.stable_ids.iter().cloned().collect()),
        discovered_by,
        confidence,
        metadata: None,
        extra: JsonObject::default(),
    }
}
