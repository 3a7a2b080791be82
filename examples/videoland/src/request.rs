//! The one way in for everything that changes something.
//!
//! [`Change`] is the extractor of every writing handler; [`Change::apply`] checks the role, answers a repeated
//! idempotency key with the first reply, runs the change under the lock and settles its effects. All of that happens
//! under one lock, so that two equal requests at the same moment cannot both be the first.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;

use crate::error::ApiError;
use crate::model::Role;
use crate::session::Caller;
use crate::world::{App, KeptReply, World};

/// Bytes a request body may have.
pub(crate) const BODY_BYTES_MAX: usize = 64 * 1024;
const KEY_BYTES_MAX: usize = 200;

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    body: Value,
}

impl Reply {
    pub(crate) fn ok(body: Value) -> Self {
        Self { status: StatusCode::OK, body }
    }

    pub(crate) fn created(body: Value) -> Self {
        Self { status: StatusCode::CREATED, body }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// The body of a request that needs none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// A request that wants to change something, by somebody who is signed in.
pub(crate) struct Change {
    app: Arc<App>,
    caller: Caller,
    key: Option<String>,
    /// Method and path.
    target: String,
    body: Bytes,
}

impl FromRequest<Arc<App>> for Change {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let caller = Caller::find(request.headers(), &app.world()).ok_or(ApiError::SignInRequired)?;
        let key = request
            .headers()
            .get("idempotency-key")
            .and_then(|value| value.to_str().ok())
            .filter(|key| !key.is_empty() && key.len() <= KEY_BYTES_MAX)
            .map(str::to_owned);
        let target = format!("{} {}", request.method(), request.uri().path());
        let body = Bytes::from_request(request, app)
            .await
            .map_err(|_| ApiError::TooLarge { limit: BODY_BYTES_MAX })?;
        Ok(Self { app: Arc::clone(app), caller, key, target, body })
    }
}

impl Change {
    /// Runs `change` once, for somebody with at least `role`.
    pub(crate) fn apply<T: DeserializeOwned>(
        self,
        role: Role,
        change: impl FnOnce(&mut World, &Caller, T) -> Result<Reply, ApiError>,
    ) -> Result<Reply, ApiError> {
        let Self { app, caller, key, target, body } = self;
        caller.require(role)?;
        let mut world = app.world();
        // Keys of different people must not meet.
        let kept_under = key.as_ref().map(|key| format!("{}/{key}", caller.user));
        let request = format!("{target} {}", String::from_utf8_lossy(&body));
        if let Some(first) = kept_under.as_deref().and_then(|key| world.replies.get(key)) {
            return repeat(first, &request);
        }
        let reply = change(&mut world, &caller, parse(&body)?)?;
        world.settle(app.test_api, Some(&caller.user), key.as_deref());
        if let Some(key) = kept_under {
            let kept = KeptReply { request, status: reply.status.as_u16(), body: reply.body.clone() };
            world.replies.keep(key, kept);
        }
        Ok(reply)
    }
}

fn repeat(first: &KeptReply, request: &str) -> Result<Reply, ApiError> {
    if first.request != request {
        return Err(ApiError::KeyReused);
    }
    let status = StatusCode::from_u16(first.status).unwrap_or(StatusCode::OK);
    Ok(Reply { status, body: first.body.clone() })
}

/// Reads JSON; an empty body counts as `{}`.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let text = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(text).map_err(|error| match error.classify() {
        Category::Data => ApiError::BadShape(error.to_string()),
        Category::Io | Category::Syntax | Category::Eof => ApiError::BadJson(error.to_string()),
    })
}

/// Reads the number in a path; whatever is no number names nothing.
pub(crate) fn parse_id(text: &str) -> Result<u32, ApiError> {
    text.parse().map_err(|_| ApiError::NotFound)
}
