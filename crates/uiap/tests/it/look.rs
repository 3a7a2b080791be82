//! `uiap look` on Videoland, with a real browser.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use std::process::{Command, Output};
use uiap_testkit::ClosedPort;
use videoland::{Options, Server};

fn uiap(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_uiap")).args(arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Videoland, served by threads of its own for as long as the value lives.
struct Videoland {
    runtime: tokio::runtime::Runtime,
    server: Option<Server>,
}

impl Videoland {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let server = runtime.block_on(Server::start(Options::default())).expect("Videoland starts");
        Self { runtime, server: Some(server) }
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server.as_ref().expect("it runs").origin())
    }
}

impl Drop for Videoland {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.shut_down());
        }
    }
}

#[test]
fn a_form_is_a_few_lines_with_stable_references() {
    let videoland = Videoland::start();
    let output = uiap(&["look", &videoland.address("/login"), "--scope", "login.form"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    for line in [
        "route=login",
        "form [login.form]",
        "login.user textbox \"Benutzername\" required",
        "login.password textbox \"Passwort\" required sensitive",
        "login.submit button \"Anmelden\"",
    ] {
        assert!(shown.contains(line), "{line:?} in\n{shown}");
    }
}

#[test]
fn only_what_is_looked_for_is_shown() {
    let videoland = Videoland::start();
    let output = uiap(&["look", &videoland.address("/login?lang=en"), "--find", "password"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("login.password"), "{shown}");
    assert!(!shown.contains("login.submit"), "{shown}");
}

#[test]
fn the_graph_passes_our_own_check_and_holds_no_password() {
    uiap_testkit::proves!["WEB-4", "WEB-5"];
    let videoland = Videoland::start();
    let graph = uiap(&["look", &videoland.address("/login"), "--format", "json"]);
    assert_eq!(graph.status.code(), Some(0), "{}", text(&graph.stderr));
    let tree: serde_json::Value =
        serde_json::from_slice(&graph.stdout).expect("JSON and nothing else on stdout");
    let folder = std::env::temp_dir().join(format!("uiap-look-{}.json", std::process::id()));
    std::fs::write(&folder, &graph.stdout).expect("a file");
    let checked = uiap(&["check", "--as", "page-graph", folder.to_str().expect("UTF-8")]);
    std::fs::remove_file(&folder).expect("the file is ours");
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let password = tree["elements"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|element| element["stableId"] == "login.password");
    let password = password.expect("the password field");
    assert_eq!(password["state"]["sensitive"], true);
    assert!(password["state"].get("textValue").is_none(), "{password}");
}

#[test]
fn a_picture_is_written_whole() {
    let videoland = Videoland::start();
    let path = std::env::temp_dir().join(format!("uiap-look-{}.png", std::process::id()));
    let output = uiap(&["look", &videoland.address("/login"), "--screenshot", path.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let picture = std::fs::read(&path).expect("a picture");
    std::fs::remove_file(&path).expect("the picture is ours");
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.len() > 5_000);
}

#[test]
fn trouble_has_its_exit_code_and_its_sentence() {
    let closed = ClosedPort::take().expect("a port");
    let nowhere = format!("http://{}/", closed.address());
    for (arguments, code, sentence) in [
        (&["look", nowhere.as_str()][..], 1, "nobody listens there"),
        (&["look", "no page"][..], 2, "is not the address of a page"),
        (&["look", "about:blank", "--browser", "no-such-browser"][..], 3, "no-such-browser"),
    ] {
        let output = uiap(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(sentence), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}

#[test]
fn a_page_that_is_watched_tells_what_changes() {
    // Letters: a text in which only numbers change is a clock, and no news.
    let page = "data:text/html,<title>T</title><button id=b>One</button><script>let n = 0;
        setInterval(() => { b.textContent = `Round ${'x'.repeat(n += 1)}`; }, 300);</script>";
    let output = uiap(&["look", page, "--watch=5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let changes = shown.lines().filter(|line| line.starts_with("~ e1 button \"Round ")).count();
    assert!(changes >= 2 && shown.contains(": changes since rev_"), "{shown}");
    let lines = uiap(&["look", page, "--watch=5", "--format", "json"]);
    let deltas = text(&lines.stdout);
    assert!(deltas.lines().any(|line| line.starts_with("{\"baseRevision\":\"rev_")), "{deltas}");
}
