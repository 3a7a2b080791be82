//! A server, the tokens of everybody, and Videoland where it is wanted.

use crate::app::peer::Peer;
use crate::shared::listening::Listening;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use videoland::{Agents, Options, Server};

/// Nothing in these tests takes this long unless it is broken.
pub(crate) const WAIT: Duration = Duration::from_mins(1);
pub(crate) const AGENT: &str = "the-token-of-the-agent";
pub(crate) const PERSON: &str = "the-token-of-the-person";
pub(crate) const APP: &str = "the-token-of-the-application";

/// A running `uiap serve`, ended with the value.
pub(crate) struct Stage {
    server: Option<Listening>,
    folder: PathBuf,
    pub(crate) address: SocketAddr,
    pub(crate) origin: String,
}

impl Stage {
    /// A server for pages of an origin.
    pub(crate) fn start(name: &str, origin: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-app-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--app-origin", origin]);
        let tokens = [("--token-file", AGENT), ("--person-token-file", PERSON), ("--app-token-file", APP)];
        for (flag, token) in tokens {
            let path = folder.join(flag);
            std::fs::write(&path, token).expect("a file");
            command.arg(flag).arg(path);
        }
        command.env("XDG_STATE_HOME", &folder);
        let server = Listening::open(command);
        let address = server.at.parse().expect("an address");
        Self { server: Some(server), folder, address, origin: origin.to_owned() }
    }

    pub(crate) async fn agent(&self) -> Peer {
        Peer::begin(self.address, AGENT).await
    }

    pub(crate) async fn person(&self) -> Peer {
        Peer::begin(self.address, PERSON).await
    }

    /// What whoever asks for a ticket with these headers gets: the status and the answer.
    pub(crate) async fn ask_for_ticket(&self, headers: &str) -> (u16, Value) {
        let text = http(self.address, "POST", "/uiap/tickets", headers).await;
        let status = text.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.expect("a status"), serde_json::from_str(body).unwrap_or_default())
    }

    /// A ticket for the application.
    pub(crate) async fn ticket(&self) -> String {
        let (status, body) = self.ask_for_ticket(&format!("Authorization: Bearer {APP}\r\n")).await;
        assert_eq!(status, 200, "{body}");
        body["ticket"].as_str().expect("a ticket").to_owned()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        drop(self.server.take());
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Videoland, and a server that it invites to its pages.
pub(crate) async fn videoland(name: &str) -> (Server, Stage) {
    let server =
        Server::start(Options { test_api: true, ..Options::default() }).await.expect("Videoland starts");
    let stage = Stage::start(name, &server.origin());
    server.invite(Agents { address: stage.address, token: Some(APP.to_owned()) });
    (server, stage)
}

/// What Videoland really did, by kind.
pub(crate) async fn effects(server: &Server, kind: &str) -> usize {
    let text = http(server.address(), "GET", "/__test/ledger", "").await;
    let body = text.split_once("\r\n\r\n").expect("a body").1;
    let ledger: Value = serde_json::from_str(body).expect("JSON");
    ledger["effects"].as_array().expect("effects").iter().filter(|effect| effect["kind"] == kind).count()
}

async fn http(address: SocketAddr, method: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it connects");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("an answer");
    text
}
