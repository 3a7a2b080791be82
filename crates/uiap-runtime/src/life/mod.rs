//! The life of one action, as a pure function (ACT 4, `execution-model` 3).
//!
//! Start at [`Action::accept`] and [`step`]. Time, pages, policies and people arrive as [`Event`]s; wishes leave as
//! [`Effect`]s, which the shell carries out one after the other, each finished before the next. So a record stands in
//! the journal before anything is dispatched, and again before a result is sent. Nothing here waits, looks or sends.

mod failure;
mod outcome;
mod recovery;
mod step;
mod trace;
mod verdict;

pub use failure::{CLASSES_VERSION, FailureClass, FailureFamily};
pub use outcome::{Evidence, after_crash};
pub use recovery::{RECOVERIES_MAX, Strategy};
pub use step::step;
pub use trace::{Milestone, StageResult, TRACE_STEPS_MAX, TraceStage, TraceStep};
pub use verdict::{EffectKind, Grounds, Preview, Verdict};

use crate::catalogue::ActionType;
use crate::deed::Private;
use crate::gate::{Demand, LiveFacts};
use crate::judge::Finding;
use crate::resolve::{Aim, ResolveError};
use recovery::RecoveryState;
use uiap_protocol::action::{
    Accepted, ActionAccepted, ActionCancelled, ActionProgress, ActionResult, ConfirmationRequest,
    ResolvedTarget, RuntimeErrorDescriptor, RuntimeState, VerificationPolicy,
};
use uiap_protocol::capability::{ExecutionMode, Idempotency, PrimitiveAction, RiskLevel, SuccessSignal};
use uiap_protocol::ids::{ActionHandle, ActionId, ElementInstanceId, RevisionId};
use uiap_protocol::wire::JsonObject;

/// Milliseconds of the runtime's clock.
pub type Millis = u64;

/// Longest time of all short waits of one action together (finding A26).
pub const SHORT_WAITS_MS_MAX: Millis = 2_000;
/// Time between two looks during a short wait.
pub const SHORT_WAIT_MS: Millis = 50;
/// Longest wait for a confirmation.
pub const CONFIRMATION_WAIT_MS_MAX: Millis = 10 * 60 * 1_000;
/// Longest wait for a person who must act (finding A27).
pub const USER_WAIT_MS_MAX: Millis = 120_000;
/// How long the outcome of a risky or non-idempotent action must hold.
pub const QUIET_MS: Millis = 500;
/// How long a value must hold: a page has time to take back what it does not want.
pub const HOLD_MS: Millis = 150;
/// How often a target may be looked for: once, and once more (ACT 8.3).
pub const RESOLUTIONS_MAX: u8 = 2;
/// How often a person may be asked about one action.
pub const CONFIRMATIONS_MAX: u8 = 3;
/// The last look before an action ends without its effect comes so long before the end, or at half of its time.
pub const LAST_LOOK_MS: Millis = 100;

/// Everything that is decided about an action before it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its handle.
    pub handle: ActionHandle,
    /// What it is.
    pub action_id: ActionId,
    /// It is aimed at an element.
    pub needs_target: bool,
    /// What it demands of the element.
    pub demand: Demand,
    /// What happens if it runs twice.
    pub idempotency: Idempotency,
    /// How it may be carried out, best first.
    pub modes: Vec<ExecutionMode>,
    /// How success is recognised.
    pub verification: VerificationPlan,
    /// How long the whole may take, waiting for people aside.
    pub timeout_ms: Millis,
    /// With what.
    pub args: Option<Private<JsonObject>>,
}

/// How success is recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct VerificationPlan {
    /// How many signals.
    pub policy: VerificationPolicy,
    /// Which signals.
    pub signals: Vec<SuccessSignal>,
    /// How long to wait, once execution ended.
    pub timeout_ms: Millis,
    /// The page must have changed.
    pub require_revision_advance: bool,
}

/// Names a question, so that a late or repeated answer to an earlier one is known as such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u32);

/// What the shell tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The answer to a question.
    Answered(Ticket, Answer),
    /// Something was observed since the dispatch.
    Observed(Observation),
    /// Nothing can be seen any more: what was seen last counts for nothing until it is seen again.
    Unseen,
    /// The person did what only a person can do.
    UserActed,
    /// Somebody wants it to stop.
    Cancel {
        /// Why.
        reason: Option<String>,
    },
    /// The time that was asked for has come.
    Woke,
    /// The surface is gone.
    SurfaceLost {
        /// Why.
        reason: String,
    },
    /// The journal could not keep the intent; what was to follow did not happen.
    JournalFailed {
        /// Why.
        reason: String,
    },
}

