//! Finds the rules that may match without looking at the others.
//!
//! Every rule is filed under one member of its condition, the one whose values are rarest among all rules. A question
//! looks up its own values and gets every rule that can match, and few others.

use super::condition::Condition;
use super::pattern::{Pattern, Segment};
use crate::facts::Facts;
use std::collections::HashMap;

/// The place of a rule in the list of all rules.
pub(super) type RuleNumber = u32;

/// A member of a condition that rules can be filed under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Member {
    Action,
    Target,
    Scope,
    Route,
    PrincipalRole,
    RiskTag,
    DataClass,
    SideEffect,
    Role,
}

#[derive(Debug, Default)]
pub(super) struct Index {
    filed: HashMap<Member, Drawer>,
    /// Rules without any of the members.
    everywhere: Vec<RuleNumber>,
}

/// The rules filed under one member.
#[derive(Debug, Default)]
struct Drawer {
    by_value: HashMap<String, Vec<RuleNumber>>,
    by_pattern: Branch,
}

/// Patterns as a tree of their segments.
#[derive(Debug, Default)]
struct Branch {
    literal: HashMap<String, Branch>,
    other: Vec<(Segment, Branch)>,
    here: Vec<RuleNumber>,
}

impl Index {
    pub(super) fn new<'c>(conditions: impl Iterator<Item = (RuleNumber, &'c Condition)> + Clone) -> Self {
        let mut counts: HashMap<(Member, String), usize> = HashMap::new();
        for (_, condition) in conditions.clone() {
            for (member, keys) in members(condition) {
                for key in keys {
                    *counts.entry((member, key.label())).or_default() += 1;
                }
            }
        }
        let rarity = |(member, keys): &(Member, Vec<Key<'_>>)| -> usize {
            keys.iter().filter_map(|key| counts.get(&(*member, key.label()))).sum()
        };
        let mut index = Self::default();
        for (number, condition) in conditions {
            match members(condition).into_iter().min_by_key(rarity) {
                Some((member, keys)) => {
                    let drawer = index.filed.entry(member).or_default();
                    keys.iter().for_each(|key| drawer.file(key, number));
                }
                None => index.everywhere.push(number),
            }
        }
        index
    }

    /// The rules that may match, in their order.
    pub(super) fn candidates(&self, facts: &Facts<'_>) -> Vec<RuleNumber> {
        let mut found = self.everywhere.clone();
        for (member, drawer) in &self.filed {
            drawer.collect(*member, facts, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Drawer {
    fn file(&mut self, key: &Key<'_>, number: RuleNumber) {
        match key {
            Key::Value(value) => self.by_value.entry((*value).to_owned()).or_default().push(number),
            Key::Pattern(segments) => self.by_pattern.grow(segments, number),
        }
    }

    fn collect(&self, member: Member, facts: &Facts<'_>, found: &mut Vec<RuleNumber>) {
        let mut look_up = |value: &str| {
            found.extend(self.by_value.get(value).into_iter().flatten());
            self.by_pattern.collect(value, found);
        };
        let target = facts.target.unwrap_or_default();
        match member {
            Member::Action => look_up(facts.action.as_str()),
            Member::Target => target.stable_id.iter().for_each(|id| look_up(id.as_str())),
            Member::Scope => target.scopes.iter().for_each(|id| look_up(id.as_str())),
            Member::Route => facts.route.iter().for_each(|id| look_up(id.as_str())),
            Member::PrincipalRole => facts.principal.roles.iter().flatten().for_each(|role| look_up(role)),
            Member::RiskTag => facts.tags().for_each(|tag| look_up(tag.as_str())),
            Member::DataClass => facts.data_classes.iter().for_each(|class| look_up(class.as_str())),
            Member::SideEffect => look_up(facts.changes().as_str()),
            Member::Role => target.role.iter().for_each(|role| look_up(role.as_str())),
        }
    }
}

impl Branch {
    fn grow(&mut self, segments: &[Segment], number: RuleNumber) {
        let Some((first, rest)) = segments.split_first() else {
            self.here.push(number);
            return;
        };
        if let Segment::Literal(literal) = first {
            self.literal.entry(literal.clone()).or_default().grow(rest, number);
            return;
        }
        if let Some((_, branch)) = self.other.iter_mut().find(|(segment, _)| segment == first) {
            branch.grow(rest, number);
            return;
        }
        let mut branch = Self::default();
        branch.grow(rest, number);
        self.other.push((first.clone(), branch));
    }

    fn collect(&self, id: &str, found: &mut Vec<RuleNumber>) {
        if self.literal.is_empty() && self.other.is_empty() {
            return;
        }
        let (first, rest) = id.split_once('.').map_or((id, None), |(first, rest)| (first, Some(rest)));
        let literal = self.literal.get(first);
        let other = self.other.iter().filter(|(segment, _)| segment.matches(first)).map(|(_, branch)| branch);
        for branch in literal.into_iter().chain(other) {
            match rest {
                Some(rest) => branch.collect(rest, found),
                None => found.extend(&branch.here),
            }
        }
    }
}

/// What a rule is filed under.
enum Key<'c> {
    Value(&'c str),
    Pattern(&'c [Segment]),
}

impl Key<'_> {
    /// For counting only: patterns that look alike are counted as one.
    fn label(&self) -> String {
        match self {
            Self::Value(value) => (*value).to_owned(),
            Self::Pattern(segments) => format!("{segments:?}"),
        }
    }
}

/// The members that a rule could be filed under, with their values.
fn members(condition: &Condition) -> Vec<(Member, Vec<Key<'_>>)> {
    fn patterns(items: Option<&Vec<Pattern>>) -> Option<Vec<Key<'_>>> {
        let keys = items?.iter().map(|pattern| match pattern {
            Pattern::Exact(id) => Key::Value(id),
            Pattern::Segments(segments) => Key::Pattern(segments),
        });
        Some(keys.collect())
    }
    fn words<'c, T>(items: Option<&'c Vec<T>>, word: fn(&'c T) -> &'c str) -> Option<Vec<Key<'c>>> {
        items.map(|items| items.iter().map(|item| Key::Value(word(item))).collect())
    }
    let all = [
        (Member::Action, patterns(condition.actions.as_ref())),
        (Member::Target, patterns(condition.targets.as_ref())),
        (Member::Scope, patterns(condition.scopes.as_ref())),
        (Member::Route, patterns(condition.routes.as_ref())),
        (Member::PrincipalRole, words(condition.principal_roles.as_ref(), |role| role.as_str())),
        (Member::RiskTag, words(condition.risk_tags.as_ref(), |tag| tag.as_str())),
        (Member::DataClass, words(condition.data_classes.as_ref(), |class| class.as_str())),
        (Member::SideEffect, words(condition.side_effects.as_ref(), |class| class.as_str())),
        (Member::Role, words(condition.roles.as_ref(), |role| role.as_str())),
    ];
    all.into_iter().filter_map(|(member, keys)| keys.map(|keys| (member, keys))).collect()
}
