//! How an action ends, and what is known about its effect.

use super::failure::{classified, failure};
use super::{Action, Effect, Message, Millis, Record};
use crate::judge::{Finding, FindingWord};
use uiap_protocol::action::{
    ActionResult, ActionStatus, RuntimeErrorCode, RuntimeErrorDescriptor, RuntimeState, SideEffectState,
    VerificationOutcome, VerificationPolicy,
};
use uiap_protocol::capability::PrimitiveAction;
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::wire::JsonObject;

/// What is known about the effect of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Something was dispatched and it is not certain that it got lost.
    pub dispatched: bool,
    /// The application said that it took effect.
    pub acknowledged: bool,
    /// The signals of success were observed.
    pub verified: bool,
}

impl Evidence {
    /// Whether anything was changed. What merely looks like an effect may be somebody else's, so it proves nothing.
    pub fn side_effects(self) -> SideEffectState {
        match self {
            Self { dispatched: false, .. } => SideEffectState::None,
            Self { acknowledged: true, .. } | Self { verified: true, .. } => SideEffectState::Applied,
            _ => SideEffectState::Unknown,
        }
    }
}

impl Action {
    pub(super) fn succeed(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        self.end(RuntimeState::Succeeded, None, now, effects);
    }

    pub(super) fn fail(&mut self, error: RuntimeErrorDescriptor, now: Millis, effects: &mut Vec<Effect>) {
        self.end(RuntimeState::Failed, Some(error), now, effects);
    }

    pub(super) fn cancel(&mut self, error: RuntimeErrorDescriptor, now: Millis, effects: &mut Vec<Effect>) {
        self.end(RuntimeState::Cancelled, Some(error), now, effects);
    }

    /// The one way out: the outcome is kept, then the one result is sent.
    fn end(
        &mut self,
        state: RuntimeState,
        error: Option<RuntimeErrorDescriptor>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let phase = self.state;
        self.state = state;
        let note = error
            .as_ref()
            .map_or_else(|| "done".to_owned(), |error| format!("{}: {}", error.code, error.message));
        self.error = error.map(|error| self.judged(error, phase));
        let evidence = self.conclusion(now);
        self.note_with(now, note, Some(evidence));
        let result = Box::new(self.result());
        effects.push(Effect::Record(Record::Outcome(result.clone())));
        effects.push(Effect::Send(Message::Result(result)));
    }

    /// What only reads or points out changes nothing, whether or not it was verified.
    fn side_effects(&self) -> SideEffectState {
        match PrimitiveAction::from_word(self.plan.action_id.as_str()) {
            Some(PrimitiveAction::Read | PrimitiveAction::Highlight) => SideEffectState::None,
            _ => self.evidence.side_effects(),
        }
    }

    /// Trying again is safe only if nothing can have happened, or if happening twice does no harm.
    fn judged(&self, mut error: RuntimeErrorDescriptor, phase: RuntimeState) -> RuntimeErrorDescriptor {
        let open = self.side_effects() != SideEffectState::None;
        error.retryable.get_or_insert(!open || self.is_repeatable());
        self.told_in_full(&mut error, phase);
        error
    }

    /// What the last step of the trace shows: how it was verified, or of which class the failure is.
    fn conclusion(&self, now: Millis) -> JsonObject {
        let mut evidence = JsonObject::new();
        if let Some(finding) = self.finding() {
            evidence.insert("verdict".to_owned(), finding.word.word().into());
        }
        if let Some(revision) = &self.observation.revision {
            evidence.insert("revision".to_owned(), revision.as_str().into());
        }
        if let Some(since) = self.enough_since {
            evidence.insert("matches".to_owned(), self.matches.into());
            evidence.insert("heldMs".to_owned(), now.saturating_sub(since).into());
            evidence.insert("windowMs".to_owned(), self.hold_ms().into());
        }
        let detail = self.error.iter().flat_map(|error| error.detail.iter().flatten());
        let told = ["class", "family", "gate", "phase", "tried"];
        let told = detail.filter(|(name, _)| told.contains(&name.as_str()));
        evidence.extend(told.map(|(name, value)| (name.clone(), value.clone())));
        evidence
    }

