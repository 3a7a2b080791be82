//! What the dashboard, the status region and the search read.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::{Status, Video};
use crate::session::Caller;
use crate::world::App;

const SEARCH_RESULTS_MAX: usize = 8;
const RECENT_VIDEOS_MAX: usize = 5;
/// Views of the last twelve weeks, in hundreds.
const WEEKS: [u32; 12] = [31, 36, 34, 42, 47, 44, 52, 49, 58, 63, 61, 72];

#[derive(Deserialize)]
pub(super) struct SearchQuery {
    #[serde(default)]
    q: String,
}

/// What the page must know before anybody signs in.
pub(super) async fn config(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "frameOrigin": app.frame_origin }))
}

pub(super) async fn dashboard(State(app): State<Arc<App>>, _caller: Caller) -> Json<Value> {
    let world = app.world();
    let count = |status| world.videos.values().filter(|video| video.status == status).count();
    let recent: Vec<&Video> = world.videos.values().rev().take(RECENT_VIDEOS_MAX).collect();
    Json(json!({
        "published": count(Status::Published),
        "drafts": count(Status::Draft),
        "inReview": count(Status::Review),
        "members": world.members.len(),
        "views": world.videos.values().map(|video| video.views).sum::<u32>(),
        "weeks": WEEKS,
        "recent": recent,
    }))
}

/// Something new at every read, and nothing random: the page polls it.
pub(super) async fn status(State(app): State<Arc<App>>, _caller: Caller) -> Json<Value> {
    let mut world = app.world();
    world.status_reads = world.status_reads.wrapping_add(1);
    let reads = world.status_reads;
    Json(json!({ "watching": 40 + (reads % 60) * 17 % 60, "encoding": reads % 4 }))
}

pub(super) async fn search(
    State(app): State<Arc<App>>,
    _caller: Caller,
    Query(SearchQuery { q }): Query<SearchQuery>,
) -> Json<Value> {
    let wanted = q.trim().to_lowercase();
    let world = app.world();
    let videos: Vec<Value> = world
        .videos
        .values()
        .filter(|video| !wanted.is_empty() && video.title.to_lowercase().contains(&wanted))
        .take(SEARCH_RESULTS_MAX)
        .map(|video| json!({ "id": video.id, "title": video.title }))
        .collect();
    Json(json!({ "videos": videos }))
}
