//! The commands that help texts and documents show, each typed into a shell before a person who agrees.

use super::extract;
use super::site::Site;
use super::tools::folder;
use crate::shared::terminal;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use uiap_runtime::catalogue::Native;
use videoland::{Language, Options, Server};

/// What documents show as failing, by a part of the command: its exit code.
const OUTCOMES: [(&str, i32); 2] = [("login.submit < /dev/null", 1), ("check actions.uiap.yaml", 1)];
/// A command that serves until it is stopped, where a person sees it.
const SERVES: &str = "uiap demo";
const MESSAGE: &str = r#"{"uiap": "0.1", "type": "action.request", "kind": "request", "id": "msg_1", "ts": "2026-11-19T12:00:00Z",
    "sessionId": "session_1", "source": {"role": "agent", "id": "helper"}, "target": {"role": "bridge", "id": "uiap"},
    "payload": {"actionId": "ui.activate", "target": {"ref": {"by": "stableId", "value": "login.submit"}}}}"#;
/// Where the documents say that Videoland is.
const VIDEOLAND: &str = "127.0.0.1:4870";
/// An action with its handle, for documents that name one.
const HANDLE: &str = "HANDLE";

/// A shell in a folder that has the files that documents name.
struct Shell {
    folder: PathBuf,
    practice: Site,
    videoland: Server,
    _runtime: tokio::runtime::Runtime,
}

impl Shell {
    fn start(name: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let options = Options { language: Language::English, test_api: true, ..Options::default() };
        let videoland = runtime.block_on(Server::start(options)).expect("Videoland starts");
        Self { folder: folder(name), practice: Site::start(), videoland, _runtime: runtime }
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    /// A command as it is typed here: its addresses and paths are those of this test.
    fn typed(&self, command: &str) -> String {
        let url = if command.contains("--login") {
            format!("{}/videos", self.videoland.origin())
        } else {
            self.practice.address("/")
        };
        let words = command.split(' ').map(|word| if word == "URL" { url.as_str() } else { word });
        let origin = self.videoland.origin();
        let command = words.collect::<Vec<_>>().join(" ");
        let command = command.replace(VIDEOLAND, origin.trim_start_matches("http://"));
        let command = command.replace("/path/to", self.folder.to_str().expect("UTF-8"));
        if command.starts_with(SERVES) { command + " > shown.txt" } else { command }
    }

    /// Types a command, and says yes where it asks.
    fn run(&self, command: &str) -> (i32, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_uiap")).parent().expect("a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.args(["-c", &self.typed(command)]).current_dir(&self.folder);
        shell.env("PATH", std::env::join_paths(paths).expect("a path"));
        shell.env("XDG_STATE_HOME", &self.folder).env("VIDEOLAND_PASSWORD", "videoland");
        terminal::run_before_a_person(shell, "y")
    }

    /// Types commands; each must end as its document says.
    fn perform(&self, commands: &[String]) {
        let mut wrong = Vec::new();
        for command in commands {
            let command = if command.contains(HANDLE) {
                command.replace(HANDLE, &self.last_handle())
            } else {
                command.clone()
            };
            let outcome =
                OUTCOMES.iter().find(|(part, _)| command.contains(part)).map_or(0, |(_, code)| *code);
            let (code, shown) = self.run(&command);
            if code != outcome {
                wrong.push(format!("{command} ended with {code}, not {outcome}:\n{shown}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn last_handle(&self) -> String {
        let (code, shown) = self.run("uiap trace");
        assert_eq!(code, 0, "{shown}");
        let handle = shown.split_whitespace().find(|word| word.starts_with("act_"));
        handle.expect("an action that was done").to_owned()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn document(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("the document is there")
}

/// A command without arguments is only a name: it must be one.
fn is_a_name(command: &str) -> bool {
    command.split_whitespace().count() <= 2 || matches!(command, "uiap policy test" | "uiap key new")
}

#[test]
fn every_command_in_the_help_of_act_works() {
    let shell = Shell::start("help");
    let (code, help) = shell.run("uiap act --help");
    assert_eq!(code, 0, "{help}");
    let help = help.replace('\r', "");
    let mut commands = extract::examples(&help);
    for (id, native) in Native::all() {
        let word = Native::short_word(id);
        let has_example =
            commands.iter().any(|command| command.starts_with(&format!("uiap act URL {word} ")));
        assert_eq!(has_example, !native.usage().examples.is_empty(), "{word} and the help:\n{help}");
    }
    shell.file("report.pdf", "a report");
    let press = json!({ "actionId": "ui.activate", "target": { "ref": { "by": "semantic", "role": "button", "name": "Save" } } });
    shell.file("request.json", &press.to_string());
    shell.file(
        "secrets.yaml",
        &format!("videoland: {{origins: [\"{}\"], env: VIDEOLAND_PASSWORD}}\n", shell.videoland.origin()),
    );
    shell.file("login.yaml", "url: /login\nsteps:\n- {action: enterText, target: login.user, args: {text: admin}}\n\
        - {action: enterText, target: login.password, args: {text: 'secret:videoland'}}\n- {action: activate, target: login.submit}\n");
    std::fs::copy(
        root().join("examples/videoland/uiap/policies/default.uiap.yaml"),
        shell.folder.join("team.yaml"),
    )
    .expect("a policy");
    let package = root().join("examples/videoland/uiap");
    commands.insert(
        0,
        format!(
            "uiap build {} --packages {} --channel staging -o videoland.bundle.json",
            package.display(),
            root().join("examples/videoland/packages").display()
        ),
    );
    shell.perform(&commands);
    assert!(shell.videoland.effects().contains(&"video.created"), "{:?}", shell.videoland.effects());
}

#[test]
fn every_command_in_the_documents_works() {
    let shell = Shell::start("documents");
    let readme = document("README.md");
    let manifest = extract::blocks(&readme, "yaml").into_iter().find(|block| block.contains("appActions"));
    shell.file("actions.uiap.yaml", manifest.expect("the manifest with two mistakes"));
    shell.file("message.json", MESSAGE);
    shell.file("report.pdf", "a report");
    std::os::unix::fs::symlink(root().join("examples"), shell.folder.join("examples")).expect("a link");
    let documents = [readme, document("docs/acting.md"), document("docs/mcp.md")];
    let shown: Vec<_> = documents.iter().flat_map(|document| extract::commands(document)).collect();
    assert!(shown.len() >= 20, "{shown:?}");
    let (names, commands): (Vec<_>, Vec<_>) = shown.into_iter().partition(|command| is_a_name(command));
    let mut names: Vec<_> =
        names.iter().filter(|name| **name != "uiap doctor").map(|name| format!("{name} --help")).collect();
    names.sort();
    names.dedup();
    shell.perform(&[names, commands].concat());
}
