//! How envelopes travel: standard input and output, a WebSocket, or HTTP with events.

use super::http;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Message, WebSocket, client};

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);
const MEDIA: &str = "application/uiap+json";

pub(super) trait Transport {
    fn send(&mut self, message: &Value);
    /// The next message; nothing once the server has ended.
    fn next(&mut self) -> Option<Value>;
}

/// A request of an agent or a person.
pub(super) fn envelope(id: &str, session: Option<&str>, kind: &str, payload: &Value) -> Value {
    let mut message = json!({
        "uiap": "0.1", "kind": "request", "type": kind, "id": id, "ts": "2026-03-26T14:03:00.000Z",
        "source": {"role": "agent", "id": "test"}, "payload": payload,
    });
    if let Some(session) = session {
        message["sessionId"] = session.into();
    }
    message
}

pub(super) struct StdioTransport {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl StdioTransport {
    pub(super) fn of(child: &mut Child) -> Self {
        let input = child.stdin.take().expect("a pipe");
        Self { input, output: BufReader::new(child.stdout.take().expect("a pipe")) }
    }
}

impl Transport for StdioTransport {
    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("it is read");
    }

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).expect("a line");
        (length > 0).then(|| serde_json::from_str(&line).expect("every line is JSON"))
    }
}

pub(super) struct WebSocketTransport(WebSocket<TcpStream>);

impl WebSocketTransport {
    pub(super) fn connect(server: SocketAddr, token: &str) -> Self {
        let stream = TcpStream::connect(server).expect("it connects");
        stream.set_read_timeout(Some(WAIT)).expect("a timeout");
        let mut request = format!("ws://{server}/uiap/ws").into_client_request().expect("a request");
        let bearer = format!("Bearer {token}");
        for (name, value) in [("sec-websocket-protocol", "uiap.v0.1"), ("authorization", &bearer)] {
            request.headers_mut().insert(name, value.parse().expect("a header"));
        }
        Self(client(request, stream).expect("it opens").0)
    }
}

impl Transport for WebSocketTransport {
    fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("it is sent");
    }

    fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}

/// Requests are posted; their responses and all events come out of one queue.
pub(super) struct HttpTransport {
    server: SocketAddr,
    bearer: String,
    session: Option<String>,
    queue: (Sender<Value>, Receiver<Value>),
}

impl HttpTransport {
    pub(super) fn new(server: SocketAddr, token: &str) -> Self {
        Self { server, bearer: format!("Bearer {token}"), session: None, queue: channel() }
    }

    fn follow(&mut self, session: &str) {
        let headers = [("Authorization", self.bearer.as_str())];
        let path = format!("/uiap/sessions/{session}/events");
        let mut events = http::open(self.server, "GET", &path, &headers, "");
        assert_eq!(events.status, 200, "{}", events.head);
        let queue = self.queue.0.clone();
        std::thread::spawn(move || {
            while let Some(event) = events.event() {
                if queue.send(event).is_err() {
                    return;
                }
            }
        });
        self.session = Some(session.to_owned());
    }
}

impl Transport for HttpTransport {
    fn send(&mut self, message: &Value) {
        let path = match &self.session {
            Some(session) => format!("/uiap/sessions/{session}/messages"),
            None => "/uiap/sessions".to_owned(),
        };
        let headers = [("Authorization", self.bearer.as_str()), ("Content-Type", MEDIA)];
        let answer = http::request(self.server, "POST", &path, &headers, &message.to_string());
        let response = answer.json();
        assert!(response.is_object(), "{} {}", answer.head, answer.body);
        if let (None, Some(session)) = (&self.session, response["sessionId"].as_str().map(str::to_owned)) {
            self.follow(&session);
        }
        self.queue.0.send(response).expect("a queue");
    }

    fn next(&mut self) -> Option<Value> {
        Some(self.queue.1.recv_timeout(WAIT).expect("a message"))
    }
}
