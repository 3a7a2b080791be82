//! One text frame is one envelope.

use crate::doors::support::{
    AGENT_TOKEN, PERSON_TOKEN, WAIT, hello, house, listening, message, offer, wish, word,
};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uiap_server::session::INBOUND_BYTES_MAX;
use uiap_testkit::proves;
use uiap_testkit::simulation::What;

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

fn request(address: SocketAddr, headers: &[(&'static str, &str)]) -> Request {
    let mut request = format!("ws://{address}/uiap/ws").into_client_request().expect("a request");
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().expect("a header"));
    }
    request
}

pub(crate) async fn open(address: SocketAddr, token: &str) -> Socket {
    let bearer = format!("Bearer {token}");
    let headers = [("sec-websocket-protocol", "uiap.v0.1"), ("authorization", bearer.as_str())];
    let (socket, answer) = connect_async(request(address, &headers)).await.expect("it opens");
    assert_eq!(answer.headers()["sec-websocket-protocol"], "uiap.v0.1");
    socket
}

pub(crate) async fn say(socket: &mut Socket, message: &Value) {
    socket.send(Message::text(message.to_string())).await.expect("it is sent");
}

/// The next message, or the code that the socket closes with.
pub(crate) async fn next(socket: &mut Socket) -> Result<Value, u16> {
    loop {
        match timeout(WAIT, socket.next()).await.expect("in time") {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).expect("JSON")),
            Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |frame| frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(0),
        }
    }
}

pub(crate) async fn begin(socket: &mut Socket) -> String {
    say(socket, &hello("hello")).await;
    let begun = next(socket).await.expect("an answer");
    assert_eq!(word(&begun), "session.initialized");
    begun["sessionId"].as_str().expect("a session").to_owned()
}

pub(crate) async fn until(socket: &mut Socket, last: &str) -> Value {
    loop {
        let message = next(socket).await.expect("a message");
        if message["type"] == last {
            return message;
        }
    }
}

