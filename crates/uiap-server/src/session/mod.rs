//! One session, as a pure function (CORE, `protocol` 3.1).
//!
//! Start at [`Session::new`] and [`step`]. Texts, time, the runtime and the link arrive as [`Event`]s; wishes leave as
//! [`Effect`]s, and messages wait in order until the link takes them ([`Session::take`]). Nothing here waits, looks or
//! sends. What a message may do follows from the [`Party`] that the door named, never from what the message says.

mod acting;
mod cut;
mod difference;
mod following;
mod handshake;
mod hearing;
mod mapping;
mod outbox;
mod policies;
mod rate;
mod reading;
mod speaking;
mod terms;

pub(crate) use mapping::cancelled;
pub use mapping::{MapNews, MapWish};
pub use outbox::Outgoing;
pub use reading::resumes;
pub(crate) use speaking::error as trouble;
pub use speaking::{Glance, glance, refusal};
pub use terms::{
    CONSENT_EXTENSION, DISCOVERY_EXTENSION, ENDED_MAX, FAREWELL_MS, HEARTBEATS_MISSED_MAX, Habits,
    IDS_REMEMBERED, INBOUND_BYTES_MAX, INFLIGHT_ACTIONS_MAX, KEPT_BYTES_MAX, KEPT_MAX, OPEN_REQUESTS_MAX,
    POLICY_EXTENSION, POLICY_EXTENSION_OLD, Party, RATE_BURST, RATE_PER_SECOND, RUNS_KEPT_MAX, STRIKES_MAX,
    Terms, UNREAD_BUSY, UNREAD_BYTES_MAX, UNREAD_MAX, VERSION,
};

use acting::Actions;
use following::Subscription;
use handshake::Agreed;
use mapping::Runs;
use outbox::Outbox;
use rate::{Bucket, Seen};
use std::collections::BTreeMap;
use std::sync::Arc;
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest};
use uiap_protocol::core::{Body, ErrorPayload, SessionTerminated};
use uiap_protocol::ids::{ActionHandle, MessageId, RunId, SessionId, Text};
use uiap_protocol::policy::{PolicyAudit, PolicyEvaluateInput};
use uiap_protocol::web::{PageGraph, SnapshotOptions, WebSignal};
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::{Message, Millis};
use uiap_runtime::standing::Rights;

/// A point in time, on both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds of a clock that only goes forward.
    pub ticks: Millis,
    /// Milliseconds since 1970, for people.
    pub wall: Millis,
}

/// Why a link ends, with its code on a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// All is said.
    Normal,
    /// What came was no text.
    NotText,
    /// What came was no frame of a WebSocket.
    NotAFrame,
    /// What came claimed to be a text, and was none.
    NotUtf8,
    /// Rules were broken: no handshake in time, no sign of life, too slow, too many.
    Rules,
    /// A message was too large.
    TooLarge,
    /// Too many messages could not be understood.
    Invalid,
    /// There is no such session.
    UnknownSession,
    /// Another link has taken the session over.
    Superseded,
    /// The session waited too long.
    Expired,
}

impl Farewell {
    /// The code that closes a WebSocket.
    pub fn code(self) -> u16 {
        match self {
            Self::Normal => 1_000,
            Self::NotAFrame => 1_002,
            Self::NotText => 1_003,
            Self::NotUtf8 => 1_007,
            Self::Rules => 1_008,
            Self::TooLarge => 1_009,
            Self::Invalid => 4_400,
            Self::UnknownSession => 4_404,
            Self::Superseded => 4_409,
            Self::Expired => 4_410,
        }
    }
}

/// What happened.
#[derive(Debug)]
pub enum Event {
    /// A text came from the peer.
    Text(String),
    /// Something came that is no text of legal size.
    Unreadable(Farewell),
    /// The peer is there, and said nothing.
    Alive,
    /// The peer will say nothing more, and still listens.
    NoMore,
    /// The link broke.
    LinkLost,
    /// There is a new link, which has to say that it goes on with this session.
    Linked,
    /// Time has passed.
    Tick,
    /// An action of this session said something.
    Action {
        /// The message that asked for it.
        request: MessageId,
        /// What.
        news: ActionNews,
    },
    /// Somebody's action needs an agreement. Only a person's session makes anything of it.
    Consent(Box<ConfirmationRequest>, GrantToken),
    /// Something that was wished for is there.
    Answered {
        /// The message that asked for it.
        request: MessageId,
        /// What.
        answer: Answer,
    },
    /// Something happened on the page.
    News(Box<PageNews>),
    /// What can be done here is this by now.
    Offered(Text),
    /// Other rules hold from now on.
    Ruled {
        /// What is offered now.
        terms: Arc<Terms>,
        /// What this state of the rules is called.
        revision: Text,
    },
    /// A discovery run of this session said something.
    Map(Box<MapNews>),
    /// Something was decided that is to be told to auditors.
    Audit(Box<PolicyAudit>),
    /// The owner ends the session.
    End {
        /// Why.
        reason: String,
    },
}

