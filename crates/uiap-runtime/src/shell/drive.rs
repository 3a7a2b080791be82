//! One action, from its acceptance to its result.

use super::asking::{Grounds, Soon, Told};
use super::doing::Dispatch;
use super::tracing::Tracing;
use super::watching::{Heard, Watching};
use super::{Listener, Runtime, Word, WordError, locked};
use crate::catalogue::{Catalogue, KnownAction};
use crate::consent::{ConsentDesk, ConsentError, GrantToken, Subject};
use crate::deed::{Deed, Private};
use crate::journal::{Decision, Intent, Journal};
use crate::judge::{self, Expectation, Rule, Wanted};
use crate::life::{
    Action, Answer, CONFIRMATION_WAIT_MS_MAX, Effect, Event, Message, Millis, Plan, Question, Record, Ticket,
    step,
};
use crate::redaction::RedactionFilter;
use crate::standing::Rights;
use crate::surface::{Surface, SurfaceError};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::{SemaphorePermit, mpsc};
use tokio::time::{Instant, sleep_until};
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest, RuntimeState};
use uiap_protocol::capability::Idempotency;
use uiap_protocol::core::PeerRole;
use uiap_protocol::policy::DemandedVerification;

/// How often a journal is asked to take a result before it is told.
const CONCLUSIONS_MAX: usize = 2;
/// Longest wait for the last look at an effect.
const LOOK_AGAIN_WAIT: Duration = Duration::from_secs(1);

/// What is asked for, and with what rights.
#[derive(Clone, Copy)]
pub(super) struct Asked<'r> {
    pub(super) rights: &'r Rights,
    pub(super) request: &'r ActionRequest,
    pub(super) deed: &'r Deed,
}

/// One action under way.
pub(super) struct Drive<'r, S, J, L> {
    runtime: &'r Runtime<S, J>,
    rights: &'r Rights,
    request: &'r ActionRequest,
    deed: &'r Deed,
    listener: &'r L,
    inbox: mpsc::Receiver<Word>,
    /// The question that is open, and who answers it.
    asking: Option<(Ticket, Soon<'r, Result<Told<'r>, SurfaceError>>)>,
    confirming: Option<Confirming<'r>>,
    turn: Option<SemaphorePermit<'r>>,
    watching: Option<Watching<'r>>,
    grounds: Grounds,
    wake: Millis,
    events: VecDeque<Event>,
    tracing: Tracing,
    /// The digest of the bundle that the action is planned by.
    bundle: Option<String>,
}

/// A person is asked. The grant that answers is good no longer than the question is open.
struct Confirming<'r> {
    ticket: Ticket,
    nonce: [u8; 16],
    desk: &'r Mutex<ConsentDesk>,
}

impl Drop for Confirming<'_> {
    fn drop(&mut self) {
        locked(self.desk).withdraw(&self.nonce);
    }
}

impl<'r, S: Surface, J: Journal, L: Listener> Drive<'r, S, J, L> {
    pub(super) fn new(
        runtime: &'r Runtime<S, J>,
        asked: Asked<'r>,
        listener: &'r L,
        inbox: mpsc::Receiver<Word>,
    ) -> Self {
        let Asked { rights, request, deed } = asked;
        Self {
            runtime,
            rights,
            request,
            deed,
            listener,
            inbox,
            asking: None,
            confirming: None,
            turn: None,
            watching: None,
            grounds: Grounds::default(),
            wake: Millis::MAX,
            events: VecDeque::new(),
            tracing: Tracing::of(request),
            bundle: digest_of(&runtime.catalogue()),
        }
    }

    /// Runs it to its end.
    pub(super) async fn run(mut self, plan: Plan) -> ActionResult {
        let (mut action, mut effects) = Action::accept(plan, self.runtime.now());
        loop {
            if let Some(result) = self.carry_out(&action, effects).await {
                if self.request.presentation.is_some() {
                    self.runtime.surface.unveil();
                }
                return result;
            }
            let event = match self.events.pop_front() {
                Some(event) => event,
                None => self.next(&action).await,
            };
            (action, effects) = step(action, self.runtime.now(), event);
            // While a person is waited for, others may have their turn.
            if matches!(action.state(), RuntimeState::AwaitingConfirmation | RuntimeState::WaitingForUser) {
                self.turn = None;
            }
        }
    }

