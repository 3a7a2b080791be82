//! What people read.

use crate::proof::support::{common, proven, workflow};
use serde_json::{Value, json};
use uiap_authoring::proof::Violation;
use uiap_protocol::finding::{Finding, Severity};

fn found(steps: &Value) -> Vec<Violation> {
    let mut bundle = common();
    bundle["workflows"] = json!([workflow(steps)]);
    proven(&bundle)
}

#[test]
fn a_violation_tells_the_way_the_reason_and_what_to_do() {
    let steps = json!([
        {"id": "ask", "type": "ensure", "signals": [], "next": "take_over", "otherwise": "press"},
        {"id": "take_over", "type": "handoff", "next": "press"},
        {"id": "press", "type": "action", "actionId": "ui.activate", "next": "end",
         "target": {"ref": {"by": "stableId", "value": "publish"}}},
    ]);
    let finding = Finding::from(&found(&steps)[0]);
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!((finding.code.as_str(), finding.requirement), ("ungated_risk", Some("CAP-8-4")));
    assert_eq!(finding.pointer, "/workflows/0/steps/2/actionId");
    assert_eq!(
        finding.message,
        "The workflow \"w\" reaches \"ui.activate\" on \"publish\" without a handoff: ask -(otherwise)-> press. \
         Its risk is blocked, so only a person may do it."
    );
    let help = "Put a handoff step before \"press\" on this way, or leave \"ui.activate\" to a person.";
    assert_eq!(finding.help.as_deref(), Some(help));
}

#[test]
fn a_default_action_tells_its_element() {
    let mut bundle = common();
    bundle["bindings"] = json!({"elements": [{
        "id": "pay", "defaultAction": "ui.activate", "metadata": {"riskTags": ["billing"]},
        "match": [{"by": "annotation", "attr": "data-uiap-id", "value": "pay"}],
    }]});
    let finding = Finding::from(&proven(&bundle)[0]);
    assert_eq!(finding.requirement, Some("CAP-8-5"));
    assert_eq!(
        finding.message,
        "The default action \"ui.activate\" of \"pay\" does something grave without anybody being asked. \
         Its tags say billing, and nothing asks a person."
    );
}

/// So many steps, and a way for every number of as many binary digits.
const DIAMONDS: usize = 5_000;

/// A row of branches whose two ways meet again, with something blocked at its end.
fn diamonds(last: &str) -> Value {
    let mut steps = Vec::new();
    for number in 0..DIAMONDS {
        let (here, there) = (format!("b{number}"), format!("i{number}"));
        let next = if number + 1 == DIAMONDS { last.to_owned() } else { format!("b{}", number + 1) };
        let case = json!({"when": [{"kind": "role", "role": "x"}], "next": there});
        steps.push(json!({"id": here, "type": "branch", "cases": [case], "otherwise": next}));
        steps.push(
            json!({"id": there, "type": "handoff", "when": [{"kind": "role", "role": "y"}], "next": next}),
        );
    }
    steps.push(json!({"id": "h", "type": "handoff", "next": "p"}));
    steps.push(json!({"id": "p", "type": "action", "actionId": "video.publish", "next": "end"}));
    Value::Array(steps)
}

/// It would not end if ways were counted one by one.
#[test]
fn ten_thousand_steps_are_no_matter_however_many_ways_there_are() {
    assert_eq!(found(&diamonds("h")).len(), 0);
    let violations = found(&diamonds("p"));
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].path.len(), DIAMONDS + 1);
    assert_eq!(
        violations[0].way(),
        "b0 -(otherwise)-> b1 -(otherwise)-> b2 -(otherwise)-> b3 -(otherwise)-> b4 -(otherwise)-> b5 \
         -> ... 4989 more -(otherwise)-> b4995 -(otherwise)-> b4996 -(otherwise)-> b4997 -(otherwise)-> b4998 \
         -(otherwise)-> b4999 -(otherwise)-> p"
    );
}
