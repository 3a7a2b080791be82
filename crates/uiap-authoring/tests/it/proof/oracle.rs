//! Small random workflows, judged by an oracle that writes down every way without a circle and looks at each.

use crate::proof::support::{common, proven};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const STEPS_MAX: usize = 6;

/// What a step of the bundle of the cases needs and gives, written by hand: 0 nothing, 1 an agreement, 2 a handoff.
const DEEDS: [(&str, Option<&str>, u8, u8); 5] = [
    ("video.publish", None, 2, 1),
    ("video.delete", None, 0, 1),
    ("ui.activate", Some("trash"), 1, 0),
    ("ui.activate", Some("publish"), 2, 1),
    ("video.rename", None, 0, 0),
];

/// One random step: its form, which deed, where it leads, and whether it has a condition and a way for errors.
type Drawn = (u8, usize, [usize; 3], bool, Option<usize>);

fn drawn() -> impl Strategy<Value = Drawn> {
    let to = 0..=STEPS_MAX;
    let exits = [to.clone(), to.clone(), to.clone()];
    (0..7_u8, 0..DEEDS.len(), exits, any::<bool>(), prop::option::weighted(0.3, to))
}

fn workflow(steps: &[Drawn], recovery: &[(u8, usize)]) -> Value {
    let name = |to: usize| if to < steps.len() { format!("s{to}") } else { "end".to_owned() };
    let mut list = Vec::new();
    for (number, (form, deed, [a, b, c], condition, on_error)) in steps.iter().enumerate() {
        let when = json!([{"kind": "role", "role": "x"}]);
        let mut step = match form {
            0 => json!({"type": "instruction", "next": name(*a)}),
            1 => json!({"type": "ensure", "signals": [], "next": name(*a), "otherwise": name(*b)}),
            2 => {
                let case = |to| json!({"when": when, "next": name(to)});
                json!({"type": "branch", "cases": [case(*a), case(*b)], "otherwise": name(*c)})
            }
            3 => json!({"type": "handoff", "next": name(*a)}),
            _ => {
                let (action, target, ..) = DEEDS[*deed];
                let mut step = json!({"type": "action", "actionId": action, "next": name(*a)});
                if let Some(target) = target {
                    step["target"] = json!({"ref": {"by": "stableId", "value": target}});
                }
                step
            }
        };
        step["id"] = name(number).into();
        if *condition {
            step["when"] = when.clone();
        }
        if let Some(to) = on_error {
            step["onError"] = name(*to).into();
        }
        list.push(step);
    }
    // Every workflow must be able to end.
    let leave = json!([{"when": [{"kind": "role", "role": "x"}], "next": "end"}]);
    list.push(json!({"id": "begin", "type": "branch", "cases": leave, "otherwise": "s0"}));
    list.push(json!({"id": "end", "type": "complete"}));
    let measure = |number: u8| ["goto", "handoff", "retry"][usize::from(number)];
    let rules: Vec<_> = recovery
        .iter()
        .map(|(number, to)| json!({"on": ["timeout"], "do": measure(*number), "stepId": name(*to)}))
        .collect();
    json!({
        "id": "w", "version": "1.0.0", "title": "W", "category": "task", "startMode": "manual",
        "interactionModes": ["auto"], "initialStepId": "begin", "steps": list, "recovery": rules,
    })
}

fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member)?.as_str()
}

/// What a step needs and gives.
fn deed(step: &Value) -> (u8, u8) {
    match text(step, "type") {
        Some("handoff") => (0, 2),
        Some("action") => {
            let target = step.pointer("/target/ref/value").and_then(Value::as_str);
            let known = DEEDS
                .iter()
                .find(|(action, aimed, ..)| Some(*action) == text(step, "actionId") && *aimed == target);
            known.map(|(_, _, needs, gives)| (*needs, *gives)).expect("a deed of the table")
        }
        _ => (0, 0),
    }
}

