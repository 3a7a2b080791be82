//! What the tests share: a tiny site on the loopback interface, and a look at the process table.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot help fails the test"
)]

pub(crate) mod acting;
mod site;
pub(crate) mod stage;

pub(crate) use site::{Reply, Site};

use std::path::Path;
use std::time::{Duration, Instant};
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{Browser, BrowserSignal, Context, ContextOptions, Deadline, LaunchOptions, Page, Position};

/// Nothing in these tests takes this long unless it is broken.
pub(crate) const WAIT: Duration = Duration::from_secs(30);
/// How often a condition is looked at that nobody announces.
const POLL: Duration = Duration::from_millis(5);

pub(crate) fn soon() -> Deadline {
    Deadline::after(WAIT)
}

/// A site with one page for every path.
pub(crate) async fn site_of(body: &str) -> Site {
    let body = body.to_owned();
    Site::start(move |_, _| Reply::Page(body.clone())).await
}

/// The variable that names a browser that tests share; see the example `shared_browser`.
const SHARED: &str = "UIAP_TEST_BROWSER";

/// A browser that other tests may be using too; what a test opens is in contexts of its own.
pub(crate) async fn browser() -> Browser {
    match std::env::var(SHARED) {
        Ok(address) => Browser::attach(&address, soon()).await.unwrap(),
        Err(_) => own_browser().await,
    }
}

/// A browser that nothing else uses. Where none is installed the test fails with the sentence that says how to get one.
pub(crate) async fn own_browser() -> Browser {
    match Browser::launch(&LaunchOptions::default()).await {
        Ok(browser) => browser,
        Err(error) => panic!("{error}"),
    }
}

pub(crate) async fn context(browser: &Browser) -> Context {
    browser.context(soon()).await.unwrap()
}

/// A page in a context of its own.
pub(crate) async fn open(url: &str) -> (Browser, Page) {
    open_in(browser().await, url).await
}

/// A page in a browser that nothing else uses.
pub(crate) async fn open_alone(url: &str) -> (Browser, Page) {
    open_in(own_browser().await, url).await
}

async fn open_in(browser: Browser, url: &str) -> (Browser, Page) {
    let page = context(&browser).await.open(url, soon()).await.unwrap();
    (browser, page)
}

/// The elements of a page as `role name`, one per line.
pub(crate) async fn seen(page: &Page) -> String {
    let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
    lines(&look.graph)
}

/// The buttons, links and fields of a page; what surrounds them is the publisher's business.
pub(crate) fn lines(graph: &uiap_protocol::web::PageGraph) -> String {
    use uiap_protocol::capability::Role;
    let wanted = |element: &&uiap_protocol::web::ElementNode| {
        matches!(element.role, Role::Button | Role::Link | Role::Textbox)
    };
    let line = |element: &uiap_protocol::web::ElementNode| {
        let role = serde_json::to_value(&element.role).unwrap();
        format!("{} {}", role.as_str().unwrap(), element.name.as_deref().unwrap_or("-"))
    };
    graph.elements.iter().filter(wanted).map(line).collect::<Vec<_>>().join("\n")
}

/// Processes (zombies excepted) whose command line names this folder.
pub(crate) fn users_of(folder: &Path) -> Vec<u32> {
    let wanted = folder.to_str().unwrap().as_bytes();
    let names = |process: &u32| {
        let line = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        line.windows(wanted.len()).any(|part| part == wanted)
    };
    let processes = Path::new("/proc").read_dir().unwrap().flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(names).collect()
}

/// Children of this process that ended and were not reaped.
pub(crate) fn own_zombies() -> usize {
    let own = std::process::id().to_string();
    let is_zombie = |stat: &String| {
        let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        rest.starts_with(&format!("Z {own} "))
    };
    let processes = Path::new("/proc").read_dir().unwrap().flatten();
    processes
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
        .filter(is_zombie)
        .count()
}

/// Waits until something is so; fails with the given words when it does not come about.
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let end = Instant::now() + WAIT;
    while !so() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::park_timeout(POLL);
    }
}

/// The same for something that has to be asked for.
pub(crate) async fn until_async(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + WAIT;
    while !so().await {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(POLL).await;
    }
}

pub(crate) fn kill(process: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(process).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// A browser that others can attach to, and its `http://` address.
pub(crate) async fn reachable() -> (Browser, String) {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await.unwrap();
    let file = browser.profile().unwrap().join("DevToolsActivePort");
    let mut port = None;
    until("the browser says its port", || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        port = text.lines().next().and_then(|line| line.parse::<u16>().ok());
        port.is_some()
    });
    (browser, format!("http://127.0.0.1:{}", port.unwrap()))
}

/// A signal as JSON.
pub(crate) fn json_of(signal: &uiap_protocol::web::WebSignal) -> serde_json::Value {
    serde_json::to_value(signal).unwrap()
}

/// Waits for a signal of a kind whose members are as given; fails with what came instead.
pub(crate) async fn signal(
    page: &Page,
    since: Position,
    kind: BrowserSignal,
    members: serde_json::Value,
) -> serde_json::Value {
    let wanted = |signal: &uiap_protocol::web::WebSignal| {
        let told = json_of(signal);
        let has = |(name, value): (&String, &serde_json::Value)| told.get(name) == Some(value);
        BrowserSignal::of(signal) == Some(kind) && members.as_object().unwrap().iter().all(has)
    };
    match page.signals().find(since, Deadline::after(WAIT / 3), wanted).await {
        Some(found) => json_of(&found),
        None => {
            let all: Vec<_> = page
                .signals()
                .since(since)
                .signals
                .iter()
                .map(|signal| json_of(signal).to_string())
                .collect();
            panic!("no {kind:?} with {members} among\n{}", all.join("\n"))
        }
    }
}

/// A page in a browser of its own, in a context of its own.
pub(crate) async fn open_with(url: &str, options: ContextOptions) -> (Browser, Context, Page) {
    let browser = browser().await;
    let context = browser.context_with(options, soon()).await.unwrap();
    let page = context.open(url, soon()).await.unwrap();
    (browser, context, page)
}
