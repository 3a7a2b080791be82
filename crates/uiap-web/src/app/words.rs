//! The messages between us and a page that came by itself: envelopes of the protocol.
//!
//! What the protocol has words for travels under them (`session.initialize`, `web.state.get`, `web.state.delta`,
//! `web.signal`); what only a runtime asks of its surface are vendor messages, each answered by [`ANSWER`].

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uiap_protocol::core::{
    Body, CoreErrorCode, Envelope, ErrorCode, ErrorPayload, Exchange, Peer, PeerRole, VendorMessage,
};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::ids::{BadForm, MessageId, PeerId, SessionId, VendorName, Version};
use uiap_protocol::text::{Format, Limits, read as read_text};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::{JsonObject, accept};

/// Largest message of a page, in bytes. A page with tens of thousands of elements fits.
pub const PAGE_MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The version of the protocol that is spoken here.
pub(super) const VERSION: &str = "0.1";
/// The profile that is spoken here.
pub(super) const PROFILE: &str = "web@0.1";
/// The answer to everything that is asked under a name of ours.
const ANSWER: &str = "x.uiap.page.answer";
/// How we call ourselves.
const SOURCE: &str = "web-runtime";

/// What is asked of a page, or told to it, that the protocol has no word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Say which actions are registered.
    Offers,
    /// Say how an element is this moment.
    Facts,
    /// Do something to an element.
    Perform,
    /// Run the handler of an action.
    Invoke,
    /// Go somewhere in the application.
    Go,
    /// Let everything that changed be known.
    CatchUp,
    /// Say when the page has been shown twice.
    Rest,
    /// Read annotations that begin so.
    Annotate,
    /// Use the names that a bundle has.
    Bind,
    /// Show a person what is about to be done.
    Present,
    /// Take that away.
    Unveil,
}

impl Wish {
    fn name(self) -> &'static str {
        match self {
            Self::Offers => "x.uiap.page.offers",
            Self::Facts => "x.uiap.page.facts",
            Self::Perform => "x.uiap.page.perform",
            Self::Invoke => "x.uiap.page.invoke",
            Self::Go => "x.uiap.page.go",
            Self::CatchUp => "x.uiap.page.catch-up",
            Self::Rest => "x.uiap.page.rest",
            Self::Annotate => "x.uiap.page.annotate",
            Self::Bind => "x.uiap.page.bind",
            Self::Present => "x.uiap.page.present",
            Self::Unveil => "x.uiap.page.unveil",
        }
    }

    /// The message; `payload` is the object of a `json!`.
    pub(super) fn body(self, payload: Value) -> Result<Body, BadForm> {
        let payload = match payload {
            Value::Object(members) => members,
            _ => JsonObject::new(),
        };
        Ok(Body::Vendor(VendorMessage { name: VendorName::new(self.name())?, payload }))
    }
}

/// What an answer carries, if it is one and carries such a thing.
pub(super) fn answered<T: DeserializeOwned>(body: Body) -> Option<T> {
    match body {
        Body::Vendor(VendorMessage { name, mut payload }) if name.as_str() == ANSWER => {
            serde_json::from_value(payload.remove("value").unwrap_or(Value::Null)).ok()
        }
        _ => None,
    }
}

/// A message of a page, or the first thing that is wrong with it.
pub(super) fn read(text: &str) -> Result<Envelope, ErrorPayload> {
    let limits = Limits { bytes_max: PAGE_MESSAGE_BYTES_MAX, ..Limits::MESSAGE };
    let tree = read_text(text, Format::Json, limits).map_err(|fault| {
        let code = match fault.code {
            Code::TooLarge => CoreErrorCode::MessageTooLarge,
            _ => CoreErrorCode::MalformedMessage,
        };
        trouble(code, fault.message)
    })?;
    accept(&tree).map_err(|findings: Vec<Finding>| {
        let first = findings.first();
        let message = first.map_or("it is none", |finding| finding.message.as_str());
        let pointer = first.map_or("", |finding| finding.pointer.as_str());
        let code = if pointer.starts_with("/payload/") {
            CoreErrorCode::InvalidPayload
        } else {
            CoreErrorCode::InvalidEnvelope
        };
        let mut payload = trouble(code, message);
        payload.detail = json!({ "pointer": pointer }).as_object().cloned();
        payload
    })
}

/// The text of a message of ours.
pub(super) fn write(
    id: MessageId,
    session: Option<&SessionId>,
    exchange: Exchange,
    body: Body,
) -> Option<String> {
    let envelope = Envelope {
        uiap: Version::new(VERSION).ok()?,
        exchange,
        id,
        session_id: session.cloned(),
        ts: now()?,
        source: Peer { role: PeerRole::Bridge, id: PeerId::new(SOURCE).ok()? },
        target: None,
        body,
        ext: None,
        spelt: None,
    };
    serde_json::to_string(&envelope).ok()
}

pub(super) fn trouble(code: CoreErrorCode, message: impl Into<String>) -> ErrorPayload {
    ErrorPayload { code: ErrorCode::Core(code), message: message.into(), retryable: None, detail: None }
}

fn now() -> Option<Timestamp> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    Timestamp::from_millis(i64::try_from(since.as_millis()).ok()?).ok()
}
