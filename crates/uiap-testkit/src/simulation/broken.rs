//! What the runtime must never do.

use super::wish::What;
use uiap_protocol::action::{SideEffectState, Stage};
use uiap_protocol::finding::Finding;
use uiap_protocol::ids::{ActionHandle, BadForm};
use uiap_runtime::journal::JournalError;

/// What the runtime must never do, and did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A request was answered by neither a result nor a refusal.
    #[error("request {0} was never answered")]
    Unanswered(usize),
    /// What was said about a handle is not one acceptance, then progress, then one result.
    #[error("request {request} heard {heard}")]
    Words {
        /// Which request.
        request: usize,
        /// What it heard, in short.
        heard: String,
    },
    /// A stage followed another one that it must not follow.
    #[error("request {request} went from {from:?} to {to:?}")]
    Order {
        /// Which request.
        request: usize,
        /// From where; nothing at the beginning.
        from: Option<Stage>,
        /// To where.
        to: Stage,
    },
    /// One handle, two results.
    #[error("action {0} ended in two ways")]
    Results(ActionHandle),
    /// Something was done that nobody agreed to.
    #[error("action {handle} did {what:?} to thing {thing} without the agreement that was needed")]
    NoConsent {
        /// By which action.
        handle: ActionHandle,
        /// What.
        what: What,
        /// To what.
        thing: usize,
    },
    /// Something was done that is forbidden.
    #[error("action {0} was done although it is not allowed")]
    Forbidden(ActionHandle),
    /// Something was dispatched before it stood in the journal.
    #[error("action {0} was dispatched without a record of the intent")]
    NoRecord(ActionHandle),
    /// What must not happen twice was done twice, for one handle or for one key.
    #[error("{who} reached the application {times} times")]
    Twice {
        /// The handle or the key.
        who: String,
        /// How often.
        times: usize,
    },
    /// An agreement was taken that is none.
    #[error("a forged agreement to action {0} was taken")]
    Forged(ActionHandle),
    /// Success was reported, and the world says no.
    #[error("action {0} was reported as a success without an effect")]
    FalseSuccess(ActionHandle),
    /// Something was said about the effect that is not true.
    #[error("the effect of action {handle} was said to be {said:?}, and happened {happened} times")]
    WrongSideEffects {
        /// Which action.
        handle: ActionHandle,
        /// What was said.
        said: Option<SideEffectState>,
        /// What happened.
        happened: usize,
    },
    /// It does not end.
    #[error("it does not end")]
    Endless,
    /// Something is left over when all is done.
    #[error("left over: {0}")]
    Leaked(String),
    /// The simulation itself is wrong.
    #[error("the simulation is wrong: {0}")]
    Simulation(String),
}

impl From<BadForm> for Broken {
    fn from(error: BadForm) -> Self {
        Self::Simulation(error.to_string())
    }
}

impl From<Vec<Finding>> for Broken {
    fn from(findings: Vec<Finding>) -> Self {
        Self::Simulation(findings.first().map_or_else(String::new, |finding| finding.message.clone()))
    }
}

impl From<JournalError> for Broken {
    fn from(error: JournalError) -> Self {
        Self::Simulation(error.to_string())
    }
}
