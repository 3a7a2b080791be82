//! What a session says.

use super::reading::{Fault, Heading, read};
use super::terms::{INBOUND_BYTES_MAX, Terms, VERSION};
use super::{Moment, Outgoing, Session};
use std::collections::BTreeMap;
use uiap_protocol::core::{Body, CoreErrorCode, Envelope, ErrorCode, ErrorPayload, Exchange, Peer, PeerRole};
use uiap_protocol::ids::{MessageId, SessionId, Version};
use uiap_protocol::text::Limits;
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;

/// What begins the ids of our messages.
const OWN_IDS: &str = "uiap_";

/// What extensions add to a message.
pub(super) type Ext = BTreeMap<String, JsonObject>;

impl Session {
    /// Answers a request.
    pub(super) fn respond(&mut self, request: &MessageId, body: Body, spelt_old: bool) {
        let exchange = Exchange::Response { correlation_id: request.clone() };
        self.say(exchange, body, None, spelt_old);
    }

    /// Answers a request with trouble.
    pub(super) fn refuse(&mut self, request: &MessageId, payload: ErrorPayload) {
        self.respond(request, Body::Error(payload), false);
    }

    /// Tells something that nobody asked for.
    pub(super) fn tell(&mut self, body: Body) {
        self.say(Exchange::Event { correlation_id: None }, body, None, false);
    }

    /// Tells something of the policy extension, under either of its ids.
    pub(super) fn tell_spelt(&mut self, body: Body, spelt_old: bool) {
        self.say(Exchange::Event { correlation_id: None }, body, None, spelt_old);
    }

    /// Tells something with what only the receiver shall have.
    pub(super) fn tell_with(&mut self, body: Body, ext: Ext) {
        self.say(Exchange::Event { correlation_id: None }, body, Some(ext), false);
    }

    /// Tells trouble that answers nothing, or a message that waits for no answer.
    pub(super) fn tell_error(&mut self, about: Option<MessageId>, payload: ErrorPayload) {
        self.say(Exchange::Event { correlation_id: about }, Body::Error(payload), None, false);
    }

    /// Answers a message that is not taken.
    pub(super) fn fault(&mut self, heading: &Heading, fault: Fault) {
        let payload = payload_of(fault);
        match &heading.id {
            Some(id) if heading.asks => self.refuse(&id.clone(), payload),
            id => self.tell_error(id.clone(), payload),
        }
    }

    fn say(&mut self, exchange: Exchange, body: Body, ext: Option<Ext>, spelt_old: bool) {
        if let Some(outgoing) = self.written(exchange, body, ext, spelt_old) {
            self.outbox.push(outgoing);
        }
    }

    /// Answers before everything that waits.
    pub(super) fn respond_first(&mut self, request: &MessageId, body: Body) {
        let exchange = Exchange::Response { correlation_id: request.clone() };
        if let Some(outgoing) = self.written(exchange, body, None, false) {
            self.outbox.push_first(outgoing);
        }
    }

    fn written(
        &mut self,
        exchange: Exchange,
        body: Body,
        ext: Option<Ext>,
        spelt_old: bool,
    ) -> Option<Outgoing> {
        let id = self.next_id()?;
        let session_id = self.agreed.as_ref().map(|_| self.id.clone());
        let spelt = spelt_old.then(|| body.message_type().replacen("uiap.", "uicp.", 1));
        write(&self.terms, self.now, Parts { id, session_id, exchange, body, ext, spelt })
    }

    /// An id that neither side has used.
    fn next_id(&mut self) -> Option<MessageId> {
        loop {
            let id = MessageId::new(format!("{OWN_IDS}{}", self.next)).ok()?;
            self.next = self.next.checked_add(1)?;
            if !self.seen.contains(&id) {
                return Some(id);
            }
        }
    }

