#![no_main]

//! A session that is told anything: one event per line. A line is a message, or one of the words of [`event`].

use libfuzzer_sys::fuzz_target;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use uiap_protocol::core::{AppInfo, Body, Envelope, Exchange};
use uiap_protocol::ids::{Id, MessageId, PeerId, ProfileId, SessionId, Text};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::life::Message;
use uiap_runtime::standing::Rights;
use uiap_server::session::{
    ActionNews, Effect, Event, Farewell, Habits, Moment, Party, Session, Terms, UNREAD_MAX, step,
};

/// Most lines of one input.
const LINES_MAX: usize = 400;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for party in [Party::Agent, Party::Person, Party::Observer] {
        play(&text, party);
    }
});

fn play(text: &str, party: Party) {
    let habits =
        Habits { handshake_ms: Some(10_000), heartbeat_ms: Some(30_000), resume_window_ms: Some(60_000) };
    let id = SessionId::new("s").expect("an id");
    let mut now = 0;
    let mut session = Session::new(id, party, Arc::new(terms()), habits, at(now));
    let (mut asked, mut answers, mut own) = (HashMap::new(), HashMap::new(), HashSet::new());
    let mut acting = Vec::new();
    let mut began = false;
    for line in text.lines().take(LINES_MAX) {
        if let Some(id) = id_in(line) {
            *asked.entry(id).or_insert(0_usize) += 1;
        }
        let (stepped, effects) = step(session, at(now), event(line, &mut now, &acting));
        session = stepped;
        for effect in effects {
            match effect {
                Effect::Began => began = true,
                Effect::Act { request, .. } => {
                    assert!(party != Party::Observer, "who only looks acts");
                    acting.push(request);
                }
                Effect::Agree { .. } | Effect::Decline { .. } => {
                    assert_eq!(party, Party::Person, "somebody else decides");
                }
                Effect::Hang(_) | Effect::Over(_) => continue,
                _ => {}
            }
            assert!(began, "something is done before the handshake");
        }
        let reads = !line.contains("deaf");
        let mut taken = 0;
        while let Some(outgoing) = reads.then(|| session.take()).flatten() {
            taken += 1;
            assert!(taken <= UNREAD_MAX * 2, "there is no end to what is said");
            let envelope = sound(&outgoing.text);
            // What was lost is said again, word for word.
            own.insert((outgoing.id.clone(), outgoing.text.clone()));
            if let Exchange::Response { correlation_id } = envelope.exchange {
                answers.entry(correlation_id).or_insert_with(HashSet::new).insert(outgoing.id.clone());
            }
        }
    }
    for (request, answers) in answers {
        let times = asked.get(&request).copied().unwrap_or_default();
        assert!(answers.len() <= times, "{request} was asked {times} times and answered {answers:?}");
    }
    let ids: HashSet<_> = own.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), own.len(), "an id of ours stands for two messages");
}

/// The id of a message, sound or not: an unsound one is answered, too.
fn id_in(line: &str) -> Option<MessageId> {
    let node = read(line, Format::Json, Limits::MESSAGE).ok()?;
    MessageId::new(node.member("id")?.as_text()?).ok()
}

fn at(ticks: u64) -> Moment {
    Moment { ticks, wall: 1_800_000_000_000 + ticks }
}

fn event(line: &str, now: &mut u64, acting: &[MessageId]) -> Event {
    let said = |news| match acting.last() {
        Some(request) => Event::Action { request: request.clone(), news },
        None => Event::Tick,
    };
    match line {
        "lost" => Event::LinkLost,
        "new" => Event::Linked,
        "silent" => Event::NoMore,
        "alive" => Event::Alive,
        "large" => Event::Unreadable(Farewell::TooLarge),
        "offered" => Event::Offered(Text::new(format!("cap_{now}")).expect("a text")),
        "end" => Event::End { reason: "the end".to_owned() },
        "accepted" => said(ActionNews::Said(Message::Accepted(value(
            r#"{"actionHandle":"h","actionId":"ui.activate","status":"accepted"}"#,
        )))),
        "cancelled" => {
            said(ActionNews::Said(Message::Cancelled(value(r#"{"actionHandle":"h","status":"cancelled"}"#))))
        }
        "result" => said(ActionNews::Ended(Ok(Box::new(value(
            r#"{"actionHandle":"h","actionId":"ui.activate","status":"succeeded","sideEffectState":"none",
                "verification":{"passed":true,"policy":"any","observed":[]}}"#,
        ))))),
        line => match line.strip_prefix("wait ").and_then(|ms| ms.parse::<u32>().ok()) {
            Some(ms) => {
                *now += u64::from(ms);
                Event::Tick
            }
            None => Event::Text(line.to_owned()),
        },
    }
}

fn value<T: Wire>(text: &str) -> T {
    accept(&read(text, Format::Json, Limits::MESSAGE).expect("JSON")).expect("a sound value")
}

fn sound(text: &str) -> Envelope {
    let envelope: Envelope = value(text);
    assert!(!matches!(envelope.exchange, Exchange::Request), "nobody here asks");
    assert!(!matches!(envelope.body, Body::Vendor(_)), "nobody here is a vendor");
    envelope
}

fn terms() -> Terms {
    Terms {
        app: AppInfo { id: Id::new("app").expect("an id"), version: "1".to_owned(), locale: None },
        source: PeerId::new("web-runtime").expect("an id"),
        profiles: vec![ProfileId::new("web@0.1").expect("a profile")],
        rights: Rights {
            principal: value(r#"{"type":"agent","id":"house","grants":["observe","act"]}"#),
            lent: Vec::new(),
        },
        policies: Vec::new(),
        maps: true,
    }
}
