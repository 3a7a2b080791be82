//! Runs the table tests that teams write for their policies.

use crate::compile::CompiledPolicy;
use crate::decide::Decision;
use crate::facts::{Facts, TargetFacts};
use crate::risk::{Observed, assess};
use uiap_protocol::capability::{DescribedKind, PrimitiveAction, RiskDescriptor, RiskLevel};
use uiap_protocol::finding::{Code, Finding, Severity};
use uiap_protocol::policy::{PolicyPrincipal, SideEffectClass};
use uiap_protocol::policy_test::{PolicyTest, PolicyTestCase, PolicyTestExpectation, PolicyTestFacts};
use uiap_protocol::wire::JsonObject;

/// Asks every question and reports every answer that is not the expected one.
pub fn run(test: &PolicyTest, policy: &CompiledPolicy) -> Vec<Finding> {
    let cases = test.cases.iter().enumerate();
    cases.flat_map(|(number, case)| run_case(number, case, &test.principal, policy)).collect()
}

fn run_case(
    number: usize,
    case: &PolicyTestCase,
    principal: &PolicyPrincipal,
    policy: &CompiledPolicy,
) -> Vec<Finding> {
    let PolicyTestFacts { action, name, role, data_classes, risk, .. } = &case.facts;
    let data_classes = data_classes.as_deref().unwrap_or_default();
    let sensitive = case.facts.sensitive.unwrap_or(false);
    let observed = Observed {
        role: role.as_ref(),
        name: name.as_deref(),
        data_classes,
        sensitive,
        ..Observed::default()
    };
    let guess = risk.is_none().then(|| assess(action, &observed));
    let safe =
        RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() };
    let primitive = PrimitiveAction::from_word(action.as_str()).is_some();
    let facts = Facts {
        principal: case.facts.principal.as_ref().unwrap_or(principal),
        action,
        action_kind: if primitive { DescribedKind::Primitive } else { DescribedKind::Domain },
        action_known: case.facts.known.unwrap_or(true),
        target: Some(TargetFacts {
            stable_id: case.facts.target.as_ref(),
            scopes: case.facts.scopes.as_deref().unwrap_or_default(),
            role: role.as_ref(),
            sensitive,
        }),
        route: case.facts.route.as_ref(),
        risk: risk.as_ref().unwrap_or(&safe),
        side_effect: case.facts.side_effect.unwrap_or(SideEffectClass::Unknown),
        guess: guess.as_ref(),
        data_classes,
        mode: case.facts.mode,
    };
    let decision = policy.decide(&facts);
    let answer = Answer { number, case, facts: &facts, decision: &decision };
    answer.findings()
}

/// A question with its answer.
struct Answer<'a> {
    number: usize,
    case: &'a PolicyTestCase,
    facts: &'a Facts<'a>,
    decision: &'a Decision<'a>,
}

impl Answer<'_> {
    fn findings(&self) -> Vec<Finding> {
        let PolicyTestExpectation { effect, rules, obligations, missing_grants, risk, audit } =
            &self.case.expect;
        let decision = self.decision;
        let mut findings = Vec::new();
        let mut differs = |member: &str, expected: String, found: String| {
            if expected != found {
                findings.push(self.finding(member, &expected, &found));
            }
        };
        differs("effect", effect.to_string(), decision.effect().to_string());
        if let Some(rules) = rules {
            differs("rules", listed(rules), listed(decision.rules().map(|rule| &rule.id)));
        }
        if let Some(grants) = missing_grants {
            differs("missingGrants", listed(grants), listed(decision.missing_grants()));
        }
        if let Some(risk) = risk {
            differs("risk", risk.to_string(), decision.risk().level.to_string());
        }
        if let Some(audit) = audit {
            differs("audit", audit.to_string(), decision.audit().to_string());
        }
        for (place, wanted) in obligations.iter().flatten().enumerate() {
            if !decision.obligations().any(|obligation| obligation == wanted) {
                let found = decision.obligations().map(written).collect::<Vec<_>>().join(", ");
                findings.push(self.finding(
                    &format!("obligations/{place}"),
                    &written(wanted),
                    &or_none(found),
                ));
            }
        }
        findings
    }

    fn finding(&self, member: &str, expected: &str, found: &str) -> Finding {
        let what = member.split('/').next().unwrap_or_default();
        let causes = self.decision.causes().iter().map(|cause| self.decision.because(cause, self.facts));
        let causes = causes.collect::<Vec<_>>().join(" ");
        Finding {
            code: Code::TestFailed,
            severity: Severity::Error,
            message: format!("\"{}\": expected {what} {expected}, found {found}.", self.case.name),
            help: Some(if causes.is_empty() { self.decision.reason(self.facts) } else { causes }),
            pointer: format!("/cases/{}/expect/{member}", self.number),
            on_key: false,
            span: None,
            requirement: None,
        }
    }
}

/// Words in an order of their own, so that two lists can be compared.
fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let mut words: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    words.sort();
    or_none(words.join(", "))
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
