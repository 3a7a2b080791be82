//! The world: a surface, a person, a journal and the truth.

use super::Dice;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::action::{
    ActionResult, ActionStatus, ResolvedBy, ResolvedTarget, RuntimeErrorCode, SideEffectState,
    VerificationPolicy,
};
use uiap_protocol::capability::{ExecutionMode, Idempotency, RiskDescriptor, RiskLevel, Role};
use uiap_protocol::ids::{ActionHandle, ActionId, BadForm, DocumentId, ElementInstanceId, RevisionId};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::gate::{Demand, LiveFacts};
use uiap_runtime::life::{
    Action, Answer, Delivery, Effect, Event, Grounds, Message, Millis, Observation, Plan, Preview, Question,
    Record, Ticket, Verdict, VerificationPlan, after_crash, step,
};
use uiap_runtime::resolve::{Aim, Resolution, ResolveError, Score};

/// Most events of one run; a run that needs more does not end.
const EVENTS_MAX: usize = 20_000;

/// What one run showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it ended; nothing, if the process was killed before anything was kept.
    pub status: Option<ActionStatus>,
    /// What was said about its effect.
    pub side_effects: Option<SideEffectState>,
    /// Which error was reported.
    pub error: Option<RuntimeErrorCode>,
    /// The process was killed.
    pub killed: bool,
    /// How many things happened.
    pub events: usize,
}

/// What the runtime must never do, and did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A handle has no result, or two.
    #[error("{0} results for one handle")]
    Results(usize),
    /// A handle was accepted twice, or not first of all.
    #[error("{0} acceptances for one handle")]
    Acceptances(usize),
    /// Something was dispatched that nobody agreed to.
    #[error("dispatched without the agreement that was needed")]
    NoConsent,
    /// Something was dispatched before it stood in the journal.
    #[error("dispatched without a record of the intent")]
    NoRecord,
    /// Something was dispatched before its effect was watched for.
    #[error("dispatched before anything was watched for")]
    NotWatched,
    /// The application was reached twice.
    #[error("the application was reached {0} times")]
    Twice(u32),
    /// Success was reported, and the world says no.
    #[error("success was reported without an effect")]
    FalseSuccess,
    /// Something was said about the effect that is not true.
    #[error("the effect was said to be {said:?}, and happened {happened} times")]
    WrongSideEffects {
        /// What was said.
        said: Option<SideEffectState>,
        /// What happened.
        happened: u32,
    },
    /// A state followed another one that it must not follow.
    #[error("progress was reported after the result")]
    LateProgress,
    /// It does not end.
    #[error("the action does not end")]
    Endless,
    /// The simulation itself is wrong.
    #[error("the simulation is wrong: {0}")]
    Simulation(String),
}

impl From<BadForm> for Broken {
    fn from(error: BadForm) -> Self {
        Self::Simulation(error.to_string())
    }
}

/// Something that will happen.
#[derive(Clone, Debug)]
enum Coming {
    /// The runtime hears of it.
    Told(Event),
    /// The runtime is woken; an earlier wish is void.
    Wake(u32),
    /// The application acts, because of the action or because a person pressed.
    Effect { by_person: bool },
    /// The application takes it back.
    TakenBack,
}

/// What this schedule is about.
#[derive(Debug)]
struct Schedule {
    verdict: PolicyEffect,
    idempotency: Idempotency,
    unverified: bool,
    person: Person,
    /// How long something stands in the way.
    in_the_way_until: Millis,
    kill_percent: u64,
    journal_fails: bool,
}