/// What an action says.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionNews {
    /// This.
    Said(Message),
    /// It needs an agreement.
    Asks(Box<ConfirmationRequest>),
    /// It ended, or was never accepted.
    Ended(Result<Box<ActionResult>, Box<ErrorPayload>>),
}

/// What was wished for.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A message.
    Body(Box<Body>),
    /// The page.
    Page(Box<PageGraph>),
    /// Nothing: this is why.
    Refused(Box<ErrorPayload>),
}

/// What happened on the page since it was last asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct PageNews {
    /// The page as it is now.
    pub graph: PageGraph,
    /// What happened, in order.
    pub signals: Vec<WebSignal>,
    /// How much of it was lost, because nobody read it in time.
    pub lost: u64,
}

/// What shall be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The session has become active.
    Began,
    /// Run an action.
    Act {
        /// The message that asked for it.
        request: MessageId,
        /// What.
        action: Box<ActionRequest>,
    },
    /// Stop an action.
    Cancel {
        /// The message that asked for it, where one waits for the answer.
        request: Option<MessageId>,
        /// Which.
        handle: ActionHandle,
        /// Why.
        reason: Option<String>,
        /// It is one of this session, and will tell itself that it stops.
        own: bool,
    },
    /// Pass the agreement of a person on.
    Agree {
        /// The message that agreed, where one waits for the answer.
        request: Option<MessageId>,
        /// To what.
        handle: ActionHandle,
        /// By what.
        token: GrantToken,
    },
    /// Pass on that a person does not agree.
    Decline {
        /// The message, where one waits for the answer.
        request: Option<MessageId>,
        /// To what.
        handle: ActionHandle,
        /// Why.
        reason: Option<String>,
    },
    /// Say what can be done here.
    ListCapabilities {
        /// The message that asked for it.
        request: MessageId,
    },
    /// Say what would be decided.
    Evaluate {
        /// The message that asked for it.
        request: MessageId,
        /// About what.
        question: Box<PolicyEvaluateInput>,
    },
    /// Plan, begin, hold or end a discovery run; for this message, where one waits for the answer.
    Map(Option<MessageId>, MapWish),
    /// Look at the page.
    Look {
        /// The message that asked for it.
        request: MessageId,
    },
    /// End the link, after what was said.
    Hang(Farewell),
    /// The session has ended.
    Over(Farewell),
}

/// Where a session is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nobody has said anything.
    New,
    Active,
    /// Its link broke.
    Suspended {
        until: Millis,
    },
    /// A new link is there and has not said yet that it goes on.
    Resuming {
        until: Millis,
    },
    /// The peer says nothing more; what is under way ends.
    Draining,
    /// Its actions are asked to stop.
    Terminating {
        until: Millis,
    },
    Over,
}

/// What a request waits for.
#[derive(Clone, Debug, PartialEq)]
enum Pending {
    Action,
    Cancel(ActionHandle),
    Snapshot(Option<SnapshotOptions>),
    Subscription(Box<uiap_protocol::web::StateSubscribe>),
    Plan,
    Run(RunId),
    CancelRun(RunId),
    Other,
}

/// A request that waits for its answer.
#[derive(Clone, Debug, PartialEq)]
struct Open {
    pending: Pending,
    /// It used the older id of the policy extension, and so does its answer.
    spelt_old: bool,
}

/// One session.
#[derive(Clone, Debug)]
pub struct Session {
    id: SessionId,
    party: Party,
    /// What may be done here; fewer than those of the party, if fewer were asked for.
    rights: Rights,
    terms: Arc<Terms>,
    habits: Habits,
    stage: Stage,
    agreed: Option<Agreed>,
    /// What the peer knows of what can be done, once it has asked.
    offered: Option<Text>,
    seen: Seen,
    /// The number of the next message.
    next: u64,
    outbox: Outbox,
    /// Something that should have gone out was given up.
    lost: bool,
    bucket: Bucket,
    strikes: u32,
    began_at: Millis,
    heard_at: Millis,
    open: BTreeMap<MessageId, Open>,
    actions: Actions,
    runs: Runs,
    subscription: Option<Subscription>,
    subscriptions: u64,
    /// The request that ended the session, which is answered last.
    terminated_by: Option<MessageId>,
    now: Moment,
}

