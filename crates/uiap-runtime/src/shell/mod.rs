//! Runs actions: carries out what the machine of [`life`](crate::life) wishes, and tells it what came of it.
//!
//! Start at [`Runtime::act`]. Everything that decides is pure and elsewhere; here are the waits, the order of things
//! and the one turn at the application. A record stands in the journal before anything is dispatched, and what was
//! agreed to is compared with what is there before it happens.

mod asking;
mod doing;
mod drive;
mod foreseeing;
mod loose;
mod rules;
mod seeing;
mod tracing;
mod waiting;
mod watching;

pub use rules::InForce;
pub use waiting::wait;

use crate::catalogue::Catalogue;
use crate::consent::{ConsentDesk, ConsentError, ConsentKey, GrantToken};
use crate::identity::Identity;
use crate::journal::{Admission, Entry, Fingerprint, Journal, JournalError, Owner, TurnedAway};
use crate::life::{Message, Millis, Verdict};
use crate::plan::{Planned, Refusal, plan};
use crate::redaction::RedactionMemory;
use crate::sight::Eyes;
use crate::standing::Rights;
use crate::surface::Surface;
use drive::{Asked, Drive};
use loose::LooseEnds;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep};
use uiap_policy::CompiledPolicy;
use uiap_protocol::action::{
    ActionRequest, ActionResult, ConfirmationRequest, ResolvedTarget, RuntimeErrorCode,
};
use uiap_protocol::capability::{ActionDescriptor, ExecutionMode, Idempotency};
use uiap_protocol::core::{CoreErrorCode, ErrorCode, PeerRole};
use uiap_protocol::ids::{ActionHandle, Id, RevisionId};
use uiap_protocol::policy::{Grant, PolicyPrincipal};
use uiap_protocol::web::GraphStore;
use uiap_protocol::wire::JsonObject;

/// Most actions that are under way at one time.
pub const IN_FLIGHT_MAX: usize = 64;
/// Most words to one action that nobody has read yet.
const WORDS_WAITING_MAX: usize = 16;
/// Pause between two looks at an action of another process.
const ELSEWHERE_PAUSE: Duration = Duration::from_millis(100);
/// Longest wait for what an application offers.
const OFFERS_WAIT: Duration = Duration::from_secs(2);

/// What is fixed for everything that a runtime does.
#[derive(Debug)]
pub struct Settings {
    /// What may happen, until other rules are put in their place ([`Runtime::policy`]).
    pub policy: CompiledPolicy,
    /// Who asks.
    pub principal: PolicyPrincipal,
    /// The rights that the person in front lends by agreeing.
    pub lent: Vec<Grant>,
    /// Whose application it is.
    pub application: Id,
    /// The key of all agreements.
    pub consent_key: ConsentKey,
    /// The key of digests that stand for values.
    pub digest_key: [u8; 32],
    /// Sixteen random bytes.
    pub chance: fn() -> [u8; 16],
    /// Milliseconds since 1970.
    pub clock: fn() -> Millis,
}

impl Settings {
    /// What may be done here by whoever has not asked for less.
    pub fn rights(&self) -> Rights {
        Rights { principal: self.principal.clone(), lent: self.lent.clone() }
    }
}

/// How busy a runtime is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// How many actions are under way.
    pub under_way: usize,
    /// How many agreements people are asked for.
    pub open_grants: usize,
    /// Nobody acts on the application.
    pub turn_free: bool,
}

/// Hears what an action says.
pub trait Listener: Send + Sync {
    /// It said something.
    fn hear(&self, message: &Message);

    /// It needs a person who agrees. The token is for that person's channel only.
    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken);

    /// It was decided about, before anything was done or asked.
    fn decided(&self, _verdict: &Verdict) {}

    /// Who looks at pictures where nothing else leads to a target. Nobody, unless somebody is named here.
    fn eyes(&self) -> Option<&dyn Eyes> {
        None
    }
}

