//! The guard before a real browser: whatever a page tries, nothing that writes arrives.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::{Arc, Mutex};
use tokio::net::UdpSocket;
use uiap_web::guard::{Authority, Fate, Fault, Guard, Passage, Rules};
use uiap_web::{Browser, Context, ContextOptions, LaunchOptions, Page};
use url::Url;

/// What arrived at a site, as `METHOD /path`.
type Arrived = Arc<Mutex<Vec<String>>>;

/// A site whose pages do nothing by themselves and whose server writes down everything that arrives.
fn answers(arrived: &Arrived) -> impl Fn(&str, &str) -> Reply + Send + Sync + 'static {
    let arrived = Arc::clone(arrived);
    move |path, request| {
        let method = request.split(' ').next().unwrap_or_default();
        let socket = if request.to_lowercase().contains("upgrade: websocket") { " (socket)" } else { "" };
        arrived.lock().unwrap().push(format!("{method} {path}{socket}"));
        match path.split('?').next().unwrap_or_default() {
            "/worker.js" | "/shared.js" => Reply::Script("fetch('/from-worker', { method: 'POST' })"),
            "/service.js" => Reply::Script(
                "addEventListener('activate', (event) => event.waitUntil(fetch('/from-service', { method: 'PUT' })))",
            ),
            "/events" => Reply::Typed("text/event-stream", "data: 1\n\n"),
            "/graphql" => Reply::Typed("application/json", "{\"data\":{\"likes\":3}}"),
            "/file" => Reply::Header("Content-Disposition: attachment; filename=\"x.txt\"", "x"),
            "/reporting" => Reply::Header(
                "Content-Security-Policy-Report-Only: img-src 'none'; report-uri /csp-old",
                "<link rel=icon href='data:,'><img src='/picture.png'>",
            ),
            "/reporting-later" => Reply::Header(
                "Reporting-Endpoints: main=\"/reports\"\r\nContent-Security-Policy-Report-Only: img-src 'none'; report-to main",
                "<link rel=icon href='data:,'><img src='/picture.png'>",
            ),
            _ => Reply::Page("<link rel=icon href='data:,'><title>x</title><body>".into()),
        }
    }
}

/// A browser whose only context stands behind a guard.
struct Post {
    _browser: Browser,
    guard: Guard,
    context: Context,
}

