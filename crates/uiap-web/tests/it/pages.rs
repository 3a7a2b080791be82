//! Pages that behave badly, and the truth about them within the deadline.

use crate::support::*;
use serde_json::json;
use std::time::{Duration, Instant};
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{BrowserSignal, CallError, Deadline, LookError, NetworkFault, OpenError, Position, Settled};

/// A deadline that these tests mean to reach.
const SHORT: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_page_that_never_finishes_is_seen_at_the_deadline_and_marked() {
    let site = Site::start(|_, _| Reply::Endless("<title>Half</title><button>Here</button>")).await;
    let other = site_of("<button>Ok</button>").await;
    // Opened before, so that only the way to what never finishes must be short.
    let (_browser, mut page) = open(&other.url("/")).await;
    page.go(&site.url("/"), Deadline::after(SHORT)).await.unwrap();
    assert_eq!((page.arrival().status, page.arrival().settled), (Some(200), Settled::Unfinished));
    let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
    assert_eq!((lines(&look.graph).as_str(), look.settled), ("button Here", Settled::Unfinished));
}

#[tokio::test]
async fn a_picture_that_never_comes_does_not_hold_up_a_page() {
    let site = Site::start(|path, _| match path {
        "/" => Reply::Page("<button>Here</button><img src='/never'>".to_owned()),
        _ => Reply::Silent,
    })
    .await;
    let (_browser, page) = open(&site.url("/")).await;
    assert_eq!(page.arrival().settled, Settled::Quiet);
    assert_eq!(seen(&page).await, "button Here");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_an_error_at_the_deadline() {
    let site = Site::start(|_, _| Reply::Silent).await;
    let browser = browser().await;
    let context = context(&browser).await;
    let other = site_of("<button>Ok</button>").await;
    // Opened before, so that only the way to the silent server must be short.
    let mut page = context.open(&other.url("/"), soon()).await.unwrap();
    let error = page.go(&site.url("/"), Deadline::after(SHORT)).await.unwrap_err();
    assert!(matches!(error, OpenError::NoAnswer { .. }), "{error}");
    // The browser is still good for something else.
    assert_eq!(seen(&context.open(&other.url("/"), soon()).await.unwrap()).await, "button Ok");
}

#[tokio::test]
async fn leaving_a_page_that_wants_to_be_kept_works() {
    let site = Site::start(|path, _| match path {
        "/a" => Reply::Page(
            "<script>onbeforeunload = (e) => { e.preventDefault(); return 'stay'; }</script>".into(),
        ),
        _ => Reply::Page("<button>B</button>".into()),
    })
    .await;
    let (_browser, mut page) = open(&site.url("/a")).await;
    // Only a page that was touched may ask; this evaluation counts as a touch.
    page.evaluate_main("1", soon()).await.unwrap();
    page.go(&site.url("/b"), soon()).await.unwrap();
    assert_eq!(seen(&page).await, "button B");
    let asked = json!({ "dialog": "beforeunload" });
    signal(&page, Position::default(), BrowserSignal::DialogOpened, asked).await;
}

#[tokio::test]
async fn an_address_that_redirects_is_followed() {
    let site = Site::start(|path, _| match path {
        "/old" => Reply::Redirect("/new"),
        _ => Reply::Page("<button>New</button>".into()),
    })
    .await;
    let (_browser, page) = open(&site.url("/old")).await;
    assert_eq!((page.arrival().url.clone(), page.arrival().status), (site.url("/new"), Some(200)));
    assert_eq!(seen(&page).await, "button New");
}

#[tokio::test]
async fn an_error_status_is_told_and_its_page_is_seen() {
    let site = Site::start(|_, _| Reply::Status(404, "<a href='/'>Home</a>")).await;
    let (_browser, page) = open(&site.url("/gone")).await;
    assert_eq!(page.arrival().status, Some(404));
    assert_eq!(seen(&page).await, "link Home");
}

#[tokio::test]
async fn what_cannot_be_reached_is_a_typed_error() {
    let browser = browser().await;
    let context = context(&browser).await;
    let closed = uiap_testkit::ClosedPort::take().unwrap();
    let url = format!("http://{}/", closed.address());
    let error = context.open(&url, soon()).await.unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { fault: NetworkFault::Refused, .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("\"{url}\" cannot be reached: nobody listens there"));
    let error = context.open("http://no-such-host.invalid/", soon()).await.unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
    let error = context.open("not an address", soon()).await.unwrap_err();
    assert!(matches!(error, OpenError::Address { .. }), "{error:?}");
    let site = Site::start(|_, _| Reply::Header("Content-Disposition: attachment", "x")).await;
    let error = context.open(&site.url("/file"), soon()).await.unwrap_err();
    assert!(matches!(error, OpenError::Download { .. }), "{error:?}");
}

#[tokio::test]
async fn a_page_that_navigates_while_we_look_gives_one_of_its_documents() {
    // Every other step leads to another process.
    let site = Site::start(|path, request| {
        let next = path.trim_start_matches('/').parse::<u32>().map_or(1, |number| number + 1);
        let port = request.lines().find_map(|line| line.strip_prefix("Host: ")?.rsplit(':').next()).unwrap();
        let host = if next / 2 % 2 == 0 { "127.0.0.1" } else { "localhost" };
        Reply::Page(if path == "/start" {
            String::new()
        } else if next > 40 {
            "<button>End</button>".to_owned()
        } else {
            format!("<button>{next}</button><script>onload = () => location.replace('http://{host}:{port}/{next}')</script>")
        })
    })
    .await;
    let browser = browser().await;
    let page = context(&browser).await.open(&site.url("/start"), soon()).await.unwrap();
    page.evaluate_main("void location.replace('/1')", soon()).await.unwrap();
    let end = Instant::now() + WAIT;
    loop {
        assert!(Instant::now() < end);
        // One document, never a mixture: its only button belongs to its address.
        let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
        let number = look.graph.route.url.rsplit('/').next().unwrap().parse::<u32>().unwrap_or(0);
        match lines(&look.graph).as_str() {
            "" => {}
            "button End" => {
                assert_eq!(number, 40);
                break;
            }
            other => assert_eq!(other, format!("button {}", number + 1)),
        }
    }
}

#[tokio::test]
async fn navigation_to_another_process_is_followed() {
    let site =
        Site::start(|path, _| Reply::Page(format!("<title>{path}</title><button>{path}</button>"))).await;
    let (_browser, mut page) = open(&site.url("/a")).await;
    for round in 0..5 {
        let path = format!("/{round}");
        let url = if round % 2 == 0 { site.other_url(&path) } else { site.url(&path) };
        page.go(&url, soon()).await.unwrap();
        assert_eq!(seen(&page).await, format!("button {path}"));
        assert_eq!(page.url(), url);
    }
    // The page goes there by itself.
    let url = site.other_url("/self");
    page.go(&site.url("/b"), soon()).await.unwrap();
    page.evaluate_main(&format!("void (location.href = '{url}')"), soon()).await.unwrap();
    let end = Instant::now() + WAIT;
    while seen(&page).await != "button /self" {
        assert!(Instant::now() < end);
    }
}

#[tokio::test]
async fn another_fragment_is_the_same_document() {
    let site = site_of("<button>One</button>").await;
    let (_browser, mut page) = open(&site.url("/a")).await;
    page.evaluate_main("void (window.kept = 1)", soon()).await.unwrap();
    page.go(&site.url("/a#b"), soon()).await.unwrap();
    assert_eq!(page.url(), site.url("/a#b"));
    assert_eq!(page.evaluate_main("window.kept", soon()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_hostile_page_cannot_disturb_a_look() {
    let site = site_of(
        "<form id='__uiap'></form><button>Real</button><script>
        JSON.stringify = () => '{}'; JSON.parse = () => { throw 1; };
        Array.prototype.map = () => []; Array.prototype.push = () => 0; Array.prototype[Symbol.iterator] = null;
        Object.prototype.toJSON = () => 'x'; String.prototype.slice = () => { throw 2; };
        document.querySelectorAll = () => []; Document.prototype.querySelectorAll = () => [];
        Object.defineProperty(window, '__uiap', { get() { throw 3; } });
        </script>",
    )
    .await;
    let (_browser, page) = open(&site.url("/")).await;
    assert_eq!(seen(&page).await, "button Real");
    assert_eq!(page.evaluate_main("typeof globalThis.uiap", soon()).await.unwrap(), "undefined");
}

#[tokio::test]
async fn a_strict_content_security_policy_does_not_matter() {
    let site = Site::start(|_, _| {
        Reply::Header(
            "Content-Security-Policy: default-src 'none'; require-trusted-types-for 'script'; sandbox",
            "<button>Safe</button>",
        )
    })
    .await;
    let (_browser, page) = open(&site.url("/")).await;
    assert_eq!(seen(&page).await, "button Safe");
}

#[tokio::test]
async fn a_page_that_never_rests_ends_in_a_deadline_not_in_a_hang() {
    let site = site_of("<button>Loop</button>").await;
    let (_browser, page) = open(&site.url("/")).await;
    page.evaluate_main("void setTimeout(() => { for (;;); })", soon()).await.unwrap();
    // Whoever asks before the timer fires is answered; from then on nobody is.
    let started = Instant::now();
    let error = loop {
        match page.look(&SnapshotOptions::default(), Deadline::after(SHORT)).await {
            Ok(_) => assert!(started.elapsed() < WAIT),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LookError::Call(CallError::Deadline { .. })), "{error}");
}

#[tokio::test]
async fn a_crashed_page_is_told_at_once() {
    let site = site_of("<button>Soon gone</button>").await;
    let (_browser, page) = open(&site.url("/")).await;
    let waiting = page.evaluate_main("new Promise(() => {})", soon());
    let (pending, _) = tokio::join!(waiting, page.crash_for_tests(soon()));
    assert!(pending.is_err());
    let error = page.look(&SnapshotOptions::default(), soon()).await.unwrap_err();
    assert!(matches!(error, LookError::Crashed), "{error}");
    signal(&page, Position::default(), BrowserSignal::Ended, json!({ "reason": "crashed" })).await;
}

#[tokio::test]
async fn options_reach_the_publisher_and_truncation_is_said() {
    let site = site_of("<button>1</button><button>2</button><button>3</button>").await;
    let (_browser, page) = open(&site.url("/")).await;
    let options = SnapshotOptions { max_elements: Some(2), ..SnapshotOptions::default() };
    let look = page.look(&options, soon()).await.unwrap();
    assert_eq!((look.graph.elements.len(), look.graph.truncated), (2, Some(true)));
}
