//! `uiap serve`: an agent over each binding, in front of a browser or of a page that takes part by itself.

use super::browser::OpenPage;
use super::case::{Act, Person, Target, Wait};
use super::driver::{Driver, Outcome};
use super::person::PersonSession;
use super::stage::Stage;
use super::transport::{HttpTransport, StdioTransport, Transport, WebSocketTransport, envelope};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Stdio};

const AGENT: &str = "the-token-of-the-agent";
const PERSON: &str = "the-token-of-the-person";
const APPLICATION: &str = "the-token-of-the-application";

pub(super) struct Uiap<'s> {
    stage: &'s Stage<'s>,
    child: Child,
    transport: Option<Box<dyn Transport + 's>>,
    person: Option<PersonSession>,
    page: Option<OpenPage<'s>>,
    session: Option<String>,
    requests: usize,
    left: String,
}

/// What a session begins with.
pub(super) fn offer(grants: Option<&[String]>) -> Value {
    let mut offer = json!({
        "supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"},
        "extensions": [{"id": "uiap.policy", "versions": ["0.1"]}],
    });
    if let Some(grants) = grants {
        offer["requestedGrants"] = grants.into();
    }
    offer
}

impl<'s> Uiap<'s> {
    pub(super) fn over_stdio(stage: &'s Stage<'s>) -> Self {
        let mut flags = vec!["--stdio".to_owned()];
        if stage.case.person != Person::Absent {
            flags.extend(["--listen".to_owned(), "127.0.0.1:0".to_owned()]);
        }
        let (mut child, server) = serve(stage, flags);
        let transport = Box::new(StdioTransport::of(&mut child));
        Self::begin(stage, child, server, transport)
    }

    pub(super) fn over_websocket(stage: &'s Stage<'s>) -> Self {
        let (child, server) = serve(stage, listening(stage));
        let address = server.expect("it listens");
        Self::begin(stage, child, server, Box::new(WebSocketTransport::connect(address, AGENT)))
    }

    pub(super) fn over_http(stage: &'s Stage<'s>) -> Self {
        let (child, server) = serve(stage, listening(stage));
        let address = server.expect("it listens");
        Self::begin(stage, child, server, Box::new(HttpTransport::new(address, AGENT)))
    }

    /// The page of the application connects, and an agent acts on it.
    pub(super) fn of_page(stage: &'s Stage<'s>) -> Self {
        let mut flags = listening(stage);
        let token = stage.file("application.token", APPLICATION);
        flags.extend(["--app-origin".to_owned(), stage.site.origin(), "--app-token-file".to_owned(), token]);
        let (child, server) = serve(stage, flags);
        let address = server.expect("it listens");
        stage.site.invite(address, APPLICATION);
        let page = stage.browser.open(&stage.site.url());
        let mut uiap =
            Self::begin(stage, child, server, Box::new(WebSocketTransport::connect(address, AGENT)));
        uiap.page = Some(page);
        // Nothing announces that the page has connected.
        while uiap.request("web.state.get", &json!({}))["type"] != "web.state.snapshot" {
            std::thread::yield_now();
        }
        uiap
    }

    fn begin(
        stage: &'s Stage<'s>,
        child: Child,
        server: Option<SocketAddr>,
        transport: Box<dyn Transport + 's>,
    ) -> Self {
        let person = match (stage.case.person, server) {
            (Person::Absent, _) | (_, None) => None,
            (person, Some(server)) => Some(PersonSession::listen(server, PERSON, person == Person::Agrees)),
        };
        let transport = Some(transport);
        let (session, page) = (None, None);
        let mut uiap =
            Self { stage, child, transport, person, page, session, requests: 0, left: String::new() };
        let begun = uiap.request("session.initialize", &offer(stage.case.grants.as_deref()));
        assert_eq!(begun["type"], "session.initialized", "{begun}");
        uiap.session = begun["sessionId"].as_str().map(str::to_owned);
        // Changes and signals are told as well, so that nothing leaves there that should not.
        uiap.request("web.state.subscribe", &json!({"signals": true}));
        uiap
    }

    fn say(&mut self, kind: &str, payload: &Value) -> String {
        self.requests += 1;
        let id = format!("msg_{}", self.requests);
        let message = envelope(&id, self.session.as_deref(), kind, payload);
        self.transport.as_mut().expect("a transport").send(&message);
        id
    }

    fn next(&mut self) -> Value {
        let message = self.transport.as_mut().expect("a transport").next().expect("a message");
        self.left.push_str(&message.to_string());
        self.left.push('\n');
        message
    }

    /// The response to a request.
    fn request(&mut self, kind: &str, payload: &Value) -> Value {
        let id = self.say(kind, payload);
        loop {
            let message = self.next();
            if message["correlationId"] == id.as_str() && message["kind"] == "response" {
                return message;
            }
        }
    }

