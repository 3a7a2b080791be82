//! Whole actions on real pages: the cases of `spec/cases/acting`.
//!
//! A file is a page. Its members: `about`, `proves`, `page` (HTML) and `cases`. Each case is run on the page as it is
//! in the beginning: `what`, `request` (an `ActionRequest`), `modes` (it is run once in each of them alone; otherwise
//! once, in the usual order), `expect` (status, side effects and, where it failed, the code), and `oracle`: expressions
//! that the page itself must answer with these values afterwards.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a case that cannot be read fails the test"
)]

use crate::support::acting::*;
use serde_json::{Value, json};
use std::path::Path;
use uiap_protocol::text::{Format, Limits, read};

fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

async fn run(act: &Act, case: &Value, mode: Option<&Value>) -> Option<String> {
    let mut request = case["request"].clone();
    // Another page each time, so that the same may be asked for again.
    request["idempotencyKey"] = format!("{}{mode:?}", case["what"]).into();
    if let Some(mode) = mode {
        request["preferredExecutionModes"] = json!([mode]);
    }
    let went = act.act(request).await;
    let told = |what: &str| {
        format!(
            "{} {mode:?}: {what}\n    {:?}",
            case["what"],
            went.result.as_ref().map(|result| (&result.metadata, &result.error))
        )
    };
    let expected = case["expect"].as_str().unwrap();
    if went.sum() != expected {
        return Some(told(&format!("{}, not {expected}", went.sum())));
    }
    for (expression, wanted) in case["oracle"].as_object().into_iter().flatten() {
        let value = act.read(expression).await;
        if value != *wanted {
            return Some(told(&format!("{expression} is {value}, not {wanted}")));
        }
    }
    None
}

#[tokio::test]
async fn every_case_goes_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/acting");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut failures = Vec::new();
    let mut count = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let file = read(&text, Format::Yaml, Limits::DOCUMENT).unwrap().to_json();
        let act = Act::on(file["page"].as_str().unwrap()).await;
        for case in list(&file, "cases") {
            let modes: Vec<_> = match list(case, "modes") {
                [] => vec![None],
                modes => modes.iter().map(Some).collect(),
            };
            for mode in modes {
                act.again().await;
                failures.extend(run(&act, case, mode).await);
                count += 1;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} cases:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 40, "only {count} cases");
}
