//! What happens on a page, as the browser tells it.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use serde_json::{Value, json};
use std::time::Duration;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{
    BrowserSignal, ContextOptions, Deadline, DialogAnswer, DialogError, DialogKind, DialogPolicy, Downloads,
    LookError, Page, Position,
};

/// A page that does nothing by itself, and what else its site has.
async fn site() -> Site {
    Site::start(|path, _| match path {
        "/missing" => Reply::Status(404, "no"),
        "/silent" => Reply::Silent,
        "/old" => Reply::Redirect("/data"),
        "/file" => {
            Reply::Header("Content-Disposition: attachment; filename=\"../../report.txt\"", "all of it")
        }
        // Without its own icon the browser asks for one whenever it likes.
        _ => Reply::Page("<link rel=icon href='data:,'><button>x</button>".into()),
    })
    .await
}

async fn run(page: &Page, script: &str) {
    page.evaluate_main(&format!("void ({script})"), soon()).await.unwrap();
}

/// The signals since a position, as `kind` and the members that are asked for.
fn told(page: &Page, since: Position, members: &[&str]) -> Vec<String> {
    let line = |told: &Value| {
        let members = members.iter().filter_map(|name| Some(format!(" {}", told.get(name)?)));
        format!("{}{}", told["kind"].as_str().unwrap(), members.collect::<String>())
    };
    page.signals().since(since).signals.iter().map(|signal| line(&json_of(signal))).collect()
}

#[tokio::test]
async fn what_a_page_does_is_told() {
    use BrowserSignal as B;
    let site = site().await;
    let (_browser, page) = open(&site.url("/")).await;
    let moved = json!({ "url": site.url("/b?token=***"), "from": site.url("/a#b"), "sameDocument": true });
    for (script, kind, members) in [
        ("console.error('Bad', 1, { a: 1 }, '\\ud800x')", B::Console, json!({ "level": "error" })),
        ("console.warn('Careful')", B::Console, json!({ "level": "warning", "text": "Careful" })),
        ("console.assert(false, 'Wrong')", B::Console, json!({ "level": "error", "text": "Wrong" })),
        ("console.error(10n, NaN, undefined)", B::Console, json!({ "text": "10n NaN undefined" })),
        ("fetch('/missing')", B::Console, json!({ "level": "error", "url": site.url("/missing") })),
        (
            "setTimeout(() => { throw new TypeError('Oh') })",
            B::Exception,
            json!({ "text": "Uncaught TypeError: Oh", "line": 1 }),
        ),
        ("Promise.reject('no')", B::Exception, json!({ "text": "Uncaught (in promise) no" })),
        (
            "history.pushState({}, '', '/a')",
            B::Navigated,
            json!({ "url": site.url("/a"), "sameDocument": true }),
        ),
        ("location.hash = 'b'", B::Navigated, json!({ "url": site.url("/a#b"), "sameDocument": true })),
        ("history.replaceState({}, '', '/b?token=1')", B::Navigated, moved),
        ("document.body.append(document.createElement('iframe'))", B::FrameAttached, json!({})),
        ("frames[0].location = '/inner'", B::FrameNavigated, json!({ "url": site.url("/inner") })),
        ("document.querySelector('iframe').remove()", B::FrameDetached, json!({})),
        (
            "location.href = '/elsewhere'",
            B::Navigated,
            json!({ "url": site.url("/elsewhere"), "sameDocument": false }),
        ),
    ] {
        let since = page.signals().position();
        run(&page, script).await;
        signal(&page, since, kind, members).await;
    }
    until_async("the page is quiet", async || page.in_flight().is_empty()).await;
    // What is only chatter is not told.
    let since = page.signals().position();
    run(&page, "(console.log('a'), console.info('b'), console.debug('c'), console.error('end'))").await;
    signal(&page, since, B::Console, json!({ "text": "end" })).await;
    assert_eq!(told(&page, since, &["text"]), ["x.uiap.console \"end\""]);
}

