//! What must not be sent, at the real doors: each has its code, nothing is done, and others do not notice.

use crate::doors::support::{AGENT_TOKEN, Place, WAIT, hello, house, listening, message, offer, wish, word};
use crate::doors::websocket::{Socket, begin, next, open, say, until};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use uiap_server::serving::SESSIONS_MAX;
use uiap_testkit::simulation::{What, World};

/// A message of a size that nobody takes.
const LARGE: usize = 100 * 1024 * 1024;

/// Somebody who does nothing wrong, and must not notice what others do.
struct Bystander {
    socket: Socket,
    session: String,
    pings: u64,
}

impl Bystander {
    async fn come(address: SocketAddr) -> Self {
        let mut socket = open(address, AGENT_TOKEN).await;
        let session = begin(&mut socket).await;
        Self { socket, session, pings: 0 }
    }

    /// The session is there, and answers.
    async fn is_well(&mut self) {
        self.pings += 1;
        let nonce = format!("nonce {}", self.pings);
        let ping = message(
            &format!("p{}", self.pings),
            "session.ping",
            Some(&self.session),
            &json!({"nonce": nonce}),
        );
        say(&mut self.socket, &ping).await;
        let pong = next(&mut self.socket).await.expect("an answer");
        assert_eq!((word(&pong).as_str(), &pong["payload"]["nonce"]), ("session.pong", &json!(nonce)));
    }
}

async fn stage() -> (Place, Arc<World>, SocketAddr, Bystander) {
    let (place, world) = house(false);
    let address = listening(&place).await;
    let bystander = Bystander::come(address).await;
    (place, world, address, bystander)
}

/// A WebSocket whose frames are written by hand.
async fn raw(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it connects");
    let head = format!(
        "GET /uiap/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: uiap.v0.1\r\nAuthorization: Bearer {AGENT_TOKEN}\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.expect("an answer"));
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    stream
}

/// The head of a frame with a mask of zero.
fn head(first: u8, length: u64) -> Vec<u8> {
    let mut head = vec![first, 0xFF];
    head.extend(length.to_be_bytes());
    head.extend([0; 4]);
    head
}

fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    [head(first, payload.len() as u64), payload.to_vec()].concat()
}

/// What the server says, one line for each frame, until it has ended the connection.
async fn said(stream: &mut TcpStream) -> Vec<String> {
    let mut bytes = Vec::new();
    // However it ends, it ends.
    let _ = timeout(WAIT, stream.read_to_end(&mut bytes)).await.expect("it ends in time");
    let (mut lines, mut rest) = (Vec::new(), bytes.as_slice());
    while let [first, length, more @ ..] = rest {
        let (length, more) = match length {
            126 => (usize::from(u16::from_be_bytes([more[0], more[1]])), &more[2..]),
            short => (usize::from(*short), more),
        };
        let (payload, after) = more.split_at(length);
        lines.push(match first & 0x0F {
            8 => format!("close {}", u16::from_be_bytes([payload[0], payload[1]])),
            _ => word(&serde_json::from_slice(payload).expect("JSON")),
        });
        rest = after;
    }
    lines
}

