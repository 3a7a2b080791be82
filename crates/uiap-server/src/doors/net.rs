//! Listens on the network: accepts connections, bounds each of them, and leads them to the right door.
//!
//! Start at [`listen`].

use super::app::{APP_PATH, Lobby, TICKETS_PATH};
use super::guard::{Guard, Unwelcome};
use super::mail::Letters;
use super::tls::TlsAcceptor;
use super::{SESSIONS_PATH, WS_PATH, app, http, ws};
use crate::serving::House;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use uiap_protocol::core::CoreErrorCode;
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::Surface;

/// Most connections at a time.
pub const CONNECTIONS_MAX: usize = 2_048;
/// Longest time that the head of a request may take.
const HEAD_WAIT: Duration = Duration::from_secs(5);
/// Longest time that agreeing on a secret may take.
const TLS_WAIT: Duration = Duration::from_secs(10);
/// Pause after a connection that could not be taken.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why nobody listens.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Others could come without a token.
    #[error("{address} can be reached by other machines; that takes a token")]
    NeedsToken {
        /// The address.
        address: SocketAddr,
    },
    /// The system refused.
    #[error("cannot listen on {address}; name another port, or port 0 for any that is free")]
    Refused {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// What the doors share.
pub(super) struct Hall<S, J> {
    pub(super) house: Arc<House<S, J>>,
    pub(super) guard: Guard,
    pub(super) letters: Letters,
    pub(super) lobby: Option<Arc<Lobby>>,
}

/// The shared things, as handlers get them.
pub(super) type Shared<S, J> = Arc<Hall<S, J>>;

/// Somebody who listens.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    lobby: Option<Arc<Lobby>>,
}

/// Takes an address. Other machines come only with a token.
pub async fn listen(address: SocketAddr, guard: &Guard) -> Result<Listening, ListenError> {
    if !address.ip().is_loopback() && !guard.needs_token() {
        return Err(ListenError::NeedsToken { address });
    }
    let refused = |source| ListenError::Refused { address, source };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok(Listening { listener, address, lobby: None })
}

impl Listening {
    /// Where.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Pages of the application itself may come, too.
    #[must_use]
    pub fn with_pages(self, lobby: Arc<Lobby>) -> Self {
        Self { lobby: Some(lobby), ..self }
    }

    /// Serves for as long as it is waited for.
    pub async fn serve<S: Surface + 'static, J: Journal + 'static>(
        self,
        house: Arc<House<S, J>>,
        guard: Guard,
        tls: Option<TlsAcceptor>,
    ) {
        let router = router(Arc::new(Hall { house, guard, letters: Letters::default(), lobby: self.lobby }));
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                // Too many files are open, or the like: it passes.
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            // Messages are small, and the peer waits for each: none is held back to go with the next. A socket that
            // cannot do that is slower, no more.
            let _ = stream.set_nodelay(true);
            // For whom there is no room the connection ends at once.
            let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { continue };
            let (router, tls) = (router.clone(), tls.clone());
            tokio::spawn(async move {
                match tls {
                    None => connection(stream, router).await,
                    Some(tls) => {
                        if let Ok(Ok(stream)) = timeout(TLS_WAIT, tls.accept(stream)).await {
                            connection(stream, router).await;
                        }
                    }
                }
                drop(permit);
            });
        }
    }
}

async fn connection(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, router: Router) {
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_WAIT);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // How a connection ends is the business of its peer.
    let _ = connection.with_upgrades().await;
}

fn router<S: Surface + 'static, J: Journal + 'static>(hall: Shared<S, J>) -> Router {
    let session = format!("{SESSIONS_PATH}/{{session}}");
    Router::new()
        .route(WS_PATH, get(ws::open))
        .route(APP_PATH, get(app::open))
        .route(TICKETS_PATH, post(app::ticket))
        .route(SESSIONS_PATH, post(http::begin))
        .route(&session, delete(http::end))
        .route(&format!("{session}/messages"), post(http::message))
        .route(&format!("{session}/events"), get(http::events))
        .with_state(hall)
}

impl Unwelcome {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Origin | Self::Host => StatusCode::FORBIDDEN,
        }
    }

    pub(super) fn code(self) -> CoreErrorCode {
        match self {
            Self::Unauthorized => CoreErrorCode::Unauthorized,
            Self::Origin | Self::Host => CoreErrorCode::Forbidden,
        }
    }
}