/// Where a step leads, and what a person did by then if they had done `before`.
fn ways<'w>(workflow: &'w Value, step: &'w Value, before: u8) -> Vec<(&'w str, u8)> {
    let after = before.max(deed(step).1);
    let mut ways = Vec::new();
    let cases = step.get("cases").and_then(Value::as_array).into_iter().flatten();
    for to in
        cases.filter_map(|case| text(case, "next")).chain(text(step, "next")).chain(text(step, "otherwise"))
    {
        ways.push((to, after));
        if step.get("when").is_some() {
            ways.push((to, before));
        }
    }
    ways.extend(text(step, "onError").map(|to| (to, before)));
    if text(step, "type") != Some("complete") {
        for rule in workflow["recovery"].as_array().into_iter().flatten() {
            let guard = if text(rule, "do") == Some("handoff") { 2 } else { before };
            ways.extend(text(rule, "stepId").map(|to| (to, guard)));
        }
    }
    ways
}

/// Goes every way that meets no step twice, and notes the steps that lacked somebody.
fn go<'w>(
    workflow: &'w Value,
    id: &'w str,
    guard: u8,
    gone: &mut Vec<&'w str>,
    lacking: &mut BTreeSet<&'w str>,
) {
    let steps = workflow["steps"].as_array().expect("steps");
    let step = steps.iter().find(|step| text(step, "id") == Some(id)).expect("the step");
    if deed(step).0 > guard {
        lacking.insert(id);
    }
    gone.push(id);
    for (to, guard) in ways(workflow, step, guard) {
        if !gone.contains(&to) {
            go(workflow, to, guard, gone, lacking);
        }
    }
    gone.pop();
}

fn by_oracle(workflow: &Value) -> BTreeSet<&str> {
    let mut lacking = BTreeSet::new();
    go(workflow, "begin", 0, &mut Vec::new(), &mut lacking);
    lacking
}

fn by_proof(workflow: &Value) -> BTreeSet<String> {
    let mut bundle = common();
    bundle["workflows"] = json!([workflow]);
    let violations = proven(&bundle);
    for violation in &violations {
        is_a_way(workflow, violation);
    }
    violations.iter().filter_map(|found| found.path.last()).map(|hop| hop.step.as_str().to_owned()).collect()
}

/// The way that is told exists, and nobody did on it what would have been needed.
fn is_a_way(workflow: &Value, violation: &uiap_authoring::proof::Violation) {
    let steps = workflow["steps"].as_array().expect("steps");
    let mut guards = BTreeSet::from([0]);
    for pair in violation.path.windows(2) {
        let step =
            steps.iter().find(|step| text(step, "id") == Some(pair[0].step.as_str())).expect("the step");
        let reached = guards.iter().flat_map(|guard| ways(workflow, step, *guard));
        guards = reached.filter(|(to, _)| *to == pair[1].step.as_str()).map(|(_, guard)| guard).collect();
    }
    let last = violation.path.last().expect("a step").step.as_str();
    let step = steps.iter().find(|step| text(step, "id") == Some(last)).expect("the step");
    assert!(guards.iter().any(|guard| *guard < deed(step).0), "{}: {workflow:#}", violation.way());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_proof_and_every_single_way_agree(
        steps in prop::collection::vec(drawn(), 1..=STEPS_MAX),
        recovery in prop::collection::vec((0..3_u8, 0..STEPS_MAX), 0..2),
    ) {
        let workflow = workflow(&steps, &recovery);
        let expected: BTreeSet<String> = by_oracle(&workflow).into_iter().map(str::to_owned).collect();
        prop_assert_eq!(by_proof(&workflow), expected, "{:#}", workflow);
    }

    /// Whatever is taken out of a proven workflow, the proof notices exactly where it was needed.
    #[test]
    fn no_guard_can_be_taken_out_unnoticed(steps in prop::collection::vec(drawn(), 1..=STEPS_MAX)) {
        if !by_proof(&workflow(&steps, &[])).is_empty() {
            return Ok(());
        }
        for place in 0..steps.len() {
            let mut steps = steps.clone();
            steps[place].0 = 0;
            let workflow = workflow(&steps, &[]);
            let expected: BTreeSet<String> = by_oracle(&workflow).into_iter().map(str::to_owned).collect();
            prop_assert_eq!(by_proof(&workflow), expected, "{:#}", workflow);
        }
    }
}
