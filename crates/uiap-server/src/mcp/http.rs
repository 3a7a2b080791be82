//! MCP over streamable HTTP.
//!
//! [`serve_http`] is the door; what stands behind it is any handler, so that the conformance suite of MCP can put its
//! own fixtures there.

use super::clients::Clients;
use super::{ServeError, Server};
use crate::host::Host;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::serve::ListenerExt as _;
use axum::{Router, middleware};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Where the server answers.
const PATH: &str = "/mcp";
/// Longest request, in bytes; a call of a tool is far shorter.
const REQUEST_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Who may come.
#[derive(Clone, Debug, Default)]
pub struct HttpOptions {
    /// Origins whose pages may call; pages of all others are refused.
    pub origins: Vec<String>,
}

/// Why nobody can come.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// There is nobody to tell who comes from elsewhere.
    #[error(
        "{address} can be reached from other machines; MCP over HTTP is served on a loopback address only"
    )]
    NotLoopback {
        /// Where it was to be.
        address: SocketAddr,
    },
    /// The address cannot be taken.
    #[error("cannot listen on {address}: {error}; name another port, or port 0 for any that is free")]
    Taken {
        /// Where it was to be.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The server broke down.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl<H: Host> Server<H> {
    /// Serves clients over HTTP until `stop` is ready, then closes what is open.
    pub async fn serve_http(
        &self,
        address: SocketAddr,
        options: HttpOptions,
        listening: impl FnOnce(SocketAddr),
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), HttpError> {
        let server = self.clone();
        let served = serve_http(move || server.for_client(), address, options, listening, stop).await;
        self.close().await;
        served
    }
}

/// Serves clients on a loopback address until `stop` is ready; tells where, once it listens. Each client has a handler
/// of its own.
pub async fn serve_http<S: ServerHandler>(
    handler: impl Fn() -> S + Send + Sync + 'static,
    address: SocketAddr,
    options: HttpOptions,
    listening: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), HttpError> {
    if !address.ip().is_loopback() {
        return Err(HttpError::NotLoopback { address });
    }
    let taken = |error| HttpError::Taken { address, error };
    let listener = TcpListener::bind(address).await.map_err(taken)?;
    let own = listener.local_addr().map_err(taken)?;
    listening(own);
    // Pages of others are refused, those on other ports of this machine too, and so are other names for this address.
    let origins = [format!("http://{own}"), format!("http://localhost:{}", own.port())];
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(REQUEST_BYTES_MAX)
        .with_allowed_origins(options.origins.into_iter().chain(origins))
        .enforce_origin_validation();
    let shutting_down = config.cancellation_token.clone();
    let clients = Arc::new(Clients::default());
    let service = StreamableHttpService::new(move || Ok(handler()), Arc::clone(&clients), config);
    let stop = async move {
        stop.await;
        shutting_down.cancel();
    };
    let routes =
        Router::new().nest_service(PATH, service).layer(middleware::map_response_with_state(clients, full));
    // An answer is not held back to go with the next one.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let served = axum::serve(listener, routes).with_graceful_shutdown(stop).await;
    served.map_err(|error| HttpError::Serve(ServeError::Ended(error.to_string())))
}

/// Who finds no room has done nothing wrong, and neither has the server: he may come later.
async fn full(State(clients): State<Arc<Clients>>, mut response: Response) -> Response {
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR && clients.is_full().await {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    response
}
