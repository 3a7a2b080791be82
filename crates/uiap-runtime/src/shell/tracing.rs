//! Writes down what happens during an action, beside the transitions of the machine.

use crate::diagnose::{Around, Diagnosis};
use crate::journal::{DIAGNOSTICS_MAX, TraceEntry, TraceRecord};
use crate::judge::Expectation;
use crate::life::{Action, Millis, StageResult, TraceStage};
use crate::redaction::TARGET;
use crate::sight::{Point, Sighting};
use serde_json::Value;
use uiap_protocol::action::{ActionRequest, RuntimeState};
use uiap_protocol::ids::RevisionId;
use uiap_protocol::web::WebSignal;
use uiap_protocol::wire::JsonObject;

/// What is written down.
#[derive(Debug, Default)]
pub(super) struct Tracing {
    /// What it was aimed at, in the words of the request.
    target: Option<Value>,
    notes: Vec<TraceEntry>,
    around: Around,
    /// With how much they have to do with the action.
    diagnostics: Vec<(u8, JsonObject)>,
    dropped: u64,
}

impl Tracing {
    /// Of the action that is asked for.
    pub(super) fn of(request: &ActionRequest) -> Self {
        let target = request.target.as_ref().and_then(|target| serde_json::to_value(target).ok());
        Self { target, ..Self::default() }
    }

    /// The action is on this page.
    pub(super) fn on_page(&mut self, url: &str) {
        self.around = Around::page(url);
    }

    /// What is to prove the action, who says so, and the revision before it.
    pub(super) fn expects(
        &mut self,
        action: &Action,
        at: Millis,
        expectation: &Expectation,
        before: &RevisionId,
    ) {
        let mut evidence = JsonObject::new();
        evidence.insert("origin".to_owned(), expectation.origin.word().into());
        evidence.insert("baseline".to_owned(), before.as_str().into());
        let counts = action.trace().last().map_or((0, 0), |step| (step.attempt, step.cycle));
        self.note(
            at,
            TraceStage::Check,
            counts,
            format!("success is known by {}", expectation.words()),
            evidence,
        );
    }

    fn note(
        &mut self,
        at: Millis,
        stage: TraceStage,
        (attempt, cycle): (u32, u32),
        note: String,
        evidence: JsonObject,
    ) {
        self.notes.push(TraceEntry {
            at,
            state: RuntimeState::Executing,
            note,
            stage,
            result: StageResult::Passed,
            milestone: None,
            attempt,
            cycle,
            evidence: Some(evidence),
        });
    }

    /// Where in a picture somebody said that the target is, and in which picture.
    pub(super) fn sights(&mut self, at: Millis, sighting: &Sighting) {
        let note = match sighting.point {
            Some(Point { x, y }) => format!("in the picture the target is said to be at {x}, {y}"),
            None => "nobody saw the target in the picture".to_owned(),
        };
        let evidence = sighting.to_json().as_object().cloned().unwrap_or_default();
        // It belongs to the attempt whose success was just said to be known by something.
        let counts = self.notes.last().map_or((0, 0), |note| (note.attempt, note.cycle));
        self.note(at, TraceStage::Execute, counts, note, evidence);
    }

    /// What happened in the application meanwhile, as the one who asked may hear it, and how much more was lost.
    pub(super) fn hears(&mut self, shown: &[WebSignal], lost: u64) {
        self.dropped = self.dropped.saturating_add(lost);
        for signal in shown {
            let Diagnosis { party, relevance } = self.around.judge(signal);
            match serde_json::to_value(signal) {
                Ok(Value::Object(mut object)) => {
                    object.insert("party".to_owned(), party.word().into());
                    object.insert("relevance".to_owned(), relevance.into());
                    self.add(relevance, object);
                }
                _ => self.dropped = self.dropped.saturating_add(1),
            }
        }
    }

    /// Adds what happened. Where there is no room, what has least to do with the action goes, and is counted.
    fn add(&mut self, relevance: u8, diagnostic: JsonObject) {
        self.diagnostics.push((relevance, diagnostic));
        if self.diagnostics.len() > DIAGNOSTICS_MAX {
            let least = self.diagnostics.iter().enumerate().min_by_key(|(_, (relevance, _))| *relevance);
            if let Some((place, _)) = least {
                self.diagnostics.remove(place);
                self.dropped = self.dropped.saturating_add(1);
            }
        }
    }

    /// Everything, in the order in which it happened.
    pub(super) fn record(&mut self, action: &Action) -> TraceRecord {
        let plan = action.plan();
        let mut record = TraceRecord::new(plan.handle.clone(), plan.action_id.clone());
        record.steps = action.trace().iter().map(TraceEntry::from).chain(self.notes.drain(..)).collect();
        record.steps.sort_by_key(|step| step.at);
        let sought = record.steps.iter_mut().find(|step| step.state == RuntimeState::ResolvingTarget);
        if let (Some(step), Some(target)) = (sought, self.target.take()) {
            step.evidence.get_or_insert_default().insert(TARGET.to_owned(), target);
        }
        self.diagnostics.drain(..).for_each(|(_, diagnostic)| record.attach(diagnostic));
        record.omitted = record.omitted.saturating_add(self.dropped);
        record
    }
}