#[tokio::test]
async fn requests_are_followed_to_their_end() {
    use BrowserSignal as B;
    let site = site().await;
    let (_browser, page) = open(&site.url("/")).await;
    let since = page.signals().position();
    page.evaluate_main("fetch('/old', { method: 'POST' }).then((answer) => answer.text())", soon())
        .await
        .unwrap();
    signal(&page, since, B::RequestFinished, json!({ "url": site.url("/data") })).await;
    assert_eq!(
        told(&page, since, &["method", "status"]),
        [
            "x.uiap.request.started \"POST\"",
            "network.response 302",
            "x.uiap.request.started \"GET\"",
            "network.response 200",
            "x.uiap.request.finished",
        ]
    );
    assert_eq!(page.in_flight(), []);

    // One that gets no answer is under way until somebody gives up.
    let before = page.signals().position();
    run(
        &page,
        "(stop = new AbortController(), fetch('/silent?key=1', { signal: stop.signal }).catch(() => 0))",
    )
    .await;
    let started = signal(&page, before, B::RequestStarted, json!({ "resource": "Fetch" })).await;
    let flying = page.in_flight();
    assert_eq!(flying.len(), 1);
    assert_eq!(started["requestId"], flying[0].id.as_str());
    assert_eq!(
        (flying[0].url.as_str(), flying[0].method.as_str()),
        (site.url("/silent?key=***").as_str(), "GET")
    );
    assert_eq!((flying[0].initiator.as_str(), flying[0].position >= before), ("script", true));
    run(&page, "stop.abort()").await;
    signal(&page, before, B::RequestFailed, json!({ "requestId": flying[0].id, "canceled": true })).await;
    assert_eq!(page.in_flight(), []);

    // And one whose document goes away is nobody's.
    let before = page.signals().position();
    run(&page, "fetch('/silent')").await;
    let lost = signal(&page, before, B::RequestStarted, json!({})).await;
    run(&page, &format!("location.href = '{}'", site.other_url("/"))).await;
    signal(&page, before, B::RequestFailed, json!({ "requestId": lost["requestId"] })).await;
    signal(&page, before, B::Navigated, json!({ "url": site.other_url("/") })).await;
    assert!(page.in_flight().iter().all(|request| Some(request.id.as_str()) != lost["requestId"].as_str()));
}

#[tokio::test]
async fn what_happened_before_somebody_listens_is_there() {
    let site = site_of("<script>console.error('early')</script>").await;
    let (_browser, page) = open(&site.url("/")).await;
    let early = signal(&page, Position::default(), BrowserSignal::Console, json!({ "text": "early" })).await;
    assert!(
        early["at"].as_str().unwrap().ends_with('Z') && early["id"].as_str().unwrap().starts_with("sig_")
    );
}

#[tokio::test]
async fn dialogs_are_answered_at_once_and_told() {
    let site = site_of(
        "<script>alert('Hello \\ud800'); said = [confirm('Sure?'), prompt('Name?', 'x')];</script><button>Go</button>",
    )
    .await;
    let (_browser, page) = open(&site.url("/")).await;
    assert_eq!(seen(&page).await, "button Go");
    assert_eq!(page.evaluate_main("JSON.stringify(said)", soon()).await.unwrap(), "[false,null]");
    let told = told(&page, Position::default(), &["dialog", "asked", "accepted", "by"]);
    let dialogs: Vec<_> = told.iter().filter(|line| line.contains("dialog")).collect();
    assert_eq!(
        dialogs,
        [
            "x.uiap.dialog.opened \"alert\" false",
            "x.uiap.dialog.closed true \"default\"",
            "x.uiap.dialog.opened \"confirm\" false",
            "x.uiap.dialog.closed false \"default\"",
            "x.uiap.dialog.opened \"prompt\" false",
            "x.uiap.dialog.closed false \"default\"",
        ]
    );
    assert_eq!(page.dialog(), None);
}

