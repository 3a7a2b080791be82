//! What a policy says about an action on its target.

use uiap_protocol::action::VerificationPolicy;
use uiap_protocol::capability::{ExecutionMode, RiskDescriptor};
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{
    AuditLevel, ConfirmedBy, DemandedVerification, Grant, PolicyEffect, PolicyObligation,
};
use uiap_protocol::wire::JsonObject;

/// What a policy says about an action on its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// May it happen.
    pub effect: PolicyEffect,
    /// Why.
    pub reason: String,
    /// The risk that holds.
    pub risk: RiskDescriptor,
    /// The modes that are left.
    pub modes: Vec<ExecutionMode>,
    /// By how many signals the outcome must be verified, if a rule demands it.
    pub verification: Option<DemandedVerification>,
    /// What a person is shown who is asked.
    pub preview: Preview,
    /// What led to it.
    pub grounds: Grounds,
}

/// What a person is shown who is asked. Secrets are withheld in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// What would happen, where, with which values: in sentences.
    pub summary: String,
    /// The arguments.
    pub args: Option<JsonObject>,
}

/// Whether an action stays on the page. What nobody knows leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EffectKind {
    /// It changes what is shown, or what is not sent yet.
    Local,
    /// It may change more than that.
    #[default]
    SideEffect,
}

impl EffectKind {
    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::SideEffect => "side_effect",
        }
    }
}

/// What led to a verdict, for the record and for whoever asks why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grounds {
    /// Everything that spoke, the strictest first, one sentence each.
    pub reasons: Vec<String>,
    /// The rules that matched.
    pub rules: Vec<Id>,
    /// The rights that are missing.
    pub missing_grants: Vec<Grant>,
    /// The rights that the person lends for this deed by agreeing to it.
    pub lent_grants: Vec<Grant>,
    /// What must come with it.
    pub obligations: Vec<PolicyObligation>,
    /// Who may agree, where somebody must.
    pub confirmed_by: Option<ConfirmedBy>,
    /// How much is written down.
    pub audit: Option<AuditLevel>,
    /// Who said how risky it is, and where a rule stands.
    pub origins: Vec<String>,
    /// What was decided about that when it was reviewed.
    pub reviews: Vec<String>,
    /// What it is based on.
    pub evidence: Vec<String>,
    /// The bundle that was asked: its package, version and digest.
    pub bundle: Option<String>,
    /// Whether it stays on the page: by the descriptor, else by what action and target are.
    pub effect_kind: EffectKind,
}

impl Verdict {
    /// How the outcome is verified, if it was to be verified so: as planned, or more strictly.
    pub(super) fn raised(&self, planned: VerificationPolicy) -> VerificationPolicy {
        use VerificationPolicy as Policy;
        match (self.verification, planned) {
            (Some(DemandedVerification::All), _) => Policy::All,
            // Something must be seen, and what is for action and target to say.
            (Some(DemandedVerification::Any), Policy::None) => Policy::CapabilityDefault,
            (Some(DemandedVerification::Any) | None, planned) => planned,
        }
    }
}
