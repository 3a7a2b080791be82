//! The place of the page: one at a time, taken by whoever the door lets in, and kept free for nobody else.
//!
//! Start at [`Seat::enter`]. A door brings texts in and takes texts out; who may come is its business. Everything that
//! a page says is checked, counted and bounded, and nothing that it says changes who it is.

use super::line::{Line, Taken};
use super::words::{self, PAGE_MESSAGE_BYTES_MAX, PROFILE, VERSION, trouble};
use crate::page::{BrowserSignal, Feed, Lost, SignalLog};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use uiap_protocol::core::{
    AppInfo, Body, CoreErrorCode, Envelope, ErrorPayload, Exchange, Limits, Pong, SessionInitialize,
    SessionInitialized, SessionTerminated,
};
use uiap_protocol::ids::{MessageId, ProfileId, SessionId, Version};
use uiap_protocol::web::{GraphStore, WebSignal, WebSignalBody};

/// Longest wait for `session.initialize`.
const HANDSHAKE_WAIT: Duration = Duration::from_secs(10);
/// How many bad messages of one page end its link.
pub const STRIKES_MAX: u32 = 16;
/// Most messages of a page in one second.
pub const MESSAGES_PER_SECOND_MAX: u32 = 2_000;
/// How words of our own begin, which no page can say.
const OWN_WORDS: &str = "x.uiap.";

/// Why a link to a page has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It hung up.
    Left,
    /// It said goodbye.
    Terminated,
    /// It did not introduce itself in time, or in no way that is understood.
    Unknown,
    /// Another page has the place.
    Taken,
    /// Another link of the same page has the place now.
    Superseded,
    /// Too many of its messages could not be understood.
    Unsound,
    /// It said too much at once.
    TooMuch,
}

/// The place of a page.
#[derive(Debug)]
pub struct Seat {
    line: watch::Sender<Option<Arc<Line>>>,
    pub(super) feed: Feed,
    pub(super) log: SignalLog,
    app: AppInfo,
    /// Numbers that nobody can guess.
    chance: fn() -> [u8; 16],
}

/// What follows from a message.
enum Next {
    GoOn,
    /// It was a bad one.
    Strike,
    End(Ending),
}

impl Seat {
    /// A place that nobody has taken.
    pub fn new(app: AppInfo, chance: fn() -> [u8; 16]) -> Arc<Self> {
        let line = watch::Sender::new(None);
        Arc::new(Self { line, feed: Feed::default(), log: SignalLog::default(), app, chance })
    }

    /// The page that is there.
    pub(super) fn line(&self) -> Option<Arc<Line>> {
        self.line.borrow().clone()
    }

    /// Waits until a page is there.
    pub(super) async fn taken(&self) {
        // It fails only if the sender is gone, and that is this value.
        let _ = self.line.subscribe().wait_for(Option::is_some).await;
    }

    /// A page that was let in. Ends when its link does.
    pub async fn enter(
        self: Arc<Self>,
        mut inbound: mpsc::Receiver<String>,
        outbound: mpsc::Sender<String>,
    ) -> Ending {
        let first = match tokio::time::timeout(HANDSHAKE_WAIT, inbound.recv()).await {
            Ok(Some(first)) => first,
            Ok(None) => return Ending::Left,
            Err(_) => return Ending::Unknown,
        };
        let (request, offer) = match introduction(&first) {
            Ok(introduced) => introduced,
            Err((request, payload)) => {
                say_no(&outbound, request, *payload).await;
                return Ending::Unknown;
            }
        };
        let line = match self.take_place(&request, &offer, &outbound) {
            Ok(line) => line,
            Err(payload) => {
                say_no(&outbound, Some(request), *payload).await;
                return Ending::Taken;
            }
        };
        let ending = self.converse(&line, &mut inbound).await;
        self.leave(&line);
        ending
    }

