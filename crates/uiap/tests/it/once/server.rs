//! The counting server: the only witness of what really happened.

use super::servers;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The button on every page.
pub(crate) const BUTTON: &str = "Count";
/// Longest head of a request.
const HEAD_BYTES_MAX: usize = 64 * 1024;

/// How a press reaches the server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Page {
    /// By a script; the page stays.
    Script,
    /// By a form that leads to another page.
    Form,
}

/// What is known of one run.
#[derive(Debug, Default)]
pub(crate) struct Run {
    count: Mutex<u32>,
    /// It was counted.
    pub(crate) counted: Notify,
}

impl Run {
    pub(crate) fn count(&self) -> u32 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.counted.notify_one();
    }
}

/// How often what happened.
#[derive(Clone, Debug)]
pub(crate) struct Ledger(HashMap<String, u32>);

impl Ledger {
    pub(crate) fn count(&self, line: &str) -> u32 {
        self.0.get(line).copied().unwrap_or_default()
    }
}

/// The server, with a count per run.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    port: u16,
    runs: Arc<Mutex<HashMap<String, Arc<Run>>>>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = Self { port, runs: Arc::default() };
        let own = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.serve(stream).await });
            }
        });
        server
    }

    /// The address of the page of a run; the server takes its time to answer a press.
    pub(crate) fn page(&self, run: u64, page: Page, lag: Duration) -> String {
        let kind = match page {
            Page::Script => "script",
            Page::Form => "form",
        };
        format!("http://127.0.0.1:{}/{kind}/{run}/{}", self.port, lag.as_millis())
    }

    /// The address of the page of a lane, with a button for each of its actions.
    pub(crate) fn lane(&self, lane: u64, actions: u64) -> String {
        format!("http://127.0.0.1:{}/lane/{lane}/{actions}", self.port)
    }

    /// Everything that was counted so far.
    pub(crate) fn ledger(&self) -> Ledger {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Ledger(runs.iter().map(|(name, run)| (name.clone(), run.count())).collect())
    }

    pub(crate) fn run(&self, run: u64) -> Arc<Run> {
        self.named(&run.to_string())
    }

    fn named(&self, run: &str) -> Arc<Run> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(runs.entry(run.to_owned()).or_default())
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut head = Vec::new();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let read = stream.read_buf(&mut head).await.ok()?;
            if read == 0 || head.len() > HEAD_BYTES_MAX {
                return None;
            }
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut words = head.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        let mut parts = path.trim_start_matches('/').split('/');
        let (kind, run, lag) = (parts.next()?, parts.next().unwrap_or_default(), parts.next());
        let body = match (method, kind) {
            ("POST", "press") => {
                self.named(run).add();
                tokio::time::sleep(Duration::from_millis(lag?.parse().ok()?)).await;
                "<!doctype html><title>Counted</title><h1>Counted</h1>".to_owned()
            }
            ("GET", "lane") => servers::page(run.parse().ok()?, lag?.parse().ok()?),
            ("GET", "script") => format!(
                "<!doctype html><title>Counter</title><button>{BUTTON}</button><p role=status></p><script>
                document.querySelector('button').onclick = () => fetch('/press/{run}/{}', {{ method: 'POST' }})
                    .then(() => {{ document.querySelector('p').textContent = 'Counted'; }});</script>",
                lag?
            ),
            ("GET", "form") => format!(
                "<!doctype html><title>Counter</title><form method=post action='/press/{run}/{}'><button>{BUTTON}</button></form>",
                lag?
            ),
            _ => String::new(),
        };
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(answer.as_bytes()).await.ok()?;
        stream.shutdown().await.ok()
    }
}
