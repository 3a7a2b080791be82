//! What is missing, dies or never comes to rest.

use crate::serving::support::{Pipe, Videoland};
use crate::shared::listening::Listening;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use uiap_testkit::ClosedPort;

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);

/// The processes of the browser that keeps its files in this folder.
fn browsers(folder: &Path) -> Vec<Pid> {
    let wanted = folder.as_os_str().as_encoded_bytes();
    let process = |entry: std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let number = entry.file_name().to_str()?.parse().ok()?;
        line.windows(wanted.len()).any(|part| part == wanted).then(|| Pid::from_raw(number)).flatten()
    };
    Path::new("/proc").read_dir().expect("a process table").flatten().filter_map(process).collect()
}

fn all_gone(folder: &Path) {
    let end = Instant::now() + WAIT;
    while !browsers(folder).is_empty() {
        assert!(Instant::now() < end, "a browser is left");
        std::thread::yield_now();
    }
}

/// A command whose browser keeps its files in the folder of the test.
fn traced(videoland: &Videoland, arguments: &[&str]) -> Command {
    let temporary = videoland.folder.join("tmp");
    std::fs::create_dir_all(&temporary).expect("a folder");
    let mut command = videoland.uiap(arguments);
    command.env("TMPDIR", temporary);
    command
}

/// What a command says to people when it does not serve.
fn refused(mut command: Command) -> (Option<i32>, String) {
    let output = command.stdin(std::process::Stdio::null()).output().expect("it ends");
    assert!(output.stdout.is_empty(), "standard output is for messages");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_browser_that_dies_ends_every_session_and_the_server() {
    let videoland = Videoland::start("browser-dies");
    let address = videoland.address("/login");
    let mut pipe = Pipe::begun(traced(&videoland, &["serve", "--stdio", &address]));
    for process in browsers(&videoland.folder) {
        // Some of them end by themselves when the first is gone.
        let _ = kill_process(process, Signal::KILL);
    }
    let last = pipe.next();
    assert_eq!(last["type"], "session.terminated", "{last}");
    assert!(last["payload"]["reason"].as_str().is_some_and(|reason| reason.contains("gone")), "{last}");
    assert_eq!(pipe.child.wait().expect("it ends").code(), Some(1));
    all_gone(&videoland.folder);
}

#[test]
fn a_signal_ends_the_server_its_sessions_and_its_browser() {
    let videoland = Videoland::start("signals");
    let address = videoland.address("/login");
    for signal in [Signal::INT, Signal::TERM] {
        let mut pipe = Pipe::begun(traced(&videoland, &["serve", "--stdio", &address]));
        assert!(!browsers(&videoland.folder).is_empty());
        kill_process(Pid::from_child(&pipe.child), signal).expect("it runs");
        let last = pipe.next();
        assert_eq!(last["type"], "session.terminated", "{last}");
        assert_eq!(pipe.child.wait().expect("it ends").code(), Some(0), "{signal:?}");
        all_gone(&videoland.folder);
    }
    // Nobody who needs any port gets this one when the server is gone.
    let port = ClosedPort::take().expect("a port");
    let at = port.address().to_string();
    let listening = ["serve", "--listen", &at, &address];
    let mut server = Listening::open(traced(&videoland, &listening));
    std::net::TcpStream::connect(&server.at).expect("it listens");
    kill_process(Pid::from_child(&server.child), Signal::INT).expect("it runs");
    assert_eq!(server.child.wait().expect("it ends").code(), Some(0));
    std::net::TcpStream::connect(&server.at).expect_err("nobody listens any more");
    all_gone(&videoland.folder);
}

#[test]
fn rules_that_are_read_again_hold_and_who_speaks_of_rules_is_told() {
    let videoland = Videoland::start("rules");
    let rules = |effect: &str| {
        format!(
            "{{modelVersion: '0.1', id: team, defaults: {{onUnknownAction: deny}}, \
             rules: [{{id: focus, when: {{actions: [ui.focus]}}, effect: {effect}}}]}}"
        )
    };
    let file = videoland.file("team.yaml", &rules("allow"));
    let address = videoland.address("/login");
    let mut pipe = Pipe::open(videoland.uiap(&["serve", "--stdio", "--policy", &file, &address]));
    let offer = json!({
        "supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"},
        "extensions": [{"id": "uiap.policy", "versions": ["0.1"]}],
    });
    pipe.say("session.initialize", &offer, None);
    pipe.session = pipe.next()["sessionId"].as_str().map(str::to_owned);
    let focus = json!({
        "actionId": "ui.focus", "target": {"ref": {"by": "stableId", "value": "login.user"}},
    });
    let ended = |pipe: &mut Pipe| pipe.act(&focus).pop().expect("an answer");
    assert_eq!(ended(&mut pipe)["payload"]["status"], "succeeded");
    videoland.file("team.yaml", &rules("deny"));
    let reread = |pipe: &Pipe| kill_process(Pid::from_child(&pipe.child), Signal::USR1).expect("it runs");
    reread(&pipe);
    let changed = pipe.until("uiap.policy.changed");
    assert!(changed["payload"]["revision"].as_str().is_some_and(|revision| revision.starts_with("pol_")));
    let denied = ended(&mut pipe);
    assert!(denied.to_string().contains("policy_denied"), "{denied}");
    // What cannot be read changes nothing, and the next one that can does.
    videoland.file("team.yaml", "rules: [");
    reread(&pipe);
    let still = ended(&mut pipe);
    assert!(still.to_string().contains("policy_denied"), "{still}");
    videoland.file("team.yaml", &rules("allow"));
    reread(&pipe);
    pipe.until("uiap.policy.changed");
    assert_eq!(ended(&mut pipe)["payload"]["status"], "succeeded");
}

