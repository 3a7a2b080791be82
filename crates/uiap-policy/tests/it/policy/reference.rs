//! The compiled policy against an evaluator that scans all rules in order, written for being obvious.

use crate::policy::support::{Question, compiled, yaml};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use uiap_policy::Facts;
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::policy::{
    Grant, PolicyDocument, PolicyEffect, PolicyMatch, PolicyObligation, PolicyPrincipal, Refusal,
    SensitiveRead, SideEffectClass,
};

/// `*` stands for any characters of a segment, but a segment is never empty.
fn glob(pattern: &str, id: &str) -> bool {
    fn segment(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            (['*', rest @ ..], _) if segment(rest, text) => true,
            (['*', ..], [_, shorter @ ..]) => segment(pattern, shorter),
            ([p, pattern @ ..], [t, text @ ..]) if p == t => segment(pattern, text),
            _ => false,
        }
    }
    let patterns: Vec<&str> = pattern.split('.').collect();
    let parts: Vec<&str> = id.split('.').collect();
    let chars = |text: &str| text.chars().collect::<Vec<_>>();
    patterns.len() == parts.len()
        && patterns.iter().zip(parts).all(|(p, part)| !part.is_empty() && segment(&chars(p), &chars(part)))
}

fn has(principal: &PolicyPrincipal, wanted: &Grant) -> bool {
    let ladder = [Grant::Observe, Grant::Guide, Grant::Draft, Grant::Act, Grant::Admin];
    let enough = match ladder.iter().position(|grant| grant == wanted) {
        Some(step) => ladder.into_iter().skip(step).collect(),
        None => vec![wanted.clone()],
    };
    principal.grants.iter().flatten().any(|held| enough.contains(held))
}