/// Why a word about an action was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// It has ended, or there never was one.
    #[error("no action {handle} is under way")]
    NotUnderWay {
        /// Which.
        handle: ActionHandle,
    },
    /// It is asked too much at once.
    #[error("action {handle} has too many words waiting")]
    Busy {
        /// Which.
        handle: ActionHandle,
    },
    /// It does not wait for an agreement.
    #[error("action {handle} does not wait for an agreement")]
    NotAsked {
        /// Which.
        handle: ActionHandle,
    },
    /// Only the person can say that.
    #[error("only the person can say what the person did for action {handle}")]
    NotThePerson {
        /// Which.
        handle: ActionHandle,
    },
    /// The agreement is not good.
    #[error(transparent)]
    Consent(#[from] ConsentError),
}

/// What is said to an action that is under way.
enum Word {
    Cancel { reason: Option<String> },
    Grant { token: GrantToken, from: PeerRole, reply: oneshot::Sender<Result<(), WordError>> },
    Deny { reason: Option<String> },
    UserActed,
}

/// Runs actions on one application.
#[derive(Debug)]
pub struct Runtime<S, J> {
    surface: S,
    journal: J,
    settings: Settings,
    /// The rules in place of those of the settings.
    later_policy: RwLock<Option<Arc<CompiledPolicy>>>,
    catalogue: RwLock<Catalogue>,
    desk: Mutex<ConsentDesk>,
    under_way: Mutex<HashMap<ActionHandle, mpsc::Sender<Word>>>,
    /// Nothing is begun any more.
    closed: AtomicBool,
    /// Who acts has the application to himself until the outcome is clear.
    turn: Semaphore,
    /// On which page, and from which of its revisions on, nobody has acted.
    calm: Mutex<Option<(RevisionId, u64)>>,
    /// Something has ended.
    ended: Notify,
    loose_ends: LooseEnds,
    /// What was withheld from whom.
    memories: Mutex<Vec<(PolicyPrincipal, Arc<RedactionMemory>)>>,
    began: Instant,
}

impl<S: Surface, J: Journal> Runtime<S, J> {
    /// A runtime with nothing under way.
    pub fn new(surface: S, journal: J, catalogue: Catalogue, settings: Settings) -> Self {
        let desk = Mutex::new(ConsentDesk::new(settings.consent_key.clone()));
        Self {
            surface,
            journal,
            settings,
            later_policy: RwLock::default(),
            catalogue: RwLock::new(catalogue),
            desk,
            under_way: Mutex::default(),
            closed: AtomicBool::new(false),
            turn: Semaphore::new(1),
            calm: Mutex::default(),
            ended: Notify::new(),
            loose_ends: LooseEnds::default(),
            memories: Mutex::default(),
            began: Instant::now(),
        }
    }

    /// The application.
    pub fn surface(&self) -> &S {
        &self.surface
    }

    /// What is kept.
    pub fn journal(&self) -> &J {
        &self.journal
    }

