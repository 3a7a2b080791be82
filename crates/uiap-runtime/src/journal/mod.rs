//! The port to what outlasts the runtime: what was asked for, what was about to be done, and how it ended.
//!
//! Start at [`Journal`]. A request is admitted before anything else ([`Admission`] says whether it is new), its intent
//! is durable before it is dispatched, its outcome before it is told. Whoever opens a journal ends what an earlier
//! process left open ([`Kept::ended_by_crash`]); nothing is ever dispatched a second time. What an admission means is
//! decided by one pure function, [`admit`], so that every journal answers alike.
//!
//! Several processes may share a journal. Each is a session of its own: what may have happened binds the session that
//! caused it while that lives, and those that begin after its end; sessions that live side by side bind only themselves.

mod admission;
mod fingerprint;
mod grounds;
mod recovery;
mod tally;
mod trace;
mod turned_away;

pub use admission::{Admission, Earlier, Known, admit, leaves_unsure};
pub use fingerprint::{Digest, Fingerprint};
pub use tally::Tally;
pub use trace::{DIAGNOSTICS_MAX, TraceEntry, TraceRecord, TraceSummary};
pub use turned_away::TurnedAway;

use crate::life::{Grounds, Millis, Verdict};
use std::sync::Arc;
use uiap_protocol::action::ActionResult;
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::ids::{ActionHandle, ActionId, Id};
use uiap_protocol::policy::PolicyEffect;

/// How long an ended action is remembered, and with it its key.
pub const RETENTION_MS: Millis = 30 * 24 * 60 * 60 * 1_000;
/// Most ended actions that are remembered.
pub const ENDED_MAX: usize = 100_000;
/// Most actions under way at a time.
pub const OPEN_MAX: usize = 10_000;
/// Most traces that are kept.
pub const TRACES_MAX: usize = 10_000;
/// Most requests that were turned away whose traces are kept. They cost a caller nothing, so they never push out others.
pub const TURNED_AWAY_MAX: usize = 1_000;
/// Most summaries of traces in one answer.
pub const LATEST_MAX: usize = 1_000;

/// How much is remembered. Actions under way are never forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// How long an ended action is remembered, counted from its admission; if a crash ended it, from the recovery.
    pub age_ms: Millis,
    /// Most ended actions. Beyond it the oldest go, those first whose effect is known.
    pub ended_max: usize,
    /// Most actions under way at a time; beyond it none is admitted.
    pub open_max: usize,
    /// Most traces. Beyond it the oldest go; their actions stay.
    pub traces_max: usize,
    /// Most traces of requests that were turned away. Beyond it the oldest go.
    pub turned_away_max: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            age_ms: RETENTION_MS,
            ended_max: ENDED_MAX,
            open_max: OPEN_MAX,
            traces_max: TRACES_MAX,
            turned_away_max: TURNED_AWAY_MAX,
        }
    }
}

/// For whom and where: a key means something only within both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner {
    /// Who asks.
    pub principal: Id,
    /// Of which application.
    pub application: Id,
}

/// A request that wants to be admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its handle, unique in the whole journal, not only within a session.
    pub handle: ActionHandle,
    /// What it is.
    pub action_id: ActionId,
    /// For whom and where.
    pub owner: Owner,
    /// Makes a repeated request the same request.
    pub key: Option<Id>,
    /// What it asks for.
    pub fingerprint: Fingerprint,
    /// A repetition does no harm.
    pub repeatable: bool,
    /// When, in milliseconds since 1970.
    pub at: Millis,
}

/// What a policy said, as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// When, in milliseconds since 1970.
    pub at: Millis,
    /// May it happen.
    pub effect: PolicyEffect,
    /// How risky it is.
    pub risk: RiskLevel,
    /// Why.
    pub reason: String,
    /// What led to it.
    pub grounds: Grounds,
}

impl Decision {
    /// What is kept of a verdict.
    pub fn of(verdict: &Verdict, at: Millis) -> Self {
        Self {
            at,
            effect: verdict.effect,
            risk: verdict.risk.level,
            reason: verdict.reason.clone(),
            grounds: verdict.grounds.clone(),
        }
    }
}

/// What is about to be dispatched.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// How.
    pub mode: ExecutionMode,
    /// A repetition does no harm.
    pub repeatable: bool,
    /// A person had to agree, and did.
    pub consented: bool,
    /// The decision that permits it, kept in the same write.
    pub decision: Decision,
}

/// What a journal knows of one action.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What was asked for.
    pub entry: Entry,
    /// Decisions that were kept on their own, in order.
    pub decisions: Vec<Decision>,
    /// What was about to be dispatched, in order: a way that delivered nothing may be followed by another.
    pub intents: Vec<Intent>,
    /// How it ended; nothing while it is under way.
    pub result: Option<ActionResult>,
}

