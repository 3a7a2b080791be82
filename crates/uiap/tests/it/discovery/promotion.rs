//! What a run found becomes a package that builds, with nothing in it that is unsafe, sensitive or doubtful.

use crate::discovery::stage::{Order, Stage};
use serde_json::{Value, json};
use std::path::Path;
use uiap_authoring::{Builder, Folder, Lock, Memory, Outcome, Request, Texts};
use uiap_discovery::package::package;
use uiap_discovery::promote::promoted;
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::finding::Severity;
use uiap_protocol::text::Node;
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::accept;

const RUN: &str = "test.discovery.json";
const FOLDER: &str = "run";

/// Every case under `spec/cases/discovery-promotion`: a stage, and in `expect` by channel either the `ids` of lists of the
/// bundle and members of it by pointer (`has`), or what the `errors` must say; and in `left` why ids are left to people.
#[test]
fn what_is_harmless_and_certain_builds_and_the_rest_is_left_to_people() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/discovery-promotion");
    let mut seen = 0;
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("a file").path();
        let wrong = promote(&Stage::read(&std::fs::read_to_string(&path).expect("a case")));
        assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
        seen += 1;
    }
    assert!(seen > 0, "there is a case");
}

fn promote(stage: &Stage) -> Vec<String> {
    let (atlas, record) = stage.play(Order::AsWritten);
    let package = package(&atlas, &record);
    let mut wrong = Vec::new();
    for (channel, expected) in stage.expect().as_object().expect("expectations by channel") {
        if channel == "left" {
            wrong.extend(left(&package, expected));
            continue;
        }
        let outcome = built(&package, channel);
        let errors = errors(&outcome);
        match (expected.get("errors").and_then(Value::as_array), outcome.built) {
            (Some(wanted), None) => {
                for part in wanted.iter().filter_map(Value::as_str) {
                    if !errors.iter().any(|error| error.contains(part)) {
                        wrong.push(format!("{channel}: no error says {part:?}: {errors:#?}"));
                    }
                }
            }
            (None, Some(built)) => {
                let bundle = serde_json::to_value(&built.bundle).expect("JSON");
                wrong.extend(in_bundle(expected, &bundle).into_iter().map(|why| format!("{channel}: {why}")));
            }
            (Some(_), Some(_)) => wrong.push(format!("{channel}: it builds, and should not")),
            (None, None) => wrong.push(format!("{channel}: it does not build: {errors:#?}")),
        }
    }
    wrong
}

fn built(package: &DiscoveryPackage, channel: &str) -> Outcome {
    let mut memory = Memory::default();
    for file in promoted(package, RUN) {
        memory.put(FOLDER, file.path, file.text);
    }
    memory.put(FOLDER, RUN, serde_json::to_string(package).expect("JSON"));
    let context = json!({"environment": "test", "channel": channel});
    let request = Request {
        folder: Folder::new(FOLDER),
        context: accept(&Node::from_json(&context)).expect("a context"),
        now: Timestamp::new("2026-06-01T00:00:00Z").expect("a time"),
        lock: Lock::default(),
    };
    Builder::new(&Texts::default()).build(&request, &memory)
}

fn errors(outcome: &Outcome) -> Vec<String> {
    let errors = outcome.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    errors.map(|one| format!("{} {}: {}", one.file, one.pointer, one.message)).collect()
}

/// What is not in a bundle as expected: the ids of lists, all and in order, and values by pointer.
fn in_bundle(expected: &Value, bundle: &Value) -> Vec<String> {
    let nothing = json!({});
    let members = |name: &str| expected.get(name).unwrap_or(&nothing).as_object().expect("an object").clone();
    let mut wrong = Vec::new();
    for (pointer, wanted) in members("ids") {
        let items = bundle.pointer(&pointer).and_then(Value::as_array).into_iter().flatten();
        let ids: Vec<&Value> = items.filter_map(|item| item.get("id")).collect();
        if wanted != json!(ids) {
            wrong.push(format!("{pointer} has {}", json!(ids)));
        }
    }
    for (pointer, wanted) in members("has") {
        let found = bundle.pointer(&pointer).unwrap_or(&Value::Null);
        if *found != wanted {
            wrong.push(format!("{pointer} is {found}"));
        }
    }
    wrong
}

/// Ids that are not left to people for the reason that is expected.
fn left(package: &DiscoveryPackage, expected: &Value) -> Vec<String> {
    let files = promoted(package, RUN);
    let text = &files.iter().find(|file| file.path == "promoted.uiap.yaml").expect("the import").text;
    let rules = text.split("  reject:\n").nth(1).unwrap_or_default().split("    - kind: ").skip(1);
    let rules: Vec<&str> = rules.collect();
    let expected = expected.as_object().expect("reasons by id");
    expected
        .iter()
        .filter_map(|(id, reason)| {
            let line = format!("- {}", Value::from(id.as_str()));
            let rule = rules.iter().find(|rule| rule.lines().any(|own| own.trim() == line));
            let said = rule.is_some_and(|rule| rule.contains(reason.as_str().expect("a reason")));
            (!said).then(|| format!("{id} is left to people like this: {rule:?}"))
        })
        .collect()
}
