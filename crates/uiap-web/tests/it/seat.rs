//! How much a page may say at the place that it has. Time stands still here unless a test moves it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use uiap_protocol::core::AppInfo;
use uiap_protocol::ids::Id;
use uiap_web::app::{Ending, MESSAGES_PER_SECOND_MAX, Seat};

/// A page that has the place.
struct Talk {
    says: mpsc::Sender<String>,
    hears: mpsc::Receiver<String>,
    ending: JoinHandle<Ending>,
    session: Value,
}

fn message(kind: &str, r#type: &str, payload: &Value) -> Value {
    json!({
        "uiap": "0.1", "kind": kind, "type": r#type, "id": "m1", "ts": "2026-03-26T14:03:00.000Z",
        "source": { "role": "app", "id": "app" }, "payload": payload,
    })
}

impl Talk {
    async fn begin() -> Self {
        let app = AppInfo { id: Id::new("test").unwrap(), version: "1".to_owned(), locale: None };
        let (says, inbound) = mpsc::channel(1);
        let (outbound, mut hears) = mpsc::channel(1);
        let ending = tokio::spawn(Seat::new(app, || [7; 16]).enter(inbound, outbound));
        let offer = json!({ "supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"], "peer": { "name": "test" } });
        says.send(message("request", "session.initialize", &offer).to_string()).await.unwrap();
        let mut welcome: Value = serde_json::from_str(&hears.recv().await.unwrap()).unwrap();
        let session = welcome["payload"]["sessionId"].take();
        Self { says, hears, ending, session }
    }

    async fn say(&self, times: u32) {
        let signal =
            json!({ "id": "s1", "at": "2026-03-26T14:03:00.000Z", "kind": "custom", "name": "again" });
        let mut said = message("event", "web.signal", &signal);
        said["sessionId"] = self.session.clone();
        let said = said.to_string();
        for _ in 0..times {
            self.says.send(said.clone()).await.unwrap();
        }
    }

    /// Whether it is answered, which takes one message.
    async fn is_heard(&mut self) -> bool {
        let mut ping = message("request", "session.ping", &json!({}));
        ping["sessionId"] = self.session.clone();
        self.says.send(ping.to_string()).await.is_ok()
            && self.hears.recv().await.is_some_and(|said| said.contains("session.pong"))
    }
}

#[tokio::test(start_paused = true)]
async fn who_says_too_much_in_one_second_is_shown_out() {
    let mut page = Talk::begin().await;
    for _ in 0..2 {
        page.say(MESSAGES_PER_SECOND_MAX - 1).await;
        assert!(page.is_heard().await, "so much is allowed in every second");
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    page.say(MESSAGES_PER_SECOND_MAX).await;
    tokio::time::advance(Duration::from_millis(999)).await;
    assert!(!page.is_heard().await, "and nothing beyond it");
    assert_eq!(page.ending.await.unwrap(), Ending::TooMuch);
}
