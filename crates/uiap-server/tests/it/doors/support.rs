//! A house with a made-up application, and messages.

use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use uiap_protocol::core::AppInfo;
use uiap_protocol::ids::{Id, PeerId, ProfileId};
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_server::doors::guard::{Credential, Guard};
use uiap_server::doors::net::listen;
use uiap_server::serving::{House, Offer};
use uiap_server::session::Party;
use uiap_testkit::MemoryJournal;
use uiap_testkit::simulation::{
    Bench, FakeSurface, House as Rules, Proof, SlowJournal, Trouble, View, What, Wish, World,
};

/// Nothing here takes this long unless it is broken.
pub(crate) const WAIT: Duration = Duration::from_secs(30);
pub(crate) const AGENT_TOKEN: &str = "agent-token-agent-token";
pub(crate) const PERSON_TOKEN: &str = "person-token-person-token";

pub(crate) type Place = Arc<House<FakeSurface, SlowJournal>>;

/// A house, and the truth about its application.
pub(crate) fn house(asks_people: bool) -> (Place, Arc<World>) {
    house_of(asks_people, Vec::new())
}

/// A house with rules.
pub(crate) fn house_of(asks_people: bool, rules: Vec<Value>) -> (Place, Arc<World>) {
    let shelf = Arc::new(MemoryJournal::default());
    let world = World::new(1, View::new(false), Trouble::default());
    let journal = SlowJournal::new(Arc::clone(&shelf), 1, 0);
    let rules = Rules { rules, ..Rules::default() };
    let bench = Bench::new(1, &rules, &world, &shelf, journal).expect("a sound house");
    let capabilities = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "roles": ["button"], "stateKeys": ["enabled"],
        "affordances": ["activate"], "riskLevels": ["safe"], "successSignalKinds": ["toast.contains"],
        "actions": [
            {"id": "ui.read", "kind": "primitive", "targetKinds": ["element"], "executionModes": ["semanticUi"], "risk": {"level": "safe"}},
            {"id": "ui.activate", "kind": "primitive", "targetKinds": ["element"], "executionModes": ["semanticUi"], "risk": {"level": "safe"}},
        ],
    });
    let offer = Offer {
        app: AppInfo { id: Id::new("things").expect("an id"), version: "1".to_owned(), locale: None },
        source: PeerId::new("web-runtime").expect("an id"),
        profiles: vec![ProfileId::new("web@0.1").expect("a profile")],
        policies: Vec::new(),
        capabilities: accept(&Node::from_json(&capabilities)).expect("a sound document"),
        asks_people,
        mapper: None,
    };
    (House::new(bench.runtime, offer), world)
}

/// A house that listens, with a token for agents and one for persons.
pub(crate) async fn listening(place: &Place) -> SocketAddr {
    let credential = |token, party| Credential::new(token, party).expect("a strong token");
    let guard = Guard {
        credentials: vec![credential(AGENT_TOKEN, Party::Agent), credential(PERSON_TOKEN, Party::Person)],
        origins: Vec::new(),
    };
    let open = listen("127.0.0.1:0".parse().expect("an address"), &guard).await.expect("a port");
    let address = open.address();
    tokio::spawn(open.serve(Arc::clone(place), guard, None));
    address
}

/// A message.
pub(crate) fn message(id: &str, kind: &str, session: Option<&str>, payload: &Value) -> Value {
    let mut message = json!({
        "uiap": "0.1", "kind": "request", "type": kind, "id": id, "ts": "2026-03-26T14:03:00.000Z",
        "source": {"role": "agent", "id": "helper"}, "payload": payload,
    });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    message
}

pub(crate) fn hello(id: &str) -> Value {
    message(id, "session.initialize", None, &offer())
}

pub(crate) fn offer() -> Value {
    json!({"supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"}})
}

/// Something to ask for.
pub(crate) fn wish(what: What) -> Value {
    Wish { what, place: 1, by_row: false, proof: Proof::Word, key: None, timeout_ms: None }.json()
}

/// The type of a message, with what is particular about it.
pub(crate) fn word(message: &Value) -> String {
    let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
    let particular = ["/payload/code", "/payload/status"].iter().find_map(|pointer| text(pointer));
    let kind = text("/type").unwrap_or_default();
    particular.map_or_else(|| kind.to_owned(), |particular| format!("{kind} {particular}"))
}