/// Why a journal did not do what it was asked for. Nothing of the request was kept.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// It was never admitted, or has been forgotten.
    #[error("the journal knows no action {0}")]
    Unknown(ActionHandle),
    /// It cannot go on.
    #[error("the action {0} has ended already")]
    Ended(ActionHandle),
    /// Handles are used once.
    #[error("the handle {0} names another action already")]
    HandleTaken(ActionHandle),
    /// Too much is under way.
    #[error("{0} actions are under way already; wait for one of them to end")]
    Full(usize),
    /// It could not be written or read; told to everybody whose request it concerned.
    #[error("the journal is not available: {0}")]
    Unavailable(Arc<dyn std::error::Error + Send + Sync>),
}

/// What outlasts the runtime. When a future is ready, what it says is durable, but for an admission, which is durable
/// together with what follows it.
pub trait Journal: Send + Sync {
    /// Takes a request in, if it is new. Only then is anything kept.
    fn admit(&self, entry: Entry) -> impl Future<Output = Result<Admission, JournalError>> + Send;

    /// Keeps a decision that no intent follows at once: a person is asked first, or it is a refusal.
    fn decide(
        &self,
        handle: &ActionHandle,
        decision: Decision,
    ) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Keeps an intent. Nothing may be dispatched before this is done.
    fn intend(
        &self,
        handle: &ActionHandle,
        intent: Intent,
    ) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Keeps how an action ended, and its trace.
    fn conclude(
        &self,
        result: ActionResult,
        trace: TraceRecord,
    ) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// Keeps the trace of a request that never became an action.
    fn turn_away(&self, request: TurnedAway) -> impl Future<Output = Result<(), JournalError>> + Send;

    /// What is known of an action.
    fn find(&self, handle: &ActionHandle) -> impl Future<Output = Result<Option<Kept>, JournalError>> + Send;

    /// The actions that are under way, oldest first.
    fn open_actions(&self) -> impl Future<Output = Result<Vec<ActionHandle>, JournalError>> + Send;

    /// The trace of an ended action, or of a request that was turned away.
    fn trace(
        &self,
        handle: &ActionHandle,
    ) -> impl Future<Output = Result<Option<TraceRecord>, JournalError>> + Send;

    /// The actions that have a trace, the newest first, at most so many and at most [`LATEST_MAX`].
    fn latest(&self, most: usize) -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send;

    /// The same, of this session only: what others that share the journal did is not in it.
    fn latest_own(&self, most: usize)
    -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send;

    /// Whether a handle names an action of this session, or a request that it turned away.
    fn is_own(&self, handle: &ActionHandle) -> impl Future<Output = Result<bool, JournalError>> + Send;

    /// The requests that were turned away, the newest first, at most so many and at most [`LATEST_MAX`].
    fn turned_away(&self, most: usize) -> impl Future<Output = Result<Vec<TurnedAway>, JournalError>> + Send;

    /// Whether what was written is still where others look for it, and others still see that this process lives. Asked
    /// right before each dispatch; after an error nothing may be dispatched.
    fn check_held(&self) -> Result<(), JournalError>;
}

/// One journal for several runtimes, one after the other or side by side.
impl<J: Journal> Journal for Arc<J> {
    fn admit(&self, entry: Entry) -> impl Future<Output = Result<Admission, JournalError>> + Send {
        J::admit(self, entry)
    }

    fn decide(
        &self,
        handle: &ActionHandle,
        decision: Decision,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        J::decide(self, handle, decision)
    }

    fn intend(
        &self,
        handle: &ActionHandle,
        intent: Intent,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        J::intend(self, handle, intent)
    }

    fn conclude(
        &self,
        result: ActionResult,
        trace: TraceRecord,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        J::conclude(self, result, trace)
    }

    fn turn_away(&self, request: TurnedAway) -> impl Future<Output = Result<(), JournalError>> + Send {
        J::turn_away(self, request)
    }

    fn find(&self, handle: &ActionHandle) -> impl Future<Output = Result<Option<Kept>, JournalError>> + Send {
        J::find(self, handle)
    }

    fn open_actions(&self) -> impl Future<Output = Result<Vec<ActionHandle>, JournalError>> + Send {
        J::open_actions(self)
    }

    fn trace(
        &self,
        handle: &ActionHandle,
    ) -> impl Future<Output = Result<Option<TraceRecord>, JournalError>> + Send {
        J::trace(self, handle)
    }

    fn latest(&self, most: usize) -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send {
        J::latest(self, most)
    }

    fn turned_away(&self, most: usize) -> impl Future<Output = Result<Vec<TurnedAway>, JournalError>> + Send {
        J::turned_away(self, most)
    }

    fn latest_own(
        &self,
        most: usize,
    ) -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send {
        J::latest_own(self, most)
    }

    fn is_own(&self, handle: &ActionHandle) -> impl Future<Output = Result<bool, JournalError>> + Send {
        J::is_own(self, handle)
    }

    fn check_held(&self) -> Result<(), JournalError> {
        J::check_held(self)
    }
}
