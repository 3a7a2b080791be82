//! Bundles from a few lines of YAML, and violations as short texts.

use serde_json::{Value, json};
use std::path::Path;
use std::sync::LazyLock;
use uiap_authoring::proof::{Guard, Violation, prove};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::wire::accept;

/// A file of the cases.
pub(crate) fn case_file(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/proof");
    let text = std::fs::read_to_string(folder.join(name)).expect("a case file");
    read(&text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json()
}

/// The bundle that all cases have in common.
pub(crate) fn common() -> Value {
    static COMMON: LazyLock<Value> = LazyLock::new(|| case_file("bundle.yaml"));
    COMMON.clone()
}

/// A workflow of these steps, which begins with the first one and may end with `end`.
pub(crate) fn workflow(steps: &Value) -> Value {
    let mut steps = steps.as_array().expect("steps").clone();
    let first = steps[0]["id"].clone();
    steps.push(json!({"id": "end", "type": "complete"}));
    json!({
        "id": "w", "version": "1.0.0", "title": "W", "category": "task", "startMode": "manual",
        "interactionModes": ["auto"], "initialStepId": first, "steps": steps,
    })
}

pub(crate) fn decoded(bundle: &Value) -> CompiledBundle {
    accept(&Node::from_json(bundle)).unwrap_or_else(|findings| panic!("{findings:#?}\n{bundle:#}"))
}

pub(crate) fn proven(bundle: &Value) -> Vec<Violation> {
    prove(&decoded(bundle)).expect("few rules")
}

/// A violation in one line.
pub(crate) fn short(violation: &Violation) -> String {
    let needs = match violation.danger.needs {
        Guard::Handoff => "a handoff",
        Guard::Confirmation => "a confirmation",
        Guard::Nothing => "nothing",
    };
    let way = if violation.path.is_empty() { String::new() } else { format!(": {}", violation.way()) };
    format!("{} needs {needs}{way}", violation.pointer)
}
