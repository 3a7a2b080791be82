//! What is different between two packages.

use crate::packages::stage::{Order, Stage};
use serde_json::Value;
use std::path::Path;
use uiap_discovery::diff::diff;
use uiap_discovery::package::package;

/// Every case under `spec/cases/discovery-diff`: a stage, and by `cases` what becomes of it (`change`: `{remove: POINTER}`
/// and `{set: POINTER, to: VALUE}`) and every difference that follows, as `CLASS SUBJECT ID: MESSAGE`.
pub(crate) fn compare(path: &Path) -> uiap_testkit::CaseResult {
    let stage = Stage::read(&std::fs::read_to_string(path)?);
    let (atlas, record) = stage.play(Order::AsWritten);
    let old = package(&atlas, &record);
    let mut wrong = Vec::new();
    for case in stage.cases() {
        let what = case.get("what").and_then(Value::as_str).expect("what the case is");
        let (atlas, record) = stage.changed(case).play(Order::Backwards);
        let found: Vec<String> = diff(&old, &package(&atlas, &record))
            .iter()
            .map(|change| {
                let subject = serde_json::to_value(change.subject).expect("a word");
                format!(
                    "{} {} {}: {}",
                    change.class,
                    subject.as_str().unwrap_or_default(),
                    change.id,
                    change.message
                )
            })
            .collect();
        let expected: Vec<&str> = case
            .get("expect")
            .and_then(Value::as_array)
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        if found != expected {
            wrong.push(format!("{what}:\n  {}", found.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}: {}\n{}", path.display(), stage.about(), wrong.join("\n"));
    Ok(())
}
