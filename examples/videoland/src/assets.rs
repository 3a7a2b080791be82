//! The page's files, carried inside the binary.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, File, include_dir};
use std::sync::Arc;

use crate::error::ApiError;
use crate::server::Agents;
use crate::world::App;

static WEB: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/web");

/// The page of every route.
const SHELL: &str = "index.html";
/// Where pages say their language, which scripts take as the one to begin with.
const LANGUAGE: &str = "<html lang=\"de\">";

/// The SDK with which pages let agents take part, built by `npm run build` in `web/`.
const SDK: [(&str, &str); 4] = [
    ("uiap-sdk/index.js", include_str!("../../../web/sdk/dist/index.js")),
    ("uiap-sdk/overlay.js", include_str!("../../../web/sdk/dist/overlay.js")),
    ("uiap-sdk/bundle.js", include_str!("../../../web/sdk/dist/bundle.js")),
    ("uiap-sdk/page.js", include_str!("../../../web/sdk/dist/page.js")),
];

/// A file of the application. An address without a dot in its last part is a route of the page and gets the shell.
pub(crate) async fn page(State(app): State<Arc<App>>, method: Method, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    // What the API does not know is unknown, and so is the test API when it is off: neither is a page.
    if matches!(path.split('/').next(), Some("api" | "__test")) {
        return ApiError::NotFound.into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::MethodNotAllowed.into_response();
    }
    let is_route = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let path = if is_route { SHELL } else { path };
    if !has_extension(path, "html") {
        return file(path);
    }
    let Some(text) = WEB.get_file(path).and_then(File::contents_utf8) else {
        return ApiError::NotFound.into_response();
    };
    let mut text = text.replacen(LANGUAGE, &format!("<html lang=\"{}\">", app.language.tag()), 1);
    if let (true, Some(agents)) = (is_route, app.agents()) {
        text = with_agents(&text, agents);
    }
    ([(CONTENT_TYPE, content_type(path))], text).into_response()
}

/// The shell of a page in which agents take part: it says where they are.
fn with_agents(shell: &str, agents: &Agents) -> String {
    let told = format!("<meta name=\"uiap\" data-url=\"ws://{}/uiap/app\">\n  </head>", agents.address);
    shell.replacen("</head>", &told, 1)
}

/// A file of the foreign frame.
pub(crate) async fn foreign(uri: Uri) -> Response {
    match uri.path().trim_start_matches('/') {
        "" => file("foreign/index.html"),
        path => file(&format!("foreign/{path}")),
    }
}

/// The addresses of the Lab's hazards: adding a file adds a section.
pub(crate) fn lab_modules() -> Vec<String> {
    let mut modules: Vec<String> = WEB
        .get_dir("lab")
        .into_iter()
        .flat_map(Dir::files)
        .filter_map(|file| file.path().to_str())
        .filter(|path| has_extension(path, "js"))
        .map(|path| format!("/{path}"))
        .collect();
    modules.sort();
    modules
}

fn file(path: &str) -> Response {
    if let Some((_, module)) = SDK.iter().find(|(name, _)| *name == path) {
        return ([(CONTENT_TYPE, content_type(path))], *module).into_response();
    }
    match WEB.get_file(path) {
        Some(file) => ([(CONTENT_TYPE, content_type(path))], file.contents()).into_response(),
        None => ApiError::NotFound.into_response(),
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
}
