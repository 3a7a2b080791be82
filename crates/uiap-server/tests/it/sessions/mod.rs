//! Sessions as transcripts: what comes in, what goes out and what is wished for (`spec/cases/sessions`).

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

mod stage;

use serde_json::Value;
use stage::Play;
use std::path::Path;
use uiap_protocol::text::{Format, Limits, read};

fn cases(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/sessions").join(name);
    let text = std::fs::read_to_string(&path).expect("a file of cases");
    let file = read(&text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json();
    let cases = file.get("cases").and_then(Value::as_array).expect("cases").clone();
    assert!(!cases.is_empty(), "{name} holds cases");
    cases
}

/// Plays every case of a file; every line that goes out and every wish must be expected, in order.
fn play(name: &str) {
    for case in cases(name) {
        let what = case.get("what").and_then(Value::as_str).expect("a case says what it is about");
        let mut play = Play::new(&case);
        for (number, step) in case.get("steps").and_then(Value::as_array).expect("steps").iter().enumerate() {
            let gives = play.step(step);
            let expected: Vec<_> =
                step.get("gives").and_then(Value::as_array).map_or_else(Vec::new, |lines| {
                    lines.iter().map(|line| line.as_str().expect("a line").to_owned()).collect()
                });
            assert_eq!(gives, expected, "{name}, {what}, step {}: {step}", number + 1);
        }
    }
}

#[test]
fn handshakes() {
    play("handshake.yaml");
}

#[test]
fn messages_are_looked_at_in_the_published_order() {
    play("order.yaml");
}

#[test]
fn actions() {
    play("actions.yaml");
}

#[test]
fn consent() {
    play("consent.yaml");
}

#[test]
fn the_page_is_shown_and_followed() {
    play("state.yaml");
}

#[test]
fn links_break_and_sessions_end() {
    play("endings.yaml");
}

#[test]
fn policies() {
    play("policy.yaml");
}

#[test]
fn what_can_be_done_changes() {
    play("capabilities.yaml");
}

#[test]
fn discovery() {
    play("discovery.yaml");
}

#[test]
fn limits() {
    play("limits.yaml");
}

#[test]
fn every_file_of_cases_is_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/sessions");
    let source = include_str!("mod.rs");
    for file in std::fs::read_dir(folder).expect("a folder") {
        let name = file.expect("a file").file_name().into_string().expect("UTF-8");
        assert!(source.contains(&format!("play(\"{name}\")")), "nobody plays {name}");
    }
}
