//! A tiny site on the loopback interface, for tests of this crate and of those above it.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::rustls::ServerConfig;

/// At any free port.
const ANYWHERE: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));

/// What a path answers.
#[derive(Clone)]
pub(crate) enum Reply {
    Page(String),
    Status(u16, &'static str),
    Redirect(&'static str),
    /// Begins with this and never ends.
    Endless(&'static str),
    /// Accepts the connection and says nothing.
    Silent,
    Header(&'static str, &'static str),
    Script(&'static str),
    /// Of this kind.
    Typed(&'static str, &'static str),
}

/// A site whose answers are given by a function of the request (first line and headers).
pub(crate) struct Site {
    pub(crate) port: u16,
    scheme: &'static str,
    task: tokio::task::JoinHandle<()>,
}

impl Site {
    pub(crate) async fn start(answer: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(None, ANYWHERE, answer).await
    }

    /// The same at an address that is the caller's.
    pub(crate) async fn start_at(
        address: SocketAddr,
        answer: impl Fn(&str, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::listen(None, address, answer).await
    }

    /// The same over encrypted connections.
    pub(crate) async fn start_encrypted(
        config: Arc<ServerConfig>,
        answer: impl Fn(&str, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::listen(Some(tokio_rustls::TlsAcceptor::from(config)), ANYWHERE, answer).await
    }

    async fn listen(
        encryption: Option<tokio_rustls::TlsAcceptor>,
        address: SocketAddr,
        answer: impl Fn(&str, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let scheme = if encryption.is_some() { "https" } else { "http" };
        let answer = Arc::new(answer);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answer, encryption) = (Arc::clone(&answer), encryption.clone());
                tokio::spawn(async move {
                    match encryption {
                        None => serve(stream, &*answer).await,
                        Some(encryption) => serve(encryption.accept(stream).await.ok()?, &*answer).await,
                    }
                });
            }
        });
        Self { port, scheme, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://127.0.0.1:{}{path}", self.scheme, self.port)
    }

    /// The same site under a name that is another site to the browser.
    pub(crate) fn other_url(&self, path: &str) -> String {
        format!("{}://localhost:{}{path}", self.scheme, self.port)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &(dyn Fn(&str, &str) -> Reply + Send + Sync),
) -> Option<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        request.extend_from_slice(&chunk[..count]);
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1)?;
    let answered = |status: &str, kind: &str, header: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n{header}\r\n{body}"
        )
    };
    let page = |status: &str, header: &str, body: &str| answered(status, "text/html", header, body);
    let text = match answer(path, &request) {
        Reply::Page(body) => page("200 OK", "", &body),
        Reply::Status(status, body) => page(&format!("{status} Status"), "", body),
        Reply::Redirect(to) => page("302 Found", &format!("Location: {to}\r\n"), ""),
        Reply::Script(body) => answered("200 OK", "text/javascript", "", body),
        Reply::Typed(kind, body) => answered("200 OK", kind, "", body),
        Reply::Header(header, body) => page("200 OK", &format!("{header}\r\n"), body),
        Reply::Endless(body) => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
            stream.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
            return std::future::pending().await;
        }
        Reply::Silent => return std::future::pending().await,
    };
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}
