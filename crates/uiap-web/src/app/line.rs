//! The line to one page: what is asked of it, and whether it was.

use super::words::{self, Wish, answered};
use crate::deadline::Deadline;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{OnceCell, mpsc, oneshot};
use uiap_protocol::core::{Body, CoreErrorCode, ErrorCode, ErrorPayload, Exchange};
use uiap_protocol::ids::{MessageId, SessionId};

/// Most questions that wait for their answer.
pub const ASKS_MAX: usize = 64;
/// How ids of our messages begin.
const OWN_IDS: &str = "page_";

/// Why a page has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum AskError {
    /// It was certainly not asked.
    #[error("{reason}")]
    Unasked {
        /// Why.
        reason: String,
    },
    /// It was asked, says that it did nothing, and why.
    #[error("the page refused: {reason}")]
    Refused {
        /// What it said.
        reason: String,
    },
    /// It was asked, and the link ended before it answered.
    #[error("the link to the page ended before it answered")]
    Lost,
    /// It was asked, and did not answer in time.
    #[error("the page did not answer in time")]
    Unanswered,
    /// It was asked, and what came back is no answer.
    #[error("the page answered with something else than was asked for")]
    Unsound,
}

impl AskError {
    pub(super) fn unasked(reason: impl Into<String>) -> Self {
        Self::Unasked { reason: reason.into() }
    }
}

/// How an answer was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Somebody waited for it.
    Yes,
    /// Somebody did, and has given up.
    Late,
    /// Nobody ever asked.
    Never,
}

#[derive(Debug, Default)]
struct Waiting {
    /// How many messages there were.
    count: u64,
    open: HashMap<MessageId, oneshot::Sender<Body>>,
}

/// A page that is there.
#[derive(Debug)]
pub(super) struct Line {
    session: SessionId,
    outbound: mpsc::Sender<String>,
    waiting: Mutex<Waiting>,
    /// Done once it was told what a bundle knows about it.
    pub(super) briefed: OnceCell<()>,
}

/// A question that waits; forgotten when nobody waits any more.
struct Open<'l> {
    line: &'l Line,
    id: MessageId,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.line.waiting().open.remove(&self.id);
    }
}

impl Line {
    pub(super) fn new(session: SessionId, outbound: mpsc::Sender<String>) -> Self {
        Self { session, outbound, waiting: Mutex::default(), briefed: OnceCell::new() }
    }

    pub(super) fn session(&self) -> &SessionId {
        &self.session
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks under a name of ours, and reads what comes back.
    pub(super) async fn wish<T: DeserializeOwned>(
        &self,
        wish: Wish,
        payload: Value,
        deadline: Deadline,
    ) -> Result<T, AskError> {
        let body = wish.body(payload).map_err(|error| AskError::unasked(error.to_string()))?;
        answered(self.ask(body, deadline).await?).ok_or(AskError::Unsound)
    }

    /// Asks once, and waits for the answer.
    pub(super) async fn ask(&self, body: Body, deadline: Deadline) -> Result<Body, AskError> {
        let (open, answer) = self.open()?;
        let text = words::write(open.id.clone(), Some(&self.session), Exchange::Request, body)
            .ok_or_else(|| AskError::unasked("the question cannot be written"))?;
        match deadline.limit(self.outbound.send(text)).await {
            Some(Ok(())) => {}
            Some(Err(_)) => return Err(AskError::unasked("the link to the page has ended")),
            None => return Err(AskError::unasked("the page reads too slowly to be asked")),
        }
        match deadline.limit(answer).await {
            Some(Ok(Body::Error(error))) => Err(refusal(error)),
            Some(Ok(body)) => Ok(body),
            Some(Err(_)) => Err(AskError::Lost),
            None => Err(AskError::Unanswered),
        }
    }

    fn open(&self) -> Result<(Open<'_>, oneshot::Receiver<Body>), AskError> {
        let (sender, answer) = oneshot::channel();
        let mut waiting = self.waiting();
        if waiting.open.len() >= ASKS_MAX {
            return Err(AskError::unasked(format!("{ASKS_MAX} questions to the page wait already")));
        }
        let id = waiting.next_id().ok_or_else(|| AskError::unasked("there are no more numbers"))?;
        waiting.open.insert(id.clone(), sender);
        Ok((Open { line: self, id }, answer))
    }

    /// Says something that nobody answers, if there is room for it.
    pub(super) fn tell(&self, exchange: Exchange, body: Body) {
        let id = self.waiting().next_id();
        let text = id.and_then(|id| words::write(id, Some(&self.session), exchange, body));
        if let Some(text) = text {
            // Nothing depends on it.
            let _ = self.outbound.try_send(text);
        }
    }

    /// An answer came.
    pub(super) fn take(&self, to: &MessageId, body: Body) -> Taken {
        let mut waiting = self.waiting();
        match waiting.open.remove(to) {
            Some(asker) => {
                drop(waiting);
                // Whoever gave up this moment needs no answer.
                let _ = asker.send(body);
                Taken::Yes
            }
            None if waiting.was_asked(to) => Taken::Late,
            None => Taken::Never,
        }
    }

    /// The link has ended: nobody will be answered.
    pub(super) fn end(&self) {
        self.waiting().open.clear();
    }
}

impl Waiting {
    fn next_id(&mut self) -> Option<MessageId> {
        self.count = self.count.checked_add(1)?;
        MessageId::new(format!("{OWN_IDS}{}", self.count)).ok()
    }

    fn was_asked(&self, id: &MessageId) -> bool {
        let number = id.as_str().strip_prefix(OWN_IDS).and_then(|number| number.parse::<u64>().ok());
        number.is_some_and(|number| (1..=self.count).contains(&number))
    }
}

/// What an error says about whether something was done: only a page that did not understand did nothing.
fn refusal(error: ErrorPayload) -> AskError {
    match error.code {
        ErrorCode::Core(
            CoreErrorCode::InvalidPayload
            | CoreErrorCode::UnknownMessageType
            | CoreErrorCode::SessionNotActive
            | CoreErrorCode::RateLimited
            | CoreErrorCode::PolicyDenied,
        ) => AskError::Refused { reason: error.message },
        _ => AskError::Unsound,
    }
}
