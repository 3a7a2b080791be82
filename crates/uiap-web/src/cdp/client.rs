//! The client: calls go out, answers find their callers, events find those who listen.

use super::message::{Answer, Call, CallError, Envelope, Event, Lagged, SessionId};
use super::pipe::{self, MESSAGE_BYTES_MAX};
use super::socket::{self, Socket};
use crate::deadline::Deadline;
use futures_util::StreamExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::AbortHandle;

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

/// The line to the browser. Dropping it hangs up: whoever still has a client is told that the browser is gone.
#[derive(Debug)]
pub struct Connection {
    tasks: [AbortHandle; 2],
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// What client and reader share.
pub(super) struct Shared {
    next_id: AtomicU64,
    orders: mpsc::Sender<String>,
    state: Mutex<State>,
    /// Tells those who wait for nothing but the end.
    end: watch::Sender<bool>,
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
    ) -> (Self, Connection) {
        Self::with_limit(answers, orders, MESSAGE_BYTES_MAX)
    }

    fn with_limit(
        answers: impl AsyncRead + Unpin + Send + 'static,
        orders: impl AsyncWrite + Unpin + Send + 'static,
        bytes_max: usize,
    ) -> (Self, Connection) {
        Self::start(|outgoing, shared| {
            let writer = tokio::spawn(pipe::write(orders, outgoing));
            let reader = tokio::spawn(pipe::read(answers, shared, bytes_max));
            Connection { tasks: [writer.abort_handle(), reader.abort_handle()] }
        })
    }

    /// Talks over a socket. Needs a tokio runtime.
    pub(crate) fn over_socket(socket: Socket) -> (Self, Connection) {
        Self::start(|outgoing, shared| {
            let (orders, answers) = socket.split();
            let writer = tokio::spawn(socket::write(orders, outgoing));
            let reader = tokio::spawn(socket::read(answers, shared));
            Connection { tasks: [writer.abort_handle(), reader.abort_handle()] }
        })
    }

