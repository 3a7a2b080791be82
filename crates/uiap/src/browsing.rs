//! The browser of a command: which one, and how it shows pages.

use crate::Trouble;
use crate::report::sentence;
use anyhow::Context as _;
use clap::Args;
use std::path::PathBuf;
use uiap_web::guard::Authority;
use uiap_web::{
    AttachError, Browser, BrowserSource, Context, ContextOptions, Deadline, LaunchError, LaunchOptions,
    OpenError, Page, SupervisorError, Viewport,
};

/// The flags of every command that needs a browser.
#[derive(Args, Debug)]
#[command(next_help_heading = "Browser")]
pub(crate) struct BrowserFlags {
    /// The browser: a program, or the address of a running one (http://, https://, ws:// or wss://).
    ///
    /// Without it the program in the variable `CHROME`, then the first that is installed. A running browser answers
    /// at the address that it was started with, such as `--remote-debugging-port=9222`, and is left running.
    /// `uiap discover` takes several, and spreads its pages over them.
    #[arg(long, value_name = "PATH|ADDRESS")]
    browser: Vec<String>,
    /// Keep the browser's profile (cookies, logins) in this folder; otherwise it is fresh and vanishes
    #[arg(long, value_name = "DIR")]
    user_data: Option<PathBuf>,
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
    /// The size of the page in CSS pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    viewport: Viewport,
}

/// A browser and the part of it that is ours.
#[derive(Debug)]
pub(crate) struct Browsing {
    browser: Browser,
    /// None for a guest, who looks at what somebody else opened.
    context: Option<Context>,
}

impl BrowserFlags {
    /// Starts the browser, or attaches to the one that runs.
    pub(crate) async fn browser(&self, deadline: Deadline) -> Result<Browser, Trouble> {
        if self.browser.len() > 1 {
            let advice = "One browser is enough here: give --browser once.".to_owned();
            return Err(Trouble::WrongUse(advice));
        }
        match self.source(self.browser.first(), Vec::new())? {
            BrowserSource::Launch(options) => Browser::launch(&options).await.map_err(no_launch),
            BrowserSource::Attach { address } => {
                Browser::attach(&address, deadline).await.map_err(no_attachment)
            }
        }
    }

    /// Where the browsers of a run come from that explores behind guards; at least one.
    pub(crate) fn sources(&self, authority: &Authority) -> Result<Vec<BrowserSource>, Trouble> {
        if self.browser.len() > 1 && self.user_data.is_some() {
            let advice = "Several browsers cannot share one profile: leave out --user-data.".to_owned();
            return Err(Trouble::WrongUse(advice));
        }
        match self.browser.as_slice() {
            [] => Ok(vec![self.source(None, authority.flags())?]),
            all => all.iter().map(|one| self.source(Some(one), authority.flags())).collect(),
        }
    }

    /// The same, for a browser of its own: it shares no profile with another.
    pub(crate) fn alone(&self) -> Self {
        Self { browser: self.browser.clone(), user_data: None, headed: self.headed, viewport: self.viewport }
    }

    /// The address of the browser, if it runs already.
    pub(crate) fn address(&self) -> Option<&str> {
        self.browser.iter().map(String::as_str).find(|browser| is_address(browser))
    }

    /// Makes a place for pages that share what they know, such as who is signed in.
    pub(crate) async fn begin(&self, browser: Browser, deadline: Deadline) -> Result<Browsing, Trouble> {
        let options = ContextOptions { viewport: self.viewport, ..ContextOptions::default() };
        let context = match self.user_data {
            Some(_) => browser.lasting_context(options, deadline).await,
            None => browser.context_with(options, deadline).await,
        };
        let context = context.context("the browser gives no place for the page")?;
        Ok(Browsing { browser, context: Some(context) })
    }

    /// How large pages are.
    pub(crate) fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// A person can see the pages: they have a window, or the browser is somebody's own.
    pub(crate) fn is_visible(&self) -> bool {
        self.headed || self.address().is_some()
    }

    fn source(&self, browser: Option<&String>, flags: Vec<String>) -> Result<BrowserSource, Trouble> {
        let Some(address) = browser.filter(|browser| is_address(browser)) else {
            return Ok(BrowserSource::Launch(LaunchOptions {
                program: browser.map(PathBuf::from),
                headed: self.headed,
                user_data: self.user_data.clone(),
                flags,
                ..LaunchOptions::default()
            }));
        };
        let set = [("--user-data", self.user_data.is_some()), ("--headed", self.headed)];
        if let Some((flag, _)) = set.iter().find(|(_, set)| *set) {
            let advice = format!("{flag} is for a browser that is started here; \"{address}\" runs already.");
            return Err(Trouble::WrongUse(advice));
        }
        Ok(BrowserSource::Attach { address: address.clone() })
    }
}

impl Browsing {
    /// A guest in a browser.
    pub(crate) fn guest(browser: Browser) -> Self {
        Self { browser, context: None }
    }

    /// The browser is gone, whoever ended it.
    pub(crate) fn is_gone(&self) -> bool {
        self.browser.is_gone()
    }

    /// Opens a page in our place.
    pub(crate) async fn open(&self, address: &str, deadline: Deadline) -> Result<Page, Trouble> {
        let context = self.context.as_ref().context("a guest opens no pages")?;
        context.open(address, deadline).await.map_err(|error| match error {
            OpenError::ApprovalPage { .. } => Trouble::WrongUse(format!("{}.", sentence(&error.to_string()))),
            other => anyhow::Error::new(other).into(),
        })
    }

    /// Ends the browser, if it is ours, so that it can write what it keeps.
    pub(crate) async fn close(self) {
        drop(self.context);
        self.browser.close().await;
    }
}

/// It runs already, and answers there.
fn is_address(browser: &str) -> bool {
    browser.contains("://")
}

/// Why there is no browser, whichever way it was to come.
pub(crate) fn no_browser(error: SupervisorError) -> Trouble {
    match error {
        SupervisorError::Launch(error) => no_launch(error),
        SupervisorError::Attach(error) => no_attachment(error),
        other => Trouble::Missing(format!("{:#}", anyhow::Error::new(other))),
    }
}

fn no_launch(error: LaunchError) -> Trouble {
    match error {
        LaunchError::Find(missing) => Trouble::Missing(missing.to_string()),
        other => Trouble::Missing(format!("{:#}", anyhow::Error::new(other))),
    }
}

fn no_attachment(error: AttachError) -> Trouble {
    match error {
        AttachError::Address { .. } => Trouble::WrongUse(error.to_string()),
        other => Trouble::Missing(format!("{:#}", anyhow::Error::new(other))),
    }
}
