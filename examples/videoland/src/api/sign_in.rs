//! Signing in and out.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::model::Account;
use crate::request::parse;
use crate::session::{Caller, set_cookie};
use crate::world::App;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    user: String,
    password: String,
}

/// Who is signed in; `null` rather than an error when nobody is, because the page asks before it knows.
pub(super) async fn session(State(app): State<Arc<App>>, headers: HeaderMap) -> Json<Value> {
    let world = app.world();
    let account = Caller::find(&headers, &world).and_then(|caller| world.accounts.get(&caller.user));
    Json(json!({ "user": account.map(describe) }))
}

pub(super) async fn login(State(app): State<Arc<App>>, body: Bytes) -> Result<impl IntoResponse, ApiError> {
    let Credentials { user, password } = parse(&body)?;
    let mut world = app.world();
    let account = world
        .accounts
        .get(&user)
        .filter(|account| account.password == password)
        .ok_or(ApiError::WrongCredentials)?;
    let answer = json!({ "user": describe(account) });
    let token = world.sessions.start(&user);
    world.effect("session.started", &user);
    world.settle(app.test_api, Some(&user), None);
    Ok(([(SET_COOKIE, set_cookie(Some(&token)))], Json(answer)))
}

pub(super) async fn logout(State(app): State<Arc<App>>, caller: Caller) -> impl IntoResponse {
    let mut world = app.world();
    world.sessions.end(&caller.token);
    world.effect("session.ended", &caller.user);
    world.settle(app.test_api, Some(&caller.user), None);
    ([(SET_COOKIE, set_cookie(None))], Json(json!({ "user": null })))
}

fn describe(account: &Account) -> Value {
    json!({
        "name": account.name,
        "displayName": account.profile.display_name,
        "role": account.role,
        "appearance": account.appearance,
    })
}
