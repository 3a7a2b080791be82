//! `uiap-policy`.

use crate::Engine;
use crate::workload::{Answer, Workload};
use serde_json::{Value, json};
use uiap_policy::{CompiledPolicy, Facts};
use uiap_protocol::capability::{DescribedKind, RiskDescriptor};
use uiap_protocol::ids::{ActionId, RouteId};
use uiap_protocol::policy::{PolicyDocument, PolicyPrincipal, SideEffectClass};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::wire::{Wire, accept};

pub struct Ours {
    policy: CompiledPolicy,
    questions: Vec<(PolicyPrincipal, ActionId, RouteId, RiskDescriptor)>,
}

fn wire<T: Wire>(value: &Value) -> T {
    let text = value.to_string();
    accept(&read(&text, Format::Json, Limits::DOCUMENT).expect("JSON")).expect("a sound value")
}

impl Ours {
    pub fn new(workload: &Workload) -> Self {
        let rules = workload.rules.iter().map(|rule| {
            let mut when = serde_json::Map::new();
            let mut member = |name: &str, value: Option<&str>| {
                if let Some(value) = value {
                    when.insert(name.to_owned(), json!([value]));
                }
            };
            member("actions", rule.action.as_deref());
            member("routes", rule.route.as_deref());
            member("riskTags", rule.tag);
            member("principalRoles", rule.role);
            json!({"id": rule.id, "effect": rule.effect, "when": when})
        });
        let document: PolicyDocument = wire(&json!({
            "modelVersion": "0.1",
            "id": "bench",
            "defaults": {"onUnknownAction": "deny", "onNoMatch": "allow"},
            "rules": rules.collect::<Vec<_>>(),
        }));
        let questions = workload.questions.iter().map(|question| {
            let tags: Vec<_> = question.tag.into_iter().collect();
            (
                wire(&json!({"type": "agent", "id": "a", "roles": question.roles, "grants": ["admin"]})),
                ActionId::new(question.action.clone()).expect("an id"),
                RouteId::new(question.route.clone()).expect("an id"),
                wire(&json!({"level": "safe", "tags": tags})),
            )
        });
        let questions = questions.collect();
        Self { policy: CompiledPolicy::compile([document]).expect("few rules"), questions }
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "uiap"
    }

    fn decide(&self, question: usize) -> Answer {
        let (principal, action, route, risk) = &self.questions[question];
        let facts = Facts {
            principal,
            action,
            action_kind: DescribedKind::Domain,
            action_known: true,
            target: None,
            route: Some(route),
            risk,
            // The floors of the risk are not in the workload: nothing of it writes, and no tag of it needs more.
            side_effect: SideEffectClass::LocalUi,
            guess: None,
            data_classes: &[],
            mode: None,
        };
        let decision = self.policy.decide(&facts);
        let mut rules: Vec<_> = decision.rules().map(|rule| rule.id.to_string()).collect();
        rules.sort();
        Answer { effect: decision.effect().to_string(), rules }
    }
}
