//! The published reference example builds, and bundles are the only thing that a runtime takes.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::packages::{build, files, put};
use serde_json::{Value, json};
use uiap_authoring::{Memory, Origins};
use uiap_protocol::authoring::{Admission, NotAdmitted, ReleaseChannel};
use uiap_protocol::seal::digest;
use uiap_protocol::text::{Format, Limits, read};
use uiap_testkit::proves;

fn example() -> Memory {
    let mut memory = Memory::default();
    put(&mut memory, "uiap", &files("reference/uiap"));
    put(&mut memory, "base", &files("reference/base"));
    memory.offer("base");
    memory
}

fn built(channel: ReleaseChannel) -> Value {
    let outcome = build(&example(), "uiap", channel);
    assert_eq!(outcome.diagnostics, [], "the example is without fault");
    serde_json::from_str(&outcome.built.expect("a bundle").text).expect("JSON")
}

fn parts(bundle: &Value, pointers: &[&str]) -> Vec<Value> {
    pointers.iter().map(|pointer| bundle.pointer(pointer).cloned().unwrap_or_default()).collect()
}

const PARTS: [&str; 6] = [
    "/policies/0/document/defaults/onUnknownAction",
    "/workflows/0/version",
    "/workflows/0/title",
    "/workflows/0/interactionModes",
    "/workflows/0/steps/0/text",
    "/actions/0/id",
];

#[test]
fn the_example_builds_for_staging_as_it_is_written() {
    proves!["AUT-15-1", "AUT-13-2"];
    let modes = json!(["guide", "assist", "auto"]);
    let text = "Ich helfe dir beim ersten Video.";
    let wanted = [json!("confirm"), json!("0.1.0"), json!("Dein erstes Video"), modes, json!(text)];
    assert_eq!(parts(&built(ReleaseChannel::Staging), &PARTS[..5]), wanted);
}

#[test]
fn the_example_builds_for_prod_with_what_its_overlay_says() {
    proves!["AUT-15-1", "AUT-5.8-7"];
    let modes = json!(["guide", "assist"]);
    let title = json!("Erstes Video erstellen");
    let text = json!("Ich helfe dir beim ersten Video.");
    let wanted = [json!("deny"), json!("0.1.1"), title, modes, text, json!("ui.activate")];
    assert_eq!(parts(&built(ReleaseChannel::Prod), &PARTS), wanted);
}

/// The pointers of everything that holds nothing else.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                leaves(value, &format!("{pointer}/{token}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

#[test]
fn everything_in_the_bundle_has_an_origin() {
    proves!["AUT-10-2", "AUT-13-9"];
    let built = build(&example(), "uiap", ReleaseChannel::Prod).built.expect("a bundle");
    let bundle: Value = serde_json::from_str(&built.text).expect("JSON");
    let origins: Origins = serde_json::from_str(&built.origins).expect("origins");
    for part in ["/app", "/bindings", "/actions", "/policies", "/workflows", "/locales"] {
        let mut found = Vec::new();
        leaves(bundle.pointer(part).expect(part), part, &mut found);
        let without: Vec<_> = found.iter().filter(|leaf| origins.part(leaf).is_none()).collect();
        assert!(!found.is_empty() && without.is_empty(), "nobody knows where these come from: {without:?}");
    }
}

#[test]
fn the_digest_is_that_of_the_content() {
    proves!["AUT-13-10", "AUT-13-5"];
    let bundle = built(ReleaseChannel::Prod);
    let bundle = bundle.as_object().expect("an object");
    assert_eq!(bundle.get("digest").and_then(Value::as_str), Some(digest(bundle).as_str()));
    let mut changed = bundle.clone();
    changed.insert("version".to_owned(), json!("0.1.1"));
    assert_ne!(digest(bundle), digest(&changed));
}

#[test]
fn a_runtime_takes_the_bundle_and_no_manifest() {
    proves!["AUT-2-5"];
    let admission =
        Admission { profile: "web@0.1", extensions: &["uiap.policy", "uiap.workflow"], trusted: &[] };
    let bundle = built(ReleaseChannel::Prod);
    assert!(admission.admit(bundle.as_object().expect("an object"), None).is_ok());
    for file in files("reference/uiap") {
        let manifest = read(&file.text, Format::Yaml, Limits::DOCUMENT).expect("YAML").to_json();
        let answer = admission.admit(manifest.as_object().expect("an object"), None);
        assert!(matches!(answer, Err(NotAdmitted::NotABundle { .. })), "{} is no bundle", file.path);
    }
}
