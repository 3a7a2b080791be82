//! The host of the doors: applications are pages of one browser, and everything goes into one journal.

use crate::Trouble;
use crate::browsing::{BrowserFlags, Browsing};
use crate::keeping::JournalFlags;
use crate::opening::open_in;
use crate::running;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;
use uiap_runtime::shell::Runtime;
use uiap_runtime::standing::Standing;
use uiap_server::host::{Application, Asker, Host, OpenError, Opened, Opening, Supplied};
use uiap_server::secrets::Vaulted;
use uiap_store::SqliteJournal;
use uiap_web::{Deadline, WebSurface};

/// How long a page may take to be there, the start of the browser included.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// How long what is under way on a page that is left may take to stop, and the page to close.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// Opens pages in one browser, which starts with the first one.
pub(crate) struct WebHost {
    browser: BrowserFlags,
    journal: JournalFlags,
    supplied: Supplied,
    started: Mutex<Started>,
}

/// What was started, and is kept for the next page.
#[derive(Default)]
struct Started {
    browsing: Option<Browsing>,
    journal: Option<Arc<SqliteJournal>>,
}

impl WebHost {
    /// A host that has started nothing.
    pub(crate) fn new(browser: BrowserFlags, journal: JournalFlags, supplied: Supplied) -> Self {
        Self { browser, journal, supplied, started: Mutex::default() }
    }

    async fn opened(&self, Opening { address, asker }: Opening) -> Result<Opened<Self>, Trouble> {
        let bundle = self.supplied.bundle.as_deref();
        let policies = self.supplied.policies.clone();
        let standing = match asker {
            Asker::BeforeAPerson(agent) => Standing::before_a_person(agent, policies),
            Asker::Principal(principal) => Standing::of(*principal, policies),
        };
        let standing =
            standing.map_err(|error| Trouble::WrongUse(format!("The policies are too much: {error}.")))?;
        let settings = running::settings(standing, running::application_of(bundle, &address)?)?;
        let deadline = Deadline::after(PAGE_WAIT);
        let mut started = self.started.lock().await;
        let journal = match &started.journal {
            Some(journal) => Arc::clone(journal),
            None => Arc::clone(started.journal.insert(Arc::new(self.journal.open()?))),
        };
        if started.browsing.as_ref().is_some_and(Browsing::is_gone) {
            started.browsing = None;
        }
        let browsing = match &mut started.browsing {
            Some(browsing) => browsing,
            empty => {
                let browser = self.browser.browser(deadline).await?;
                empty.insert(self.browser.begin(browser, deadline).await?)
            }
        };
        let (page, remarks) = open_in(browsing, &address, bundle, deadline).await?;
        let catalogue = bundle.map_or_else(
            uiap_runtime::catalogue::Catalogue::new,
            uiap_runtime::catalogue::Catalogue::of_bundle,
        );
        let runtime = Runtime::new(
            Vaulted::new(WebSurface::new(page), Arc::clone(&self.supplied.secrets)),
            Vaulted::new(journal, Arc::clone(&self.supplied.secrets)),
            catalogue,
            settings,
        );
        Ok(Arc::new(Application { runtime, remarks }))
    }
}

impl Host for WebHost {
    type Surface = Vaulted<WebSurface>;
    type Journal = Vaulted<Arc<SqliteJournal>>;

    fn supplied(&self) -> &Supplied {
        &self.supplied
    }

    async fn open(&self, opening: Opening) -> Result<Opened<Self>, OpenError> {
        let address = opening.address.clone();
        self.opened(opening).await.map_err(|trouble| match trouble {
            Trouble::WrongUse(message) => OpenError::Address { message },
            Trouble::Missing(message) => OpenError::Missing { message },
            other => OpenError::Unreachable { address, reason: format!("{:#}", anyhow::Error::new(other)) },
        })
    }

    async fn close(&self, application: Opened<Self>) {
        let runtime = &application.runtime;
        runtime.close("the page was left");
        // What does not stop in time ends with its page, and is told as unknown.
        let _ = timeout(STOP_WAIT, runtime.until_idle()).await;
        runtime.surface().inner().page().close(Deadline::after(STOP_WAIT)).await;
    }

    async fn end(&self) {
        let browsing = self.started.lock().await.browsing.take();
        if let Some(browsing) = browsing {
            browsing.close().await;
        }
    }
}