/// The status with which a connection is refused.
async fn refused(request: Request) -> (u16, String) {
    match connect_async(request).await {
        Err(Error::Http(response)) => {
            let body = response.body().clone().unwrap_or_default();
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            (response.status().as_u16(), word(&message))
        }
        other => panic!("it was not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_session_over_a_socket() {
    proves!["CORE-21"];
    let (place, world) = house(false);
    let mut socket = open(listening(&place).await, AGENT_TOKEN).await;
    let session = begin(&mut socket).await;
    say(&mut socket, &message("a", "action.request", Some(&session), &wish(What::Press))).await;
    assert_eq!(word(&next(&mut socket).await.expect("an answer")), "action.accepted accepted");
    assert_eq!(word(&until(&mut socket, "action.result").await), "action.result succeeded");
    assert_eq!(world.times_reached(), 1);
    say(&mut socket, &message("b", "session.terminate", Some(&session), &json!({}))).await;
    assert_eq!(word(&next(&mut socket).await.expect("an answer")), "session.terminated");
    assert_eq!(next(&mut socket).await, Err(1000));
}

#[tokio::test]
async fn who_is_not_welcome_does_not_come_in() {
    let (place, _) = house(false);
    let address = listening(&place).await;
    let protocol = ("sec-websocket-protocol", "uiap.v0.1");
    let token = format!("Bearer {AGENT_TOKEN}");
    let token = ("authorization", token.as_str());
    assert_eq!(refused(request(address, &[protocol])).await, (401, "error unauthorized".to_owned()));
    assert_eq!(
        refused(request(address, &[protocol, ("authorization", "Bearer wrong-wrong-wrong-wrong")])).await,
        (401, "error unauthorized".to_owned())
    );
    assert_eq!(
        refused(request(address, &[protocol, token, ("origin", "https://evil.example")])).await,
        (403, "error forbidden".to_owned())
    );
    assert_eq!(refused(request(address, &[token])).await, (400, "error unsupported_version".to_owned()));
    assert_eq!(
        refused(request(address, &[token, ("sec-websocket-protocol", "graphql-ws")])).await,
        (400, "error unsupported_version".to_owned())
    );
}

#[tokio::test]
async fn what_is_no_message_ends_with_its_code() {
    let (place, world) = house(false);
    let address = listening(&place).await;
    let mut socket = open(address, AGENT_TOKEN).await;
    socket.send(Message::binary(vec![1, 2, 3])).await.expect("it is sent");
    assert_eq!(next(&mut socket).await, Err(1003));
    for size in [INBOUND_BYTES_MAX + 1, INBOUND_BYTES_MAX * 3] {
        let mut socket = open(address, AGENT_TOKEN).await;
        // So much may be refused before it is sent.
        let _ = socket.send(Message::text("x".repeat(size))).await;
        assert_eq!(next(&mut socket).await, Err(1009), "{size}");
    }
    let mut socket = open(address, AGENT_TOKEN).await;
    for _ in 0..16 {
        socket.send(Message::text("{")).await.expect("it is sent");
    }
    for _ in 0..16 {
        assert_eq!(word(&next(&mut socket).await.expect("an answer")), "error malformed_message");
    }
    assert_eq!(next(&mut socket).await, Err(4400));
    assert_eq!(world.times_reached(), 0);
}

#[tokio::test]
async fn a_broken_connection_is_taken_up_again_by_its_owner_only() {
    let (place, world) = house(false);
    let address = listening(&place).await;
    let mut socket = open(address, AGENT_TOKEN).await;
    let session = begin(&mut socket).await;
    say(&mut socket, &message("a", "action.request", Some(&session), &wish(What::Press))).await;
    let accepted = next(&mut socket).await.expect("an answer");
    let last = accepted["id"].as_str().expect("an id").to_owned();
    drop(socket);

    let mut resume = offer();
    resume["resume"] = json!({"sessionId": session, "lastMessageId": last});
    let resume = |id: &str| message(id, "session.initialize", None, &resume);
    // Somebody else, who knows the id.
    let mut stranger = open(address, PERSON_TOKEN).await;
    say(&mut stranger, &resume("x")).await;
    assert_eq!(word(&next(&mut stranger).await.expect("an answer")), "error session_not_found");
    assert_eq!(next(&mut stranger).await, Err(4404));

    let mut again = open(address, AGENT_TOKEN).await;
    say(&mut again, &resume("b")).await;
    let begun = next(&mut again).await.expect("an answer");
    assert_eq!((word(&begun).as_str(), &begun["sessionId"]), ("session.initialized", &json!(session)));
    // Whatever was said in between is said now, and nothing was done twice.
    assert_eq!(word(&until(&mut again, "action.result").await), "action.result succeeded");
    assert_eq!(world.times_reached(), 1);

    // A third connection takes over from the second, which is told.
    let mut third = open(address, AGENT_TOKEN).await;
    say(&mut third, &resume("c")).await;
    assert_eq!(word(&next(&mut third).await.expect("an answer")), "session.initialized");
    assert_eq!(next(&mut again).await, Err(4409));
    say(&mut third, &message("d", "session.terminate", Some(&session), &json!({}))).await;
    until(&mut third, "session.terminated").await;
    assert_eq!(next(&mut third).await, Err(1000));
    let mut late = open(address, AGENT_TOKEN).await;
    say(&mut late, &resume("e")).await;
    assert_eq!(word(&next(&mut late).await.expect("an answer")), "error session_expired");
    assert_eq!(next(&mut late).await, Err(4410));
}

#[tokio::test]
async fn a_person_with_a_token_agrees_over_a_socket() {
    let (place, world) = house(true);
    let address = listening(&place).await;
    let (mut agent, mut person) = (open(address, AGENT_TOKEN).await, open(address, PERSON_TOKEN).await);
    let (asker, owner) = (begin(&mut agent).await, begin(&mut person).await);
    say(&mut agent, &message("a", "action.request", Some(&asker), &wish(What::Drop))).await;
    let asked = until(&mut person, "action.confirmation.request").await;
    let handle = asked["payload"]["actionHandle"].as_str().expect("a handle");
    world.agree(&uiap_protocol::ids::ActionHandle::new(handle).expect("a handle"), 1);
    let mut grant = message("g", "action.confirmation.grant", Some(&owner), &json!({"actionHandle": handle}));
    grant["ext"] = asked["ext"].clone();
    say(&mut person, &grant).await;
    assert_eq!(word(&next(&mut person).await.expect("an answer")), "action.confirmation.accepted");
    assert_eq!(word(&until(&mut agent, "action.result").await), "action.result succeeded");
    assert_eq!(world.times_reached(), 1);
}

#[tokio::test]
async fn who_does_not_read_harms_nobody_else() {
    let (place, _) = house(false);
    let address = listening(&place).await;
    let mut deaf = open(address, AGENT_TOKEN).await;
    let session = begin(&mut deaf).await;
    // Every answer is a whole page, and nobody takes it.
    for number in 0..200 {
        let ask = message(&format!("d{number}"), "web.state.get", Some(&session), &json!({}));
        if timeout(std::time::Duration::from_millis(50), deaf.send(Message::text(ask.to_string())))
            .await
            .is_err()
        {
            break;
        }
    }
    let mut other = open(address, AGENT_TOKEN).await;
    let session = begin(&mut other).await;
    for number in 0..20 {
        say(&mut other, &message(&format!("p{number}"), "session.ping", Some(&session), &json!({}))).await;
        assert_eq!(word(&next(&mut other).await.expect("an answer")), "session.pong");
    }
}
