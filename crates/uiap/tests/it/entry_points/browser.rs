//! One browser for all cases of a test; each case has a context of its own there.

use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use uiap_web::{Browser, Context, Deadline, LaunchOptions, Page};

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);
/// The variable in which `cargo xtask test` names a browser that tests share.
const SHARED: &str = "UIAP_TEST_BROWSER";

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
    /// Attaches to the browser of `cargo xtask test`; without it one is started.
    pub(super) fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (browser, address) = match std::env::var(SHARED) {
            Ok(address) => {
                let attached = runtime.block_on(Browser::attach(&address, Deadline::after(WAIT)));
                (attached.expect("a browser"), address)
            }
            Err(_) => runtime.block_on(launch()),
        };
        Self { runtime, browser, address }
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

async fn launch() -> (Browser, String) {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let options = LaunchOptions { flags, ..LaunchOptions::default() };
    let browser = Browser::launch(&options).await.expect("a browser");
    let file = browser.profile().expect("its profile").join("DevToolsActivePort");
    let end = Instant::now() + WAIT;
    loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some(port) = text.lines().next().and_then(|line| line.parse::<u16>().ok()) {
            return (browser, format!("http://127.0.0.1:{port}"));
        }
        assert!(Instant::now() < end, "the browser does not say its port");
        tokio::task::yield_now().await;
    }
}

impl Drop for OpenPage<'_> {
    fn drop(&mut self) {
        let _guard = self.browser.runtime.enter();
        drop(self.parts.take());
    }
}
