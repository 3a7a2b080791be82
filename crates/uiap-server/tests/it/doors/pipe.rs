//! One envelope per line.

use crate::doors::support::{Place, WAIT, hello, house, message, wish, word};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use uiap_server::doors::stdio::serve;
use uiap_server::session::{INBOUND_BYTES_MAX, Party};
use uiap_testkit::proves;
use uiap_testkit::simulation::What;

/// A program that speaks over a pipe.
pub(crate) struct Pipe {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: Option<WriteHalf<DuplexStream>>,
    door: JoinHandle<std::io::Result<()>>,
    pub(crate) session: Option<String>,
    said: u64,
}

impl Pipe {
    pub(crate) fn open(place: &Place, party: Party) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = split(theirs);
        let door = tokio::spawn(serve(place.clone(), party, BufReader::new(input), output));
        let (read, write) = split(ours);
        Self { lines: BufReader::new(read).lines(), out: Some(write), door, session: None, said: 0 }
    }

    pub(crate) async fn begun(place: &Place, party: Party) -> Self {
        Self::begun_with(place, party, &json!({})).await.0
    }

    /// A session whose offer has further members, and what was answered.
    pub(crate) async fn begun_with(place: &Place, party: Party, members: &Value) -> (Self, Value) {
        let mut pipe = Self::open(place, party);
        let mut hello = hello("hello");
        for (name, member) in members.as_object().into_iter().flatten() {
            hello["payload"][name] = member.clone();
        }
        pipe.line(hello.to_string().as_bytes()).await;
        let begun = pipe.next().await.expect("an answer");
        assert_eq!(word(&begun), "session.initialized");
        pipe.session = begun["sessionId"].as_str().map(str::to_owned);
        (pipe, begun)
    }

    pub(crate) async fn line(&mut self, bytes: &[u8]) {
        let out = self.out.as_mut().expect("an open pipe");
        out.write_all(bytes).await.expect("it is read");
        out.write_all(b"\n").await.expect("it is read");
    }

    pub(crate) async fn say(&mut self, kind: &str, payload: &Value, ext: Option<&Value>) -> String {
        self.said += 1;
        let id = format!("m{}", self.said);
        let mut message = message(&id, kind, self.session.as_deref(), payload);
        if let Some(ext) = ext {
            message["ext"] = ext.clone();
        }
        self.line(message.to_string().as_bytes()).await;
        id
    }

    /// The next message; nothing, if there is no more.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = timeout(WAIT, self.lines.next_line()).await.expect("a line in time").expect("a pipe");
        line.map(|line| serde_json::from_str(&line).expect("JSON on every line"))
    }

    /// The messages up to one.
    pub(crate) async fn until(&mut self, last: &str) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(message) = self.next().await {
            let kind = message["type"].as_str().unwrap_or_default().to_owned();
            messages.push(message);
            if kind == last {
                return messages;
            }
        }
        panic!("{last} never came: {messages:?}");
    }

    async fn finish(mut self) -> Vec<Value> {
        let mut out = self.out.take().expect("an open pipe");
        out.shutdown().await.expect("it closes");
        let mut left = Vec::new();
        while let Some(message) = self.next().await {
            left.push(message);
        }
        timeout(WAIT, self.door).await.expect("it ends in time").expect("no panic").expect("no trouble");
        left
    }
}

#[tokio::test]
async fn an_action_is_accepted_told_and_ended() {
    proves!["CORE-24"];
    let (place, world) = house(false);
    let mut pipe = Pipe::begun(&place, Party::Agent).await;
    let id = pipe.say("action.request", &wish(What::Press), None).await;
    let messages = pipe.until("action.result").await;
    let words: Vec<_> = messages.iter().map(word).collect();
    assert_eq!(words.first().map(String::as_str), Some("action.accepted accepted"));
    assert_eq!(messages[0]["correlationId"], id.as_str());
    assert_eq!(words.last().map(String::as_str), Some("action.result succeeded"));
    assert!(words.iter().any(|word| word == "action.progress"), "{words:?}");
    assert_eq!(world.times_reached(), 1);
    assert_eq!(pipe.finish().await, Vec::<Value>::new());
}

