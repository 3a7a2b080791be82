//! Of several policies in a bundle the strictest holds, in whatever order they are written.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::packages::{build, files, put};
use serde_json::json;
use std::fmt::Write as _;
use uiap_authoring::Memory;
use uiap_policy::{CompiledPolicy, Facts};
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::capability::{DescribedKind, RiskDescriptor};
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::{PolicyEffect, PolicyPrincipal, SideEffectClass};
use uiap_protocol::text::Node;
use uiap_protocol::wire::{Wire, accept};
use uiap_testkit::proves;

fn of<T: Wire>(value: &serde_json::Value) -> T {
    accept(&Node::from_json(value)).expect("a sound value")
}

/// What the shop's bundle decides about reading, with the policies in this order.
fn decided(effects: &[&str]) -> PolicyEffect {
    let mut set = "apiVersion: uiap.authoring/v0.1\nkind: PolicySet\n\
        metadata: {id: policies.default, reviewState: approved}\nspec:\n  policies:\n"
        .to_owned();
    for (number, effect) in effects.iter().enumerate() {
        // Ids whose order is another one than that in the file.
        let id = format!("p{}", effects.len() - number);
        writeln!(
            set,
            "    - {{id: {id}, document: {{modelVersion: \"0.1\", id: {id}, revision: \"1\", defaults: {{onUnknownAction: confirm}}, \
             rules: [{{id: r, when: {{actions: [ui.read]}}, effect: {effect}}}]}}}}"
        )
        .expect("memory");
    }
    let mut memory = Memory::default();
    put(&mut memory, "shop", &files("shop"));
    put(&mut memory, "base", &files("base"));
    memory.offer("base");
    memory.put("shop", "policies/default.uiap.yaml", set);
    let outcome = build(&memory, "shop", ReleaseChannel::Staging);
    assert!(outcome.built.is_some(), "{:#?}", outcome.diagnostics);
    let bundle = outcome.built.expect("a bundle").bundle;
    let documents = bundle.policies.expect("policies").into_iter().map(|policy| policy.document);
    let policy = CompiledPolicy::compile(documents).expect("policies");
    let principal: PolicyPrincipal = of(&json!({"type": "agent", "id": "a", "grants": ["observe", "act"]}));
    let risk: RiskDescriptor = of(&json!({"level": "safe"}));
    let action = ActionId::new("ui.read").expect("an id");
    let facts = Facts {
        principal: &principal,
        action: &action,
        action_kind: DescribedKind::Primitive,
        action_known: true,
        target: None,
        route: None,
        risk: &risk,
        side_effect: SideEffectClass::Unknown,
        guess: None,
        data_classes: &[],
        mode: None,
    };
    policy.decide(&facts).effect()
}

#[test]
fn the_stricter_policy_wins_in_any_order() {
    proves!["AUT-5.5-4"];
    assert_eq!(decided(&["allow", "deny"]), PolicyEffect::Deny);
    assert_eq!(decided(&["deny", "allow"]), PolicyEffect::Deny);
    assert_eq!(decided(&["allow", "confirm", "allow"]), PolicyEffect::Confirm);
    assert_ne!(decided(&["allow", "allow"]), PolicyEffect::Deny);
}
