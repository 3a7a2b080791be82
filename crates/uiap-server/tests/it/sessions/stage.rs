//! Plays the steps of a case on a session and writes down what comes of them, one short line each.
//!
//! A step has one of: `say` (members of a message; the rest is filled in), `raw` (a text), `noise` (`large` or
//! `binary`), `time` (milliseconds that pass), `link` (`lost`, `new`, `silent`), `action` (what the last action says),
//! `consent` (somebody's action needs an agreement), `page` (answers a look), `news` (something happened on the page),
//! `answer` (a message, or a code), `offered` (what can be done is this by now), `rules` (other rules hold, of this id),
//! `audit` (this was decided about), `map` (what a discovery run says), `end`. `times` repeats it, `unread: true` leaves
//! what goes out where it is.

use serde_json::{Value, json};
use std::sync::Arc;
use uiap_protocol::action::{ActionResult, ConfirmationRequest};
use uiap_protocol::core::{AppInfo, Body, CoreErrorCode, ErrorCode, ErrorPayload};
use uiap_protocol::discovery::{DiscoveryPackage, DiscoveryProgress};
use uiap_protocol::ids::{ActionHandle, Id, MessageId, PeerId, ProfileId, RunId, SessionId, Text};
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::text::Node;
use uiap_protocol::web::{PageGraph, WebSignal};
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::Message;
use uiap_runtime::standing::Rights;
use uiap_server::mapping::{Found, Trust};
use uiap_server::session::{
    ActionNews, Answer, Effect, Event, Farewell, Habits, MapNews, MapWish, Moment, PageNews, Party, Session,
    Terms, step,
};

/// The rights that everybody has who acts.
const OWN: [&str; 2] = ["observe", "act"];
const TOKEN: &str =
    "01010101010101010101010101010101.64.0202020202020202020202020202020202020202020202020202020202020202";

pub(crate) struct Play {
    session: Option<Session>,
    now: u64,
    said: u64,
    /// The last message for which something was wished.
    asked: Option<MessageId>,
}

pub(crate) fn value<T: Wire>(json: &Value) -> T {
    accept(&Node::from_json(json)).unwrap_or_else(|findings| panic!("{json} is not sound: {findings:?}"))
}

fn terms() -> Terms {
    let policy: PolicyDocument = value(&json!({
        "modelVersion": "0.1", "id": "house", "defaults": {"onUnknownAction": "confirm"}, "rules": [],
    }));
    Terms {
        app: AppInfo { id: Id::new("shop").expect("an id"), version: "1.0".to_owned(), locale: None },
        source: PeerId::new("web-runtime").expect("an id"),
        profiles: vec![ProfileId::new("web@0.1").expect("a profile")],
        rights: Rights {
            principal: value(&json!({"type": "agent", "id": "house", "grants": OWN})),
            lent: vec![value(&json!("admin"))],
        },
        policies: vec![policy],
        maps: true,
    }
}

impl Play {
    pub(crate) fn new(case: &Value) -> Self {
        let party = match case.get("party").and_then(Value::as_str) {
            None | Some("agent") => Party::Agent,
            Some("person") => Party::Person,
            Some("observer") => Party::Observer,
            Some(other) => panic!("{other} is no party"),
        };
        let habit = |name: &str| case.get("habits").and_then(|habits| habits.get(name)?.as_u64());
        let habits = Habits {
            handshake_ms: habit("handshake"),
            heartbeat_ms: habit("heartbeat"),
            resume_window_ms: habit("resume"),
        };
        let id = SessionId::new("sess_1").expect("an id");
        let session = Session::new(id, party, Arc::new(terms()), habits, at(0));
        let mut play = Self { session: Some(session), now: 0, said: 0, asked: None };
        if case.get("begun").and_then(Value::as_bool) != Some(false) {
            let offer = json!({"say": {"type": "session.initialize", "id": "hello", "extensions": case.get("extensions")}});
            let mut lines = play.step(&offer);
            lines.retain(|line| !line.starts_with("session.initialized") && line != "do begin");
            assert_eq!(lines, Vec::<String>::new());
        }
        if let Some(stage) = case.get("run").and_then(Value::as_str) {
            play.begin_run(stage);
        }
        play
    }

