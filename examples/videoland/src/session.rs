//! Who is signed in: a random token in a cookie, a user name behind it.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use axum::http::request::Parts;

use crate::error::ApiError;
use crate::model::Role;
use crate::world::{App, World};

const COOKIE_NAME: &str = "videoland_session";
/// Sign-ins kept at once; the oldest is signed out first.
const SESSIONS_MAX: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Sessions {
    users: BTreeMap<String, String>,
    order: VecDeque<String>,
}

impl Sessions {
    /// Signs `user` in and returns the new token.
    pub(crate) fn start(&mut self, user: &str) -> String {
        if self.order.len() == SESSIONS_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.users.remove(&oldest);
        }
        let token = random_token();
        self.order.push_back(token.clone());
        self.users.insert(token.clone(), user.to_owned());
        token
    }

    pub(crate) fn end(&mut self, token: &str) {
        self.users.remove(token);
        self.order.retain(|kept| kept != token);
    }
}

/// The signed-in person behind a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) user: String,
    pub(crate) role: Role,
    pub(crate) token: String,
}

impl Caller {
    /// Reads the cookie; `None` when nobody is signed in.
    pub(crate) fn find(headers: &HeaderMap, world: &World) -> Option<Self> {
        let token = cookie(headers)?;
        let user = world.sessions.users.get(token)?;
        let account = world.accounts.get(user)?;
        Some(Self { user: user.clone(), role: account.role, token: token.to_owned() })
    }

    /// Refuses whoever has less than `role`.
    pub(crate) fn require(&self, role: Role) -> Result<(), ApiError> {
        if self.role >= role { Ok(()) } else { Err(ApiError::Forbidden) }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        Self::find(&parts.headers, &app.world()).ok_or(ApiError::SignInRequired)
    }
}

/// The `Set-Cookie` value that signs in with `token`, or out without one.
pub(crate) fn set_cookie(token: Option<&str>) -> String {
    match token {
        Some(token) => format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax"),
        None => format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"),
    }
}

/// 128 bits nobody can guess: hashes under keys the operating system drew at random.
pub(crate) fn random_token() -> String {
    let half = || RandomState::new().hash_one("videoland");
    format!("{:016x}{:016x}", half(), half())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}
