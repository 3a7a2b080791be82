//! What kind of failure a failure is, and what is told of it (RFC 005 11, RFC 011 5 and 12).
//!
//! Start at [`FailureClass::of`]: every code of the protocol has its class there, or is no failure of the action at
//! all: somebody decided against it, or the place is closed to agents. The classes are views of the one error that a
//! result has; they stand in its detail and replace nothing.

use super::Action;
use crate::gate::Obstacle;
use crate::judge::FindingWord;
use crate::resolve::{Candidate, ResolveError};
use serde_json::{Value, json};
use uiap_protocol::action::{RuntimeErrorCode as Code, RuntimeErrorDescriptor, RuntimeState};
use uiap_protocol::wire::JsonObject;

/// The version of the table of classes. It rises when a code changes its class.
pub const CLASSES_VERSION: u32 = 1;

/// Where an action failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureClass {
    /// No element that can be acted on was found.
    Resolution,
    /// It could not be carried out.
    Dispatch,
    /// What was expected did not come in time, or did not hold.
    Timeout,
    /// Something else came of it.
    UnexpectedChange,
    /// Nothing came of it.
    NoChange,
    /// A value did not reach its target.
    NotConverged,
    /// What was acted on says the opposite of what was expected.
    Mismatch,
}

/// The same, more coarsely: what may be tried against it depends on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureFamily {
    /// Of finding the target.
    TargetResolution,
    /// Of carrying it out.
    Execution,
    /// Of recognising its success.
    Verification,
    /// Of bringing a control to a value.
    ControlConvergence,
    /// Of what the target means.
    SemanticMismatch,
}

impl FailureClass {
    /// Every class.
    pub const ALL: [Self; 7] = [
        Self::Resolution,
        Self::Dispatch,
        Self::Timeout,
        Self::UnexpectedChange,
        Self::NoChange,
        Self::NotConverged,
        Self::Mismatch,
    ];

    /// The class of an error, given what the verification found. Nothing, if it is not the action that failed.
    pub fn of(code: Code, found: Option<FindingWord>) -> Option<Self> {
        Some(match code {
            Code::TargetRequired
            | Code::TargetNotFound
            | Code::TargetAmbiguous
            | Code::StaleTarget
            | Code::TargetNotInteractable => Self::Resolution,
            Code::ActionUnsupported
            | Code::InvalidArguments
            | Code::ExecutionModeUnavailable
            | Code::InternalRuntimeError
            | Code::Timeout => Self::Dispatch,
            Code::VerificationFailed => match found {
                Some(FindingWord::NoChange) => Self::NoChange,
                Some(FindingWord::UnexpectedChange) => Self::UnexpectedChange,
                Some(FindingWord::NotConverged) => Self::NotConverged,
                Some(FindingWord::Mismatch) => Self::Mismatch,
                // What was seen and did not hold was not there in time.
                Some(
                    FindingWord::Timeout
                    | FindingWord::Verified
                    | FindingWord::WithinTolerance
                    | FindingWord::Unverified,
                )
                | None => Self::Timeout,
            },
            Code::ConfirmationDenied
            | Code::UserActivationRequired
            | Code::CrossOriginUnavailable
            | Code::ClosedShadowUnavailable
            | Code::UnsafeRetryRefused
            | Code::Cancelled
            | Code::PolicyDenied => return None,
        })
    }

    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Resolution => "resolution",
            Self::Dispatch => "dispatch",
            Self::Timeout => "timeout",
            Self::UnexpectedChange => "unexpected_change",
            Self::NoChange => "no_change",
            Self::NotConverged => "not_converged",
            Self::Mismatch => "mismatch",
        }
    }

    /// The family it belongs to.
    pub fn family(self) -> FailureFamily {
        match self {
            Self::Resolution => FailureFamily::TargetResolution,
            Self::Dispatch => FailureFamily::Execution,
            Self::Timeout | Self::UnexpectedChange | Self::NoChange => FailureFamily::Verification,
            Self::NotConverged => FailureFamily::ControlConvergence,
            Self::Mismatch => FailureFamily::SemanticMismatch,
        }
    }
}

impl FailureFamily {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::TargetResolution => "target_resolution",
            Self::Execution => "execution",
            Self::Verification => "verification",
            Self::ControlConvergence => "control_convergence",
            Self::SemanticMismatch => "semantic_mismatch",
        }
    }
}

/// What went wrong, in the words of the protocol.
pub(super) fn failure(code: Code, message: impl Into<String>) -> RuntimeErrorDescriptor {
    RuntimeErrorDescriptor { code, message: message.into(), retryable: None, detail: None }
}

/// Something stands in the way, and nothing more may be tried against it.
pub(super) fn obstructed(obstacle: &Obstacle) -> RuntimeErrorDescriptor {
    let detail = [("gate", obstacle.gate_code().word()), ("obstacle", obstacle.word())];
    let detail = detail.into_iter().map(|(name, word)| (name.to_owned(), word.into())).collect();
    RuntimeErrorDescriptor { detail: Some(detail), ..failure(obstacle.code(), obstacle.to_string()) }
}

/// No element was found, with everything that came close and what would tell it apart.
pub(super) fn unresolved(error: &ResolveError) -> RuntimeErrorDescriptor {
    let mut detail = JsonObject::new();
    let candidates: Vec<Value> = match error {
        ResolveError::Required => Vec::new(),
        ResolveError::NotFound { nearest } => nearest.iter().map(Candidate::to_json).collect(),
        ResolveError::Ambiguous { candidates, distinctions, count } => {
            detail.insert("count".to_owned(), (*count).into());
            let words = distinctions.iter().map(|distinction| Value::from(distinction.word())).collect();
            detail.insert("distinctions".to_owned(), words);
            candidates.iter().map(Candidate::to_json).collect()
        }
        ResolveError::Stale { mismatch, found } => {
            detail.insert("mismatch".to_owned(), mismatch.word().into());
            vec![found.to_json()]
        }
    };
    if !candidates.is_empty() {
        detail.insert("candidates".to_owned(), candidates.into());
    }
    RuntimeErrorDescriptor {
        detail: (!detail.is_empty()).then_some(detail),
        ..failure(error.code(), error.to_string())
    }
}

/// Adds to an error where it happened and of which class it is.
pub(super) fn classified(
    error: &mut RuntimeErrorDescriptor,
    found: Option<FindingWord>,
    phase: RuntimeState,
) {
    let detail = error.detail.get_or_insert_default();
    detail.insert("phase".to_owned(), phase.as_str().to_lowercase().into());
    if let Some(class) = FailureClass::of(error.code, found) {
        detail.insert("class".to_owned(), class.word().into());
        detail.insert("family".to_owned(), class.family().word().into());
        detail.insert("classesVersion".to_owned(), CLASSES_VERSION.into());
    }
}

impl Action {
    /// Adds to an error what was tried before it, and on what the action was begun.
    pub(super) fn told_in_full(&self, error: &mut RuntimeErrorDescriptor, phase: RuntimeState) {
        classified(error, self.finding().map(|finding| finding.word), phase);
        let detail = error.detail.get_or_insert_default();
        detail.insert("attempts".to_owned(), self.recovery.attempts.into());
        detail.insert("tried".to_owned(), json!(self.recovery.words()));
        let first = self.first_target.as_ref();
        if let Some(first) =
            first.filter(|first| self.target.as_ref().map(|now| &now.instance_id) != Some(first))
        {
            detail.insert("firstTarget".to_owned(), first.as_str().into());
        }
    }
}
