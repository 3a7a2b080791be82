//! How well actions went, counted from what was kept of them: nobody keeps counters beside the journal.

use super::TraceRecord;
use crate::catalogue::ActionType;
use crate::life::{FailureFamily, Strategy};
use serde_json::Value;
use uiap_protocol::action::{ActionResult, ActionStatus};
use uiap_protocol::capability::{ExecutionMode, Role};

/// How well actions went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many ended.
    pub ended: u64,
    /// How many of them succeeded.
    pub succeeded: u64,
    /// How many of those at the first attempt, without anything that had to be recovered from.
    pub at_once: u64,
    /// How many were dispatched.
    pub dispatched: u64,
    /// How many of those by a pointer at a place, not by what the element offers.
    pub by_pointer: u64,
    /// How many were dispatched without the effect that was expected.
    pub in_vain: u64,
    /// How often a target had to be looked for again.
    pub retargets: u64,
    /// How many were aimed at a control that its author built.
    pub custom: u64,
    /// How many of those succeeded.
    pub custom_succeeded: u64,
    /// How many brought a control to a number.
    pub adjustments: u64,
    /// How many of those reached it with the first value that was set.
    pub adjusted_at_once: u64,
    /// How many further values had to be tried.
    pub adjusted_again: u64,
    /// How many controls had to be moved in another way than by their value.
    pub adjusted_degraded: u64,
}

impl Tally {
    /// Counts an action that has ended, with its trace where there still is one.
    pub fn add(&mut self, result: &ActionResult, trace: Option<&TraceRecord>) {
        let succeeded = result.status == ActionStatus::Succeeded;
        let kind = ActionType::of(&result.action_id);
        let tried = tried(result);
        self.ended += 1;
        self.succeeded += u64::from(succeeded);
        let attempts = trace.map_or(1, TraceRecord::attempts);
        self.at_once += u64::from(succeeded && tried.is_empty() && attempts <= 1);
        if let Some(mode) = result.chosen_execution_mode {
            let points = matches!(kind, ActionType::Selection | ActionType::Gesture | ActionType::Adjustment);
            let at_a_place = matches!(
                mode,
                ExecutionMode::ExternalDriver | ExecutionMode::InputSynthesis | ExecutionMode::VisionAssist
            );
            self.dispatched += 1;
            self.by_pointer += u64::from(points && at_a_place);
        }
        self.in_vain += u64::from(family(result) == Some(FailureFamily::Verification.word()));
        self.retargets += u64::from(tried.contains(&Strategy::ReResolve.word()));
        if result.resolved_target.as_ref().is_some_and(|target| target.role == Role::Custom) {
            self.custom += 1;
            self.custom_succeeded += u64::from(succeeded);
        }
        self.adjusted(result);
    }

    fn adjusted(&mut self, result: &ActionResult) {
        let value = result.return_value.as_ref().filter(|value| value.contains_key("residual"));
        let Some(value) = value else { return };
        let attempts = value.get("attempts").and_then(Value::as_u64).unwrap_or_default();
        let is = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
        self.adjustments += 1;
        self.adjusted_at_once += u64::from(is("converged") && attempts == 1);
        self.adjusted_again += attempts.saturating_sub(1);
        self.adjusted_degraded += u64::from(is("degraded"));
    }
}

/// What was tried to save it.
fn tried(result: &ActionResult) -> Vec<&str> {
    let recovery = result.metadata.as_ref().and_then(|metadata| metadata.get("recovery"));
    let tried = recovery.and_then(|recovery| recovery.get("tried")).and_then(Value::as_array);
    tried.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The family of its failure.
fn family(result: &ActionResult) -> Option<&str> {
    result.error.as_ref()?.detail.as_ref()?.get("family")?.as_str()
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { ended, succeeded, at_once, dispatched, by_pointer, in_vain, retargets, .. } = self;
        write!(formatter, "{succeeded} of {ended} succeeded, {at_once} at the first attempt; ")?;
        write!(formatter, "{dispatched} dispatched, {by_pointer} by a pointer, {in_vain} in vain; ")?;
        write!(formatter, "{retargets} targets looked for again; ")?;
        write!(formatter, "{} of {} on custom controls succeeded", self.custom_succeeded, self.custom)?;
        if self.adjustments > 0 {
            let Self { adjustments, adjusted_at_once, adjusted_again, adjusted_degraded, .. } = self;
            write!(formatter, "; {adjusted_at_once} of {adjustments} values reached at once, ")?;
            write!(formatter, "{adjusted_again} further values tried, {adjusted_degraded} controls not set")?;
        }
        Ok(())
    }
}