#[tokio::test]
async fn who_has_said_everything_is_still_told_how_it_ended() {
    let (place, world) = house(false);
    let mut pipe = Pipe::begun(&place, Party::Agent).await;
    pipe.say("action.request", &wish(What::Press), None).await;
    let left = pipe.finish().await;
    assert_eq!(left.last().map(word).as_deref(), Some("action.result succeeded"));
    assert_eq!(world.times_reached(), 1);
}

#[tokio::test]
async fn where_no_person_can_come_nothing_risky_is_done() {
    let (place, world) = house(false);
    let mut pipe = Pipe::begun(&place, Party::Agent).await;
    pipe.say("action.request", &wish(What::Drop), None).await;
    let messages = pipe.until("action.result").await;
    let result = messages.last().expect("a result");
    assert!(messages.iter().any(|message| message["type"] == "action.confirmation.request"));
    assert_eq!(
        (word(result).as_str(), &result["payload"]["error"]["code"]),
        ("action.result cancelled", &json!("confirmation_denied"))
    );
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn a_person_agrees_to_what_an_agent_asked_for_and_the_agent_cannot() {
    proves!["ACT-SEC-5", "CORE-39", "CORE-40"];
    let (place, world) = house(true);
    let mut agent = Pipe::begun(&place, Party::Agent).await;
    let mut person = Pipe::begun(&place, Party::Person).await;
    assert_ne!(agent.session, person.session);
    agent.say("action.request", &wish(What::Drop), None).await;
    let told = agent.until("action.confirmation.request").await;
    assert!(told.last().expect("a question").get("ext").is_none(), "an agent gets nothing to agree with");
    let asked = person.until("action.confirmation.request").await.pop().expect("a question");
    let handle = json!({"actionHandle": asked["payload"]["actionHandle"]});
    // Even with the person's token.
    agent.say("action.confirmation.grant", &handle, asked.get("ext")).await;
    assert_eq!(word(&agent.next().await.expect("an answer")), "error forbidden");
    assert_eq!(world.times_reached(), 0);
    let uiap_handle =
        uiap_protocol::ids::ActionHandle::new(handle["actionHandle"].as_str().unwrap_or_default());
    world.agree(&uiap_handle.expect("a handle"), 1);
    person.say("action.confirmation.grant", &handle, asked.get("ext")).await;
    assert_eq!(word(&person.next().await.expect("an answer")), "action.confirmation.accepted");
    let ended = agent.until("action.result").await;
    assert_eq!(ended.last().map(word).as_deref(), Some("action.result succeeded"));
    assert_eq!(world.times_reached(), 1);
    // It is good once.
    person.say("action.confirmation.grant", &handle, asked.get("ext")).await;
    assert_eq!(word(&person.next().await.expect("an answer")), "error not_found");
}

#[tokio::test]
async fn a_person_who_comes_late_is_still_asked() {
    let (place, world) = house(true);
    let mut agent = Pipe::begun(&place, Party::Agent).await;
    agent.say("action.request", &wish(What::Drop), None).await;
    agent.until("action.confirmation.request").await;
    let mut person = Pipe::begun(&place, Party::Person).await;
    let asked = person.until("action.confirmation.request").await.pop().expect("a question");
    let denial = json!({"actionHandle": asked["payload"]["actionHandle"], "reason": "no"});
    person.say("action.confirmation.deny", &denial, None).await;
    let ended = agent.until("action.result").await;
    assert_eq!(ended.last().map(word).as_deref(), Some("action.result cancelled"));
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn capabilities_are_those_that_the_rights_of_somebody_reach() {
    proves!["CAP-SEC-2", "CORE-19"];
    let (place, _) = house(false);
    let mut listed = Vec::new();
    for party in [Party::Agent, Party::Observer] {
        let mut pipe = Pipe::begun(&place, party).await;
        pipe.say("capabilities.list", &json!({}), None).await;
        let answer = pipe.next().await.expect("an answer");
        let actions = answer["payload"]["document"]["actions"].as_array().expect("actions").clone();
        let ids: Vec<_> =
            actions.iter().map(|action| action["id"].as_str().unwrap_or_default().to_owned()).collect();
        listed.push(ids.join(" "));
    }
    assert_eq!(listed, ["ui.read ui.activate thing.note thing.send", "ui.read"]);
}

#[tokio::test]
async fn a_page_is_followed_and_an_observer_only_looks() {
    let (place, world) = house(false);
    let mut observer = Pipe::begun(&place, Party::Observer).await;
    observer.say("action.request", &wish(What::Press), None).await;
    assert_eq!(word(&observer.next().await.expect("an answer")), "error forbidden");
    observer.say("web.state.subscribe", &json!({}), None).await;
    let begun = observer.next().await.expect("an answer");
    assert_eq!(word(&begun), "web.state.subscribed");
    let graph = accepted_graph(&begun["payload"]["graph"]);
    let mut store = uiap_protocol::web::GraphStore::new(graph);
    let mut agent = Pipe::begun(&place, Party::Agent).await;
    agent.say("action.request", &wish(What::Press), None).await;
    agent.until("action.result").await;
    let deltas = observer.until("web.state.delta").await;
    let delta = &deltas.last().expect("a delta")["payload"];
    let delta =
        uiap_protocol::wire::accept(&uiap_protocol::text::Node::from_json(delta)).expect("a sound delta");
    store.apply(&delta).expect("a delta that applies");
    assert_eq!(world.times_reached(), 1);
}

fn accepted_graph(graph: &Value) -> uiap_protocol::web::PageGraph {
    uiap_protocol::wire::accept(&uiap_protocol::text::Node::from_json(graph)).expect("a sound graph")
}

#[tokio::test]
async fn noise_is_answered_and_harms_nothing() {
    proves!["CORE-27"];
    let (place, world) = house(false);
    let mut pipe = Pipe::begun(&place, Party::Agent).await;
    pipe.line(b"\xff\xfe").await;
    assert_eq!(word(&pipe.next().await.expect("an answer")), "error malformed_message");
    pipe.line(b"   ").await;
    pipe.line(b"{\"half\":").await;
    assert_eq!(word(&pipe.next().await.expect("an answer")), "error malformed_message");
    let large = vec![b'x'; INBOUND_BYTES_MAX * 3];
    pipe.line(&large).await;
    assert_eq!(word(&pipe.next().await.expect("an answer")), "error message_too_large");
    pipe.say("session.ping", &json!({}), None).await;
    assert_eq!(word(&pipe.next().await.expect("an answer")), "session.pong");
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn what_would_be_decided_is_told_and_nothing_is_done() {
    let (place, world) = house(false);
    let mut pipe = Pipe::open(&place, Party::Agent);
    let mut hello = hello("hello");
    hello["payload"]["extensions"] = json!([{"id": "uicp.policy", "versions": ["0.1"]}]);
    pipe.line(hello.to_string().as_bytes()).await;
    pipe.session = pipe.next().await.expect("an answer")["sessionId"].as_str().map(str::to_owned);
    for (what, effect) in [(What::Press, "allow"), (What::Drop, "confirm")] {
        let wish = wish(what);
        let question = json!({
            "principal": {"type": "user", "id": "somebody", "grants": ["admin"]},
            "actionId": wish["actionId"], "target": wish["target"]["ref"],
        });
        pipe.say("uicp.policy.evaluate", &question, None).await;
        let answer = pipe.next().await.expect("an answer");
        assert_eq!(answer["type"], "uicp.policy.decision", "{answer}");
        assert_eq!(answer["payload"]["decision"]["effect"], effect, "{answer}");
    }
    assert_eq!(world.times_reached(), 0);
}
