//! One browser for all cases of a test; each case has a context of its own there.

use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use uiap_web::{Browser, Context, Deadline, LaunchOptions, Page};

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);

pub(super) struct SharedBrowser {
    runtime: Runtime,
    browser: Browser,
    /// For `--browser`.
    pub(super) address: String,
}

/// A page that is open in a context of its own until the value ends.
pub(super) struct OpenPage<'b> {
    browser: &'b SharedBrowser,
    parts: Option<(Page, Context)>,
}

impl SharedBrowser {
    pub(super) fn launch() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let flags = vec!["--remote-debugging-port=0".to_owned()];
        let options = LaunchOptions { flags, ..LaunchOptions::default() };
        let browser = runtime.block_on(Browser::launch(&options)).expect("a browser");
        let file = browser.profile().expect("its profile").join("DevToolsActivePort");
        let end = Instant::now() + WAIT;
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(port) = text.lines().next().and_then(|line| line.parse::<u16>().ok()) {
                return Self { runtime, browser, address: format!("http://127.0.0.1:{port}") };
            }
            assert!(Instant::now() < end, "the browser does not say its port");
            std::thread::yield_now();
        }
    }

    pub(super) fn open(&self, address: &str) -> OpenPage<'_> {
        let parts = self.runtime.block_on(async {
            let context = self.browser.context(Deadline::after(WAIT)).await.expect("a context");
            let page = context.open(address, Deadline::after(WAIT)).await.expect("a page");
            (page, context)
        });
        OpenPage { browser: self, parts: Some(parts) }
    }

    pub(super) fn close(self) {
        self.runtime.block_on(self.browser.close());
    }
}

impl Drop for OpenPage<'_> {
    fn drop(&mut self) {
        let _guard = self.browser.runtime.enter();
        drop(self.parts.take());
    }
}