#[derive(Clone, Copy, Debug)]
enum Person {
    Agrees,
    Refuses,
    Silent,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the world")]
struct World {
    dice: Dice,
    schedule: Schedule,
    now: Millis,
    coming: BTreeMap<(Millis, u64), Coming>,
    arrived: u64,
    wake: u32,
    /// Which element the target is; it changes when the page is rebuilt.
    target: u64,
    detached: bool,
    surface_lost: bool,
    /// The elements that a person agreed to.
    agreed: BTreeSet<u64>,
    watching: bool,
    intent: Option<bool>,
    outcome: Option<ActionResult>,
    reached: u32,
    /// What the action brought about, and what the person did instead of it.
    happened: u32,
    by_person: u32,
    visible: bool,
    sent: Vec<Message>,
    killed: bool,
}

/// Runs the schedule of a seed to its end.
pub fn run(seed: u64) -> Result<Report, Broken> {
    let mut world = World::new(seed);
    let plan = world.plan()?;
    let (handle, action_id) = (plan.handle.clone(), plan.action_id.clone());
    let (mut action, effects) = Action::accept(plan, 0);
    world.trouble();
    world.carry_out(&action, effects)?;
    let mut events = 0;
    while let Some(((at, _), coming)) = world.coming.pop_first() {
        events += 1;
        if events > EVENTS_MAX {
            return Err(Broken::Endless);
        }
        world.now = at;
        // What the application still does after the end counts, too.
        let Some(event) = world.happen(coming)? else { continue };
        if !action.is_over() && !world.killed {
            let (next, effects) = step(action, world.now, event);
            action = next;
            world.carry_out(&action, effects)?;
        }
    }
    if !action.is_over() && !world.killed {
        return Err(Broken::Endless);
    }
    let result = world.result(handle, action_id)?;
    world.judge(result.as_ref())?;
    Ok(Report {
        status: result.as_ref().map(|result| result.status),
        side_effects: result.as_ref().and_then(|result| result.side_effect_state),
        error: result.and_then(|result| result.error).map(|error| error.code),
        killed: world.killed,
        events,
    })
}

impl World {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let schedule = Schedule {
            verdict: match dice.below(10) {
                0 => PolicyEffect::Deny,
                1..=4 => PolicyEffect::Confirm,
                _ => PolicyEffect::Allow,
            },
            idempotency: if dice.percent(30) { Idempotency::Idempotent } else { Idempotency::NonIdempotent },
            unverified: dice.percent(5),
            person: match dice.below(6) {
                0 => Person::Refuses,
                1 => Person::Silent,
                _ => Person::Agrees,
            },
            in_the_way_until: if dice.percent(30) { dice.below(4_000) } else { 0 },
            kill_percent: if dice.percent(25) { 8 } else { 0 },
            journal_fails: dice.percent(3),
        };
        Self {
            dice,
            schedule,
            now: 0,
            coming: BTreeMap::new(),
            arrived: 0,
            wake: 0,
            target: 1,
            detached: false,
            surface_lost: false,
            agreed: BTreeSet::new(),
            watching: false,
            intent: None,
            outcome: None,
            reached: 0,
            happened: 0,
            by_person: 0,
            visible: false,
            sent: Vec::new(),
            killed: false,
        }
    }

    fn plan(&mut self) -> Result<Plan, Broken> {
        let policy =
            if self.schedule.unverified { VerificationPolicy::None } else { VerificationPolicy::Any };
        Ok(Plan {
            handle: ActionHandle::new("act_1")?,
            action_id: ActionId::new("ui.activate")?,
            needs_target: self.dice.percent(90),
            demand: Demand::Pressing,
            idempotency: self.schedule.idempotency,
            modes: vec![ExecutionMode::AppAction, ExecutionMode::SemanticUi, ExecutionMode::ExternalDriver],
            verification: VerificationPlan {
                policy,
                signals: Vec::new(),
                timeout_ms: 1_000 + self.dice.below(4_000),
                require_revision_advance: self.dice.percent(50),
            },
            timeout_ms: 3_000 + self.dice.below(10_000),
            args: None,
        })
    }

    /// What comes over the action from outside.
    fn trouble(&mut self) {
        if self.dice.percent(10) {
            let at = self.dice.below(8_000);
            self.later(at, Coming::Told(Event::Cancel { reason: None }));
        }
        if self.dice.percent(10) {
            let at = self.dice.below(8_000);
            self.later(at, Coming::Told(Event::SurfaceLost { reason: "the link was cut".to_owned() }));
        }
    }

    fn later(&mut self, delay: Millis, coming: Coming) {
        self.arrived += 1;
        self.coming.insert((self.now + delay, self.arrived), coming);
    }

