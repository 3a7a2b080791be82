//! A decision in words, and as a message.

use crate::decide::{Cause, Decision, DefaultKind};
use crate::facts::Facts;
use uiap_protocol::capability::RiskTag;
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{Grant, PolicyDecision, PolicyEffect};
use uiap_protocol::time::Timestamp;

impl Decision<'_> {
    /// Why, in a sentence.
    pub fn reason(&self, facts: &Facts<'_>) -> String {
        match self.causes().first() {
            Some(cause) => self.because(cause, facts),
            None => format!("Nothing speaks against \"{}\".", facts.action),
        }
    }

    /// One cause in a sentence.
    pub fn because(&self, cause: &Cause<'_>, facts: &Facts<'_>) -> String {
        let action = facts.action;
        match cause {
            Cause::Rule { document, rule, understood } => {
                let why = rule.reason.as_deref().or(rule.description.as_deref());
                let why = why.map(|why| format!(" {why}")).unwrap_or_default();
                let doubt = if *understood {
                    ""
                } else {
                    " It has conditions that are not understood here, and counts as if they held."
                };
                let effect = cause.effect();
                format!("The rule \"{}\" of \"{document}\" says {effect}.{why}{doubt}", rule.id)
            }
            Cause::Default { document, kind, effect } => {
                let case = match kind {
                    DefaultKind::UnknownAction => format!("The action \"{action}\" is not known"),
                    DefaultKind::NoMatch => format!("No rule of \"{document}\" speaks about \"{action}\""),
                    DefaultKind::UnknownSideEffect => {
                        format!("Nobody knows what \"{action}\" would change, and no rule speaks about it")
                    }
                };
                format!("{case}; the default of \"{document}\" is {effect}.")
            }
            Cause::Risk { level, effect } => {
                let tags = self.risk().tags.iter().flatten().map(RiskTag::as_str).collect::<Vec<_>>();
                let why = if tags.is_empty() { String::new() } else { format!(" ({})", tags.join(", ")) };
                format!("The risk of \"{action}\" is {level}{why}, which means at least {effect}.")
            }
            Cause::MissingGrants { effect } => {
                let missing = self.missing_grants().iter().map(Grant::as_str).collect::<Vec<_>>();
                let principal = &facts.principal.id;
                let class = facts.changes();
                let missing = missing.join(" and ");
                format!(
                    "\"{principal}\" lacks the grant {missing} for \"{action}\" ({class}), which means {effect}."
                )
            }
            Cause::ProtectedRead { grant, effect: PolicyEffect::Allow } => {
                format!("The value is withheld, because \"{}\" lacks the grant {grant}.", facts.principal.id)
            }
            Cause::ProtectedRead { grant, effect } => {
                let principal = &facts.principal.id;
                format!("\"{principal}\" lacks the grant {grant} to read this value, which means {effect}.")
            }
        }
    }

    /// The decision as a message.
    pub fn to_message(&self, facts: &Facts<'_>, decision_id: Id, decided_at: Timestamp) -> PolicyDecision {
        let obligations: Vec<_> = self.obligations().cloned().collect();
        let missing = self.missing_grants().to_vec();
        PolicyDecision {
            decision_id,
            effect: self.effect(),
            reason: self.reason(facts),
            rule_ids: self.rules().map(|rule| rule.id.clone()).collect(),
            obligations: (!obligations.is_empty()).then_some(obligations),
            effective_risk: self.risk().clone(),
            missing_grants: (!missing.is_empty()).then_some(missing),
            policy_revision: self.revision.cloned(),
            decided_at,
        }
    }
}