/// Moves a session forward by one event.
pub fn step(mut session: Session, at: Moment, event: Event) -> (Session, Vec<Effect>) {
    session.now = at;
    if session.stage == Stage::Over {
        return (session, Vec::new());
    }
    let mut effects = match event {
        Event::Text(text) => session.hear(&text),
        Event::Unreadable(farewell) => session.hear_noise(farewell),
        Event::Alive => {
            session.heard_at = at.ticks;
            Vec::new()
        }
        Event::NoMore => session.no_more(),
        Event::LinkLost => session.link_lost(),
        Event::Linked => session.linked(),
        Event::Tick => Vec::new(),
        Event::Action { request, news } => session.action(&request, news),
        Event::Consent(request, token) => {
            session.consent(*request, &token);
            Vec::new()
        }
        Event::Answered { request, answer } => {
            session.answered(&request, answer);
            Vec::new()
        }
        Event::News(news) => {
            session.follow(*news);
            Vec::new()
        }
        Event::Offered(revision) => {
            session.offered(revision);
            Vec::new()
        }
        Event::Ruled { terms, revision } => {
            session.ruled(terms, revision);
            Vec::new()
        }
        Event::Audit(audit) => {
            session.audit(*audit);
            Vec::new()
        }
        Event::Map(news) => session.map_news(*news),
        Event::End { reason } => session.end(&reason),
    };
    effects.extend(session.settle());
    (session, effects)
}

impl Session {
    /// A session that nobody has spoken to. Its id is new, and hard to guess.
    pub fn new(id: SessionId, party: Party, terms: Arc<Terms>, habits: Habits, at: Moment) -> Self {
        Self {
            id,
            party,
            rights: terms.rights_of(party),
            terms,
            habits,
            stage: Stage::New,
            agreed: None,
            offered: None,
            seen: Seen::default(),
            next: 1,
            outbox: Outbox::default(),
            lost: false,
            bucket: Bucket::new(at.ticks),
            strikes: 0,
            began_at: at.ticks,
            heard_at: at.ticks,
            open: BTreeMap::new(),
            actions: Actions::default(),
            runs: Runs::default(),
            subscription: None,
            subscriptions: 0,
            terminated_by: None,
            now: at,
        }
    }

    /// Its id.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Who is at the other end.
    pub fn party(&self) -> Party {
        self.party
    }

    /// What its peer may do.
    pub fn rights(&self) -> &Rights {
        &self.rights
    }

    /// The peer has asked what can be done, and wants to hear when that changes.
    pub fn wants_offers(&self) -> bool {
        self.offered.is_some()
    }

    /// It has ended; what is left only has to be said.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Messages of requests and events are taken now.
    pub fn is_active(&self) -> bool {
        self.stage == Stage::Active
    }

    /// Somebody is told what goes out.
    pub fn has_unread(&self) -> bool {
        self.outbox.has_unread()
    }

    /// The next message that goes out, which counts as sent from now on.
    pub fn take(&mut self) -> Option<Arc<Outgoing>> {
        self.outbox.take()
    }

    /// When it wants to be told the time.
    pub fn deadline(&self) -> Option<Millis> {
        match self.stage {
            Stage::New => self.habits.handshake_ms.map(|wait| self.began_at.saturating_add(wait)),
            Stage::Active => self.heartbeat_due(),
            Stage::Suspended { until } | Stage::Resuming { until } | Stage::Terminating { until } => {
                Some(until)
            }
            Stage::Draining | Stage::Over => None,
        }
    }

    fn heartbeat_due(&self) -> Option<Millis> {
        let wait = self.habits.heartbeat_ms?.saturating_mul(HEARTBEATS_MISSED_MAX);
        Some(self.heard_at.saturating_add(wait))
    }

