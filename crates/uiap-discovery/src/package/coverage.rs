//! How much was seen, and how sure it all is (finding S12).

use super::survey::{Step, Survey};
use std::collections::BTreeSet;
use uiap_protocol::discovery::{Confidence, ConfidenceSummary, CoverageReport, DiscoveryPackage};
use uiap_protocol::wire::JsonObject;

/// Counts what is in a package that is otherwise complete.
pub(super) fn report(survey: &Survey<'_>, package: &DiscoveryPackage) -> CoverageReport {
    let sown = survey.atlas.sown();
    let workflows = package.workflow_candidates.as_ref().map_or(&[][..], |catalog| &catalog.workflows);
    let opaque: BTreeSet<_> = survey.states.iter().flat_map(|state| regions(state)).collect();
    CoverageReport {
        seeds_total: count(sown.len()),
        seeds_visited: count(sown.iter().filter(|sown| sown.state.is_some()).count()),
        routes_discovered: count(package.route_catalog.routes.len()),
        scopes_discovered: count(package.scope_catalog.scopes.len()),
        elements_discovered: count(package.element_catalog.elements.len()),
        actions_discovered: count(package.action_catalog.actions.len()),
        workflow_candidates_discovered: count(workflows.len()),
        opaque_regions: count(opaque.len()),
        unresolved_transitions: count(survey.steps.iter().filter(|step| Step::is_unresolved(step)).count()),
        review_items: count(package.review_queue.items.len()),
        confidence_summary: Some(summary(package)),
        extra: JsonObject::default(),
    }
}

/// Where nobody could look, each place of a route once.
pub(super) fn regions(state: &crate::atlas::State) -> impl Iterator<Item = (String, String, String)> {
    let route = state.place.route_id.to_string();
    state.opaque.iter().map(move |(kind, label)| {
        (route.clone(), kind.to_string(), label.as_deref().map(crate::naming::plain).unwrap_or_default())
    })
}

fn summary(package: &DiscoveryPackage) -> ConfidenceSummary {
    let workflows = package.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows);
    let all = package.route_catalog.routes.iter().map(|item| item.confidence);
    let all = all.chain(package.scope_catalog.scopes.iter().map(|item| item.confidence));
    let all = all.chain(package.element_catalog.elements.iter().map(|item| item.confidence));
    let all = all.chain(package.action_catalog.actions.iter().map(|item| item.confidence));
    let mut summary = ConfidenceSummary::default();
    for confidence in all.chain(workflows.map(|item| item.confidence)) {
        match confidence {
            Confidence::High => summary.high += 1,
            Confidence::Medium => summary.medium += 1,
            Confidence::Low => summary.low += 1,
        }
    }
    summary
}

fn count(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
