//! Table tests that a team writes for its policies; `uiap policy test` runs them.

use crate::capability::{ExecutionMode, RiskDescriptor, RiskLevel, Role};
use crate::ids::{ActionId, Id, RouteId, ScopeId, StableId, Text};
use crate::policy::{
    AuditLevel, DataClass, Grant, PolicyEffect, PolicyObligation, PolicyPrincipal, SideEffectClass,
};
use crate::wire::{Decoder, Wire};

/// Questions to policies, and the answers that are expected.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "POL-1", check = PolicyTest::check)]
pub struct PolicyTest {
    /// Files with policies, relative to this one: policy sets or policy documents.
    pub policies: Vec<Text>,
    /// Only these of their policies; without it, all of them hold.
    pub only: Option<Vec<Id>>,
    /// Who asks, where a case does not say it.
    pub principal: PolicyPrincipal,
    /// The questions.
    pub cases: Vec<PolicyTestCase>,
}

impl PolicyTest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        decoder.unique("cases", self.cases.iter().map(|case| case.name.as_str()));
    }
}

/// One question, and the answer that is expected.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyTestCase {
    /// What is shown by it.
    pub name: Text,
    /// The question.
    pub facts: PolicyTestFacts,
    /// The answer.
    pub expect: PolicyTestExpectation,
}

/// What is asked for. What a case does not say is guessed, as the runtime would guess it.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyTestFacts {
    /// Who asks.
    pub principal: Option<PolicyPrincipal>,
    /// For what.
    pub action: ActionId,
    /// Somebody described the action; true unless it is said.
    pub known: Option<bool>,
    /// On which target.
    pub target: Option<StableId>,
    /// In which areas, the innermost first.
    pub scopes: Option<Vec<ScopeId>>,
    /// What the target is.
    pub role: Option<Role>,
    /// How the target is called.
    pub name: Option<String>,
    /// The target is marked as sensitive.
    pub sensitive: Option<bool>,
    /// On which route.
    pub route: Option<RouteId>,
    /// How risky it is declared to be.
    pub risk: Option<RiskDescriptor>,
    /// What would change.
    pub side_effect: Option<SideEffectClass>,
    /// What data is involved.
    pub data_classes: Option<Vec<DataClass>>,
    /// How it would be carried out.
    pub mode: Option<ExecutionMode>,
}

/// What must be decided. Members that are absent do not matter.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyTestExpectation {
    /// What.
    pub effect: PolicyEffect,
    /// By exactly these rules, in any order.
    pub rules: Option<Vec<Id>>,
    /// At least with these obligations.
    pub obligations: Option<Vec<PolicyObligation>>,
    /// With exactly these rights missing, in any order.
    pub missing_grants: Option<Vec<Grant>>,
    /// With this risk.
    pub risk: Option<RiskLevel>,
    /// So much is written down.
    pub audit: Option<AuditLevel>,
}
