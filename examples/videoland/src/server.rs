//! Binds the two ports, serves them, and ends both cleanly.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::router;
use crate::world::App;

/// How long open connections may take to finish after [`Server::shut_down`].
const SHUT_DOWN_WAIT_MAX: Duration = Duration::from_secs(2);

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Port of the application on 127.0.0.1; 0 takes any free port.
    pub port: u16,
    /// Port of the second origin, which serves the foreign frame; 0 takes any free port.
    pub frame_port: u16,
    /// Whether writes are recorded and the routes below `/__test` exist.
    pub test_api: bool,
    /// The language of pages until a person chooses another one.
    pub language: Language,
}

/// A language of the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// German, with which the ground truth and most tests are written.
    #[default]
    German,
    /// English.
    English,
}

impl Language {
    /// As it stands in the `lang` of a page.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::German => "de",
            Self::English => "en",
        }
    }
}

/// A `uiap serve --app-origin` whose agents take part in our pages.
#[derive(Clone)]
pub struct Agents {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it knows us by.
    pub token: Option<String>,
}

impl std::fmt::Debug for Agents {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Agents").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Why the application does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Somebody else listens there.
    #[error("port {port} on 127.0.0.1 is taken")]
    PortTaken {
        /// The port that was asked for.
        port: u16,
    },
    /// The operating system refused for another reason.
    #[error("cannot listen on port {port} of 127.0.0.1")]
    Listen {
        /// The port that was asked for.
        port: u16,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

/// A running Videoland. It serves on loopback only, until [`Server::shut_down`] or until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    frame_address: SocketAddr,
    app: Arc<App>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Server {
    /// Binds both ports and starts to serve; the application answers as soon as this returns.
    pub async fn start(options: Options) -> Result<Self, ServerError> {
        let (listener, address) = listen(options.port).await?;
        let (frame_listener, frame_address) = listen(options.frame_port).await?;
        let app = Arc::new(App::new(origin_of(frame_address), options.test_api, options.language));
        let (stop, stopped) = watch::channel(false);
        let tasks = vec![
            tokio::spawn(serve(listener, router::application(Arc::clone(&app)), stopped.clone())),
            tokio::spawn(serve(frame_listener, router::foreign_frame(Arc::clone(&app)), stopped)),
        ];
        Ok(Self { address, frame_address, app, stop, tasks })
    }

    /// Lets agents take part in every page from now on. Without it, no page knows of them.
    pub fn invite(&self, agents: Agents) {
        self.app.invite(agents);
    }

    /// Where the application listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The origin of the application, such as `http://127.0.0.1:4870`.
    pub fn origin(&self) -> String {
        origin_of(self.address)
    }

    /// The origin of the foreign frame.
    pub fn frame_origin(&self) -> String {
        origin_of(self.frame_address)
    }

    /// What was really done since it runs, in order, such as `video.created`; nothing where it does not record.
    pub fn effects(&self) -> Vec<&'static str> {
        self.app.world().ledger.iter().map(|effect| effect.kind).collect()
    }

    /// Stops accepting, lets running requests finish for a moment, and returns when the ports are free again.
    pub async fn shut_down(mut self) {
        // Sending fails only when both servers ended already.
        let _ = self.stop.send(true);
        for mut task in std::mem::take(&mut self.tasks) {
            if tokio::time::timeout(SHUT_DOWN_WAIT_MAX, &mut task).await.is_err() {
                task.abort();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn listen(port: u16) -> Result<(TcpListener, SocketAddr), ServerError> {
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => ServerError::PortTaken { port },
        _ => ServerError::Listen { port, source },
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

async fn serve(listener: TcpListener, router: axum::Router, mut stopped: watch::Receiver<bool>) {
    let until_stopped = async move {
        // An error means the sender is gone, which ends the server just the same.
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    // Accept errors are retried by axum; serving itself never fails.
    let _ = axum::serve(listener, router).with_graceful_shutdown(until_stopped).await;
}

fn origin_of(address: SocketAddr) -> String {
    format!("http://{address}")
}