    /// Whether an id is one that we have used.
    pub(super) fn is_own_id(&self, id: &MessageId) -> bool {
        let number = id.as_str().strip_prefix(OWN_IDS).and_then(|number| number.parse::<u64>().ok());
        number.is_some_and(|number| number < self.next)
    }
}

struct Parts {
    id: MessageId,
    session_id: Option<SessionId>,
    exchange: Exchange,
    body: Body,
    ext: Option<Ext>,
    spelt: Option<String>,
}

fn write(terms: &Terms, now: Moment, parts: Parts) -> Option<Outgoing> {
    let Parts { id, session_id, exchange, body, ext, spelt } = parts;
    let answers = match &exchange {
        Exchange::Response { correlation_id } => Some(correlation_id.clone()),
        Exchange::Request | Exchange::Event { .. } => None,
    };
    let error = match &body {
        Body::Error(ErrorPayload { code: ErrorCode::Core(code), .. }) => Some(*code),
        _ => None,
    };
    let envelope = Envelope {
        uiap: Version::new(VERSION).ok()?,
        exchange,
        id: id.clone(),
        session_id: session_id.clone(),
        ts: timestamp(now)?,
        source: Peer { role: PeerRole::Bridge, id: terms.source.clone() },
        target: None,
        body,
        ext,
        spelt,
    };
    // A message of ours is always JSON; what is not could not be said.
    let text = serde_json::to_string(&envelope).ok()?;
    Some(Outgoing { id, answers, session: session_id, error, text })
}

pub(super) fn timestamp(now: Moment) -> Option<Timestamp> {
    Timestamp::from_millis(i64::try_from(now.wall).ok()?).ok()
}

/// The answer of a door to a text that reaches no session. `number` makes its id.
pub fn refusal(
    terms: &Terms,
    now: Moment,
    number: u64,
    text: &str,
    payload: ErrorPayload,
) -> Option<Outgoing> {
    let limits = Limits { bytes_max: INBOUND_BYTES_MAX, ..Limits::MESSAGE };
    let heading = match read(text, limits) {
        Ok(message) => message.heading,
        Err(unsound) => unsound.heading,
    };
    let exchange = match heading.id {
        Some(correlation_id) if heading.asks => Exchange::Response { correlation_id },
        correlation_id => Exchange::Event { correlation_id },
    };
    let id = MessageId::new(format!("{OWN_IDS}door_{number}")).ok()?;
    write(
        terms,
        now,
        Parts { id, session_id: None, exchange, body: Body::Error(payload), ext: None, spelt: None },
    )
}

/// What a door has to know of a message before it passes it on.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// Which message.
    pub id: MessageId,
    /// It waits for a response.
    pub asks: bool,
}

/// Looks at the envelope of a text; trouble, if there is none.
pub fn glance(text: &str) -> Result<Glance, Box<ErrorPayload>> {
    let limits = Limits { bytes_max: INBOUND_BYTES_MAX, ..Limits::MESSAGE };
    let unsound = |fault| Box::new(payload_of(fault));
    let heading = read(text, limits).map_err(|unread| unsound(unread.fault))?.heading;
    let Heading { id: Some(id), asks, .. } = heading else {
        return Err(unsound(Fault::new(CoreErrorCode::InvalidEnvelope, "The message has no \"id\".")));
    };
    Ok(Glance { id, asks })
}

/// Trouble of the core, in a sentence.
pub(crate) fn error(code: CoreErrorCode, message: impl Into<String>) -> ErrorPayload {
    let retryable = matches!(code, CoreErrorCode::RateLimited | CoreErrorCode::Timeout);
    ErrorPayload {
        code: ErrorCode::Core(code),
        message: message.into(),
        retryable: Some(retryable),
        detail: None,
    }
}

fn payload_of(fault: Fault) -> ErrorPayload {
    let mut payload = error(fault.code, fault.message);
    payload.detail = fault.pointer.map(|pointer| {
        let mut detail = JsonObject::new();
        detail.insert("pointer".to_owned(), pointer.into());
        detail
    });
    payload
}