    /// An answer: late, lost or twice.
    fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if self.surface_lost || self.dice.percent(3) {
            return;
        }
        let delay = self.dice.delay();
        if self.dice.percent(8) {
            let again = delay + self.dice.delay();
            self.later(again, Coming::Told(Event::Answered(ticket, answer.clone())));
        }
        self.later(delay, Coming::Told(Event::Answered(ticket, answer)));
    }

    /// What something that comes means to the runtime, if it hears of it.
    fn happen(&mut self, coming: Coming) -> Result<Option<Event>, Broken> {
        match coming {
            Coming::Told(Event::SurfaceLost { reason }) => {
                self.surface_lost = true;
                Ok(Some(Event::SurfaceLost { reason }))
            }
            Coming::Told(Event::Observed(mut observation)) => {
                // A look shows what is there now, not what was there when it was begun.
                observation.enough = self.visible;
                let revision = RevisionId::new("r2")?;
                observation.revision = Some(revision).filter(|_| self.happened + self.by_person > 0);
                Ok((!self.surface_lost).then_some(Event::Observed(observation)))
            }
            Coming::Told(event) => Ok(Some(event)),
            Coming::Wake(wish) => Ok((wish == self.wake).then_some(Event::Woke)),
            Coming::Effect { by_person } => {
                if by_person {
                    self.by_person += 1;
                } else {
                    self.happened += 1;
                }
                self.visible = true;
                let taken_back = self.dice.percent(15);
                self.look(self.dice.clone().below(30));
                if taken_back {
                    let delay = self.dice.below(450);
                    self.later(delay, Coming::TakenBack);
                }
                Ok(None)
            }
            Coming::TakenBack => {
                self.visible = false;
                // The change itself is an event, so it is seen at once.
                let seen = Observation { settled: true, changed: true, ..Observation::default() };
                Ok((!self.surface_lost).then_some(Event::Observed(seen)))
            }
        }
    }

    /// The runtime will look at the page: once before it has settled, once after.
    fn look(&mut self, delay: Millis) {
        let seen =
            |settled| Event::Observed(Observation { settled, changed: true, ..Observation::default() });
        self.later(delay, Coming::Told(seen(false)));
        let settled = delay + 32 + self.dice.below(200);
        self.later(settled, Coming::Told(seen(true)));
    }

    fn carry_out(&mut self, action: &Action, effects: Vec<Effect>) -> Result<(), Broken> {
        for effect in effects {
            if self.dice.percent(self.schedule.kill_percent) {
                self.killed = true;
                return Ok(());
            }
            match effect {
                Effect::Send(message) => self.sent.push(message),
                Effect::Ask(ticket, question) => self.asked(action, ticket, &question)?,
                Effect::Record(Record::Intent { repeatable, .. }) => {
                    if self.schedule.journal_fails {
                        self.later(0, Coming::Told(Event::JournalFailed));
                        return Ok(());
                    }
                    self.intent = Some(repeatable);
                }
                Effect::Record(Record::Outcome(result)) => {
                    let verified = result.verification.policy != VerificationPolicy::None;
                    if result.status == ActionStatus::Succeeded && verified && !self.visible {
                        return Err(Broken::FalseSuccess);
                    }
                    self.outcome = Some(*result);
                }
                Effect::Watch => self.watching = true,
                Effect::WakeAt(at) => {
                    self.wake += 1;
                    self.later(at.saturating_sub(self.now), Coming::Wake(self.wake));
                }
            }
        }
        Ok(())
    }

    fn asked(&mut self, action: &Action, ticket: Ticket, question: &Question) -> Result<(), Broken> {
        let answer = match question {
            Question::Resolve { .. } => Answer::Resolved(self.resolve()?),
            Question::Check => Answer::Checked(self.check(action)),
            Question::Reveal => Answer::Revealed,
            Question::Decide => Answer::Decided(Box::new(self.verdict())),
            Question::Confirm(_) => return self.confirm(action, ticket),
            Question::Dispatch { .. } => return self.dispatch(action, ticket),
        };
        self.answer(ticket, answer);
        Ok(())
    }

    fn resolve(&mut self) -> Result<Result<Aim, ResolveError>, Broken> {
        if self.detached {
            // The page was rebuilt: the same thing is another element now.
            self.detached = false;
            self.target += 1;
        }
        Ok(match self.dice.below(20) {
            0 => Err(ResolveError::NotFound { nearest: Vec::new() }),
            1 => Err(ResolveError::Ambiguous { count: 2, candidates: Vec::new(), distinctions: Vec::new() }),
            _ => Ok(Aim::Element(Box::new(Resolution {
                target: self.element()?,
                score: Score::default(),
                confidence_percent: 100,
                found_inside: None,
                alternates: Vec::new(),
            }))),
        })
    }

    fn element(&self) -> Result<ResolvedTarget, Broken> {
        Ok(ResolvedTarget {
            by: ResolvedBy::StableId,
            instance_id: ElementInstanceId::new(format!("el_{}", self.target))?,
            stable_id: None,
            document_id: DocumentId::new("doc")?,
            scope_id: None,
            role: Role::Button,
            name: None,
            bbox: None,
        })
    }

    fn check(&mut self, action: &Action) -> Option<LiveFacts> {
        action.target()?;
        self.detached |= self.dice.percent(10);
        let blocked = self.now < self.schedule.in_the_way_until;
        Some(LiveFacts {
            attached: !self.detached,
            changed: false,
            role: Role::Button,
            visible: Some(true),
            enabled: Some(!blocked),
            editable: None,
            readonly: None,
            focusable: None,
            focused: None,
            busy: None,
            stable: None,
            blocked: None,
            behind_modal: false,
            in_view: !self.dice.percent(5),
            can_be_revealed: true,
            covered_by: None,
            opaque: None,
            sensitive: false,
        })
    }

    fn verdict(&self) -> Verdict {
        let level =
            if self.schedule.verdict == PolicyEffect::Confirm { RiskLevel::Confirm } else { RiskLevel::Safe };
        Verdict {
            effect: self.schedule.verdict,
            reason: "by the schedule".to_owned(),
            risk: RiskDescriptor { level, tags: None, reason: None, extra: JsonObject::default() },
            modes: vec![ExecutionMode::AppAction, ExecutionMode::SemanticUi, ExecutionMode::ExternalDriver],
            verification: None,
            preview: Preview::default(),
            grounds: Grounds::default(),
        }
    }

    fn confirm(&mut self, action: &Action, ticket: Ticket) -> Result<(), Broken> {
        // What the person was shown is what the person agrees to, whatever the page does meanwhile.
        let shown = action.target().is_none_or(|target| Ok(target) == self.element().as_ref());
        if !shown {
            return Err(Broken::Simulation("the person was shown another element".to_owned()));
        }
        match self.schedule.person {
            Person::Agrees => {
                self.agreed.insert(self.target);
                self.answer(ticket, Answer::Granted);
            }
            Person::Refuses => self.answer(ticket, Answer::Denied { reason: None }),
            Person::Silent => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, action: &Action, ticket: Ticket) -> Result<(), Broken> {
        let must_agree = self.schedule.verdict == PolicyEffect::Confirm;
        if must_agree && !self.agreed.contains(&self.target) || self.schedule.verdict == PolicyEffect::Deny {
            return Err(Broken::NoConsent);
        }
        if self.intent.is_none() {
            return Err(Broken::NoRecord);
        }
        if !self.watching {
            return Err(Broken::NotWatched);
        }
        debug_assert!(!action.is_over(), "a finished action asks nothing");
        match self.dice.below(10) {
            0 => self
                .answer(ticket, Answer::Delivered(Delivery::NotDelivered { reason: "not now".to_owned() })),
            1 => {
                self.answer(
                    ticket,
                    Answer::Delivered(Delivery::NeedsUser { note: "please press it".to_owned() }),
                );
                if self.dice.percent(60) {
                    // The person presses it; that is the deed.
                    let delay = 100 + self.dice.below(5_000);
                    self.later(delay, Coming::Effect { by_person: true });
                    self.later(delay + 1, Coming::Told(Event::UserActed));
                }
            }
            reply => self.deliver(ticket, reply),
        }
        Ok(())
    }

    /// It reaches the application, which acts soon, late or not at all; the reply tells the truth or is lost.
    fn deliver(&mut self, ticket: Ticket, reply: u64) {
        self.reached += 1;
        let acts = !self.dice.percent(10);
        if acts {
            let delay = self.dice.delay();
            self.later(delay, Coming::Effect { by_person: false });
        } else {
            // Something else changes on the page meanwhile.
            self.look(self.dice.clone().below(300));
        }
        let delivery = match reply {
            2 => Delivery::Unknown,
            _ => Delivery::Delivered { acknowledged: false, return_value: None },
        };
        self.answer(ticket, Answer::Delivered(delivery));
    }

    /// The one result: the one that was sent, or what a new process makes of the journal.
    fn result(&mut self, handle: ActionHandle, action_id: ActionId) -> Result<Option<ActionResult>, Broken> {
        let mut results: Vec<_> = self
            .sent
            .iter()
            .filter_map(|message| match message {
                Message::Result(result) => Some((**result).clone()),
                _ => None,
            })
            .collect();
        if self.killed && results.is_empty() {
            results.extend(match (&self.outcome, self.intent) {
                (Some(outcome), _) => Some(outcome.clone()),
                (None, Some(repeatable)) => Some(after_crash(handle, action_id, repeatable)),
                (None, None) => None,
            });
        }
        let lawful = if self.killed && self.intent.is_none() { 0..=1 } else { 1..=1 };
        if !lawful.contains(&results.len()) {
            return Err(Broken::Results(results.len()));
        }
        Ok(results.pop())
    }

    fn judge(&self, result: Option<&ActionResult>) -> Result<(), Broken> {
        let accepted = self.sent.iter().filter(|message| matches!(message, Message::Accepted(_))).count();
        let first = matches!(self.sent.first(), Some(Message::Accepted(_)));
        if !(accepted == 1 && first || self.sent.is_empty() && self.killed) {
            return Err(Broken::Acceptances(accepted));
        }
        let end = self.sent.iter().position(|message| matches!(message, Message::Result(_)));
        if end.is_some_and(|end| end + 1 != self.sent.len()) {
            return Err(Broken::LateProgress);
        }
        if self.reached > 1 {
            return Err(Broken::Twice(self.reached));
        }
        let Some(result) = result else { return Ok(()) };
        let said = result.side_effect_state;
        let right = match said {
            Some(SideEffectState::None) => self.happened == 0,
            Some(SideEffectState::Applied) => self.happened + self.by_person > 0,
            Some(SideEffectState::Unknown) => true,
            None => false,
        };
        if right { Ok(()) } else { Err(Broken::WrongSideEffects { said, happened: self.happened }) }
    }
}