    /// Takes the place, if it is free or the page can name the session that has it.
    fn take_place(
        &self,
        request: &MessageId,
        offer: &SessionInitialize,
        outbound: &mpsc::Sender<String>,
    ) -> Result<Arc<Line>, Box<ErrorPayload>> {
        let number = u128::from_be_bytes((self.chance)());
        let session = SessionId::new(format!("page_{number:032x}"))
            .map_err(|error| Box::new(trouble(CoreErrorCode::InternalError, error.to_string())))?;
        let line = Arc::new(Line::new(session, outbound.clone()));
        let mut is_ours = false;
        self.line.send_if_modified(|held| {
            let resumed = offer.resume.as_ref().map(|resume| &resume.session_id);
            is_ours = held.as_ref().is_none_or(|held| resumed == Some(held.session()));
            if is_ours {
                // Before anybody can ask it anything, the page knows its session.
                if let Some(welcome) = self.welcome(line.session()) {
                    line.tell(Exchange::Response { correlation_id: request.clone() }, welcome);
                }
                if let Some(former) = held.replace(Arc::clone(&line)) {
                    former.end();
                }
            }
            is_ours
        });
        if is_ours {
            self.feed.lose(Lost::Replaced);
            return Ok(line);
        }
        let message = "Another page has this place. Close it, or wait until it is gone.";
        Err(Box::new(trouble(CoreErrorCode::RateLimited, message)))
    }

    /// Gives the place up, unless another link of the same page has it already.
    fn leave(&self, line: &Arc<Line>) {
        line.end();
        let left = self.line.send_if_modified(|held| {
            let is_ours = held.as_ref().is_some_and(|held| Arc::ptr_eq(held, line));
            if is_ours {
                *held = None;
            }
            is_ours
        });
        if left {
            self.feed.lose(Lost::Replaced);
        }
    }

    fn welcome(&self, session: &SessionId) -> Option<Body> {
        Some(Body::SessionInitialized(SessionInitialized {
            session_id: session.clone(),
            selected_version: Version::new(VERSION).ok()?,
            selected_profiles: vec![ProfileId::new(PROFILE).ok()?],
            selected_extensions: None,
            rejected_extensions: None,
            app: self.app.clone(),
            grants: None,
            missing_grants: None,
            confirmation_authority: None,
            heartbeat_interval_ms: None,
            resume_window_ms: None,
            limits: Some(Limits {
                max_message_bytes: u64::try_from(PAGE_MESSAGE_BYTES_MAX).ok(),
                max_inflight_actions: None,
            }),
        }))
    }

    async fn converse(&self, line: &Arc<Line>, inbound: &mut mpsc::Receiver<String>) -> Ending {
        let mut places = self.line.subscribe();
        let (mut strikes, mut second, mut heard) = (0, Instant::now(), 0);
        loop {
            let superseded =
                places.wait_for(|held| !held.as_ref().is_some_and(|held| Arc::ptr_eq(held, line)));
            let text = tokio::select! {
                text = inbound.recv() => text,
                _ = superseded => return Ending::Superseded,
            };
            let Some(text) = text else { return Ending::Left };
            if second.elapsed() >= Duration::from_secs(1) {
                (second, heard) = (Instant::now(), 0);
            }
            heard += 1;
            if heard > MESSAGES_PER_SECOND_MAX {
                return Ending::TooMuch;
            }
            match self.hear(line, &text) {
                Next::GoOn => {}
                Next::End(ending) => return ending,
                Next::Strike => strikes += 1,
            }
            if strikes >= STRIKES_MAX {
                return Ending::Unsound;
            }
        }
    }

