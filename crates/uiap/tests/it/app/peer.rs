//! A peer over a WebSocket: an agent or a person.

use crate::app::stage::WAIT;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

pub(crate) fn request(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Request {
    let mut request = format!("ws://{address}{path}").into_client_request().expect("a request");
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().expect("a header"));
    }
    request
}

/// The next text, or the code that the socket closes with; 0 without one.
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

/// A message of a peer.
pub(crate) fn message(role: &str, id: &str, kind: &str, r#type: &str, payload: &Value) -> Value {
    json!({
        "uiap": "0.1", "kind": kind, "type": r#type, "id": id, "ts": "2026-03-26T14:03:00.000Z",
        "source": {"role": role, "id": role}, "payload": payload,
    })
}

pub(crate) fn offer() -> Value {
    json!({"supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": {"name": "test"}})
}

pub(crate) struct Peer {
    socket: Socket,
    session: String,
    said: u64,
}

impl Peer {
    pub(crate) async fn begin(address: SocketAddr, token: &str) -> Self {
        let bearer = format!("Bearer {token}");
        let headers = [("sec-websocket-protocol", "uiap.v0.1"), ("authorization", bearer.as_str())];
        let (mut socket, _) = connect_async(request(address, "/uiap/ws", &headers)).await.expect("it opens");
        let hello = message("agent", "hello", "request", "session.initialize", &offer());
        socket.send(Message::text(hello.to_string())).await.expect("it is sent");
        let begun = next(&mut socket).await.expect("an answer");
        let session = begun["sessionId"].as_str().expect("a session").to_owned();
        Self { socket, session, said: 0 }
    }

    async fn say(&mut self, r#type: &str, payload: &Value, ext: Option<&Value>) -> String {
        self.said += 1;
        let id = format!("msg_{}", self.said);
        let mut said = message("agent", &id, "request", r#type, payload);
        said["sessionId"] = self.session.as_str().into();
        if let Some(ext) = ext {
            said["ext"] = ext.clone();
        }
        self.socket.send(Message::text(said.to_string())).await.expect("it is sent");
        id
    }

    /// The payload of the response to a request, and its type.
    pub(crate) async fn ask(&mut self, r#type: &str, payload: &Value) -> (String, Value) {
        let id = self.say(r#type, payload, None).await;
        loop {
            let mut answer = next(&mut self.socket).await.expect("an answer");
            if answer["correlationId"] == id.as_str() && answer["kind"] == "response" {
                let word = answer["type"].as_str().expect("a type").to_owned();
                return (word, answer["payload"].take());
            }
        }
    }

    /// The page, once there is one.
    pub(crate) async fn page(&mut self) -> Value {
        timeout(WAIT, async {
            loop {
                let (word, mut payload) = self.ask("web.state.get", &json!({})).await;
                if word == "web.state.snapshot" {
                    return payload["graph"].take();
                }
                // Nobody announces that a page has come.
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        })
        .await
        .expect("a page comes")
    }

    /// The result of an action.
    pub(crate) async fn act(&mut self, request: &Value) -> Value {
        let id = self.say("action.request", request, None).await;
        loop {
            let mut message = next(&mut self.socket).await.expect("a message");
            let is_refusal = message["type"] == "error" && message["correlationId"] == id.as_str();
            if message["type"] == "action.result" || is_refusal {
                return message["payload"].take();
            }
        }
    }

    pub(crate) async fn succeed(&mut self, request: &Value) -> Value {
        let result = self.act(request).await;
        assert_eq!(result["status"], "succeeded", "{request} gives {result}");
        result
    }

    /// The kinds of the signals that it is told of, up to one of this kind.
    pub(crate) async fn signals_until(&mut self, last: &str) -> Vec<String> {
        let mut kinds = Vec::new();
        while kinds.last().is_none_or(|kind| kind != last) {
            let message = next(&mut self.socket).await.expect("a message");
            if message["type"] == "web.signal" {
                kinds.push(message["payload"]["kind"].as_str().expect("a kind").to_owned());
            }
        }
        kinds
    }

    /// A person who agrees to everything, for as long as anybody asks.
    pub(crate) fn agree(mut self) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async move {
            while let Ok(message) = next(&mut self.socket).await {
                if message["type"] == "action.confirmation.request" {
                    let handle = json!({"actionHandle": message["payload"]["actionHandle"]});
                    self.say("action.confirmation.grant", &handle, message.get("ext")).await;
                }
            }
        })
    }
}
