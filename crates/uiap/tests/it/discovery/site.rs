//! A small server of pages, which remembers what was asked for.

use axum::Router;
use axum::http::Uri;
use axum::response::Html;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// Serves pages by their paths. Answers with the origin, and with the paths that were asked for so far.
pub(crate) async fn served(
    page: impl Fn(&str) -> String + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (log, page) = (Arc::clone(&asked), Arc::new(page));
    let answer = move |uri: Uri| {
        log.lock().expect("a log").push(uri.path().to_owned());
        std::future::ready(Html(page(uri.path())))
    };
    let site = axum::serve(listener, Router::new().fallback(answer));
    tokio::spawn(site.into_future());
    (origin, asked)
}