    fn hear(&self, line: &Line, text: &str) -> Next {
        let complain = |correlation_id, payload| {
            line.tell(Exchange::Event { correlation_id }, Body::Error(payload));
            Next::Strike
        };
        let Envelope { exchange, id, session_id, body, .. } = match words::read(text) {
            Ok(envelope) => envelope,
            Err(payload) => return complain(None, payload),
        };
        if session_id.as_ref() != Some(line.session()) {
            let message = "This is not the session that the page has.";
            return complain(None, trouble(CoreErrorCode::SessionNotFound, message));
        }
        match (exchange, body) {
            (Exchange::Response { correlation_id }, body) => match line.take(&correlation_id, body) {
                Taken::Yes | Taken::Late => Next::GoOn,
                Taken::Never => {
                    let message = format!("Nobody asked \"{correlation_id}\".");
                    complain(None, trouble(CoreErrorCode::UnexpectedMessage, message))
                }
            },
            (Exchange::Event { .. }, Body::StateDelta(delta)) => {
                self.feed.take(delta, &self.log);
                Next::GoOn
            }
            (Exchange::Event { .. }, Body::StateSnapshot(snapshot)) => {
                self.feed.begin();
                self.show(line, GraphStore::new(snapshot.graph));
                Next::GoOn
            }
            (Exchange::Event { .. }, Body::Signal(signal)) => {
                self.take_signal(signal);
                Next::GoOn
            }
            (Exchange::Event { .. }, Body::StateResync(_)) => {
                self.feed.lose(Lost::Replaced);
                Next::GoOn
            }
            (Exchange::Request, Body::Ping(ping)) => {
                let pong = Body::Pong(Pong { nonce: ping.nonce });
                line.tell(Exchange::Response { correlation_id: id }, pong);
                Next::GoOn
            }
            (Exchange::Request, Body::SessionTerminate(_)) => {
                let over = Body::SessionTerminated(SessionTerminated { reason: None });
                line.tell(Exchange::Response { correlation_id: id }, over);
                Next::End(Ending::Terminated)
            }
            // A page answers and tells. What it could ask for is the business of agents and people.
            (Exchange::Request, body) => {
                let message = format!("A page cannot ask for \"{}\".", body.message_type());
                let error = Body::Error(trouble(CoreErrorCode::Forbidden, message));
                line.tell(Exchange::Response { correlation_id: id }, error);
                Next::Strike
            }
            (Exchange::Event { .. }, body) => {
                let message = format!("A page does not tell \"{}\".", body.message_type());
                complain(Some(id), trouble(CoreErrorCode::UnexpectedMessage, message))
            }
        }
    }

    /// The page is this from now on, and what it tells later is about this.
    pub(super) fn show(&self, line: &Line, store: GraphStore) {
        self.log.set_revision(store.revision().clone());
        self.feed.start(store, line.session().as_str().to_owned());
    }

    /// A signal counts as the page tells it, but for words by which a browser speaks: a page is none.
    fn take_signal(&self, signal: WebSignal) {
        let is_own =
            matches!(&signal.body, WebSignalBody::Vendor(form) if form.word.as_str().starts_with(OWN_WORDS));
        let is_foreign = matches!(&signal.body, WebSignalBody::NetworkResponse { .. });
        if is_own || is_foreign {
            self.log.tell(BrowserSignal::SignalsDropped, serde_json::json!({}));
        } else {
            self.log.add(signal);
        }
    }
}

/// Who a page says it is, with the request that it says it in.
fn introduction(
    text: &str,
) -> Result<(MessageId, SessionInitialize), (Option<MessageId>, Box<ErrorPayload>)> {
    let envelope = words::read(text).map_err(|payload| (None, Box::new(payload)))?;
    let no = |code, message: &str| (Some(envelope.id.clone()), Box::new(trouble(code, message)));
    let Body::SessionInitialize(offer) = envelope.body else {
        return Err(no(CoreErrorCode::SessionNotActive, "A page begins with \"session.initialize\"."));
    };
    if !offer.supported_versions.iter().any(|version| version.as_str() == VERSION) {
        return Err(no(CoreErrorCode::UnsupportedVersion, "Version 0.1 is spoken here."));
    }
    if !offer.supported_profiles.iter().any(|profile| profile.as_str() == PROFILE) {
        return Err(no(CoreErrorCode::UnsupportedProfile, "The profile \"web@0.1\" is spoken here."));
    }
    Ok((envelope.id, offer))
}

/// Answers a page that does not get the place.
async fn say_no(outbound: &mpsc::Sender<String>, request: Option<MessageId>, payload: ErrorPayload) {
    let exchange = match request {
        Some(correlation_id) => Exchange::Response { correlation_id },
        None => Exchange::Event { correlation_id: None },
    };
    let text =
        MessageId::new("page_0").ok().and_then(|id| words::write(id, None, exchange, Body::Error(payload)));
    if let Some(text) = text {
        // Whoever does not read it misses it.
        let _ = tokio::time::timeout(HANDSHAKE_WAIT, outbound.send(text)).await;
    }
}
