//! How things are called: message types by rule, and the protocol by one name.

use std::collections::BTreeMap;
use std::path::Path;
use uiap_protocol::core::{MESSAGES, MessageKind, MessageKinds};

/// Responses that no rule derives from their request: they deliver a thing, or speak of another one.
const NAMED_BY_THE_THING: &str = "\
    session.ping session.pong
    web.state.get web.state.snapshot
    action.request action.accepted
    action.confirmation.grant action.confirmation.accepted
    action.confirmation.deny action.confirmation.accepted
    uiap.policy.get uiap.policy.document
    uiap.policy.evaluate uiap.policy.decision
    uiap.workflow.get uiap.workflow.definition
    uiap.workflow.input.provide uiap.workflow.input.accepted
    uiap.discovery.package.get uiap.discovery.package";

/// The same word as something that was done: `start`, `pause`, `plan`, `cancel`.
fn participles(name: &str) -> [String; 3] {
    let last = name.chars().last().expect("a name has letters");
    [format!("{name}ed"), format!("{name}d"), format!("{name}{last}ed")]
}

#[test]
fn a_message_type_is_dotted_and_says_where_it_belongs() {
    uiap_testkit::proves!["CORE-9", "CORE-12", "CORE-36"];
    let core = ["session", "capabilities", "action", "web"];
    let extensions = ["uiap.policy", "uiap.workflow", "uiap.discovery"];
    for info in MESSAGES.iter().filter(|info| info.name != "error") {
        let parts: Vec<&str> = info.name.split('.').collect();
        assert!(parts.len() >= 2, "{}", info.name);
        let is_word = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(parts.iter().all(is_word), "{}", info.name);
        let is_core = core.contains(&parts[0]);
        let is_extension = extensions.contains(&parts[..2].join(".").as_str()) && parts.len() > 2;
        assert!(is_core != is_extension, "{}", info.name);
    }
}

#[test]
fn a_response_is_named_after_its_request_or_after_what_it_brings() {
    uiap_testkit::proves!["CORE-10", "CORE-11"];
    let mut others: BTreeMap<&str, &str> = NAMED_BY_THE_THING
        .lines()
        .map(|line| line.trim().split_once(' ').expect("a request and its response"))
        .collect();
    let is_response = |name: &str| {
        let answers = |kinds: MessageKinds| kinds.allow(MessageKind::Response);
        MESSAGES.iter().any(|info| info.name == name && answers(info.kinds))
    };
    for info in MESSAGES.iter().filter(|info| info.kinds.allow(MessageKind::Request)) {
        let derived = participles(info.name).into_iter().filter(|name| is_response(name)).count();
        match others.remove(info.name) {
            Some(response) => assert!(derived == 0 && is_response(response), "{} {response}", info.name),
            None => assert_eq!(derived, 1, "{}", info.name),
        }
    }
    assert!(others.is_empty(), "no such requests: {others:?}");
}

#[test]
fn the_older_name_of_the_protocol_survives_in_one_extension_only() {
    uiap_testkit::proves!["CORE-1"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/schemas");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the schemas") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a schema").to_lowercase();
        assert_eq!(text.matches("uicp").count(), text.matches("uicp.policy").count());
        count += 1;
    }
    assert!(count > 50, "{count} schemas");
}

#[test]
fn core_knows_no_word_of_the_web() {
    uiap_testkit::proves!["CORE-20"];
    let mut book = uiap_protocol::wire::Book::default();
    let of_core = |name: &str| name.starts_with("session.") || name == "error";
    for info in MESSAGES.iter().filter(|info| of_core(info.name)) {
        (info.shape)(&mut book);
    }
    let described: Vec<String> = book
        .entries()
        .map(|(name, about, shape)| format!("{name} {about} {shape:?}").to_lowercase())
        .collect();
    assert!(described.len() > 5, "{described:?}");
    for word in ["dom", "aria", "css", "selector", "xpath", "browser", "html", "workflow", "viewport"] {
        let is_word = |text: &&String| {
            text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|part| part == word)
        };
        assert_eq!(described.iter().find(is_word), None, "{word}");
    }
}
