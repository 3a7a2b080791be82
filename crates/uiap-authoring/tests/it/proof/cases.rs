//! The cases of `spec/cases/proof`: a bundle in, violations out.

use crate::proof::support::{case_file, common, proven, short, workflow};
use serde_json::{Value, json};

const CASES_MIN: usize = 25;
/// Fewest guards that are taken out to see that they were needed.
const GUARDS_MIN: usize = 10;

/// The case with an instruction in place of a guard.
fn without(step: &Value, case: &Value) -> Value {
    let mut case = case.clone();
    let steps = case["steps"].as_array_mut().expect("steps");
    let guard = steps.iter_mut().find(|own| own["id"] == *step).expect("the guard");
    *guard = json!({"id": step, "type": "instruction", "next": guard["next"]});
    case
}

fn bundle(case: &Value) -> Value {
    let mut bundle = common();
    for (member, value) in case["with"].as_object().into_iter().flatten() {
        bundle[member] = value.clone();
    }
    let mut workflow = workflow(&case["steps"]);
    for member in ["recovery", "parameters"] {
        if let Some(value) = case.get(member) {
            workflow[member] = value.clone();
        }
    }
    bundle["workflows"] = json!([workflow]);
    if let Some(rules) = case.get("rules") {
        let silent = json!({"onUnknownAction": "allow"});
        let defaults = case.get("defaults").unwrap_or(&silent);
        let document = json!({"modelVersion": "0.1", "id": "p", "defaults": defaults, "rules": rules});
        bundle["policies"] = json!([{"id": "p", "document": document}]);
        if let Some(selector) = case.get("selector") {
            bundle["policies"][0]["selector"] = selector.clone();
        }
    }
    bundle
}

#[test]
fn every_case_gives_exactly_its_violations() {
    let (mut sound, mut unsound, mut taken_out) = (0, 0, 0);
    for file in ["ways.yaml", "risks.yaml", "policies.yaml"] {
        for case in case_file(file)["cases"].as_array().expect("cases") {
            let expected: Vec<_> =
                case["expect"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            let found: Vec<_> = proven(&bundle(case)).iter().map(short).collect();
            assert_eq!(found, expected, "{file}: {}", case["what"]);
            if expected.is_empty() {
                sound += 1;
            } else {
                unsound += 1;
            }
            for step in case["needed"].as_array().into_iter().flatten() {
                let found = proven(&bundle(&without(step, case)));
                assert!(!found.is_empty(), "{file}: {} without {step}", case["what"]);
                taken_out += 1;
            }
        }
    }
    assert!(sound + unsound >= CASES_MIN && sound.min(unsound) >= CASES_MIN, "{sound}, {unsound}");
    assert!(taken_out >= GUARDS_MIN, "{taken_out}");
}
