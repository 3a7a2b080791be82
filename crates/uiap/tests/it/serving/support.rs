//! Videoland, and programs that speak to `uiap serve`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use videoland::{Options, Server};

/// Videoland, served by threads of its own for as long as the value lives, and a folder for what belongs to one test.
pub(crate) struct Videoland {
    runtime: tokio::runtime::Runtime,
    server: Option<Server>,
    pub(crate) folder: PathBuf,
}

impl Videoland {
    pub(crate) fn start(name: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let options = Options { test_api: true, ..Options::default() };
        let server = runtime.block_on(Server::start(options)).expect("Videoland starts");
        let folder = std::env::temp_dir().join(format!("uiap-serving-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { runtime, server: Some(server), folder }
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server.as_ref().expect("it runs").origin())
    }

    pub(crate) fn uiap(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(arguments).env("XDG_STATE_HOME", &self.folder);
        command
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// What was really done, by kind.
    pub(crate) fn effects(&self, kind: &str) -> usize {
        let ledger = self.told("/__test/ledger");
        let effects = ledger["effects"].as_array().expect("effects");
        effects.iter().filter(|effect| effect["kind"] == kind).count()
    }

    /// The requests that could write, but for those by which somebody signs in.
    pub(crate) fn writes_beside_signing_in(&self) -> Vec<String> {
        let writes = self.told("/__test/writes");
        let writes = writes["writes"].as_array().expect("writes").iter();
        let line = |write: &Value| format!("{} {}", write["method"], write["path"]).replace('"', "");
        writes.map(line).filter(|line| line != "POST /api/login").collect()
    }

    fn told(&self, path: &str) -> Value {
        let path = self.address(path);
        let rest = path.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        let mut stream = std::net::TcpStream::connect(host).expect("it connects");
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("it is sent");
        let text = std::io::read_to_string(stream).expect("an answer");
        let (_, body) = text.split_once("\r\n\r\n").expect("a body");
        let start = body.find('{').expect("JSON");
        let end = body.rfind('}').expect("JSON");
        serde_json::from_str(body.get(start..=end).expect("JSON")).expect("JSON")
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
pub(crate) struct Pipe {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(crate) session: Option<String>,
    said: u64,
}

impl Pipe {
    pub(crate) fn open(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, session: None, said: 0 }
    }

    pub(crate) fn begun(command: Command) -> Self {
        Self::begun_with(command, &json!([]))
    }

    pub(crate) fn begun_with(command: Command, extensions: &Value) -> Self {
        let mut pipe = Self::open(command);
        let offer = json!({
            "supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"},
            "extensions": extensions,
        });
        pipe.say("session.initialize", &offer, None);
        let begun = pipe.next();
        assert_eq!(begun["type"], "session.initialized", "{begun}");
        pipe.session = begun["sessionId"].as_str().map(str::to_owned);
        pipe
    }

    pub(crate) fn say(&mut self, kind: &str, payload: &Value, ext: Option<&Value>) -> String {
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

    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("every line is JSON")
    }

    /// The next message of a type.
    pub(crate) fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next();
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Everything up to the result of an action; what is asked is granted.
    pub(crate) fn act(&mut self, request: &Value) -> Vec<Value> {
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

    pub(crate) fn succeed(&mut self, request: &Value) {
        let messages = self.act(request);
        let result = messages.last().expect("a result");
        assert_eq!(result["payload"]["status"], "succeeded", "{request} gives {result}");
    }

    pub(crate) fn close(mut self) {
        drop(self.input.take());
        let mut left = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut left).expect("the rest");
        assert_eq!((left.as_str(), self.child.wait().expect("it ends").code()), ("", Some(0)));
    }
}

impl Drop for Pipe {
    /// Whoever has gone is not left behind: a server ends with its peer.
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = std::io::copy(&mut self.output, &mut std::io::sink());
        let _ = self.child.wait();
    }
}