/// What the action asks of others. One question is open at a time; a new one takes the place of the old.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Which element is meant?
    Resolve {
        /// Look at the page again before, because what was known of it misled.
        fresh: bool,
    },
    /// How is the target now?
    Check,
    /// Can the target be brought into view?
    Reveal,
    /// What does the policy say?
    Decide,
    /// Does a person agree? Goes out as `action.confirmation.request`.
    Confirm(Box<ConfirmationRequest>),
    /// Do it: did it reach the application?
    Dispatch {
        /// How.
        mode: ExecutionMode,
    },
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The target was looked for.
    Resolved(Result<Aim, ResolveError>),
    /// The target was looked at. Without a target there is nothing to look at.
    Checked(Option<LiveFacts>),
    /// The target was brought into view, or not.
    Revealed,
    /// The policy has spoken.
    Decided(Box<Verdict>),
    /// A person agreed, with a grant that was redeemed for exactly this target.
    Granted,
    /// A person refused.
    Denied {
        /// Why.
        reason: Option<String>,
    },
    /// What a person was shown, or what was about to be acted on, is not so any more. Nothing was done.
    Outdated,
    /// The journal is not the one any more in which the intent stands. Nothing was done.
    JournalLost {
        /// Why.
        reason: String,
    },
    /// The surface has tried.
    Delivered(Delivery),
}

/// Whether something reached the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// Certainly not; another mode may be tried.
    NotDelivered {
        /// Why.
        reason: String,
    },
    /// Certainly not, because the target is not what was found any more.
    Outdated {
        /// What became of it.
        reason: String,
    },
    /// Certainly not, because only a person can do it.
    NeedsUser {
        /// What the person is told.
        note: String,
    },
    /// Certainly not, because everything is as wanted already.
    Already,
    /// It did.
    Delivered {
        /// The application itself said that it took effect.
        acknowledged: bool,
        /// What came back.
        return_value: Option<JsonObject>,
    },
    /// It cannot be said.
    Unknown,
}

/// What was observed since the dispatch, as the judge of the signals sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// The signals that occurred and were not true before.
    pub observed: Vec<SuccessSignal>,
    /// The signals that did not.
    pub missing: Vec<SuccessSignal>,
    /// It is enough, by the policy of the verification.
    pub enough: bool,
    /// It has held over two frames, and nothing that the action started is still under way.
    pub settled: bool,
    /// The revision it was observed on, if it is newer than that before the dispatch.
    pub revision: Option<RevisionId>,
    /// Something relevant changed at all.
    pub changed: bool,
    /// The same in a word and a sentence.
    pub finding: Option<Finding>,
}

/// What the shell shall do, in this order, each finished before the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send this.
    Send(Message),
    /// Ask this; the answer comes as an event with the same ticket.
    Ask(Ticket, Question),
    /// Keep this record, durably. If an intent cannot be kept, tell it and do nothing that follows; a result is sent
    /// in any case.
    Record(Record),
    /// Take the baseline and watch for the signals.
    Watch,
    /// Wake the action at this time, in place of any time asked for before.
    WakeAt(Millis),
}

/// What is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// It is about to be dispatched.
    Intent {
        /// How.
        mode: ExecutionMode,
        /// A repetition does no harm.
        repeatable: bool,
        /// A person had to agree, and did.
        consented: bool,
    },
    /// It ended so.
    Outcome(Box<ActionResult>),
}

/// What is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// It has a handle.
    Accepted(ActionAccepted),
    /// Where it is.
    Progress(Box<ActionProgress>),
    /// The cancellation was taken.
    Cancelled(ActionCancelled),
    /// How it ended.
    Result(Box<ActionResult>),
}

/// One action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    plan: Plan,
    state: RuntimeState,
    trace: Vec<TraceStep>,
    asked: Ticket,
    target: Option<ResolvedTarget>,
    /// The element that was found first.
    first_target: Option<ElementInstanceId>,
    /// Nothing stands in the way of acting on the target, and the policy has not spoken about it yet.
    cleared: bool,
    /// How sure the search was, and what else it could have been.
    resolution: Option<JsonObject>,
    verdict: Option<Verdict>,
    consent: Consent,
    budget: Budget,
    recovery: RecoveryState,
    /// The modes that are left to try, the one in use first.
    modes: Vec<ExecutionMode>,
    /// The target is only a picture, so that nothing leads into it but looking at it.
    is_picture: bool,
    evidence: Evidence,
    observation: Observation,
    /// Since when the outcome has been as wanted.
    enough_since: Option<Millis>,
    /// How many looks in a row have found it so.
    matches: u32,
    return_value: Option<JsonObject>,
    error: Option<RuntimeErrorDescriptor>,
}

