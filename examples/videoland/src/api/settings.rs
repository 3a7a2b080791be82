//! Settings: profile, appearance, password, tokens, billing.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::videos::{checked_email, checked_text};
use crate::error::ApiError;
use crate::model::{Account, Appearance, Plan, Profile, Role, Token};
use crate::request::{Change, Nothing, Reply, parse_id};
use crate::session::{Caller, random_token};
use crate::world::{App, World};

const TOKENS_MAX: usize = 50;
const NAME_CHARS_MAX: usize = 80;
const PASSWORD_CHARS_MIN: usize = 8;
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 12..=19;
const HINT_CHARS: usize = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    current: String,
    new: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewToken {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanChange {
    plan: Plan,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Card {
    holder: String,
    number: String,
}

pub(super) async fn all(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Value>, ApiError> {
    let world = app.world();
    let account = world.accounts.get(&caller.user).ok_or(ApiError::NotFound)?;
    let admin = caller.role == Role::Admin;
    Ok(Json(json!({
        "profile": account.profile,
        "appearance": account.appearance,
        "tokens": world.tokens.values().filter(|_| admin).collect::<Vec<_>>(),
        "billing": admin.then_some(&world.billing),
    })))
}

pub(super) async fn profile(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Viewer, |world, caller, profile: Profile| {
        let display_name = checked_name("displayName", &profile.display_name)?;
        let email = checked_email(&profile.email)?;
        let about = checked_text("about", &profile.about)?;
        let account = own_account(world, caller)?;
        account.profile = Profile { display_name, email, about };
        let answer = json!({ "profile": account.profile });
        world.effect("profile.updated", &caller.user);
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn appearance(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Viewer, |world, caller, appearance: Appearance| {
        let answer = json!({ "appearance": appearance });
        own_account(world, caller)?.appearance = appearance;
        world.effect("appearance.updated", &caller.user);
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn password(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Viewer, |world, caller, PasswordChange { current, new }| {
        let account = own_account(world, caller)?;
        if account.password != current {
            return Err(ApiError::field("current", "wrong"));
        }
        if new.chars().count() < PASSWORD_CHARS_MIN {
            return Err(ApiError::field("new", "too_short"));
        }
        account.password = new;
        world.effect("password.changed", &caller.user);
        Ok(Reply::ok(json!({})))
    })
}

/// The secret is in this answer and nowhere else.
pub(super) async fn create_token(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Admin, |world, _, NewToken { name }| {
        let name = checked_name("name", &name)?;
        if world.tokens.len() >= TOKENS_MAX {
            return Err(ApiError::Full { limit: TOKENS_MAX });
        }
        let secret = format!("vl_{}", random_token());
        let id = world.take_id();
        let token = Token { id, name, hint: format!("…{}", last_chars(&secret)) };
        let answer = json!({ "token": token, "secret": secret });
        world.tokens.insert(id, token);
        world.effect("token.created", id);
        Ok(Reply::created(answer))
    })
}

pub(super) async fn revoke_token(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, Nothing {}| {
        world.tokens.remove(&id).ok_or(ApiError::NotFound)?;
        world.effect("token.revoked", id);
        Ok(Reply::ok(json!({ "id": id })))
    })
}

pub(super) async fn plan(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Admin, |world, _, PlanChange { plan }| {
        world.billing.plan = plan;
        let answer = json!({ "billing": world.billing });
        world.effect("plan.changed", "workspace");
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn card(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Admin, |world, _, Card { holder, number }| {
        let digits: String = number.chars().filter(|character| !character.is_whitespace()).collect();
        if !CARD_DIGITS.contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ApiError::field("number", "format"));
        }
        world.billing.card_holder = checked_name("holder", &holder)?;
        world.billing.card_hint = last_chars(&digits);
        let answer = json!({ "billing": world.billing });
        world.effect("card.changed", "workspace");
        Ok(Reply::ok(answer))
    })
}

fn own_account<'w>(world: &'w mut World, caller: &Caller) -> Result<&'w mut Account, ApiError> {
    world.accounts.get_mut(&caller.user).ok_or(ApiError::NotFound)
}

fn checked_name(field: &'static str, name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(ApiError::field(field, "required")),
        1..=NAME_CHARS_MAX => Ok(name.to_owned()),
        _ => Err(ApiError::field(field, "too_long")),
    }
}

fn last_chars(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(HINT_CHARS);
    text.chars().skip(skipped).collect()
}
