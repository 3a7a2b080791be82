//! Messages over a WebSocket: one text each.

use super::client::{Outgoing, Shared};
use super::pipe::{Ending, MESSAGE_BYTES_MAX};
use super::tls;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{self, Message, protocol::WebSocketConfig};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Calls a browser at its `ws://` or `wss://` address.
pub(crate) async fn connect(address: &str) -> Result<Socket, tungstenite::Error> {
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_BYTES_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_MAX));
    // Orders are small and somebody waits for each of them.
    let no_delay = true;
    let encrypted = address.starts_with("wss://");
    let connector = if encrypted { Connector::Rustls(tls::trusted()?) } else { Connector::Plain };
    let connected = connect_async_tls_with_config(address, Some(limits), no_delay, Some(connector)).await;
    connected.map(|(socket, _)| socket)
}

/// Writes orders until there are none any more or nobody reads them.
pub(super) async fn write(mut orders: SplitSink<Socket, Message>, mut outgoing: Outgoing) {
    while let Some(message) = outgoing.recv().await {
        if orders.send(Message::text(message)).await.is_err() {
            return;
        }
    }
}

/// Reads messages until the browser hangs up.
pub(super) async fn read(mut answers: SplitStream<Socket>, shared: Arc<Shared>) {
    let ending = Ending(shared);
    while let Some(Ok(message)) = answers.next().await {
        if message.is_text() || message.is_binary() {
            ending.0.receive(&mut message.into_data().into());
        }
    }
}