    fn result(&self) -> ActionResult {
        let status = match self.state {
            RuntimeState::Succeeded => ActionStatus::Succeeded,
            RuntimeState::Cancelled => ActionStatus::Cancelled,
            _ => ActionStatus::Failed,
        };
        let unverified = self.plan.verification.policy == VerificationPolicy::None;
        let succeeded = status == ActionStatus::Succeeded;
        let missing = self.observation.missing.clone();
        let mut metadata = JsonObject::new();
        if unverified && succeeded {
            metadata.insert("unverified".to_owned(), true.into());
        }
        if let Some(finding) = self.finding() {
            metadata.insert("verdict".to_owned(), finding.word.word().into());
            metadata.insert("explanation".to_owned(), finding.says.into());
        }
        if let Some(resolution) = self.resolution.as_ref().filter(|found| found.contains_key("alternates")) {
            metadata.insert("resolution".to_owned(), resolution.clone().into());
        }
        if let Some(recovery) = self.recovery.to_json() {
            metadata.insert("recovery".to_owned(), recovery);
        }
        ActionResult {
            action_handle: self.plan.handle.clone(),
            action_id: self.plan.action_id.clone(),
            status,
            chosen_execution_mode: self.modes.first().copied().filter(|_| self.evidence.dispatched),
            resolved_target: self.target.clone(),
            verification: VerificationOutcome {
                passed: succeeded,
                policy: self.plan.verification.policy,
                observed: self.observation.observed.clone(),
                missing: (!missing.is_empty()).then_some(missing),
                timeout_ms: Some(self.plan.verification.timeout_ms),
            },
            side_effect_state: Some(self.side_effects()),
            state_revision: self.observation.revision.clone(),
            return_value: self.return_value.clone(),
            error: self.error.clone(),
            metadata: (!metadata.is_empty()).then_some(metadata),
        }
    }

    /// What the verification found. An action that was neither dispatched nor needless was never verified.
    pub(super) fn finding(&self) -> Option<Finding> {
        if !self.evidence.dispatched && self.state != RuntimeState::Succeeded {
            return None;
        }
        if self.plan.verification.policy == VerificationPolicy::None {
            return Some(Finding::new(FindingWord::Unverified, "nothing was verified"));
        }
        let finding = self.observation.finding.clone()?;
        // The judge speaks of one look; only the life knows whether it held long enough.
        let held = self.state == RuntimeState::Succeeded;
        let says_held = matches!(finding.word, FindingWord::Verified | FindingWord::WithinTolerance);
        if says_held && !held {
            return Some(Finding::new(
                FindingWord::Timeout,
                format!("{}, but it did not hold", finding.says),
            ));
        }
        Some(finding)
    }
}

/// The result of an action of which the journal knows an intent and no outcome: the runtime died in between.
///
/// It may have taken effect. It is not dispatched again; whether it may be asked for again depends on what happens if
/// it runs twice.
pub fn after_crash(handle: ActionHandle, action_id: ActionId, repeatable: bool) -> ActionResult {
    let code = if repeatable {
        RuntimeErrorCode::InternalRuntimeError
    } else {
        RuntimeErrorCode::UnsafeRetryRefused
    };
    let message = "the runtime ended while the action was under way; whether it took effect is not known";
    let mut error = RuntimeErrorDescriptor { retryable: Some(repeatable), ..failure(code, message) };
    classified(&mut error, None, RuntimeState::Executing);
    ActionResult {
        action_handle: handle,
        action_id,
        status: ActionStatus::Failed,
        chosen_execution_mode: None,
        resolved_target: None,
        verification: VerificationOutcome {
            passed: false,
            policy: VerificationPolicy::CapabilityDefault,
            observed: Vec::new(),
            missing: None,
            timeout_ms: None,
        },
        side_effect_state: Some(SideEffectState::Unknown),
        state_revision: None,
        return_value: None,
        error: Some(error),
        metadata: None,
    }
}
