//! One hand at work: gets to a state, does one thing there, and looks at what came of it.

use super::book::{Book, End, Report, Sight, Task, Trip, accessibility_name, picture_name};
use super::doing::{growth, member};
use super::ports::{Archive, Ground, GroundError, Hand, Hindrance};
use super::settle::Settled;
use super::{Explorer, Trouble};
use crate::atlas::{Errand, Outcome, Passage};
use crate::changes::{changes, lasting};
use crate::fingerprint::is_of_same_kinds;
use crate::growth::last;
use crate::options::Choice;
use crate::safety::{Asked, judge};
use crate::seeds::{Approach, Start};
use crate::sighting::{Sighting, mark_openers};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::action::{
    ActionRequest, ActionResult, ActionStatus, ActionTarget, ConfirmationRequest, RuntimeErrorCode, Stage,
    VerificationSpec,
};
use uiap_protocol::capability::{Role, TargetRef};
use uiap_protocol::discovery::{DiscoverySafetyPolicy, SafetyMode};
use uiap_protocol::ids::{ActionId, ElementInstanceId, Id, Text};
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Message;
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::{Listener, Runtime};
use uiap_runtime::surface::{Mark, Surface};

/// How long the outcome of one thing is waited for.
const OUTCOME_MS: u64 = 1_000;
/// How long one thing may take as a whole.
const ACTION_MS: u64 = 15_000;
/// How long a picture or a record may take.
const EVIDENCE_WAIT: Duration = Duration::from_secs(5);
/// How often in a row a place to explore in may be lost before the run gives up.
const LOST_MAX: usize = 3;
/// Why nobody agrees to anything.
const NOBODY: &str = "nobody is asked while an application is mapped";
/// A page did not come, in place of a word of the protocol.
const NO_PAGE: &str = "no_page";
/// What is shown is not of the application, in place of a word of the protocol.
const LEFT: &str = "left_application";

/// Nobody is asked anything while mapping: what needs a person is not done.
struct Nobody<'r, S, J>(&'r Runtime<S, J>);

impl<S: Surface, J: Journal> Listener for Nobody<'_, S, J> {
    fn hear(&self, message: &Message) {
        if let Message::Progress(progress) = message
            && progress.stage == Stage::WaitingForUser
        {
            // One that has just ended needs nobody.
            let _ = self.0.cancel(&progress.action_handle, Some(NOBODY.to_owned()));
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, _: GrantToken) {
        let _ = self.0.deny(&request.action_handle, Some(NOBODY.to_owned()));
    }
}

/// One hand at work.
pub(super) struct Worker<'w, 'e, G: Ground, A> {
    pub(super) run: &'w Explorer<'e, G, A>,
    number: usize,
    pub(super) hand: Option<G::Hand>,
    /// The fingerprint of what is shown, if that is known.
    pub(super) here: Option<String>,
    /// The lists of it that are menus, though nothing on it says so.
    pub(super) menus: Vec<ElementInstanceId>,
    /// Addresses that ask for a secret though somebody is signed in.
    pub(super) in_earnest: HashSet<String>,
    /// What was held back before anything was done, and not told yet.
    unasked: Vec<Passage>,
    lost: usize,
    acted: u64,
}

/// Why a task has no end of its own.
pub(super) enum Broken {
    /// The place to explore in is gone.
    Hand(String),
    /// What is shown there cannot be looked at.
    Page(String),
    /// Nobody can go on.
    Run(Trouble),
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Run(Trouble::Archive(error.to_string()))
    }
}

impl<'w, 'e, G: Ground, A: Archive> Worker<'w, 'e, G, A> {
    pub(super) fn new(run: &'w Explorer<'e, G, A>, number: usize, hand: Option<G::Hand>) -> Self {
        Self {
            run,
            number,
            hand,
            here: None,
            menus: Vec::new(),
            in_earnest: HashSet::new(),
            unasked: Vec::new(),
            lost: 0,
            acted: 0,
        }
    }