#[test]
fn a_page_that_never_settles_is_looked_at_and_acted_on() {
    let videoland = Videoland::start("restless");
    let address = videoland.address("/login");
    let mut pipe = Pipe::begun(videoland.uiap(&["serve", "--stdio", "--as", "person", &address]));
    crate::serving::sign_in(&mut pipe);
    pipe.succeed(&json!({"actionId": "nav.navigate", "args": {"url": "/lab"}}));
    pipe.say("web.state.subscribe", &json!({}), None);
    assert_eq!(pipe.next()["type"], "web.state.subscribed");
    // The address is there before what it shows.
    while !shows(&mut pipe, "lab.clock.press") {}
    let press = json!({
        "actionId": "ui.activate", "target": {"ref": {"by": "stableId", "value": "lab.clock.press"}},
        "timeoutMs": 30000,
    });
    let messages = pipe.act(&press);
    let result = messages.last().expect("a result");
    assert_eq!(result["payload"]["status"], "succeeded", "{result}");
    assert!(shows(&mut pipe, "lab.clock.press"));
}

/// Whether an element is on the page that a session sees.
fn shows(pipe: &mut Pipe, stable_id: &str) -> bool {
    pipe.say("web.state.get", &json!({}), None);
    let snapshot = pipe.until("web.state.snapshot");
    let elements = snapshot["payload"]["graph"]["elements"].as_array().expect("elements");
    elements.iter().any(|element| element["stableId"] == stable_id)
}

#[test]
fn without_a_browser_nothing_is_served() {
    let videoland = Videoland::start("no-browser");
    let address = videoland.address("/login");
    let (code, said) =
        refused(videoland.uiap(&["serve", "--stdio", "--browser", "no-such-browser", &address]));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("no-such-browser") && said.contains("install one"), "{said}");
}

#[test]
fn two_servers_share_a_journal() {
    let videoland = Videoland::start("one-journal");
    let address = videoland.address("/login");
    let begin = || Pipe::begun(videoland.uiap(&["serve", "--stdio", "--as", "person", &address]));
    let mut servers = [begin(), begin()];
    for server in &mut servers {
        crate::serving::sign_in(server);
    }
    // The same again, without a key: neither is held back by what the other did.
    for server in &mut servers {
        server.succeed(&json!({"actionId": "nav.navigate", "args": {"url": "/lab"}}));
    }
    for server in servers {
        server.close();
    }
}

#[test]
fn a_page_that_is_not_there_is_not_served() {
    let videoland = Videoland::start("no-page");
    let closed = ClosedPort::take().expect("a port");
    let address = closed.address().to_string();
    let (code, said) = refused(videoland.uiap(&["serve", "--stdio", &format!("http://{address}/")]));
    assert_ne!(code, Some(0), "{said}");
    assert!(said.contains(&address), "{said}");
}