    /// What follows from the state alone, whatever the event was.
    fn settle(&mut self) -> Vec<Effect> {
        let due = self.deadline().is_some_and(|deadline| self.now.ticks >= deadline);
        match self.stage {
            Stage::New if due => {
                self.tell_error(None, timeout("There was no \"session.initialize\" in time."));
                self.over(Farewell::Rules)
            }
            Stage::Active if due => self.unheard(),
            Stage::Active | Stage::Draining if self.outbox.is_full() => {
                let mut effects = vec![Effect::Hang(Farewell::Rules)];
                effects.extend(self.link_lost());
                effects
            }
            Stage::Suspended { .. } | Stage::Resuming { .. } if due => {
                let mut effects = self.stop_all("the session was not resumed in time");
                effects.extend(self.over(Farewell::Expired));
                effects
            }
            Stage::Suspended { .. } => {
                self.lost |= self.outbox.shed();
                Vec::new()
            }
            Stage::Draining if self.open.is_empty() && self.is_idle() => self.over(Farewell::Normal),
            Stage::Terminating { .. } if due || self.is_idle() => self.terminated(),
            _ => Vec::new(),
        }
    }

    /// Nothing is under way.
    fn is_idle(&self) -> bool {
        self.actions.is_empty() && !self.runs.are_under_way()
    }

    /// Nobody gave a sign of life.
    fn unheard(&mut self) -> Vec<Effect> {
        if let Some(resume_window_ms) = self.habits.resume_window_ms {
            let suspended = uiap_protocol::core::SessionSuspended { resume_window_ms };
            self.tell(Body::SessionSuspended(suspended));
        }
        let mut effects = vec![Effect::Hang(Farewell::Rules)];
        effects.extend(self.link_lost());
        effects
    }

    fn no_more(&mut self) -> Vec<Effect> {
        match self.stage {
            Stage::Active => {
                self.stage = Stage::Draining;
                // Nobody could let them go on any more.
                return self.stop_runs(true);
            }
            Stage::New | Stage::Resuming { .. } => return self.over(Farewell::Normal),
            Stage::Suspended { .. } | Stage::Draining | Stage::Terminating { .. } | Stage::Over => {}
        }
        Vec::new()
    }

    fn link_lost(&mut self) -> Vec<Effect> {
        match (self.stage, self.habits.resume_window_ms) {
            (Stage::Active, Some(window)) => {
                self.stage = Stage::Suspended { until: self.now.ticks.saturating_add(window) };
                Vec::new()
            }
            (Stage::Resuming { until }, _) => {
                self.stage = Stage::Suspended { until };
                Vec::new()
            }
            (Stage::Suspended { .. }, _) => Vec::new(),
            _ => {
                let mut effects = self.stop_all("the session has ended");
                effects.extend(self.over(Farewell::Normal));
                effects
            }
        }
    }

    fn linked(&mut self) -> Vec<Effect> {
        let window = self.habits.handshake_ms.or(self.habits.resume_window_ms).unwrap_or_default();
        self.heard_at = self.now.ticks;
        match self.stage {
            Stage::Active => {
                self.stage = Stage::Resuming { until: self.now.ticks.saturating_add(window) };
            }
            Stage::Suspended { until } => self.stage = Stage::Resuming { until },
            _ => {}
        }
        Vec::new()
    }

    fn end(&mut self, reason: &str) -> Vec<Effect> {
        let mut effects = self.stop_all(reason);
        if self.agreed.is_some() && self.stage != Stage::Over {
            self.tell(Body::SessionTerminated(SessionTerminated { reason: Some(reason.to_owned()) }));
        }
        effects.extend(self.over(Farewell::Normal));
        effects
    }

    fn terminate(&mut self, request: MessageId) -> Vec<Effect> {
        self.terminated_by = Some(request);
        self.stage = Stage::Terminating { until: self.now.ticks.saturating_add(FAREWELL_MS) };
        self.stop_all("the session was terminated")
    }

    /// The answer to the request that ended the session, after everything else.
    fn terminated(&mut self) -> Vec<Effect> {
        let left: Vec<_> = self.open.keys().cloned().collect();
        for request in left {
            let message = "The session ended before there was an answer.";
            let payload = speaking::error(uiap_protocol::core::CoreErrorCode::SessionNotActive, message);
            self.answered(&request, Answer::Refused(Box::new(payload)));
        }
        if let Some(request) = self.terminated_by.take() {
            self.respond(&request, Body::SessionTerminated(SessionTerminated { reason: None }), false);
        }
        self.over(Farewell::Normal)
    }

    fn over(&mut self, farewell: Farewell) -> Vec<Effect> {
        self.stage = Stage::Over;
        vec![Effect::Over(farewell)]
    }
}

fn timeout(message: &str) -> ErrorPayload {
    speaking::error(uiap_protocol::core::CoreErrorCode::Timeout, message)
}
