//! A browser that is there whenever one is needed.
//!
//! Start at [`Supervisor::context`]. A browser that dies is told at once to everybody who watches and to everybody who
//! waits for it; it is not brought back by itself. The next request for a context gets a new one.

use super::{AttachError, Browser, LaunchError, LaunchOptions};
use crate::cdp::CallError;
use crate::deadline::Deadline;
use crate::page::{Context, ContextError, ContextOptions};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};

/// How often one request tries: a browser may die while it is asked for a context.
const TRIES_MAX: usize = 2;
/// How long the death of a browser waits to be explained before it is told.
const OBITUARY_WAIT: Duration = Duration::from_millis(500);

/// Where browsers come from.
#[derive(Clone, Debug)]
pub enum BrowserSource {
    /// They are started.
    Launch(LaunchOptions),
    /// They run at this address.
    Attach {
        /// The address.
        address: String,
    },
}

/// How the browser is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Life {
    /// Nobody needed one yet.
    #[default]
    Unborn,
    /// It runs.
    Running {
        /// How many there have been, this one included.
        number: u64,
    },
    /// It died.
    Dead {
        /// How many there have been, this one included.
        number: u64,
        /// How it ended, and its last words.
        why: String,
    },
}

/// Why there is no context.
#[derive(Debug, thiserror::Error)]
pub enum SupervisorError {
    /// No browser can be started.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No browser can be reached.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The browser gives none.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// There was no time for it.
    #[error("the browser was not ready in time")]
    Deadline,
}

/// Keeps a browser for whoever needs one. Dropping it ends the browser.
#[derive(Debug)]
pub struct Supervisor {
    source: BrowserSource,
    current: Mutex<Current>,
    life: Arc<watch::Sender<Life>>,
}

#[derive(Debug, Default)]
struct Current {
    browser: Option<Arc<Browser>>,
    number: u64,
}

impl Supervisor {
    /// Starts nothing yet.
    pub fn new(source: BrowserSource) -> Self {
        Self { source, current: Mutex::default(), life: Arc::default() }
    }

    /// A context in the browser that runs, or in a new one.
    pub async fn context(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Context, SupervisorError> {
        let mut tries_left = TRIES_MAX;
        loop {
            tries_left -= 1;
            let browser = self.browser(deadline).await?;
            match browser.context_with(options.clone(), deadline).await {
                Err(ContextError::Call(CallError::BrowserGone)) if tries_left > 0 => {}
                context => return Ok(context?),
            }
        }
    }

    /// Name and version of the browser that runs, or of a new one.
    pub async fn version(&self, deadline: Deadline) -> Result<String, SupervisorError> {
        Ok(self.browser(deadline).await?.version().to_owned())
    }

    /// How the browser is, now and from now on. A death is told within a second.
    pub fn life(&self) -> watch::Receiver<Life> {
        self.life.subscribe()
    }

    /// Ends the browser and waits until it is gone.
    pub async fn close(self) {
        let current = std::mem::take(&mut *self.current.lock().await);
        if let Some(browser) = current.browser.and_then(Arc::into_inner) {
            browser.close().await;
        }
    }

    /// The browser that runs, or a new one. Who comes while it is started waits for the same one.
    async fn browser(&self, deadline: Deadline) -> Result<Arc<Browser>, SupervisorError> {
        let lock = deadline.limit(self.current.lock()).await;
        let mut current = lock.ok_or(SupervisorError::Deadline)?;
        if let Some(browser) = current.browser.as_ref().filter(|browser| !browser.is_gone()) {
            return Ok(Arc::clone(browser));
        }
        // The dead one leaves its profile to the reaper before the next one comes.
        current.browser = None;
        let begun = deadline.limit(Box::pin(self.begin(deadline))).await;
        let browser = Arc::new(begun.ok_or(SupervisorError::Deadline)??);
        current.number += 1;
        current.browser = Some(Arc::clone(&browser));
        self.attend(&browser, current.number);
        Ok(browser)
    }

    async fn begin(&self, deadline: Deadline) -> Result<Browser, SupervisorError> {
        Ok(match &self.source {
            BrowserSource::Launch(options) => Browser::launch(options).await?,
            BrowserSource::Attach { address } => Browser::attach(address, deadline).await?,
        })
    }

    /// Waits for the death of a browser, without keeping it alive.
    fn attend(&self, browser: &Arc<Browser>, number: u64) {
        self.life.send_replace(Life::Running { number });
        let (client, browser, life) =
            (browser.client().clone(), Arc::downgrade(browser), Arc::clone(&self.life));
        tokio::spawn(async move {
            client.gone().await;
            let why = match browser.upgrade() {
                Some(browser) => browser.obituary(OBITUARY_WAIT).await,
                None => "it was closed".to_owned(),
            };
            life.send_if_modified(|life| {
                // A later one may run already.
                let mine = *life == Life::Running { number };
                if mine {
                    *life = Life::Dead { number, why };
                }
                mine
            });
        });
    }
}
