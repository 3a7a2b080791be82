//! The person's own session with `uiap serve`: is asked, and answers as the case says.

use super::transport::{Transport, WebSocketTransport, envelope};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

pub(super) struct PersonSession {
    questions: Arc<Mutex<Vec<String>>>,
    thread: JoinHandle<()>,
}

impl PersonSession {
    /// Opens the session; it lasts as long as the server.
    pub(super) fn listen(server: SocketAddr, token: &str, agrees: bool) -> Self {
        let mut socket = WebSocketTransport::connect(server, token);
        socket.send(&envelope("hello", None, "session.initialize", &super::uiap::offer(None)));
        let begun = socket.next().expect("an answer");
        let session = begun["sessionId"].as_str().expect("a session").to_owned();
        let questions = Arc::<Mutex<Vec<String>>>::default();
        let told = Arc::clone(&questions);
        let thread = std::thread::spawn(move || {
            let mut count = 0;
            while let Some(message) = socket.next() {
                if message["type"] == "action.confirmation.request" {
                    told.lock().unwrap_or_else(PoisonError::into_inner).push(message["payload"].to_string());
                    count += 1;
                    let kind = if agrees { "action.confirmation.grant" } else { "action.confirmation.deny" };
                    socket.send(&answer(&message, &format!("answer_{count}"), &session, kind));
                }
            }
        });
        Self { questions, thread }
    }

    /// What was asked since the last time.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.questions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for the end of a session whose server has ended.
    pub(super) fn join(self) {
        self.thread.join().expect("the person's session ends");
    }
}

fn answer(question: &Value, id: &str, session: &str, kind: &str) -> Value {
    let handle = json!({"actionHandle": question["payload"]["actionHandle"]});
    let mut message = envelope(id, Some(session), kind, &handle);
    if let Some(ext) = question.get("ext") {
        message["ext"] = ext.clone();
    }
    message
}
