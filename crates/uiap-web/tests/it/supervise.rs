//! A browser that dies is told, and replaced when it is needed.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use std::path::PathBuf;
use std::time::Duration;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{
    BrowserSource, CallError, ContextOptions, Deadline, EvaluateError, FindError, LaunchError, LaunchOptions,
    Life, Supervisor, SupervisorError,
};

/// A kept profile tells which processes belong to these browsers.
fn source(name: &str) -> (BrowserSource, PathBuf) {
    let folder = std::env::temp_dir().join(format!("uiap-supervised-{name}-{}", std::process::id()));
    let options = LaunchOptions { user_data: Some(folder.clone()), ..LaunchOptions::default() };
    (BrowserSource::Launch(options), folder)
}

/// The main process of the browser that uses a folder: the one that no other of them started.
fn main_process(folder: &std::path::Path) -> u32 {
    users_of(folder).into_iter().min().unwrap()
}

#[tokio::test]
async fn a_dead_browser_is_told_at_once_and_the_next_request_gets_a_new_one() {
    let site = site_of("<button>Here</button>").await;
    let (source, folder) = source("dead");
    let supervisor = Supervisor::new(source);
    let mut life = supervisor.life();
    assert_eq!(*life.borrow_and_update(), Life::Unborn);
    for number in 1..=2 {
        let context = supervisor.context(ContextOptions::default(), soon()).await.unwrap();
        let page = context.open(&site.url("/"), soon()).await.unwrap();
        assert_eq!(seen(&page).await, "button Here");
        assert_eq!(*life.borrow_and_update(), Life::Running { number });
        let again = supervisor.context(ContextOptions::default(), soon()).await.unwrap();
        assert_eq!(*life.borrow_and_update(), Life::Running { number }, "it is the same one");
        let waiting = page.evaluate_main("new Promise(() => {})", soon());
        let killed = async {
            kill(main_process(&folder));
            // Long before anybody's deadline would have brought it to light.
            tokio::time::timeout(WAIT / 2, life.changed()).await.unwrap().unwrap();
        };
        let (outcome, ()) = tokio::join!(waiting, killed);
        assert!(matches!(outcome, Err(EvaluateError::Call(CallError::BrowserGone))), "{outcome:?}");
        let Life::Dead { number: dead, why } = life.borrow_and_update().clone() else { panic!("it is dead") };
        assert_eq!(dead, number);
        assert!(why.contains("signal: 9"), "{why}");
        let error = page.look(&SnapshotOptions::default(), soon()).await.unwrap_err();
        assert_eq!(error.to_string(), "the browser is gone");
        let error = again.open(&site.url("/"), soon()).await.unwrap_err();
        assert_eq!(error.to_string(), "the browser is gone");
    }
    supervisor.close().await;
    until("no process is left", || users_of(&folder).is_empty());
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn those_who_ask_at_the_same_time_get_the_same_browser() {
    let (source, folder) = source("same");
    let supervisor = Supervisor::new(source);
    let ask = || supervisor.context(ContextOptions::default(), soon());
    let (one, two, three) = tokio::join!(ask(), ask(), ask());
    assert!(one.is_ok() && two.is_ok() && three.is_ok());
    assert_eq!(*supervisor.life().borrow(), Life::Running { number: 1 });
    // Dropping it, and nothing else, ends the browser.
    drop(supervisor);
    until("no process is left", || users_of(&folder).is_empty());
    until("every browser is reaped", || own_zombies() == 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_request_that_cannot_be_met_says_why() {
    let options = LaunchOptions { program: Some("/no/such/browser".into()), ..LaunchOptions::default() };
    let supervisor = Supervisor::new(BrowserSource::Launch(options));
    let error = supervisor.context(ContextOptions::default(), soon()).await.unwrap_err();
    let expected = matches!(error, SupervisorError::Launch(LaunchError::Find(FindError::Asked { .. })));
    assert!(expected, "{error}");
    let silent = Site::start(|_, _| Reply::Silent).await;
    let supervisor = Supervisor::new(BrowserSource::Attach { address: silent.url("") });
    let short = Deadline::after(Duration::from_millis(200));
    let error = supervisor.context(ContextOptions::default(), short).await.unwrap_err();
    assert!(matches!(error, SupervisorError::Attach(_) | SupervisorError::Deadline), "{error}");
    assert_eq!(*supervisor.life().borrow(), Life::Unborn);
}

#[tokio::test]
async fn a_browser_elsewhere_that_hangs_up_is_called_again() {
    let site = site_of("<button>Here</button>").await;
    let (host, address) = reachable().await;
    let supervisor = Supervisor::new(BrowserSource::Attach { address });
    let mut life = supervisor.life();
    supervisor.context(ContextOptions::default(), soon()).await.unwrap();
    drop(host);
    let dead = life.wait_for(|life| matches!(life, Life::Dead { .. })).await.unwrap().clone();
    assert_eq!(dead, Life::Dead { number: 1, why: "it hung up".to_owned() });
    // Nobody is there any more, and that is what is said.
    let error = supervisor.context(ContextOptions::default(), soon()).await.unwrap_err();
    assert!(matches!(error, SupervisorError::Attach(_)), "{error}");
    drop(site);
}
