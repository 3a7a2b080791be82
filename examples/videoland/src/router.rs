//! Which address does what, and what every answer carries.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::error::ApiError;
use crate::record::{Write, recorded_body};
use crate::request::BODY_BYTES_MAX;
use crate::world::App;
use crate::{api, assets};

/// The application itself.
pub(crate) fn application(app: Arc<App>) -> Router {
    let mut router = Router::new().nest("/api", api::routes()).fallback(assets::page);
    if app.test_api {
        router = router.nest("/__test", api::test::routes());
    }
    router
        .layer(from_fn_with_state(Arc::clone(&app), guard_writes))
        .layer(from_fn_with_state(Arc::clone(&app), add_headers))
        .with_state(app)
}

/// The second origin: one page that is shown in a frame and orders something.
pub(crate) fn foreign_frame(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/order", post(api::frame::order))
        .fallback(get(assets::foreign))
        .layer(from_fn_with_state(Arc::clone(&app), guard_frame_writes))
        .layer(from_fn_with_state(Arc::clone(&app), add_frame_headers))
        .with_state(app)
}

async fn guard_writes(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    guard(&app, "app", request, next).await
}

async fn guard_frame_writes(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    guard(&app, "frame", request, next).await
}

/// Bounds, checks and records everything that is not a read.
async fn guard(app: &App, origin: &'static str, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let method = request.method().to_string();
    let path = request.uri().path_and_query().map_or_else(String::new, ToString::to_string);
    let (parts, body) = request.into_parts();
    let same_origin = is_same_origin(&parts.headers);
    let (recorded, response) = match to_bytes(body, BODY_BYTES_MAX).await {
        Ok(bytes) if same_origin => {
            let recorded = recorded_body(&bytes);
            (recorded, next.run(Request::from_parts(parts, Body::from(bytes))).await)
        }
        Ok(bytes) => (recorded_body(&bytes), ApiError::ForeignOrigin.into_response()),
        Err(_) => (None, ApiError::TooLarge { limit: BODY_BYTES_MAX }.into_response()),
    };
    if !path.starts_with("/__test") {
        let status = response.status().as_u16();
        app.record_write(Write { method, path, body: recorded, status, origin });
    }
    response
}

/// A browser says where a write comes from; programs that are no browser say nothing and are believed.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let (Some(origin), Some(host)) = (headers.get(ORIGIN), headers.get(HOST)) else {
        return headers.get(ORIGIN).is_none();
    };
    origin.as_bytes().strip_prefix(b"http://") == Some(host.as_bytes())
}

async fn add_headers(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // A UIAP publisher in the page talks to a runtime on another loopback port.
    let policy = format!(
        "default-src 'self'; img-src 'self' data: blob:; frame-src 'self' {}; \
         connect-src 'self' ws://127.0.0.1:* http://127.0.0.1:*; object-src 'none'; base-uri 'none'; \
         frame-ancestors 'self'",
        app.frame_origin
    );
    with_headers(next.run(request).await, &policy)
}

async fn add_frame_headers(request: Request, next: Next) -> Response {
    with_headers(next.run(request).await, "default-src 'self'; object-src 'none'; base-uri 'none'")
}

fn with_headers(mut response: Response, policy: &str) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}
