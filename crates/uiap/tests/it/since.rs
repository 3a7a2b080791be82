//! `uiap look --since`: what changed on a page that somebody else keeps open.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use std::process::{Command, Output};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{Browser, Deadline, LaunchOptions, Page};

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_secs(30);
/// A page of one button and one field.
const PAGE: &str = "<!doctype html><title>T</title><button id=b>One</button><input aria-label=Field id=f>";

fn soon() -> Deadline {
    Deadline::after(WAIT)
}

/// A browser that others can attach to, and its address.
async fn reachable() -> (Browser, String) {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await;
    let browser = browser.expect("a browser");
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

/// A site whose only page is this, and its address.
async fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n")
                    && stream.read_buf(&mut request).await.is_ok_and(|n| n > 0)
                {}
                let head = format!("Content-Type: text/html\r\nContent-Length: {}", PAGE.len());
                let answer = format!("HTTP/1.1 200 OK\r\n{head}\r\nConnection: close\r\n\r\n{PAGE}");
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    address
}

async fn open(browser: &Browser, url: &str) -> Page {
    let context = browser.context(soon()).await.expect("a context");
    context.open(url, soon()).await.expect("a page")
}

async fn run(page: &Page, script: &str) {
    page.evaluate_main(&format!("void ({script})"), soon()).await.expect("the page takes it");
}

async fn look(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    let command = move || Command::new(env!("CARGO_BIN_EXE_uiap")).arg("look").args(arguments).output();
    let ended = tokio::task::spawn_blocking(command).await.expect("it ends");
    ended.expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What it shows, and what it remarks.
fn told(output: &Output) -> (String, String) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

/// The revision in the first line of a view.
fn revision(view: &str) -> String {
    let first = view.lines().next().unwrap_or_default();
    let word = first.split([' ', ':']).find(|word| word.starts_with("rev_"));
    word.expect("a revision").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_on_a_page_that_is_open_is_shown_and_the_page_stays() {
    let (url, (browser, address)) = tokio::join!(site(), reachable());
    let url = url.as_str();
    let page = open(&browser, url).await;
    let seen = page.look(&SnapshotOptions::default(), soon()).await.expect("a look").graph.revision;
    run(&page, "b.textContent = 'Two', document.body.append(f, document.createElement('hr'))").await;
    run(&page, "document.body.insertAdjacentHTML('beforeend', '<button>New</button>')").await;
    let (shown, remarked) = told(&look(&[url, "--browser", &address, "--since", seen.as_str()]).await);
    assert!(shown.contains(&format!(": changes since {seen}")), "{shown}");
    assert!(shown.contains("~ e1 button \"Two\"") && shown.contains("+ e3 button \"New\""), "{shown}");
    assert!(!shown.contains("Field"), "what did not change is not shown: {shown}");
    assert_eq!(remarked, "");
    // From where that look ended nothing happened; then something goes.
    let next = revision(&shown);
    let (shown, _) = told(&look(&[url, "--browser", &address, "--since", &next]).await);
    assert_eq!(shown, format!("{next}: nothing changed since {next}\n"));
    run(&page, "b.remove()").await;
    let (shown, _) = told(&look(&[url, "--browser", &address, "--since", &next]).await);
    assert!(shown.ends_with(&format!(": changes since {next}\n- e1\n")), "{shown}");
    let as_json = ["--since", next.as_str(), "--format", "json"];
    let (lines, _) = told(&look(&[&[url, "--browser", &address], &as_json[..]].concat()).await);
    let delta: serde_json::Value = serde_json::from_str(lines.trim()).expect("one delta");
    assert_eq!(delta["baseRevision"], next.as_str());
    assert_eq!(delta["ops"][0]["op"], "remove");
    // It is still there, and as large as before.
    let size = page.evaluate_main("innerWidth", soon()).await.expect("it is open");
    assert_eq!(size, 1280);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_only_guests_look_at_remembers_from_guest_to_guest() {
    let (url, (browser, address)) = tokio::join!(site(), reachable());
    let url = url.as_str();
    // Opened by nobody of ours: there is no publisher in it yet.
    let params = serde_json::json!({ "url": url });
    let opened: serde_json::Value =
        browser.client().send(None, "Target.createTarget", params, soon()).await.expect("a page");
    let (shown, remarked) = told(&look(&[url, "--browser", &address, "--since", "rev_none"]).await);
    assert!(shown.contains("e1 button \"One\""), "{shown}");
    assert!(remarked.contains("The revision rev_none is not known: the page was loaded anew"), "{remarked}");
    let seen = revision(&shown);
    let open = browser.open_pages(soon()).await.expect("pages");
    let open = open.iter().find(|open| opened["targetId"] == open.id.as_str()).expect("it stays open");
    let guest = browser.join(open, soon()).await.expect("a guest");
    run(&guest, "b.textContent = 'Two'").await;
    drop(guest);
    let (shown, remarked) = told(&look(&[url, "--browser", &address, "--since", &seen]).await);
    assert!(shown.contains(&format!(": changes since {seen}\n~ e1 button \"Two\"")), "{shown}");
    assert_eq!(remarked, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_nobody_knows_is_said_and_the_whole_page_shown() {
    let (url, (browser, address)) = tokio::join!(site(), reachable());
    let url = url.as_str();
    for (flags, why) in [
        (&[][..], "the page was opened for this look"),
        (&["--browser", address.as_str()], "no such page was open, so it was opened for this look"),
    ] {
        let (shown, remarked) = told(&look(&[&[url, "--since", "rev_none"], flags].concat()).await);
        assert!(shown.contains("e1 button \"One\"") && shown.contains("e2 textbox"), "{shown}");
        assert!(remarked.contains(&format!("The revision rev_none is not known: {why}.")), "{remarked}");
    }
    let mut page = open(&browser, url).await;
    let seen = page.look(&SnapshotOptions::default(), soon()).await.expect("a look").graph.revision;
    page.go(url, soon()).await.expect("it is loaded anew");
    let (shown, remarked) = told(&look(&[url, "--browser", &address, "--since", seen.as_str()]).await);
    assert!(shown.contains("e1 button \"One\""), "{shown}");
    assert!(remarked.contains("is not known: the page was loaded anew"), "{remarked}");
    assert_ne!(revision(&shown), seen.as_str());
}