    /// Works until there is nothing to do any more.
    pub(super) async fn work(mut self) -> Result<(), Trouble> {
        let hands = u64::try_from(self.run.hands).unwrap_or(1);
        let mut number = u64::try_from(self.number).unwrap_or_default();
        loop {
            let going = self.run.control.may_go_on().await && !self.run.is_over();
            if !going {
                self.run.book(Book::end);
            }
            let task = self.next(number).await?;
            if matches!(task, Task::End) {
                return Ok(());
            }
            let report = match (self.run.control.begin().await, task) {
                (Some(_busy), task) => self.done(task).await?,
                // What was not begun before it was stopped is left for whoever goes on.
                (None, Task::Errand(trip)) => Report::from(End::Dropped(trip.errand)),
                (None, _) => Report::from(End::Idle),
            };
            self.run.book(|book| book.report(number, report));
            self.run.told();
            number += hands;
        }
    }

    /// The task of a number, as soon as it can be chosen.
    async fn next(&self, number: u64) -> Result<Task, Trouble> {
        loop {
            let told = self.run.news.notified();
            tokio::pin!(told);
            // From here on nobody's news is missed.
            told.as_mut().enable();
            let chosen = self.run.book(|book| book.choose(number, self.here.as_deref()));
            if let Some(task) = chosen.map_err(|error| Trouble::Archive(error.to_string()))? {
                self.run.news.notify_waiters();
                return Ok(task);
            }
            told.await;
        }
    }

    /// Does a task, and tells how it ended.
    async fn done(&mut self, task: Task) -> Result<Report, Trouble> {
        let (mut led, mut goes_on) = (Vec::new(), None);
        let ended = match &task {
            Task::Rest | Task::End => return Ok(Report::from(End::Idle)),
            Task::Seed { seed, start } => {
                self.seeded(start).await.map(|sight| End::Seeded(*seed, sight.map(Box::new)))
            }
            Task::Errand(trip) => self.errand(trip, &mut led, &mut goes_on).await,
        };
        let end = match ended {
            Ok(end) => {
                self.lost = 0;
                end
            }
            Err(Broken::Run(trouble)) => return Err(trouble),
            Err(Broken::Page(reason)) => {
                // What shows such a page may hang with it.
                (self.hand, self.here) = (None, None);
                match task {
                    Task::Seed { seed, .. } => End::Seeded(seed, Err(reason)),
                    Task::Errand(trip) => End::Missed(trip.errand),
                    Task::Rest | Task::End => End::Idle,
                }
            }
            Err(Broken::Hand(reason)) => {
                (self.hand, self.here) = (None, None);
                self.lost += 1;
                if self.lost >= LOST_MAX {
                    return Err(Trouble::Ground(GroundError::Lost { reason }));
                }
                self.run.note(format!("A page was lost and opened again: {reason}."));
                End::Again(task, reason)
            }
        };
        Ok(Report { led, goes_on, unasked: std::mem::take(&mut self.unasked), end })
    }

    /// Whatever was held back until now, nothing that is done from here on has to do with it.
    fn arrived(&mut self) -> Result<(), Broken> {
        let passages = self.at_hand()?.passages();
        self.unasked.extend(passages.into_iter().filter(|passage| passage.held.is_some()));
        Ok(())
    }

    async fn hand(&mut self) -> Result<(), Broken> {
        if self.hand.is_none() {
            let hand = self.run.ground.hand(self.number).await;
            self.hand = Some(hand.map_err(|error| match error {
                GroundError::Lost { reason } => Broken::Hand(reason),
                other => Broken::Run(Trouble::Ground(other)),
            })?);
        }
        Ok(())
    }

    pub(super) fn at_hand(&self) -> Result<&G::Hand, Broken> {
        self.hand.as_ref().ok_or_else(|| Broken::Hand("there is no page".to_owned()))
    }

