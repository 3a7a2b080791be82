//! What was tried to save an action (RFC 011). Only the transitions of an action add to it.

use serde_json::{Value, json};

/// How often an action may leave its way to recover. Each time it looks, waits or searches within limits of its own.
pub const RECOVERIES_MAX: u32 = 3;

/// What may be tried. Only what comes before a delivery, or after one that certainly delivered nothing, dispatches
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Look at the target again, a moment later.
    StateRefresh,
    /// Bring the target into view.
    Reveal,
    /// Look for the target again, on a fresh page.
    ReResolve,
    /// The search led to another element than before.
    AlternateCandidate,
    /// Go on in another way, because one way delivered nothing.
    AdjustedRetry,
    /// Begin again with the search, because what was about to be acted on is not what was found any more.
    StepBack,
}

impl Strategy {
    /// As it stands in a result and in a trace.
    pub fn word(self) -> &'static str {
        match self {
            Self::StateRefresh => "state_refresh",
            Self::Reveal => "reveal",
            Self::ReResolve => "re_resolve",
            Self::AlternateCandidate => "alternate_candidate",
            Self::AdjustedRetry => "adjusted_retry",
            Self::StepBack => "step_back",
        }
    }
}

/// What was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RecoveryState {
    /// Each strategy once, in the order of its first use.
    tried: Vec<Strategy>,
    /// How often the action left its way.
    pub(super) cycles: u32,
    /// How often it was about to be dispatched.
    pub(super) attempts: u32,
}

impl RecoveryState {
    pub(super) fn tries(&mut self, strategy: Strategy) {
        if !self.tried.contains(&strategy) {
            self.tried.push(strategy);
        }
    }

    /// It may leave its way once more.
    pub(super) fn is_open(&self) -> bool {
        self.cycles < RECOVERIES_MAX
    }

    pub(super) fn words(&self) -> Vec<&'static str> {
        self.tried.iter().map(|strategy| strategy.word()).collect()
    }

    /// As it stands beside a result; nothing, if nothing was tried.
    pub(super) fn to_json(&self) -> Option<Value> {
        (!self.tried.is_empty())
            .then(|| json!({ "tried": self.words(), "cycles": self.cycles, "attempts": self.attempts }))
    }
}
