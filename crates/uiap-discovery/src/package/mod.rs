//! From what was seen to the package that people review.
//!
//! Start at [`package`]: an [`Atlas`] and what whoever explored knows beside it ([`Record`]) become a
//! [`DiscoveryPackage`], one module per catalog. It is a pure function, and its result does not depend on the order in
//! which things were seen: [`stable_digest`] says whether two runs found the same.

mod actions;
mod coverage;
mod digest;
mod elements;
mod evidence;
mod forms;
mod graph;
mod record;
mod review;
mod routes;
mod scopes;
mod survey;
mod words;
mod workflows;

pub use digest::{stable, stable_digest, unresolved_references};
pub use record::{
    AppError, Authorisation, AuthorisationBasis, Available, Decision, Heard, Loose, Phase, Record,
};
pub use review::{Reach, Stakes, severity};

use crate::atlas::{Atlas, EdgeId, State};
use actions::Deeds;
use forms::Forms;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use survey::Survey;
use uiap_protocol::discovery::{
    CoverageReport, DiscoveryEnvironment, DiscoveryPackage, DiscoveryRunSummary, DiscoverySeed, DiscoverySpec,
};
use uiap_protocol::ids::{Id, ModelVersion};
use uiap_protocol::wire::JsonObject;
use words::{object, text};

/// The member of metadata that says what differs from run to run.
const OBSERVED: &str = "observed";

/// The name of a state in the package.
pub fn state_id(state: &State) -> Id {
    words::id(&state.id)
}

/// The name of a transition in the package. Edges that are the same transition have the same name.
pub fn transition_id(atlas: &Atlas, edge: EdgeId) -> Option<Id> {
    survey::transition_id_of(atlas, edge)
}

/// Everything that was found, as people review it.
pub fn package(atlas: &Atlas, record: &Record) -> DiscoveryPackage {
    let survey = Survey::of(atlas, record);
    let forms = Forms::of(&survey);
    let deeds = Deeds::of_survey(&survey, &forms);
    let workflows = workflows::catalog(&survey, &forms, &deeds);
    let review_queue = review::queue(&survey, &deeds, &workflows.workflows);
    let mut package = DiscoveryPackage {
        model_version: ModelVersion,
        spec: DiscoverySpec,
        revision: None,
        run: run(atlas, record),
        environment: environment(atlas, record),
        route_catalog: routes::catalog(&survey),
        scope_catalog: scopes::catalog(&survey),
        element_catalog: elements::catalog(&survey, &deeds),
        action_catalog: deeds.catalog(&survey),
        transition_graph: graph::graph(&survey),
        workflow_candidates: Some(workflows),
        review_queue,
        coverage: CoverageReport::default(),
        evidence_index: Some(evidence::index(&survey)),
        metadata: Some(metadata(&survey)),
        extra: JsonObject::default(),
    };
    package.coverage = coverage::report(&survey, &package);
    // Of a large run, what is needed no more is as large as the package.
    drop((survey, deeds));
    package.revision = Some(text(&stable_digest(&package)));
    package
}

fn run(atlas: &Atlas, record: &Record) -> DiscoveryRunSummary {
    let mut run = record.run.clone();
    let sown = || atlas.sown().iter().map(|sown| sown.seed.clone()).collect();
    let mut seeds: Vec<_> = run.seeds.unwrap_or_else(sown).into_iter().map(without_query).collect();
    seeds.sort_by_key(|seed| evidence::value(seed).to_string());
    run.seeds = Some(seeds);
    run
}

/// What stands in the query of an address may be a secret.
fn without_query(seed: DiscoverySeed) -> DiscoverySeed {
    match seed {
        DiscoverySeed::Url { url } => {
            let (address, fragment) = url.as_str().split_once('#').unwrap_or((url.as_str(), ""));
            let plain = address.split('?').next().unwrap_or_default();
            let path = fragment.split('?').next().filter(|path| path.starts_with(['/', '!']));
            let whole = path.map_or_else(|| plain.to_owned(), |path| format!("{plain}#{path}"));
            DiscoverySeed::Url { url: text(&whole) }
        }
        other => other,
    }
}

/// The environment with nothing left open: what held is written down (DSC 11.1).
fn environment(atlas: &Atlas, record: &Record) -> DiscoveryEnvironment {
    let mut environment = record.environment.clone();
    environment.budgets = Some(atlas.rules().budget.to_wire());
    environment.safety = Some(atlas.rules().safety.clone());
    environment.feature_flags = Some(environment.feature_flags.unwrap_or_default());
    environment
}

fn metadata(survey: &Survey<'_>) -> JsonObject {
    let record = survey.record;
    let phases: Vec<Value> =
        record.phases.iter().map(|phase| json!({ "status": phase.status, "at": phase.at })).collect();
    let held: usize = survey.steps.iter().map(|step| step.held().len()).sum();
    let loose = record.loose.iter().filter(|loose| loose.passage.held.is_some()).count();
    object([
        ("authorisation", json!(record.authorisation)),
        (
            "available",
            json!({
                "profiles": record.available.profiles,
                "extensions": record.available.extensions,
                "read": record.available.read,
            }),
        ),
        ("fingerprints", json!(survey.atlas.rules().fingerprints)),
        ("decisions", json!(decisions(survey))),
        ("heldBack", json!(held + loose)),
        (
            OBSERVED,
            json!({
                "phases": phases,
                "usedMs": record.used_ms,
                "states": survey.states.len(),
                "transitions": survey.atlas.transitions(),
            }),
        ),
    ])
}

/// How often what was decided, and why.
fn decisions(survey: &Survey<'_>) -> BTreeMap<String, usize> {
    let choices = survey.states.iter().flat_map(|state| &state.choices);
    let own = choices.map(|choice| &choice.judgement.decision);
    let mut counts = BTreeMap::new();
    for decision in own.chain(survey.record.decisions.iter().map(|made| &made.decision)) {
        *counts.entry(format!("{}:{}", decision.effect, decision.reason)).or_default() += 1;
    }
    counts
}