    async fn seeded(&mut self, start: &Start) -> Result<Result<Sight, String>, Broken> {
        self.hand().await?;
        let base = self.run.base.clone();
        let address = match &start.approach {
            Approach::Address(address) => address.clone(),
            Approach::Menu(_) | Approach::Offering(_) => base,
        };
        let shown = match self.go(&address, false).await? {
            Ok(shown) => shown,
            Err(trouble) => return Ok(Err(trouble)),
        };
        self.arrived()?;
        let shown = match &start.approach {
            Approach::Address(_) => shown,
            Approach::Menu(label) => match self.menu(label, &shown).await? {
                Ok(shown) => shown,
                Err(trouble) => return Ok(Err(trouble)),
            },
            Approach::Offering(action) => {
                let offered = self.offered().await?;
                if offered.iter().all(|offer| offer.id != *action) {
                    return Ok(Err(format!("the first page does not offer {action}")));
                }
                shown
            }
        };
        self.sight(shown).await.map(|sight| sight.ok_or_else(|| "it leads out of the application".to_owned()))
    }

    /// Presses an entry of a menu, if that may be done (finding S19).
    async fn menu(&mut self, label: &str, shown: &Settled) -> Result<Result<Settled, String>, Broken> {
        let choice = {
            let sighting = Sighting::of(&shown.graph);
            let all = crate::options::choices(&sighting, &[], &self.run.rules.safety);
            let is_called = |choice: &&Choice| {
                let thing = choice.key.as_ref().and_then(|key| sighting.thing(key));
                thing.is_some_and(|thing| {
                    matches!(thing.element.role, Role::Link | Role::Menuitem | Role::Button | Role::Tab)
                        && thing.element.name.as_deref() == Some(label)
                })
            };
            all.iter().find(is_called).cloned()
        };
        let Some(choice) = choice else { return Ok(Err(format!("no menu has an entry \"{label}\""))) };
        if !choice.judgement.allows() {
            return Ok(Err(format!("\"{label}\" is not pressed while mapping")));
        }
        let mark = self.mark()?;
        let Some(request) = request(&choice, &shown.graph, &self.run.rules.safety) else {
            return Ok(Err(format!("\"{label}\" is gone")));
        };
        self.run.decided(&choice, &request)?;
        let acted = self.act(&request).await?;
        // A seed has no transition that could tell of it.
        drop(self.at_hand()?.passages());
        match acted {
            Ok(_) => Ok(Ok(self.settled(mark, Some(&shown.graph)).await?)),
            Err(refusal) => Ok(Err(refusal.message)),
        }
    }

    async fn errand(
        &mut self,
        trip: &Trip,
        led: &mut Vec<(usize, bool)>,
        goes_on: &mut Option<Errand>,
    ) -> Result<End, Broken> {
        self.hand().await?;
        if self.run.is_over() || self.run.control.is_stopped() {
            return Ok(End::Dropped(trip.errand));
        }
        let Some(before) = self.reach(trip, led).await? else { return Ok(End::Missed(trip.errand)) };
        let Some(request) = request(&trip.choice, &before.graph, &self.run.rules.safety) else {
            return Ok(End::Missed(trip.errand));
        };
        let hand = self.at_hand()?;
        // What belongs to getting here does not belong to what is done here.
        drop(hand.complaints());
        self.arrived()?;
        let writes =
            self.run.rules.safety.default_mode == SafetyMode::SandboxWrite && trip.choice.judgement.writes();
        self.run.decided(&trip.choice, &request)?;
        self.at_hand()?.lift(writes);
        let done = self.perform(&trip.choice, &request, &before).await;
        let hand = self.at_hand()?;
        hand.lift(false);
        let grew = done.grew();
        *goes_on = done.goes_on().then_some(trip.errand);
        let (acted, after) = (done.acted?, done.after);
        let hindrance = hand.hindrance();
        let (passages, complaints) = (hand.passages(), hand.complaints());
        let after = match after {
            Ok(after) => after,
            Err(Broken::Page(reason)) => {
                (self.hand, self.here) = (None, None);
                let outcome = outcome(&acted, &before, &before, &request, &trip.choice);
                let outcome = without_page(Outcome { passages, complaints, ..outcome }, reason);
                return Ok(End::Made(trip.errand, outcome, None));
            }
            Err(broken) => return Err(broken),
        };
        hand.tidy().await;
        let mut outcome = outcome(&acted, &before, &after, &request, &trip.choice);
        (outcome.passages, outcome.complaints) = (passages, complaints);
        if let Some(hindrance) = hindrance {
            let is_left = hindrance == Hindrance::TurnedBack;
            let reason = self.hindered(hindrance).await?;
            if is_left {
                outcome.trouble.get_or_insert_with(|| LEFT.to_owned());
            } else {
                outcome = without_page(outcome, reason);
            }
            return Ok(End::Made(trip.errand, outcome, None));
        }
        let may_be_door = self.may_be_door(&after)?;
        if grew {
            outcome.signals.extend(growth());
        }
        let is_longer = grew && self.is_only_longer(&before, &after);
        // More of the same is the same state, and how it was before is how its address shows it.
        let sight = self.sight(if is_longer { before } else { after }).await?;
        if is_longer {
            self.here = None;
        }
        // To find out, another page is opened; what there is to see here has been seen by now.
        if may_be_door && self.has_expired(trip).await? {
            return Ok(End::Again(Task::Errand(Box::new(trip.clone())), "the login expired".to_owned()));
        }
        if sight.is_none() {
            outcome.trouble.get_or_insert_with(|| LEFT.to_owned());
        }
        Ok(End::Made(trip.errand, outcome, sight.map(Box::new)))
    }

