//! The areas, each once: what leads around stands on every page and is one area all the same.

use super::words;
use crate::atlas::{Findings, ScopeFinding};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::ids::{RouteId, ScopeId, StableId};
use uiap_protocol::web::ScopeKind;

/// What stands before the name of an area that is on several pages.
const EVERYWHERE: &str = "app";

/// An area.
#[derive(Clone, Debug)]
pub(in crate::package) struct Spot {
    pub(in crate::package) kind: ScopeKind,
    pub(in crate::package) is_named: bool,
    pub(in crate::package) parent: Option<ScopeId>,
    pub(in crate::package) names: BTreeSet<String>,
    pub(in crate::package) stable_ids: BTreeSet<StableId>,
    pub(in crate::package) routes: BTreeSet<RouteId>,
    pub(in crate::package) states: BTreeSet<String>,
}

/// The areas, and the names that they have in the package where these are others.
pub(super) fn spots(findings: &Findings) -> (BTreeMap<ScopeId, Spot>, BTreeMap<ScopeId, ScopeId>) {
    let renamed = renamed(findings);
    let name = |id: &ScopeId| renamed.get(id).unwrap_or(id).clone();
    let mut spots: BTreeMap<ScopeId, Spot> = BTreeMap::new();
    for (id, found) in &findings.scopes {
        let spot = spots.entry(name(id)).or_insert_with(|| Spot {
            kind: found.kind,
            is_named: found.is_named,
            parent: None,
            names: BTreeSet::new(),
            stable_ids: BTreeSet::new(),
            routes: BTreeSet::new(),
            states: BTreeSet::new(),
        });
        let parent = found.parent.as_ref().map(name);
        spot.parent = spot.parent.take().or(parent);
        spot.names.extend(found.names.iter().cloned());
        spot.stable_ids.extend(found.stable_ids.iter().cloned());
        spot.routes.extend(found.routes.iter().cloned());
        spot.states.extend(found.states.iter().cloned());
    }
    (spots, renamed)
}

/// Areas that lead around, and what is in them, under one name for all pages.
fn renamed(findings: &Findings) -> BTreeMap<ScopeId, ScopeId> {
    let mut alike: BTreeMap<(String, String), Vec<&ScopeId>> = BTreeMap::new();
    for (id, found) in &findings.scopes {
        if !found.is_named
            && leads_around(found, findings)
            && let Some(tail) = tail(id, found)
        {
            alike.entry((found.kind.to_string(), tail)).or_default().push(id);
        }
    }
    let shared = alike.into_iter().filter(|(_, ids)| ids.len() > 1);
    shared
        .flat_map(|((_, tail), ids)| {
            let one = words::scope_id(&format!("{EVERYWHERE}.{tail}"));
            ids.into_iter().map(move |id| (id.clone(), one.clone())).collect::<Vec<_>>()
        })
        .collect()
}

fn leads_around(found: &ScopeFinding, findings: &Findings) -> bool {
    let mut next = Some(found);
    for _ in 0..=findings.scopes.len() {
        let Some(here) = next else { return false };
        if matches!(here.kind, ScopeKind::Navigation | ScopeKind::Menu | ScopeKind::Toolbar) {
            return true;
        }
        next = here.parent.as_ref().and_then(|parent| findings.scopes.get(parent));
    }
    false
}

/// The name of an area without that of its route.
fn tail(id: &ScopeId, found: &ScopeFinding) -> Option<String> {
    let route = found.routes.iter().next()?;
    let tail = id.as_str().strip_prefix(route.as_str())?.strip_prefix('.')?;
    Some(tail.to_owned())
}
