//! One message.

use super::messages::{Body, MESSAGES, MessageInfo, MessageKind, canonical};
use crate::finding::Code;
use crate::ids::{ExtensionId, MessageId, PeerId, SessionId, VendorName, Version};
use crate::text::Node;
use crate::time::Timestamp;
use crate::wire::{
    Book, Decoder, JsonObject, MemberShape, Members, Object, ObjectShape, Shape, Wire, decode_object, nearest,
};
use serde::ser::SerializeMap;
use std::collections::BTreeMap;

/// What a peer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CORE-50", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum PeerRole {
    Agent,
    Bridge,
    App,
    User,
    Observer,
    System,
}

/// Who sent a message, or who shall get it.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "PeerRef", requirement = "CORE-50")]
pub struct Peer {
    /// What they are.
    pub role: PeerRole,
    /// Who they are.
    pub id: PeerId,
}

/// What part a message plays. A response cannot be without the request it answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Exchange {
    /// Asks.
    Request,
    /// Answers this request.
    Response {
        /// The request.
        correlation_id: MessageId,
    },
    /// Tells; may name the request it belongs to (finding A22).
    Event {
        /// The request.
        correlation_id: Option<MessageId>,
    },
}

impl Exchange {
    /// The word on the wire.
    pub fn kind(&self) -> MessageKind {
        match self {
            Self::Request => MessageKind::Request,
            Self::Response { .. } => MessageKind::Response,
            Self::Event { .. } => MessageKind::Event,
        }
    }

    fn correlation_id(&self) -> Option<&MessageId> {
        match self {
            Self::Request => None,
            Self::Response { correlation_id } => Some(correlation_id),
            Self::Event { correlation_id } => correlation_id.as_ref(),
        }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The version of the protocol.
    pub uiap: Version,
    /// What part it plays.
    pub exchange: Exchange,
    /// Which message.
    pub id: MessageId,
    /// In which session.
    pub session_id: Option<SessionId>,
    /// When it was sent.
    pub ts: Timestamp,
    /// By whom.
    pub source: Peer,
    /// To whom.
    pub target: Option<Peer>,
    /// What it says.
    pub body: Body,
    /// What extensions add.
    pub ext: Option<BTreeMap<String, JsonObject>>,
    /// The type as it was spelt, where that is not the canonical spelling.
    pub spelt: Option<String>,
}

const MEMBERS: [&str; 11] =
    ["uiap", "kind", "type", "id", "correlationId", "sessionId", "ts", "source", "target", "payload", "ext"];

impl Envelope {
    /// The type as it stands on the wire.
    pub fn message_type(&self) -> &str {
        self.spelt.as_deref().unwrap_or_else(|| self.body.message_type())
    }
}

/// The schema of messages of one type.
pub(crate) fn shape_of(info: &MessageInfo, book: &mut Book) -> Shape {
    let mut object = ObjectShape::default();
    describe(book, &mut object);
    let payload = (info.shape)(book);
    for member in &mut object.members {
        match member.name {
            "type" => member.shape = Shape::Exactly(info.name.into()),
            "payload" => member.shape = payload.clone(),
            "kind" => member.shape = kinds_shape(info),
            "correlationId"
                if !info.kinds.allow(MessageKind::Response) && !info.kinds.allow(MessageKind::Event) =>
            {
                member.shape = Shape::Never;
            }
            "correlationId" => {
                member.required =
                    !info.kinds.allow(MessageKind::Event) && !info.kinds.allow(MessageKind::Request);
            }
            "sessionId" => member.required = needs_session(info.name),
            _ => {}
        }
    }
    Shape::Object(object)
}

fn kinds_shape(info: &MessageInfo) -> Shape {
    let all = [MessageKind::Request, MessageKind::Response, MessageKind::Event];
    let words =
        all.iter().filter(|kind| info.kinds.allow(**kind)).map(|kind| Shape::Exactly(kind.as_str().into()));
    // Tolerated on input, never written.
    let tolerated = (info.name == "error").then(|| Shape::Exactly("error".into()));
    Shape::Either(words.chain(tolerated).collect())
}

/// Whether messages of a type belong to a session: all but the first, and errors that may come before it.
fn needs_session(message_type: &str) -> bool {
    !matches!(message_type, "session.initialize" | "error")
}

fn describe(book: &mut Book, object: &mut ObjectShape) {
    let mut member = |name, doc, required, shape| {
        object.members.push(MemberShape { name, doc, required, shape });
    };
    member("uiap", "The version of the protocol.", true, Version::shape(book));
    member("kind", "What part the message plays.", true, MessageKind::shape(book));
    member(
        "type",
        "What it says.",
        true,
        Shape::Text { length_min: 1, length_max: Some(128), pattern: None },
    );
    member("id", "Which message.", true, MessageId::shape(book));
    member("correlationId", "The request it belongs to.", false, MessageId::shape(book));
    member("sessionId", "In which session.", false, SessionId::shape(book));
    member("ts", "When it was sent.", true, Timestamp::shape(book));
    member("source", "By whom.", true, Peer::shape(book));
    member("target", "To whom.", false, Peer::shape(book));
    member("payload", "What it carries.", true, JsonObject::shape(book));
    member("ext", "What extensions add.", false, BTreeMap::<String, JsonObject>::shape(book));
}

impl Wire for Envelope {
    fn shape(book: &mut Book) -> Shape {
        book.enter::<Self>("UIAPEnvelope", "One message.", |book| {
            let mut object = ObjectShape::default();
            describe(book, &mut object);
            Shape::Object(object)
        })
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_object(node, decoder, Some("CORE-28"))
    }
}

impl Members for Envelope {
    fn describe(book: &mut Book, object: &mut ObjectShape) {
        describe(book, object);
    }

