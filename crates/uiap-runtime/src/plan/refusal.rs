//! Why a request is not accepted.

use serde_json::Value;
use uiap_protocol::action::RuntimeErrorCode;
use uiap_protocol::core::{CoreErrorCode, ErrorCode, ErrorPayload};
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::wire::{JsonObject, nearest};

/// Why a request is not accepted. Nothing has happened, and nothing will.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of trouble.
    pub code: ErrorCode,
    /// What is wrong, and what would be right.
    pub message: String,
    /// For machines. Never holds a value of the request, which may be a secret.
    pub detail: JsonObject,
    /// Where its trace is kept.
    pub trace: Option<ActionHandle>,
}

impl From<Refusal> for ErrorPayload {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message, mut detail, trace } = refusal;
        if let Some(trace) = trace {
            detail.insert("trace".to_owned(), trace.as_str().into());
        }
        Self { code, message, retryable: Some(false), detail: (!detail.is_empty()).then_some(detail) }
    }
}

impl Refusal {
    pub(super) fn runtime(code: RuntimeErrorCode, message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::Runtime(code),
            message: message.into(),
            detail: JsonObject::new(),
            trace: None,
        }
    }

    /// The request is wrong in itself (finding A6: before acceptance that is a matter of the core).
    pub(super) fn payload(message: impl Into<String>) -> Self {
        let code = ErrorCode::Core(CoreErrorCode::InvalidPayload);
        Self { code, message: message.into(), detail: JsonObject::new(), trace: None }
    }

    /// Something is wrong with one argument.
    pub(super) fn argument(action: &ActionId, name: &str, what: impl AsRef<str>) -> Self {
        let message = format!("The argument \"{name}\" of \"{action}\" {}.", what.as_ref());
        Self::payload(message).with("argument", name)
    }

    /// An argument that there is not.
    pub(super) fn unknown_argument(action: &ActionId, name: &str, known: &[&str]) -> Self {
        let near = nearest(name, known.iter().copied(), 1);
        let shown: String = name.chars().take(NAME_CHARS_MAX).collect();
        let meant = near.first().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
        let takes = match known {
            [] => "It takes no arguments.".to_owned(),
            known => format!("It takes {}.", known.join(", ")),
        };
        let message = format!("\"{action}\" has no argument \"{shown}\".{meant} {takes}");
        Self::payload(message).with("argument", shown).with("allowed", known.to_vec()).with("nearest", near)
    }

    /// Adds something for machines.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }
}

/// Longest name of a request that is repeated.
const NAME_CHARS_MAX: usize = 64;
