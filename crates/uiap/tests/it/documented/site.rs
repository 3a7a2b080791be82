//! The page on which what is documented is tried, and longer ones.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const PRACTICE: &str = include_str!("practice.html");

/// Serves the pages by threads of its own for as long as the value lives.
pub(super) struct Site {
    _runtime: Runtime,
    origin: String,
}

impl Site {
    pub(super) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new()
            .route("/api/{*path}", get(|| async { "{}" }))
            .route("/rows", get(|| async { Html(rows()) }))
            .route("/modal", get(|| async { Html(modal()) }))
            .fallback(get(|| async { Html(PRACTICE) }));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { _runtime: runtime, origin }
    }

    pub(super) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

/// A table that is too long to be shown whole, with rows that are too.
fn rows() -> String {
    let row = |at: usize| {
        let buttons = (1..=12).map(|button| format!("<button>Button {button}</button>"));
        let buttons = buttons.collect::<Vec<_>>().concat();
        format!("<tr><td>Row {at}<td>{buttons}")
    };
    let rows = (1..=200).map(row).collect::<Vec<_>>().concat();
    format!(
        "<!doctype html><title>Rows</title><table aria-label=Rows><tr><th>Name<th>Buttons{rows}</table>\
         <button>Twice</button><button>Twice</button>"
    )
}

/// A page behind a dialog.
fn modal() -> String {
    "<!doctype html><title>Modal</title><button>Behind</button>\
     <dialog id=d aria-label=Question><button>Answer</button></dialog><script>d.showModal()</script>"
        .to_owned()
}
