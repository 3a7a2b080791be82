//! What really happened, for tests: exists only with the test API.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::unknown;
use crate::world::App;

#[derive(Deserialize)]
struct ResetQuery {
    /// `drop` signs everybody out as well.
    #[serde(default)]
    sessions: String,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/writes", get(writes))
        .route("/ledger", get(ledger))
        .route("/reset", post(reset))
        .fallback(unknown)
}

async fn writes(State(app): State<Arc<App>>) -> Json<Value> {
    Json(app.world().writes.to_json("writes"))
}

async fn ledger(State(app): State<Arc<App>>) -> Json<Value> {
    Json(app.world().ledger.to_json("effects"))
}

async fn reset(
    State(app): State<Arc<App>>,
    Query(ResetQuery { sessions }): Query<ResetQuery>,
) -> Json<Value> {
    app.reset(sessions == "drop");
    Json(json!({ "reset": true }))
}
