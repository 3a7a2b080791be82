//! Serves the pages, does what they ask for, and keeps the ledger: the truth that no page can talk away.

use crate::case::{Case, folder};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Longest wait for something that a page wants to hear of.
const NEWS_WAIT: Duration = Duration::from_secs(20);

/// The site.
pub(crate) struct Site {
    port: u16,
    shelf: Arc<Shelf>,
    task: tokio::task::JoinHandle<()>,
}

/// What is served, and what was done.
#[derive(Default)]
struct Shelf {
    cases: Mutex<HashMap<String, Arc<Case>>>,
    ledger: Mutex<HashMap<String, Vec<String>>>,
    written: Notify,
}

impl Site {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let shelf = Arc::new(Shelf::default());
        let served = Arc::clone(&shelf);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shelf = Arc::clone(&served);
                tokio::spawn(async move { serve(stream, &shelf).await });
            }
        });
        Ok(Self { port, shelf, task })
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Puts a case on the shelf under a name of its own; says where it is.
    pub(crate) fn put(&self, name: &str, case: &Arc<Case>) -> String {
        locked(&self.shelf.cases).insert(name.to_owned(), Arc::clone(case));
        self.url(&format!("/case/{name}/"))
    }

    /// How often an effect came about.
    pub(crate) fn count(&self, name: &str, effect: &str) -> usize {
        locked(&self.shelf.ledger)
            .get(name)
            .map_or(0, |effects| effects.iter().filter(|found| *found == effect).count())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shelf {
    fn write(&self, name: &str, effect: &str) {
        locked(&self.ledger).entry(name.to_owned()).or_default().push(effect.to_owned());
        self.written.notify_waiters();
    }

    async fn until_written(&self, name: &str, effect: &str) {
        loop {
            let written = self.written.notified();
            if locked(&self.ledger)
                .get(name)
                .is_some_and(|effects| effects.iter().any(|found| found == effect))
            {
                return;
            }
            written.await;
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer.
struct Answer {
    status: u16,
    r#type: String,
    headers: String,
    body: String,
}

impl Answer {
    fn of(r#type: &str, body: impl Into<String>) -> Self {
        Self { status: 200, r#type: r#type.to_owned(), headers: String::new(), body: body.into() }
    }

    fn page(body: impl Into<String>) -> Self {
        Self::of("text/html", body)
    }

    fn missing() -> Self {
        Self { status: 404, ..Self::page("") }
    }
}

async fn serve(mut stream: TcpStream, shelf: &Shelf) -> Option<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_BYTES_MAX {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        head.extend_from_slice(chunk.get(..count)?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let address = url::Url::parse("http://site/").ok()?.join(head.split(' ').nth(1)?).ok()?;
    let Answer { status, r#type, headers, body } = answer(&address, shelf).await;
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: {type}; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\nCache-Control: no-store\r\nService-Worker-Allowed: /\r\n{headers}\r\n"
    );
    let body = if status == 204 { String::new() } else { body };
    stream.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

async fn answer(address: &url::Url, shelf: &Shelf) -> Answer {
    let segments: Vec<_> = address.path_segments().into_iter().flatten().collect();
    match segments.as_slice() {
        ["lib" | "kinds", file] => program(address.path(), file),
        ["case", name, rest @ ..] => {
            let case = locked(&shelf.cases).get(*name).cloned();
            let Some(case) = case else { return Answer::missing() };
            match rest {
                [""] => Answer::page(case.html.clone()),
                ["part", part] => case.parts.get(*part).map_or_else(Answer::missing, |part| {
                    Answer::of(part.r#type.as_deref().unwrap_or("text/html"), part.body.clone())
                }),
                ["answer"] => asked(address, name, shelf).await,
                ["news"] => {
                    let effect = param(address, "effect").unwrap_or_default();
                    let heard = tokio::time::timeout(NEWS_WAIT, shelf.until_written(name, &effect)).await;
                    Answer { status: if heard.is_ok() { 200 } else { 504 }, ..Answer::page("") }
                }
                _ => Answer::missing(),
            }
        }
        _ => Answer::missing(),
    }
}

/// A program of the workshop or of the pages.
fn program(path: &str, file: &str) -> Answer {
    let is_page = std::path::Path::new(file).extension().is_some_and(|extension| extension == "html");
    let kind = if is_page { "text/html" } else { "text/javascript" };
    // The path has two segments, and none of them leads upwards: the address was parsed.
    let text = std::fs::read_to_string(folder().join(path.trim_start_matches('/')));
    text.map_or_else(|_| Answer::missing(), |text| Answer::of(kind, text))
}

fn param(address: &url::Url, name: &str) -> Option<String> {
    address.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Does what a page asks for: after a wait, with a status; whatever is not refused is written into the ledger.
async fn asked(address: &url::Url, name: &str, shelf: &Shelf) -> Answer {
    let number = |name| param(address, name).and_then(|text| text.parse::<u64>().ok());
    tokio::time::sleep(Duration::from_millis(number("wait").unwrap_or_default())).await;
    let status = number("status").and_then(|status| u16::try_from(status).ok()).unwrap_or(200);
    if let Some(effect) = param(address, "effect").filter(|_| status < 400) {
        shelf.write(name, &effect);
    }
    if let Some(to) = param(address, "to") {
        return Answer { status: 302, headers: format!("Location: {to}\r\n"), ..Answer::page("") };
    }
    if let Some(file) = param(address, "file") {
        let headers = format!("Content-Disposition: attachment; filename={file}\r\n");
        return Answer { headers, ..Answer::of("text/csv", "a,b\n1,2\n") };
    }
    let text = param(address, "text").unwrap_or_default();
    Answer { status, ..Answer::page(format!("<!doctype html><title>{status}</title><h1>{text}</h1>")) }
}