    fn is_only_longer(&self, before: &Settled, after: &Settled) -> bool {
        let (before, after) = (Sighting::of(&before.graph), Sighting::of(&after.graph));
        is_of_same_kinds(&before, &after, &self.run.rules.fingerprints)
    }

    /// A page as the atlas takes it, with evidence where it may be new. Nothing, if it is not of the application.
    async fn sight(&mut self, mut shown: Settled) -> Result<Option<Sight>, Broken> {
        let hand = self.at_hand()?;
        let outside = hand.hindrance().is_some() || !self.run.is_inside(&shown.graph.route.url);
        if outside {
            self.here = None;
            return Ok(None);
        }
        let known = self.run.book(|book| book.atlas.find(&shown.fingerprint).is_some());
        let offered = if known { Vec::new() } else { self.offered().await? };
        if !known {
            let openers = self.at_hand()?.openers(Instant::now() + EVIDENCE_WAIT).await;
            mark_openers(&mut shown.graph, &openers);
            self.evidence(&shown.fingerprint).await?;
        }
        Ok(Some(Sight { fingerprint: shown.fingerprint, graph: shown.graph, offered }))
    }

    async fn offered(&self) -> Result<Vec<uiap_protocol::capability::ActionDescriptor>, Broken> {
        let mut offered = self.at_hand()?.runtime().surface().offers(Instant::now() + EVIDENCE_WAIT).await;
        offered.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
        Ok(offered)
    }

    async fn evidence(&self, fingerprint: &str) -> Result<(), Broken> {
        let hand = self.at_hand()?;
        let until = Instant::now() + EVIDENCE_WAIT;
        let (picture, record) = tokio::join!(hand.picture(until), hand.accessibility(until));
        if let Some(image) = picture {
            let name = picture_name(fingerprint, image.ending);
            self.run.archive.keep(&name, &image.bytes)?;
        }
        if let Some(record) = record {
            let name = accessibility_name(fingerprint);
            let text = serde_json::to_vec(&record).map_err(std::io::Error::other)?;
            self.run.archive.keep(&name, &text)?;
        }
        Ok(())
    }

    pub(super) async fn act(
        &mut self,
        request: &ActionRequest,
    ) -> Result<Result<ActionResult, Refusal>, Broken> {
        self.acted += 1;
        let key =
            format!("{}-{}-{}-{}", self.run.run_id, self.run.began_at.millis(), self.number, self.acted);
        let request = ActionRequest { idempotency_key: Id::new(key).ok(), ..request.clone() };
        let hand = self.at_hand()?;
        Ok(hand.runtime().act(&request, &Nobody(hand.runtime())).await)
    }

    pub(super) fn mark(&self) -> Result<Mark, Broken> {
        Ok(self.at_hand()?.runtime().surface().mark())
    }
}

