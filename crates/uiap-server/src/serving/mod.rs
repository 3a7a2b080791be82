//! Runs sessions before one runtime.
//!
//! Start at [`House::new`] and [`House::enter`]. A door brings a [`Link`]; what comes over it is given to the pure
//! machine of [`session`](crate::session), and what that wishes is carried out here. A session outlives its link for as
//! long as its door says; everything that waits is bounded.

mod acting;
mod capabilities;
mod directory;
mod ear;
mod keeper;
mod link;
mod mapping;
mod offers;

pub use directory::SESSIONS_MAX;
pub use link::{Inbound, LINK_MAX, Link, Outbound};
pub use mapping::{PLANNED_MAX, RUNS_MAX};

use crate::mapping::Mapper;
use crate::session::{Farewell, Habits, Moment, Outgoing, Party, Session, Terms, refusal, resumes};
use directory::{Directory, Found};
use keeper::{Keeper, Told};
use mapping::Runs;
use offers::Offers;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout};
use uiap_policy::CompiledPolicy;
use uiap_protocol::action::ConfirmationRequest;
use uiap_protocol::capability::CapabilityDocument;
use uiap_protocol::core::{AppInfo, CoreErrorCode, ErrorCode, ErrorPayload};
use uiap_protocol::ids::{ActionHandle, PeerId, ProfileId, SessionId};
use uiap_protocol::policy::PolicyDocument;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Millis;
use uiap_runtime::shell::{IN_FLIGHT_MAX, Runtime};
use uiap_runtime::surface::{Surface, SurfaceError};

/// Longest wait for actions to end when a house is left.
const REST_WAIT: Duration = Duration::from_secs(10);
/// How often somebody looks whether the application is still there.
const GONE_WAIT: Duration = Duration::from_secs(1);
/// Permits for all actions of a house.
#[expect(clippy::cast_possible_truncation, reason = "the limit is a small number")]
const ACTIONS_MAX: u32 = IN_FLIGHT_MAX as u32;

/// What a house shows of itself.
pub struct Offer {
    /// The application.
    pub app: AppInfo,
    /// How we call ourselves in messages.
    pub source: PeerId,
    /// The profiles that are spoken.
    pub profiles: Vec<ProfileId>,
    /// The rules that hold, as they were written.
    pub policies: Vec<PolicyDocument>,
    /// What can be done, apart from what the application offers by itself.
    pub capabilities: CapabilityDocument,
    /// A person can come through one of the doors. Where nobody can, nobody is waited for.
    pub asks_people: bool,
    /// Maps applications, where somebody does.
    pub mapper: Option<Arc<dyn Mapper>>,
}

/// Who comes through a door, and how the door treats him.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Who.
    pub party: Party,
    /// How.
    pub habits: Habits,
}

/// A question to a person that nobody has answered.
type Questions = BTreeMap<ActionHandle, (ConfirmationRequest, GrantToken)>;

/// One application, and everybody who acts on it.
#[derive(Debug)]
pub struct House<S, J> {
    runtime: Arc<Runtime<S, J>>,
    /// What everybody is offered; who keeps a session hears when it changes.
    terms: watch::Sender<Arc<Terms>>,
    capabilities: CapabilityDocument,
    offers: Offers,
    asks_people: bool,
    directory: Mutex<Directory>,
    /// A session has ended.
    left: Notify,
    questions: Mutex<Questions>,
    runs: Arc<Runs>,
    /// Every action that is under way holds one.
    permits: Arc<Semaphore>,
    began: Instant,
    refusals: AtomicU64,
}