#[tokio::test]
async fn frames_that_are_none_end_with_their_code() {
    let (_place, world, address, mut bystander) = stage().await;
    let hello = hello("hello").to_string();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("bytes that mean nothing", vec![0xFF; 64], "close 1002"),
        ("an opcode that nobody knows", frame(0x83, b"{}"), "close 1002"),
        ("a frame without a mask", vec![0x81, 0x02, b'{', b'}'], "close 1002"),
        ("a text that is no UTF-8", frame(0x81, &[0xC3, 0x28]), "close 1007"),
        ("a binary frame", frame(0x82, hello.as_bytes()), "close 1003"),
        ("100 MB, of which only the head is sent", head(0x81, LARGE as u64), "close 1009"),
        ("more than there are numbers", head(0x81, u64::MAX >> 1), "close 1009"),
        (
            "too much in small parts",
            [frame(0x01, &[b' '; 1024]), frame(0x00, &[b' '; 1024]).repeat(3 * 1024)].concat(),
            "close 1009",
        ),
        (
            "a ping that is too long, within a session",
            [frame(0x81, hello.as_bytes()), frame(0x89, &[0; 200])].concat(),
            "close 1002",
        ),
    ];
    for (what, bytes, expected) in cases {
        let mut stream = raw(address).await;
        // So much may be refused before it is sent.
        let _ = stream.write_all(&bytes).await;
        let heard = said(&mut stream).await;
        assert_eq!(heard.last().map(String::as_str), Some(expected), "{what}");
        bystander.is_well().await;
    }
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn half_a_frame_is_never_a_message() {
    let (_place, world, address, mut bystander) = stage().await;
    let mut stream = raw(address).await;
    let whole = [
        frame(0x81, hello("hello").to_string().as_bytes()),
        frame(0x81, message("a", "action.request", None, &wish(What::Press)).to_string().as_bytes()),
    ]
    .concat();
    stream.write_all(&whole[..whole.len() - 1]).await.expect("it is sent");
    stream.shutdown().await.expect("it ends");
    said(&mut stream).await;
    bystander.is_well().await;
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn what_is_no_http_is_ended() {
    let (_place, _, address, mut bystander) = stage().await;
    let endless = vec![b'A'; 512 * 1024];
    for bytes in [b"\x16\x03\x01\x02\x00\x01\x00".as_slice(), b"\0\0\0\0\r\n\r\n", &endless] {
        let mut stream = TcpStream::connect(address).await.expect("it connects");
        // So much may be refused before it is sent.
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = timeout(WAIT, stream.read_to_end(&mut answer)).await.expect("it ends in time");
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));
        bystander.is_well().await;
    }
}

#[tokio::test]
async fn a_hundred_megabytes_over_http_are_refused_unread() {
    let (_place, _, address, mut bystander) = stage().await;
    let mut stream = TcpStream::connect(address).await.expect("it connects");
    let head = format!(
        "POST /uiap/sessions HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {AGENT_TOKEN}\r\n\
         Content-Type: application/uiap+json\r\nContent-Length: {LARGE}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    // Not one byte of it is sent, and there is an answer.
    let mut answer = Vec::new();
    let _ = timeout(WAIT, stream.read_to_end(&mut answer)).await.expect("in time");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("message_too_large"), "{answer}");
    bystander.is_well().await;
}

#[tokio::test]
async fn messages_before_the_handshake_do_nothing() {
    let (_place, world, address, mut bystander) = stage().await;
    let mut socket = open(address, AGENT_TOKEN).await;
    for session in [None, Some("sess_1"), Some(bystander.session.as_str())] {
        let id = format!("a{session:?}");
        say(&mut socket, &message(&id, "action.request", session, &wish(What::Press))).await;
        let answer = next(&mut socket).await.expect("an answer");
        let expected = if session.is_some() { "error session_not_active" } else { "error invalid_envelope" };
        assert_eq!(word(&answer), expected);
    }
    // The session of somebody else, from a session of one's own.
    let _own = begin(&mut socket).await;
    say(&mut socket, &message("b", "action.request", Some(&bystander.session), &wish(What::Press))).await;
    assert_eq!(word(&next(&mut socket).await.expect("an answer")), "error session_not_found");
    bystander.is_well().await;
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn a_message_that_comes_again_is_not_done_again() {
    let (_place, world, address, mut bystander) = stage().await;
    let mut socket = open(address, AGENT_TOKEN).await;
    let session = begin(&mut socket).await;
    let request = message("a", "action.request", Some(&session), &wish(What::Press));
    say(&mut socket, &request).await;
    assert_eq!(word(&until(&mut socket, "action.result").await), "action.result succeeded");
    say(&mut socket, &request).await;
    assert_eq!(word(&next(&mut socket).await.expect("an answer")), "error duplicate_message_id");
    // Nor over another link.
    drop(socket);
    let mut again = open(address, AGENT_TOKEN).await;
    let mut resume = offer();
    resume["resume"] = json!({"sessionId": session});
    say(&mut again, &message("r", "session.initialize", None, &resume)).await;
    until(&mut again, "session.initialized").await;
    say(&mut again, &request).await;
    assert_eq!(word(&until(&mut again, "error").await), "error duplicate_message_id");
    bystander.is_well().await;
    assert_eq!(world.times_reached(), 1);
}

#[tokio::test]
async fn a_session_that_nobody_has_is_not_gone_on_with() {
    let (_place, _, address, mut bystander) = stage().await;
    for id in ["sess_0", "../../etc/passwd", "x"] {
        let mut socket = open(address, AGENT_TOKEN).await;
        let mut resume = offer();
        resume["resume"] = json!({"sessionId": id});
        say(&mut socket, &message("r", "session.initialize", None, &resume)).await;
        assert_eq!(word(&next(&mut socket).await.expect("an answer")), "error session_not_found");
        assert_eq!(next(&mut socket).await, Err(4404));
    }
    bystander.is_well().await;
}

#[tokio::test]
async fn who_opens_a_socket_and_says_nothing_is_not_waited_for() {
    let (_place, _, address, mut bystander) = stage().await;
    let mut silent = raw(address).await;
    let mut dripping = raw(address).await;
    dripping.write_all(&head(0x81, 1000)).await.expect("it is sent");
    dripping.write_all(b"{").await.expect("it is sent");
    bystander.is_well().await;
    // Nothing happens from now on, so that time is all that passes.
    tokio::time::pause();
    assert_eq!(said(&mut silent).await, ["error timeout", "close 1008"]);
    assert_eq!(said(&mut dripping).await, ["error timeout", "close 1008"]);
    tokio::time::resume();
    bystander.is_well().await;
}

#[tokio::test]
async fn a_body_that_never_ends_is_not_waited_for() {
    let (_place, _, address, mut bystander) = stage().await;
    let mut slow = TcpStream::connect(address).await.expect("it connects");
    let head = format!(
        "POST /uiap/sessions HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {AGENT_TOKEN}\r\n\
         Content-Type: application/uiap+json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    slow.write_all(head.as_bytes()).await.expect("it is sent");
    bystander.is_well().await;
    tokio::time::pause();
    let mut answer = Vec::new();
    let _ = timeout(WAIT, slow.read_to_end(&mut answer)).await.expect("it ends in time");
    tokio::time::resume();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"timeout\""), "{answer}");
    bystander.is_well().await;
}