/// `None`: nobody can say.
fn matches(when: &PolicyMatch, facts: &Facts<'_>) -> Option<bool> {
    let target = facts.target.unwrap_or_default();
    let globs = |patterns: &Option<Vec<uiap_protocol::ids::Text>>, ids: Vec<String>| match patterns {
        None => true,
        Some(patterns) => patterns.iter().any(|p| ids.iter().any(|id| glob(p.as_str(), id))),
    };
    let tags: Vec<String> = facts
        .risk
        .tags
        .iter()
        .flatten()
        .map(ToString::to_string)
        .chain(match facts.side_effect {
            SideEffectClass::Destructive => Some("destructive".to_owned()),
            SideEffectClass::Irreversible => Some("irreversible".to_owned()),
            SideEffectClass::BillingChange => Some("billing".to_owned()),
            SideEffectClass::SecurityChange => Some("security".to_owned()),
            SideEffectClass::IdentityChange => Some("identity".to_owned()),
            SideEffectClass::ExternalEffect => Some("external_effect".to_owned()),
            _ => None,
        })
        .collect();
    let sure = globs(&when.actions, vec![facts.action.to_string()])
        && when.action_kinds.as_ref().is_none_or(|kinds| kinds.contains(&facts.action_kind))
        && globs(&when.targets, target.stable_id.iter().map(ToString::to_string).collect())
        && globs(&when.scopes, target.scopes.iter().map(ToString::to_string).collect())
        && globs(&when.routes, facts.route.iter().map(ToString::to_string).collect())
        && when.roles.as_ref().is_none_or(|roles| target.role.is_some_and(|role| roles.contains(role)))
        && when.risk_levels.as_ref().is_none_or(|levels| levels.contains(&facts.risk_level()))
        && when
            .risk_tags
            .as_ref()
            .is_none_or(|wanted| wanted.iter().any(|tag| tags.contains(&tag.to_string())))
        && when.side_effects.as_ref().is_none_or(|classes| classes.contains(&facts.side_effect))
        && when
            .data_classes
            .as_ref()
            .is_none_or(|c| c.iter().any(|class| facts.data_classes.contains(class)))
        && when.principal_types.as_ref().is_none_or(|types| types.contains(&facts.principal.r#type))
        && when.principal_roles.as_ref().is_none_or(|roles| {
            roles.iter().any(|role| facts.principal.roles.iter().flatten().any(|held| held == role.as_str()))
        })
        && when
            .lacks_grant
            .as_ref()
            .is_none_or(|grants| grants.iter().any(|grant| !has(facts.principal, grant)))
        && when
            .has_grant
            .as_ref()
            .is_none_or(|grants| grants.iter().any(|grant| has(facts.principal, grant)))
        && when
            .execution_modes
            .as_ref()
            .is_none_or(|modes| facts.mode.is_some_and(|mode| modes.contains(&mode)));
    let inner = when.not.as_ref().map_or(Some(true), |not| matches(not, facts).map(|holds| !holds));
    match (sure, inner) {
        (false, _) | (_, Some(false)) => Some(false),
        (true, _) if !when.extra.is_empty() => None,
        (true, inner) => inner,
    }
}

/// What must hold, and by which rules, found by reading everything from top to bottom.
fn reference(documents: &[PolicyDocument], facts: &Facts<'_>) -> (PolicyEffect, Vec<String>, bool) {
    let mut effect = PolicyEffect::Allow;
    let mut rules = Vec::new();
    let refusal = |said: &Refusal| match said {
        Refusal::Deny => PolicyEffect::Deny,
        Refusal::Handoff => PolicyEffect::Handoff,
    };
    for document in documents {
        let mut spoke = false;
        let mut named = false;
        for rule in &document.rules {
            let asks = |o: &PolicyObligation| matches!(o, PolicyObligation::Confirm { .. });
            let own = if rule.obligations.iter().flatten().any(asks) {
                rule.effect.max(PolicyEffect::Confirm)
            } else {
                rule.effect
            };
            let holds = match matches(&rule.when, facts) {
                Some(holds) => holds,
                None => own != PolicyEffect::Allow,
            };
            if holds {
                spoke = true;
                named |= rule.when.actions.is_some();
                effect = effect.max(own);
                rules.push(rule.id.to_string());
            }
        }
        if !facts.action_known && !named {
            effect = effect.max(document.defaults.on_unknown_action);
        }
        if !spoke {
            effect = effect.max(document.defaults.on_no_match.unwrap_or(PolicyEffect::Allow));
            if facts.side_effect == SideEffectClass::Unknown {
                effect = effect.max(document.defaults.on_unknown_side_effect.unwrap_or(PolicyEffect::Allow));
            }
        }
    }
    match facts.risk_level() {
        RiskLevel::Blocked => {
            effect = effect.max(PolicyEffect::Handoff);
            let said = documents.iter().filter_map(|document| document.defaults.on_blocked_risk.as_ref());
            effect = said.map(refusal).fold(effect, Ord::max);
        }
        RiskLevel::Confirm => effect = effect.max(PolicyEffect::Confirm),
        RiskLevel::Safe if !facts.action_known => effect = effect.max(PolicyEffect::Confirm),
        RiskLevel::Safe => {}
    }
    let missing = !grants_suffice(facts);
    if missing {
        effect = effect.max(PolicyEffect::Handoff);
        let said = documents.iter().filter_map(|document| document.defaults.on_missing_grant.as_ref());
        effect = said.map(refusal).fold(effect, Ord::max);
    }
    if reads_protected(facts)
        && documents.iter().any(|d| d.defaults.on_sensitive_read == Some(SensitiveRead::Deny))
    {
        effect = PolicyEffect::Deny;
    }
    rules.sort();
    (effect, rules, missing)
}

fn protected(facts: &Facts<'_>) -> Option<Grant> {
    let words: Vec<_> = facts.data_classes.iter().map(ToString::to_string).collect();
    let any = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if any(&["credential", "secret", "payment"]) {
        Some(Grant::ReadSecret)
    } else if any(&["sensitive", "health"]) || facts.target.is_some_and(|target| target.sensitive) {
        Some(Grant::ReadSensitive)
    } else {
        None
    }
}

fn reads_protected(facts: &Facts<'_>) -> bool {
    let reads = match facts.action.as_str() {
        "ui.read" => true,
        action if action.starts_with("ui.") || action.starts_with("nav.") => false,
        _ => matches!(facts.side_effect.to_string().as_str(), "none" | "navigation" | "local_ui"),
    };
    reads && protected(facts).is_some_and(|grant| !has(facts.principal, &grant))
}

fn grants_suffice(facts: &Facts<'_>) -> bool {
    let class = facts.side_effect.to_string();
    let needed = match class.as_str() {
        "none" => Grant::Observe,
        "navigation" | "local_ui" => Grant::Guide,
        "draft" => Grant::Draft,
        "destructive" | "irreversible" => Grant::Admin,
        "billing_change" => Grant::Billing,
        "security_change" => Grant::Security,
        "identity_change" => Grant::Identity,
        _ => Grant::Act,
    };
    let writes = match facts.action.as_str() {
        "ui.enterText" => true,
        "ui.read" | "ui.focus" => false,
        _ => !["none", "navigation", "local_ui"].contains(&class.as_str()),
    };
    has(facts.principal, &needed)
        && (!writes || protected(facts).is_none() || has(facts.principal, &Grant::WriteSensitive))
}

const IDS: &[&str] =
    &["a", "a.b", "a.c", "ab.b", "b.a.c", "ui.read", "ui.enterText", "ui.focus", "ui.activate"];
const PATTERNS: &[&str] =
    &["a", "*", "a.*", "*.b", "a*.b", "*.*", "b.*.c", "ui.*", "ui.read", "a.b", "a.c", "*a*.*"];
const TAGS: &[&str] = &["destructive", "external_effect", "billing", "legal", "x.acme.odd"];
const CLASSES: &[&str] = &["public", "personal", "sensitive", "credential", "health"];
const EFFECTS: &[&str] = &[
    "none",
    "navigation",
    "local_ui",
    "draft",
    "persistent_write",
    "external_effect",
    "destructive",
    "unknown",
];
const GRANTS: &[&str] =
    &["observe", "guide", "act", "admin", "read.sensitive", "write.sensitive", "x.acme.own"];
const ROLES: &[&str] = &["button", "link", "textbox", "x.acme.card"];
const MODES: &[&str] = &["appAction", "semanticUi", "visionAssist"];

/// A member of a condition, or nothing.
fn member(name: &'static str, words: &'static [&'static str], chance: f64) -> impl Strategy<Value = String> {
    let items = subsequence(words, 0..=3.min(words.len()));
    proptest::option::weighted(chance, items)
        .prop_map(move |items| items.map_or_else(String::new, |items| format!("{name}: {items:?}, ")))
}

fn plain_condition() -> impl Strategy<Value = String> {
    let ids = (
        member("actions", PATTERNS, 0.5),
        member("targets", PATTERNS, 0.2),
        member("scopes", PATTERNS, 0.2),
        member("routes", PATTERNS, 0.2),
    );
    let words = (
        member("actionKinds", &["primitive", "domain"], 0.1),
        member("roles", ROLES, 0.15),
        member("riskLevels", &["safe", "confirm", "blocked"], 0.2),
        member("riskTags", TAGS, 0.2),
        member("sideEffects", EFFECTS, 0.15),
        member("dataClasses", CLASSES, 0.15),
    );
    let who = (
        member("principalTypes", &["user", "agent", "bridge"], 0.1),
        member("principalRoles", &["editor", "viewer"], 0.1),
        member("hasGrant", GRANTS, 0.1),
        member("lacksGrant", GRANTS, 0.1),
        member("executionModes", MODES, 0.1),
        proptest::option::weighted(0.05, Just("later: 1, ")).prop_map(Option::unwrap_or_default),
    );
    (ids, words, who).prop_map(|(i, w, p)| {
        [i.0, i.1, i.2, i.3, w.0, w.1, w.2, w.3, w.4, w.5, p.0, p.1, p.2, p.3, p.4, p.5.to_owned()].concat()
    })
}

fn condition() -> impl Strategy<Value = String> {
    (plain_condition(), proptest::option::weighted(0.2, plain_condition())).prop_map(|(own, not)| {
        let not = not.map(|not| format!("not: {{{not}}}")).unwrap_or_default();
        format!("{{{own}{not}}}")
    })
}

fn rule() -> impl Strategy<Value = String> {
    let effect = select(&["allow", "confirm", "handoff", "deny"][..]);
    let obligations = select(&["", "obligations: [{kind: audit}], ", "obligations: [{kind: confirm}], "][..]);
    (condition(), effect, obligations, 0..4_i32).prop_map(|(when, effect, obligations, priority)| {
        format!("when: {when}, effect: {effect}, {obligations}priority: {priority}")
    })
}

fn defaults() -> impl Strategy<Value = String> {
    let effect = || select(&["allow", "confirm", "handoff", "deny"][..]);
    let maybe = |name: &'static str, words: &'static [&'static str]| {
        proptest::option::of(select(words))
            .prop_map(move |word| word.map_or_else(String::new, |word| format!(", {name}: {word}")))
    };
    (
        effect(),
        maybe("onNoMatch", &["allow", "confirm", "handoff", "deny"]),
        maybe("onMissingGrant", &["deny", "handoff"]),
        maybe("onBlockedRisk", &["deny", "handoff"]),
        maybe("onSensitiveRead", &["allow", "redact", "deny"]),
        maybe("onUnknownSideEffect", &["allow", "confirm", "deny"]),
    )
        .prop_map(|(unknown, a, b, c, d, e)| format!("{{onUnknownAction: {unknown}{a}{b}{c}{d}{e}}}"))
}

fn policy_document() -> impl Strategy<Value = PolicyDocument> {
    (defaults(), prop::collection::vec(rule(), 0..12)).prop_map(|(defaults, rules)| {
        let rules: Vec<_> =
            rules.iter().enumerate().map(|(n, rule)| format!("{{id: r{n}, {rule}}}")).collect();
        let rules = rules.join(", ");
        yaml(&format!("{{modelVersion: '0.1', id: p, defaults: {defaults}, rules: [{rules}]}}"))
    })
}

fn question() -> impl Strategy<Value = Question> {
    let who = (
        select(&["user", "agent", "bridge"][..]),
        subsequence(&["editor", "viewer", "owner"][..], 0..=2),
        subsequence(GRANTS, 0..=GRANTS.len()),
    );
    let what = (
        select(IDS),
        proptest::option::of(select(IDS)),
        subsequence(IDS, 0..=2),
        proptest::option::of(select(IDS)),
    );
    let risk = (
        select(&["safe", "confirm", "blocked"][..]),
        subsequence(TAGS, 0..=2),
        select(EFFECTS),
        subsequence(CLASSES, 0..=2),
    );
    let rest = (
        any::<bool>(),
        any::<bool>(),
        proptest::option::of(select(ROLES)),
        proptest::option::of(select(MODES)),
    );
    (who, what, risk, rest).prop_map(|(who, what, risk, rest)| {
        let mut question = Question::new(what.0);
        question.principal =
            yaml(&format!("{{type: {}, id: p, roles: {:?}, grants: {:?}}}", who.0, who.1, who.2));
        question.target = what.1.map(yaml);
        question.scopes = what.2.into_iter().map(yaml).collect();
        question.route = what.3.map(yaml);
        question.risk = yaml(&format!("{{level: {}, tags: {:?}}}", risk.0, risk.1));
        question.side_effect = yaml(risk.2);
        question.data_classes = risk.3.into_iter().map(yaml).collect();
        question.known = rest.0 || question.action.as_str().starts_with("ui.");
        question.sensitive = rest.1;
        question.role = rest.2.map(yaml);
        question.mode = rest.3.map(yaml::<ExecutionMode>);
        question
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn indexes_change_nothing(
        documents in prop::collection::vec(policy_document(), 0..4),
        questions in prop::collection::vec(question(), 8),
    ) {
        let policy = compiled(documents.clone());
        for question in questions {
            let facts = question.facts();
            let decision = policy.decide(&facts);
            let mut rules: Vec<_> = decision.rules().map(|rule| rule.id.to_string()).collect();
            rules.sort();
            let found = (decision.effect(), rules, !decision.missing_grants().is_empty());
            prop_assert_eq!(found, reference(&documents, &facts));
        }
    }

    #[test]
    fn another_document_never_relaxes(
        documents in prop::collection::vec(policy_document(), 1..4),
        another in policy_document(),
        question in question(),
    ) {
        uiap_testkit::proves!["POL-35"];
        let facts = question.facts();
        let before = compiled(documents.clone()).decide(&facts).effect();
        let after = compiled(documents.into_iter().chain([another])).decide(&facts).effect();
        prop_assert!(after >= before);
    }

    #[test]
    fn a_condition_nobody_understands_never_relaxes(document in policy_document(), question in question()) {
        let facts = question.facts();
        let before = compiled([document.clone()]).decide(&facts).effect();
        let mut clouded = document;
        for rule in clouded.rules.iter_mut().filter(|rule| rule.effect == PolicyEffect::Allow) {
            if rule.obligations.is_none() {
                rule.when.extra.insert("later".to_owned(), 1.into());
            }
        }
        prop_assert!(compiled([clouded]).decide(&facts).effect() >= before);
    }

    #[test]
    fn the_order_of_rules_changes_no_effect(document in policy_document(), question in question()) {
        let facts = question.facts();
        let before = compiled([document.clone()]).decide(&facts).effect();
        let mut turned = document;
        turned.rules.reverse();
        prop_assert_eq!(compiled([turned]).decide(&facts).effect(), before);
    }
}
