//! Pages that pages open.

use crate::support::*;
use serde_json::json;
use uiap_web::{BrowserSignal, ContextOptions, DialogPolicy, PAGES_WAITING_MAX, Position};

async fn site() -> Site {
    Site::start(|path, _| match path {
        "/popup" => Reply::Page("<title>Popup</title><script>alert('Up'); if (opener) opener.popped = true;</script><button>Popup</button>".into()),
        "/link" => Reply::Page("<a href='/popup' target=_blank>Open</a>".into()),
        _ => Reply::Page("<button>Opener</button>".into()),
    })
    .await
}

#[tokio::test]
async fn a_dialog_in_a_page_that_the_page_opened_hangs_nobody() {
    let site = site().await;
    // Whoever has the opener was never asked about the page that it opens.
    let dialogs = DialogPolicy::Ask { wait: WAIT };
    let options = ContextOptions { dialogs, ..ContextOptions::default() };
    let (_browser, _context, page) = open_with(&site.url("/"), options).await;
    let popped = "new Promise((done) => { open('/popup');
        const wait = () => (window.popped ? done('popped') : setTimeout(wait, 1)); wait(); })";
    assert_eq!(page.evaluate_main(popped, soon()).await.unwrap(), "popped");
    assert_eq!(seen(&page).await, "button Opener");
    signal(&page, Position::default(), BrowserSignal::PageOpened, json!({ "url": site.url("/popup") })).await;
}

#[tokio::test]
async fn a_page_that_a_page_opened_can_be_taken_and_was_heard_from_the_start() {
    let site = site().await;
    for (path, script) in [
        ("/", "void open('/popup')"),
        ("/", "void open('/popup', '', 'popup,width=300,height=200')"),
        ("/", "void open('/popup', '', 'noopener')"),
        ("/link", "document.querySelector('a').click()"),
        ("/link", "void open(location.origin.replace('127.0.0.1', 'localhost') + '/popup')"),
    ] {
        let (_browser, context, page) = open_with(&site.url(path), ContextOptions::default()).await;
        page.evaluate_main(script, soon()).await.unwrap();
        let mut popup = context.next_page(soon()).await.unwrap();
        popup.arrive(soon()).await.unwrap();
        assert_eq!(seen(&popup).await, "button Popup", "{script}");
        assert_eq!(popup.opener(), Some(page.id()), "{script}");
        signal(&popup, Position::default(), BrowserSignal::DialogOpened, json!({ "message": "Up" })).await;
        signal(&page, Position::default(), BrowserSignal::PageOpened, json!({ "pageId": popup.id() })).await;
        assert_eq!(context.pages(), []);
    }
}

#[tokio::test]
async fn an_empty_page_that_its_opener_writes_is_seen() {
    let site = site().await;
    let (_browser, context, page) = open_with(&site.url("/"), ContextOptions::default()).await;
    page.evaluate_main("void open('').document.write('<button>Written</button>')", soon()).await.unwrap();
    let mut popup = context.next_page(soon()).await.unwrap();
    popup.arrive(soon()).await.unwrap();
    until_async("it is written", async || seen(&popup).await == "button Written").await;
}

#[tokio::test]
async fn pages_are_listed_until_they_are_taken_or_gone() {
    let site = site().await;
    let (_browser, context, page) = open_with(&site.url("/"), ContextOptions::default()).await;
    page.evaluate_main("void (one = open('/one'))", soon()).await.unwrap();
    page.evaluate_main("void (two = open('/two'))", soon()).await.unwrap();
    until_async("both are there", async || context.pages().len() == 2).await;
    let listed = context.pages();
    assert!(listed.iter().all(|waiting| waiting.opener.as_deref() == Some(page.id())), "{listed:?}");
    let taken = context.take(&listed[0].id).unwrap();
    assert!(context.take(&listed[0].id).is_none(), "there is only one");
    page.evaluate_main("two.close()", soon()).await.unwrap();
    until_async("the other is gone", async || context.pages().is_empty()).await;
    // Dropping a page closes it.
    drop(taken);
    until_async("the first is closed", async || {
        page.evaluate_main("one.closed", soon()).await.unwrap() == true
    })
    .await;
}

#[tokio::test]
async fn a_page_that_opens_too_many_is_told_that_some_were_refused() {
    let site = site().await;
    let (_browser, context, page) = open_with(&site.url("/"), ContextOptions::default()).await;
    for _ in 0..PAGES_WAITING_MAX {
        page.evaluate_main("void open('/x')", soon()).await.unwrap();
    }
    until_async("all are there", async || context.pages().len() == PAGES_WAITING_MAX).await;
    let since = page.signals().position();
    page.evaluate_main("void (last = open('/x'))", soon()).await.unwrap();
    signal(&page, since, BrowserSignal::PageOpened, json!({ "refused": true })).await;
    until_async("it is closed", async || page.evaluate_main("last.closed", soon()).await.unwrap() == true)
        .await;
    assert_eq!(context.pages().len(), PAGES_WAITING_MAX);
}

#[tokio::test]
async fn windows_end_with_the_page_that_opened_them_and_leave_room() {
    let site = site().await;
    let (_browser, context, page) = open_with(&site.url("/"), ContextOptions::default()).await;
    let opened = "void (one = open('/one')); void one.eval(\"open('/two', '', 'noopener')\")";
    page.evaluate_main(opened, soon()).await.unwrap();
    for _ in 0..200 {
        page.evaluate_main("void open('/x')", soon()).await.unwrap();
    }
    signal(&page, Position::default(), BrowserSignal::PageOpened, json!({ "refused": true })).await;
    assert!(context.pages().len() <= PAGES_WAITING_MAX);
    assert_eq!(seen(&page).await, "button Opener", "it goes on");
    // It ends though it is still held, as by whoever keeps what was done on it.
    page.close(soon()).await;
    until_async("all of them are gone", async || context.pages().is_empty()).await;
    let next = context.open(&site.url("/"), soon()).await.unwrap();
    next.evaluate_main("void open('/popup')", soon()).await.unwrap();
    let popup = context.next_page(soon()).await.unwrap();
    assert_eq!(popup.opener(), Some(next.id()), "a window that came too late is none of them");
    assert_eq!(context.pages(), []);
}
