//! What travels: calls, answers and events.

use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A conversation with one target over the common connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// As the browser spells it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SessionId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The browser ended or closed the connection.
    #[error("the browser is gone")]
    BrowserGone,
    /// The page, frame or worker that was asked ended.
    #[error("the page is gone")]
    SessionGone,
    /// No answer in time.
    #[error("the browser did not answer {method} in time")]
    Deadline {
        /// The call.
        method: &'static str,
    },
    /// The browser says no.
    #[error("the browser refused {method}: {message}")]
    Refused {
        /// The call.
        method: &'static str,
        /// The browser's number for the reason.
        code: i64,
        /// The browser's words for the reason.
        message: String,
    },
    /// The answer is not what the protocol promises.
    #[error("the browser's answer to {method} cannot be understood")]
    Malformed {
        /// The call.
        method: &'static str,
    },
    /// The answer is larger than the limit.
    #[error("the browser's answer to {method} is larger than {limit} bytes")]
    TooLarge {
        /// The call.
        method: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Too many calls are under way.
    #[error("{limit} calls to the browser are under way already")]
    Busy {
        /// The limit.
        limit: usize,
    },
}

/// A subscriber was too slow and missed events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{missed} events were missed")]
pub struct Lagged {
    /// How many.
    pub missed: u64,
}

/// Something the browser tells of its own accord.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whose event it is; none for the browser itself.
    pub session: Option<SessionId>,
    /// Its name, such as `Page.frameNavigated`.
    pub method: String,
    params: Option<Box<RawValue>>,
}

impl Event {
    pub(super) fn new(session: Option<SessionId>, method: String, params: Option<&RawValue>) -> Self {
        Self { session, method, params: params.map(RawValue::to_owned) }
    }

    /// Its contents, if they have the shape that is asked for.
    pub fn params<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.params.as_ref().map_or("{}", |raw| raw.get())).ok()
    }
}

/// An order to the browser.
#[derive(Serialize)]
pub(super) struct Call<'a, P> {
    pub(super) id: u64,
    pub(super) method: &'static str,
    pub(super) params: P,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<&'a SessionId>,
}

/// What of an incoming message says who it is for.
#[derive(Deserialize)]
pub(super) struct Envelope<'a> {
    pub(super) id: Option<u64>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(rename = "sessionId", borrow)]
    pub(super) session: Option<Cow<'a, str>>,
}

/// An answer as its caller reads it.
#[derive(Deserialize)]
#[serde(bound = "R: DeserializeOwned")]
pub(super) struct Answer<R> {
    result: Option<R>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: Text,
}

impl<R: DeserializeOwned> Answer<R> {
    pub(super) fn read(message: &[u8], method: &'static str) -> Result<R, CallError> {
        match serde_json::from_slice(message) {
            Ok(Self { error: Some(Refusal { code, message }), .. }) => {
                Err(CallError::Refused { method, code, message: message.0 })
            }
            Ok(Self { result: Some(result), .. }) => Ok(result),
            Ok(_) | Err(_) => Err(CallError::Malformed { method }),
        }
    }
}

/// A text of a page. A page can put half a surrogate pair into it, which JSON carries and UTF-8 does not: it is
/// replaced, never a reason to refuse the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lossy;
        impl Visitor<'_> for Lossy {
            type Value = Text;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Text, E> {
                Ok(Text(
                    String::from_utf8(bytes)
                        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
                ))
            }
        }
        deserializer.deserialize_byte_buf(Lossy)
    }
}
