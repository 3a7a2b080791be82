//! Finds the way to a browser that is running already.

use crate::cdp::{self, CallError};
use serde::Deserialize;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;

/// A browser says in less than this where it can be spoken to.
const DIRECTIONS_BYTES_MAX: u64 = 64 * 1024;

/// Why a running browser cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The address is not of a known kind.
    #[error(
        "\"{address}\" is not the address of a browser; it begins with http://, https://, ws:// or wss://"
    )]
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

/// Where a browser says how it can be spoken to.
#[derive(Debug, PartialEq, Eq)]
struct Desk<'a> {
    encrypted: bool,
    /// With its port, if one is given.
    authority: &'a str,
    /// What the address carries after `?`: pools of browsers want a token there.
    query: &'a str,
}

impl<'a> Desk<'a> {
    fn of(address: &'a str) -> Option<Self> {
        let (scheme, rest) = address.split_once("://")?;
        let encrypted = match scheme {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let authority = place.split('/').next().unwrap_or_default();
        let is_clean = |text: &str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
        let is_host = !authority.is_empty() && !authority.contains('@');
        (is_host && is_clean(authority) && is_clean(query)).then_some(Self { encrypted, authority, query })
    }

    /// The host alone, as it is written in a certificate.
    fn host(&self) -> &'a str {
        let host = self.port().map_or(self.authority, |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn port(&self) -> Option<(&'a str, u16)> {
        let (host, port) = self.authority.rsplit_once(':')?;
        port.parse().ok().map(|port| (host, port))
    }

    fn request(&self) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        let authority = self.authority;
        format!("GET /json/version{query} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n")
    }
}

/// The `ws://` or `wss://` address of the browser at any address we take.
pub(super) async fn directions(address: &str) -> Result<String, AttachError> {
    if is_socket(address) {
        return Ok(address.to_owned());
    }
    let desk = Desk::of(address).ok_or_else(|| AttachError::Address { address: address.to_owned() })?;
    let answer = ask(&desk)
        .await
        .map_err(|source| AttachError::Unreachable { address: address.to_owned(), source })?;
    let told = told(&answer).ok_or_else(|| AttachError::Stranger { address: address.to_owned() })?;
    Ok(if desk.encrypted { encrypted(told) } else { told })
}

/// Chromium behind a proxy does not know that it is spoken to in secret, and answers with `ws://`. What was asked in
/// secret is not continued in the open.
fn encrypted(socket: String) -> String {
    socket.strip_prefix("ws://").map(|rest| format!("wss://{rest}")).unwrap_or(socket)
}

fn is_socket(address: &str) -> bool {
    address.starts_with("ws://") || address.starts_with("wss://")
}

async fn ask(desk: &Desk<'_>) -> io::Result<Vec<u8>> {
    let usual = if desk.encrypted { 443 } else { 80 };
    let port = desk.port().map_or(usual, |(_, port)| port);
    let stream = TcpStream::connect((desk.host(), port)).await?;
    let request = desk.request();
    if desk.encrypted {
        return exchange(cdp::encrypt(stream, desk.host()).await?, &request).await;
    }
    exchange(stream, &request).await
}

/// One request, by hand: it is the only one this crate ever makes.
async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> io::Result<Vec<u8>> {
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut limited = stream.take(DIRECTIONS_BYTES_MAX);
    // The browser may keep the line open: what counts is that the answer is complete.
    while told(&answer).is_none() && limited.read_buf(&mut answer).await? > 0 {}
    Ok(answer)
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
    Some(directions.web_socket_debugger_url).filter(|url| is_socket(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(address: &str) -> String {
        Desk::of(address).map_or_else(
            || "no desk".to_owned(),
            |desk| {
                let line = desk.request().lines().next().unwrap_or_default().to_owned();
                format!("{} {:?} {line}", desk.host(), desk.port().map(|(_, port)| port))
            },
        )
    }

    #[test]
    fn an_address_says_whom_to_ask_and_how() {
        assert_eq!(asked("http://127.0.0.1:9222"), "127.0.0.1 Some(9222) GET /json/version HTTP/1.1");
        assert_eq!(asked("http://[::1]:9222/"), "::1 Some(9222) GET /json/version HTTP/1.1");
        assert_eq!(asked("https://pool.test/x?token=1"), "pool.test None GET /json/version?token=1 HTTP/1.1");
        for bad in
            ["http://", "ftp://x", "x", "http:///path", "http://a b", "http://u:p@x", "http://x?a\r\nb"]
        {
            assert_eq!(asked(bad), "no desk", "{bad}");
        }
    }
}
