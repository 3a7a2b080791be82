//! `uiap serve` with a real browser: the published example of the action runtime on Videoland, and the Python client.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use videoland::{Options, Server};

/// Videoland, served by threads of its own for as long as the value lives, and a folder for what belongs to one test.
struct Videoland {
    runtime: tokio::runtime::Runtime,
    server: Option<Server>,
    folder: PathBuf,
}

impl Videoland {
    fn start(name: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let options = Options { test_api: true, ..Options::default() };
        let server = runtime.block_on(Server::start(options)).expect("Videoland starts");
        let folder = std::env::temp_dir().join(format!("uiap-serving-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { runtime, server: Some(server), folder }
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server.as_ref().expect("it runs").origin())
    }

    fn uiap(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(arguments).env("XDG_STATE_HOME", &self.folder);
        command
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// What was really done, by kind.
    fn effects(&self, kind: &str) -> usize {
        let path = self.address("/__test/ledger");
        let rest = path.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        let mut stream = std::net::TcpStream::connect(host).expect("it connects");
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("it is sent");
        let text = std::io::read_to_string(stream).expect("an answer");
        let (_, body) = text.split_once("\r\n\r\n").expect("a body");
        let start = body.find('{').expect("JSON");
        let end = body.rfind('}').expect("JSON");
        let ledger: Value = serde_json::from_str(body.get(start..=end).expect("JSON")).expect("JSON");
        let effects = ledger["effects"].as_array().expect("effects");
        effects.iter().filter(|effect| effect["kind"] == kind).count()
    }
}

impl Drop for Videoland {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.shut_down());
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A session over standard input and output.
struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    said: u64,
}

impl Pipe {
    fn open(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, session: None, said: 0 }
    }

    fn begun(command: Command) -> Self {
        let mut pipe = Self::open(command);
        let offer =
            json!({"supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"}});
        pipe.say("session.initialize", &offer, None);
        let begun = pipe.next();
        assert_eq!(begun["type"], "session.initialized", "{begun}");
        pipe.session = begun["sessionId"].as_str().map(str::to_owned);
        pipe
    }

    fn say(&mut self, kind: &str, payload: &Value, ext: Option<&Value>) -> String {
        self.said += 1;
        let id = format!("msg_{}", self.said);
        let mut message = json!({
            "uiap": "0.1", "kind": "request", "type": kind, "id": id, "ts": "2026-03-26T14:03:00.000Z",
            "source": {"role": "agent", "id": "onboarding-agent"}, "payload": payload,
        });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        if let Some(ext) = ext {
            message["ext"] = ext.clone();
        }
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "{message}").expect("it is read");
        id
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("every line is JSON")
    }

    /// Everything up to the result of an action; what is asked is granted.
    fn act(&mut self, request: &Value) -> Vec<Value> {
        self.say("action.request", request, None);
        let mut messages = Vec::new();
        loop {
            let message = self.next();
            let kind = message["type"].as_str().expect("a type").to_owned();
            if kind == "action.confirmation.request" {
                let handle = json!({"actionHandle": message["payload"]["actionHandle"]});
                self.say("action.confirmation.grant", &handle, message.get("ext"));
            }
            messages.push(message);
            if kind == "action.result" || kind == "error" {
                return messages;
            }
        }
    }

    fn succeed(&mut self, request: &Value) {
        let messages = self.act(request);
        let result = messages.last().expect("a result");
        assert_eq!(result["payload"]["status"], "succeeded", "{request} gives {result}");
    }

    fn close(mut self) {
        drop(self.input.take());
        let mut left = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut left).expect("the rest");
        assert_eq!((left.as_str(), self.child.wait().expect("it ends").code()), ("", Some(0)));
    }
}

/// Signs in and opens the form for a new video.
fn open_form(pipe: &mut Pipe) {
    let by = |id: &str| json!({"ref": {"by": "stableId", "value": id}});
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("login.user"), "args": {"text": "editor"}}),
    );
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("login.password"), "args": {"text": "videoland"}}),
    );
    pipe.succeed(&json!({
        "actionId": "ui.activate", "target": by("login.submit"),
        "verification": {"policy": "all", "signals": [{"kind": "route.changed", "pattern": "/**"}]},
    }));
    pipe.succeed(&json!({"actionId": "nav.navigate", "args": {"url": "/videos/new"}}));
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("video.title"), "args": {"text": "Willkommen"}}),
    );
}

