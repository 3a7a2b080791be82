//! A reverse proxy before an application: it writes down every request, and makes answers late by seeded amounts.
//!
//! It is the witness that nothing was written, so it shares no code with the guard. One request per connection: it tells
//! the server to close after its answer, so that a request is whatever stands at the beginning of a connection.

use anyhow::Context as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Longest head of a request.
const HEAD_BYTES_MAX: usize = 128 * 1024;
/// Most requests that are written down.
const LOG_MAX: usize = 200_000;
/// Most requests at a time; a browser has six connections for each page.
const CONNECTIONS_MAX: usize = 512;
/// Latest that most answers are made.
const LATE_MS_MAX: u64 = 60;
/// Latest that every twelfth answer is made: longer than a page is expected to hold still.
const VERY_LATE_MS_MAX: u64 = 500;
/// One of so many answers is very late.
const VERY_LATE_ONE_OF: u64 = 12;

/// A request that came by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) method: String,
    pub(crate) path: String,
    /// It asks for a line that stays open, on which anything may be said.
    pub(crate) is_upgrade: bool,
}

impl Passed {
    /// It could change something, by the rules of HTTP.
    pub(crate) fn can_write(&self) -> bool {
        self.is_upgrade || !matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// As it is told: `POST /path`.
    pub(crate) fn told(&self) -> String {
        let path = self.path.split('?').next().unwrap_or_default();
        let word = if self.is_upgrade { "WEBSOCKET" } else { self.method.as_str() };
        format!("{word} {path}")
    }
}

/// A proxy that runs until it is dropped.
pub(crate) struct Proxy {
    address: SocketAddr,
    log: Arc<Mutex<Vec<Passed>>>,
    task: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// Stands before a server; with a seed, answers are late.
    pub(crate) async fn start(server: SocketAddr, seed: Option<u64>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("the proxy has no port")?;
        let address = listener.local_addr()?;
        let log = Arc::new(Mutex::default());
        let desk = Arc::new(Desk { server, seed, count: AtomicU64::new(0), log: Arc::clone(&log) });
        let room = Arc::new(tokio::sync::Semaphore::new(CONNECTIONS_MAX));
        let task = tokio::spawn(async move {
            while let Ok(place) = Arc::clone(&room).acquire_owned().await {
                // A caller that is gone before it was let in needs nothing.
                let Ok((caller, _)) = listener.accept().await else { continue };
                let desk = Arc::clone(&desk);
                tokio::spawn(async move {
                    // A line that breaks is the business of both ends.
                    let _ = desk.attend(caller).await;
                    drop(place);
                });
            }
        });
        Ok(Self { address, log, task })
    }

    /// Where the application is now.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What came by.
    pub(crate) fn passed(&self) -> Vec<Passed> {
        locked(&self.log).clone()
    }
}

/// Where requests are attended to.
struct Desk {
    server: SocketAddr,
    seed: Option<u64>,
    count: AtomicU64,
    log: Arc<Mutex<Vec<Passed>>>,
}

impl Desk {
    async fn attend(&self, mut caller: TcpStream) -> std::io::Result<()> {
        let Some((head, rest)) = head_of(&mut caller).await? else { return Ok(()) };
        let (passed, head) = rewritten(&head);
        let is_upgrade = passed.is_upgrade;
        {
            let mut log = locked(&self.log);
            if log.len() < LOG_MAX {
                log.push(passed);
            }
        }
        if let Some(seed) = self.seed {
            let number = self.count.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(lateness(seed, number)).await;
        }
        let mut server = TcpStream::connect(self.server).await?;
        server.write_all(head.as_bytes()).await?;
        server.write_all(&rest).await?;
        if is_upgrade {
            tokio::io::copy_bidirectional(&mut caller, &mut server).await?;
            return Ok(());
        }
        let (mut from_caller, mut to_caller) = caller.split();
        let (mut from_server, mut to_server) = server.split();
        let answer = async {
            tokio::io::copy(&mut from_server, &mut to_caller).await?;
            to_caller.shutdown().await
        };
        tokio::pin!(answer);
        let asked = tokio::io::copy(&mut from_caller, &mut to_server);
        // Whoever has asked everything still waits for the answer; the answer is the end.
        tokio::select! {
            done = &mut answer => done,
            _ = asked => answer.await,
        }
    }
}

/// The head of a request, and what came with it.
async fn head_of(caller: &mut TcpStream) -> std::io::Result<Option<(String, Vec<u8>)>> {
    const END: &[u8] = b"\r\n\r\n";
    let mut read = Vec::with_capacity(4096);
    loop {
        if let Some(at) = read.windows(END.len()).position(|four| four == END) {
            let rest = read.split_off(at + END.len());
            return Ok(Some((String::from_utf8_lossy(&read).into_owned(), rest)));
        }
        if read.len() > HEAD_BYTES_MAX || caller.read_buf(&mut read).await? == 0 {
            return Ok(None);
        }
    }
}

/// What is asked for, and the head that asks the server to close after its answer.
fn rewritten(head: &str) -> (Passed, String) {
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let name_of = |line: &str| line.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
    let others: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let is_upgrade = others.iter().any(|line| name_of(line) == "upgrade");
    let passed = Passed { method: method.to_owned(), path: path.to_owned(), is_upgrade };
    let kept = others.into_iter().filter(|line| {
        is_upgrade || !matches!(name_of(line).as_str(), "connection" | "keep-alive" | "proxy-connection")
    });
    let mut new: Vec<&str> = std::iter::once(first).chain(kept).collect();
    if !is_upgrade {
        new.push("connection: close");
    }
    (passed, format!("{}\r\n\r\n", new.join("\r\n")))
}

/// How late an answer is.
fn lateness(seed: u64, number: u64) -> Duration {
    let chance = mixed(seed ^ mixed(number));
    let most = if chance.is_multiple_of(VERY_LATE_ONE_OF) { VERY_LATE_MS_MAX } else { LATE_MS_MAX };
    Duration::from_millis(mixed(chance) % (most + 1))
}

/// Numbers that look like chance, the same for the same seed (`SplitMix64`).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_and_its_connection_ends_with_the_answer() {
        let (passed, head) = rewritten("POST /a?b=1 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
        assert_eq!(passed.told(), "POST /a");
        assert!(passed.can_write());
        assert_eq!(head, "POST /a?b=1 HTTP/1.1\r\nHost: x\r\nconnection: close\r\n\r\n");
    }

    #[test]
    fn an_open_line_can_write() {
        let asked = "GET /socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
        let (passed, head) = rewritten(asked);
        assert_eq!(passed.told(), "WEBSOCKET /socket");
        assert!(passed.can_write());
        assert_eq!(head, asked);
    }
}
