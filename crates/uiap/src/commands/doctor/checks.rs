//! What a machine needs, one thing at a time. Each is tried, not guessed.

use super::{Check, State};
use crate::Trouble;
use crate::browsing::BrowserFlags;
use crate::keeping::{JournalFlags, random};
use crate::report::sentence;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};
use uiap_store::JournalReader;
use uiap_web::{Deadline, Sandbox};

/// How long a browser may take to open an empty page.
const PAGE_WAIT: Duration = Duration::from_mins(1);
/// The page that is opened.
const PAGE: &str = "about:blank";
/// How long a message to ourselves may take.
const LOOPBACK_WAIT: Duration = Duration::from_secs(5);

fn good(name: &'static str, says: String) -> Check {
    Check { name, state: State::Good, says, advice: None }
}

fn bad(name: &'static str, says: String, advice: &str) -> Check {
    Check { name, state: State::Bad, says, advice: Some(advice.to_owned()) }
}

/// A browser starts and opens a page, and it is protected from it.
pub(super) async fn browser(flags: &BrowserFlags) -> Vec<Check> {
    let started = Instant::now();
    match opens_a_page(flags).await {
        Ok(version) => {
            let seconds = started.elapsed().as_secs_f64();
            let says = format!("{version} starts and opens a page ({seconds:.1} s)");
            let sandbox = flags.address().is_none().then(sandbox);
            [good("browser", says)].into_iter().chain(sandbox).collect()
        }
        Err(trouble) => {
            let advice = "UIAP drives Chromium, Chrome or Edge: install one, or name one with --browser.";
            vec![bad("browser", sentence(&trouble.to_string()), advice)]
        }
    }
}

/// The version of the browser that opened a page.
async fn opens_a_page(flags: &BrowserFlags) -> Result<String, Trouble> {
    let deadline = Deadline::after(PAGE_WAIT);
    let browser = flags.browser(deadline).await?;
    let version = browser.version().to_owned();
    let browsing = flags.begin(browser, deadline).await?;
    let opened = browsing.open(PAGE, deadline).await.map(drop);
    browsing.close().await;
    opened.map(|()| version)
}

fn sandbox() -> Check {
    if Sandbox::Auto.is_on() {
        return good("sandbox", "the browser is protected from the pages that it shows".to_owned());
    }
    Check {
        name: "sandbox",
        state: State::Limited,
        says: "off: the browser does not start with it for the superuser".to_owned(),
        advice: Some("Run uiap as another user where pages are not your own.".to_owned()),
    }
}

/// People can see pages.
pub(super) fn window() -> Check {
    let displays = ["WAYLAND_DISPLAY", "DISPLAY"];
    let has_display = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "macos") || displays.into_iter().any(has_display) {
        return good("window", "there is a display for --headed".to_owned());
    }
    Check {
        name: "window",
        state: State::Limited,
        says: "there is no display, so --headed does not work here".to_owned(),
        advice: None,
    }
}

/// What is done can be written down.
pub(super) fn journal(flags: &JournalFlags) -> Check {
    const NAME: &str = "journal";
    const ADVICE: &str = "Name another file with --journal.";
    let path = match flags.path() {
        Ok(path) => path,
        Err(trouble) => return bad(NAME, trouble.to_string(), ADVICE),
    };
    let shown = path.display();
    if path.exists()
        && let Err(error) = JournalReader::open(&path)
    {
        return bad(NAME, format!("{shown} cannot be read: {error}"), ADVICE);
    }
    match can_be_written(&path) {
        Ok(()) => good(NAME, format!("{shown} can be written")),
        Err(error) => bad(NAME, format!("{shown} cannot be written: {error}"), ADVICE),
    }
}

/// Tries the folder of a file, or the one in which that folder would be made, with a file that vanishes.
fn can_be_written(path: &Path) -> std::io::Result<()> {
    let folders = path.ancestors().skip(1);
    let folder = folders.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let Some(folder) = folder.into_iter().find(|folder| folder.exists()) else {
        return Err(ErrorKind::NotFound.into());
    };
    let probe = folder.join(format!(".uiap-doctor-{}", std::process::id()));
    std::fs::File::create_new(&probe)?.write_all(b"?")?;
    std::fs::remove_file(&probe)
}

/// Programs on this machine can talk to each other.
pub(super) fn loopback() -> Check {
    match says_to_itself(*b"uiap") {
        Ok(()) => good("loopback", "programs on this machine can connect to uiap".to_owned()),
        Err(error) => bad(
            "loopback",
            format!("no connection within this machine: {error}"),
            "`uiap serve --stdio` and `uiap mcp` without --http work all the same.",
        ),
    }
}

fn says_to_itself(message: [u8; 4]) -> std::io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut out = TcpStream::connect_timeout(&listener.local_addr()?, LOOPBACK_WAIT)?;
    let (mut back, _) = listener.accept()?;
    back.set_read_timeout(Some(LOOPBACK_WAIT))?;
    out.write_all(&message)?;
    let mut heard = [0; 4];
    back.read_exact(&mut heard)?;
    if heard == message { Ok(()) } else { Err(ErrorKind::InvalidData.into()) }
}

/// Nobody can guess the names and keys that are made here.
pub(super) fn chance() -> Check {
    match random::<16>() {
        Ok(_) => good("chance", "the system gives random numbers".to_owned()),
        Err(trouble) => bad("chance", trouble.to_string(), "Nothing that needs consent works without them."),
    }
}