    /// What is fixed for everything that it does.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        Load {
            under_way: locked(&self.under_way).len(),
            open_grants: self.desk().open(self.now()),
            turn_free: self.turn.available_permits() > 0,
        }
    }

    /// Runs an action to its end. An error means that it never became an action and nothing happened; its trace is kept
    /// under the handle that the error names.
    pub async fn act(
        &self,
        request: &ActionRequest,
        listener: &impl Listener,
    ) -> Result<ActionResult, Refusal> {
        self.act_within(&self.settings.rights(), request, listener).await
    }

    /// The same, for somebody who has these rights and no others.
    pub async fn act_within(
        &self,
        rights: &Rights,
        request: &ActionRequest,
        listener: &impl Listener,
    ) -> Result<ActionResult, Refusal> {
        let handle = self.handle()?;
        match self.act_as(handle.clone(), rights, request, listener).await {
            Err(refusal) => Err(self.turned_away(handle, request, refusal).await),
            ended => ended,
        }
    }

    /// Leaves a trace of a request that does not become an action.
    async fn turned_away(&self, handle: ActionHandle, request: &ActionRequest, refusal: Refusal) -> Refusal {
        let at = (self.settings.clock)();
        let kept = TurnedAway::new(handle.clone(), request.action_id.clone(), &refusal, at);
        match self.journal.turn_away(kept).await {
            Ok(()) => Refusal { trace: Some(handle), ..refusal },
            // Without a journal there is no trace of anything, and the refusal stands.
            Err(_) => refusal,
        }
    }

    async fn act_as(
        &self,
        handle: ActionHandle,
        rights: &Rights,
        request: &ActionRequest,
        listener: &impl Listener,
    ) -> Result<ActionResult, Refusal> {
        self.check_open()?;
        self.tie_loose_ends().await?;
        let Planned { plan, deed, request } =
            self.planned(request, &handle, listener.eyes().is_some()).await?;
        let (words, inbox) = mpsc::channel(WORDS_WAITING_MAX);
        let mut present = self.enter(handle.clone(), words)?;
        let entry = Entry {
            handle,
            action_id: request.action_id.clone(),
            owner: Owner {
                principal: rights.principal.id.clone(),
                application: self.settings.application.clone(),
            },
            key: request.idempotency_key.clone(),
            fingerprint: Fingerprint::of(&request).map_err(|error| internal(&error))?,
            repeatable: plan.idempotency == Idempotency::Idempotent,
            at: (self.settings.clock)(),
        };
        let until = Instant::now() + Duration::from_millis(plan.timeout_ms);
        if let Some(result) = self.outcome_before(entry, until).await? {
            return Ok(result);
        }
        present.is_open = true;
        let asked = Asked { rights, request: &request, deed: &deed };
        let result = Drive::new(self, asked, listener, inbox).run(plan).await;
        present.is_open = false;
        *locked(&self.calm) = self.surface.scene(|scene| here(scene.page));
        Ok(result)
    }

    /// Admits a request. Gives the outcome of the action that its key stands for already, if it stands for one; what
    /// another process does under that key is waited for.
    async fn outcome_before(&self, entry: Entry, until: Instant) -> Result<Option<ActionResult>, Refusal> {
        loop {
            match self.journal.admit(entry.clone()).await? {
                Admission::New => return Ok(None),
                Admission::Replay(result) => return Ok(Some(*result)),
                Admission::Running(earlier) => {
                    if let Some(result) = self.outcome_of(&earlier).await? {
                        return Ok(Some(result));
                    }
                    if Instant::now() >= until {
                        let message = format!(
                            "Action {earlier} has the same idempotency key and is under way in another process. \
                             Ask again with the same key to get its outcome."
                        );
                        return Err(refused(ErrorCode::Core(CoreErrorCode::UnexpectedMessage), message));
                    }
                    sleep(ELSEWHERE_PAUSE).await;
                    self.check_open()?;
                }
                Admission::Conflict { earlier } => {
                    return Err(refused(
                        ErrorCode::Core(CoreErrorCode::IdempotencyConflict),
                        format!(
                            "The idempotency key stands for action {earlier}, which asked for something else."
                        ),
                    ));
                }
                Admission::UnsafeRetry { earlier } => {
                    return Err(refused(
                        ErrorCode::Runtime(RuntimeErrorCode::UnsafeRetryRefused),
                        format!(
                            "The same was asked for as {earlier}, must not happen twice and may have happened. \
                             Look at the application first; to have it done all the same, ask again with an \
                             idempotency key."
                        ),
                    ));
                }
            }
        }
    }

    /// Begins nothing any more, and asks what is under way to stop. Whoever opened a session closes it here.
    pub fn close(&self, reason: &str) {
        self.closed.store(true, Ordering::SeqCst);
        // Whoever enters after this has seen that it is closed; whoever was there before is told.
        for words in locked(&self.under_way).values() {
            // Who has that many words waiting cannot be told one more, and ends by its own deadline.
            let _ = words.try_send(Word::Cancel { reason: Some(reason.to_owned()) });
        }
    }

    /// Waits until nothing is under way.
    pub async fn until_idle(&self) {
        loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            // What ends after this line is heard.
            ended.as_mut().enable();
            if locked(&self.under_way).is_empty() {
                return;
            }
            ended.await;
        }
    }

    fn check_open(&self) -> Result<(), Refusal> {
        if !self.closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let message = "The session has ended, and nothing is begun any more. Open another one.";
        Err(refused(ErrorCode::Core(CoreErrorCode::SessionNotActive), message.to_owned()))
    }

    /// Brings the journal up to date: as long as it does not know how something ended, nothing new begins.
    async fn tie_loose_ends(&self) -> Result<(), JournalError> {
        self.loose_ends.tie(&self.journal, self.settings.clock).await
    }

    /// The number of the revision since which nobody has acted on a page.
    fn calm_since(&self, page: &GraphStore) -> u64 {
        let mut calm = locked(&self.calm);
        if calm.as_ref().is_none_or(|(began_at, _)| began_at != page.began_at()) {
            *calm = Some(here(page));
        }
        calm.as_ref().map_or_else(|| page.seq(), |(_, seq)| *seq)
    }

    /// Plans an action. What nobody knows may be an action that the application has offered since.
    async fn planned(
        &self,
        request: &ActionRequest,
        handle: &ActionHandle,
        somebody_looks: bool,
    ) -> Result<Planned, Refusal> {
        let mut modes = self.surface.modes();
        modes.retain(|mode| somebody_looks || *mode != ExecutionMode::VisionAssist);
        let unknown = match self.plan(request, handle, &modes) {
            Err(refusal) if refusal.code == ErrorCode::Runtime(RuntimeErrorCode::ActionUnsupported) => {
                refusal
            }
            planned => return planned,
        };
        let offers = self.surface.offers(Instant::now() + OFFERS_WAIT).await;
        if offers.is_empty() {
            return Err(unknown);
        }
        self.claim(offers);
        self.plan(request, handle, &modes)
    }

    fn plan(
        &self,
        request: &ActionRequest,
        handle: &ActionHandle,
        modes: &[ExecutionMode],
    ) -> Result<Planned, Refusal> {
        plan(request, handle.clone(), &self.catalogue(), modes)
    }

    /// What the application offers by itself: a claim, which outweighs nothing that was known before.
    fn claim(&self, offers: Vec<ActionDescriptor>) {
        self.catalogue.write().unwrap_or_else(PoisonError::into_inner).claim(offers);
    }

    fn catalogue(&self) -> RwLockReadGuard<'_, Catalogue> {
        self.catalogue.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// How an action that is under way ends; nothing, if it is not under way here.
    async fn outcome_of(&self, handle: &ActionHandle) -> Result<Option<ActionResult>, JournalError> {
        loop {
            let ended = self.ended.notified();
            // Asked first: what ends while the journal is read has woken us.
            let under_way = locked(&self.under_way).contains_key(handle);
            self.tie_loose_ends().await?;
            if let Some(result) = self.journal.find(handle).await?.and_then(|kept| kept.result) {
                return Ok(Some(result));
            }
            if !under_way {
                return Ok(None);
            }
            ended.await;
        }
    }

    /// Asks an action to stop.
    pub fn cancel(&self, handle: &ActionHandle, reason: Option<String>) -> Result<(), WordError> {
        self.say(handle, Word::Cancel { reason })
    }

    /// A person agrees, or somebody who claims to be one: the role is that of the channel it came through.
    pub async fn grant(
        &self,
        handle: &ActionHandle,
        token: GrantToken,
        from: PeerRole,
    ) -> Result<(), WordError> {
        let (reply, answer) = oneshot::channel();
        self.say(handle, Word::Grant { token, from, reply })?;
        answer.await.unwrap_or_else(|_| Err(WordError::NotUnderWay { handle: handle.clone() }))
    }

    /// A person does not agree.
    pub fn deny(&self, handle: &ActionHandle, reason: Option<String>) -> Result<(), WordError> {
        self.say(handle, Word::Deny { reason })
    }

    /// A person says that he did what only he can do, or somebody who claims to be one: the role is that of the channel
    /// it came through.
    pub fn user_acted(&self, handle: &ActionHandle, from: PeerRole) -> Result<(), WordError> {
        if from != PeerRole::User {
            return Err(WordError::NotThePerson { handle: handle.clone() });
        }
        self.say(handle, Word::UserActed)
    }

    fn say(&self, handle: &ActionHandle, word: Word) -> Result<(), WordError> {
        let under_way = locked(&self.under_way);
        let Some(words) = under_way.get(handle) else {
            return Err(WordError::NotUnderWay { handle: handle.clone() });
        };
        words.try_send(word).map_err(|_| WordError::Busy { handle: handle.clone() })
    }

    fn enter(&self, handle: ActionHandle, words: mpsc::Sender<Word>) -> Result<Present<'_>, Refusal> {
        let mut under_way = locked(&self.under_way);
        self.check_open()?;
        if under_way.len() >= IN_FLIGHT_MAX {
            let message = format!("{IN_FLIGHT_MAX} actions are under way; wait for one of them to end.");
            return Err(refused(ErrorCode::Core(CoreErrorCode::RateLimited), message));
        }
        under_way.insert(handle.clone(), words);
        Ok(Present {
            under_way: &self.under_way,
            ended: &self.ended,
            loose_ends: &self.loose_ends,
            handle,
            is_open: false,
        })
    }

    /// A name that nobody can guess and that was never given before.
    fn handle(&self) -> Result<ActionHandle, Refusal> {
        let number = u128::from_be_bytes((self.settings.chance)());
        ActionHandle::new(format!("act_{number:032x}")).map_err(|error| internal(&error))
    }

    fn now(&self) -> Millis {
        Millis::try_from(self.began.elapsed().as_millis()).unwrap_or(Millis::MAX)
    }

    fn instant(&self, at: Millis) -> Instant {
        let from_now = Duration::from_millis(at.saturating_sub(self.now()));
        Instant::now() + from_now
    }

    /// What the page is to somebody who agrees to an action on this target, as it is now.
    fn revision_class(&self, target: Option<&ResolvedTarget>) -> String {
        let class = self.surface.scene(|scene| {
            let element = target.and_then(|target| scene.page.element(target.instance_id.as_str()));
            Identity::revision_class(element, scene.page)
        });
        class.unwrap_or_default()
    }

    fn desk(&self) -> MutexGuard<'_, ConsentDesk> {
        locked(&self.desk)
    }
}

impl From<JournalError> for Refusal {
    fn from(error: JournalError) -> Self {
        internal(&error)
    }
}

fn internal(error: &dyn std::error::Error) -> Refusal {
    refused(ErrorCode::Core(CoreErrorCode::InternalError), error.to_string())
}

fn refused(code: ErrorCode, message: String) -> Refusal {
    Refusal { code, message, detail: JsonObject::new(), trace: None }
}

/// A page, and how far it has come.
fn here(page: &GraphStore) -> (RevisionId, u64) {
    (page.began_at().clone(), page.seq())
}

/// A poisoned lock holds what it held: every change to these is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An action that can be spoken to, as long as this lives.
struct Present<'r> {
    under_way: &'r Mutex<HashMap<ActionHandle, mpsc::Sender<Word>>>,
    ended: &'r Notify,
    loose_ends: &'r LooseEnds,
    handle: ActionHandle,
    /// It was admitted and has no result.
    is_open: bool,
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        locked(self.under_way).remove(&self.handle);
        if self.is_open {
            self.loose_ends.abandoned(self.handle.clone());
        }
        self.ended.notify_waiters();
    }
}
