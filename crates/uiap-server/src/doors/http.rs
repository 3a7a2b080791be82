//! `http@0.1`: a request is posted and its response comes back; everything else comes as a stream of events.

use super::mail::{Mailbox, Next, Reader};
use super::net::{Hall, Shared};
use super::{MEDIA_TYPE, SESSIONS_PATH};
use crate::serving::{Inbound, Link, Visit};
use crate::session::{Glance, Habits, INBOUND_BYTES_MAX, Outgoing, Party, glance, trouble};
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use uiap_protocol::core::{CoreErrorCode, ErrorPayload};
use uiap_protocol::ids::{MessageId, SessionId};
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::Surface;

/// Whoever neither posts nor listens for three times this long has gone.
const HABITS: Habits = Habits { handshake_ms: None, heartbeat_ms: Some(20_000), resume_window_ms: None };
/// Longest time that a body may take.
const BODY_WAIT: Duration = Duration::from_secs(20);
/// Longest wait for the response to a request.
const ANSWER_WAIT: Duration = Duration::from_mins(1);
/// Pause after which a stream of events shows that it is there.
const COMMENT_AFTER: Duration = Duration::from_secs(15);

/// Opens a session.
pub(super) async fn begin<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let (party, text) = match posted(&hall, &headers, body).await {
        Ok(posted) => posted,
        Err(response) => return *response,
    };
    let id = match glance(&text) {
        Ok(Glance { id, asks: true }) => id,
        Ok(_) => {
            let payload = trouble(CoreErrorCode::SessionNotActive, "A session begins with a request.");
            return refused(&hall, StatusCode::BAD_REQUEST, &text, payload);
        }
        Err(payload) => return refused(&hall, StatusCode::BAD_REQUEST, &text, *payload),
    };
    let (link, speak, listen) = Link::new();
    let mailbox = Mailbox::new(party, speak);
    let Some(answer) = mailbox.wait_for(&id) else { return StatusCode::CONFLICT.into_response() };
    tokio::spawn(hall.house.clone().enter(link, Visit { party, habits: HABITS }));
    let sorted = tokio::spawn(Arc::clone(&mailbox).sort(listen));
    let answer = match mailbox.speak.send(Inbound::Text(text.clone())).await {
        Ok(()) => timeout(ANSWER_WAIT, answer).await.ok().and_then(Result::ok),
        Err(_) => None,
    };
    let session = answer.as_ref().and_then(|answer| answer.session.clone());
    let (Some(answer), Some(session)) = (&answer, session) else {
        // Nothing was agreed on; without its box the link is gone, and the session with it.
        sorted.abort();
        return answer.map_or_else(|| unanswered(&hall, &text), |answer| answered(&answer));
    };
    hall.letters.add(session.clone(), mailbox);
    let (held, ended) = (Arc::clone(&hall), session.clone());
    tokio::spawn(async move {
        // Whether it went well or not, the session says no more.
        let _ = sorted.await;
        held.letters.remove(&ended);
    });
    let mut response = answered(answer);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(location) = HeaderValue::from_str(&format!("{SESSIONS_PATH}/{session}")) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// Takes one message.
pub(super) async fn message<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let (party, text) = match posted(&hall, &headers, body).await {
        Ok(posted) => posted,
        Err(response) => return *response,
    };
    let mailbox = match found(&hall, &session, party, &text) {
        Ok(mailbox) => mailbox,
        Err(response) => return *response,
    };
    match glance(&text) {
        Ok(glance) => say(&hall, &mailbox, glance, text).await,
        Err(payload) => {
            let status = status_of(code_of(&payload));
            refused(&hall, status, &text, *payload)
        }
    }
}

async fn say<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    mailbox: &Mailbox,
    glance: Glance,
    text: String,
) -> Response {
    let Glance { id, asks } = glance;
    if !asks {
        return match mailbox.speak.send(Inbound::Text(text.clone())).await {
            Ok(()) => StatusCode::ACCEPTED.into_response(),
            Err(_) => gone(hall, &text),
        };
    }
    let Some(answer) = mailbox.wait_for(&id) else {
        let payload = trouble(CoreErrorCode::DuplicateMessageId, format!("\"{id}\" waits for its answer."));
        return refused(hall, StatusCode::CONFLICT, &text, payload);
    };
    if mailbox.speak.send(Inbound::Text(text.clone())).await.is_err() {
        return gone(hall, &text);
    }
    match timeout(ANSWER_WAIT, answer).await {
        Ok(Ok(answer)) => answered(&answer),
        Ok(Err(_)) => gone(hall, &text),
        Err(_) => {
            mailbox.give_up(&id);
            unanswered(hall, &text)
        }
    }
}

