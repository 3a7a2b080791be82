//! Requests are posted; everything else comes as events.

use crate::doors::support::{AGENT_TOKEN, PERSON_TOKEN, WAIT, hello, house, listening, message, wish, word};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use uiap_server::session::INBOUND_BYTES_MAX;
use uiap_testkit::proves;
use uiap_testkit::simulation::What;

const MEDIA: &str = "application/uiap+json";

struct Answer {
    status: u16,
    head: String,
    body: Value,
}

async fn send(address: SocketAddr, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.expect("it connects");
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    // A body that is too large may be refused before it is sent.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let _ = timeout(WAIT, stream.read_to_end(&mut answer)).await.expect("in time");
    let answer = String::from_utf8(answer).expect("UTF-8");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer.as_str(), ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Answer { status, head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() }
}

fn headers(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\nContent-Type: {MEDIA}\r\n")
}

async fn post(address: SocketAddr, path: &str, message: &Value) -> Answer {
    send(address, "POST", path, &headers(AGENT_TOKEN), message.to_string().as_bytes()).await
}

async fn begin(address: SocketAddr) -> String {
    let begun = post(address, "/uiap/sessions", &hello("hello")).await;
    assert_eq!((begun.status, word(&begun.body).as_str()), (201, "session.initialized"), "{}", begun.head);
    let session = begun.body["sessionId"].as_str().expect("a session").to_owned();
    assert!(begun.head.contains(&format!("location: /uiap/sessions/{session}")), "{}", begun.head);
    session
}

/// A stream of events.
struct Events {
    lines: tokio::io::Lines<BufReader<TcpStream>>,
}

