//! Every case under `spec/cases/plan` and `spec/cases/verdict`. Adding a case is adding a file.
//!
//! A file has a situation (`bundle`, `claims`, `available`, `page`, `principal`, `policies`; all optional) and `cases`: a
//! `request`, and what is expected of it. Of what is `accepted` or of a `verdict`, the members that are named must be
//! equal. A refusal names its `code`, parts of its message (`says`) and members of its `detail`.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

use crate::support::{available, catalogue, handle, list, page, sound, yaml};
use serde_json::{Value, json};
use std::path::Path;
use uiap_protocol::action::ActionRequest;
use uiap_protocol::core::ErrorPayload;
use uiap_protocol::ids::Id;
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_runtime::deed::Private;
use uiap_runtime::life::Verdict;
use uiap_runtime::plan::{Planned, plan};
use uiap_runtime::standing::Standing;
use uiap_runtime::verdict::{Question, verdict};
use uiap_testkit::{CaseResult, check_case_files};

/// What the sender hears, if the request does not even have the form of one.
fn malformed(request: &Value) -> Option<Value> {
    let findings = accept::<ActionRequest>(&Node::from_json(request)).err()?;
    let message: Vec<_> =
        findings.iter().map(|finding| format!("{} {}", finding.pointer, finding.message)).collect();
    Some(json!({"code": "invalid_payload", "message": message.join(" ")}))
}

fn planned(case: &Value, situation: &Value) -> Result<Planned, Value> {
    let request = case.get("request").expect("a request");
    if let Some(refusal) = malformed(request) {
        return Err(refusal);
    }
    let planned = plan(&sound(request), handle(), &catalogue(situation), &available(situation));
    planned.map_err(|refusal| serde_json::to_value(ErrorPayload::from(refusal)).expect("JSON"))
}

fn shown(planned: &Planned) -> Value {
    let plan = &planned.plan;
    json!({
        "actionId": plan.action_id,
        "args": plan.args.as_ref().map(Private::reveal),
        "resolvesTarget": plan.needs_target,
        "demand": format!("{:?}", plan.demand).to_lowercase(),
        "idempotency": plan.idempotency,
        "modes": plan.modes,
        "policy": plan.verification.policy,
        "signals": plan.verification.signals,
        "outcomeMs": plan.verification.timeout_ms,
        "timeoutMs": plan.timeout_ms,
    })
}

/// What differs from what was expected, by member.
fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let members = expected.as_object().expect("members").iter();
    let differing = members.filter(|(name, value)| found.get(name).unwrap_or(&Value::Null) != *value);
    differing.map(|(name, value)| format!("{name}: expected {value}, found {}", found[name])).collect()
}

fn refusal_differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if expected["code"] != found["code"] {
        wrong.push(format!("expected {}, found {found}", expected["code"]));
    }
    let message = found["message"].as_str().expect("a message");
    for part in expected["says"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !message.contains(part) {
            wrong.push(format!("expected {part:?} in {message:?}"));
        }
    }
    for hidden in expected["conceals"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if found.to_string().contains(hidden) {
            wrong.push(format!("{hidden:?} is told: {found}"));
        }
    }
    if let Some(detail) = expected.get("detail") {
        wrong.extend(differences(detail, &found["detail"]));
    }
    wrong
}

fn each(path: &Path, judge: impl Fn(&Value, &Value) -> Vec<String>) -> CaseResult {
    let file = yaml(&std::fs::read_to_string(path)?);
    let cases = file["cases"].as_array().expect("cases");
    let mut wrong = Vec::new();
    for case in cases {
        let found = judge(case, &file);
        wrong.extend(found.iter().map(|found| format!("{}: {found}", case["what"])));
    }
    assert!(!cases.is_empty(), "at least one case");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn plans(path: &Path) -> CaseResult {
    each(path, |case, situation| {
        match (planned(case, situation), case.get("accepted"), case.get("refused")) {
            (Ok(planned), Some(expected), None) => differences(expected, &shown(&planned)),
            (Err(refusal), None, Some(expected)) => refusal_differences(expected, &refusal),
            (found, ..) => vec![format!("found {found:?}")],
        }
    })
}

fn asked(case: &Value, situation: &Value) -> Verdict {
    let planned = planned(case, situation).unwrap_or_else(|refusal| panic!("not planned: {refusal}"));
    let policies: Vec<PolicyDocument> = list(situation, "policies");
    let standing = match case.get("principal").or_else(|| situation.get("principal")) {
        Some(principal) => Standing::of(sound(principal), policies),
        None => Standing::before_a_person(Id::new("agent").expect("an id"), policies),
    };
    let standing = standing.expect("few rules");
    let page = page(situation);
    let target = case.get("target").and_then(Value::as_str);
    verdict(&Question {
        principal: &standing.principal,
        lent: &standing.lent,
        policy: &standing.policy,
        catalogue: &catalogue(situation),
        action: &planned.plan.action_id,
        deed: &planned.deed,
        args: planned.plan.args.as_ref().map(Private::reveal),
        target: target.map(|id| page.element(id).expect("an element")),
        page: &page,
        modes: &planned.plan.modes,
    })
}

fn verdicts(path: &Path) -> CaseResult {
    each(path, |case, situation| {
        let found = asked(case, situation);
        let tags = found.risk.tags.clone().unwrap_or_default();
        let found = json!({
            "effect": found.effect,
            "reason": found.reason,
            "level": found.risk.level,
            "tags": tags,
            "modes": found.modes,
            "rules": found.grounds.rules,
            "missing": found.grounds.missing_grants,
            "lent": found.grounds.lent_grants,
            "origins": found.grounds.origins,
            "effectKind": found.grounds.effect_kind.word(),
            "demanded": found.verification,
            "confirmedBy": found.grounds.confirmed_by,
            "summary": found.preview.summary,
            "args": found.preview.args,
        });
        differences(case.get("verdict").expect("a verdict"), &found)
    })
}

#[test]
fn every_request_of_a_case_is_planned_as_the_case_says() {
    check_case_files("plan", plans);
}

#[test]
fn every_verdict_of_a_case_is_as_the_case_says() {
    check_case_files("verdict", verdicts);
}
