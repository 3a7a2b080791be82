//! `uiap serve` with a real browser: the published example of the action runtime on Videoland, the Python client, a
//! person beside an agent, and what happens when something is missing or dies.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

mod mapping;
mod support;
mod trouble;

use crate::shared::listening::Listening;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Pipe, Videoland};

fn sign_in(pipe: &mut Pipe) {
    let by = |id: &str| json!({"ref": {"by": "stableId", "value": id}});
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("login.user"), "args": {"text": "editor"}}),
    );
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("login.password"), "args": {"text": "videoland"}}),
    );
    pipe.succeed(&json!({
        "actionId": "ui.activate", "target": by("login.submit"),
        "verification": {"policy": "all", "signals": [{"kind": "route.changed", "pattern": "/**"}]},
    }));
}

/// Signs in and opens the form for a new video.
fn open_form(pipe: &mut Pipe) {
    sign_in(pipe);
    let by = |id: &str| json!({"ref": {"by": "stableId", "value": id}});
    // The address is there before what it shows.
    let shown = json!([{"kind": "element.appeared", "target": {"by": "stableId", "value": "video.title"}}]);
    pipe.succeed(&json!({
        "actionId": "nav.navigate", "args": {"url": "/videos/new"},
        "verification": {"policy": "all", "signals": shown},
    }));
    pipe.succeed(
        &json!({"actionId": "ui.enterText", "target": by("video.title"), "args": {"text": "Willkommen"}}),
    );
}

/// The request of the published example (Action Runtime, section 17), with time for a machine that is busy.
fn example() -> Value {
    json!({
        "actionId": "ui.activate",
        "target": {"ref": {"by": "stableId", "value": "video.submit"}, "expectedRole": "button", "expectedName": "Video erstellen"},
        "verification": {
            "policy": "all",
            "signals": [{"kind": "route.changed", "pattern": "/videos/:id"}, {"kind": "toast.contains", "text": "erstellt"}],
            "timeoutMs": 40000, "requireRevisionAdvance": true,
        },
        "presentation": {"ghostCursor": true, "highlight": "spotlight", "pace": "humanized"},
        "timeoutMs": 60000,
    })
}

#[test]
fn the_published_example_runs_over_standard_input_and_output() {
    uiap_testkit::proves!["CORE-24", "CORE-53", "ACT-5.1-5"];
    let videoland = Videoland::start("example");
    let address = videoland.address("/login");
    let mut pipe = Pipe::begun(videoland.uiap(&["serve", "--stdio", "--as", "person", &address]));
    open_form(&mut pipe);
    let messages = pipe.act(&example());
    // The types of the example, in its order; more progress and the question to the person may stand between.
    let kinds: Vec<_> = messages.iter().filter_map(|message| message["type"].as_str()).collect();
    let between = ["action.progress", "action.confirmation.request", "action.confirmation.accepted"];
    assert_eq!(kinds.first(), Some(&"action.accepted"), "{kinds:?}");
    assert_eq!(kinds.get(1), Some(&"action.progress"), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&"action.result"), "{kinds:?}");
    let middle = kinds.get(1..kinds.len() - 1).expect("a middle");
    assert!(middle.iter().all(|kind| between.contains(kind)), "{kinds:?}");
    let mut progress = messages.iter().filter(|message| message["type"] == "action.progress");
    let resolved = progress.find_map(|message| message["payload"].get("resolvedTarget"));
    assert_eq!(resolved.expect("a target")["stableId"], "video.submit");
    let result = &messages.last().expect("a result")["payload"];
    assert_eq!(result["status"], "succeeded", "{result}");
    assert_eq!(result["verification"]["observed"], example()["verification"]["signals"]);
    assert_eq!(result["sideEffectState"], "applied");
    for message in &messages {
        let is_event = message["kind"] == "event";
        assert_eq!(is_event, message.get("correlationId").is_none(), "{message}");
    }
    assert_eq!(videoland.effects("video.created"), 1);
    pipe.close();
}

fn client() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/client/uiap_client.py")
}

fn python(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("python3").arg(client()).args(arguments).output().expect("Python 3 runs");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), said.concat())
}

#[test]
fn the_python_client_speaks_over_standard_input_and_output() {
    let videoland = Videoland::start("python-stdio");
    let journal = videoland.folder.join("journal.sqlite");
    let journal = journal.to_str().expect("UTF-8");
    let address = videoland.address("/login");
    let (code, said) =
        python(&["stdio", env!("CARGO_BIN_EXE_uiap"), "serve", "--stdio", "--journal", journal, &address]);
    assert_eq!(code, Some(0), "{said}");
    for line in ["session with http://127.0.0.1:", "/login with ", "read \"Benutzername\" -> succeeded"] {
        assert!(said.contains(line), "{line:?} in {said}");
    }
}

#[test]
fn the_python_client_speaks_over_a_websocket() {
    let videoland = Videoland::start("python-ws");
    let token = "a-token-for-agents-only";
    let file = videoland.file("token", token);
    let address = videoland.address("/login");
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--token-file", &file, &address];
    let server = Listening::open(videoland.uiap(&arguments));
    let (code, said) = python(&["ws", &server.at, token]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("read \"Benutzername\" -> succeeded"), "{said}");
    let (code, said) = python(&["ws", &server.at, "some-other-token-here"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("401"), "{said}");
}

#[test]
fn other_machines_do_not_come_without_a_token() {
    let videoland = Videoland::start("open");
    let output = videoland.uiap(&["serve", "--listen", "0.0.0.0:0", &videoland.address("/login")]).output();
    let output = output.expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--token-file"), "{said}");
}

#[test]
fn a_person_agrees_over_a_channel_of_his_own_and_the_agent_cannot() {
    uiap_testkit::proves!["ACT-SEC-5"];
    let videoland = Videoland::start("two-channels");
    let (agent, person) = ("a-token-for-agents-only", "a-token-for-the-person");
    let files = [videoland.file("agent", agent), videoland.file("person", person)];
    let address = videoland.address("/login");
    let [agents, persons] = &files;
    let server = Listening::open(videoland.uiap(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--token-file",
        agents,
        "--person-token-file",
        persons,
        &address,
    ]));
    let script = client().with_file_name("two_channels.py");
    let output = Command::new("python3").arg(script).args([&server.at, agent, person]).output();
    let output = output.expect("Python 3 runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let expected = "the agent is asked to wait: ui.activate\n\
                    the agent agrees with itself: forbidden\n\
                    the agent agrees with the token of the person: forbidden\n\
                    the person agrees: ui.activate\n\
                    the agent is told: succeeded, applied\n\
                    the person agrees again: not_found\n";
    assert_eq!(said, expected);
    assert_eq!(videoland.effects("video.created"), 1);
}