/// The request of the published example (Action Runtime, section 17).
fn example() -> Value {
    json!({
        "actionId": "ui.activate",
        "target": {"ref": {"by": "stableId", "value": "video.submit"}, "expectedRole": "button", "expectedName": "Video erstellen"},
        "verification": {
            "policy": "all",
            "signals": [{"kind": "route.changed", "pattern": "/videos/:id"}, {"kind": "toast.contains", "text": "erstellt"}],
            "timeoutMs": 8000, "requireRevisionAdvance": true,
        },
        "presentation": {"ghostCursor": true, "highlight": "spotlight", "pace": "humanized"},
        "timeoutMs": 12000,
    })
}

#[test]
fn the_published_example_runs_over_standard_input_and_output() {
    uiap_testkit::proves!["CORE-24", "CORE-53", "ACT-5.1-5"];
    let videoland = Videoland::start("example");
    let address = videoland.address("/login");
    let mut pipe = Pipe::begun(videoland.uiap(&["serve", "--stdio", "--as", "person", &address]));
    open_form(&mut pipe);
    let messages = pipe.act(&example());
    // The types of the example, in its order; more progress and the question to the person may stand between.
    let kinds: Vec<_> = messages.iter().filter_map(|message| message["type"].as_str()).collect();
    let between = ["action.progress", "action.confirmation.request", "action.confirmation.accepted"];
    assert_eq!(kinds.first(), Some(&"action.accepted"), "{kinds:?}");
    assert_eq!(kinds.get(1), Some(&"action.progress"), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&"action.result"), "{kinds:?}");
    let middle = kinds.get(1..kinds.len() - 1).expect("a middle");
    assert!(middle.iter().all(|kind| between.contains(kind)), "{kinds:?}");
    let mut progress = messages.iter().filter(|message| message["type"] == "action.progress");
    let resolved = progress.find_map(|message| message["payload"].get("resolvedTarget"));
    assert_eq!(resolved.expect("a target")["stableId"], "video.submit");
    let result = &messages.last().expect("a result")["payload"];
    assert_eq!(result["status"], "succeeded", "{result}");
    assert_eq!(result["verification"]["observed"], example()["verification"]["signals"]);
    assert_eq!(result["sideEffectState"], "applied");
    for message in &messages {
        let is_event = message["kind"] == "event";
        assert_eq!(is_event, message.get("correlationId").is_none(), "{message}");
    }
    assert_eq!(videoland.effects("video.created"), 1);
    pipe.close();
}

fn client() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/client/uiap_client.py")
}

fn python(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("python3").arg(client()).args(arguments).output().expect("Python 3 runs");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), said.concat())
}

#[test]
fn the_python_client_speaks_over_standard_input_and_output() {
    let videoland = Videoland::start("python-stdio");
    let journal = videoland.folder.join("journal.sqlite");
    let journal = journal.to_str().expect("UTF-8");
    let address = videoland.address("/login");
    let (code, said) =
        python(&["stdio", env!("CARGO_BIN_EXE_uiap"), "serve", "--stdio", "--journal", journal, &address]);
    assert_eq!(code, Some(0), "{said}");
    for line in ["session with http://127.0.0.1:", "/login with ", "read \"Benutzername\" -> succeeded"] {
        assert!(said.contains(line), "{line:?} in {said}");
    }
}

/// A server that listens, ended with the value.
struct Listening {
    child: Child,
    at: String,
}

impl Listening {
    fn open(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.starts_with("Listening: ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it never listened");
        }
        // Whatever else it says is read, so that it can say it.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let at = line.split("://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        let at = at.to_owned();
        Self { child, at }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

#[test]
fn the_python_client_speaks_over_a_websocket() {
    let videoland = Videoland::start("python-ws");
    let token = "a-token-for-agents-only";
    let file = videoland.file("token", token);
    let address = videoland.address("/login");
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--token-file", &file, &address];
    let server = Listening::open(videoland.uiap(&arguments));
    let (code, said) = python(&["ws", &server.at, token]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("read \"Benutzername\" -> succeeded"), "{said}");
    let (code, said) = python(&["ws", &server.at, "some-other-token-here"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("401"), "{said}");
}

#[test]
fn other_machines_do_not_come_without_a_token() {
    let videoland = Videoland::start("open");
    let output = videoland.uiap(&["serve", "--listen", "0.0.0.0:0", &videoland.address("/login")]).output();
    let output = output.expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--token-file"), "{said}");
}