    /// A discovery run `disc_1` that is planned (`m2`), or also started (`m3`).
    fn begin_run(&mut self, stage: &str) {
        let environment = json!({"environmentId": "staging", "baseUrl": "http://127.0.0.1/"});
        self.step(&json!({"say": {"type": "uiap.discovery.plan", "payload": {"environment": environment}}}));
        self.step(&json!({"answer": {"type": "uiap.discovery.planned", "payload": {"runId": "disc_1"}}}));
        if stage == "started" {
            let run = json!({"runId": "disc_1"});
            let started = json!({"runId": "disc_1", "status": "preparing"});
            self.step(&json!({"say": {"type": "uiap.discovery.start", "payload": run}}));
            self.step(&json!({"answer": {"type": "uiap.discovery.started", "payload": started}}));
        }
    }

    /// What comes of a step.
    pub(crate) fn step(&mut self, step: &Value) -> Vec<String> {
        let times = step.get("times").and_then(Value::as_u64).unwrap_or(1);
        let reads = step.get("unread").and_then(Value::as_bool) != Some(true);
        let mut lines = Vec::new();
        for _ in 0..times {
            let event = self.event(step);
            lines.extend(self.happen(event));
            if reads {
                lines.extend(self.read());
            }
        }
        // What a thousand steps give alike is written once.
        lines.dedup_by(|one, other| times > 1 && kind(one) == kind(other));
        lines
    }

    fn happen(&mut self, event: Event) -> Vec<String> {
        let session = self.session.take().expect("a session");
        let (session, effects) = step_at(session, self.now, event);
        self.session = Some(session);
        effects.into_iter().map(|effect| self.wish(effect)).collect()
    }

    fn read(&mut self) -> Vec<String> {
        let session = self.session.as_mut().expect("a session");
        std::iter::from_fn(|| session.take()).map(|outgoing| line(&outgoing.text)).collect()
    }

    fn event(&mut self, step: &Value) -> Event {
        let text = |name: &str| step.get(name).and_then(Value::as_str);
        if let Some(members) = step.get("say") {
            return Event::Text(self.message(members).to_string());
        }
        if let Some(raw) = text("raw") {
            return Event::Text(raw.to_owned());
        }
        if let Some(ms) = step.get("time").and_then(Value::as_u64) {
            self.now += ms;
            return Event::Tick;
        }
        if let Some(revision) = text("offered") {
            return Event::Offered(Text::new(revision).expect("a text"));
        }
        if let Some(id) = text("rules") {
            let rules = json!({"modelVersion": "0.1", "id": id, "defaults": {"onUnknownAction": "deny"}, "rules": []});
            let policies = vec![value(&rules)];
            let revision = Text::new(format!("{id}_1")).expect("a text");
            return Event::Ruled { terms: Arc::new(Terms { policies, ..terms() }), revision };
        }
        if let Some(action) = text("audit") {
            let decision = json!({
                "decisionId": "d", "effect": "allow", "reason": "because", "ruleIds": ["r"],
                "effectiveRisk": {"level": "safe"}, "decidedAt": "2026-01-01T00:00:00Z",
            });
            let principal = json!({"type": "agent", "id": "house"});
            let audit = json!({"actionId": action, "principal": principal, "decision": decision});
            return Event::Audit(Box::new(value(&audit)));
        }
        if let Some(said) = text("map") {
            return Event::Map(Box::new(map_news(said)));
        }
        if let Some(reason) = text("end") {
            return Event::End { reason: reason.to_owned() };
        }
        match (text("noise"), text("link")) {
            (Some("large"), _) => return Event::Unreadable(Farewell::TooLarge),
            (Some("binary"), _) => return Event::Unreadable(Farewell::NotText),
            (_, Some("lost")) => return Event::LinkLost,
            (_, Some("new")) => return Event::Linked,
            (_, Some("silent")) => return Event::NoMore,
            (_, Some("alive")) => return Event::Alive,
            _ => {}
        }
        if let Some(word) = text("action") {
            let request = self.asked.clone().expect("an action");
            return Event::Action { request, news: news(word) };
        }
        if let Some(handle) = text("consent") {
            let token = GrantToken { nonce: [1; 16], expires_at: 100, mac: [2; 32] };
            return Event::Consent(Box::new(confirmation(handle)), token);
        }
        if let Some(page) = step.get("page") {
            let request = self.asked.clone().expect("a look");
            return Event::Answered { request, answer: Answer::Page(Box::new(graph(page))) };
        }
        if let Some(news) = step.get("news") {
            let signals = news.get("signals").and_then(Value::as_array).into_iter().flatten();
            return Event::News(Box::new(PageNews {
                graph: graph(news),
                signals: signals.map(|text| signal(text.as_str().expect("a text"))).collect(),
                lost: news.get("lost").and_then(Value::as_u64).unwrap_or_default(),
            }));
        }
        let answer = step.get("answer").unwrap_or_else(|| panic!("{step} is no step"));
        Event::Answered { request: self.asked.clone().expect("a request"), answer: answered(answer) }
    }