impl<S: Surface + 'static, J: Journal + 'static> House<S, J> {
    /// A house that nobody has entered.
    pub fn new(runtime: Runtime<S, J>, offer: Offer) -> Arc<Self> {
        let Offer { app, source, profiles, policies, capabilities, asks_people, mapper } = offer;
        let runs = Runs::new(mapper);
        let maps = runs.are_possible();
        let rights = runtime.settings().rights();
        Arc::new(Self {
            runtime: Arc::new(runtime),
            terms: watch::Sender::new(Arc::new(Terms { app, source, profiles, rights, policies, maps })),
            capabilities,
            offers: Offers::default(),
            asks_people,
            directory: Mutex::default(),
            left: Notify::new(),
            questions: Mutex::default(),
            runs,
            permits: Arc::new(Semaphore::new(IN_FLIGHT_MAX)),
            began: Instant::now(),
            refusals: AtomicU64::new(0),
        })
    }

    /// From now on these rules hold, and everybody who speaks of rules is told. `compiled` is the same rules.
    pub fn replace_policies(&self, policies: Vec<PolicyDocument>, compiled: CompiledPolicy) {
        self.runtime.replace_policy(compiled);
        self.terms.send_modify(|terms| *terms = Arc::new(Terms { policies, ..Terms::clone(terms) }));
    }

    /// What everybody is offered now.
    fn terms(&self) -> Arc<Terms> {
        Arc::clone(&self.terms.borrow())
    }

    /// The runtime.
    pub fn runtime(&self) -> &Runtime<S, J> {
        &self.runtime
    }

    /// Takes a link in: it begins a session, or goes on with one. Ends when the session has another link, or none.
    pub async fn enter(self: Arc<Self>, mut link: Link, visit: Visit) {
        let wait = visit.habits.handshake_ms.map_or(Duration::MAX, Duration::from_millis);
        let first = tokio::select! {
            first = link.inbound.recv() => first,
            () = sleep(wait) => {
                let payload = crate::session::trouble(CoreErrorCode::Timeout, "There was no \"session.initialize\" in time.");
                return self.turn_away(&link, "", payload, Farewell::Rules).await;
            }
        };
        let Some(first) = first else { return };
        let wanted = match &first {
            Inbound::Text(text) => resumes(text),
            Inbound::Unreadable(_) | Inbound::Alive | Inbound::NoMore => None,
        };
        match wanted {
            Some(wanted) => self.go_on(&wanted, link, first, visit).await,
            None => self.begin(link, first, visit).await,
        }
    }

    async fn go_on(&self, wanted: &SessionId, link: Link, first: Inbound, visit: Visit) {
        let text = if let Inbound::Text(text) = &first { text.clone() } else { String::new() };
        let found = self.directory().find(wanted, visit.party);
        let (code, message, farewell) = match found {
            Found::Here(keeper) => match keeper.send(Told::Linked(link, first)).await {
                Ok(()) => return,
                Err(unheard) => {
                    let Told::Linked(link, _) = unheard.0 else { return };
                    let payload =
                        crate::session::trouble(CoreErrorCode::SessionExpired, "The session has ended.");
                    return self.turn_away(&link, &text, payload, Farewell::Expired).await;
                }
            },
            Found::Ended => (CoreErrorCode::SessionExpired, "The session has ended.", Farewell::Expired),
            Found::Nowhere => {
                (CoreErrorCode::SessionNotFound, "There is no such session.", Farewell::UnknownSession)
            }
        };
        self.turn_away(&link, &text, crate::session::trouble(code, message), farewell).await;
    }

    async fn begin(self: Arc<Self>, link: Link, first: Inbound, visit: Visit) {
        let (tell, inbox) = Keeper::<S, J>::inbox();
        let number = u128::from_be_bytes((self.runtime.settings().chance)());
        let Ok(id) = SessionId::new(format!("sess_{number:032x}")) else { return };
        if !self.directory().enter(id.clone(), visit.party, tell.clone()) {
            let message =
                format!("There is no room: {SESSIONS_MAX} sessions are open already, or the server ends.");
            let payload = crate::session::trouble(CoreErrorCode::RateLimited, message);
            let text = if let Inbound::Text(text) = &first { text.clone() } else { String::new() };
            return self.turn_away(&link, &text, payload, Farewell::Rules).await;
        }
        let mut terms = self.terms.subscribe();
        let offered = Arc::clone(&terms.borrow_and_update());
        let session = Session::new(id, visit.party, offered, visit.habits, self.now());
        Keeper::new(self, session, link, first, (tell, inbox), terms).run().await;
    }

