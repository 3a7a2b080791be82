//! Policies that decide differently are never called harmless. The questions here are not those of the comparison.

use crate::breaking::bundles::{base, bundle, changes};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use uiap_authoring::breaking::{Class, Witness, class_of};
use uiap_policy::{CompiledPolicy, Facts, TargetFacts};
use uiap_protocol::capability::{DescribedKind, PrimitiveAction, RiskDescriptor, RiskLevel};
use uiap_protocol::ids::{ActionId, Id};
use uiap_protocol::policy::{
    DataClass, Grant, PolicyEffect, PolicyPrincipal, PrincipalType, SideEffectClass,
};
use uiap_protocol::policy_test::PolicyTestFacts;
use uiap_protocol::wire::JsonObject;

const ACTIONS: [&str; 6] =
    ["admin.users", "video.export", "video.list", "ui.read", "ui.activate", "shop.pay"];

fn compiled(document: &Value) -> CompiledPolicy {
    let bundle = bundle(document).expect("a sound bundle");
    let policies = bundle.policies.into_iter().flatten().map(|policy| policy.document);
    CompiledPolicy::compile(policies).expect("few rules")
}

fn effect(policy: &CompiledPolicy, asked: &PolicyTestFacts) -> PolicyEffect {
    let safe =
        RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() };
    let primitive = PrimitiveAction::from_word(asked.action.as_str()).is_some();
    let facts = Facts {
        principal: asked.principal.as_ref().expect("somebody asks"),
        action: &asked.action,
        action_kind: if primitive { DescribedKind::Primitive } else { DescribedKind::Domain },
        action_known: asked.known.unwrap_or(true),
        target: Some(TargetFacts {
            stable_id: asked.target.as_ref(),
            scopes: asked.scopes.as_deref().unwrap_or_default(),
            role: asked.role.as_ref(),
            sensitive: asked.sensitive.unwrap_or(false),
        }),
        route: asked.route.as_ref(),
        risk: asked.risk.as_ref().unwrap_or(&safe),
        side_effect: asked.side_effect.unwrap_or(SideEffectClass::Unknown),
        guess: None,
        data_classes: asked.data_classes.as_deref().unwrap_or_default(),
        mode: asked.mode,
    };
    policy.decide(&facts).effect()
}

/// Some questions, in all combinations.
fn questions() -> Vec<PolicyTestFacts> {
    let mut questions = Vec::new();
    for action in ACTIONS {
        for r#type in [PrincipalType::Agent, PrincipalType::User] {
            for grants in [vec![], vec![Grant::Act], vec![Grant::Admin, Grant::Billing, Grant::ReadSecret]] {
                for level in [RiskLevel::Safe, RiskLevel::Confirm, RiskLevel::Blocked] {
                    for side_effect in
                        [SideEffectClass::None, SideEffectClass::Draft, SideEffectClass::Unknown]
                    {
                        for (known, data) in [(true, None), (false, None), (true, Some(DataClass::Secret))] {
                            let id = Id::new("somebody").expect("an id");
                            let grants = Some(grants.clone());
                            let principal = PolicyPrincipal { r#type, id, roles: None, grants };
                            let extra = JsonObject::default();
                            questions.push(PolicyTestFacts {
                                principal: Some(principal),
                                action: ActionId::new(action).expect("an id"),
                                known: Some(known),
                                target: None,
                                scopes: None,
                                role: None,
                                name: None,
                                sensitive: None,
                                route: None,
                                risk: Some(RiskDescriptor { level, tags: None, reason: None, extra }),
                                side_effect: Some(side_effect),
                                data_classes: data.map(|class| vec![class]),
                                mode: None,
                            });
                        }
                    }
                }
            }
        }
    }
    questions
}

fn rules() -> impl Strategy<Value = Value> {
    let effect = select(vec!["allow", "confirm", "handoff", "deny"]);
    let when = prop_oneof![
        select(ACTIONS.to_vec()).prop_map(|action| json!({"actions": [action]})),
        select(vec!["video.*", "ui.*", "*.*"]).prop_map(|pattern| json!({"actions": [pattern]})),
        select(vec!["user", "agent"]).prop_map(|r#type| json!({"principalTypes": [r#type]})),
        select(vec!["safe", "blocked"]).prop_map(|level| json!({"riskLevels": [level]})),
        select(vec!["act", "admin"]).prop_map(|grant| json!({"lacksGrant": [grant]})),
        select(vec!["none", "draft"]).prop_map(|class| json!({"sideEffects": [class]})),
        Just(json!({"actionKinds": ["domain"], "not": {"actions": ["video.list"]}})),
    ];
    (effect, when).prop_map(|(effect, when)| json!({"effect": effect, "when": when}))
}

fn policies() -> impl Strategy<Value = Value> {
    let effects = || select(vec!["allow", "confirm", "handoff", "deny"]);
    let refusals = || select(vec!["handoff", "deny"]);
    (proptest::collection::vec(rules(), 0..4), effects(), effects(), refusals(), refusals()).prop_map(
        |(rules, unknown, no_match, missing, blocked)| {
            let numbered = |(number, mut rule): (usize, Value)| {
                rule["id"] = json!(format!("rule-{number}"));
                rule
            };
            let rules: Vec<Value> = rules.into_iter().enumerate().map(numbered).collect();
            json!({
                "modelVersion": "0.1", "id": "p", "rules": rules,
                "defaults": {
                    "onUnknownAction": unknown, "onNoMatch": no_match,
                    "onMissingGrant": missing, "onBlockedRisk": blocked,
                },
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn other_decisions_are_major(one in policies(), other in policies()) {
        let with = |policy: &Value| {
            let mut document = base();
            document["policies"] = json!([{"id": "default", "document": policy}]);
            document
        };
        let (old, new) = (with(&one), with(&other));
        let (was, is) = (compiled(&old), compiled(&new));
        let found = changes(&old, &new);
        let differs = questions().iter().find(|asked| effect(&was, asked) != effect(&is, asked)).cloned();
        if let Some(question) = differs {
            prop_assert_eq!(class_of(&found), Some(Class::Major), "{:#?}", question);
        }
        // Whoever doubts a witness can ask again.
        for change in &found {
            if let Witness::Decision { facts, was: before, is: after } = &change.witness {
                prop_assert_eq!((effect(&was, facts), effect(&is, facts)), (*before, *after));
                prop_assert_ne!(before, after);
            }
        }
    }
}
