//! The team: inviting, changing roles, removing.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::videos::checked_email;
use crate::error::ApiError;
use crate::model::{Member, Role};
use crate::request::{Change, Nothing, Reply, parse_id};
use crate::session::Caller;
use crate::world::App;

const MEMBERS_MAX: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Invitation {
    email: String,
    role: Role,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleChange {
    role: Role,
}

pub(super) async fn list(State(app): State<Arc<App>>, _caller: Caller) -> Json<Value> {
    let world = app.world();
    Json(json!({ "members": world.members.values().collect::<Vec<_>>() }))
}

/// Would send mail; here the ledger is the mailbox.
pub(super) async fn invite(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Admin, |world, _, Invitation { email, role }| {
        let email = checked_email(&email)?;
        if world.members.values().any(|member| member.email == email) {
            return Err(ApiError::field("email", "taken"));
        }
        if world.members.len() >= MEMBERS_MAX {
            return Err(ApiError::Full { limit: MEMBERS_MAX });
        }
        let id = world.take_id();
        let member = Member { id, name: email.clone(), email: email.clone(), role, invited: true };
        let answer = json!({ "member": member });
        world.members.insert(id, member);
        world.effect("member.invited", id);
        world.effect("mail.sent", format!("invitation to {email}"));
        Ok(Reply::created(answer))
    })
}

pub(super) async fn change_role(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, RoleChange { role }| {
        let member = world.members.get_mut(&id).ok_or(ApiError::NotFound)?;
        member.role = role;
        let answer = json!({ "member": member });
        world.effect("member.updated", id);
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn remove(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, Nothing {}| {
        world.members.remove(&id).ok_or(ApiError::NotFound)?;
        world.effect("member.removed", id);
        Ok(Reply::ok(json!({ "id": id })))
    })
}
