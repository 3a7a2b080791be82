//! The client: calls go out, answers find their callers, events find those who listen.

use super::message::{Answer, Call, CallError, Envelope, Event, Lagged, SessionId};
use super::pipe::{self, MESSAGE_BYTES_MAX};
use crate::deadline::Deadline;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, mpsc, oneshot};

/// Most calls that wait for their answer at one time.
pub const CALLS_PENDING_MAX: usize = 1_024;
/// Most orders without an answer (answers to dialogs, goodbyes) that wait to be written.
const POSTS_QUEUED_MAX: usize = 256;
/// Most events of one session that wait for a slow subscriber.
pub const EVENTS_QUEUED_MAX: usize = 1_024;

pub(super) type Outgoing = mpsc::Receiver<String>;

/// Sees every event of a session in order, and before any answer that the browser sends after it.
///
/// Called from the reader: it must be quick and never wait.
pub(crate) trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &Event);
    /// The session is over: nothing will happen any more.
    fn gone(&self, browser: bool);
}

/// A connection to a browser. Clones share it.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

/// What client and reader share.
pub(super) struct Shared {
    next_id: AtomicU64,
    orders: mpsc::Sender<String>,
    state: Mutex<State>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct State {
    ended: bool,
    calls: HashMap<u64, Pending>,
    routes: HashMap<Option<SessionId>, Route>,
}

struct Pending {
    session: Option<SessionId>,
    outcome: oneshot::Sender<Outcome>,
}

enum Outcome {
    Message(Vec<u8>),
    TooLarge,
    SessionGone,
    BrowserGone,
}

#[derive(Default)]
struct Route {
    observer: Option<Arc<dyn Observer>>,
    subscribers: Option<broadcast::Sender<Arc<Event>>>,
}

impl Client {
    /// Talks over a pipe: orders are written, answers and events read. Needs a tokio runtime.
    pub fn over_pipe(
        answers: impl AsyncRead + Unpin + Send + 'static,
        orders: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Self {
        Self::with_limit(answers, orders, MESSAGE_BYTES_MAX)
    }

    fn with_limit(
        answers: impl AsyncRead + Unpin + Send + 'static,
        orders: impl AsyncWrite + Unpin + Send + 'static,
        bytes_max: usize,
    ) -> Self {
        let (sender, outgoing) = mpsc::channel(CALLS_PENDING_MAX + POSTS_QUEUED_MAX);
        let shared = Arc::new(Shared { next_id: AtomicU64::new(1), orders: sender, state: Mutex::default() });
        tokio::spawn(pipe::write(orders, outgoing));
        tokio::spawn(pipe::read(answers, Arc::clone(&shared), bytes_max));
        Self { shared }
    }

    /// Calls a method of the browser (no session) or of one of its targets.
    pub async fn send(
        &self,
        session: Option<&SessionId>,
        method: &'static str,
        params: impl Serialize,
        deadline: Deadline,
    ) -> Result<Value, CallError> {
        self.call(session, method, params, deadline).await
    }

    /// The same with a result of a known shape.
    pub(crate) async fn call<R: DeserializeOwned>(
        &self,
        session: Option<&SessionId>,
        method: &'static str,
        params: impl Serialize,
        deadline: Deadline,
    ) -> Result<R, CallError> {
        let (id, order) = self.shared.order(session, method, params)?;
        let (outcome, answered) = oneshot::channel();
        self.shared.expect(id, Pending { session: session.cloned(), outcome })?;
        let _forget = Forget { shared: &self.shared, id };
        let exchange = async {
            // A closed queue means that the writer ended; the reader then tells why.
            let _ = self.shared.orders.send(order).await;
            answered.await
        };
        match deadline.limit(exchange).await {
            None => Err(CallError::Deadline { method }),
            Some(Ok(Outcome::Message(message))) => Answer::read(&message, method),
            Some(Ok(Outcome::TooLarge)) => Err(CallError::TooLarge { method, limit: MESSAGE_BYTES_MAX }),
            Some(Ok(Outcome::SessionGone)) => Err(CallError::SessionGone),
            Some(Ok(Outcome::BrowserGone) | Err(_)) => Err(CallError::BrowserGone),
        }
    }

    /// Sends an order and forgets about it. Never waits; `false` if there is no room or no browser.
    pub(crate) fn post(
        &self,
        session: Option<&SessionId>,
        method: &'static str,
        params: impl Serialize,
    ) -> bool {
        let order = self.shared.order(session, method, params);
        order.is_ok_and(|(_, order)| self.shared.orders.try_send(order).is_ok())
    }

    /// Events of the browser (no session) or of one of its targets, from now on.
    pub fn subscribe(&self, session: Option<&SessionId>) -> Subscription {
        let mut state = self.shared.state();
        if state.ended {
            return Subscription { events: broadcast::channel(1).1 };
        }
        let route = state.routes.entry(session.cloned()).or_default();
        let sender = route.subscribers.get_or_insert_with(|| broadcast::Sender::new(EVENTS_QUEUED_MAX));
        Subscription { events: sender.subscribe() }
    }

    pub(crate) fn observe(&self, session: Option<&SessionId>, observer: Arc<dyn Observer>) {
        let mut state = self.shared.state();
        if state.ended {
            drop(state);
            observer.gone(true);
            return;
        }
        state.routes.entry(session.cloned()).or_default().observer = Some(observer);
    }

    /// The browser is gone.
    pub fn is_gone(&self) -> bool {
        self.shared.state().ended
    }
}

/// Events as they come.
#[derive(Debug)]
pub struct Subscription {
    events: broadcast::Receiver<Arc<Event>>,
}

impl Subscription {
    /// The next event; `None` when there will be no more.
    pub async fn next(&mut self) -> Option<Result<Arc<Event>, Lagged>> {
        match self.events.recv().await {
            Ok(event) => Some(Ok(event)),
            Err(broadcast::error::RecvError::Lagged(missed)) => Some(Err(Lagged { missed })),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// A call whose caller went away is not waited for.
struct Forget<'c> {
    shared: &'c Shared,
    id: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.shared.state().calls.remove(&self.id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn order(
        &self,
        session: Option<&SessionId>,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<(u64, String), CallError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let order = serde_json::to_string(&Call { id, method, params, session });
        Ok((id, order.map_err(|_| CallError::Malformed { method })?))
    }

    fn expect(&self, id: u64, pending: Pending) -> Result<(), CallError> {
        let mut state = self.state();
        if state.ended {
            return Err(CallError::BrowserGone);
        }
        if state.calls.len() >= CALLS_PENDING_MAX {
            return Err(CallError::Busy { limit: CALLS_PENDING_MAX });
        }
        state.calls.insert(id, pending);
        Ok(())
    }

    /// A message came in. The bytes are taken only if somebody wants all of them.
    pub(super) fn receive(&self, message: &mut Vec<u8>) {
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(message) else { return };
        if let Some(id) = envelope.id {
            if let Some(pending) = self.state().calls.remove(&id) {
                // A caller that just went away does not need it.
                let _ = pending.outcome.send(Outcome::Message(std::mem::take(message)));
            }
        } else if let Some(method) = envelope.method {
            let session = envelope.session.as_deref().map(SessionId::from);
            self.tell(&Arc::new(Event::new(session, method.into_owned(), envelope.params)));
        }
    }

    /// A message was too large; this is its beginning.
    pub(super) fn skipped(&self, head: &[u8]) {
        let digits = head.strip_prefix(br#"{"id":"#).unwrap_or_default();
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let id = digits.fold(0_u64, |id, digit| id.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
        if let Some(pending) = self.state().calls.remove(&id) {
            let _ = pending.outcome.send(Outcome::TooLarge);
        }
    }

    fn tell(&self, event: &Arc<Event>) {
        let observer = {
            let state = self.state();
            let route = state.routes.get(&event.session);
            if let Some(subscribers) = route.and_then(|route| route.subscribers.as_ref()) {
                // Without a subscriber nobody misses anything.
                let _ = subscribers.send(Arc::clone(event));
            }
            route.and_then(|route| route.observer.clone())
        };
        if let Some(observer) = observer {
            observer.event(event);
        }
        if event.method == "Target.detachedFromTarget" {
            #[derive(serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct Detached {
                session_id: SessionId,
            }
            if let Some(Detached { session_id }) = event.params() {
                self.end_session(session_id);
            }
        }
    }

    fn end_session(&self, session: SessionId) {
        let session = Some(session);
        let (route, calls) = {
            let mut state = self.state();
            let calls: Vec<Pending> = state
                .calls
                .extract_if(|_, pending| pending.session == session)
                .map(|(_, call)| call)
                .collect();
            (state.routes.remove(&session), calls)
        };
        for call in calls {
            let _ = call.outcome.send(Outcome::SessionGone);
        }
        if let Some(observer) = route.and_then(|route| route.observer) {
            observer.gone(false);
        }
    }

    /// The browser closed the connection: everybody who waits is told at once.
    pub(super) fn end(&self) {
        let state = {
            let mut state = self.state();
            let past = std::mem::take(&mut *state);
            state.ended = true;
            past
        };
        for (_, call) in state.calls {
            let _ = call.outcome.send(Outcome::BrowserGone);
        }
        state
            .routes
            .into_values()
            .filter_map(|route| route.observer)
            .for_each(|observer| observer.gone(true));
    }
}