    fn start(connect: impl FnOnce(Outgoing, Arc<Shared>) -> Connection) -> (Self, Connection) {
        let (sender, outgoing) = mpsc::channel(CALLS_PENDING_MAX + POSTS_QUEUED_MAX);
        let shared = Arc::new(Shared {
            next_id: AtomicU64::new(1),
            orders: sender,
            state: Mutex::default(),
            end: watch::Sender::new(false),
        });
        let connection = connect(outgoing, Arc::clone(&shared));
        (Self { shared }, connection)
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

    /// Waits until the browser is gone.
    pub async fn gone(&self) {
        // It fails only if the sender is gone, and this value keeps it.
        let _ = self.shared.end.subscribe().wait_for(|ended| *ended).await;
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
        self.end.send_replace(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    /// Large enough for every message of these tests.
    const PIPE_BYTES: usize = 1024 * 1024;
    const MESSAGE_BYTES: usize = 4_096;

    /// A client and the browser's ends of its pipe.
    fn connect() -> (Client, DuplexStream, DuplexStream) {
        let (answers, browser_answers) = duplex(PIPE_BYTES);
        let (orders, browser_orders) = duplex(PIPE_BYTES);
        let (client, connection) = Client::with_limit(answers, orders, MESSAGE_BYTES);
        // These tests end a connection from the browser's side.
        std::mem::forget(connection);
        (client, browser_orders, browser_answers)
    }

    fn soon() -> Deadline {
        Deadline::after(Duration::from_secs(10))
    }

    /// Sends one call while the browser answers with these bytes; `ID` stands for the number of the call.
    async fn answered(bytes: &str) -> Result<Value, CallError> {
        let (client, mut orders, mut answers) = connect();
        let browser = async {
            let mut order = vec![0; 1024];
            let count = orders.read(&mut order).await.unwrap();
            let order: Value = serde_json::from_slice(&order[..count - 1]).unwrap();
            let bytes = bytes.replace("ID", &order["id"].to_string());
            answers.write_all(bytes.as_bytes()).await.unwrap();
        };
        let (answer, ()) = tokio::join!(client.send(None, "Some.method", json!({}), soon()), browser);
        answer
    }

    #[tokio::test]
    async fn nothing_unknown_breaks_an_answer() {
        let noise = "{\"method\":\"Brand.new\",\"params\":{\"deep\":[1,{}]},\"more\":1}\0not json\0\0[]\0{}\0{\"id\":99}\0";
        let answer = answered(&format!("{noise}{{\"id\":ID,\"result\":{{\"a\":1}},\"new\":true}}\0")).await;
        assert_eq!(answer, Ok(json!({ "a": 1 })));
    }

    #[tokio::test]
    async fn a_refusal_is_told_even_with_broken_text() {
        let answer = answered("{\"id\":ID,\"error\":{\"code\":-32000,\"message\":\"no \\ud800\"}}\0").await;
        let Err(CallError::Refused { code: -32000, message, .. }) = answer else { panic!("{answer:?}") };
        assert!(message.starts_with("no "), "{message}");
    }

    #[tokio::test]
    async fn an_answer_without_result_is_malformed() {
        assert_eq!(answered("{\"id\":ID}\0").await, Err(CallError::Malformed { method: "Some.method" }));
    }

    #[tokio::test]
    async fn a_message_that_is_too_large_is_skipped_and_its_caller_told() {
        let large = "x".repeat(MESSAGE_BYTES);
        let answer = answered(&format!("{{\"id\":ID,\"result\":\"{large}\"}}\0")).await;
        assert!(matches!(answer, Err(CallError::TooLarge { .. })), "{answer:?}");
        let event = format!("{{\"method\":\"Large.event\",\"params\":\"{large}{large}\"}}\0");
        assert_eq!(answered(&format!("{event}{{\"id\":ID,\"result\":{{}}}}\0")).await, Ok(json!({})));
    }

    #[tokio::test(start_paused = true)]
    async fn a_browser_that_does_not_answer_costs_the_deadline_and_leaves_nothing() {
        let (client, _orders, _answers) = connect();
        let answer = client.send(None, "Some.method", json!({}), soon()).await;
        assert_eq!(answer, Err(CallError::Deadline { method: "Some.method" }));
        assert!(client.shared.state().calls.is_empty());
    }

    #[tokio::test]
    async fn the_end_of_the_browser_fails_waiting_and_later_calls() {
        let (client, _orders, answers) = connect();
        let mut events = client.subscribe(None);
        let close = async { drop(answers) };
        let (answer, ()) = tokio::join!(client.send(None, "Some.method", json!({}), soon()), close);
        assert_eq!(answer, Err(CallError::BrowserGone));
        assert_eq!(client.send(None, "Other.method", json!({}), soon()).await, Err(CallError::BrowserGone));
        assert!(events.next().await.is_none());
        assert!(client.subscribe(None).next().await.is_none());
    }

    #[tokio::test]
    async fn the_end_of_a_session_fails_its_calls_only() {
        let (client, _orders, mut answers) = connect();
        let session = SessionId::from("S1");
        let detached = "{\"method\":\"Target.detachedFromTarget\",\"params\":{\"sessionId\":\"S1\"}}\0";
        let tell = async {
            answers.write_all(detached.as_bytes()).await.unwrap();
            answers.write_all(b"{\"id\":2,\"result\":{}}\0").await.unwrap();
        };
        let (one, two, ()) = tokio::join!(
            client.send(Some(&session), "Some.method", json!({}), soon()),
            client.send(None, "Some.method", json!({}), soon()),
            tell
        );
        assert_eq!((one, two), (Err(CallError::SessionGone), Ok(json!({}))));
    }

    #[tokio::test]
    async fn calls_have_a_limit() {
        let (client, _orders, _answers) = connect();
        let call = || client.send(None, "Some.method", json!({}), soon());
        let mut calls: Vec<_> = (0..CALLS_PENDING_MAX).map(|_| Box::pin(call())).collect();
        for waiting in &mut calls {
            assert!(
                std::future::poll_fn(|task| std::task::Poll::Ready(waiting.as_mut().poll(task).is_pending()))
                    .await
            );
        }
        assert_eq!(call().await, Err(CallError::Busy { limit: CALLS_PENDING_MAX }));
        drop(calls);
        assert!(client.shared.state().calls.is_empty(), "dropped calls are forgotten");
    }

    #[tokio::test]
    async fn a_slow_subscriber_is_told_what_it_missed() {
        let (client, _orders, mut answers) = connect();
        let session = SessionId::from("S1");
        let mut events = client.subscribe(Some(&session));
        let surplus = 10;
        let mut bytes =
            "{\"sessionId\":\"S1\",\"method\":\"A.b\",\"params\":{}}\0".repeat(EVENTS_QUEUED_MAX + surplus);
        bytes.push_str("{\"id\":1,\"result\":{}}\0");
        let tell = async { answers.write_all(bytes.as_bytes()).await.unwrap() };
        // The answer comes after the events, so all of them are there.
        let (answer, ()) = tokio::join!(client.send(None, "Some.method", json!({}), soon()), tell);
        assert!(answer.is_ok());
        assert_eq!(events.next().await.unwrap().unwrap_err(), Lagged { missed: surplus as u64 });
        assert_eq!(events.next().await.unwrap().unwrap().method, "A.b");
    }
}
