//! What one context remembers, and another one is given.

use crate::support::*;
use serde_json::json;
use uiap_web::{ContextOptions, StorageState};

const REMEMBER: &str = "void (document.cookie = 'sid=s3cret; path=/', localStorage.setItem('jwt', 't0ken'), \
                        localStorage.setItem('a', 'ü'), sessionStorage.setItem('tab', 'one'))";
const RECALL: &str = "[document.cookie, localStorage.getItem('jwt'), localStorage.getItem('a'), \
                      localStorage.length, sessionStorage.getItem('tab')].join(' ')";

#[tokio::test]
async fn what_one_context_remembers_another_one_begins_with() {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&asked);
    let site = Site::start(move |_, _| {
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Reply::Page("<link rel=icon href='data:,'>x".into())
    })
    .await;
    let browser = browser().await;
    let first = context(&browser).await;
    let page = first.open(&site.url("/"), soon()).await.unwrap();
    page.evaluate_main(REMEMBER, soon()).await.unwrap();
    let state = first.storage(soon()).await.unwrap();
    assert_eq!(state.cookies.len(), 1);
    let origin = site.url("");
    let kept = json!([{ "origin": origin, "localStorage": [{ "name": "a", "value": "ü" }, { "name": "jwt", "value": "t0ken" }],
        "sessionStorage": [{ "name": "tab", "value": "one" }] }]);
    assert_eq!(serde_json::to_value(&state.origins).unwrap(), kept);
    let text = serde_json::to_string(&state).unwrap();
    let state: StorageState = serde_json::from_str(&text).unwrap();

    let asked_before = asked.load(std::sync::atomic::Ordering::SeqCst);
    let second = context(&browser).await;
    second.restore(&state, soon()).await.unwrap();
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), asked_before, "the server was asked");
    assert_eq!(second.pages(), []);
    for path in ["/", "/again"] {
        let page = second.open(&site.url(path), soon()).await.unwrap();
        assert_eq!(page.evaluate_main(RECALL, soon()).await.unwrap(), "sid=s3cret t0ken ü 2 one");
        assert_eq!(page.arrival().status, Some(200));
    }
    // A page that forgets is not reminded.
    let mut page = second.open(&site.url("/"), soon()).await.unwrap();
    page.evaluate_main("sessionStorage.clear()", soon()).await.unwrap();
    page.go(&site.url("/later"), soon()).await.unwrap();
    assert_eq!(page.evaluate_main("String(sessionStorage.getItem('tab'))", soon()).await.unwrap(), "null");
}

#[tokio::test]
async fn what_is_given_is_given_to_one_context_only() {
    let site = site_of("<link rel=icon href='data:,'>x").await;
    let browser = browser().await;
    let given = json!({ "cookies": [{ "name": "sid", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1,
        "httpOnly": false, "secure": false, "sameSite": "Lax" }], "origins": [] });
    let state: StorageState = serde_json::from_value(given).unwrap();
    let one = browser.context_with(ContextOptions::default(), soon()).await.unwrap();
    one.restore(&state, soon()).await.unwrap();
    let two = context(&browser).await;
    for (context, cookie) in [(one, "sid=1"), (two, "")] {
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        assert_eq!(page.evaluate_main("document.cookie", soon()).await.unwrap(), cookie);
    }
}

#[tokio::test]
async fn pages_speak_the_language_of_their_context() {
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = std::sync::Arc::clone(&heard);
    let site = Site::start(move |path, request| {
        let line = request.lines().find(|line| line.to_lowercase().starts_with("accept-language"));
        kept.lock().unwrap().push(format!("{path} {}", line.unwrap_or_default()));
        Reply::Page("<link rel=icon href='data:,'>x".into())
    })
    .await;
    let browser = browser().await;
    let options = ContextOptions { locale: Some("de-DE".into()), ..ContextOptions::default() };
    let context = browser.context_with(options, soon()).await.unwrap();
    for path in ["/one", "/two"] {
        let page = context.open(&site.url(path), soon()).await.unwrap();
        let said = "[navigator.language, (1234.5).toLocaleString(), navigator.userAgent.includes('Chrome')].join(' ')";
        assert_eq!(page.evaluate_main(said, soon()).await.unwrap(), "de-DE 1.234,5 true");
    }
    let heard = heard.lock().unwrap();
    assert!(heard.iter().all(|line| line.contains("de-DE")), "{heard:?}");
}
