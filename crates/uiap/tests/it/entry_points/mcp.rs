//! `uiap mcp`: a client that shows forms, or none. Over stdio it speaks the stateless revision, in which a call that
//! needs the person ends and is made again; over HTTP the one before, in which the server asks meanwhile.

use super::case::{Act, Person, Wait};
use super::cli::shorthand;
use super::driver::{Driver, Outcome};
use super::http;
use super::stage::Stage;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The revision in which every request stands for itself.
const STATELESS: &str = "2026-07-28";
/// The revision before it.
const SESSIONS: &str = "2025-11-25";

pub(super) struct Mcp<'s> {
    stage: &'s Stage<'s>,
    child: Child,
    link: Link,
    requests: u64,
    left: String,
    /// What the person was asked since the last step.
    questions: Vec<String>,
    /// Actions that have ended, as far as is known here.
    ended: usize,
}

enum Link {
    Stdio { input: Option<ChildStdin>, output: BufReader<ChildStdout> },
    Http { server: SocketAddr, session: Option<String> },
}

impl<'s> Mcp<'s> {
    pub(super) fn over_stdio(stage: &'s Stage<'s>) -> Self {
        let mut child = start(stage, &[]);
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self::begin(stage, child, Link::Stdio { input, output })
    }

    pub(super) fn over_http(stage: &'s Stage<'s>) -> Self {
        let mut child = start(stage, &["--http", "127.0.0.1:0"]);
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it never listened");
        }
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let server = line.split("://").nth(1).and_then(|rest| rest.split('/').next());
        let server = server.and_then(|server| server.parse().ok()).expect("an address");
        Self::begin(stage, child, Link::Http { server, session: None })
    }

    fn begin(stage: &'s Stage<'s>, child: Child, link: Link) -> Self {
        let (left, questions) = (String::new(), Vec::new());
        let mut mcp = Self { stage, child, link, requests: 0, left, questions, ended: 0 };
        if matches!(mcp.link, Link::Http { .. }) {
            let params = json!({
                "protocolVersion": SESSIONS, "capabilities": mcp.capabilities(),
                "clientInfo": {"name": "test", "version": "1"},
            });
            mcp.request("initialize", params);
            mcp.notify("notifications/initialized", &json!({}));
        }
        let opened = mcp.call("open", &json!({"url": stage.site.url()}));
        assert_ne!(opened["isError"], true, "{opened}");
        mcp
    }

    fn capabilities(&self) -> Value {
        match self.stage.case.person {
            Person::Absent => json!({}),
            Person::Agrees | Person::Refuses => json!({"elicitation": {"form": {}}}),
        }
    }

    /// What the person says to a form.
    fn answer(&self) -> Value {
        match self.stage.case.person {
            Person::Agrees => json!({"action": "accept", "content": {"agree": true}}),
            Person::Refuses | Person::Absent => json!({"action": "accept", "content": {"agree": false}}),
        }
    }

    /// What a tool answers. A call that ends with a question is made again, with the answer.
    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let mut params = json!({"name": name, "arguments": arguments});
        loop {
            let result = self.request("tools/call", params.clone());
            if result["resultType"] != "input_required" {
                return result;
            }
            let question = result["inputRequests"]["agreement"]["params"]["message"].as_str();
            self.questions.push(question.expect("a question").to_owned());
            params["requestState"] = result["requestState"].clone();
            params["inputResponses"] = json!({"agreement": self.answer()});
        }
    }

    /// The result of a request, or its error.
    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let message = match id {
            Request::Piped(id) => self.hear(|message| message["id"] == id),
            Request::Posted(mut answer, id) => self.read(&mut answer, id),
        };
        message.get("result").or_else(|| message.get("error")).cloned().expect("a result or an error")
    }

    fn send(&mut self, method: &str, mut params: Value) -> Request {
        self.requests += 1;
        let id = self.requests;
        if matches!(self.link, Link::Stdio { .. }) {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": self.capabilities(),
            });
        }
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        match self.say(&message) {
            Some(answer) => Request::Posted(answer, id),
            None => Request::Piped(id),
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Over HTTP every message has an answer of its own.
    fn say(&mut self, message: &Value) -> Option<http::StreamingAnswer> {
        match &mut self.link {
            Link::Stdio { input, .. } => {
                writeln!(input.as_mut().expect("a pipe"), "{message}").expect("it is heard");
                None
            }
            Link::Http { server, session } => {
                let mut headers = vec![
                    ("Content-Type", "application/json"),
                    ("Accept", "application/json, text/event-stream"),
                ];
                if let Some(session) = session.as_deref() {
                    headers.extend([("Mcp-Session-Id", session), ("Mcp-Protocol-Version", SESSIONS)]);
                }
                let answer = http::open(*server, "POST", "/mcp", &headers, &message.to_string());
                assert!(answer.status < 300, "{message}: {}", answer.head);
                *session = answer.header("mcp-session-id").or_else(|| session.take());
                Some(answer)
            }
        }
    }

    /// The next message over stdio that is meant.
    fn hear(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let Link::Stdio { output, .. } = &mut self.link else { panic!("this is no pipe") };
            let mut line = String::new();
            assert!(output.read_line(&mut line).expect("an output") > 0, "it ended");
            self.left.push_str(&line);
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// The response in an answer over HTTP; what the server asks meanwhile is answered.
    fn read(&mut self, answer: &mut http::StreamingAnswer, id: u64) -> Value {
        loop {
            let message = answer.event().expect("a response");
            self.left.push_str(&message.to_string());
            if message["method"] == "elicitation/create" {
                let question = message["params"]["message"].as_str().expect("a question");
                self.questions.push(question.to_owned());
                let said = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.answer()});
                self.say(&said);
            } else if message["id"] == id {
                return message;
            }
        }
    }

    /// Stops a call once its action has reached the server. Nothing answers it; its handle is in the list of traces, and
    /// who waits with that is told how it ended.
    fn cancelled_after(&mut self, arguments: &Value, request: &str) -> Outcome {
        let sent = self.send("tools/call", json!({"name": "act", "arguments": arguments}));
        self.stage.site.wait_for(request);
        let id = match &sent {
            Request::Piped(id) | Request::Posted(_, id) => *id,
        };
        self.notify("notifications/cancelled", &json!({"requestId": id, "reason": "no longer wanted"}));
        loop {
            let listed = self.call("trace", &json!({}));
            let actions = listed["structuredContent"]["actions"].as_array().expect("actions").clone();
            // The newest stands first: `act_1 ui.activate cancelled, side effect unknown`.
            let ended = actions.first().and_then(Value::as_str).filter(|_| actions.len() > self.ended);
            if let Some((handle, _)) = ended.and_then(|line| line.split_once(' ')) {
                self.ended = actions.len();
                let result = self.call("wait", &json!({"handle": handle}));
                return outcome_of(&result, std::mem::take(&mut self.questions));
            }
        }
    }
}