impl Post {
    async fn before(site: &Site, roots: &[CertificateDer<'static>]) -> Self {
        let authority = Arc::new(Authority::new().unwrap());
        let mut flags = authority.flags();
        // Reports of what a page did wrong are sent at once, and not when a minute has passed.
        flags.push("--short-reporting-delay".to_owned());
        let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await.unwrap();
        let rules = Rules::of(&[Url::parse(&site.url("/")).unwrap()]);
        let guard = Guard::start_trusting(authority, rules, roots).await.unwrap();
        let options = ContextOptions { proxy: Some(guard.proxy()), ..ContextOptions::default() };
        let context = browser.context_with(options, soon()).await.unwrap();
        Self { _browser: browser, guard, context }
    }

    /// What was held back, as `METHOD /path: code`.
    fn held(&self) -> Vec<String> {
        let line = |passage: Passage| match &passage.fate {
            Fate::Held(reason) => Some(format!("{} {}: {}", passage.method, path(&passage), reason.code())),
            _ => None,
        };
        self.guard.passages(0).0.into_iter().filter_map(line).collect()
    }

    async fn until_held(&self, line: &str) {
        until_async(&format!("{line} among {:?}", self.held()), async || {
            self.held().iter().any(|held| held == line)
        })
        .await;
    }
}

fn path(passage: &Passage) -> String {
    format!("/{}", passage.address.splitn(4, '/').nth(3).unwrap_or_default())
}

async fn run(page: &Page, script: &str) -> serde_json::Value {
    page.evaluate_main(script, soon()).await.unwrap()
}

/// Ways to write that leave the page where it is, and what the guard says to each.
const CHANNELS: &[(&str, &str)] = &[
    ("fetch('/fetch', { method: 'POST' })", "POST /fetch: method"),
    ("fetch('/text', { method: 'POST', body: 'x', mode: 'no-cors' })", "POST /text: method"),
    ("fetch('/json', { method: 'PUT', body: '{}' })", "PUT /json: method"),
    ("fetch('/gone', { method: 'DELETE' })", "DELETE /gone: method"),
    ("fetch('/videos/5/delete')", "GET /videos/5/delete: command"),
    ("fetch('/keep', { method: 'POST', keepalive: true })", "POST /keep: method"),
    ("fetch('/stream', { method: 'POST', body: new Blob(['x'.repeat(3e6)]) })", "POST /stream: method"),
    (
        "new Promise((end) => { const r = new XMLHttpRequest(); r.onloadend = end; r.open('PATCH', '/xhr'); r.send('x') })",
        "PATCH /xhr: method",
    ),
    ("navigator.sendBeacon('/beacon', 'x')", "POST /beacon: method"),
    ("new Image().src = '/logout'", "GET /logout: command"),
    ("new Worker('/worker.js')", "POST /from-worker: method"),
    ("new SharedWorker('/shared.js?2')", "POST /from-worker: method"),
    ("void navigator.serviceWorker.register('/service.js')", "PUT /from-service: method"),
    ("void new WebSocket(location.origin.replace('http', 'ws') + '/socket')", "GET /socket: socket"),
    (
        "fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: 'mutation { like }' }) })",
        "POST /graphql: mutation",
    ),
    ("frame(`<form method=post action=/framed></form>`, 'form')", "POST /framed: method"),
    ("frame(`<form action=/orders/5/cancel></form>`, 'form')", "GET /orders/5/cancel?: command"),
    (
        "frame(`<form action=/api/book><input name=seats value=1></form>`, 'form')",
        "GET /api/book?seats=1: for_programs",
    ),
    ("head('<link rel=prefetch href=/prefetch/delete>')", "GET /prefetch/delete: command"),
    ("head('<link rel=preload as=fetch href=/preload/delete>')", "GET /preload/delete: command"),
    (
        "speculate({ prefetch: [{ urls: ['/speculate/logout'], eagerness: 'immediate' }] })",
        "GET /speculate/logout: command",
    ),
    (
        "void fetch(location.origin.replace('127.0.0.1', 'localhost') + '/elsewhere', { method: 'POST', mode: 'no-cors' })",
        "POST /elsewhere: method",
    ),
];

/// What the channels are made with.
const TOOLS: &str = "void Object.assign(window, {
    head: (html) => document.head.append(document.createRange().createContextualFragment(html)),
    speculate: (rules) => { const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify(rules); document.head.append(s) },
    frame: (html, submit) => { const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.body.innerHTML = html; f.contentDocument.querySelector(submit).submit() },
})";

/// Ways to write that leave the page, or leave with it.
const FAREWELLS: &[(&str, &str)] = &[
    (
        "document.body.innerHTML = '<form method=post action=/posted><input name=a value=b></form>', document.forms[0].submit()",
        "POST /posted: method",
    ),
    (
        "document.body.innerHTML = '<a href=/items?action=delete&id=5>x</a>', document.querySelector('a').click()",
        "GET /items?action=delete&id=5: command",
    ),
    (
        "addEventListener('pagehide', () => navigator.sendBeacon('/goodbye', 'x')), location.href = '/next'",
        "POST /goodbye: method",
    ),
    (
        "addEventListener('pagehide', () => fetch('/kept', { method: 'POST', keepalive: true })), location.href = '/next'",
        "POST /kept: method",
    ),
    (
        "location.href = location.origin.replace('127.0.0.1', 'localhost') + '/elsewhere'",
        "GET /elsewhere: elsewhere",
    ),
    ("void open('/popup/delete')", "GET /popup/delete: command"),
];

