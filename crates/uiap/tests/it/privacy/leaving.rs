//! A page that a model leaves ends, and the windows that it opened end with it. The witnesses are the server of the
//! pages and the table of processes.

use super::client::Client;
use super::site::Site;
use serde_json::json;
use std::time::{Duration, Instant};

/// How many pages are opened one after the other.
const PAGES: usize = 12;
/// How many windows of a page may be open.
const WINDOWS_MAX: usize = 32;
/// How many processes may show pages when one page is open: that page, and those that the browser holds ready.
const RENDERERS_MAX: usize = 8;
/// Nothing that is waited for takes this long, unless it is broken.
const WAIT: Duration = Duration::from_mins(1);

fn until(what: &str, so: impl Fn() -> bool) {
    let end = Instant::now() + WAIT;
    while !so() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many processes below this one show pages.
fn renderers(program: u32) -> usize {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_renderer = |id: &u32| {
        let command = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("--type=renderer") && is_below(*id, program)
    };
    ids.filter(is_renderer).count()
}

fn is_below(mut id: u32, program: u32) -> bool {
    while id > 1 {
        if id == program {
            return true;
        }
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        id = parent.unwrap_or(0);
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_page_that_was_left_goes_on() {
    let site = Site::start(String::new()).await;
    let talk = move || {
        let mut client = Client::start("left", None);
        for number in 0..PAGES {
            client.call("open", &json!({ "url": format!("{}/page/p{number}", site.origin) }));
            let pressed =
                client.said("act", &json!({ "action": "activate", "target": "button Press" }), "status");
            assert_eq!(pressed, "succeeded", "page {number}");
            client.call("read", &json!({ "target": "button" }));
        }
        let last = format!("p{}", PAGES - 1);
        until("only the last page is connected", || {
            site.ledger().connected.iter().eq(std::iter::once(&last))
        });
        site.ledger().left = (0..PAGES - 1).map(|number| format!("p{number}")).collect();
        client.call("wait", &json!({ "quiet": 60_000, "timeout": 1 }));
        assert_eq!(site.ledger().late, 0, "a page that was left asked for something");
        until("the processes are gone", || renderers(client.id()) <= RENDERERS_MAX);
        // What was kept of the actions is still there.
        let traces = client.call("trace", &json!({}));
        assert!(traces.to_string().contains("ui.activate"), "{traces}");
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_end_with_their_page_and_too_many_are_told() {
    let site = Site::start(String::new()).await;
    let talk = move || {
        let mut client = Client::start("windows", None);
        client.call("open", &json!({ "url": format!("{}/page/one", site.origin) }));
        client.call("act", &json!({ "action": "activate", "target": "link Window" }));
        until("the window is there", || site.ledger().connected.contains("one-window"));
        client.call("open", &json!({ "url": format!("{}/page/two", site.origin) }));
        until("page and window are gone", || site.ledger().connected.iter().eq(["two"]));

        let press = json!({ "action": "activate", "target": "link Quiet", "timeout": 5 });
        let told = (0..=WINDOWS_MAX).map(|_| client.said("act", &press, "page"));
        let told: Vec<_> = told.filter(|page| page.contains("too many windows")).collect();
        assert_eq!(told.len(), 1, "only the last one has no room: {told:?}");
        // It goes on working, here and elsewhere.
        let status = client.said("act", &json!({ "action": "activate", "target": "button Press" }), "status");
        assert_eq!(status, "succeeded");
        client.call("open", &json!({ "url": format!("{}/page/three", site.origin) }));
        until("all windows are gone", || site.ledger().connected.iter().eq(["three"]));
        client.call("act", &json!({ "action": "activate", "target": "link Window" }));
        until("there is room for a window", || site.ledger().connected.contains("three-window"));
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_that_is_refused_leaves_the_page_that_was_open() {
    let elsewhere = Site::start(String::new()).await;
    let target = format!("{}/page/elsewhere", elsewhere.origin);
    let site = Site::start(format!("<script>location.replace('{target}')</script>")).await;
    let talk = move || {
        let mut client = Client::start_with("refused", &["--allow", &site.origin]);
        client.call("open", &json!({ "url": format!("{}/page/here", site.origin) }));
        let refused = client.said("open", &json!({ "url": format!("{}/", site.origin) }), "why");
        assert!(refused.contains("does not allow") && refused.contains("still open"), "{refused}");
        let status = client.said("act", &json!({ "action": "activate", "target": "button Press" }), "status");
        assert_eq!(status, "succeeded");
        until("the refused page is gone", || elsewhere.ledger().connected.is_empty());
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}
