//! Logins that expire in the middle of a run.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Found, Stage, page};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const LINKS: &[&str] = &["/", "/one", "/two", "/three", "/four", "/account"];

/// What is typed at the door. No digest can contain either of them.
const USER: &str = "brunhilde";
const PASSWORD: &str = "geheim";

/// How somebody signs in at an address.
fn login(stage: &Stage, url: &str) -> String {
    let steps = format!(
        "url: {url}\nsteps:\n\
         - {{action: enterText, target: 'textbox:User', args: {{text: {USER}}}}}\n\
         - {{action: enterText, target: 'textbox:Password', args: {{text: {PASSWORD}}}}}\n\
         - {{action: activate, target: 'button:Sign in'}}\n"
    );
    stage.file("login.yaml", &steps)
}

/// The door: whoever signs in belongs to the session, and then something happens.
fn door(session: u32, then: &str) -> Reply {
    Reply::Page(format!(
        "<!doctype html><title>Sign in</title><link rel=icon href='data:,'><main><form>\
         <label>User <input name=user></label><label>Password <input type=password></label>\
         <button>Sign in</button></form><p role=status></p></main><script>document.forms[0].onsubmit = () => {{ \
         document.cookie = 'session={session}; path=/'; {then}; return false; }}</script>"
    ))
}

/// Nothing of what was typed at the door is in the package.
fn keeps_secrets(found: &Found) {
    let package = found.package.to_string();
    assert!(!package.contains(PASSWORD) && !package.contains(USER));
}

