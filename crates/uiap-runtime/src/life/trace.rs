//! The trace of an action: one step for every transition, written when the outcome of what came before it is known.

use super::{Action, Millis};
use uiap_protocol::action::RuntimeState as State;
use uiap_protocol::wire::JsonObject;

/// Most steps of a trace.
pub const TRACE_STEPS_MAX: usize = 256;

/// The part of a life whose outcome a step tells (RFC 012 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceStage {
    /// It was taken in.
    Accept,
    /// The target was looked for.
    Resolve,
    /// It was checked whether the target can be acted on, and whether it may.
    Check,
    /// A person was asked.
    Confirm,
    /// It was done.
    Execute,
    /// Its effect was looked for.
    Verify,
    /// Its effect had to hold.
    Stabilize,
    /// A person was waited for.
    User,
    /// Something was tried against an obstacle.
    Recover,
}

impl TraceStage {
    /// Every stage with its word.
    const WORDS: [(&'static str, Self); 9] = [
        ("accept", Self::Accept),
        ("resolve", Self::Resolve),
        ("check", Self::Check),
        ("confirm", Self::Confirm),
        ("execute", Self::Execute),
        ("verify", Self::Verify),
        ("stabilize", Self::Stabilize),
        ("user", Self::User),
        ("recover", Self::Recover),
    ];

    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, stage)| *stage == self).map_or("", |(word, _)| word)
    }

    /// The stage with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, stage)| *stage)
    }

    /// The stage that ends when a state is left.
    fn of(state: State, holding: bool) -> Self {
        match state {
            State::Received => Self::Accept,
            State::ResolvingTarget => Self::Resolve,
            State::CheckingPreconditions => Self::Check,
            State::AwaitingConfirmation => Self::Confirm,
            State::Executing => Self::Execute,
            State::Verifying if holding => Self::Stabilize,
            State::Verifying | State::Succeeded | State::Failed | State::Cancelled => Self::Verify,
            State::WaitingForUser => Self::User,
            State::Recovering => Self::Recover,
        }
    }
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageResult {
    /// As it should.
    Passed,
    /// It did not; something else is tried.
    Again,
    /// It did not, and the action ends.
    Failed,
}

impl StageResult {
    /// Every result with its word.
    const WORDS: [(&'static str, Self); 3] =
        [("passed", Self::Passed), ("again", Self::Again), ("failed", Self::Failed)];

    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, result)| *result == self).map_or("", |(word, _)| word)
    }

    /// The result with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, result)| *result)
    }
}

/// What RFC 005 calls the places that every action passes. They are views of the same transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    /// The target is found and can be acted on.
    Resolved,
    /// It is being carried out.
    Dispatched,
    /// Its effect is waited for.
    Pending,
    /// Its effect was seen and held. What was not verified never gets here.
    Verified,
    /// It ended without.
    Failed,
}

impl Milestone {
    /// Every milestone with its word.
    const WORDS: [(&'static str, Self); 5] = [
        ("resolved", Self::Resolved),
        ("dispatched", Self::Dispatched),
        ("pending_verification", Self::Pending),
        ("verified", Self::Verified),
        ("failed", Self::Failed),
    ];

    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, milestone)| *milestone == self).map_or("", |(word, _)| word)
    }

    /// The milestone with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, milestone)| *milestone)
    }
}

/// One transition.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// When.
    pub at: Millis,
    /// Into which state.
    pub state: State,
    /// Why.
    pub note: String,
    /// Whose outcome it tells.
    pub stage: TraceStage,
    /// Which outcome.
    pub result: StageResult,
    /// What is reached by it.
    pub milestone: Option<Milestone>,
    /// How often the action was about to be dispatched by then.
    pub attempt: u32,
    /// How often it had left its way by then.
    pub cycle: u32,
    /// What shows it.
    pub evidence: Option<JsonObject>,
}

impl Action {
    /// What is reached by the transition from a state into the present one.
    fn milestone(&self, from: State) -> Option<Milestone> {
        match self.state {
            // Checked, and nothing decided about it yet: what is said next is said about this target.
            State::CheckingPreconditions if self.cleared => Some(Milestone::Resolved),
            State::Executing if from != State::Executing => Some(Milestone::Dispatched),
            State::Verifying if from != State::Verifying => Some(Milestone::Pending),
            State::Succeeded if self.evidence.verified => Some(Milestone::Verified),
            State::Failed => Some(Milestone::Failed),
            _ => None,
        }
    }

    /// Writes down a transition into the present state.
    pub(super) fn note(&mut self, at: Millis, note: impl Into<String>) {
        self.note_with(at, note, None);
    }

    /// The same, with what shows it.
    pub(super) fn note_with(&mut self, at: Millis, note: impl Into<String>, evidence: Option<JsonObject>) {
        // How it ended is always told.
        let room = if self.is_over() { TRACE_STEPS_MAX } else { TRACE_STEPS_MAX - 1 };
        if self.trace.len() >= room {
            return;
        }
        let from = self.trace.last().map_or(State::Received, |step| step.state);
        let went_back = from == State::Executing && self.state == State::CheckingPreconditions;
        let lost_again = from == State::Verifying && self.state == from && !self.observation.enough;
        let result = match self.state {
            State::Failed | State::Cancelled => StageResult::Failed,
            State::Recovering => StageResult::Again,
            _ if went_back || lost_again => StageResult::Again,
            _ => StageResult::Passed,
        };
        self.trace.push(TraceStep {
            at,
            state: self.state,
            note: note.into(),
            stage: TraceStage::of(from, self.enough_since.is_some()),
            result,
            milestone: self.milestone(from),
            attempt: self.recovery.attempts,
            cycle: self.recovery.cycles,
            evidence,
        });
    }
}
