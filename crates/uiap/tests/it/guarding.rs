//! Videoland behind the guard: people stay signed in, pages are read, and no trap of the Lab has an effect.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use uiap_web::guard::{Authority, Fate, Grounds, Guard, Passage, Reason, Rules};
use uiap_web::{Browser, Context, ContextOptions, Deadline, LaunchOptions, Page, StorageState};
use url::Url;
use videoland::{Options, Server};

const WAIT: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(20);

fn soon() -> Deadline {
    Deadline::after(WAIT)
}

struct Stage {
    server: Server,
    browser: Browser,
    authority: Arc<Authority>,
}

impl Stage {
    async fn open() -> Self {
        let options = Options { test_api: true, ..Options::default() };
        let server = Server::start(options).await.expect("Videoland starts");
        let authority = Arc::new(Authority::new().expect("an authority"));
        let options = LaunchOptions { flags: authority.flags(), ..LaunchOptions::default() };
        let browser = Browser::launch(&options).await.expect("a browser");
        Self { server, browser, authority }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server.origin())
    }

    /// A context behind a guard of its own.
    async fn guarded(&self) -> (Guard, Context) {
        let home = Url::parse(&self.server.origin()).expect("an address");
        let guard = Guard::start(Arc::clone(&self.authority), Rules::of(&[home])).await.expect("a guard");
        let options = ContextOptions { proxy: Some(guard.proxy()), ..ContextOptions::default() };
        let context = self.browser.context_with(options, soon()).await.expect("a context");
        (guard, context)
    }

    /// What somebody has who signed in while the gate was open.
    async fn signed_in(&self) -> StorageState {
        let (guard, context) = self.guarded().await;
        guard.open();
        let page = context.open(&self.url("/login"), soon()).await.expect("a page");
        let sign_in = "fetch('/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, \
                       body: JSON.stringify({ user: 'admin', password: 'videoland' }) }).then(({ ok }) => ok)";
        assert_eq!(run(&page, sign_in).await, true);
        let login = |passage: &Passage| passage.fate == Fate::Passed(Grounds::OpenGate(Reason::Method));
        assert_eq!(
            guard.passages(0).0.iter().filter(|passage| login(passage)).count(),
            1,
            "the login is recorded"
        );
        assert_eq!(guard.tally().let_through, 1);
        let state = context.storage(soon()).await.expect("a state");
        let text = serde_json::to_string(&state).expect("a text");
        serde_json::from_str(&text).expect("the same state")
    }

    /// Asks the server past the browser.
    async fn ask(&self, method: &str, path: &str) -> Value {
        let mut stream = tokio::net::TcpStream::connect(self.server.address()).await.expect("a connection");
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_default()
    }

    /// What was applied, as `kind id`.
    async fn effects(&self) -> Vec<String> {
        let ledger = self.ask("GET", "/__test/ledger").await;
        let word = |effect: &Value, name: &str| effect[name].as_str().unwrap_or_default().to_owned();
        let effects = ledger["effects"].as_array().expect("a list");
        effects.iter().map(|effect| format!("{} {}", word(effect, "kind"), word(effect, "id"))).collect()
    }
}

async fn run(page: &Page, script: &str) -> Value {
    page.evaluate_main(script, soon()).await.expect("a value")
}

async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + WAIT;
    while !so().await {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(POLL).await;
    }
}

fn held(guard: &Guard) -> Vec<String> {
    let line = |passage: Passage| match &passage.fate {
        Fate::Held(reason) => {
            let path = passage.address.splitn(4, '/').nth(3).unwrap_or_default();
            Some(format!("{} /{path} {}", passage.method, reason.code()))
        }
        _ => None,
    };
    guard.passages(0).0.into_iter().filter_map(line).collect()
}