impl Events {
    async fn open(address: SocketAddr, session: &str, last: Option<&str>) -> Self {
        let mut stream = TcpStream::connect(address).await.expect("it connects");
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let head = format!(
            "GET /uiap/sessions/{session}/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {AGENT_TOKEN}\r\n{last}\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("it is sent");
        let mut lines = BufReader::new(stream).lines();
        let status = lines.next_line().await.expect("a line").expect("a status");
        assert!(status.contains(" 200 "), "{status}");
        Self { lines }
    }

    async fn next(&mut self) -> Value {
        loop {
            let line = timeout(WAIT, self.lines.next_line()).await.expect("in time").expect("a line");
            let line = line.expect("more events");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }

    async fn until(&mut self, last: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["type"] == last {
                return message;
            }
        }
    }
}

#[tokio::test]
async fn the_paths_are_documented() {
    proves!["BND-1", "BND-2", "BND-13", "CORE-3"];
    let guide = include_str!("../../../../../docs/serving.md");
    let rows: Vec<Vec<&str>> = guide
        .lines()
        .filter(|line| line.contains("`http@0.1`") || line.contains("`ws@0.1`") || line.starts_with("| | `"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let (place, _world) = house(false);
    let address = listening(&place).await;
    let session = begin(address).await;
    let mut asked = Vec::new();
    for row in rows {
        let door = row[2].trim_start_matches('`').split(['`', ',']).next().expect("a door");
        let Some((method, path)) = door.split_once(' ') else { continue };
        asked.push((row[1], format!("{method} {path}")));
        let path = path.replace("{sessionId}", &session);
        // A method that no path takes is refused by the door itself; where there is no path, nobody is there.
        let answer = send(address, "PUT", &path, &headers(AGENT_TOKEN), b"{}").await;
        assert_eq!(answer.status, 405, "{method} {path}: {}", answer.head);
    }
    let door = |binding, door: &str| asked.contains(&(binding, door.to_owned()));
    assert!(door("`ws@0.1`", "GET /uiap/ws") && door("`http@0.1`", "POST /uiap/sessions"), "{asked:?}");
    assert!(door("", "GET /uiap/sessions/{sessionId}/events") && asked.len() >= 5, "{asked:?}");
}

#[tokio::test]
async fn a_session_over_http() {
    proves![
        "BND-3", "BND-7", "BND-8", "BND-9", "BND-14", "BND-15", "BND-16", "BND-17", "BND-18", "BND-19",
        "BND-20", "BND-21"
    ];
    let (place, world) = house(false);
    let address = listening(&place).await;
    let session = begin(address).await;
    let messages = format!("/uiap/sessions/{session}/messages");
    let mut events = Events::open(address, &session, None).await;
    let accepted =
        post(address, &messages, &message("a", "action.request", Some(&session), &wish(What::Press))).await;
    assert_eq!((accepted.status, word(&accepted.body).as_str()), (200, "action.accepted accepted"));
    let progress = events.next().await;
    assert_eq!(progress["type"], "action.progress");
    assert_eq!(word(&events.until("action.result").await), "action.result succeeded");
    assert_eq!(world.times_reached(), 1);
    drop(events);
    // Whoever comes back gets what followed the last event that he had.
    let last = progress["id"].as_str().expect("an id");
    let mut again = Events::open(address, &session, Some(last)).await;
    let next = again.next().await;
    assert_ne!(next["id"], progress["id"]);
    assert_eq!(word(&again.until("action.result").await), "action.result succeeded");
    let mut lost = Events::open(address, &session, Some("nobody-knows")).await;
    assert_eq!(word(&lost.next().await), "error resync_required");

    let ended =
        send(address, "DELETE", &format!("/uiap/sessions/{session}"), &headers(AGENT_TOKEN), b"").await;
    assert_eq!((ended.status, word(&ended.body).as_str()), (200, "session.terminated"));
    let late = post(address, &messages, &message("z", "session.ping", Some(&session), &json!({}))).await;
    assert_eq!((late.status, word(&late.body).as_str()), (410, "error session_expired"));
}

#[tokio::test]
async fn bad_messages_have_their_status_and_their_code() {
    let (place, world) = house(false);
    let address = listening(&place).await;
    let session = begin(address).await;
    let messages = format!("/uiap/sessions/{session}/messages");
    let good = headers(AGENT_TOKEN);
    let ping = |id: &str| message(id, "session.ping", Some(&session), &json!({})).to_string();
    let large = vec![b' '; INBOUND_BYTES_MAX + 1];
    let stranger = headers(PERSON_TOKEN);
    let nobody = format!("Content-Type: {MEDIA}\r\n");
    let text = format!("Authorization: Bearer {AGENT_TOKEN}\r\nContent-Type: text/plain\r\n");
    let page = format!("{good}Origin: https://evil.example\r\n");
    let bad_payload = message("p", "session.ping", Some(&session), &json!({"nonce": 1})).to_string();
    let event = json!({"uiap": "0.1", "kind": "event", "type": "error", "id": "e", "sessionId": session, "ts": "2026-03-26T14:03:00.000Z", "source": {"role": "agent", "id": "a"}, "payload": {"code": "not_found", "message": "x"}}).to_string();
    let cases: Vec<(&str, &str, &[u8], u16, &str)> = vec![
        (&messages, &good, b"{", 400, "error malformed_message"),
        (&messages, &good, b"{}", 400, "error invalid_envelope"),
        (&messages, &good, b"\xff", 400, "error malformed_message"),
        (&messages, &nobody, b"{}", 401, "error unauthorized"),
        (&messages, &page, b"{}", 403, "error forbidden"),
        (&messages, &text, b"{}", 415, "error malformed_message"),
        (&messages, &good, &large, 413, "error message_too_large"),
        (&messages, &stranger, b"{}", 404, "error session_not_found"),
        ("/uiap/sessions/other/messages", &good, b"{}", 404, "error session_not_found"),
        (&messages, &good, bad_payload.as_bytes(), 422, "error invalid_payload"),
        (&messages, &good, event.as_bytes(), 202, ""),
        ("/uiap/sessions", &good, b"{", 400, "error malformed_message"),
    ];
    for (path, headers, body, status, code) in cases {
        let answer = send(address, "POST", path, headers, body).await;
        assert_eq!((answer.status, word(&answer.body).as_str()), (status, code), "{path} {headers}");
        assert!(!answer.head.to_lowercase().contains("access-control"), "no CORS: {}", answer.head);
    }
    let twice = ping("twice");
    let first = send(address, "POST", &messages, &good, twice.as_bytes()).await;
    assert_eq!((first.status, word(&first.body).as_str()), (200, "session.pong"));
    let second = send(address, "POST", &messages, &good, twice.as_bytes()).await;
    assert_eq!((second.status, word(&second.body).as_str()), (409, "error duplicate_message_id"));
    let early =
        post(address, "/uiap/sessions", &message("x", "session.ping", Some(&session), &json!({}))).await;
    assert_eq!((early.status, word(&early.body).as_str()), (200, "error session_not_active"));
    assert_eq!(world.times_reached(), 0);
}
