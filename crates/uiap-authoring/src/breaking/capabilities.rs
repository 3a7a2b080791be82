//! The capability document.

use super::actions;
use super::changes::{Changes, Pair};
use super::place::At;
use super::rules::Rule;
use super::subjects::Subjects;
use super::witness::Witness;
use serde::Serialize;
use std::fmt::Display;
use uiap_protocol::capability::CapabilityDocument;

pub(super) fn compare(
    at: &At<'_>,
    old: Option<&CapabilityDocument>,
    new: Option<&CapabilityDocument>,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(old), None) => {
            let message = "The capability document is gone.";
            return changes.add(Rule::CapabilitiesRemoved, at, message, Witness::gone(&old.actions));
        }
        (None, Some(new)) => {
            let message = "There is a capability document.";
            return changes.add(Rule::CapabilitiesAdded, at, message, Witness::came(&new.actions));
        }
        (None, None) => return,
    };
    changes.value(
        Rule::CapabilityProfileChanged,
        &at.member("profile"),
        (&old.profile, &new.profile),
        || format!("The capability document is for the profile {}; it was {}.", new.profile, old.profile),
    );
    let mut words = Words { at, changes };
    let removed = Rule::CapabilityRoleRemoved;
    words.compare(removed, "roles", "the role", (Some(&old.roles), Some(&new.roles)));
    let removed = Rule::CapabilityStateKeyRemoved;
    words.compare(removed, "stateKeys", "the state", (Some(&old.state_keys), Some(&new.state_keys)));
    let removed = Rule::CapabilityAffordanceRemoved;
    words.compare(removed, "affordances", "the affordance", (Some(&old.affordances), Some(&new.affordances)));
    let removed = Rule::CapabilityRiskWordRemoved;
    words.compare(removed, "riskLevels", "the risk level", (Some(&old.risk_levels), Some(&new.risk_levels)));
    words.compare(removed, "riskTags", "the risk tag", (old.risk_tags.as_ref(), new.risk_tags.as_ref()));
    let removed = Rule::CapabilitySignalRemoved;
    let kinds = (Some(&old.success_signal_kinds), Some(&new.success_signal_kinds));
    words.compare(removed, "successSignalKinds", "the signal", kinds);
    actions::described(&at.member("actions"), &old.actions, &new.actions, subjects, changes);
    let (was, is) = (old.metadata.as_ref(), new.metadata.as_ref());
    changes.metadata(at, was, is, "The capability document", &[]);
}

struct Words<'c, 'a> {
    at: &'c At<'a>,
    changes: &'c mut Changes,
}

impl Words<'_, '_> {
    fn compare<T: Serialize + Display>(
        &mut self,
        removed: Rule,
        member: &str,
        what: &str,
        lists: (Option<&Vec<T>>, Option<&Vec<T>>),
    ) {
        let rules = Pair { gone: removed, came: Rule::CapabilityWordAdded };
        let who = "The capability document";
        self.changes.words(rules, &self.at.member(member), lists, who, |word, came| {
            let lists = if came { "lists" } else { "does not list any more" };
            let witness = if came { Witness::came(word) } else { Witness::gone(word) };
            (format!("{lists} {what} {word}"), witness)
        });
    }
}
