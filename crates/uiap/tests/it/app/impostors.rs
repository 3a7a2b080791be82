//! Who is not the application does not get its place.

use crate::app::page::{HandMade, connect};
use crate::app::peer::{Peer, message, next, offer, request};
use crate::app::stage::{AGENT, APP, PERSON, Stage};
use futures_util::SinkExt;
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const ORIGIN: &str = "http://127.0.0.1:1";

#[tokio::test]
async fn another_origin_no_ticket_and_a_used_ticket_are_refused() {
    let stage = Stage::start("impostors", ORIGIN);
    let ticket = stage.ticket().await;
    assert_eq!(connect(&stage, "http://127.0.0.1:2", Some(&ticket)).await.err(), Some(403));
    assert_eq!(connect(&stage, ORIGIN, None).await.err(), Some(401));
    assert_eq!(connect(&stage, ORIGIN, Some("AAAAAAAAAAAAAAAAAAAAAA")).await.err(), Some(401));
    let first = connect(&stage, ORIGIN, Some(&ticket)).await;
    assert!(first.is_ok());
    assert_eq!(connect(&stage, ORIGIN, Some(&ticket)).await.err(), Some(401));
    // A ticket opens no other door.
    let other = stage.ticket().await;
    let protocols = format!("uiap.v0.1, uiap.ticket.{other}");
    let headers = [("origin", ORIGIN), ("sec-websocket-protocol", protocols.as_str())];
    assert!(connect_async(request(stage.address, "/uiap/ws", &headers)).await.is_err());
}

#[tokio::test]
async fn only_the_backend_of_the_application_gets_tickets() {
    let stage = Stage::start("tickets", ORIGIN);
    for token in [AGENT, PERSON, "some-other-token-here"] {
        let (status, body) = stage.ask_for_ticket(&format!("Authorization: Bearer {token}\r\n")).await;
        assert_eq!((status, &body["payload"]["code"]), (401, &json!("unauthorized")), "{token}");
    }
    assert_eq!(stage.ask_for_ticket("").await.0, 401);
    let with_origin = format!("Authorization: Bearer {APP}\r\nOrigin: {ORIGIN}\r\n");
    assert_eq!(stage.ask_for_ticket(&with_origin).await.0, 403);
    // The token of the application opens nothing else.
    let bearer = format!("Bearer {APP}");
    let headers = [("sec-websocket-protocol", "uiap.v0.1"), ("authorization", bearer.as_str())];
    assert!(connect_async(request(stage.address, "/uiap/ws", &headers)).await.is_err());
}

#[tokio::test]
async fn one_page_has_the_place_and_takes_it_again() {
    let stage = Stage::start("place", ORIGIN);
    let mut first = HandMade::enter(&stage, None).await.expect("a place");
    let refusal = HandMade::enter(&stage, None).await.expect_err("no place");
    assert_eq!(refusal["payload"]["code"], "rate_limited", "{refusal}");
    assert!(HandMade::enter(&stage, Some("page_00000000000000000000000000000000")).await.is_err());
    // The same page over another link: only it knows its session.
    let session = first.session.clone();
    let mut again = HandMade::enter(&stage, Some(&session)).await.expect("its place");
    assert_eq!(first.ending().await, 4409);
    let mut agent = stage.agent().await;
    let asks = tokio::spawn(async move { agent.page().await });
    let answered = tokio::spawn(async move { again.until("never").await });
    assert_eq!(asks.await.expect("a page")["elements"][0]["name"], "Go on");
    answered.abort();
    let _ = answered.await;
    // Once it is gone, the next one may come.
    let mut agent = stage.agent().await;
    while agent.ask("web.state.get", &json!({})).await.0 != "error" {}
    assert!(HandMade::enter(&stage, None).await.is_ok());
}

#[tokio::test]
async fn who_says_to_be_the_application_at_another_door_is_not() {
    let stage = Stage::start("claims", ORIGIN);
    let bearer = format!("Bearer {AGENT}");
    let headers = [("sec-websocket-protocol", "uiap.v0.1"), ("authorization", bearer.as_str())];
    let (mut socket, _) =
        connect_async(request(stage.address, "/uiap/ws", &headers)).await.expect("it opens");
    let hello = message("app", "hello", "request", "session.initialize", &offer());
    socket.send(Message::text(hello.to_string())).await.expect("it is sent");
    next(&mut socket).await.expect("a session");
    // The place is still free.
    let mut agent = Peer::begin(stage.address, AGENT).await;
    let (word, error) = agent.ask("web.state.get", &json!({})).await;
    assert_eq!(word, "error");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|said| said.contains("no page of the application is connected"))
    );
    let result = agent
        .act(&json!({"actionId": "ui.activate", "target": {"ref": {"by": "stableId", "value": "x"}}}))
        .await;
    assert!(result.to_string().contains("no page of the application is connected"), "{result}");
    assert!(HandMade::enter(&stage, None).await.is_ok());
}

#[test]
fn a_server_that_nobody_could_trust_does_not_start() {
    let folder = std::env::temp_dir().join(format!("uiap-app-flags-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let token = folder.join("token");
    std::fs::write(&token, AGENT).expect("a file");
    let token = token.to_str().expect("UTF-8");
    let said = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(more).env("XDG_STATE_HOME", &folder);
        let output = command.output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(said(&["--app-origin", ORIGIN, "--token-file", token]).contains("--app-token-file"));
    assert!(said(&["--app-origin", "127.0.0.1:1"]).contains("is no origin"));
    assert!(said(&["--app-origin", "http://127.0.0.1:1/"]).contains("is no origin"));
    assert!(said(&["--app-origin", ORIGIN, "http://127.0.0.1:1"]).contains("cannot be used with"));
    assert!(said(&[]).contains("--app-origin"));
    let _ = std::fs::remove_dir_all(&folder);
}
