//! What is left of a request that never became an action.

use super::{TraceEntry, TraceRecord};
use crate::life::{Milestone, Millis, StageResult, TraceStage};
use crate::plan::Refusal;
use uiap_protocol::action::RuntimeState;
use uiap_protocol::ids::{ActionHandle, ActionId};

/// A request that was turned away: nothing was admitted, nothing was decided, nothing happened. It has a trace all the
/// same, because whoever asks why nothing happened asks by the same door.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnedAway {
    /// When, in milliseconds since 1970.
    pub at: Millis,
    /// Why. Holds no value of the request, which may be a secret.
    pub trace: TraceRecord,
}

impl TurnedAway {
    /// The request for this action, turned away for this reason.
    pub fn new(handle: ActionHandle, action_id: ActionId, refusal: &Refusal, at: Millis) -> Self {
        let mut evidence = refusal.detail.clone();
        evidence.insert("code".to_owned(), refusal.code.as_str().into());
        let received = TraceEntry {
            at,
            state: RuntimeState::Received,
            note: "received".to_owned(),
            stage: TraceStage::Accept,
            result: StageResult::Passed,
            milestone: None,
            attempt: 0,
            cycle: 0,
            evidence: None,
        };
        let failed = TraceEntry {
            state: RuntimeState::Failed,
            note: refusal.message.clone(),
            result: StageResult::Failed,
            milestone: Some(Milestone::Failed),
            evidence: Some(evidence),
            ..received.clone()
        };
        let steps = vec![received, failed];
        Self { at, trace: TraceRecord { steps, ..TraceRecord::new(handle, action_id) } }
    }

    /// The code of the refusal.
    pub fn code(&self) -> Option<&str> {
        self.trace.steps.last()?.evidence.as_ref()?.get("code")?.as_str()
    }
}
