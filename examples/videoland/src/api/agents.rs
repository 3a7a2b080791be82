//! Tickets with which the page lets agents take part, fetched from `uiap serve` by us and never by the page.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::server::Agents;
use crate::world::App;

/// Longest wait for a ticket.
const TICKET_WAIT: Duration = Duration::from_secs(5);
/// Largest answer that is read, in bytes.
const ANSWER_BYTES_MAX: u64 = 16 * 1024;

/// Where the page connects, and the ticket that lets it in once.
pub(super) async fn ticket(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let agents = app.agents().ok_or(ApiError::NotFound)?;
    let ticket = timeout(TICKET_WAIT, fetch(agents)).await.ok().flatten().ok_or(ApiError::Unreachable)?;
    Ok(Json(json!({ "url": format!("ws://{}/uiap/app", agents.address), "ticket": ticket })))
}

async fn fetch(agents: &Agents) -> Option<String> {
    let mut stream = TcpStream::connect(agents.address).await.ok()?;
    let authorization = agents.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n"));
    let request = format!(
        "POST /uiap/tickets HTTP/1.1\r\nHost: {}\r\n{}Content-Length: 0\r\nConnection: close\r\n\r\n",
        agents.address,
        authorization.unwrap_or_default()
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer).await.ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let is_fine = head.split_whitespace().nth(1) == Some("200");
    let body: Value = serde_json::from_str(body).ok().filter(|_| is_fine)?;
    body.get("ticket")?.as_str().map(str::to_owned)
}
