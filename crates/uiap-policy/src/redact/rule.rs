//! Whether a value may leave.

use crate::compile::{CompiledPolicy, Pattern};
use crate::grants;
use uiap_protocol::ids::{RouteId, StableId, Text};
use uiap_protocol::policy::{DataClass, Grant, PolicyPrincipal, RedactionMode, RedactionRule, SensitiveRead};

/// What is known about a value that would leave.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueFacts<'v> {
    /// What data it is.
    pub data_classes: &'v [DataClass],
    /// The element that holds it.
    pub target: Option<&'v StableId>,
    /// Where.
    pub route: Option<&'v RouteId>,
    /// The element is marked as sensitive.
    pub sensitive: bool,
}

/// A redaction rule in a form that is quick to ask.
#[derive(Debug)]
pub(crate) struct Redaction {
    data_classes: Option<Vec<DataClass>>,
    targets: Option<Vec<Pattern>>,
    routes: Option<Vec<Pattern>>,
    sensitive: Option<bool>,
    mode: RedactionMode,
    unless_grant: Vec<Grant>,
}

impl Redaction {
    pub(crate) fn new(rule: &RedactionRule) -> Self {
        let patterns = |texts: &Option<Vec<Text>>| {
            texts.as_ref().map(|texts| texts.iter().map(|text| Pattern::new(text.as_str())).collect())
        };
        Self {
            data_classes: rule.when.data_classes.clone(),
            targets: patterns(&rule.when.targets),
            routes: patterns(&rule.when.routes),
            sensitive: rule.when.sensitive,
            mode: rule.mode,
            // An exception that may be limited in a way we do not understand is no exception.
            unless_grant: if rule.extra.is_empty() {
                rule.unless_grant.clone().unwrap_or_default()
            } else {
                Vec::new()
            },
        }
    }

    /// Members of the condition that we do not understand are taken to hold: in doubt, a value stays.
    fn holds(&self, value: &ValueFacts<'_>, principal: &PolicyPrincipal) -> bool {
        let classes = self.data_classes.as_ref();
        let any = |patterns: Option<&Vec<Pattern>>, id: Option<&str>| {
            patterns.is_none_or(|patterns| {
                id.is_some_and(|id| patterns.iter().any(|pattern| pattern.matches(id)))
            })
        };
        classes.is_none_or(|classes| classes.iter().any(|class| value.data_classes.contains(class)))
            && any(self.targets.as_ref(), value.target.map(StableId::as_str))
            && any(self.routes.as_ref(), value.route.map(RouteId::as_str))
            && self.sensitive.is_none_or(|wanted| wanted == value.sensitive)
            && !self.unless_grant.iter().any(|grant| grants::holds(principal, grant))
    }
}

impl CompiledPolicy {
    /// How a value is withheld from a principal, if it is: the strictest of all rules and of what no rule can open.
    pub fn redaction(&self, value: &ValueFacts<'_>, principal: &PolicyPrincipal) -> Option<RedactionMode> {
        let rules = self.documents.iter().flat_map(|document| &document.redaction);
        let by_rules = rules.filter(|rule| rule.holds(value, principal)).map(|rule| rule.mode);
        strictest(by_rules.chain(self.protection(value, principal)))
    }

    /// What holds without any rule.
    fn protection(&self, value: &ValueFacts<'_>, principal: &PolicyPrincipal) -> Option<RedactionMode> {
        let grant = grants::reading(value.data_classes, value.sensitive)?;
        if grants::holds(principal, &grant) {
            return None;
        }
        match (self.on_protected_read(&grant), grant) {
            (SensitiveRead::Allow, _) => None,
            (SensitiveRead::Deny, _) | (SensitiveRead::Redact, Grant::ReadSecret) => {
                Some(RedactionMode::Omit)
            }
            (SensitiveRead::Redact, _) => Some(RedactionMode::Mask),
        }
    }
}

/// Of several ways to withhold a value the one that tells least.
pub(super) fn strictest(modes: impl Iterator<Item = RedactionMode>) -> Option<RedactionMode> {
    modes.max_by_key(|mode| strictness(*mode))
}

/// A digest still tells equal values apart from different ones; a mask tells that there is a value.
fn strictness(mode: RedactionMode) -> u8 {
    match mode {
        RedactionMode::Hash => 0,
        RedactionMode::Mask => 1,
        RedactionMode::Omit => 2,
    }
}
