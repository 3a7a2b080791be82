//! Browsers that end in the middle of a run, and runs with several of them.

use crate::troubles::stage::{LINKS, Stage, small_site, until};
use rustix::process::{Signal, kill_process_group};
use serde_json::{Value, json};
use std::time::Duration;
use uiap_web::{Browser, Deadline, LaunchOptions};

/// How long a browser may take to answer.
const WAIT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_killed_in_the_middle_is_replaced() {
    let site = small_site().await;
    let stage = Stage::new("killed-browser");
    let run = stage.start(&site.url("/"), &["--jobs", "2"]);
    stage.until_logged("made", 1).await;
    let browsers = run.browsers();
    assert_eq!(browsers.len(), 1, "it has one browser");
    kill_process_group(browsers[0], Signal::KILL).expect("it is killed");
    run.end().await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &["A page was lost and opened again"]);
    assert_eq!(found.states().len(), LINKS.len(), "everything was found");
    let lost = found.list("/reviewQueue/items").iter().any(|item| item.to_string().contains("reached again"));
    assert!(!lost, "no state is called unreachable because a browser died");
}

/// A browser that others attach to, and its address.
async fn reachable() -> (Browser, String) {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let browser =
        Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await.expect("a browser");
    let file = browser.profile().expect("a profile").join("DevToolsActivePort");
    let mut port = None;
    until("the browser says its port", || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        port = text.lines().next().and_then(|line| line.parse::<u16>().ok());
        port.is_some()
    })
    .await;
    (browser, format!("http://127.0.0.1:{}", port.expect("a port")))
}

/// How many pages a browser shows, as it says itself.
async fn pages(browser: &Browser) -> usize {
    let told = browser.client().send(None, "Target.getTargets", json!({}), Deadline::after(WAIT)).await;
    let told: Value = told.expect("an answer");
    told["targetInfos"].as_array().expect("a list").iter().filter(|target| target["type"] == "page").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_spread_over_browsers_and_one_that_dies_leaves_them_to_the_others() {
    let site = small_site().await;
    let stage = Stage::new("several-browsers");
    let ((first, one), (second, two)) = (reachable().await, reachable().await);
    let before = (pages(&first).await, pages(&second).await);
    let run = stage.start(&site.url("/"), &["--jobs", "2", "--browser", &one, "--browser", &two]);
    stage.until_logged("made", 1).await;
    let with = (pages(&first).await, pages(&second).await);
    assert!(with.0 > before.0 && with.1 > before.1, "each has a page: {before:?}, {with:?}");
    first.close().await;
    run.end().await.ended(0, &["Mapped"]);
    let found = stage.found();
    found.ended("completed", &["A page was lost and opened again"]);
    assert_eq!(found.states().len(), LINKS.len(), "everything was found");
    assert!(!second.is_gone(), "a browser of somebody else is left running");
    let single = std::process::Command::new(env!("CARGO_BIN_EXE_uiap"))
        .args(["look", &site.url("/"), "--browser", &one, "--browser", &two])
        .output()
        .expect("it starts");
    assert_eq!(single.status.code(), Some(2), "one is enough to look");
}