/// The request for a choice, in front of a page. Nothing, if what it is aimed at is not there, or is called something else by
/// now that nobody may do.
pub(super) fn request(
    choice: &Choice,
    graph: &PageGraph,
    safety: &DiscoverySafetyPolicy,
) -> Option<ActionRequest> {
    let sighting = Sighting::of(graph);
    let thing = match (&choice.list, &choice.key) {
        (Some(list), _) => last(&sighting, list)?,
        (None, Some(key)) => {
            let thing = sighting.one_of(key, choice.item.as_ref())?;
            let asked =
                Asked { action: &choice.action, thing: Some(thing), sighting: &sighting, declared: None };
            judge(safety, &asked).allows().then_some(thing)?
        }
        (None, None) => return Some(bare(choice.action.clone(), None, None)),
    };
    let r#ref = match lasting(thing, &sighting) {
        by_id @ TargetRef::StableId { .. } if thing.item.is_none() => by_id,
        _ => TargetRef::Custom { value: Text::new(format!("instance:{}", thing.element.instance_id)).ok()? },
    };
    let target = ActionTarget {
        r#ref: Some(r#ref),
        expected_role: Some(thing.element.role.clone()),
        ..ActionTarget::default()
    };
    Some(bare(choice.action.clone(), Some(target), None))
}

pub(super) fn bare(
    action_id: ActionId,
    target: Option<ActionTarget>,
    args: Option<JsonObject>,
) -> ActionRequest {
    ActionRequest {
        action_id,
        target,
        args,
        preferred_execution_modes: None,
        verification: Some(VerificationSpec { timeout_ms: Some(OUTCOME_MS), ..VerificationSpec::default() }),
        presentation: None,
        timeout_ms: Some(ACTION_MS),
        idempotency_key: None,
        metadata: None,
    }
}

/// What came of an action, by what the runtime says and by what the page shows.
fn outcome(
    acted: &Result<ActionResult, Refusal>,
    before: &Settled,
    after: &Settled,
    request: &ActionRequest,
    choice: &Choice,
) -> Outcome {
    let is_elsewhere =
        before.fingerprint != after.fingerprint || before.graph.route.url != after.graph.route.url;
    let (before, after) = (Sighting::of(&before.graph), Sighting::of(&after.graph));
    let signals = changes(&before, &after);
    let instance = request.target.as_ref().and_then(|target| match &target.r#ref {
        Some(TargetRef::Custom { value }) => value.as_str().strip_prefix("instance:").map(str::to_owned),
        _ => None,
    });
    let thing = before.things.iter().find(|thing| {
        instance.as_deref().is_some_and(|instance| thing.element.instance_id.as_str() == instance)
    });
    let named = request.target.as_ref().and_then(|target| target.r#ref.clone());
    let trouble = match acted {
        Ok(result) if result.status == ActionStatus::Succeeded => None,
        // The page that came to rest shows that something came of it; how soon that was depends on the machine.
        Ok(result) if is_unproven(result) && (is_elsewhere || !signals.is_empty()) => None,
        Ok(result) => Some(
            result.error.as_ref().map_or_else(|| result.status.to_string(), |error| error.code.to_string()),
        ),
        Err(refusal) => Some(refusal.code.as_str().to_owned()),
    };
    Outcome {
        signals,
        trouble,
        passages: Vec::new(),
        target: match thing {
            Some(thing) if choice.scrolls() => Some(member(thing, &before)),
            Some(thing) => Some(lasting(thing, &before)),
            None => named,
        },
        complaints: Vec::new(),
    }
}

/// What came of an action after which there is no page to look at.
fn without_page(mut outcome: Outcome, reason: String) -> Outcome {
    if !outcome.complaints.contains(&reason) {
        outcome.complaints.push(reason);
    }
    Outcome { signals: Vec::new(), trouble: Some(NO_PAGE.to_owned()), ..outcome }
}

/// It was done, and nothing came of it while that was waited for.
fn is_unproven(result: &ActionResult) -> bool {
    result.error.as_ref().is_some_and(|error| error.code == RuntimeErrorCode::VerificationFailed)
}
