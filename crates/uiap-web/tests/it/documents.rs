//! Pages on which a person agrees to what an agent wants are shown in no page that we drive, however it gets there.

use crate::support::*;
use serde_json::json;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{BrowserSignal, ContextOptions, LookError, OpenError, Position};

const MARK: &str = "UIAP-Approval-Page: 1";
const APPROVAL: &str = "<title>Agree?</title><button onclick=\"document.title = 'Agreed'\">Do it</button>";

async fn site() -> Site {
    Site::start(|path, _| match path {
        "/approval" => Reply::Header(MARK, APPROVAL),
        "/redirect" => Reply::Redirect("/approval"),
        "/refresh" => {
            Reply::Page("<meta http-equiv=refresh content='0;url=/approval'><button>Home</button>".into())
        }
        "/left" => Reply::Page("<meta name=uiap-approval-page><button>Do it</button>".into()),
        _ => Reply::Page("<title>Home</title><button>Home</button>".into()),
    })
    .await
}

#[tokio::test]
async fn an_approval_page_is_not_opened() {
    let site = site().await;
    let (_browser, context, mut page) = open_with(&site.url("/"), ContextOptions::default()).await;
    for address in [site.url("/approval"), site.url("/redirect"), site.other_url("/approval")] {
        let error = context.open(&address, soon()).await.unwrap_err();
        assert!(matches!(error, OpenError::ApprovalPage { .. }), "{address}: {error}");
        let error = page.go(&address, soon()).await.unwrap_err();
        assert!(matches!(error, OpenError::ApprovalPage { .. }), "{address}: {error}");
        assert_eq!(page.url(), site.url("/"), "what was shown before stays");
        assert_eq!(seen(&page).await, "button Home");
    }
}

#[tokio::test]
async fn no_page_leads_to_an_approval_page() {
    let site = site().await;
    let other = site.other_url("/approval");
    for way in [
        "location.href = '/approval'".to_owned(),
        "location.replace('/redirect')".to_owned(),
        format!("location.href = '{other}'"),
        "document.body.innerHTML = '<form method=post action=/approval></form>'; document.forms[0].submit()"
            .to_owned(),
        "document.body.innerHTML += '<a href=/approval>x</a>'; document.links[0].click()".to_owned(),
    ] {
        let (_browser, _context, page) = open_with(&site.url("/"), ContextOptions::default()).await;
        page.evaluate_main(&format!("{{ {way} }}"), soon()).await.unwrap();
        let refused = signal(&page, Position::default(), BrowserSignal::RequestRefused, json!({})).await;
        assert!(format!("{refused:?}").contains("where a person agrees"), "{way}: {refused:?}");
        assert_eq!(page.url(), site.url("/"), "{way}");
        assert!(!seen(&page).await.contains("Do it"), "{way}");
    }
    let (_browser, _context, page) = open_with(&site.url("/refresh"), ContextOptions::default()).await;
    signal(&page, Position::default(), BrowserSignal::RequestRefused, json!({})).await;
    assert_eq!(seen(&page).await, "button Home");
}

#[tokio::test]
async fn no_frame_and_no_window_shows_an_approval_page() {
    let site = site().await;
    // Alone in its browser: where another program listens to the same one, a new window may begin before we hold it.
    let browser = own_browser().await;
    for address in ["/approval".to_owned(), "/redirect".to_owned(), site.other_url("/approval")] {
        let context = context(&browser).await;
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        let frame = format!("document.body.innerHTML += '<iframe src=\"{address}\"></iframe>'; 0");
        page.evaluate_main(&frame, soon()).await.unwrap();
        let frame_refused =
            signal(&page, Position::default(), BrowserSignal::RequestRefused, json!({})).await;
        assert!(format!("{frame_refused:?}").contains("where a person agrees"), "{address}");
        let shown = page.evaluate_main("frames[0].document.body.innerHTML", soon()).await.unwrap();
        assert_eq!(shown, "", "{address}: the frame is as empty as before");

        for features in ["", "noopener", "popup,width=300,height=200"] {
            page.evaluate_main(&format!("void open('{address}', '', '{features}')"), soon()).await.unwrap();
            let popup = context.next_page(soon()).await.unwrap();
            signal(&popup, Position::default(), BrowserSignal::RequestRefused, json!({})).await;
            assert_eq!(
                popup.evaluate_main("document.body?.innerText ?? ''", soon()).await.unwrap(),
                "",
                "{features}"
            );
        }
    }
}

#[tokio::test]
async fn an_approval_page_that_was_open_before_is_not_looked_at() {
    let site = site().await;
    let (browser, _context, page) = open_with(&site.url("/left"), ContextOptions::default()).await;
    let open =
        browser.open_pages(soon()).await.unwrap().into_iter().find(|open| open.id == page.id()).unwrap();
    let guest = browser.join(&open, soon()).await.unwrap();
    let error = guest.look(&SnapshotOptions::default(), soon()).await.unwrap_err();
    assert!(matches!(&error, LookError::Publisher { message } if message.contains("agrees")), "{error}");
}
