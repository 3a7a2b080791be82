//! When a rule holds, in a form that is quick to ask.

use super::pattern::Pattern;
use crate::facts::Facts;
use crate::grants::holds;
use uiap_protocol::capability::{DescribedKind, ExecutionMode, RiskLevel, RiskTag, Role};
use uiap_protocol::ids::{RouteId, StableId, Text};
use uiap_protocol::policy::{DataClass, Grant, PolicyMatch, PrincipalType, SideEffectClass};

/// Whether a condition holds. Ordered, so that "and" is the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// It does not.
    No,
    /// It has a part that we do not understand; all others hold.
    Unsure,
    /// It does.
    Yes,
}

impl Truth {
    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unsure => Self::Unsure,
            Self::Yes => Self::No,
        }
    }
}

/// The condition of one rule. A member that is absent holds.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(super) actions: Option<Vec<Pattern>>,
    action_kinds: Option<Vec<DescribedKind>>,
    pub(super) targets: Option<Vec<Pattern>>,
    pub(super) scopes: Option<Vec<Pattern>>,
    pub(super) routes: Option<Vec<Pattern>>,
    pub(super) roles: Option<Vec<Role>>,
    risk_levels: Option<Vec<RiskLevel>>,
    pub(super) risk_tags: Option<Vec<RiskTag>>,
    pub(super) side_effects: Option<Vec<SideEffectClass>>,
    pub(super) data_classes: Option<Vec<DataClass>>,
    principal_types: Option<Vec<PrincipalType>>,
    pub(super) principal_roles: Option<Vec<Text>>,
    lacks_grant: Option<Vec<Grant>>,
    has_grant: Option<Vec<Grant>>,
    execution_modes: Option<Vec<ExecutionMode>>,
    not: Option<Box<Condition>>,
    /// It has members of a later version or of a vendor, so nobody here can say whether it holds.
    not_understood: bool,
}

impl Condition {
    pub(crate) fn new(when: &PolicyMatch) -> Self {
        let patterns = |texts: &Option<Vec<Text>>| {
            texts.as_ref().map(|texts| texts.iter().map(|text| Pattern::new(text.as_str())).collect())
        };
        Self {
            actions: patterns(&when.actions),
            action_kinds: when.action_kinds.clone(),
            targets: patterns(&when.targets),
            scopes: patterns(&when.scopes),
            routes: patterns(&when.routes),
            roles: when.roles.clone(),
            risk_levels: when.risk_levels.clone(),
            risk_tags: when.risk_tags.clone(),
            side_effects: when.side_effects.clone(),
            data_classes: when.data_classes.clone(),
            principal_types: when.principal_types.clone(),
            principal_roles: when.principal_roles.clone(),
            lacks_grant: when.lacks_grant.clone(),
            has_grant: when.has_grant.clone(),
            execution_modes: when.execution_modes.clone(),
            not: when.not.as_deref().map(|inner| Box::new(Self::new(inner))),
            not_understood: !when.extra.is_empty(),
        }
    }

    /// Whether the rule speaks about actions by name.
    pub(crate) fn names_actions(&self) -> bool {
        self.actions.is_some()
    }

    /// Whether the rule speaks about a place, or about this level of risk in so many words.
    pub(crate) fn names_place_or(&self, level: RiskLevel) -> bool {
        let place = self.targets.is_some() || self.scopes.is_some() || self.routes.is_some();
        place || self.risk_levels.as_ref().is_some_and(|levels| levels.contains(&level))
    }

    /// Whether the condition holds for these facts.
    pub(crate) fn holds(&self, facts: &Facts<'_>) -> Truth {
        if !self.plain_members_hold(facts) {
            return Truth::No;
        }
        let inner = self.not.as_ref().map_or(Truth::Yes, |inner| inner.holds(facts).not());
        let own = if self.not_understood { Truth::Unsure } else { Truth::Yes };
        own.min(inner)
    }

    fn plain_members_hold(&self, facts: &Facts<'_>) -> bool {
        let target = facts.target.unwrap_or_default();
        let stable_id = target.stable_id.map(StableId::as_str);
        let route = facts.route.map(RouteId::as_str);
        let roles = || facts.principal.roles.iter().flatten();
        any(self.action_kinds.as_ref(), |kind| *kind == facts.action_kind)
            && any(self.principal_types.as_ref(), |r#type| *r#type == facts.principal.r#type)
            && any(self.side_effects.as_ref(), |class| *class == facts.changes())
            && any(self.execution_modes.as_ref(), |mode| facts.mode == Some(*mode))
            && any(self.risk_levels.as_ref(), |level| *level == facts.risk_level())
            && any(self.data_classes.as_ref(), |class| facts.data_classes.contains(class))
            && any(self.risk_tags.as_ref(), |tag| facts.has_tag(tag))
            && any(self.roles.as_ref(), |role| target.role == Some(role))
            && any(self.actions.as_ref(), |pattern| pattern.matches(facts.action.as_str()))
            && any(self.targets.as_ref(), |pattern| stable_id.is_some_and(|id| pattern.matches(id)))
            && any(self.routes.as_ref(), |pattern| route.is_some_and(|id| pattern.matches(id)))
            && any(self.scopes.as_ref(), |pattern| {
                target.scopes.iter().any(|scope| pattern.matches(scope.as_str()))
            })
            && any(self.principal_roles.as_ref(), |role| roles().any(|held| held == role.as_str()))
            && any(self.has_grant.as_ref(), |grant| holds(facts.principal, grant))
            && any(self.lacks_grant.as_ref(), |grant| !holds(facts.principal, grant))
    }
}

/// A member that is absent holds; one that is there holds if one of its items does.
fn any<T>(items: Option<&Vec<T>>, holds: impl FnMut(&T) -> bool) -> bool {
    items.is_none_or(|items| items.iter().any(holds))
}