/// A request that was sent.
enum Request {
    /// Its response comes over the pipe.
    Piped(u64),
    /// Its response is in this answer.
    Posted(http::StreamingAnswer, u64),
}

fn start(stage: &Stage<'_>, flags: &[&str]) -> Child {
    let mut command = stage.command(&["mcp"]);
    command.args(flags).args(stage.browser_flag()).args(stage.knowledge()).args(stage.secrets());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(if flags.is_empty() { Stdio::null() } else { Stdio::piped() });
    command.spawn().expect("it starts")
}

fn arguments_of(act: &Act) -> Value {
    let mut arguments = json!({"action": act.action});
    if let Some(target) = &act.target {
        arguments["target"] = shorthand(target).into();
    }
    if let Some(args) = &act.args {
        arguments["args"] = Value::Object(args.clone());
    }
    if !act.verify.is_empty() {
        arguments["verify"] = act.verify.iter().map(ToString::to_string).collect();
    }
    if let Some(key) = &act.key {
        arguments["key"] = key.as_str().into();
    }
    if let Some(timeout) = act.timeout {
        arguments["timeout"] = timeout.into();
    }
    arguments
}

fn outcome_of(result: &Value, questions: Vec<String>) -> Outcome {
    let told = &result["structuredContent"];
    let word = |name: &str| told[name].as_str().map(str::to_owned);
    let status = word("status")
        .unwrap_or_else(|| if result["isError"] == true { "refused" } else { "shown" }.to_owned());
    Outcome { status, code: word("error"), effect: word("side_effect"), text: result.to_string(), questions }
}

impl Driver for Mcp<'_> {
    fn look(&mut self) -> Outcome {
        let result = self.call("look", &json!({}));
        outcome_of(&result, Vec::new())
    }

    fn act(&mut self, act: &Act) -> Outcome {
        let arguments = arguments_of(act);
        if let Some(request) = &act.cancel_after {
            return self.cancelled_after(&arguments, request);
        }
        let result = self.call("act", &arguments);
        self.ended += usize::from(result["structuredContent"]["status"] != "refused");
        outcome_of(&result, std::mem::take(&mut self.questions))
    }

    fn wait(&mut self, wait: &Wait) -> Outcome {
        let signals: Vec<_> = wait.signals.iter().map(ToString::to_string).collect();
        let result = self.call("wait", &json!({"signals": signals, "timeout": wait.timeout}));
        outcome_of(&result, Vec::new())
    }

    fn trace(&mut self) -> Outcome {
        let listed = self.call("trace", &json!({}));
        let newest =
            listed["structuredContent"]["actions"][0].as_str().and_then(|line| line.split(' ').next());
        let handle = newest.expect("an action went before").to_owned();
        let result = self.call("trace", &json!({"handle": handle}));
        outcome_of(&result, Vec::new())
    }

    fn end(mut self: Box<Self>) -> String {
        if !self.stage.hidden().is_empty() {
            for uri in ["uiap://page", "uiap://traces", "uiap://policy"] {
                self.request("resources/read", json!({"uri": uri}));
            }
        }
        std::mem::take(&mut self.left)
    }
}

impl Drop for Mcp<'_> {
    fn drop(&mut self) {
        if let Link::Stdio { input, .. } = &mut self.link {
            // Without input it ends by itself.
            drop(input.take());
        }
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}