/// Ends a session, as `session.terminate` does.
pub(super) async fn end<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    Path(session): Path<String>,
    headers: HeaderMap,
) -> Response {
    let party = match admitted(&hall, &headers) {
        Ok(party) => party,
        Err(response) => return *response,
    };
    let mailbox = match found(&hall, &session, party, "") {
        Ok(mailbox) => mailbox,
        Err(response) => return *response,
    };
    let (Ok(id), Ok(session)) = (MessageId::new("http_delete"), SessionId::new(session)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let text = serde_json::json!({
        "uiap": crate::session::VERSION, "kind": "request", "type": "session.terminate", "id": id,
        "sessionId": session, "ts": "1970-01-01T00:00:00.000Z", "source": {"role": "agent", "id": "http"},
        "payload": {},
    });
    say(&hall, &mailbox, Glance { id, asks: true }, text.to_string()).await
}

/// The events of a session.
pub(super) async fn events<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    Path(session): Path<String>,
    headers: HeaderMap,
) -> Response {
    let party = match admitted(&hall, &headers) {
        Ok(party) => party,
        Err(response) => return *response,
    };
    let mailbox = match found(&hall, &session, party, "") {
        Ok(mailbox) => mailbox,
        Err(response) => return *response,
    };
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let reader = mailbox.reader(last);
    let stream = unfold((hall, mailbox, reader), |(hall, mailbox, mut reader)| async move {
        let event = read(&hall, &mailbox, &mut reader).await?;
        Some((Ok::<_, Infallible>(event), (hall, mailbox, reader)))
    });
    let mut response = Sse::new(stream).into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The next event; a comment now and then, where there is none, which shows both sides that the other is there.
async fn read<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    mailbox: &Mailbox,
    reader: &mut Reader,
) -> Option<Event> {
    loop {
        let stirred = mailbox.stirred.notified();
        tokio::pin!(stirred);
        // What comes after this line is heard of.
        stirred.as_mut().enable();
        match mailbox.next(reader) {
            Next::Over => return None,
            Next::Event(outgoing) => return Some(written(&outgoing)),
            Next::Gap => {
                let message = "Some events are not known any more; look again.";
                let payload = trouble(CoreErrorCode::ResyncRequired, message);
                return hall.house.refusal("", payload).map(|outgoing| written(&outgoing));
            }
            Next::Nothing => {
                if timeout(COMMENT_AFTER, stirred).await.is_err() {
                    // A session that is too busy to hear it is alive.
                    let _ = mailbox.speak.try_send(Inbound::Alive);
                    return Some(Event::default().comment(""));
                }
            }
        }
    }
}

fn written(outgoing: &Outgoing) -> Event {
    Event::default().event("uiap").id(outgoing.id.as_str()).data(&outgoing.text)
}

/// Who posts, and what.
async fn posted<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Party, String), Box<Response>> {
    let no = |status, code, message: String| Box::new(refused(hall, status, "", trouble(code, message)));
    let party = admitted(hall, headers)?;
    let media = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if media.split(';').next().unwrap_or_default().trim() != MEDIA_TYPE {
        let message = format!("A message has the media type \"{MEDIA_TYPE}\".");
        return Err(no(StatusCode::UNSUPPORTED_MEDIA_TYPE, CoreErrorCode::MalformedMessage, message));
    }
    let too_large = || {
        let message = format!("A message has at most {INBOUND_BYTES_MAX} bytes.");
        no(StatusCode::PAYLOAD_TOO_LARGE, CoreErrorCode::MessageTooLarge, message)
    };
    // What says itself that it is too large is not waited for.
    if body.size_hint().lower() > INBOUND_BYTES_MAX as u64 {
        return Err(too_large());
    }
    let Ok(bytes) = timeout(BODY_WAIT, to_bytes(body, INBOUND_BYTES_MAX)).await else {
        let message = "The message did not arrive in time.".to_owned();
        return Err(no(StatusCode::REQUEST_TIMEOUT, CoreErrorCode::Timeout, message));
    };
    let bytes = bytes.map_err(|_| too_large())?;
    let text = String::from_utf8(bytes.into()).map_err(|_| {
        let message = "A message is a text in UTF-8.".to_owned();
        no(StatusCode::BAD_REQUEST, CoreErrorCode::MalformedMessage, message)
    })?;
    Ok((party, text))
}