    /// Answers a text that reaches no session, and ends the link.
    async fn turn_away(&self, link: &Link, text: &str, payload: ErrorPayload, farewell: Farewell) {
        if let Some(outgoing) = self.refusal(text, payload) {
            // Whoever does not listen misses it.
            let _ = timeout(REST_WAIT, link.outbound.send(Outbound::Message(Arc::new(outgoing)))).await;
        }
        // The same goes for the farewell.
        let _ = timeout(REST_WAIT, link.outbound.send(Outbound::Hang(farewell))).await;
    }

    /// The answer to a text that reaches no session.
    pub fn refusal(&self, text: &str, payload: ErrorPayload) -> Option<Outgoing> {
        let number = self.refusals.fetch_add(1, Ordering::Relaxed);
        refusal(&self.terms(), self.now(), number, text, payload)
    }

    /// There was such a session, and it has ended.
    pub fn has_ended(&self, id: &str) -> bool {
        self.directory().has_ended(id)
    }

    /// Ends every session, and waits for what is under way.
    pub async fn leave(&self, reason: &str) {
        let keepers = self.directory().close();
        for keeper in keepers {
            // Who does not hear it ends with the process.
            let _ = keeper.try_send(Told::End(reason.to_owned()));
        }
        self.runtime.close(reason);
        // What takes longer ends with the process; the journal says that nobody knows how.
        let _ = timeout(REST_WAIT, self.permits.acquire_many(ACTIONS_MAX)).await;
        let _ = timeout(REST_WAIT, self.runs.leave()).await;
        let _ = timeout(REST_WAIT, self.everybody_left()).await;
    }

    async fn everybody_left(&self) {
        loop {
            let left = self.left.notified();
            tokio::pin!(left);
            // Who leaves after this line is heard.
            left.as_mut().enable();
            if self.directory().is_empty() {
                return;
            }
            left.await;
        }
    }

    /// Waits until the application has gone for good, and says why.
    pub async fn application_gone(&self) -> String {
        let surface = self.runtime.surface();
        let mut mark = surface.mark();
        loop {
            match surface.news(mark, Instant::now() + GONE_WAIT).await {
                Ok(news) => mark = news.next,
                Err(SurfaceError::Gone { reason }) => return reason,
                Err(SurfaceError::Silent { .. }) => {}
            }
            // A page that changes all the time is not asked all the time.
            sleep(GONE_WAIT).await;
        }
    }

    fn forget(&self, id: &SessionId) {
        self.directory().forget(id);
        self.left.notify_waiters();
    }

    fn now(&self) -> Moment {
        let ticks = Millis::try_from(self.began.elapsed().as_millis()).unwrap_or(Millis::MAX);
        Moment { ticks, wall: (self.runtime.settings().clock)() }
    }

    fn instant(&self, at: Millis) -> Instant {
        self.began + Duration::from_millis(at)
    }

    fn directory(&self) -> MutexGuard<'_, Directory> {
        self.directory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn questions(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A person is asked, wherever persons are. Says whether anybody can be.
    fn ask(&self, request: &ConfirmationRequest, token: &GrantToken) -> bool {
        if !self.asks_people {
            return false;
        }
        self.questions().insert(request.action_handle.clone(), (request.clone(), token.clone()));
        let persons = self.directory().persons();
        for person in persons {
            // Who has that much waiting is told when he comes back.
            let _ = person.try_send(Told::Consent(Box::new(request.clone()), token.clone()));
        }
        true
    }

    /// A question has been answered, or nobody needs an answer any more.
    fn settle(&self, handle: &ActionHandle) {
        self.questions().remove(handle);
    }
}

/// Trouble in a form for the wire.
fn refused(code: ErrorCode, message: String) -> ErrorPayload {
    ErrorPayload { code, message, retryable: None, detail: None }
}
