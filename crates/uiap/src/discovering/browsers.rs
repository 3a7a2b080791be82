//! The browsers of a run: pages are spread over them, and one that dies leaves its pages to the others.

use crate::Trouble;
use crate::browsing::no_browser;
use std::time::Duration;
use uiap_web::guard::Guard;
use uiap_web::{BrowserSource, Context, ContextOptions, Deadline, Supervisor, SupervisorError};

/// How long a browser may take to be there, and to give a place for pages.
const BROWSER_WAIT: Duration = Duration::from_secs(45);

/// The browsers of a run.
pub(super) struct Browsers {
    all: Vec<Kept>,
    version: String,
}

struct Kept {
    supervisor: Supervisor,
    /// It was started here, so that it trusts the guards.
    is_ours: bool,
}

impl Browsers {
    /// Starts browsers, or attaches to those that run. Each of them has to be there at the beginning.
    pub(super) async fn open(sources: Vec<BrowserSource>) -> Result<Self, Trouble> {
        let (mut all, mut version) = (Vec::new(), String::new());
        for source in sources {
            let is_ours = matches!(source, BrowserSource::Launch(_));
            let supervisor = Supervisor::new(source);
            version = supervisor.version(Deadline::after(BROWSER_WAIT)).await.map_err(no_browser)?;
            all.push(Kept { supervisor, is_ours });
        }
        Ok(Self { all, version })
    }

    /// What the last of them is.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// A place for pages behind a guard, in the browser whose turn it is. One that died is started anew; where that
    /// cannot be done, the next one takes its turn.
    pub(super) async fn context(
        &self,
        number: usize,
        guard: &Guard,
        options: &ContextOptions,
    ) -> Result<Context, SupervisorError> {
        let turn = number % self.all.len().max(1);
        let in_turn = self.all.iter().cycle().skip(turn).take(self.all.len());
        let mut trouble = SupervisorError::Deadline;
        for Kept { supervisor, is_ours } in in_turn {
            let proxy = if *is_ours { guard.proxy() } else { guard.proxy().unpinned() };
            let options = ContextOptions { proxy: Some(proxy), ..options.clone() };
            match supervisor.context(options, Deadline::after(BROWSER_WAIT)).await {
                Ok(context) => return Ok(context),
                Err(error) => trouble = error,
            }
        }
        Err(trouble)
    }

    /// Ends those that are ours.
    pub(super) async fn close(self) {
        for kept in self.all {
            kept.supervisor.close().await;
        }
    }
}
