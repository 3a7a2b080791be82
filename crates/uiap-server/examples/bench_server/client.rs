//! One connection to a server, as cheap as it can be.

use crate::frames::{Numbered, next, text};
use anyhow::{Context as _, ensure};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// Nothing takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);
const HELLO: &str = "{\"uiap\":\"0.1\",\"kind\":\"request\",\"type\":\"session.initialize\",\"id\":\"hello\",\
    \"ts\":\"2026-03-26T14:03:00.000Z\",\"source\":{\"role\":\"agent\",\"id\":\"bench\"},\"payload\":\
    {\"supportedVersions\":[\"0.1\"],\"supportedProfiles\":[\"web@0.1\"],\"peer\":{\"name\":\"bench\"}}}";

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Whether the session is there.
    Ping,
    /// The page.
    Page,
    /// An action that reads a button.
    Action,
}

/// One connection.
pub(crate) struct Client {
    stream: TcpStream,
    session: String,
    ping: Numbered,
    page: Numbered,
    action: Numbered,
    /// A frame was sent in part, so that nothing can follow it.
    stuck: bool,
}

impl Client {
    /// A connection to a server that echoes.
    pub(crate) fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect(address).context("the server does not take connections")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let head = format!(
            "GET /uiap/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: uiap.v0.1\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).context("no answer to the upgrade")?;
            answer.extend(byte);
        }
        ensure!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
        Self::on(stream, "none")
    }

    /// A session.
    pub(crate) fn begin(address: SocketAddr) -> anyhow::Result<Self> {
        let mut client = Self::open(address)?;
        client.stream.write_all(&text(HELLO))?;
        let answer: serde_json::Value = serde_json::from_slice(&client.read_one()?)?;
        let session = answer.pointer("/payload/sessionId").and_then(serde_json::Value::as_str);
        Self::on(client.stream, session.with_context(|| format!("no session: {answer}"))?)
    }

    fn on(stream: TcpStream, session: &str) -> anyhow::Result<Self> {
        let request = |kind, payload| Numbered::new(session, kind, payload).context("a request has a number");
        Ok(Self {
            stream,
            session: session.to_owned(),
            ping: request("session.ping", "{}")?,
            page: request("web.state.get", "{}")?,
            action: request(
                "action.request",
                "{\"actionId\":\"ui.read\",\"target\":{\"ref\":{\"by\":\"stableId\",\"value\":\"button.7\"}}}",
            )?,
            stuck: false,
        })
    }

    /// The payload of one frame.
    fn read_one(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            if let Some((payload, _)) = next(&bytes) {
                return bytes.get(payload).map(<[u8]>::to_vec).context("half a frame");
            }
            let mut part = [0; 4096];
            let length = self.stream.read(&mut part)?;
            ensure!(length > 0, "the server ended the connection");
            bytes.extend(part.iter().take(length));
        }
    }

    /// Follows the page from now on.
    pub(crate) fn follow(&mut self) -> anyhow::Result<()> {
        let session = &self.session;
        let message = format!(
            "{{\"uiap\":\"0.1\",\"kind\":\"request\",\"type\":\"web.state.subscribe\",\"id\":\"follow\",\"sessionId\":\"{session}\",\
             \"ts\":\"2026-03-26T14:03:00.000Z\",\"source\":{{\"role\":\"agent\",\"id\":\"bench\"}},\"payload\":{{}}}}"
        );
        self.stream.write_all(&text(&message)).context("the server does not read")
    }

    /// A second handle, to read from. From now on neither waits.
    pub(crate) fn reader(&self) -> anyhow::Result<TcpStream> {
        self.stream.set_nonblocking(true)?;
        Ok(self.stream.try_clone()?)
    }

    /// Sends a request, however long that takes.
    pub(crate) fn send(&mut self, wish: Wish, number: u64) -> anyhow::Result<()> {
        while !self.try_send(wish, number)? {
            ensure!(!self.stuck, "the server read half a frame");
            std::thread::sleep(Duration::from_micros(50));
        }
        Ok(())
    }

    /// Sends a request, unless the server does not read.
    pub(crate) fn try_send(&mut self, wish: Wish, number: u64) -> anyhow::Result<bool> {
        if self.stuck {
            return Ok(false);
        }
        let request = match wish {
            Wish::Ping => &mut self.ping,
            Wish::Page => &mut self.page,
            Wish::Action => &mut self.action,
        };
        let frame = request.numbered(number);
        match self.stream.write(frame) {
            Ok(length) => {
                self.stuck = length < frame.len();
                Ok(!self.stuck)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error).context("the server ended a connection"),
        }
    }

    /// Hangs up, also for whoever has a second handle.
    pub(crate) fn hang_up(&self) {
        // Who is gone already need not go.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Reads a few bytes, if there are any.
    pub(crate) fn sip(&mut self) {
        let mut few = [0; 256];
        // Whether there was anything does not matter.
        let _ = self.stream.read(&mut few);
    }
}
