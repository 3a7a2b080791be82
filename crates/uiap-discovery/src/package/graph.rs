//! The states and what leads from one to another.

use super::evidence::{Backing, signals_of};
use super::survey::{Kept, Step, Survey};
use super::words::{id, object, some, text};
use crate::atlas::State;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::discovery::{
    Confidence, DiscoveryStateNode, DiscoveryTransition, EvidenceSource, TransitionGraph,
};
use uiap_protocol::wire::JsonObject;

pub(super) fn graph(survey: &Survey<'_>) -> TransitionGraph {
    let states = survey.states.iter().map(|state| node(survey, state)).collect();
    // What led nowhere is no edge: it has a record and a question of its own.
    let edges = survey.steps.iter().filter_map(|step| edge(survey, step)).collect();
    TransitionGraph { states, edges, extra: JsonObject::default() }
}

fn node(survey: &Survey<'_>, state: &State) -> DiscoveryStateNode {
    let mut backing = Backing::default();
    let read = if state.place.is_named { EvidenceSource::Annotation } else { EvidenceSource::Dom };
    backing.add(read, survey.look_up(&state.id));
    let picture = survey.kept(&state.id, Kept::Picture);
    if let Some(picture) = &picture {
        backing.add(EvidenceSource::Screenshot, picture.clone());
    }
    if let Some(tree) = survey.kept(&state.id, Kept::Tree) {
        backing.add(EvidenceSource::Accessibility, tree);
    }
    for step in survey.steps_to(&state.id) {
        backing.add(EvidenceSource::Transition, step.id.clone());
    }
    let (discovered_by, confidence) = backing.done();
    let named = state.areas.iter().filter(|scope| survey.spots.contains_key(*scope));
    let scopes: BTreeSet<_> = named.chain(survey.areas_of(&state.id)).cloned().collect();
    let metadata = object([
        ("depth", json!(survey.depth(&state.id))),
        ("pattern", json!(state.place.pattern)),
        ("seed", json!((survey.depth(&state.id) == Some(0)).then_some(true))),
        ("opaqueRegions", json!((!state.opaque.is_empty()).then_some(state.opaque.len()))),
        ("decisions", json!(decisions(state))),
    ]);
    DiscoveryStateNode {
        state_id: id(&state.id),
        fingerprint: text(&state.fingerprint),
        route_id: Some(state.place.route_id.clone()),
        scope_ids: some(scopes.into_iter().collect()),
        modal_stack: some(state.modals.clone()),
        page_graph_ref: survey.kept(&state.id, Kept::Graph).map(|graph| text(graph.as_str())),
        screenshot_ref: picture.map(|picture| text(picture.as_str())),
        discovered_by,
        confidence,
        metadata: Some(metadata),
        extra: JsonObject::default(),
    }
}

/// How many choices of a state were allowed, and why the others were not.
fn decisions(state: &State) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for choice in &state.choices {
        let decision = &choice.judgement.decision;
        *counts.entry(format!("{}:{}", decision.effect, decision.reason)).or_default() += 1;
    }
    counts
}

fn edge(survey: &Survey<'_>, step: &Step<'_>) -> Option<DiscoveryTransition> {
    let to = step.to?;
    let mut backing = Backing::default();
    backing.add(EvidenceSource::Transition, step.id.clone());
    let signals = step.signals();
    if !signals.is_empty() {
        backing.add(EvidenceSource::Signal, signals_of(step));
    }
    let held = step.held();
    for passage in &held {
        backing.add(EvidenceSource::Network, super::evidence::request_of(step.id.as_str(), passage));
    }
    for record in
        survey.record.evidence.iter().filter(|record| record.transition_id.as_ref() == Some(&step.id))
    {
        backing.add(record.source, record.ref_id.clone());
    }
    let (discovered_by, sure) = backing.done();
    let confidence = if step.is_repeated() { Confidence::High } else { sure };
    let metadata = object([
        ("trouble", json!(step.trouble())),
        ("held", json!((!held.is_empty()).then_some(held.len()))),
        (super::OBSERVED, json!({ "times": step.times() })),
    ]);
    Some(DiscoveryTransition {
        transition_id: step.id.clone(),
        from_state_id: id(&step.from.id),
        to_state_id: id(&to.id),
        via_action_id: step.choice.action.clone(),
        target: target(survey, step),
        args: None,
        side_effect_class: Some(step.choice.judgement.side_effect),
        observed_signals: some(signals),
        confidence,
        discovered_by,
        metadata: Some(metadata),
        extra: JsonObject::default(),
    })
}

/// On what it was done: in the words of whoever did it, or of the element; never by the data of one row.
fn target(survey: &Survey<'_>, step: &Step<'_>) -> Option<uiap_protocol::capability::TargetRef> {
    let piece = step.piece.and_then(|index| survey.pieces.get(index));
    match piece {
        Some(piece) => Some(super::workflows::aim(piece)),
        None => step.target().cloned(),
    }
}
