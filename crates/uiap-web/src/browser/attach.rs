//! Finds the way to a browser that is running already.

use crate::cdp::CallError;
use serde::Deserialize;
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;

/// A browser says in less than this where it can be spoken to.
const DIRECTIONS_BYTES_MAX: u64 = 64 * 1024;

/// Why a running browser cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The address is not of a known kind.
    #[error("\"{address}\" is not the address of a browser; it begins with http:// or ws://")]
    Address {
        /// The address.
        address: String,
    },
    /// Nobody is there.
    #[error("no browser can be reached at \"{address}\"")]
    Unreachable {
        /// The address.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// Somebody else is there.
    #[error("whoever answers at \"{address}\" is not a browser with remote debugging")]
    Stranger {
        /// The address.
        address: String,
    },
    /// The browser does not take the call.
    #[error("the browser at \"{address}\" does not take the call")]
    Declined {
        /// The address.
        address: String,
        /// Why.
        source: Box<tungstenite::Error>,
    },
    /// It takes too long.
    #[error("the browser at \"{address}\" did not answer in time")]
    Deadline {
        /// The address.
        address: String,
    },
    /// The browser is there and does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// The `ws://` address of the browser at an `http://` or `ws://` address.
pub(super) async fn directions(address: &str) -> Result<String, AttachError> {
    if address.starts_with("ws://") {
        return Ok(address.to_owned());
    }
    let host = address.strip_prefix("http://").map(|rest| rest.split('/').next().unwrap_or_default());
    let Some(host) = host.filter(|host| !host.is_empty() && !host.contains(char::is_whitespace)) else {
        return Err(AttachError::Address { address: address.to_owned() });
    };
    let answer =
        ask(host).await.map_err(|source| AttachError::Unreachable { address: address.to_owned(), source })?;
    told(&answer).ok_or_else(|| AttachError::Stranger { address: address.to_owned() })
}

/// One request, by hand: it is the only one this crate ever makes.
async fn ask(host: &str) -> io::Result<Vec<u8>> {
    let with_port = if has_port(host) { host.to_owned() } else { format!("{host}:80") };
    let mut stream = TcpStream::connect(with_port).await?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut limited = stream.take(DIRECTIONS_BYTES_MAX);
    // The browser may keep the line open: what counts is that the answer is complete.
    while told(&answer).is_none() && limited.read_buf(&mut answer).await? > 0 {}
    Ok(answer)
}

fn has_port(host: &str) -> bool {
    host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
}

fn told(answer: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Directions {
        web_socket_debugger_url: String,
    }
    let end = answer.windows(4).position(|end| end == b"\r\n\r\n")?;
    let body = answer.get(end + 4..)?;
    let directions: Directions = serde_json::from_slice(body).ok()?;
    Some(directions.web_socket_debugger_url).filter(|url| url.starts_with("ws://"))
}
