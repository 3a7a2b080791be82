//! The foreign frame's only write.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::world::App;

/// Orders something at the other origin, for whoever looks at the frame.
pub(crate) async fn order(State(app): State<Arc<App>>) -> Json<Value> {
    let mut world = app.world();
    world.effect("frame.ordered", "popcorn");
    world.settle(app.test_api, None, None);
    Json(json!({ "ordered": "popcorn" }))
}