/// A site for people who are signed in. It forgets them when its number changes.
async fn members_only(sessions: &Arc<AtomicU32>) -> Site {
    let sessions = Arc::clone(sessions);
    Site::start(move |path, request| {
        let session = sessions.load(Ordering::SeqCst);
        let is_in = request.to_lowercase().contains(&format!("cookie: session={session}\r\n"));
        match path.split('?').next().unwrap_or_default() {
            "/login" => door(session, "location.href = '/'"),
            path if LINKS.contains(&path) && !is_in => Reply::Redirect("/login"),
            // A page of the application that asks for a password, too.
            "/account" => {
                Reply::Page(page("/account", LINKS, "<label>New password <input type=password></label>"))
            }
            path if LINKS.contains(&path) => Reply::Page(page(path, LINKS, "")),
            _ => Reply::Status(404, ""),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_signed_out_in_the_middle_signs_in_again_and_goes_on() {
    let sessions = Arc::new(AtomicU32::new(1));
    let site = members_only(&sessions).await;
    let stage = Stage::new("expired");
    let login = login(&stage, "/login");
    let run = stage.start(&site.url("/"), &["--jobs", "2", "--login", &login]);
    stage.until_logged("made", 1).await;
    sessions.fetch_add(1, Ordering::SeqCst);
    run.end().await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &["The login had expired; somebody signed in again"]);
    assert_eq!(found.routes(), ["account", "four", "one", "start", "three", "two"], "the door is no page");
    assert_eq!(found.states().len(), LINKS.len());
    keeps_secrets(&found);
}

/// A site that asks whoever it does not know for a password, at whatever address they came to. It forgets people when
/// its number changes.
async fn asks_everywhere(sessions: &Arc<AtomicU32>) -> Site {
    let sessions = Arc::clone(sessions);
    Site::start(move |path, request| {
        let session = sessions.load(Ordering::SeqCst);
        let is_in = request.to_lowercase().contains(&format!("cookie: session={session}\r\n"));
        match path {
            path if !LINKS.contains(&path) => Reply::Status(404, ""),
            _ if !is_in => door(session, "location.reload()"),
            "/account" => {
                Reply::Page(page("/account", LINKS, "<label>New password <input type=password></label>"))
            }
            _ => Reply::Page(page(path, LINKS, "")),
        }
    })
    .await
}

/// In how many states the browser told of something with that name.
fn told_by_browser(stage: &Stage, name: &str) -> usize {
    let files = std::fs::read_dir(stage.map().join("evidence")).expect("evidence").flatten();
    let records = files.map(|file| file.path()).filter(|path| path.to_string_lossy().ends_with(".ax.json"));
    let texts = records.map(|path| std::fs::read_to_string(path).expect("a record"));
    texts.filter(|text| text.contains(name)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_at_the_same_address_is_no_page_of_the_application() {
    let sessions = Arc::new(AtomicU32::new(1));
    let site = asks_everywhere(&sessions).await;
    let stage = Stage::new("expired-in-place");
    let login = login(&stage, "/");
    let run = stage.start(&site.url("/"), &["--jobs", "2", "--login", &login]);
    stage.until_logged("made", 1).await;
    sessions.fetch_add(1, Ordering::SeqCst);
    run.end().await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &["The login had expired; somebody signed in again"]);
    assert_eq!(found.routes(), ["account", "four", "one", "start", "three", "two"]);
    assert_eq!(found.states().len(), LINKS.len(), "the door is no state");
    assert_eq!(found.named("textbox"), ["New password"], "a page that asks for a password in earnest is one");
    assert_eq!(told_by_browser(&stage, "New password"), 1, "its evidence is of that page");
    keeps_secrets(&found);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_notice_who_has_signed_in_is_asked_for_again() {
    let site = Site::start(|path, request| {
        let is_in = request.to_lowercase().contains("cookie: session=1\r\n");
        match path {
            path if !LINKS.contains(&path) => Reply::Status(404, ""),
            _ if !is_in => door(1, "document.querySelector('p').textContent = 'Welcome back'"),
            _ => Reply::Page(page(path, LINKS, "")),
        }
    })
    .await;
    let stage = Stage::new("unnoticed");
    let login = login(&stage, "/");
    stage.run(&site.url("/"), &["--jobs", "1", "--login", &login]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    assert_eq!(found.routes(), ["account", "four", "one", "start", "three", "two"]);
    assert_eq!(found.named("textbox"), [""; 0], "the door is no page");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_sign_in_at_the_same_address_ends_with_the_reason() {
    let sessions = Arc::new(AtomicU32::new(1));
    let site = asks_everywhere(&sessions).await;
    let stage = Stage::new("expired-in-place-for-good");
    let cookie = json!({
        "name": "session", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1,
        "httpOnly": false, "secure": false, "sameSite": "Lax",
    });
    let state = stage.file("state.json", &json!({ "cookies": [cookie], "origins": [] }).to_string());
    let run = stage.start(&site.url("/"), &["--jobs", "1", "--storage-state", &state]);
    stage.until_logged("made", 2).await;
    sessions.fetch_add(1, Ordering::SeqCst);
    run.end().await.ended(1, &["the login has expired", "--login"]);
    let found = stage.found();
    found.ended("failed", &["the login has expired"]);
    assert!(found.states().len() >= 2, "what was found is kept");
    assert!(!found.named("button").contains(&"Sign in"), "the door is no page");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_sign_in_again_ends_with_the_reason_and_what_was_found() {
    let sessions = Arc::new(AtomicU32::new(1));
    let site = members_only(&sessions).await;
    let stage = Stage::new("expired-for-good");
    let state = |session: u32| {
        let cookie = json!({
            "name": "session", "value": session.to_string(), "domain": "127.0.0.1", "path": "/", "expires": -1,
            "httpOnly": false, "secure": false, "sameSite": "Lax",
        });
        stage.file("state.json", &json!({ "cookies": [cookie], "origins": [] }).to_string())
    };
    let run = stage.start(&site.url("/"), &["--jobs", "1", "--storage-state", &state(1)]);
    stage.until_logged("made", 2).await;
    sessions.fetch_add(1, Ordering::SeqCst);
    run.end().await.ended(1, &["the login has expired", "--login", "--storage-state", "goes on"]);
    let found = stage.found();
    found.ended("failed", &["the login has expired"]);
    let before = found.states().len();
    assert!(before >= 2, "what was found is kept");
    assert!(!found.routes().contains(&"login"), "the door is no page");
    let more = ["--jobs", "1", "--storage-state", &state(2)];
    stage.run(&site.url("/"), &more).await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &[]);
    assert_eq!(found.routes(), ["account", "four", "one", "start", "three", "two"]);
}
