//! Commands over a WebSocket: effects that no recorded write shows.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use crate::api::lab;
use crate::error::ApiError;
use crate::router::is_same_origin;
use crate::session::Caller;
use crate::world::App;

const MESSAGE_BYTES_MAX: usize = 4 * 1024;

/// Opens the line. A browser lets any page open a WebSocket to any server, so the origin is checked here too.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    if !is_same_origin(&headers) {
        return Err(ApiError::ForeignOrigin);
    }
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |line| listen(line, app, caller)))
}

/// Every text is a command; the line ends with the first failure.
async fn listen(mut line: WebSocket, app: Arc<App>, caller: Caller) {
    while let Some(Ok(message)) = line.recv().await {
        let Message::Text(command) = message else { continue };
        let answer = obey(&app, &caller, command.as_str());
        if line.send(Message::text(answer.to_string())).await.is_err() {
            return;
        }
    }
}

fn obey(app: &App, caller: &Caller, command: &str) -> Value {
    let mut world = app.world();
    match lab::count(&mut world, "socket", json!(command)) {
        Ok(answer) => {
            world.settle(app.test_api, Some(&caller.user), None);
            answer
        }
        Err(refusal) => json!({ "error": refusal.code() }),
    }
}
