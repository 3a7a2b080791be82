//! Policies: compared by what they decide.
//!
//! Where a rule or a default differs, questions are made from its conditions (and from the actions and elements of
//! the bundles) and put to all policies of the old and of the new bundle. A question that is answered differently is
//! the witness. Where none is, the change counts as grave all the same: nobody can say that it means nothing.

mod questions;
mod trial;

use super::changes::{Changes, Met, meet, quoted};
use super::place::At;
use super::rules::Rule;
use super::witness::Witness;
use questions::{about_defaults, about_redaction, about_rule};
use serde::Serialize;
use serde_json::Value;
use trial::Trial;
use uiap_protocol::authoring::{CompiledBundle, ScopedPolicyDocument};
use uiap_protocol::policy::{
    AuditLevel, AuditSpec, PolicyDefaults, PolicyDocument, PolicyRule, RedactionRule,
};

pub(super) fn compare(at: &At<'_>, old: &CompiledBundle, new: &CompiledBundle, changes: &mut Changes) {
    changes.respelled_list(at, old.policies.as_ref(), new.policies.as_ref());
    if old.policies == new.policies {
        return;
    }
    let mut comparison = Comparison { trial: Trial::new(old, new), changes };
    for met in meet(old.policies.as_ref(), new.policies.as_ref(), |policy| policy.id.as_str()) {
        match met {
            Met::Gone(place, policy) => comparison.removed(&at.gone(place), policy),
            Met::Came(place, policy) => comparison.added(&at.came(place), policy),
            Met::Differs((was_at, was), (is_at, is)) => {
                comparison.policy(&at.both(was_at, is_at), was, is);
            }
        }
    }
}

struct Comparison<'c> {
    trial: Trial,
    changes: &'c mut Changes,
}