    /// A message whose missing members are filled in.
    fn message(&mut self, members: &Value) -> Value {
        self.said += 1;
        let members = members.as_object().expect("members");
        let begins = members.get("type") == Some(&json!("session.initialize"));
        let mut message = json!({
            "uiap": "0.1", "kind": "request", "id": format!("m{}", self.said), "ts": "2026-03-26T14:03:00.000Z",
            "source": {"role": "agent", "id": "helper"}, "payload": {},
        });
        let whole = message.as_object_mut().expect("an object");
        if begins {
            let mut offer = json!({"supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"}});
            let payload = offer.as_object_mut().expect("an object");
            let names = [
                "supportedVersions",
                "supportedProfiles",
                "extensions",
                "resume",
                "principal",
                "requestedGrants",
            ];
            for name in names {
                if let Some(member) = members.get(name).filter(|member| !member.is_null()) {
                    payload.insert(name.to_owned(), member.clone());
                }
            }
            whole.insert("payload".to_owned(), offer);
        } else {
            whole.insert("sessionId".to_owned(), json!("sess_1"));
        }
        let envelope =
            ["uiap", "kind", "type", "id", "correlationId", "sessionId", "ts", "source", "payload", "ext"];
        for name in envelope {
            match members.get(name) {
                Some(Value::Null) => drop(whole.remove(name)),
                Some(member) => drop(whole.insert(name.to_owned(), member.clone())),
                None => {}
            }
        }
        if let Some(token) = members.get("token") {
            let token = if token == &json!("good") { json!(TOKEN) } else { token.clone() };
            whole.insert("ext".to_owned(), json!({"x.uiap.consent": {"token": token}}));
        }
        message
    }

    /// A wish in a few words.
    fn wish(&mut self, effect: Effect) -> String {
        let mut asked = |request: MessageId, what: &str| {
            let line = format!("do {what} for {request}");
            self.asked = Some(request);
            line
        };
        match effect {
            Effect::Began => "do begin".to_owned(),
            Effect::Act { request, action } => asked(request, &format!("act {}", action.action_id)),
            Effect::Cancel { request, handle, own, .. } => {
                if !own {
                    self.asked = request;
                }
                format!("do cancel {handle}{}", if own { "" } else { " of another session" })
            }
            Effect::Agree { handle, token, request } => {
                self.asked = request;
                let good = token == GrantToken { nonce: [1; 16], expires_at: 100, mac: [2; 32] };
                format!("do agree to {handle}{}", if good { "" } else { " by something else" })
            }
            Effect::Decline { handle, request, .. } => {
                self.asked = request;
                format!("do decline {handle}")
            }
            Effect::ListCapabilities { request } => asked(request, "list"),
            Effect::Evaluate { request, .. } => asked(request, "evaluate"),
            Effect::Look { request } => asked(request, "look"),
            Effect::Map(request, wish) => {
                let what = wished(&wish);
                match request {
                    Some(request) => asked(request, &what),
                    None => format!("do {what}"),
                }
            }
            Effect::Hang(farewell) => format!("hang {}", farewell.code()),
            Effect::Over(farewell) => format!("over {}", farewell.code()),
        }
    }
}

fn at(ms: u64) -> Moment {
    Moment { ticks: ms, wall: 1_800_000_000_000 + ms }
}

fn step_at(session: Session, now: u64, event: Event) -> (Session, Vec<Effect>) {
    step(session, at(now), event)
}

/// A line without the numbers of its messages.
fn kind(line: &str) -> &str {
    line.split([' ']).next().unwrap_or_default()
}