#[tokio::test]
async fn a_storm_of_connections_locks_nobody_out() {
    let (_place, world, address, mut bystander) = stage().await;
    // Each leaves a session behind that could be gone on with; together they are more than there is room for.
    for _ in 0..SESSIONS_MAX + 10 {
        let mut socket = raw(address).await;
        socket.write_all(&frame(0x81, hello("hello").to_string().as_bytes())).await.expect("it is sent");
        let mut answer = [0; 2];
        socket.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(answer[0], 0x81);
    }
    bystander.is_well().await;
    let mut late = Bystander::come(address).await;
    late.is_well().await;
    bystander.is_well().await;
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn a_hundred_megabytes_on_one_line_are_not_kept() {
    let (place, world, address, mut bystander) = stage().await;
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (input, output) = tokio::io::split(theirs);
    let party = uiap_server::session::Party::Agent;
    tokio::spawn(uiap_server::doors::stdio::serve(
        place.clone(),
        party,
        tokio::io::BufReader::new(input),
        output,
    ));
    let (mut read, mut write) = tokio::io::split(ours);
    let part = vec![b'x'; 1 << 20];
    for _ in 0..LARGE / part.len() {
        write.write_all(&part).await.expect("it is read");
    }
    write.write_all(format!("\n{}\n", hello("hello")).as_bytes()).await.expect("it is read");
    let mut answers = Vec::new();
    while answers.split(|byte| *byte == b'\n').count() < 3 {
        timeout(WAIT, read.read_buf(&mut answers)).await.expect("in time").expect("an answer");
    }
    let answers = String::from_utf8(answers).expect("UTF-8");
    let words: Vec<_> =
        answers.lines().map(|line| word(&serde_json::from_str::<Value>(line).expect("JSON"))).collect();
    assert_eq!(words, ["error message_too_large", "session.initialized"]);
    bystander.is_well().await;
    assert_eq!(world.times_reached(), 0);
    // Somebody else's garbage ends his own link only.
    let mut noisy = open(address, AGENT_TOKEN).await;
    for _ in 0..16 {
        use futures_util::SinkExt as _;
        noisy.send(Message::text("\u{0}{")).await.expect("it is sent");
    }
    while next(&mut noisy).await.is_ok() {}
    bystander.is_well().await;
}
