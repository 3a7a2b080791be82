//! A page made by hand: it says what a test wants it to say.

use crate::app::peer::{Socket, message, next, offer, request};
use crate::app::stage::Stage;
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Error, Message};

#[derive(Debug)]
pub(crate) struct HandMade {
    pub(crate) socket: Socket,
    pub(crate) session: String,
    said: u64,
}

/// Opens a connection with a ticket; the status, if it is refused.
pub(crate) async fn connect(stage: &Stage, origin: &str, ticket: Option<&str>) -> Result<Socket, u16> {
    let ticket = ticket.map(|ticket| format!(", uiap.ticket.{ticket}")).unwrap_or_default();
    let protocols = format!("uiap.v0.1{ticket}");
    let headers = [("origin", origin), ("sec-websocket-protocol", protocols.as_str())];
    match connect_async(request(stage.address, "/uiap/app", &headers)).await {
        Ok((socket, answer)) => {
            assert_eq!(answer.headers()["sec-websocket-protocol"], "uiap.v0.1");
            Ok(socket)
        }
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

/// A page as small as one can be: a button, which the page shows for as long as it likes.
pub(crate) fn graph() -> Value {
    json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_1", "seq": 1,
        "capturedAt": "2026-03-26T14:03:00.000Z", "route": {"url": "http://127.0.0.1:1/", "path": "/"},
        "documents": [{"id": "doc", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": [{"id": "page", "kind": "page", "documentId": "doc"}],
        "elements": [{
            "instanceId": "e1", "stableId": "the.button", "documentId": "doc", "scopeId": "page", "role": "button",
            "name": "Go on", "state": {"visible": true, "enabled": true}, "affordances": ["activate"],
            "bbox": {"x": 1, "y": 1, "width": 10, "height": 10},
        }],
    })
}

/// Something that happens twice if it is asked for twice, and needs no person.
pub(crate) fn offers() -> Value {
    let descriptor = json!({
        "id": "thing.make", "kind": "domain", "targetKinds": ["session"], "executionModes": ["appAction"],
        "idempotency": "non_idempotent", "risk": {"level": "safe"}, "success": [{"kind": "custom", "name": "made"}],
    });
    json!(json!({"actions": [{"json": descriptor.to_string()}], "leftOut": 0}).to_string())
}

/// How the button is this moment.
pub(crate) fn facts() -> Value {
    json!({
        "role": "button", "state": {"visible": true, "enabled": true, "stable": true, "inViewport": true, "attached": true},
        "box": {"x": 1, "y": 1, "width": 10, "height": 10}, "point": {"x": 5, "y": 5}, "scrollable": true,
    })
}

impl HandMade {
    /// Connects with a ticket of its own and introduces itself; the answer of the server, if that is not a welcome.
    pub(crate) async fn enter(stage: &Stage, resume: Option<&str>) -> Result<Self, Value> {
        let ticket = stage.ticket().await;
        let mut socket = connect(stage, &stage.origin, Some(&ticket)).await.expect("it is let in");
        let mut offer = offer();
        if let Some(session) = resume {
            offer["resume"] = json!({"sessionId": session});
        }
        let hello = message("app", "hello", "request", "session.initialize", &offer);
        socket.send(Message::text(hello.to_string())).await.expect("it is sent");
        let answer = next(&mut socket).await.expect("an answer");
        match answer["payload"]["sessionId"].as_str() {
            Some(session) => Ok(Self { session: session.to_owned(), socket, said: 0 }),
            None => Err(answer),
        }
    }

    /// Says something; what the server closed already hears nothing.
    pub(crate) async fn say(&mut self, kind: &str, r#type: &str, payload: &Value, to: Option<&str>) {
        self.said += 1;
        let mut said = message("app", &format!("app_{}", self.said), kind, r#type, payload);
        said["sessionId"] = self.session.as_str().into();
        if let Some(to) = to {
            said["correlationId"] = to.into();
        }
        let _ = self.socket.send(Message::text(said.to_string())).await;
    }

    /// Answers everything as a sound page would, until something of this type is asked: gives that request.
    pub(crate) async fn until(&mut self, last: &str) -> Value {
        loop {
            let asked = next(&mut self.socket).await.expect("a request");
            let (id, word) = (asked["id"].as_str().expect("an id"), asked["type"].as_str().expect("a type"));
            if word == last {
                return asked;
            }
            let (answer, payload) = match word {
                "web.state.get" => ("web.state.snapshot", json!({"graph": graph()})),
                "x.uiap.page.offers" => ("x.uiap.page.answer", json!({"value": offers()})),
                "x.uiap.page.facts" => ("x.uiap.page.answer", json!({"value": facts()})),
                "x.uiap.page.rest" => ("x.uiap.page.answer", json!({"value": true})),
                _ => ("x.uiap.page.answer", json!({"value": null})),
            };
            if asked["kind"] == "request" {
                self.say("response", answer, &payload, Some(id)).await;
            }
        }
    }

    /// How the server ends the link, once everything that it still says is read.
    pub(crate) async fn ending(&mut self) -> u16 {
        loop {
            if let Err(code) = next(&mut self.socket).await {
                return code;
            }
        }
    }
}
