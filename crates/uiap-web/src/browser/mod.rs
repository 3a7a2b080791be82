//! A browser of our own: found, started, spoken to and ended.

mod attach;
mod find;
mod process;
mod profile;
mod supervise;

pub use attach::AttachError;
pub use find::{FindError, find};
pub use process::farewell;
pub use supervise::{BrowserSource, Life, Supervisor, SupervisorError};

use crate::cdp::{self, CallError, Client, Connection};
use crate::deadline::Deadline;
use crate::page::{Context, ContextError, ContextOptions, Door, attend};
use process::{Process, Started};
use serde::Deserialize;
use serde_json::json;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::unix::pipe;

/// How long a browser may take to answer for the first time, unless told otherwise.
const LAUNCH_WAIT: Duration = Duration::from_secs(30);
/// How long a browser may take to close by itself before it is killed.
const CLOSE_WAIT: Duration = Duration::from_secs(3);
/// How long the end of a browser that closed its pipe is waited for, to tell how it ended.
const EXIT_WAIT: Duration = Duration::from_secs(1);

/// How to start a browser.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// Which one; otherwise `CHROME`, otherwise the first that is installed.
    pub program: Option<PathBuf>,
    /// With a window that people can see.
    pub headed: bool,
    /// Keep the profile here. Otherwise it is fresh and vanishes with the browser.
    pub user_data: Option<PathBuf>,
    /// The browser's own protection against the pages it shows.
    pub sandbox: Sandbox,
    /// Pages may offer tools to their browser (`WebMCP`), where it can be had.
    pub web_mcp: bool,
    /// How long it may take.
    pub wait: Duration,
    /// Further command line flags.
    pub flags: Vec<String>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            program: None,
            headed: false,
            user_data: None,
            sandbox: Sandbox::Auto,
            web_mcp: true,
            wait: LAUNCH_WAIT,
            flags: Vec::new(),
        }
    }
}

/// The browser's own protection against the pages it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On, except for the superuser, for whom Chromium refuses to start with it.
    #[default]
    Auto,
    /// Off, at the user's own risk.
    Off,
}

impl Sandbox {
    /// Whether a browser that is started here has it.
    pub fn is_on(self) -> bool {
        self == Self::Auto && !rustix::process::geteuid().is_root()
    }
}

