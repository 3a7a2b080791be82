//! Writes down what happens during an action, beside the transitions of the machine.

use crate::journal::{DIAGNOSTICS_MAX, TraceEntry, TraceRecord};
use crate::judge::Expectation;
use crate::life::{Action, Millis};
use crate::surface::News;
use serde_json::Value;
use uiap_protocol::action::RuntimeState;
use uiap_protocol::wire::JsonObject;

/// What is written down.
#[derive(Debug, Default)]
pub(super) struct Tracing {
    notes: Vec<TraceEntry>,
    diagnostics: Vec<JsonObject>,
    dropped: u64,
}

impl Tracing {
    /// What is to prove the action, and who says so.
    pub(super) fn expects(&mut self, at: Millis, expectation: &Expectation) {
        let mut evidence = JsonObject::new();
        evidence.insert("origin".to_owned(), expectation.origin.word().into());
        self.notes.push(TraceEntry {
            at,
            state: RuntimeState::Executing,
            note: format!("success is known by {}", expectation.words()),
            evidence: Some(evidence),
        });
    }

    /// What happened in the application meanwhile.
    pub(super) fn hears(&mut self, news: &News) {
        self.dropped = self.dropped.saturating_add(news.dropped);
        for signal in &news.signals {
            match serde_json::to_value(signal.as_ref()) {
                Ok(Value::Object(object)) if self.diagnostics.len() < DIAGNOSTICS_MAX => {
                    self.diagnostics.push(object);
                }
                _ => self.dropped = self.dropped.saturating_add(1),
            }
        }
    }

    /// Everything, in the order in which it happened.
    pub(super) fn record(&mut self, action: &Action) -> TraceRecord {
        let plan = action.plan();
        let mut record = TraceRecord::new(plan.handle.clone(), plan.action_id.clone());
        record.steps = action.trace().iter().map(TraceEntry::from).chain(self.notes.drain(..)).collect();
        record.steps.sort_by_key(|step| step.at);
        self.diagnostics.drain(..).for_each(|diagnostic| record.attach(diagnostic));
        record.omitted = record.omitted.saturating_add(self.dropped);
        record
    }
}
