//! `uiap mcp` as a client meets it on the wire: what it costs, what it starts, and what bad input does to it.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use videoland::{Options, Server};

/// What the schemas of all tools may cost, without those of an application.
const TOKENS_MAX: usize = 1_200;
/// The revision in which every request stands for itself.
const STATELESS: &str = "2026-07-28";

/// A client that says exactly what it is told to.
pub(crate) struct Client {
    child: Child,
    input: Option<Box<dyn Write + Send>>,
    output: BufReader<ChildStdout>,
    pub(crate) folder: PathBuf,
    asked: u64,
    /// Everything that the server said.
    pub(crate) heard: String,
}

impl Client {
    pub(crate) fn start(name: &str, flags: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        let folder = folder_of(name);
        command
            .arg("mcp")
            .arg("--journal")
            .arg(folder.join("journal.sqlite"))
            .args(flags)
            .stdin(Stdio::piped());
        Self::run(command, folder)
    }

    /// Starts a server by a command of its own. What it keeps in the folder goes with the client.
    pub(crate) fn run(mut command: Command, folder: PathBuf) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().map(|input| Box::new(input) as Box<dyn Write + Send>);
        let output = BufReader::new(child.stdout.take().expect("an output"));
        Self { child, input, output, folder, asked: 0, heard: String::new() }
    }

    /// Speaks to the server through this from now on.
    pub(crate) fn speak_through(&mut self, input: impl Write + Send + 'static) {
        self.input = Some(Box::new(input));
    }

    /// Begins as clients did before 2026-07-28.
    pub(crate) fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = self.request("initialize", &params);
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer
    }

    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it listens");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("it is heard");
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        self.until(|message| message.get("id") == Some(&json!(id)))
    }

    /// The next answer, to whatever request.
    pub(crate) fn any_answer(&mut self) -> Value {
        self.until(|message| message.get("id").is_some() && message.get("method").is_none())
    }

    /// Asks without waiting for the answer.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// The next notification of a kind.
    pub(crate) fn hear(&mut self, method: &str) -> Value {
        self.until(|message| message.get("method") == Some(&json!(method)))
    }

    pub(crate) fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("an output") > 0, "it ended");
            self.heard.push_str(&line);
            let message: Value =
                serde_json::from_str(&line).expect("stdout is the protocol and nothing else");
            assert_eq!(message.get("jsonrpc"), Some(&json!("2.0")), "{message}");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Calls a tool in the stateless way, as a client that can show forms.
    pub(crate) fn call(&mut self, name: &str, arguments: &Value, answer: Option<(&str, &Value)>) -> Value {
        let mut params = json!({
            "name": name,
            "arguments": arguments,
            "_meta": stateless_meta(),
        });
        if let (Some((state, agreement)), Value::Object(params)) = (answer, &mut params) {
            params.insert("requestState".to_owned(), state.into());
            params.insert("inputResponses".to_owned(), json!({ "agreement": agreement }));
        }
        let message = self.request("tools/call", &params);
        message.get("result").cloned().unwrap_or(message)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Without input it ends by itself, and its browser with it.
        drop(self.input.take());
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A folder for a server, which its client removes.
pub(crate) fn folder_of(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("uiap-mcp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What every request of a client says that can show forms, since it stands for itself.
pub(crate) fn stateless_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    })
}

/// The process that a program started, as long as it runs.
fn started_by(program: u32) -> Option<i32> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let mut ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.find(|id| is_running(*id) && stat(*id, 1) == Some(program.to_string()))
}

fn is_running(id: i32) -> bool {
    stat(id, 0).is_some_and(|state| state != "Z")
}

/// A field of the process table, counted from behind the name of the program, which may contain anything.
fn stat(id: i32, field: usize) -> Option<String> {
    let line = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    line.rsplit_once(") ")?.1.split(' ').nth(field).map(str::to_owned)
}

