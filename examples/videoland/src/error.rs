//! What the API answers when it does not do what was asked.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal. Its meaning on the wire is decided in [`ApiError::status`] and [`ApiError::code`] alone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("sign in first")]
    SignInRequired,
    #[error("name or password is wrong")]
    WrongCredentials,
    #[error("your role does not allow this")]
    Forbidden,
    #[error("the request comes from another origin")]
    ForeignOrigin,
    #[error("there is no such thing here")]
    NotFound,
    #[error("this address does not accept that method")]
    MethodNotAllowed,
    #[error("the body is not JSON: {0}")]
    BadJson(String),
    #[error("the body does not have the expected shape: {0}")]
    BadShape(String),
    /// Field name and what is wrong with it, as a word the page translates.
    #[error("some fields are not valid")]
    Invalid(BTreeMap<&'static str, &'static str>),
    #[error("the body is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("{0}")]
    Conflict(&'static str),
    #[error("this idempotency key was used for a different request")]
    KeyReused,
    #[error("the sample application holds no more than {limit} of these")]
    Full { limit: usize },
    #[error("the runtime of the agents does not answer")]
    Unreachable,
}

impl ApiError {
    /// One invalid field.
    pub(crate) fn field(name: &'static str, problem: &'static str) -> Self {
        Self::Invalid(BTreeMap::from([(name, problem)]))
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::SignInRequired | Self::WrongCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BadJson(_) => StatusCode::BAD_REQUEST,
            Self::BadShape(_) | Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Conflict(_) | Self::KeyReused => StatusCode::CONFLICT,
            Self::Full { .. } => StatusCode::INSUFFICIENT_STORAGE,
            Self::Unreachable => StatusCode::BAD_GATEWAY,
        }
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::SignInRequired => "sign_in_required",
            Self::WrongCredentials => "wrong_credentials",
            Self::Forbidden => "forbidden",
            Self::ForeignOrigin => "foreign_origin",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::BadJson(_) => "bad_json",
            Self::BadShape(_) => "bad_shape",
            Self::Invalid(_) => "invalid",
            Self::TooLarge { .. } => "too_large",
            Self::Conflict(_) => "conflict",
            Self::KeyReused => "key_reused",
            Self::Full { .. } => "full",
            Self::Unreachable => "unreachable",
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code(), "message": self.to_string() });
        if let (Self::Invalid(fields), Some(members)) = (&self, error.as_object_mut()) {
            members.insert("fields".to_owned(), json!(fields));
        }
        (self.status(), Json(json!({ "error": error }))).into_response()
    }
}