    /// How an action ends, and everything that is said until then.
    fn ended(&mut self, act: &Act) -> (Value, String) {
        let id = self.say("action.request", &request_of(act));
        let mut said = String::new();
        loop {
            let message = self.next();
            said.push_str(&message.to_string());
            if message["type"] == "action.accepted"
                && let Some(request) = &act.cancel_after
            {
                self.stage.site.wait_for(request);
                self.say("action.cancel", &json!({"actionHandle": message["payload"]["actionHandle"]}));
            }
            let is_refusal = message["type"] == "error" && message["correlationId"] == id.as_str();
            if is_refusal || message["type"] == "action.result" {
                return (message, said);
            }
        }
    }
}

/// Flags of a server for agents and, where the case has one, for the person.
fn listening(stage: &Stage<'_>) -> Vec<String> {
    let token = stage.file("agent.token", AGENT);
    ["--listen", "127.0.0.1:0", "--token-file", &token].map(str::to_owned).to_vec()
}

/// Starts the server; where it listens, if it does.
fn serve(stage: &Stage<'_>, mut flags: Vec<String>) -> (Child, Option<SocketAddr>) {
    let listens = flags.iter().any(|flag| flag == "--listen");
    if stage.case.person != Person::Absent {
        flags.extend(["--person-token-file".to_owned(), stage.file("person.token", PERSON)]);
    }
    flags.extend(stage.knowledge());
    if !flags.iter().any(|flag| flag == "--app-origin") {
        flags.push(stage.site.url());
        flags.extend(stage.browser_flag());
    }
    let mut command = stage.command(&["serve"]);
    command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let address = read_address(stderr, listens);
    (child, address)
}

/// Reads what the server tells people, up to where it listens; the rest is read so that it can say it.
fn read_address(mut stderr: BufReader<ChildStderr>, listens: bool) -> Option<SocketAddr> {
    let mut address = None;
    let mut said = String::new();
    while listens && address.is_none() {
        let mut line = String::new();
        assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it never listened: {said}");
        said.push_str(&line);
        let listening = line.strip_prefix("Listening: ").and_then(|rest| rest.split("://").nth(1));
        address = listening.and_then(|rest| rest.split('/').next()).and_then(|rest| rest.trim().parse().ok());
    }
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    address
}

/// An action as a message asks for it.
fn request_of(act: &Act) -> Value {
    let mut request = json!({"actionId": act.action});
    if let Some(target) = &act.target {
        request["target"] = match target {
            Target::Semantic { role, name } => json!({"ref": {"by": "semantic", "role": role, "name": name}}),
            Target::Stable { id } => json!({"ref": {"by": "stableId", "value": id}}),
        };
    }
    if let Some(args) = &act.args {
        request["args"] = Value::Object(args.clone());
    }
    if !act.verify.is_empty() {
        request["verification"]["signals"] = act.verify.clone().into();
    }
    if let Some(key) = &act.key {
        request["idempotencyKey"] = key.as_str().into();
    }
    if let Some(timeout) = act.timeout {
        let timeout = Value::from(timeout * 1_000);
        request["timeoutMs"] = timeout.clone();
        request["verification"]["timeoutMs"] = timeout;
    }
    request
}

impl Driver for Uiap<'_> {
    fn look(&mut self) -> Outcome {
        let snapshot = self.request("web.state.get", &json!({}));
        assert_eq!(snapshot["type"], "web.state.snapshot", "{snapshot}");
        Outcome::shown(snapshot.to_string())
    }

    fn act(&mut self, act: &Act) -> Outcome {
        let (end, text) = self.ended(act);
        let word = |pointer: &str| end.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let questions = self.person.as_ref().map(PersonSession::take).unwrap_or_default();
        if end["type"] == "error" {
            let (status, effect) = ("refused".to_owned(), Some("none".to_owned()));
            return Outcome { status, code: word("/payload/code"), effect, text, questions };
        }
        let status = word("/payload/status").expect("a status");
        let effect = word("/payload/sideEffectState").or_else(|| Some("unknown".to_owned()));
        Outcome { status, code: word("/payload/error/code"), effect, text, questions }
    }

    fn wait(&mut self, _wait: &Wait) -> Outcome {
        panic!("UIAP has no message that waits; the case says so in `cannot`")
    }

    fn trace(&mut self) -> Outcome {
        panic!("UIAP has no message that shows a trace; the case says so in `cannot`")
    }

    fn end(mut self: Box<Self>) -> String {
        // Whatever was still on its way has come when this is answered.
        self.request("session.ping", &json!({"nonce": "last"}));
        std::mem::take(&mut self.left)
    }
}

impl Drop for Uiap<'_> {
    fn drop(&mut self) {
        // Its input closes, so a server over stdio ends by itself; any other is asked to.
        drop((self.page.take(), self.transport.take()));
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
        if let Some(person) = self.person.take() {
            person.join();
        }
    }
}
