//! An application that counts what pages ask of it, and knows which of them still hold a connection.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::Html;
use axum::routing::get;
use futures_util::stream;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;

/// What the server knows.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The pages that hold a connection.
    pub(super) connected: BTreeSet<String>,
    /// How often a page that was declared left asked for something since.
    pub(super) late: usize,
    /// The pages that were declared left.
    pub(super) left: BTreeSet<String>,
}

/// A running application.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) origin: String,
    ledger: Arc<Mutex<Ledger>>,
}

/// A connection that a page holds.
struct Held(Arc<Mutex<Ledger>>, String);

impl Drop for Held {
    fn drop(&mut self) {
        lock(&self.0).connected.remove(&self.1);
    }
}

fn lock(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Site {
    /// Serves one page at `/`, and at `/page/NAME` pages that never stop asking.
    pub(super) async fn start(page: String) -> Self {
        let ledger: Arc<Mutex<Ledger>> = Arc::default();
        let app = Router::new()
            .route("/", get(move || std::future::ready(Html(page.clone()))))
            .route("/page/{name}", get(|Path(name): Path<String>| std::future::ready(Html(restless(&name)))))
            .route("/quiet", get(|| std::future::ready(Html("<!doctype html><title>Quiet</title>"))))
            .route("/poll/{name}", get(polled))
            .route("/hold/{name}", get(held))
            .route("/api/{*rest}", get(|| std::future::ready(axum::http::StatusCode::INTERNAL_SERVER_ERROR)))
            .with_state(Arc::clone(&ledger));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { origin, ledger }
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }
}

async fn polled(State(ledger): State<Arc<Mutex<Ledger>>>, Path(name): Path<String>) {
    let mut ledger = lock(&ledger);
    if ledger.left.contains(&name) {
        ledger.late += 1;
    }
}

/// An answer without an end.
async fn held(State(ledger): State<Arc<Mutex<Ledger>>>, Path(name): Path<String>) -> Body {
    lock(&ledger).connected.insert(name.clone());
    let held = Held(ledger, name);
    let first = Ok::<_, std::io::Error>(Bytes::from_static(b"data: x\n\n"));
    Body::from_stream(stream::unfold((Some(first), held), |(first, held)| async move {
        match first {
            Some(first) => Some((first, (None, held))),
            None => std::future::pending().await,
        }
    }))
}

/// A page that holds a connection, asks again and again, and opens windows that do the same.
fn restless(name: &str) -> String {
    format!(
        r#"<!doctype html><title>{name}</title>
        <button onclick="this.textContent = 'Pressed'">Press</button>
        <a href="/page/{name}-window" target="_blank">Window</a>
        <a href="/quiet" target="_blank">Quiet</a>
        <script>
          fetch('/hold/{name}').then((answer) => answer.body.getReader().read());
          setInterval(() => fetch('/poll/{name}'), 20);
        </script>"#
    )
}