    /// Carries out what the machine wishes, in its order. Gives the result, if that is it.
    async fn carry_out(&mut self, action: &Action, effects: Vec<Effect>) -> Option<ActionResult> {
        for effect in effects {
            match effect {
                Effect::Send(mut message) => {
                    self.note_page();
                    if let Message::Result(result) = &mut message {
                        self.redact_target(result);
                    }
                    self.redaction().message(&mut message);
                    self.listener.hear(&message);
                    if let Message::Result(result) = message {
                        return Some(*result);
                    }
                }
                Effect::WakeAt(at) => self.wake = at,
                Effect::Watch => self.watch(action),
                Effect::Ask(ticket, question) => self.ask(ticket, question, action),
                Effect::Record(record) => {
                    if let Err(reason) = self.keep(action, record).await {
                        self.events.push_front(Event::JournalFailed { reason });
                        return None;
                    }
                }
            }
        }
        None
    }

    /// What leaves goes through it.
    fn redaction(&self) -> RedactionFilter<'r> {
        self.runtime.redaction(self.rights).answering(self.request)
    }

    /// Remembers what is withheld on the page as it is now: what the page says later may repeat it.
    fn note_page(&self) {
        let _ = self.runtime.surface.scene(|scene| self.redaction().note(scene.page));
    }

    /// Takes away what the one who asked may not see, also where it is too short to be struck out.
    fn redact_target(&self, result: &mut ActionResult) {
        let Some(target) = &mut result.resolved_target else { return };
        let _ = self.runtime.surface.scene(|scene| {
            let shown = self.redaction().page(scene.page)?;
            target.name.clone_from(&shown.element(target.instance_id.as_str())?.name);
            Some(())
        });
    }

    /// Keeps a record. An error says why an intent could not be kept.
    async fn keep(&mut self, action: &Action, record: Record) -> Result<(), String> {
        let journal = &self.runtime.journal;
        match record {
            Record::Intent { mode, repeatable, consented } => {
                let verdict = action.verdict().ok_or("nothing was decided")?;
                let decision = Decision::of(verdict, (self.runtime.settings.clock)());
                let intent = Intent { mode, repeatable, consented, decision };
                journal.intend(&action.plan().handle, intent).await.map_err(|error| error.to_string())
            }
            Record::Outcome(mut result) => {
                self.note_page();
                let mut trace = self.tracing.record(action);
                let redaction = self.redaction();
                self.redact_target(&mut result);
                redaction.result(&mut result);
                redaction.trace(&mut trace);
                // What happened has happened, and is told in any case. What the journal does not take now, it is given
                // again before anything else begins.
                self.runtime.loose_ends.unkept(*result, trace);
                for _ in 0..CONCLUSIONS_MAX {
                    if self.runtime.tie_loose_ends().await.is_ok() {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn watch(&mut self, action: &Action) {
        let target = action.target();
        let expectation = self.runtime.surface.scene(|scene| {
            let element = target.and_then(|target| scene.page.element(target.instance_id.as_str()));
            let catalogue = self.runtime.catalogue();
            let known = catalogue.action(self.request.action_id.as_str());
            let mut expectation = Expectation::of(&judge::Asked {
                verification: self.request.verification.as_ref(),
                described: known.and_then(KnownAction::success).map_or(&[], |success| success.value),
                target: element,
                wanted: &Wanted::from(self.deed),
                idempotent: action.plan().idempotency == Idempotency::Idempotent,
            });
            let demanded = action.verdict().and_then(|verdict| verdict.verification);
            if demanded == Some(DemandedVerification::All) && expectation.rule == Rule::Any {
                expectation.rule = Rule::All;
            }
            expectation
        });
        let runtime = self.runtime;
        let revision = runtime.surface.scene(|scene| scene.page.revision().clone());
        if let (Some(expectation), Some(revision)) = (&expectation, &revision) {
            self.tracing.expects(action, runtime.now(), expectation, revision);
        }
        let page = runtime.surface.scene(|scene| scene.page.route().url.clone());
        self.tracing.on_page(page.as_deref().unwrap_or_default());
        self.note_page();
        let redaction = runtime.redaction(self.rights);
        let begin = |expected| {
            Watching::begin(&runtime.surface, &redaction, expected, |page| runtime.calm_since(page))
        };
        self.watching = expectation.and_then(begin);
    }

    fn ask(&mut self, ticket: Ticket, question: Question, action: &Action) {
        let (runtime, rights, request, deed) = (self.runtime, self.rights, self.request, self.deed);
        let until = runtime.instant(runtime.now().saturating_add(action.plan().timeout_ms));
        let target = action.target().cloned();
        let grounds = Grounds { target: target.clone(), ..self.grounds.clone() };
        self.confirming = None;
        let answer: Soon<'r, _> = match question {
            Question::Resolve { fresh } => {
                Box::pin(runtime.find(rights, &request.action_id, request.target.as_ref(), fresh, until))
            }
            Question::Check => Box::pin(runtime.check(rights, request, grounds, self.turn.is_some(), until)),
            Question::Reveal => Box::pin(runtime.reveal(target, until)),
            Question::Decide => {
                let handle = action.plan().handle.clone();
                let asked = Asked { rights, request, deed };
                Box::pin(runtime.decide(handle, asked, target, action.candidates(), until))
            }
            Question::Dispatch { mode } => Box::pin(runtime.dispatch(Dispatch {
                handle: action.plan().handle.clone(),
                rights,
                request,
                deed,
                grounds,
                mode,
                eyes: self.listener.eyes(),
                until,
            })),
            Question::Confirm(confirmation) => {
                self.asking = None;
                return self.confirm(ticket, &confirmation, action);
            }
        };
        self.asking = Some((ticket, answer));
    }

    /// Shows a person what would happen, with a grant that is good for exactly that.
    fn confirm(&mut self, ticket: Ticket, confirmation: &ConfirmationRequest, action: &Action) {
        let runtime = self.runtime;
        self.grounds.agreed_to = None;
        let class = runtime.revision_class(action.target());
        let nonce = (runtime.settings.chance)();
        let offered = {
            let subject = self.subject(action, &class);
            runtime.desk().offer(&subject, nonce, runtime.now(), CONFIRMATION_WAIT_MS_MAX)
        };
        match offered {
            Ok(token) => {
                self.confirming = Some(Confirming { ticket, nonce, desk: &runtime.desk });
                self.listener.confirm(confirmation, token);
            }
            Err(error) => {
                let denied = Answer::Denied { reason: Some(error.to_string()) };
                self.events.push_back(Event::Answered(ticket, denied));
            }
        }
    }

    fn subject<'s>(&'s self, action: &'s Action, revision_class: &'s str) -> Subject<'s> {
        Subject {
            handle: &action.plan().handle,
            action: &action.plan().action_id,
            target: action.target(),
            args: action.plan().args.as_ref().map(Private::reveal),
            revision_class,
            bundle_digest: self.bundle.as_deref(),
            principal: &self.rights.principal.id,
        }
    }

    /// Takes a grant, if it is good for what is there now.
    fn granted(&mut self, action: &Action, token: &GrantToken, from: PeerRole) -> Result<(), WordError> {
        let Some(&Confirming { ticket, nonce, .. }) = self.confirming.as_ref() else {
            return Err(WordError::NotAsked { handle: action.plan().handle.clone() });
        };
        // A grant of another action is not used up here.
        if from == PeerRole::User && token.nonce != nonce {
            return Err(ConsentError::Unknown.into());
        }
        let class = self.runtime.revision_class(action.target());
        let redeemed =
            self.runtime.desk().redeem(token, &self.subject(action, &class), from, self.runtime.now());
        match redeemed {
            Ok(()) => {
                self.grounds.agreed_to = Some(class);
                self.events.push_back(Event::Answered(ticket, Answer::Granted));
            }
            // The grant that was given out is used up; whoever wants it must be asked about what is there now.
            Err(ConsentError::Void | ConsentError::Expired) => {
                self.events.push_back(Event::Answered(ticket, Answer::Outdated));
            }
            Err(ConsentError::Forbidden | ConsentError::Unknown | ConsentError::TooMany) => {}
        }
        Ok(redeemed?)
    }

    /// Waits for the next thing that concerns the action.
    async fn next(&mut self, action: &Action) -> Event {
        loop {
            let wake = self.runtime.instant(self.wake);
            let asked = async {
                match &mut self.asking {
                    Some((ticket, answer)) => (*ticket, answer.await),
                    None => pending().await,
                }
            };
            let heard = async {
                match &mut self.watching {
                    Some(watching) => watching.heard(&self.runtime.surface, wake).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                Some(word) = self.inbox.recv() => self.spoken(word, action),
                (ticket, told) = asked => {
                    self.asking = None;
                    self.answered(ticket, told);
                }
                // Before the news: when time is up there is always news of that.
                () = sleep_until(wake) => self.woke(action).await,
                heard = heard => self.heard(heard, action),
            }
            if let Some(event) = self.events.pop_front() {
                return event;
            }
        }
    }

    /// Before time alone makes a success or a failure, the page is looked at once more: nobody tells of a value that a
    /// script takes back, and what is not there may only not have been told yet.
    async fn woke(&mut self, action: &Action) {
        if let (RuntimeState::Verifying, Some(watching)) = (action.state(), &mut self.watching) {
            let surface = &self.runtime.surface;
            let until = Instant::now() + LOOK_AGAIN_WAIT;
            let looked = if watching.is_settled() {
                surface.rest(watching.since(), until).await
            } else {
                surface.look(false, until).await
            };
            if looked.is_err() {
                watching.unsettle();
            }
            self.observe();
        }
        self.events.push_back(Event::Woke);
    }

    fn spoken(&mut self, word: Word, action: &Action) {
        match word {
            Word::Cancel { reason } => self.events.push_back(Event::Cancel { reason }),
            Word::UserActed => {
                self.events.push_back(Event::UserActed);
                self.observe();
            }
            Word::Deny { reason } => {
                if let Some(confirming) = self.confirming.take() {
                    self.events.push_back(Event::Answered(confirming.ticket, Answer::Denied { reason }));
                }
            }
            Word::Grant { token, from, reply } => {
                // Who does not wait for the reply does without it.
                let _ = reply.send(self.granted(action, &token, from));
            }
        }
    }

    fn answered(&mut self, ticket: Ticket, told: Result<Told<'r>, SurfaceError>) {
        let told = match told {
            Ok(told) => told,
            Err(error) => return self.events.push_back(Event::SurfaceLost { reason: error.to_string() }),
        };
        self.turn = told.turn.or(self.turn.take());
        if told.identity.is_some() {
            self.grounds.identity = told.identity;
        }
        if told.answer == Answer::Outdated {
            self.grounds.agreed_to = None;
        }
        if let (Some(watching), Some(seen)) = (&mut self.watching, told.seen) {
            watching.told(seen);
        }
        if let Some(sighting) = &told.sighting {
            self.tracing.sights(self.runtime.now(), sighting);
        }
        if let Answer::Decided(verdict) = &told.answer {
            self.listener.decided(verdict);
        }
        let is_delivery = matches!(told.answer, Answer::Delivered(_));
        // What the surface just said may speak against what was seen while it was busy.
        if is_delivery {
            self.observe();
        }
        self.events.push_back(Event::Answered(ticket, told.answer));
    }

    fn heard(&mut self, heard: Heard, action: &Action) {
        let Some(watching) = &mut self.watching else { return };
        match heard {
            Heard::News(Ok(news)) => {
                let redaction = self.runtime.redaction(self.rights);
                let shown = redaction.signals_of(&news.signals, &self.runtime.surface);
                self.tracing.hears(&shown, news.dropped);
                watching.take(&news, &shown);
            }
            Heard::Rest(Ok(())) => watching.rested(),
            Heard::News(Err(SurfaceError::Gone { reason }))
            | Heard::Rest(Err(SurfaceError::Gone { reason })) => {
                self.watching = None;
                return self.events.push_back(Event::SurfaceLost { reason });
            }
            // Nothing more can be seen; time decides.
            Heard::News(Err(SurfaceError::Silent { .. })) | Heard::Rest(Err(SurfaceError::Silent { .. })) => {
                self.watching = None;
                return self.events.push_back(Event::Unseen);
            }
        }
        // In the time that a person takes anything may change; without a named proof the person has to say so.
        let waits = action.state() == RuntimeState::WaitingForUser;
        if waits && !watching.knows_its_proof() {
            return;
        }
        if self.observe() == Some(true) && waits {
            self.events.push_front(Event::UserActed);
        }
    }

    /// Looks at what there is, and says whether it is enough.
    fn observe(&mut self) -> Option<bool> {
        let until = self.runtime.instant(self.wake);
        let redaction = self.runtime.redaction(self.rights);
        let watching = self.watching.as_mut()?;
        let Some(observation) = watching.observe(&self.runtime.surface, &redaction, until) else {
            self.events.push_back(Event::Unseen);
            return None;
        };
        let enough = observation.enough;
        self.events.push_back(Event::Observed(observation));
        Some(enough)
    }
}

fn digest_of(catalogue: &Catalogue) -> Option<String> {
    catalogue.bundle().and_then(|bundle| bundle.digest.as_ref()).map(|digest| digest.as_str().to_owned())
}