/// A message in a few words: its type, what is particular about it, and what it answers (`>`) or is about (`~`).
fn line(text: &str) -> String {
    let message: Value = serde_json::from_str(text).expect("JSON");
    let _: uiap_protocol::core::Envelope = value(&message);
    let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
    let mut line = text("/type").expect("a type").to_owned();
    for pointer in [
        "/payload/code",
        "/payload/stage",
        "/payload/status",
        "/payload/revision",
        "/payload/kind",
        "/payload/nonce",
    ] {
        if let Some(word) = text(pointer) {
            line = format!("{line} {word}");
        }
    }
    if let Some(graph) = message.pointer("/payload/graph") {
        let names = graph.get("elements").and_then(Value::as_array).map_or(0, Vec::len);
        line = format!(
            "{line} {} seq {} elements {names}",
            graph["revision"].as_str().unwrap_or(""),
            graph["seq"]
        );
    }
    for name in ["runId", "visitedStates", "discoveredRoutes"] {
        if let Some(said) = message.pointer(&format!("/payload/{name}")) {
            line = format!("{line} {}", said.to_string().trim_matches('"'));
        }
    }
    if let Some(run) = text("/payload/package/run/runId") {
        line = format!("{line} package of {run}");
    }
    if let Some(seq) = message.pointer("/payload/seq") {
        line = format!("{line} seq {seq}");
    }
    if let Some(extensions) = message.pointer("/payload/selectedExtensions").and_then(Value::as_array) {
        for extension in extensions {
            line = format!("{line} {}", extension["id"].as_str().unwrap_or_default());
        }
    }
    let words = |pointer: &str| {
        let list = message.pointer(pointer).and_then(Value::as_array);
        list.map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>())
    };
    if let Some(grants) = words("/payload/grants").filter(|grants| grants[..] != OWN) {
        line =
            format!("{line} may {}", if grants.is_empty() { "nothing".to_owned() } else { grants.join(" ") });
    }
    if let Some(missing) = words("/payload/missingGrants") {
        line = format!("{line} without {}", missing.join(" "));
    }
    if let Some(token) = message.pointer("/ext/x.uiap.consent/token") {
        line = format!("{line} with {}", if token == &json!(TOKEN) { "the token" } else { "a token" });
    }
    let about = text("/correlationId").unwrap_or_default();
    let kind = text("/kind").unwrap_or_default();
    let no_session = if message.get("sessionId").is_none() { " without session" } else { "" };
    match (kind, about) {
        ("response", about) => format!("{line} > {about}{no_session}"),
        (_, "") => format!("{line}{no_session}"),
        (_, about) => format!("{line} ~ {about}{no_session}"),
    }
}

/// What is wished of whoever maps, in a few words.
fn wished(wish: &MapWish) -> String {
    match wish {
        MapWish::Plan(plan, Trust::Bounds) => format!("plan {}", plan.environment.environment_id),
        MapWish::Plan(plan, Trust::Everything) => {
            format!("plan {} as it is", plan.environment.environment_id)
        }
        MapWish::Start(run) => format!("start {run}"),
        MapWish::Pause(run) => format!("pause {run}"),
        MapWish::Resume(run) => format!("resume {run}"),
        MapWish::Cancel(run) => format!("cancel {run}"),
    }
}

/// `progress RUN STATUS [STATES] [ROUTES]`, or `ended RUN STATUS [outline]`.
fn map_news(said: &str) -> MapNews {
    let words: Vec<_> = said.split(' ').collect();
    let word = |place: usize| words.get(place).copied();
    let number = |place: usize| word(place).and_then(|word| word.parse::<u64>().ok());
    let (run, status) = (word(1).expect("a run"), word(2).expect("a status"));
    if word(0) == Some("progress") {
        let mut progress: DiscoveryProgress = value(&json!({"runId": run, "status": status}));
        (progress.visited_states, progress.discovered_routes) = (number(3), number(4));
        return MapNews::Progress(progress);
    }
    let counters = [
        "seedsTotal",
        "seedsVisited",
        "routesDiscovered",
        "scopesDiscovered",
        "elementsDiscovered",
        "actionsDiscovered",
        "workflowCandidatesDiscovered",
        "opaqueRegions",
        "unresolvedTransitions",
        "reviewItems",
    ];
    let mut coverage: serde_json::Map<_, _> =
        counters.map(|name| (name.to_owned(), json!(0))).into_iter().collect();
    coverage.insert("confidenceSummary".to_owned(), json!({"high": 0, "medium": 0, "low": 0}));
    let package: DiscoveryPackage = value(&json!({
        "modelVersion": "0.1", "spec": "uiap.discovery",
        "run": {"runId": run, "startedAt": "2026-01-01T00:00:00Z", "status": status, "environmentId": "staging"},
        "environment": {"environmentId": "staging", "baseUrl": "http://127.0.0.1/"},
        "routeCatalog": {"routes": []}, "scopeCatalog": {"scopes": []}, "elementCatalog": {"elements": []},
        "actionCatalog": {"actions": []}, "transitionGraph": {"states": [], "edges": []},
        "reviewQueue": {"items": []}, "coverage": coverage,
    }));
    let is_whole = word(3) != Some("outline");
    MapNews::Ended(RunId::new(run).expect("an id"), Box::new(Found { package, is_whole }))
}

