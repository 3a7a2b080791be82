//! What the policies of a bundle say to everybody, everywhere and always.
//!
//! Who asks, on which route and in which way is not known before something happens. So a rule that depends on it is
//! left out where it would forbid, and counts as spoken where its silence would make a default hold: what is left is
//! the least that any decision will say.

use uiap_policy::{CompileError, CompiledPolicy, Facts};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::policy::{
    ConfirmedBy, PolicyDefaults, PolicyDocument, PolicyEffect, PolicyMatch, PolicyRule,
};
use uiap_protocol::wire::JsonObject;

/// The policies, reduced to what is certain.
#[derive(Debug)]
pub(super) struct Certain {
    /// Rules that hold for every principal, on every route, in every mode.
    rules: CompiledPolicy,
    /// The same without those about a level, which a guess could raise.
    rules_without_levels: CompiledPolicy,
    /// Defaults, behind every rule that might speak in their place.
    defaults: CompiledPolicy,
}

/// The least that will be decided.
#[derive(Clone, Debug)]
pub(super) struct Least {
    pub(super) effect: PolicyEffect,
    /// A person is asked, or it does not happen.
    pub(super) asks_person: bool,
    /// Why, as a sentence.
    pub(super) reason: String,
}

impl Certain {
    pub(super) fn of(bundle: &CompiledBundle) -> Result<Self, CompileError> {
        // A policy that is still selected by something holds only sometimes.
        let policies = bundle.policies.iter().flatten().filter(|policy| policy.selector.is_none());
        let documents = policies.map(|policy| &policy.document);
        Ok(Self {
            rules: CompiledPolicy::compile(documents.clone().map(|document| certain_rules(document, true)))?,
            rules_without_levels: CompiledPolicy::compile(
                documents.clone().map(|document| certain_rules(document, false)),
            )?,
            defaults: CompiledPolicy::compile(documents.map(certain_defaults))?,
        })
    }

    /// The least that will be decided; `described` says that the bundle itself says how risky this is, so that no
    /// runtime guesses.
    pub(super) fn least(&self, facts: &Facts<'_>, described: bool) -> Least {
        let policy = if described { &self.rules } else { &self.rules_without_levels };
        let by_rules = policy.decide(facts);
        let by_default = self.defaults.decide(facts);
        let effect = by_rules.effect().max(by_default.effect());
        let agent_agrees =
            by_rules.effect() == PolicyEffect::Confirm && by_rules.confirmed_by() == ConfirmedBy::Controller;
        let asks_person = by_default.effect() > PolicyEffect::Allow
            || (by_rules.effect() > PolicyEffect::Allow && !agent_agrees);
        let stricter = if by_default.effect() > by_rules.effect() { &by_default } else { &by_rules };
        Least { effect, asks_person, reason: stricter.reason(facts) }
    }
}

/// The rules that hold whenever what they say about action, target and risk is true.
fn certain_rules(document: &PolicyDocument, levels: bool) -> PolicyDocument {
    let is_certain = |rule: &&PolicyRule| {
        depends_on_nothing_else(&rule.when) && (levels || rule.when.risk_levels.is_none())
    };
    PolicyDocument {
        defaults: PolicyDefaults {
            on_no_match: None,
            on_unknown_side_effect: None,
            ..document.defaults.clone()
        },
        rules: document.rules.iter().filter(is_certain).cloned().collect(),
        ..document.clone()
    }
}

fn depends_on_nothing_else(when: &PolicyMatch) -> bool {
    let PolicyMatch {
        actions: _,
        action_kinds: _,
        targets: _,
        risk_levels: _,
        risk_tags: _,
        scopes: None,
        routes: None,
        roles: None,
        side_effects: None,
        data_classes: None,
        principal_types: None,
        principal_roles: None,
        lacks_grant: None,
        has_grant: None,
        execution_modes: None,
        not,
        // What is not understood counts as if it held, also for whoever decides later.
        extra: _,
    } = when
    else {
        return false;
    };
    not.as_deref().is_none_or(is_about_actions_only)
}

/// Only what an action is called is certain enough to say what does not hold.
fn is_about_actions_only(when: &PolicyMatch) -> bool {
    let actions = PolicyMatch {
        actions: when.actions.clone(),
        action_kinds: when.action_kinds.clone(),
        ..PolicyMatch::default()
    };
    *when == actions
}

/// The defaults, and in place of each rule one that allows whenever that rule might speak.
fn certain_defaults(document: &PolicyDocument) -> PolicyDocument {
    let speaks = |rule: &PolicyRule| PolicyRule {
        when: PolicyMatch {
            actions: rule.when.actions.clone(),
            action_kinds: rule.when.action_kinds.clone(),
            not: rule.when.not.clone().filter(|not| is_about_actions_only(not)),
            ..PolicyMatch::default()
        },
        effect: PolicyEffect::Allow,
        obligations: None,
        extra: JsonObject::default(),
        ..rule.clone()
    };
    PolicyDocument {
        // What would change is seen when it happens.
        defaults: PolicyDefaults { on_unknown_side_effect: None, ..document.defaults.clone() },
        rules: document.rules.iter().map(speaks).collect(),
        ..document.clone()
    }
}