fn found<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    session: &str,
    party: Party,
    text: &str,
) -> Result<Arc<Mailbox>, Box<Response>> {
    hall.letters.find(session, party).ok_or_else(|| {
        if hall.house.has_ended(session) {
            return Box::new(gone(hall, text));
        }
        let payload = trouble(CoreErrorCode::SessionNotFound, "There is no such session.");
        Box::new(refused(hall, StatusCode::NOT_FOUND, text, payload))
    })
}

fn gone<S: Surface + 'static, J: Journal + 'static>(hall: &Hall<S, J>, text: &str) -> Response {
    let payload = trouble(CoreErrorCode::SessionExpired, "The session has ended.");
    refused(hall, StatusCode::GONE, text, payload)
}

fn unanswered<S: Surface + 'static, J: Journal + 'static>(hall: &Hall<S, J>, text: &str) -> Response {
    let payload = trouble(CoreErrorCode::Timeout, "There was no answer in time; it may come as an event.");
    refused(hall, StatusCode::GATEWAY_TIMEOUT, text, payload)
}

/// As whom somebody comes in, or what turns him away.
pub(super) fn admitted<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    headers: &HeaderMap,
) -> Result<Party, Box<Response>> {
    hall.guard.admit(headers).map_err(|unwelcome| {
        let payload = trouble(unwelcome.code(), format!("{unwelcome}."));
        Box::new(refused(hall, unwelcome.status(), "", payload))
    })
}

/// The answer to what reaches no session.
pub(super) fn refused<S: Surface + 'static, J: Journal + 'static>(
    hall: &Hall<S, J>,
    status: StatusCode,
    text: &str,
    payload: ErrorPayload,
) -> Response {
    match hall.house.refusal(text, payload) {
        Some(outgoing) => (status, [(CONTENT_TYPE, MEDIA_TYPE)], outgoing.text).into_response(),
        None => status.into_response(),
    }
}

fn answered(outgoing: &Outgoing) -> Response {
    let status = outgoing.error.map_or(StatusCode::OK, |code| status_of(Some(code)));
    (status, [(CONTENT_TYPE, MEDIA_TYPE)], outgoing.text.clone()).into_response()
}

fn code_of(payload: &ErrorPayload) -> Option<CoreErrorCode> {
    match payload.code {
        uiap_protocol::core::ErrorCode::Core(code) => Some(code),
        _ => None,
    }
}

/// The status that goes with trouble. What a session refuses for its own reasons was processed all the same.
fn status_of(code: Option<CoreErrorCode>) -> StatusCode {
    match code {
        Some(CoreErrorCode::MalformedMessage | CoreErrorCode::InvalidEnvelope) => StatusCode::BAD_REQUEST,
        Some(CoreErrorCode::Unauthorized) => StatusCode::UNAUTHORIZED,
        Some(CoreErrorCode::SessionNotFound) => StatusCode::NOT_FOUND,
        Some(CoreErrorCode::DuplicateMessageId | CoreErrorCode::IdempotencyConflict) => StatusCode::CONFLICT,
        Some(CoreErrorCode::SessionExpired) => StatusCode::GONE,
        Some(CoreErrorCode::MessageTooLarge) => StatusCode::PAYLOAD_TOO_LARGE,
        Some(CoreErrorCode::InvalidPayload) => StatusCode::UNPROCESSABLE_ENTITY,
        Some(CoreErrorCode::RateLimited) => StatusCode::TOO_MANY_REQUESTS,
        Some(CoreErrorCode::InternalError) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}