    fn names(names: &mut Vec<&'static str>) {
        names.extend(MEMBERS);
    }

    fn take<'t>(object: &mut Object<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let uiap = object.required("uiap", None, decoder);
        let message_type = object.required::<String>("type", None, decoder);
        let correlation_id = object.optional("correlationId", None, decoder);
        let answers = matches!(correlation_id, Some(Some(_)));
        let kind = take_kind(object, message_type.as_deref(), answers, decoder);
        let id = object.required("id", None, decoder);
        let session_id = object.optional("sessionId", None, decoder);
        let ts = object.required("ts", None, decoder);
        let source = object.required("source", None, decoder);
        let target = object.optional("target", None, decoder);
        let payload = object.required_node("payload", decoder);
        let ext = object.optional::<BTreeMap<String, JsonObject>>("ext", None, decoder);

        let info = message_type.as_deref().and_then(|name| find_type(name, decoder));
        let body = match (&message_type, payload) {
            (Some(name), Some(payload)) if info.is_some() => decoder.under(Some("CORE-29"), |decoder| {
                decoder.at("payload", |decoder| Body::decode_as(&canonical(name), payload, decoder))
            }),
            _ => None,
        };
        let exchange = kind.zip(correlation_id).and_then(|(kind, id)| take_exchange(kind, id, decoder));
        if let (Some(Some(info)), Some(exchange)) = (info, &exchange) {
            check_kind(info, exchange.kind(), decoder);
        }
        if let (Some(name), Some(None)) = (&message_type, &session_id)
            && needs_session(name)
        {
            let message =
                format!("A message of type \"{name}\" belongs to a session; \"sessionId\" is missing.");
            decoder.error_with_help(Code::MissingMember, message, "Add \"sessionId\".");
        }
        check_extensions(ext.as_ref().and_then(Option::as_ref), decoder);
        let message_type = message_type?;
        let spelt = (canonical(&message_type) != message_type).then_some(message_type);
        Some(Self {
            uiap: uiap?,
            exchange: exchange?,
            id: id?,
            session_id: session_id?,
            ts: ts?,
            source: source?,
            target: target?,
            body: body?,
            ext: ext?,
            spelt,
        })
    }

