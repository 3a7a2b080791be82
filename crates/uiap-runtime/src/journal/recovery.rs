//! How an action ends that a dead process left open.

use super::{Decision, Kept, TraceEntry, TraceRecord};
use crate::life::{Milestone, Millis, StageResult, TraceStage, after_crash};
use uiap_protocol::action::{
    ActionResult, RuntimeErrorCode, RuntimeErrorDescriptor, RuntimeState, SideEffectState,
};

impl Kept {
    /// How the action ends, if the process that ran it is gone, and what is left of its trace.
    ///
    /// With an intent it may have taken effect (`life::after_crash`). Without one nothing was dispatched.
    pub fn ended_by_crash(&self, now: Millis) -> (ActionResult, TraceRecord) {
        let (handle, action_id) = (self.entry.handle.clone(), self.entry.action_id.clone());
        let repeatable = self.entry.repeatable && self.intents.iter().all(|intent| intent.repeatable);
        let mut result = after_crash(handle, action_id, repeatable);
        if self.intents.is_empty() {
            result.side_effect_state = Some(SideEffectState::None);
            result.error = Some(RuntimeErrorDescriptor {
                code: RuntimeErrorCode::InternalRuntimeError,
                message: "the runtime ended before the action was dispatched; nothing happened".to_owned(),
                retryable: Some(true),
                detail: None,
            });
        }
        let trace = self.trace_until_crash(&result, now);
        (result, trace)
    }

    fn trace_until_crash(&self, result: &ActionResult, now: Millis) -> TraceRecord {
        let step = |at, state, stage, note| TraceEntry {
            at,
            state,
            note,
            stage,
            result: StageResult::Passed,
            milestone: (state == RuntimeState::Executing).then_some(Milestone::Dispatched),
            attempt: 0,
            cycle: 0,
            evidence: None,
        };
        let decided = |decision: &Decision| {
            let note = format!("{}: {}", decision.effect, decision.reason);
            step(decision.at, RuntimeState::CheckingPreconditions, TraceStage::Resolve, note)
        };
        let accepted = "accepted".to_owned();
        let mut steps = vec![step(self.entry.at, RuntimeState::Received, TraceStage::Accept, accepted)];
        steps.extend(self.decisions.iter().map(decided));
        for intent in &self.intents {
            let note = format!("about to do it by {}", intent.mode);
            steps.push(decided(&intent.decision));
            steps.push(step(intent.decision.at, RuntimeState::Executing, TraceStage::Check, note));
        }
        steps.sort_by_key(|step| step.at);
        let why = result.error.as_ref().map_or_else(String::new, |error| error.message.clone());
        let ended_in = if self.intents.is_empty() { TraceStage::Check } else { TraceStage::Execute };
        let ended = step(now, RuntimeState::Failed, ended_in, why);
        steps.push(TraceEntry { result: StageResult::Failed, milestone: Some(Milestone::Failed), ..ended });
        let mut attempt = 0;
        for step in &mut steps {
            attempt += u32::from(step.state == RuntimeState::Executing);
            step.attempt = attempt;
        }
        TraceRecord { steps, ..TraceRecord::new(self.entry.handle.clone(), self.entry.action_id.clone()) }
    }
}
