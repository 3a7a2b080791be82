//! `uiap mcp` as a client meets it on the wire: what it costs, what it starts, and what bad input does to it.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use videoland::{Options, Server};

/// What the schemas of all tools may cost, without those of an application.
const TOKENS_MAX: usize = 1_200;
/// The revision in which every request stands for itself.
const STATELESS: &str = "2026-07-28";

/// A client that says exactly what it is told to.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    asked: u64,
}

impl Client {
    fn start(name: &str, flags: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-mcp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.arg("mcp").arg("--journal").arg(folder.join("journal.sqlite")).args(flags);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("an output"));
        Self { child, input, output, folder, asked: 0 }
    }

    /// Begins as clients did before 2026-07-28.
    fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = self.request("initialize", &params);
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it listens");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("it is heard");
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("an output") > 0, "it ended");
            let message: Value =
                serde_json::from_str(&line).expect("stdout is the protocol and nothing else");
            assert_eq!(message.get("jsonrpc"), Some(&json!("2.0")), "{message}");
            if message.get("id") == Some(&json!(id)) {
                return message;
            }
        }
    }

    /// Calls a tool in the stateless way, as a client that can show forms.
    fn call(&mut self, name: &str, arguments: &Value, answer: Option<(&str, &Value)>) -> Value {
        let mut params = json!({
            "name": name,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            },
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

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

fn at<'v>(value: &'v Value, pointer: &str) -> &'v str {
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