    fn put<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("uiap", &self.uiap)?;
        map.serialize_entry("kind", &self.exchange.kind())?;
        map.serialize_entry("type", self.message_type())?;
        map.serialize_entry("id", &self.id)?;
        if let Some(id) = self.exchange.correlation_id() {
            map.serialize_entry("correlationId", id)?;
        }
        if let Some(id) = &self.session_id {
            map.serialize_entry("sessionId", id)?;
        }
        map.serialize_entry("ts", &self.ts)?;
        map.serialize_entry("source", &self.source)?;
        if let Some(target) = &self.target {
            map.serialize_entry("target", target)?;
        }
        map.serialize_entry("payload", &self.body)?;
        if let Some(ext) = &self.ext {
            map.serialize_entry("ext", ext)?;
        }
        Ok(())
    }
}

impl serde::Serialize for Envelope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.put(&mut map)?;
        map.end()
    }
}

/// The entry of a type; `Some(None)` for a vendor's type, which has none.
#[expect(clippy::option_option, reason = "unknown, a vendor's and ours are three cases")]
fn find_type(name: &str, decoder: &mut Decoder<'_>) -> Option<Option<&'static MessageInfo>> {
    let canonical = canonical(name);
    if let Some(info) = MESSAGES.iter().find(|info| info.name == canonical) {
        return Some(Some(info));
    }
    if VendorName::is_legal(name) {
        return Some(None);
    }
    let near = nearest(name, MESSAGES.iter().map(|info| info.name), 3);
    let help = if near.is_empty() {
        "`uiap schema` lists the message types.".to_owned()
    } else {
        format!("Nearest known types: {}.", near.join(", "))
    };
    let shown: String = name.chars().take(80).collect();
    let message = format!("\"{shown}\" is not a known message type.");
    decoder.under(Some("CORE-36"), |decoder| {
        decoder.at("type", |decoder| decoder.error_with_help(Code::UnknownWord, message, help));
    });
    None
}

/// The kind; an error sent as kind "error" is tolerated and taken for what it is.
fn take_kind<'t>(
    object: &mut Object<'t>,
    message_type: Option<&str>,
    answers: bool,
    decoder: &mut Decoder<'t>,
) -> Option<MessageKind> {
    let spelt = object.peek("kind").and_then(Node::as_text);
    if message_type == Some("error") && spelt == Some("error") {
        object.required_node("kind", decoder);
        return Some(if answers { MessageKind::Response } else { MessageKind::Event });
    }
    object.required("kind", None, decoder)
}

fn take_exchange(
    kind: MessageKind,
    correlation_id: Option<MessageId>,
    decoder: &mut Decoder<'_>,
) -> Option<Exchange> {
    match (kind, correlation_id) {
        (MessageKind::Request, None) => Some(Exchange::Request),
        (MessageKind::Response, Some(correlation_id)) => Some(Exchange::Response { correlation_id }),
        (MessageKind::Event, correlation_id) => Some(Exchange::Event { correlation_id }),
        (MessageKind::Request, Some(_)) => {
            let message = "A request answers nothing, so it has no \"correlationId\".".to_owned();
            let help = Some("Remove it, or send a response.".to_owned());
            decoder.at("correlationId", |decoder| decoder.error_on_key(Code::ForeignMember, message, help));
            None
        }
        (MessageKind::Response, None) => {
            let message = "A response must name the request it answers in \"correlationId\".";
            decoder.error_with_help(Code::MissingMember, message, "Add \"correlationId\".");
            None
        }
    }
}

fn check_kind(info: &MessageInfo, kind: MessageKind, decoder: &mut Decoder<'_>) {
    if !info.kinds.allow(kind) {
        let message = format!("\"{}\" is never sent as a {kind}.", info.name);
        decoder.at("kind", |decoder| decoder.error(Code::WrongMessageKind, message));
    }
}

fn check_extensions(ext: Option<&BTreeMap<String, JsonObject>>, decoder: &mut Decoder<'_>) {
    for name in ext.into_iter().flat_map(BTreeMap::keys) {
        if let Err(error) = ExtensionId::new(name.as_str()) {
            decoder.under(Some("CORE-35"), |decoder| {
                decoder.at("ext", |decoder| decoder.error(Code::BadForm, error.sentence()));
            });
        }
    }
}