impl Comparison<'_> {
    fn removed(&mut self, at: &At<'_>, policy: &ScopedPolicyDocument) {
        let found = self.trial.of_document(&policy.document);
        let witness =
            found.into_iter().next().map_or_else(|| Witness::gone(&policy.document.rules), |it| it.1);
        self.changes.add(Rule::PolicyRemoved, at, format!("The policy \"{}\" is gone.", policy.id), witness);
    }

    fn added(&mut self, at: &At<'_>, policy: &ScopedPolicyDocument) {
        let who = format!("The policy \"{}\"", policy.id);
        let found = self.trial.of_document(&policy.document);
        if found.is_empty() {
            let message = format!("{who} is new and changes no answer.");
            self.changes.add(Rule::PolicyAdded, at, message, Witness::came(&policy.document.id));
        }
        self.tell(at, &format!("{who} is new, and"), found);
    }

    fn tell(&mut self, at: &At<'_>, who: &str, found: Vec<(Rule, Witness)>) {
        for (rule, witness) in found {
            let what = match rule {
                Rule::PolicyStricter => "a question is answered more strictly",
                Rule::PolicyLooser => "a question is answered less strictly",
                Rule::RedactionStricter => "a value is withheld more",
                Rule::RedactionLooser => "a value is withheld less",
                _ => "a question has the same answer with other obligations",
            };
            self.changes.add(rule, at, format!("{who} {what}."), witness);
        }
    }

    fn policy(&mut self, at: &At<'_>, old: &ScopedPolicyDocument, new: &ScopedPolicyDocument) {
        let who = format!("The policy \"{}\"", new.id);
        let rule = Rule::PolicySelectorChanged;
        self.changes.value(rule, &at.member("selector"), (&old.selector, &new.selector), || {
            format!("{who} holds elsewhere or for somebody else.")
        });
        let at = at.member("document");
        let (old, new) = (&old.document, &new.document);
        self.changes.value(Rule::PolicyDocumentIdChanged, &at.member("id"), (&old.id, &new.id), || {
            format!("{who} is the document \"{}\"; it was \"{}\".", new.id, old.id)
        });
        let revisions = (&old.revision, &new.revision);
        self.changes.value(Rule::PolicyRevisionChanged, &at.member("revision"), revisions, || {
            let (was, is) = (quoted(revisions.0.as_ref()), quoted(revisions.1.as_ref()));
            format!("{who} has the revision {is}; it was {was}.")
        });
        self.defaults(&at.member("defaults"), &old.defaults, &new.defaults, &who);
        self.rules(&at.member("rules"), old, new, &who);
        self.redactions(&at.member("redaction"), old, new, &who);
        self.audit(&at.member("audit"), old.audit.as_ref(), new.audit.as_ref(), &who);
        self.changes.metadata(&at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &[]);
    }

    fn defaults(&mut self, at: &At<'_>, old: &PolicyDefaults, new: &PolicyDefaults, who: &str) {
        if old == new {
            return;
        }
        let found = self.trial.ask(about_defaults());
        let mut default = |name: &str, differs: bool| {
            if differs {
                let at = at.member(name);
                let who = format!("{who} has another default {name}:");
                self.proven_or_not(&at, &who, (old, new), found.clone());
            }
        };
        default("onUnknownAction", old.on_unknown_action != new.on_unknown_action);
        default("onNoMatch", old.on_no_match != new.on_no_match);
        default("onMissingGrant", old.on_missing_grant != new.on_missing_grant);
        default("onBlockedRisk", old.on_blocked_risk != new.on_blocked_risk);
        default("onSensitiveRead", old.on_sensitive_read != new.on_sensitive_read);
        default("onUnknownSideEffect", old.on_unknown_side_effect != new.on_unknown_side_effect);
    }

    fn proven_or_not(
        &mut self,
        at: &At<'_>,
        who: &str,
        said: (&impl Serialize, &impl Serialize),
        found: Vec<(Rule, Witness)>,
    ) {
        if found.is_empty() {
            let message = format!("{who} no question that was tried shows what that means.");
            let witness = Witness::values(said.0, said.1);
            self.changes.add(Rule::PolicyUnproven, at, message, witness);
        }
        self.tell(at, who, found);
    }

    fn rules(&mut self, at: &At<'_>, old: &PolicyDocument, new: &PolicyDocument, who: &str) {
        for met in meet(Some(&old.rules), Some(&new.rules), |rule| rule.id.as_str()) {
            match met {
                Met::Gone(place, rule) => {
                    let found = self.trial.of_rule(&rule.id, about_rule(rule));
                    let who = format!("{who} has no rule \"{}\" any more:", rule.id);
                    self.proven_or_not(&at.gone(place), &who, (rule, &Value::Null), found);
                }
                Met::Came(place, rule) => {
                    let found = self.trial.of_rule(&rule.id, about_rule(rule));
                    self.came(&at.came(place), &format!("{who} has the rule \"{}\":", rule.id), rule, found);
                }
                Met::Differs((was_at, was), (is_at, is)) => {
                    self.rule(&at.both(was_at, is_at), was, is, who);
                }
            }
        }
    }

    fn came(&mut self, at: &At<'_>, who: &str, rule: &impl Serialize, found: Vec<(Rule, Witness)>) {
        if found.is_empty() {
            let message = format!("{who} it changes no answer.");
            self.changes.add(Rule::PolicyRuleAdded, at, message, Witness::came(rule));
        }
        self.tell(at, who, found);
    }

    fn rule(&mut self, at: &At<'_>, old: &PolicyRule, new: &PolicyRule, who: &str) {
        let who = format!("{who}, rule \"{}\":", new.id);
        let what_it_says = |rule: &PolicyRule| PolicyRule {
            description: None,
            priority: None,
            reason: None,
            ..rule.clone()
        };
        if what_it_says(old) != what_it_says(new) {
            let questions = about_rule(old).into_iter().chain(about_rule(new));
            let found = self.trial.of_rule(&new.id, questions);
            self.proven_or_not(at, &who, (old, new), found);
        }
        let reworded = || format!("{who} it is explained differently.");
        let rule = Rule::PolicyReasonChanged;
        let texts = (&old.description, &new.description);
        self.changes.value(rule, &at.member("description"), texts, reworded);
        self.changes.value(rule, &at.member("reason"), (&old.reason, &new.reason), reworded);
        let priorities = (&old.priority, &new.priority);
        self.changes.value(Rule::PolicyPriorityChanged, &at.member("priority"), priorities, || {
            format!("{who} it has another priority.")
        });
    }

    fn redactions(&mut self, at: &At<'_>, old: &PolicyDocument, new: &PolicyDocument, who: &str) {
        let (was, is) = (old.redaction.as_ref(), new.redaction.as_ref());
        self.changes.respelled_list(at, was, is);
        for met in meet(was, is, |rule: &RedactionRule| rule.id.as_str()) {
            match met {
                Met::Gone(place, rule) => {
                    let found = self.trial.of_values(about_redaction(rule));
                    let who = format!("{who} has no redaction \"{}\" any more:", rule.id);
                    self.proven_or_not(&at.gone(place), &who, (rule, &Value::Null), found);
                }
                Met::Came(place, rule) => {
                    let found = self.trial.of_values(about_redaction(rule));
                    let who = format!("{who} has the redaction \"{}\":", rule.id);
                    self.came(&at.came(place), &who, rule, found);
                }
                Met::Differs((was_at, was), (is_at, is)) => {
                    let questions = about_redaction(was).into_iter().chain(about_redaction(is));
                    let found = self.trial.of_values(questions);
                    let who = format!("{who}, redaction \"{}\":", is.id);
                    self.proven_or_not(&at.both(was_at, is_at), &who, (was, is), found);
                }
            }
        }
    }

    fn audit(&mut self, at: &At<'_>, old: Option<&AuditSpec>, new: Option<&AuditSpec>, who: &str) {
        let level = |audit: Option<&AuditSpec>| match audit.map(|audit| audit.level) {
            None | Some(AuditLevel::None) => 0,
            Some(AuditLevel::Decisions) => 1,
            Some(AuditLevel::Full) => 2,
        };
        let args = |audit: Option<&AuditSpec>| u8::from(audit.and_then(|it| it.include_args) == Some(true));
        let members = [
            ("level", level(old), level(new), old.map(|it| it.level) != new.map(|it| it.level)),
            (
                "includeArgs",
                args(old),
                args(new),
                old.and_then(|it| it.include_args) != new.and_then(|it| it.include_args),
            ),
        ];
        for (name, was, is, differs) in members {
            let at = at.member(name);
            let witness = Witness::values(&old, &new);
            match is.cmp(&was) {
                std::cmp::Ordering::Less => {
                    let message = format!("{who} writes less down.");
                    self.changes.add(Rule::AuditReduced, &at, message, witness);
                }
                std::cmp::Ordering::Greater => {
                    let message = format!("{who} writes more down.");
                    self.changes.add(Rule::AuditExtended, &at, message, witness);
                }
                std::cmp::Ordering::Equal if differs => self.changes.respelled(&at, &old, &new),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
}
