//! What can go wrong with a message.

use crate::action::RuntimeErrorCode;
use crate::ids::VendorName;
use crate::wire::{Book, Decoder, JsonObject, Shape, Wire, decode_words};
use serde::{Serialize, Serializer};

/// What can go wrong before an action is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum CoreErrorCode {
    MalformedMessage,
    InvalidEnvelope,
    InvalidPayload,
    MessageTooLarge,
    DuplicateMessageId,
    UnknownMessageType,
    UnexpectedMessage,
    UnsupportedVersion,
    UnsupportedProfile,
    UnsupportedExtension,
    RequiredExtensionMissing,
    SessionNotFound,
    SessionNotActive,
    SessionAlreadyInitialized,
    SessionExpired,
    Unauthorized,
    Forbidden,
    PolicyDenied,
    HandoffRequired,
    RateLimited,
    Timeout,
    ResyncRequired,
    IdempotencyConflict,
    NotFound,
    InternalError,
}

/// A code of the core, of the runtime or of a vendor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// Of the core.
    Core(CoreErrorCode),
    /// Of the runtime.
    Runtime(RuntimeErrorCode),
    /// Of a vendor.
    Vendor(VendorName),
}

impl ErrorCode {
    /// The code as a word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Core(code) => code.as_str(),
            Self::Runtime(code) => code.as_str(),
            Self::Vendor(name) => name.as_str(),
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        CoreErrorCode::from_word(word)
            .map(Self::Core)
            .or_else(|| RuntimeErrorCode::from_word(word).map(Self::Runtime))
            .or_else(|| VendorName::new(word).ok().map(Self::Vendor))
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Wire for ErrorCode {
    fn shape(book: &mut Book) -> Shape {
        let core = CoreErrorCode::shape(book);
        let runtime = RuntimeErrorCode::shape(book);
        Shape::Either(vec![core, runtime, Shape::Words { words: &[], vendor: true }])
    }

    fn decode<'t>(node: &'t crate::text::Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let known: Vec<&str> = CoreErrorCode::WORDS.iter().chain(RuntimeErrorCode::WORDS).copied().collect();
        decode_words(node, decoder, &known, Self::from_word)
    }
}

/// `error`: the answer to a request that cannot be met.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CORE-55")]
pub struct ErrorPayload {
    /// What kind of trouble.
    pub code: ErrorCode,
    /// In a sentence.
    pub message: String,
    /// Trying again may help.
    pub retryable: Option<bool>,
    /// For machines.
    pub detail: Option<JsonObject>,
}
