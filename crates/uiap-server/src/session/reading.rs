//! From a text to a message, or to the first thing that is wrong with it.
//!
//! Start at [`read`]. What can be said without knowing the session is said here: JSON, object, members of the
//! envelope. Version, session, type and payload come after, in this order, and are the business of the session.

use uiap_protocol::core::{CoreErrorCode, Envelope, MessageKind};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::ids::{MessageId, SessionId};
use uiap_protocol::text::{Format, Limits, Node, Value, read as read_text};
use uiap_protocol::wire::accept;

/// What answers a message that is not taken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) code: CoreErrorCode,
    pub(crate) message: String,
    /// Where in the message, as a JSON pointer, where that can be said.
    pub(crate) pointer: Option<String>,
}

impl Fault {
    pub(crate) fn new(code: CoreErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), pointer: None }
    }

    fn of(code: CoreErrorCode, finding: &Finding) -> Self {
        let help = finding.help.as_deref().map(|help| format!(" {help}")).unwrap_or_default();
        let message = format!("{}{help}", finding.message);
        Self { code, message, pointer: Some(finding.pointer.clone()) }
    }
}

/// What a message says about itself, whether or not the rest of it is sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heading {
    pub(crate) id: Option<MessageId>,
    /// Nothing else is answered with a response.
    pub(crate) asks: bool,
    pub(crate) version: String,
    pub(crate) session_id: Option<SessionId>,
    pub(crate) message_type: String,
}

/// A message whose envelope is sound.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) heading: Heading,
    /// The whole of it, or what is wrong with its type or its payload.
    pub(crate) whole: Result<Box<Envelope>, Fault>,
}

/// A text that is no message.
#[derive(Debug)]
pub(crate) struct Unsound {
    pub(crate) heading: Heading,
    pub(crate) fault: Fault,
}

/// Reads a text.
pub(crate) fn read(text: &str, limits: Limits) -> Result<Message, Box<Unsound>> {
    let unsound = |heading, fault| Box::new(Unsound { heading, fault });
    let node = read_text(text, Format::Json, limits).map_err(|fault| {
        let code = match fault.code {
            Code::TooLarge => CoreErrorCode::MessageTooLarge,
            _ => CoreErrorCode::MalformedMessage,
        };
        unsound(Heading::default(), Fault::new(code, fault.message))
    })?;
    if !matches!(node.value, Value::Object(_)) {
        let message = format!("A message is a JSON object, not {}.", node.what());
        return Err(unsound(Heading::default(), Fault::new(CoreErrorCode::MalformedMessage, message)));
    }
    let heading = Heading::of(&node);
    let findings = match accept::<Envelope>(&node) {
        Ok(envelope) => return Ok(Message { heading, whole: Ok(Box::new(envelope)) }),
        Err(findings) => findings,
    };
    let place = |finding: &&Finding| Place::of(finding);
    if let Some(finding) = findings.iter().find(|finding| place(finding) == Place::Envelope) {
        return Err(unsound(heading, Fault::of(CoreErrorCode::InvalidEnvelope, finding)));
    }
    let fault = match findings.iter().min_by_key(place) {
        Some(finding) if Place::of(finding) == Place::Type => {
            Fault::of(CoreErrorCode::UnknownMessageType, finding)
        }
        Some(finding) => Fault::of(CoreErrorCode::InvalidPayload, finding),
        None => Fault::new(CoreErrorCode::InvalidEnvelope, "The message cannot be understood."),
    };
    Ok(Message { heading, whole: Err(fault) })
}

/// The session that a text wants to go on with, if it is such a text.
pub fn resumes(text: &str) -> Option<SessionId> {
    let node = read_text(text, Format::Json, Limits::MESSAGE).ok()?;
    if node.member("type")?.as_text()? != "session.initialize" {
        return None;
    }
    let resume = node.member("payload")?.member("resume")?;
    SessionId::new(resume.member("sessionId")?.as_text()?).ok()
}

/// Which part of a message a finding is about, in the order in which the parts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Envelope,
    Type,
    Payload,
}

impl Place {
    fn of(finding: &Finding) -> Self {
        if finding.pointer == "/payload" && finding.code == Code::WrongType {
            return Self::Envelope;
        }
        if finding.pointer.starts_with("/payload") {
            return Self::Payload;
        }
        let is_type = finding.pointer == "/type" && finding.code == Code::UnknownWord;
        if is_type { Self::Type } else { Self::Envelope }
    }
}

impl Heading {
    fn of(node: &Node<'_>) -> Self {
        let text = |name: &str| node.member(name).and_then(Node::as_text);
        let kind = text("kind").and_then(MessageKind::from_word);
        Self {
            id: text("id").and_then(|id| MessageId::new(id).ok()),
            // Who does not say what it is may wait for an answer.
            asks: kind.is_none_or(|kind| kind == MessageKind::Request),
            version: text("uiap").unwrap_or_default().to_owned(),
            session_id: text("sessionId").and_then(|id| SessionId::new(id).ok()),
            message_type: text("type").unwrap_or_default().to_owned(),
        }
    }
}
