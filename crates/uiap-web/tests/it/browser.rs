//! The browser as a process: isolated, mortal, and never left behind.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use uiap_protocol::web::SnapshotOptions;
use uiap_web::{Browser, CallError, Deadline, EvaluateError, FindError, LaunchError, LaunchOptions};

/// In the environment of this test binary when it is started again as somebody who is going to be killed.
const VICTIM: &str = "UIAP_TEST_VICTIM";

#[tokio::test]
async fn a_browser_that_is_not_there_is_said_with_what_to_do() {
    let options = LaunchOptions { program: Some("/no/such/browser".into()), ..LaunchOptions::default() };
    let error = Browser::launch(&options).await.unwrap_err();
    assert!(matches!(error, LaunchError::Find(FindError::Asked { .. })), "{error}");
    assert!(error.to_string().contains("sudo apt-get install chromium"), "{error}");
}

#[tokio::test]
async fn a_program_that_is_no_browser_is_told_with_its_last_words() {
    let folder = std::env::temp_dir().join(format!("uiap-no-browser-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("browser");
    std::fs::write(&program, "#!/bin/sh\necho 'I am a shell' >&2\nexit 7\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let options = LaunchOptions { program: Some(program), ..LaunchOptions::default() };
    let error = Browser::launch(&options).await.unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    let LaunchError::Exited { status, complaints } = &error else { panic!("{error:?}") };
    assert_eq!((status.and_then(|status| status.code()), complaints.as_str()), (Some(7), "I am a shell"));
}

#[tokio::test]
async fn contexts_share_nothing() {
    let site = Site::start(|_, request| {
        let told = request.lines().find(|line| line.starts_with("Cookie:")).unwrap_or("none").to_owned();
        Reply::Page(format!("<title>{told}</title><button>x</button>"))
    })
    .await;
    let browser = browser().await;
    let one = context(&browser).await;
    let two = context(&browser).await;
    let page = one.open(&site.url("/"), soon()).await.unwrap();
    page.evaluate_main("void (document.cookie = 'a=1', localStorage.b = 2)", soon()).await.unwrap();
    let again = one.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(again.evaluate_main("document.title + localStorage.b", soon()).await.unwrap(), "Cookie: a=12");
    let other = two.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(
        other.evaluate_main("document.title + localStorage.b", soon()).await.unwrap(),
        "noneundefined"
    );
}

#[tokio::test]
async fn a_killed_browser_fails_every_waiting_call_at_once() {
    let site = site_of("<button>x</button>").await;
    let (browser, page) = open_alone(&site.url("/")).await;
    // At once: otherwise it would be the deadline that is told.
    let waiting = page.evaluate_main("new Promise(() => {})", soon());
    let (outcome, ()) = tokio::join!(waiting, async { kill(browser.process_id().unwrap()) });
    assert!(matches!(outcome, Err(EvaluateError::Call(CallError::BrowserGone))), "{outcome:?}");
    assert!(browser.is_gone());
    let error = browser.context(soon()).await.unwrap_err();
    assert_eq!(error.to_string(), "the browser is gone");
    let error = page.look(&SnapshotOptions::default(), soon()).await.unwrap_err();
    assert_eq!(error.to_string(), "the browser is gone");
    // The reaper ends the rest without being asked.
    let profile = browser.profile().unwrap().to_owned();
    until("the profile is removed", || !profile.exists());
    until("no process is left", || users_of(&profile).is_empty());
}

#[tokio::test]
async fn nothing_is_left_after_a_drop() {
    let site = site_of("<button>x</button>").await;
    let (browser, page) = open_alone(&site.url("/")).await;
    let (profile, process) = (browser.profile().unwrap().to_owned(), browser.process_id().unwrap());
    assert!(users_of(&profile).contains(&process));
    drop(browser);
    until("the profile is removed", || !profile.exists());
    until("it is reaped, not a zombie", || !Path::new(&format!("/proc/{process}")).exists());
    until("no process is left", || users_of(&profile).is_empty());
    drop(page);
}

#[tokio::test]
async fn nothing_is_left_after_a_panic() {
    let (sender, profile) = std::sync::mpsc::channel();
    let task = tokio::spawn(async move {
        let browser = own_browser().await;
        sender.send(browser.profile().unwrap().to_owned()).unwrap();
        panic!("on purpose");
    });
    assert!(task.await.unwrap_err().is_panic());
    let profile = profile.recv().unwrap();
    until("the profile is removed", || !profile.exists());
    until("no process is left", || users_of(&profile).is_empty());
}

#[tokio::test]
async fn a_kept_profile_is_kept() {
    let folder = std::env::temp_dir().join(format!("uiap-kept-{}", std::process::id()));
    let options = LaunchOptions { user_data: Some(folder.clone()), ..LaunchOptions::default() };
    Browser::launch(&options).await.unwrap().close().await;
    assert!(folder.exists());
    until("no process is left", || users_of(&folder).is_empty());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Not a test of its own: what the next test kills.
#[tokio::test]
async fn victim() {
    if std::env::var_os(VICTIM).is_none() {
        return;
    }
    let browser = own_browser().await;
    println!("\nprofile {}", browser.profile().unwrap().display());
    std::future::pending::<()>().await;
}

/// Another process with a browser. Killed at the latest with the value.
struct Victim {
    process: Child,
    profile: PathBuf,
}

impl Victim {
    /// Its profile is in a folder of the caller: whoever starts a browser clears away the profiles of the dead, and
    /// other tests start browsers at any time.
    fn start(temporary: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "browser::victim", "--nocapture", "--test-threads=1"])
            .env(VICTIM, "1")
            .env("TMPDIR", temporary)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let profile = lines.find_map(|line| line.strip_prefix("profile ").map(PathBuf::from));
        Self { process, profile: profile.expect("the victim says where its browser lives") }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_browser_ends_with_a_killed_process_and_the_next_start_removes_its_profile() {
    let temporary = std::env::temp_dir().join(format!("uiap-victims-{}", std::process::id()));
    std::fs::create_dir_all(&temporary).unwrap();
    let first = Victim::start(&temporary);
    let profile = first.profile.clone();
    assert!(profile.starts_with(&temporary) && !users_of(&profile).is_empty());
    drop(first);
    until("the browser of a killed process ends", || users_of(&profile).is_empty());
    assert!(profile.exists(), "nobody was left to remove it");
    let next = Victim::start(&temporary);
    until("the next start removes the profile", || !profile.exists());
    let profile = next.profile.clone();
    assert!(profile.exists());
    drop(next);
    until("the browser of a killed process ends", || users_of(&profile).is_empty());
    std::fs::remove_dir_all(temporary).unwrap();
}

#[tokio::test]
async fn a_running_browser_is_used_and_left_alone() {
    let site = site_of("<button>Guest</button>").await;
    let (host, address) = reachable().await;
    let own = context(&host).await.open(&site.url("/own"), soon()).await.unwrap();
    let guest = Browser::attach(&address, soon()).await.unwrap();
    assert_eq!((guest.version(), guest.process_id(), guest.profile()), (host.version(), None, None));
    let page = context(&guest).await.open(&site.url("/"), soon()).await.unwrap();
    assert_eq!(seen(&page).await, "button Guest");
    guest.close().await;
    let error = page.look(&SnapshotOptions::default(), soon()).await.unwrap_err();
    assert_eq!(error.to_string(), "the browser is gone");
    assert_eq!(seen(&own).await, "button Guest");
    // Once more, and this time the host goes first.
    let guest = Browser::attach(&address, soon()).await.unwrap();
    let page = context(&guest).await.open(&site.url("/"), soon()).await.unwrap();
    let waiting = page.evaluate_main("new Promise(() => {})", soon());
    let (outcome, ()) = tokio::join!(waiting, async { drop(host) });
    assert!(matches!(outcome, Err(EvaluateError::Call(CallError::BrowserGone))), "{outcome:?}");
}

#[tokio::test]
async fn what_is_not_a_browser_cannot_be_attached_to() {
    let said = async |address: &str| Browser::attach(address, soon()).await.unwrap_err().to_string();
    assert!(said("ftp://x").await.ends_with("it begins with http://, https://, ws:// or wss://"));
    let closed = uiap_testkit::ClosedPort::take().unwrap();
    assert!(said(&format!("http://{}", closed.address())).await.starts_with("no browser can be reached at"));
    let site = site_of("hello").await;
    assert!(said(&site.url("")).await.ends_with("is not a browser with remote debugging"));
    let address = format!("ws://127.0.0.1:{}/", site.port);
    assert!(said(&address).await.ends_with("does not take the call"));
    let silent = Site::start(|_, _| Reply::Silent).await;
    let late = Browser::attach(&silent.url(""), Deadline::after(Duration::from_millis(300))).await;
    assert!(late.unwrap_err().to_string().ends_with("did not answer in time"));
}