fn confirmation(handle: &str) -> ConfirmationRequest {
    value(&json!({"actionHandle": handle, "actionId": "video.delete", "risk": {"level": "confirm"}}))
}

fn news(word: &str) -> ActionNews {
    let (word, rest) = word.split_once(' ').unwrap_or((word, ""));
    let handle = || ActionHandle::new("act_1").expect("an id");
    match word {
        "accepted" => ActionNews::Said(Message::Accepted(value(
            &json!({"actionHandle": "act_1", "actionId": "ui.activate", "status": "accepted"}),
        ))),
        "progress" => ActionNews::Said(Message::Progress(Box::new(value(
            &json!({"actionHandle": "act_1", "stage": rest}),
        )))),
        "cancelled" => ActionNews::Said(Message::Cancelled(value(
            &json!({"actionHandle": handle().as_str(), "status": "cancelled"}),
        ))),
        "asks" => ActionNews::Asks(Box::new(confirmation("act_1"))),
        "result" => ActionNews::Ended(Ok(Box::new(result(rest)))),
        "refused" => {
            let code = CoreErrorCode::from_word(rest).expect("a code");
            ActionNews::Ended(Err(Box::new(payload(code))))
        }
        other => panic!("no action says {other}"),
    }
}

fn result(status: &str) -> ActionResult {
    value(&json!({
        "actionHandle": "act_1", "actionId": "ui.activate", "status": status,
        "verification": {"passed": status == "succeeded", "policy": "any", "observed": []}, "sideEffectState": "none",
    }))
}

fn payload(code: CoreErrorCode) -> ErrorPayload {
    ErrorPayload { code: ErrorCode::Core(code), message: "because".to_owned(), retryable: None, detail: None }
}

fn answered(answer: &Value) -> Answer {
    if let Some(code) = answer.as_str() {
        return Answer::Refused(Box::new(payload(CoreErrorCode::from_word(code).expect("a code"))));
    }
    let member = |name: &str| answer.get(name).cloned();
    let message = json!({
        "uiap": "0.1", "kind": "response", "type": member("type"), "id": "x", "correlationId": "y",
        "sessionId": "sess_1", "ts": "2026-03-26T14:03:00.000Z", "source": {"role": "bridge", "id": "z"},
        "payload": member("payload"),
    });
    let envelope: uiap_protocol::core::Envelope = value(&message);
    Answer::Body(Box::<Body>::new(envelope.body))
}

fn signal(text: &str) -> WebSignal {
    value(&json!({"id": "s", "at": "2026-03-26T14:03:00.000Z", "kind": "toast.shown", "text": text}))
}

/// A page with a button in every named area.
fn graph(page: &Value) -> PageGraph {
    let number = page.get("revision").and_then(Value::as_u64).expect("a revision");
    let areas = page.get("areas").and_then(Value::as_array).cloned().unwrap_or_default();
    let scopes: Vec<_> =
        areas.iter().map(|area| json!({"id": area, "kind": "region", "documentId": "doc"})).collect();
    let elements: Vec<_> = areas
        .iter()
        .map(|area| {
            json!({"instanceId": format!("el_{}", area.as_str().unwrap_or_default()), "documentId": "doc",
                   "scopeId": area, "role": "button", "name": format!("{area} {number}"), "state": {}})
        })
        .collect();
    value(&json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": format!("rev_{number}"), "seq": number,
        "capturedAt": "2026-01-01T00:00:00Z", "route": {"url": "http://shop/"},
        "documents": [{"id": "doc", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": scopes, "elements": elements,
    }))
}