#[tokio::test]
async fn a_dialog_is_answered_by_whoever_is_asked() {
    let site = site().await;
    let dialogs = DialogPolicy::Ask { wait: WAIT };
    let options = ContextOptions { dialogs, ..ContextOptions::default() };
    let (_browser, _context, page) = open_with(&site.url("/"), options).await;
    let answers = async {
        let since = page.signals().position();
        signal(&page, since, BrowserSignal::DialogOpened, json!({ "asked": true })).await;
        let dialog = page.dialog().unwrap();
        assert_eq!((dialog.kind, dialog.message.as_str()), (DialogKind::Prompt, "Name?"));
        let short = Deadline::after(Duration::from_millis(200));
        let look = page.look(&SnapshotOptions::default(), short).await.unwrap_err();
        assert!(matches!(&look, LookError::Dialog { message } if message == "Name?"), "{look}");
        let yes = DialogAnswer::Accept { text: Some("Eve".into()) };
        page.answer_dialog(dialog.id, &yes, soon()).await.unwrap();
        let again = page.answer_dialog(dialog.id, &yes, soon()).await.unwrap_err();
        assert!(matches!(again, DialogError::Over), "{again}");
        signal(&page, since, BrowserSignal::DialogClosed, json!({ "by": "caller", "accepted": true })).await;
    };
    let (name, ()) = tokio::join!(page.evaluate_main("prompt('Name?')", soon()), answers);
    assert_eq!(name.unwrap(), "Eve");
}

#[tokio::test]
async fn a_dialog_that_nobody_answers_in_time_gets_the_answer_of_nobody() {
    let site = site().await;
    let dialogs = DialogPolicy::Ask { wait: Duration::from_millis(50) };
    let options = ContextOptions { dialogs, ..ContextOptions::default() };
    let (_browser, _context, page) = open_with(&site.url("/"), options).await;
    assert_eq!(page.evaluate_main("confirm('Sure?')", soon()).await.unwrap(), false);
    let asked = json!({ "dialog": "confirm", "asked": true });
    signal(&page, Position::default(), BrowserSignal::DialogOpened, asked).await;
    let closed = json!({ "by": "default", "accepted": false });
    signal(&page, Position::default(), BrowserSignal::DialogClosed, closed).await;
}

#[tokio::test]
async fn a_download_is_refused_or_kept_and_either_is_told() {
    let site = site().await;
    let started = json!({ "url": site.url("/file"), "fileName": "_.._report.txt", "kept": false });
    let (_browser, page) = open(&site.url("/")).await;
    run(&page, "location.href = '/file'").await;
    signal(&page, Position::default(), BrowserSignal::DownloadStarted, started).await;
    signal(&page, Position::default(), BrowserSignal::DownloadEnded, json!({ "state": "canceled" })).await;

    let folder = std::env::temp_dir().join(format!("uiap-downloads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let downloads = Downloads::Keep { folder: folder.clone() };
    let options = ContextOptions { downloads, ..ContextOptions::default() };
    let (_browser, _context, page) = open_with(&site.url("/"), options).await;
    run(&page, "location.href = '/file'").await;
    signal(&page, Position::default(), BrowserSignal::DownloadStarted, json!({ "kept": true })).await;
    let completed = json!({ "state": "completed" });
    let ended = signal(&page, Position::default(), BrowserSignal::DownloadEnded, completed).await;
    let path = std::path::Path::new(ended["path"].as_str().unwrap());
    assert_eq!(path.parent(), Some(folder.as_path()), "the page's name leads nowhere");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "all of it");
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn the_end_of_a_page_ends_its_log() {
    let site = site().await;
    let (browser, page) = open(&site.url("/")).await;
    let since = page.signals().position();
    let (news, ()) = tokio::join!(page.signals().next(since, soon()), async { drop(browser) });
    assert!(news.ended);
    assert_eq!(json_of(&news.signals[0])["reason"], "browser");
}
