//! A real browser, from launch to close.

use crate::support::*;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{ScreenshotOptions, Settled};

const PAGE: &str = "<!doctype html><title>Shop</title><button>Buy</button><a href='/x'>More</a>
    <label>Name <input></label>";

#[tokio::test]
async fn a_page_is_opened_and_looked_at() {
    let site = site_of(PAGE).await;
    let (browser, page) = open_alone(&site.url("/shop")).await;
    assert!(browser.version().contains('/'), "{}", browser.version());
    assert_eq!(page.arrival().url, site.url("/shop"));
    assert_eq!((page.arrival().status, page.arrival().settled), (Some(200), Settled::Loaded));

    let look = page.look(&SnapshotOptions::default(), soon()).await.unwrap();
    assert_eq!(lines(&look.graph), "button Buy\nlink More\ntextbox Name");
    assert_eq!(look.graph.route.url, site.url("/shop"));
    assert_eq!(look.graph.title.as_deref(), Some("Shop"));
    assert!(look.json_bytes > 100);
    assert_eq!(page.evaluate_main("1 + 1", soon()).await.unwrap(), 2);

    let picture = page.screenshot(&ScreenshotOptions::default(), soon()).await.unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    let full = ScreenshotOptions { full_page: true, ..ScreenshotOptions::default() };
    assert!(page.screenshot(&full, soon()).await.unwrap().starts_with(b"\x89PNG"));

    let profile = browser.profile().unwrap().to_owned();
    browser.close().await;
    until("the profile is removed", || !profile.exists());
    until("no process is left", || users_of(&profile).is_empty());
    until("no zombie is left", || own_zombies() == 0);
}
