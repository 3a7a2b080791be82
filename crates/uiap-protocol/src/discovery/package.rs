//! Everything a run found.

use super::{
    ActionCatalog, CoverageReport, DiscoveryEnvironment, DiscoveryRunSummary, ElementCatalog, EvidenceIndex,
    EvidenceRef, ReviewQueue, RouteCatalog, ScopeCatalog, TransitionGraph, WorkflowCandidateCatalog,
};
use crate::finding::Code;
use crate::ids::{ModelVersion, Text, constant};
use crate::wire::{Decoder, JsonObject, Wire};
use std::collections::HashSet;

constant! {
    /// The specification of every discovery package.
    DiscoverySpec, "uiap.discovery", Some("DSC-6.1-1")
}

/// Everything a run found.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.1-1", check = DiscoveryPackage::check)]
pub struct DiscoveryPackage {
    /// Always `0.1`.
    pub model_version: ModelVersion,
    /// Always `uiap.discovery`.
    pub spec: DiscoverySpec,
    /// Which state of it.
    pub revision: Option<Text>,
    /// The run.
    pub run: DiscoveryRunSummary,
    /// Where it happened.
    pub environment: DiscoveryEnvironment,
    /// Routes.
    pub route_catalog: RouteCatalog,
    /// Areas.
    pub scope_catalog: ScopeCatalog,
    /// Elements.
    pub element_catalog: ElementCatalog,
    /// Actions.
    pub action_catalog: ActionCatalog,
    /// States and transitions.
    pub transition_graph: TransitionGraph,
    /// What could become workflows.
    pub workflow_candidates: Option<WorkflowCandidateCatalog>,
    /// What people should look at.
    pub review_queue: ReviewQueue,
    /// How much was seen.
    pub coverage: CoverageReport,
    /// What it all rests on.
    pub evidence_index: Option<EvidenceIndex>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl DiscoveryPackage {
    fn check(&self, decoder: &mut Decoder<'_>) {
        self.check_evidence(decoder);
        self.check_graph(decoder);
        self.check_counters(decoder);
    }

    /// A claim without evidence is a belief (DSC 7).
    fn check_evidence(&self, decoder: &mut Decoder<'_>) {
        let routes = self.route_catalog.routes.iter().map(|item| &item.discovered_by);
        backed("routeCatalog", "routes", routes, decoder);
        let scopes = self.scope_catalog.scopes.iter().map(|item| &item.discovered_by);
        backed("scopeCatalog", "scopes", scopes, decoder);
        let elements = self.element_catalog.elements.iter().map(|item| &item.discovered_by);
        backed("elementCatalog", "elements", elements, decoder);
        let actions = self.action_catalog.actions.iter().map(|item| &item.discovered_by);
        backed("actionCatalog", "actions", actions, decoder);
        let candidates = self.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows);
        backed("workflowCandidates", "workflows", candidates.map(|item| &item.discovered_by), decoder);
    }

    fn check_graph(&self, decoder: &mut Decoder<'_>) {
        let graph = &self.transition_graph;
        let routes = self.route_catalog.routes.iter().map(|route| route.route_id.as_str());
        unique("routeCatalog", "routes", "DSC-6.2-1", routes, decoder);
        let edges = graph.edges.iter().map(|edge| edge.transition_id.as_str());
        unique("transitionGraph", "edges", "DSC-6.6-2", edges, decoder);
        let states = graph.states.iter().map(|state| state.state_id.as_str());
        let states = unique("transitionGraph", "states", "DSC-6.6-1", states, decoder);
        for (index, edge) in graph.edges.iter().enumerate() {
            let ends = [("fromStateId", &edge.from_state_id), ("toStateId", &edge.to_state_id)];
            for (member, id) in ends.into_iter().filter(|(_, id)| !states.contains(id.as_str())) {
                item("transitionGraph", "edges", index, decoder, |decoder| {
                    let message = format!("There is no state \"{id}\" in this graph.");
                    decoder.under(Some("DSC-6.6-2"), |decoder| {
                        decoder.at(member, |decoder| decoder.error(Code::DanglingReference, message));
                    });
                });
            }
        }
    }

    fn check_counters(&self, decoder: &mut Decoder<'_>) {
        let candidates = self.workflow_candidates.as_ref().map_or(0, |catalog| catalog.workflows.len());
        let coverage = &self.coverage;
        let counters = [
            ("routesDiscovered", coverage.routes_discovered, self.route_catalog.routes.len()),
            ("scopesDiscovered", coverage.scopes_discovered, self.scope_catalog.scopes.len()),
            ("elementsDiscovered", coverage.elements_discovered, self.element_catalog.elements.len()),
            ("actionsDiscovered", coverage.actions_discovered, self.action_catalog.actions.len()),
            ("workflowCandidatesDiscovered", coverage.workflow_candidates_discovered, candidates),
            ("reviewItems", coverage.review_items, self.review_queue.items.len()),
        ];
        for (member, counter, counted) in counters {
            if usize::try_from(counter) != Ok(counted) {
                let message = format!("The counter says {counter}, but there are {counted}.");
                decoder.under(Some("DSC-6.9-1"), |decoder| {
                    decoder.at("coverage", |decoder| {
                        decoder.at(member, |decoder| decoder.error(Code::CounterMismatch, message));
                    });
                });
            }
        }
    }
}

/// The ids of a list, none of them twice.
fn unique<'p>(
    catalog: &'static str,
    list: &'static str,
    requirement: &'static str,
    ids: impl Iterator<Item = &'p str>,
    decoder: &mut Decoder<'_>,
) -> HashSet<&'p str> {
    decoder.under(Some(requirement), |decoder| decoder.at(catalog, |decoder| decoder.unique(list, ids)))
}

fn backed<'p>(
    catalog: &'static str,
    list: &'static str,
    items: impl Iterator<Item = &'p Vec<EvidenceRef>>,
    decoder: &mut Decoder<'_>,
) {
    for (index, _) in items.enumerate().filter(|(_, evidence)| evidence.is_empty()) {
        item(catalog, list, index, decoder, |decoder| {
            decoder.under(Some("DSC-2-3"), |decoder| {
                let help = "Name at least one piece of evidence in \"discoveredBy\".";
                decoder.error_with_help(Code::MissingEvidence, "Nothing backs this claim.", help);
            });
        });
    }
}

fn item<'t>(
    catalog: &'static str,
    list: &'static str,
    index: usize,
    decoder: &mut Decoder<'t>,
    body: impl FnOnce(&mut Decoder<'t>),
) {
    decoder.at(catalog, |decoder| decoder.at(list, |decoder| decoder.at_index(index, body)));
}
