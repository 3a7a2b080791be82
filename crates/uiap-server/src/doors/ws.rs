//! `ws@0.1`: one text frame is one envelope.

use super::SUB_PROTOCOL;
use super::http::{admitted, refused};
use super::net::Shared;
use crate::serving::{Inbound, Link, Outbound, Visit};
use crate::session::{Farewell, Habits, INBOUND_BYTES_MAX, trouble};
use axum::extract::State;
use axum::extract::ws::{
    CloseFrame, Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{self, error::ProtocolError};
use uiap_protocol::core::CoreErrorCode;
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::Surface;

const HABITS: Habits =
    Habits { handshake_ms: Some(10_000), heartbeat_ms: Some(30_000), resume_window_ms: Some(60_000) };
/// Longest time that a peer may take to read one message.
const WRITE_WAIT: Duration = Duration::from_secs(20);
/// Longest wait for a peer to hear why its link ends.
const FAREWELL_WAIT: Duration = Duration::from_secs(2);
/// Largest frame that is read to its end, so that one that is a little too large can be answered.
const FRAME_BYTES_MAX: usize = INBOUND_BYTES_MAX * 2;
/// Room for what comes in at once, which every connection holds; most messages are smaller.
const READ_BUFFER_BYTES: usize = 4 * 1024;

pub(super) async fn open<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let party = match admitted(&hall, &headers) {
        Ok(party) => party,
        Err(response) => return *response,
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([SUB_PROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    if upgrade.selected_protocol().is_none() {
        let message = format!("The sub-protocol \"{SUB_PROTOCOL}\" is spoken here.");
        let payload = trouble(CoreErrorCode::UnsupportedVersion, message);
        return refused(&hall, StatusCode::BAD_REQUEST, "", payload);
    }
    let upgrade = upgrade
        .max_message_size(FRAME_BYTES_MAX)
        .max_frame_size(FRAME_BYTES_MAX)
        .read_buffer_size(READ_BUFFER_BYTES);
    upgrade.on_upgrade(move |socket| async move {
        let (link, speak, listen) = Link::new();
        // The session outlives this connection, which may be taken up by another one.
        tokio::spawn(hall.house.clone().enter(link, Visit { party, habits: HABITS }));
        pump(socket, speak, listen).await;
    })
}

/// Brings texts in and out until either side ends.
async fn pump(mut socket: WebSocket, speak: mpsc::Sender<Inbound>, mut listen: mpsc::Receiver<Outbound>) {
    let farewell = loop {
        tokio::select! {
            outbound = listen.recv() => match outbound {
                Some(Outbound::Message(outgoing)) => {
                    let message = Message::Text(outgoing.text.as_str().into());
                    if !matches!(timeout(WRITE_WAIT, socket.send(message)).await, Ok(Ok(()))) {
                        return;
                    }
                }
                Some(Outbound::Hang(farewell)) => break farewell,
                None => break Farewell::Normal,
            },
            message = socket.recv() => {
                let inbound = match message {
                    Some(Ok(Message::Text(text))) if text.len() <= INBOUND_BYTES_MAX => {
                        Inbound::Text(text.as_str().to_owned())
                    }
                    Some(Ok(Message::Binary(_))) => break Farewell::NotText,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Inbound::Alive,
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Ok(Message::Text(_))) => break Farewell::TooLarge,
                    Some(Err(error)) => match unreadable(error) {
                        Some(farewell) => break farewell,
                        None => return,
                    },
                };
                // If the session has another link, or none any more, it says so itself.
                let _ = speak.send(inbound).await;
            }
        }
    };
    // The session is not kept waiting for the farewell.
    drop((speak, listen));
    hang_up(socket, farewell).await;
}

/// Says why a link ends, and lets the other side hear it: a socket that is closed while something in it is unread
/// takes the last words with it.
pub(super) async fn hang_up(mut socket: WebSocket, farewell: Farewell) {
    let frame = CloseFrame { code: farewell.code(), reason: reason(farewell).into() };
    // Who is gone needs no farewell.
    if let Ok(Ok(())) = timeout(WRITE_WAIT, socket.send(Message::Close(Some(frame)))).await {
        let heard = async { while let Some(Ok(_)) = socket.recv().await {} };
        // Who does not answer the farewell has had it.
        let _ = timeout(FAREWELL_WAIT, heard).await;
    }
}

/// How a link ends over which something came that cannot be read. Nothing, if it has ended by itself.
pub(super) fn unreadable(error: axum::Error) -> Option<Farewell> {
    match error.into_inner().downcast_ref::<tungstenite::Error>() {
        // So much too large that it was not even read to its end.
        Some(tungstenite::Error::Capacity(_)) => Some(Farewell::TooLarge),
        Some(tungstenite::Error::Utf8(_)) => Some(Farewell::NotUtf8),
        Some(tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => None,
        Some(tungstenite::Error::Protocol(_)) => Some(Farewell::NotAFrame),
        _ => None,
    }
}

/// The same for people.
fn reason(farewell: Farewell) -> &'static str {
    match farewell {
        Farewell::Normal => "goodbye",
        Farewell::NotAFrame => "this is no frame",
        Farewell::NotText => "messages are texts",
        Farewell::NotUtf8 => "texts are UTF-8",
        Farewell::Rules => "the rules were broken",
        Farewell::TooLarge => "the message is too large",
        Farewell::Invalid => "nothing could be understood",
        Farewell::UnknownSession => "there is no such session",
        Farewell::Superseded => "another link has the session",
        Farewell::Expired => "the session has ended",
    }
}
