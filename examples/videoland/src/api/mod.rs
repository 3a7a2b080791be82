//! The JSON API, one file per subject.

mod agents;
pub(crate) mod frame;
mod lab;
mod overview;
mod settings;
mod sign_in;
mod socket;
mod team;
pub(crate) mod test;
mod videos;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, patch, post, put};

use crate::error::ApiError;
use crate::world::App;

/// Everything below `/api`.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/session", get(sign_in::session))
        .route("/login", post(sign_in::login))
        .route("/logout", post(sign_in::logout))
        .route("/agents/ticket", post(agents::ticket))
        .route("/config", get(overview::config))
        .route("/dashboard", get(overview::dashboard))
        .route("/status", get(overview::status))
        .route("/search", get(overview::search))
        .route("/videos", get(videos::list).post(videos::create))
        .route("/videos/{id}", get(videos::one).patch(videos::edit).delete(videos::delete))
        .route("/videos/{id}/restore", post(videos::restore))
        .route("/videos/{id}/duplicate", post(videos::duplicate))
        .route("/videos/{id}/publish", post(videos::publish))
        .route("/videos/{id}/share", post(videos::share))
        .route("/videos/{id}/comments", post(videos::comment))
        .route("/team", get(team::list))
        .route("/team/invitations", post(team::invite))
        .route("/team/{id}", patch(team::change_role).delete(team::remove))
        .route("/settings", get(settings::all))
        .route("/settings/profile", put(settings::profile))
        .route("/settings/appearance", put(settings::appearance))
        .route("/settings/password", put(settings::password))
        .route("/settings/tokens", post(settings::create_token))
        .route("/settings/tokens/{id}", delete(settings::revoke_token))
        .route("/settings/billing/plan", put(settings::plan))
        .route("/settings/billing/card", put(settings::card))
        .route("/lab", get(lab::all))
        .route("/lab/modules", get(lab::modules))
        .route("/lab/content", get(lab::content))
        .route("/lab/effects/{hazard}", post(lab::effect))
        .route("/lab/refusals/{hazard}", post(lab::refuse))
        .route("/lab/links/{hazard}", get(lab::follow))
        .route("/lab/graphql", post(lab::graphql))
        .route("/lab/socket", get(socket::open))
        .fallback(unknown)
        .method_not_allowed_fallback(method_not_allowed)
}

/// The answer of every address that does not exist.
pub(crate) async fn unknown() -> ApiError {
    ApiError::NotFound
}

async fn method_not_allowed() -> ApiError {
    ApiError::MethodNotAllowed
}