/// Whether a person agreed, and to what.
#[derive(Clone, Debug, PartialEq)]
enum Consent {
    NotGiven,
    /// To this target, or to an action without one.
    GivenFor(Option<ResolvedTarget>),
}

/// What may still be spent.
#[derive(Clone, Debug, PartialEq)]
struct Budget {
    /// When the action ends, or the wait for a person.
    deadline: Millis,
    /// What was left of the action's own time when the wait for a person began.
    paused: Option<Millis>,
    waited: Millis,
    resolutions: u8,
    reveals: u8,
    confirmations: u8,
}

impl Action {
    /// Accepts an action: it has a handle, and its life begins.
    pub fn accept(plan: Plan, now: Millis) -> (Self, Vec<Effect>) {
        let accepted = ActionAccepted {
            action_handle: plan.handle.clone(),
            action_id: plan.action_id.clone(),
            status: Accepted,
        };
        let deadline = now.saturating_add(plan.timeout_ms);
        let budget =
            Budget { deadline, paused: None, waited: 0, resolutions: 0, reveals: 0, confirmations: 0 };
        let mut action = Self {
            modes: plan.modes.clone(),
            plan,
            state: RuntimeState::Received,
            trace: Vec::new(),
            asked: Ticket::default(),
            target: None,
            first_target: None,
            cleared: false,
            resolution: None,
            verdict: None,
            consent: Consent::NotGiven,
            is_picture: false,
            budget,
            recovery: RecoveryState::default(),
            evidence: Evidence::default(),
            observation: Observation::default(),
            enough_since: None,
            matches: 0,
            return_value: None,
            error: None,
        };
        let evidence = JsonObject::from_iter([
            ("intent".to_owned(), action.plan.action_id.as_str().into()),
            ("actionType".to_owned(), ActionType::of(&action.plan.action_id).word().into()),
        ]);
        action.note_with(now, "accepted", Some(evidence));
        let mut effects = vec![Effect::Send(Message::Accepted(accepted)), Effect::WakeAt(deadline)];
        step::begin(&mut action, now, &mut effects);
        (action, effects)
    }

    /// Where it is.
    pub fn state(&self) -> RuntimeState {
        self.state
    }

    /// It has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state, RuntimeState::Succeeded | RuntimeState::Failed | RuntimeState::Cancelled)
    }

    /// What happened so far.
    pub fn trace(&self) -> &[TraceStep] {
        &self.trace
    }

    /// The element it acts on.
    pub fn target(&self) -> Option<&ResolvedTarget> {
        self.target.as_ref()
    }

    /// What was decided before it began.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What the policy says, once it was asked.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The ways that can lead to the target, as far as it is known.
    pub fn candidates(&self) -> Vec<ExecutionMode> {
        let fits = |mode: &ExecutionMode| !self.is_picture || *mode == ExecutionMode::VisionAssist;
        self.plan.modes.iter().copied().filter(fits).collect()
    }

    /// A repetition does no harm.
    fn is_repeatable(&self) -> bool {
        self.plan.idempotency == Idempotency::Idempotent
    }

    /// How long the outcome must hold, beyond two frames.
    fn hold_ms(&self) -> Millis {
        use PrimitiveAction as Primitive;
        let risky = self.verdict.as_ref().is_some_and(|verdict| verdict.risk.level > RiskLevel::Safe);
        if risky || self.plan.idempotency == Idempotency::NonIdempotent {
            return QUIET_MS;
        }
        match PrimitiveAction::from_word(self.plan.action_id.as_str()) {
            Some(
                Primitive::EnterText
                | Primitive::ClearText
                | Primitive::SetValue
                | Primitive::Choose
                | Primitive::Toggle,
            ) => HOLD_MS,
            _ => 0,
        }
    }

    /// Asks a question; answers to earlier ones no longer count.
    fn ask(&mut self, question: Question, effects: &mut Vec<Effect>) {
        self.asked = Ticket(self.asked.0.saturating_add(1));
        effects.push(Effect::Ask(self.asked, question));
    }
}