async fn nothing_writes(site: &Site, arrived: &Arrived, roots: &[CertificateDer<'static>]) {
    let post = Post::before(site, roots).await;
    let mut page = post.context.open(&site.url("/"), soon()).await.unwrap();
    run(&page, TOOLS).await;
    for (script, expected) in CHANNELS {
        let wrapped = format!("Promise.resolve({script}).catch(() => 0).then(() => 1)");
        run(&page, &wrapped).await;
        post.until_held(expected).await;
    }
    for (script, expected) in FAREWELLS {
        page.go(&site.url("/"), soon()).await.unwrap();
        run(&page, &format!("void setTimeout(() => {{ {script} }})")).await;
        post.until_held(expected).await;
    }
    page.go(&site.url("/reporting"), soon()).await.unwrap();
    post.until_held("POST /csp-old: method").await;
    if site.url("").starts_with("https") {
        page.go(&site.url("/reporting-later"), soon()).await.unwrap();
        post.until_held("POST /reports: method").await;
    }
    reads_pass(&mut page, site).await;
    let arrived = arrived.lock().unwrap().clone();
    let wrong: Vec<_> = arrived
        .iter()
        .filter(|line| !line.starts_with("GET ") && !["POST /graphql", "HEAD /x"].contains(&line.as_str()))
        .chain(arrived.iter().filter(|line| {
            ["=delete", "/delete", "logout", "cancel", "seats", "socket", "elsewhere"]
                .iter()
                .any(|word| line.contains(word))
        }))
        .collect();
    assert_eq!(wrong, Vec::<&String>::new(), "of {arrived:?}");
    assert_eq!(arrived.iter().filter(|line| *line == "POST /graphql").count(), 1, "{arrived:?}");
}

/// What only reads is not hindered.
async fn reads_pass(page: &mut Page, site: &Site) {
    page.go(&site.url("/"), soon()).await.unwrap();
    for (script, answer) in [
        ("fetch('/removed-items').then((answer) => answer.status)", serde_json::json!(200)),
        ("fetch('/x', { method: 'HEAD' }).then((answer) => answer.status)", serde_json::json!(200)),
        ("fetch('/file').then((answer) => answer.text())", serde_json::json!("x")),
        (
            "new Promise((told) => { const s = new EventSource('/events'); s.onmessage = ({ data }) => { s.close(); told(data) } })",
            serde_json::json!("1"),
        ),
        (
            "fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: 'query { likes }' }) }).then((answer) => answer.json()).then(({ data }) => data.likes)",
            serde_json::json!(3),
        ),
    ] {
        assert_eq!(run(page, script).await, answer, "{script}");
    }
}

#[tokio::test]
async fn nothing_that_writes_gets_past_the_guard() {
    let arrived = Arrived::default();
    let site = Site::start(answers(&arrived)).await;
    nothing_writes(&site, &arrived, &[]).await;
}

/// A certificate for this machine that nobody trusts, and what a server needs to show it.
fn certified() -> (CertificateDer<'static>, Arc<rustls::ServerConfig>) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let builder =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = builder.with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    (made.cert.der().clone(), Arc::new(config))
}

#[tokio::test]
async fn nothing_that_writes_gets_past_the_guard_in_secret() {
    let arrived = Arrived::default();
    let (root, config) = certified();
    let site = Site::start_encrypted(config, answers(&arrived)).await;
    nothing_writes(&site, &arrived, &[root]).await;
}

#[tokio::test]
async fn a_server_that_nobody_trusts_is_not_shown() {
    let arrived = Arrived::default();
    let (_, config) = certified();
    let site = Site::start_encrypted(config, answers(&arrived)).await;
    let post = Post::before(&site, &[]).await;
    let page = post.context.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(page.arrival().status, Some(502));
    let failed = |passage: &Passage| matches!(passage.fate, Fate::Failed(Fault::Certificate { .. }));
    let (passages, _) = post.guard.passages(0);
    assert!(passages.iter().any(failed), "{passages:?}");
    assert_eq!(post.guard.tally().failed, 1);
    assert_eq!(*arrived.lock().unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_gate_opens_and_closes_and_nothing_passes_without_a_guard() {
    let arrived = Arrived::default();
    let site = Site::start(answers(&arrived)).await;
    let post = Post::before(&site, &[]).await;
    let page = post.context.open(&site.url("/"), soon()).await.unwrap();
    let write = "fetch('/x', { method: 'POST' }).then((answer) => answer.status + ' ' + answer.headers.get('x-uiap-guard'))";
    assert_eq!(run(&page, write).await, "403 held");
    post.guard.open();
    assert_eq!(run(&page, write).await, "200 null");
    post.guard.close();
    assert_eq!(run(&page, write).await, "403 held");
    let tally = post.guard.tally();
    assert_eq!((tally.held, tally.let_through, tally.failed), (2, 1, 0));
    assert_eq!(arrived.lock().unwrap().iter().filter(|line| *line == "POST /x").count(), 1);
    drop(post.guard);
    let gone = "fetch('/y').then(() => 'there', () => 'gone')";
    until_async("nothing passes without the guard", async || run(&page, gone).await == "gone").await;
}

#[tokio::test]
async fn a_browser_that_was_only_attached_to_is_guarded_too() {
    let arrived = Arrived::default();
    let (root, config) = certified();
    let site = Site::start_encrypted(config, answers(&arrived)).await;
    let (_owner, address) = reachable().await;
    let browser = Browser::attach(&address, soon()).await.unwrap();
    let rules = Rules::of(&[Url::parse(&site.url("/")).unwrap()]);
    let guard = Guard::start_trusting(Arc::new(Authority::new().unwrap()), rules, &[root]).await.unwrap();
    let options = ContextOptions { proxy: Some(guard.proxy().unpinned()), ..ContextOptions::default() };
    let context = browser.context_with(options, soon()).await.unwrap();
    let page = context.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(page.arrival().status, Some(200));
    let write = "fetch('/x', { method: 'POST' }).then((answer) => answer.status)";
    assert_eq!(run(&page, write).await, 403);
}

/// Calls as browsers call each other, and as they call a server of the new kind, with a server of ours; tells when it
/// knows all ways by which it could be called back.
const CALL: &str = "(port) => new Promise((done) => {
    const call = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
    call.createDataChannel('x');
    call.onicegatheringstatechange = () => { if (call.iceGatheringState === 'complete') done('complete') };
    call.createOffer().then((offer) => call.setLocalDescription(offer));
})";

#[tokio::test]
async fn calls_without_requests_do_not_pass_the_guard_by() {
    let site = site_of("<link rel=icon href='data:,'>x").await;
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    let script = format!("({CALL})({port})");
    let mut datagram = [0; 2_000];
    let post = Post::before(&site, &[]).await;
    let page = post.context.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(run(&page, &script).await, "complete");
    let transport =
        format!("new WebTransport('https://127.0.0.1:{port}/').ready.then(() => 'there', () => 'refused')");
    assert_eq!(run(&page, &transport).await, "refused");
    assert!(socket.try_recv(&mut datagram).is_err(), "a datagram left the browser");
    // Without the flag the same call does leave: the test would see it.
    let (_open, page) = open(&site.url("/")).await;
    run(&page, &format!("void {script}")).await;
    tokio::time::timeout(WAIT, socket.recv(&mut datagram)).await.unwrap().unwrap();
}

/// A server that answers every word over a WebSocket.
async fn echo() -> (u16, tokio::task::JoinHandle<()>) {
    use futures_util::{SinkExt, StreamExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { continue };
            while let Some(Ok(word)) = socket.next().await {
                if socket.send(word).await.is_err() {
                    break;
                }
            }
        }
    });
    (port, task)
}

#[tokio::test]
async fn a_socket_that_the_open_gate_let_in_is_cut_when_it_closes() {
    let site = site_of("<link rel=icon href='data:,'>x").await;
    let (port, server) = echo().await;
    let post = Post::before(&site, &[]).await;
    let page = post.context.open(&site.url("/"), soon()).await.unwrap();
    post.guard.open();
    let talk = format!(
        "new Promise((told) => {{
            const line = window.line = new WebSocket('ws://127.0.0.1:{port}/');
            window.cut = new Promise((cut) => {{ line.onclose = () => cut('cut') }});
            line.onopen = () => line.send('hello');
            line.onmessage = ({{ data }}) => told(data);
            line.onerror = () => told('refused');
        }})"
    );
    assert_eq!(run(&page, &talk).await, "hello");
    post.guard.close();
    assert_eq!(run(&page, "window.cut").await, "cut");
    assert_eq!(run(&page, &talk).await, "refused");
    server.abort();
}
