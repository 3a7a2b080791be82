//! What came of an invocation.

use crate::cdp::CallError;
use crate::input::Interruption;

/// Whether an invocation reached the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Invoked {
    /// The application was not asked.
    None(Uninvoked),
    /// It was asked and came to its end.
    Delivered(Returned),
    /// It was asked, and nobody knows how far it got.
    Unknown(Interruption),
}

/// Why an application was not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uninvoked {
    /// The page does not offer it, or not any more.
    #[error("the page does not offer this action")]
    Unregistered,
    /// The handler ran, and says that it did nothing.
    #[error("the application says that it did nothing")]
    Idle,
    /// The document was replaced before it could be asked.
    #[error("the page was replaced by another one")]
    Replaced,
    /// The arguments cannot be written.
    #[error("the arguments cannot be written as JSON")]
    Arguments,
    /// The browser did not play along.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// What an application returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Returned {
    /// Nothing.
    Nothing,
    /// This, which only the application vouches for.
    Value(serde_json::Value),
    /// More than is taken.
    TooLong,
    /// Something that is not JSON.
    Unreadable,
}

impl Returned {
    /// From the JSON text of a value.
    pub(super) fn read(json: &str) -> Self {
        match json.len() {
            ..=RETURN_BYTES_MAX => serde_json::from_str(json).map_or(Self::Unreadable, Self::Value),
            _ => Self::TooLong,
        }
    }
}

/// Longest return value, in bytes.
const RETURN_BYTES_MAX: usize = 1024 * 1024;