/// Every page that can be shown without knowing any id but that of a video.
const ROUTES: &[&str] = &[
    "/",
    "/videos",
    "/videos?view=virtual",
    "/videos/new",
    "/videos/1",
    "/team",
    "/settings/profile",
    "/settings/security",
    "/settings/billing",
    "/settings/appearance",
    "/embedded",
    "/lab",
];

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_signed_in_stays_so_and_reads_everything() {
    let stage = Stage::open().await;
    let state = stage.signed_in().await;
    let (guard, context) = stage.guarded().await;
    context.restore(&state, soon()).await.expect("it is restored");
    let mut page = context.open(&stage.url("/"), soon()).await.expect("a page");
    for route in ROUTES {
        page.go(&stage.url(route), soon()).await.expect("a page");
        until(&format!("{route} shows something"), async || {
            run(
                &page,
                "document.querySelector('main h1') !== null && !location.pathname.startsWith('/login')",
            )
            .await
                == true
        })
        .await;
    }
    until("the page is quiet", async || page.in_flight().is_empty()).await;
    assert_eq!(held(&guard), Vec::<String>::new());
    let failed = |passage: &Passage| matches!(passage.fate, Fate::Failed(_));
    let failed: Vec<_> = guard.passages(0).0.into_iter().filter(failed).collect();
    assert_eq!(failed, []);
}

/// Presses everything in the Lab that can be pressed, as somebody who agrees to everything.
const PRESS: &str = "(() => {
    window.confirm = () => true;
    window.alert = () => undefined;
    const things = [...document.querySelectorAll('.hazard-body button, .hazard-body a, .hazard-body input[type=checkbox], .hazard-body input[type=radio]')];
    // The one asks before the page is left; the other answers in the place where the form before it answers.
    const later = ['lab.leave.ask', 'lab.get_effect.remove'];
    things.filter((thing) => !later.includes(thing.dataset.uiapId)).forEach((thing) => thing.click());
    return things.length;
})()";

#[tokio::test(flavor = "multi_thread")]
async fn no_trap_of_the_lab_has_an_effect_behind_the_closed_gate() {
    let stage = Stage::open().await;
    let state = stage.signed_in().await;
    stage.ask("POST", "/__test/reset").await;
    let (guard, context) = stage.guarded().await;
    context.restore(&state, soon()).await.expect("it is restored");
    let mut page = context.open(&stage.url("/lab"), soon()).await.expect("a page");
    until("the Lab is shown", async || {
        run(&page, "document.querySelectorAll('.hazard').length > 30").await == true
    })
    .await;
    assert!(run(&page, PRESS).await.as_u64().is_some_and(|count| count > 60));
    for line in [
        "POST /api/lab/effects/ten_languages method",
        "POST /api/lab/effects/native_dialog method",
        "POST /api/lab/effects/service_worker method",
        "POST /api/lab/effects/double_submit method",
        "GET /api/lab/links/get_effect?seats=1 for_programs",
        "GET /api/lab/socket socket",
        "POST /api/lab/graphql mutation",
    ] {
        until(&format!("{line} among {:#?}", held(&guard)), async || {
            held(&guard).iter().any(|held| held == line)
        })
        .await;
    }
    run(&page, "document.querySelector('[data-uiap-id=\"lab.get_effect.remove\"]').click()").await;
    let link = "GET /api/lab/links/get_effect?delete=old command";
    until("the link that deletes", async || held(&guard).iter().any(|held| held == link)).await;
    page.go(&stage.url("/"), soon()).await.expect("a page");
    let beacon = "POST /api/lab/effects/leave method";
    until("the beacon on leaving", async || held(&guard).iter().any(|held| held == beacon)).await;
    assert_eq!(stage.effects().await, Vec::<String>::new());
    let writes = stage.ask("GET", "/__test/writes").await;
    let paths: Vec<_> =
        writes["writes"].as_array().expect("a list").iter().map(|write| &write["path"]).collect();
    assert_eq!(paths, ["/api/lab/graphql"], "the one question by POST passed");

    // The traps are real: with an open gate they do something.
    guard.open();
    page.go(&stage.url("/lab"), soon()).await.expect("a page");
    until("the Lab is shown", async || {
        run(&page, "document.querySelectorAll('.hazard').length > 30").await == true
    })
    .await;
    run(&page, PRESS).await;
    for trap in ["get_effect", "socket", "service_worker", "graphql", "ten_languages", "native_dialog"] {
        let effect = format!("lab.effect {trap}");
        until(&effect, async || stage.effects().await.contains(&effect)).await;
    }
}