/// Why there is no browser.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// None is installed.
    #[error(transparent)]
    Find(#[from] FindError),
    /// It has no place for its things.
    #[error("the browser's profile folder cannot be created")]
    Profile(#[source] io::Error),
    /// There is no pipe to it.
    #[error("the pipe to the browser cannot be created")]
    Pipe(#[source] io::Error),
    /// The pipe cannot be handed over.
    #[error("the pipe cannot be handed to the browser")]
    Descriptors,
    /// Nobody can look after it.
    #[error("the thread that looks after the browser cannot be started")]
    Thread(#[source] io::Error),
    /// It does not start.
    #[error("the browser \"{}\" cannot be started", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It started and ended before it said anything.
    #[error("the browser ended at once{}: {complaints}", status.map(|status| format!(" ({status})")).unwrap_or_default())]
    Exited {
        /// How it ended.
        status: Option<ExitStatus>,
        /// Its last words.
        complaints: String,
    },
    /// It started and does not answer.
    #[error("the browser does not answer")]
    Silent(#[source] CallError),
}

/// A running browser. Dropping it ends it with all its children and removes its temporary profile, without waiting
/// for either: see [`farewell`].
#[derive(Debug)]
pub struct Browser {
    client: Client,
    door: Arc<Door>,
    version: String,
    _connection: Connection,
    /// None if it is not ours.
    process: Option<Process>,
}

impl Browser {
    /// Finds a browser and starts it.
    pub async fn launch(options: &LaunchOptions) -> Result<Self, LaunchError> {
        let deadline = Deadline::after(options.wait);
        let program = find(options.program.as_deref())?;
        let Started { process, orders, answers } = Process::start(&program, options)?;
        let orders = pipe::Sender::from_owned_fd(OwnedFd::from(orders)).map_err(LaunchError::Pipe)?;
        let answers = pipe::Receiver::from_owned_fd(OwnedFd::from(answers)).map_err(LaunchError::Pipe)?;
        let (client, connection) = Client::over_pipe(answers, orders);
        let version = client.call::<Version>(None, "Browser.getVersion", json!({}), deadline).await;
        match version {
            Ok(Version { product }) => {
                let door = attend(&client, deadline).await.map_err(LaunchError::Silent)?;
                Ok(Self { client, door, version: product, _connection: connection, process: Some(process) })
            }
            Err(CallError::BrowserGone) => {
                let ended = move || {
                    process.wait(EXIT_WAIT);
                    LaunchError::Exited { status: process.status(), complaints: process.complaints() }
                };
                Err(tokio::task::spawn_blocking(ended)
                    .await
                    .unwrap_or(LaunchError::Silent(CallError::BrowserGone)))
            }
            Err(error) => Err(LaunchError::Silent(error)),
        }
    }

    /// Uses a browser that is running already, by its `http(s)://` or `ws(s)://` address. Dropping it only hangs up.
    pub async fn attach(address: &str, deadline: Deadline) -> Result<Self, AttachError> {
        let late = || AttachError::Deadline { address: address.to_owned() };
        let socket = deadline.limit(Box::pin(async {
            let directions = attach::directions(address).await?;
            let declined =
                |source| AttachError::Declined { address: address.to_owned(), source: Box::new(source) };
            cdp::connect(&directions).await.map_err(declined)
        }));
        let (client, connection) = Client::over_socket(socket.await.ok_or_else(late)??);
        let Version { product } = client.call(None, "Browser.getVersion", json!({}), deadline).await?;
        let door = attend(&client, deadline).await?;
        Ok(Self { client, door, version: product, _connection: connection, process: None })
    }

    /// A context of its own: nothing (cookies, storage, caches) is shared with other contexts.
    pub async fn context(&self, deadline: Deadline) -> Result<Context, ContextError> {
        self.context_with(ContextOptions::default(), deadline).await
    }

    /// The same, with pages that behave as told.
    pub async fn context_with(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Context, ContextError> {
        Context::fresh(self.client.clone(), Arc::clone(&self.door), options, deadline).await
    }

    /// The context of the browser's profile: for a profile that is kept, with what it kept.
    pub async fn lasting_context(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Context, ContextError> {
        Context::lasting(self.client.clone(), Arc::clone(&self.door), options, deadline).await
    }

    /// Name and version, such as `Chrome/142.0.7444.59`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of its main process, if it is ours.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The folder of its profile, if it is ours.
    pub fn profile(&self) -> Option<&Path> {
        self.process.as_ref().map(Process::profile)
    }

    /// It ended or closed its pipe.
    pub fn is_gone(&self) -> bool {
        self.client.is_gone()
    }

    /// Waits until it is gone.
    pub async fn gone(&self) {
        self.client.gone().await;
    }

    /// How it ended and its last words, as far as it told them within the wait.
    async fn obituary(&self, wait: Duration) -> String {
        let Some(process) = &self.process else { return "it hung up".to_owned() };
        let ended = process.ending();
        let status = tokio::task::spawn_blocking(move || ended.wait(wait)).await.ok().flatten();
        let status = status.map_or_else(|| "it closed its pipe".to_owned(), |status| status.to_string());
        match process.complaints() {
            words if words.is_empty() => status,
            words => format!("{status}: {words}"),
        }
    }

    /// The connection to it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Ends it and waits for its end. One that keeps its profile is asked to close, so that it can write what it
    /// keeps, and is killed only if it does not. One that is not ours is left alone.
    pub async fn close(mut self) {
        let Some(process) = self.process.take() else { return };
        let deadline = Deadline::after(CLOSE_WAIT);
        if process.keeps_profile() {
            // If it refuses or dies meanwhile, dropping it does the rest.
            let _ = self.client.send(None, "Browser.close", json!({}), deadline).await;
        } else {
            process.kill();
        }
        let end = move || {
            process.wait(deadline.left());
            drop(process);
        };
        let _ = tokio::task::spawn_blocking(end).await;
    }
}

#[derive(Deserialize)]
struct Version {
    product: String,
}
