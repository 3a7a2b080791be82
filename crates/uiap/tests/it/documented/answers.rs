//! What answers to models say: nothing that only the command line has, and when they were asked for.

use super::site::Site;
use crate::approval::{self, Person};
use crate::mcp::{Client, stateless_meta};
use serde_json::{Value, json};

/// Words of the command line in an answer: flags, and commands of the program.
fn words_of_the_command_line(answer: &str) -> Vec<String> {
    let words: Vec<_> =
        answer.split(|letter: char| letter.is_whitespace() || "\"`'()[],;".contains(letter)).collect();
    let flags = words
        .iter()
        .filter(|word| word.strip_prefix("--").is_some_and(|flag| flag.starts_with(char::is_alphabetic)));
    let commands = words.windows(2).filter(|pair| {
        pair.first() == Some(&"uiap")
            && matches!(
                pair.get(1),
                Some(&("act" | "look" | "wait" | "trace" | "mcp" | "serve" | "discover" | "check"))
            )
    });
    flags.map(|flag| (*flag).to_owned()).chain(commands.map(|pair| pair.join(" "))).collect()
}

#[test]
fn answers_to_a_model_name_nothing_that_only_the_command_line_has() {
    let site = Site::start();
    let mut client = Client::start("words", &[]);
    let mut said = vec![
        client.request("server/discover", &json!({ "_meta": stateless_meta() })),
        client.request("tools/list", &json!({ "_meta": stateless_meta() })),
    ];
    let act = |rest: Value| {
        let mut call = json!({ "action": "activate", "target": "button \"Save\"" });
        if let (Value::Object(call), Value::Object(rest)) = (&mut call, rest) {
            call.extend(rest);
        }
        ("act", call)
    };
    let calls = [
        ("look", json!({})),
        ("open", json!({ "url": "http://" })),
        ("open", json!({ "url": site.address("/rows") })),
        ("look", json!({ "find": "Row", "from": 3 })),
        ("look", json!({ "find": "nowhere" })),
        ("look", json!({ "scope": "nowhere" })),
        act(json!({ "target": "button \"Twice\"" })),
        ("act", json!({ "action": "navigate", "args": { "url": "/modal" } })),
        ("look", json!({})),
        ("open", json!({ "url": site.address("/") })),
        act(json!({})),
        act(json!({ "target": "e999" })),
        act(json!({ "target": "button \"Nowhere\"" })),
        act(json!({ "target": "an id with spaces" })),
        act(json!({ "in": "nowhere" })),
        act(json!({ "verify": ["toats:Saved"] })),
        act(json!({ "verify": ["zzzzzzzz"] })),
        act(json!({ "verify": ["value:x"] })),
        act(json!({ "verify": ["toast:Never"], "timeout": 1 })),
        act(json!({ "action": "click" })),
        act(json!({ "action": "zzzzzzzz" })),
        act(json!({ "args": { "force": true } })),
        act(json!({ "timeout": 0 })),
        act(json!({ "key": "" })),
        act(json!({ "action": "toggle" })),
        ("act", json!({ "action": "activate" })),
        (
            "act",
            json!({ "action": "enterText", "target": "textbox \"Name\"", "args": { "text": "secret:none" } }),
        ),
        (
            "act",
            json!({ "action": "upload", "target": "fileinput \"Attachment\"", "args": { "files": ["report.pdf"] } }),
        ),
        ("act", json!({ "action": "navigate", "args": { "url": "file:///etc/passwd" } })),
        ("read", json!({ "target": "e999" })),
        ("wait", json!({ "signals": ["toast:Never"], "timeout": 1 })),
        ("wait", json!({ "handle": "act_nothing" })),
        ("trace", json!({ "handle": "act_nothing" })),
        ("trace", json!({ "limit": 1 })),
    ];
    for (tool, arguments) in &calls {
        said.push(client.call(tool, arguments, None));
    }
    let whole: Vec<_> = said.iter().map(Value::to_string).collect();
    for (answer, call) in whole.iter().zip([None, None].into_iter().chain(calls.iter().map(Some))) {
        assert_eq!(words_of_the_command_line(answer), Vec::<String>::new(), "{call:?}: {answer}");
    }
    // The long ones were folded, and the ways to the rest are named in the words of the tool.
    for way in ["scope=", "from=", "find="] {
        assert!(
            whole
                .iter()
                .any(|answer| answer.contains(&format!("; {way}")) || answer.contains(&format!(" {way}"))),
            "{way}"
        );
    }
    let answer_to = |action: &str| {
        let place = calls.iter().position(|(_, call)| call.get("action") == Some(&json!(action)));
        whole.get(place.expect("it was called") + 2).cloned().unwrap_or_default()
    };
    assert!(answer_to("click").contains("Use one of: activate."), "{}", answer_to("click"));
    assert!(answer_to("zzzzzzzz").contains("activate, enterText"), "{}", answer_to("zzzzzzzz"));
}

#[test]
fn a_wait_for_an_action_ends_when_it_was_asked_to() {
    let site = Site::start();
    // A client without forms: what is risky waits on a page that nobody opens.
    let mut client = approval::serve("patience", Person::AtDesktop);
    let mut call = |tool: &str, arguments: Value| {
        client.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    };
    call("open", json!({ "url": site.address("/") }));
    let asked = call("act", json!({ "action": "enterText", "target": "password", "args": { "text": "x" } }));
    let handle = asked.pointer("/result/structuredContent/handle").cloned();
    let handle = handle.unwrap_or_else(|| panic!("nothing waits for a person: {asked}"));
    let mut wait =
        |arguments: Value| client.ask("tools/call", &json!({ "name": "wait", "arguments": arguments }));
    let long = wait(json!({ "signals": ["toast:Never"], "timeout": 20 }));
    let short = wait(json!({ "handle": handle, "timeout": 1 }));
    let first = client.until(|message| {
        [long, short].map(|id| json!(id)).contains(message.get("id").unwrap_or(&Value::Null))
    });
    assert_eq!(
        first.get("id"),
        Some(&json!(short)),
        "the wait that said 1 second is over before the one of 20: {first}"
    );
    assert_eq!(first.pointer("/result/structuredContent/status"), Some(&json!("pending")), "{first}");
}