fn send(id: i32, signal: Signal) {
    let id = Pid::from_raw(id).expect("the id of a process");
    kill_process(id, signal).expect("the process is there");
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

pub(crate) fn at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn the_schemas_of_all_tools_cost_little() {
    let mut client = Client::start("tokens", &[]);
    client.initialize();
    let listed = client.request("tools/list", &json!({}));
    let tools = listed.pointer("/result/tools").and_then(Value::as_array).expect("tools");
    for tool in tools {
        let name = at(tool, "/name");
        assert!(tool.get("inputSchema").is_some() && tool.get("outputSchema").is_some(), "{name}");
    }
    let cost = tokens(&Value::from(tools.clone()).to_string());
    assert!(cost <= TOKENS_MAX, "{cost} tokens");
}

#[test]
fn nothing_is_started_before_a_page_is_opened() {
    let mut client = Client::start("lazy", &["--browser", "/nowhere/chromium"]);
    let begun = client.initialize();
    assert_eq!(at(&begun, "/result/protocolVersion"), "2025-11-25");
    assert!(!client.folder.join("journal.sqlite").exists(), "the journal is opened with the first page");
    let opened = client
        .request("tools/call", &json!({ "name": "open", "arguments": { "url": "http://127.0.0.1:1" } }));
    let result = opened.get("result").expect("a result");
    assert_eq!(result.get("isError"), Some(&json!(true)));
    assert!(at(result, "/structuredContent/why").contains("/nowhere/chromium"), "{result}");
    assert!(at(result, "/structuredContent/next").contains("missing"), "{result}");
}

#[test]
fn bad_input_is_answered_or_ignored_and_hurts_nobody() {
    let mut client = Client::start("garbage", &[]);
    client.initialize();
    for garbage in
        ["", "{", "null", "[]", "\u{0}", r#"{"jsonrpc":"2.0"}"#, r#"{"jsonrpc":"2.0","id":{},"method":5}"#]
    {
        client.say(garbage);
    }
    client.say(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    client.say(&"x".repeat(8 * 1024 * 1024));
    for arguments in [
        json!({ "url": 5 }),
        json!({ "url": "http://127.0.0.1", "extra": true }),
        json!({}),
        json!({ "url": "javascript:alert(1)" }),
        json!({ "url": "http://" }),
    ] {
        let answer = client.request("tools/call", &json!({ "name": "open", "arguments": arguments }));
        assert_eq!(answer.pointer("/result/isError"), Some(&json!(true)), "{arguments}: {answer}");
        assert_ne!(at(&answer, "/result/structuredContent/next"), "", "{answer}");
    }
    let secret =
        client.request("tools/call", &json!({ "name": "open", "arguments": { "url": ["hunter2"] } }));
    assert!(!secret.to_string().contains("hunter2"), "{secret}");
    let unknown = client.request("tools/call", &json!({ "name": "grant", "arguments": {} }));
    assert_eq!(unknown.pointer("/error/code"), Some(&json!(-32602)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_is_said_to_be_gone_and_open_starts_another() {
    let site = Server::start(Options::default()).await.expect("Videoland starts");
    let login = json!({ "url": format!("{}/login", site.origin()) });
    let talk = move || {
        let mut client = Client::start("killed", &[]);
        client.call("open", &login, None);
        let browser = started_by(client.child.id()).expect("the browser runs");
        send(browser, Signal::KILL);
        let looked = client.call("look", &json!({ "scope": "page" }), None);
        assert_eq!(looked.get("isError"), Some(&json!(true)), "{looked}");
        assert!(at(&looked, "/structuredContent/next").contains("pen"), "it says to open: {looked}");
        let opened = client.call("open", &login, None);
        assert!(at(&opened, "/structuredContent/page").contains("login.user"), "{opened}");
        assert_ne!(started_by(client.child.id()), Some(browser));
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_process_is_left_when_the_client_goes_or_the_system_asks_to_stop() {
    let site = Server::start(Options::default()).await.expect("Videoland starts");
    let login = json!({ "url": format!("{}/login", site.origin()) });
    let talk = move || {
        for signal in [None, Some(Signal::INT), Some(Signal::TERM)] {
            let mut client = Client::start("left", &[]);
            client.call("open", &login, None);
            let browser = started_by(client.child.id()).expect("the browser runs");
            match signal {
                None => drop(client.input.take()),
                Some(signal) => send(client.child.id().cast_signed(), signal),
            }
            let ended = client.child.wait().expect("it ends");
            assert_eq!(ended.code(), Some(0), "{signal:?}");
            assert!(!is_running(browser), "{signal:?}");
        }
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stateless_client_listens_to_the_page() {
    let site = Server::start(Options::default()).await.expect("Videoland starts");
    let login = json!({ "url": format!("{}/login", site.origin()) });
    let talk = move || {
        let mut client = Client::start("listens", &[]);
        let listening = json!({
            "jsonrpc": "2.0", "id": "ears", "method": "subscriptions/listen",
            "params": {
                "notifications": { "resourceSubscriptions": ["uiap://page", "uiap://policy"] },
                "_meta": stateless_meta(),
            },
        });
        client.say(&listening.to_string());
        let heard = client.hear("notifications/subscriptions/acknowledged");
        let accepted = heard.pointer("/params/notifications/resourceSubscriptions");
        assert_eq!(accepted, Some(&json!(["uiap://page"])), "what never changes is not watched: {heard}");
        client.ask("tools/call", &json!({ "name": "open", "arguments": login, "_meta": stateless_meta() }));
        let heard = client.hear("notifications/resources/updated");
        assert_eq!(at(&heard, "/params/uri"), "uiap://page", "{heard}");
        assert_eq!(at(&heard, "/params/_meta/io.modelcontextprotocol~1subscriptionId"), "ears", "{heard}");
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stateless_client_asks_the_person_and_calls_again() {
    let site = Server::start(Options::default()).await.expect("Videoland starts");
    let origin = site.origin();
    tokio::task::spawn_blocking(move || stateless(&origin)).await.expect("the conversation ends");
}

fn stateless(origin: &str) {
    let agrees = json!({ "action": "accept", "content": { "agree": true } });
    let mut client = Client::start("stateless", &[]);
    let opened = client.call("open", &json!({ "url": format!("{origin}/login") }), None);
    assert_eq!(at(&opened, "/resultType"), "complete", "{opened}");
    let write = json!({ "action": "enterText", "target": "login.password", "args": { "text": "videoland" } });
    let asked = client.call("act", &write, None);
    assert_eq!(at(&asked, "/resultType"), "input_required", "{asked}");
    assert!(at(&asked, "/inputRequests/agreement/params/message").starts_with("This needs your agreement"));
    let state = at(&asked, "/requestState").to_owned();

    // Another call, another state and a second use are no answers.
    let other = json!({ "action": "enterText", "target": "login.password", "args": { "text": "other" } });
    let taken = client.call("act", &other, Some((&state, &agrees)));
    assert_eq!(at(&taken, "/structuredContent/status"), "refused", "{taken}");
    let forged = client.call("act", &write, Some((&"0".repeat(32), &agrees)));
    assert_eq!(at(&forged, "/structuredContent/status"), "refused", "{forged}");
    let done = client.call("act", &write, Some((&state, &agrees)));
    assert_eq!(at(&done, "/structuredContent/status"), "succeeded", "{done}");
    let replayed = client.call("act", &write, Some((&state, &agrees)));
    assert_eq!(at(&replayed, "/structuredContent/status"), "refused", "{replayed}");

    let press = json!({ "action": "activate", "target": "login.submit" });
    let asked = client.call("act", &press, None);
    let state = at(&asked, "/requestState").to_owned();
    let denied = client.call("act", &press, Some((&state, &json!({ "action": "accept", "content": {} }))));
    assert_eq!(at(&denied, "/structuredContent/error"), "confirmation_denied", "{denied}");
}
