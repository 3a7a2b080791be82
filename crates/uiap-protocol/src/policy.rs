//! May this happen, and what must come with it (UIAP Policy Extension).
//!
//! The types of policy documents and decisions; the function that decides is in `uiap-policy`.

use crate::action::{ResolvedTarget, VerificationPolicy};
use crate::capability::{DescribedKind, ExecutionMode, RiskDescriptor, RiskLevel, RiskTag, Role, TargetRef};
use crate::finding::Code;
use crate::ids::{ActionId, Id, ModelVersion, RouteId, Text, VendorName};
use crate::text_value::LocalizedText;
use crate::time::Timestamp;
use crate::wire::{Book, Decoder, JsonObject, Shape, Wire};

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "POL-16", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum PrincipalType {
    User,
    Agent,
    Bridge,
    Observer,
    System,
}

/// What a principal may do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Wire)]
#[wire(name = "PolicyGrant", requirement = "POL-18", case = "snake_case")]
pub enum Grant {
    /// Look.
    Observe,
    /// Point out, focus and navigate.
    Guide,
    /// Write what can be taken back.
    Draft,
    /// Do ordinary things.
    Act,
    /// Do privileged things.
    Admin,
    /// Read sensitive values.
    #[wire(word = "read.sensitive")]
    ReadSensitive,
    /// Read secrets.
    #[wire(word = "read.secret")]
    ReadSecret,
    /// Write sensitive values.
    #[wire(word = "write.sensitive")]
    WriteSensitive,
    /// Change what is paid.
    Billing,
    /// Change who somebody is.
    Identity,
    /// Change what protects.
    Security,
    /// A grant of a vendor.
    #[wire(vendor)]
    Vendor(VendorName),
}

/// What kind of data a value is. The last two are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "POL-30", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DataClass {
    Public,
    Internal,
    Personal,
    Sensitive,
    Credential,
    Secret,
    Payment,
    Health,
}

/// What an action changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "POL-33", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum SideEffectClass {
    None,
    Navigation,
    LocalUi,
    Draft,
    ReversibleWrite,
    PersistentWrite,
    ExternalEffect,
    IdentityChange,
    BillingChange,
    SecurityChange,
    Destructive,
    Irreversible,
    Unknown,
}

/// What a policy says. Ordered: a later effect is stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Wire)]
#[wire(requirement = "POL-31", case = "snake_case")]
pub enum PolicyEffect {
    /// It may happen.
    Allow,
    /// It may happen once a person agreed.
    Confirm,
    /// A person must do it.
    Handoff,
    /// It may not happen.
    Deny,
}

/// Who asks, and with what rights.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "POL-17")]
pub struct PolicyPrincipal {
    /// What kind of principal.
    pub r#type: PrincipalType,
    /// Who.
    pub id: Id,
    /// In what roles.
    pub roles: Option<Vec<String>>,
    /// With what rights.
    pub grants: Option<Vec<Grant>>,
}

/// The rules of an application.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "POL-1", check = PolicyDocument::check)]
pub struct PolicyDocument {
    /// Always `0.1`.
    pub model_version: ModelVersion,
    /// Which.
    pub id: Id,
    /// Which state of it.
    pub revision: Option<Text>,
    /// What holds where no rule does.
    pub defaults: PolicyDefaults,
    /// The rules.
    pub rules: Vec<PolicyRule>,
    /// What is withheld.
    pub redaction: Option<Vec<RedactionRule>>,
    /// What is written down.
    pub audit: Option<AuditSpec>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl PolicyDocument {
    fn check(&self, decoder: &mut Decoder<'_>) {
        decoder.unique("rules", self.rules.iter().map(|rule| rule.id.as_str()));
        for (index, rule) in
            self.rules.iter().enumerate().filter(|(_, rule)| rule.when == PolicyMatch::default())
        {
            decoder.at("rules", |decoder| {
                decoder.at_index(index, |decoder| {
                    let message = format!("The rule \"{}\" holds for everything.", rule.id);
                    let help = "Say when it holds, or use \"defaults\".";
                    decoder.at("when", |decoder| decoder.warning(Code::Inconsistent, message, help));
                });
            });
        }
    }
}

/// What is said about something that may not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum Refusal {
    /// It may not happen.
    Deny,
    /// A person must do it.
    Handoff,
}

/// What is said about reading a sensitive value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum SensitiveRead {
    /// It may be read.
    Allow,
    /// It is withheld.
    Redact,
    /// The reading is refused.
    Deny,
}

/// What holds where no rule does.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "POL-31")]
pub struct PolicyDefaults {
    /// The action is not known.
    pub on_unknown_action: PolicyEffect,
    /// No rule says anything.
    pub on_no_match: Option<PolicyEffect>,
    /// A right is missing.
    pub on_missing_grant: Option<Refusal>,
    /// The risk is `blocked`.
    pub on_blocked_risk: Option<Refusal>,
    /// A sensitive value is read.
    pub on_sensitive_read: Option<SensitiveRead>,
    /// Nobody knows what would change.
    pub on_unknown_side_effect: Option<PolicyEffect>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyRule {
    /// Which.
    pub id: Id,
    /// For people.
    pub description: Option<String>,
    /// Orders reasons; never makes a stricter rule give way.
    pub priority: Option<crate::wire::Number>,
    /// When it holds.
    pub when: PolicyMatch,
    /// What it says.
    pub effect: PolicyEffect,
    /// Why.
    pub reason: Option<String>,
    /// What must come with it.
    pub obligations: Option<Vec<PolicyObligation>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// When a rule holds: all members must match, any item of a member will do.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
pub struct PolicyMatch {
    /// Action ids; `*` stands for any characters of a segment.
    pub actions: Option<Vec<Text>>,
    /// Kinds of action.
    pub action_kinds: Option<Vec<DescribedKind>>,
    /// Stable ids of targets.
    pub targets: Option<Vec<Text>>,
    /// Scopes of targets.
    pub scopes: Option<Vec<Text>>,
    /// Routes.
    pub routes: Option<Vec<Text>>,
    /// Roles of targets.
    pub roles: Option<Vec<Role>>,
    /// Risk levels.
    pub risk_levels: Option<Vec<RiskLevel>>,
    /// Risk tags.
    pub risk_tags: Option<Vec<RiskTag>>,
    /// What would change.
    pub side_effects: Option<Vec<SideEffectClass>>,
    /// What data is involved.
    pub data_classes: Option<Vec<DataClass>>,
    /// Kinds of principal.
    pub principal_types: Option<Vec<PrincipalType>>,
    /// Roles of the principal.
    pub principal_roles: Option<Vec<Text>>,
    /// Rights the principal has not.
    pub lacks_grant: Option<Vec<Grant>>,
    /// Rights the principal has.
    pub has_grant: Option<Vec<Grant>>,
    /// Ways of carrying it out.
    pub execution_modes: Option<Vec<ExecutionMode>>,
    /// This must not match.
    pub not: Option<Box<PolicyMatch>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Who may agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum ConfirmedBy {
    /// The person.
    User,
    /// Whoever sent the request.
    Controller,
}

/// How much is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum AuditLevel {
    /// Nothing.
    None,
    /// What was decided.
    Decisions,
    /// Everything.
    Full,
}

/// How much is written down about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum ObligedAudit {
    /// What was decided.
    Decisions,
    /// Everything.
    Full,
}

/// How a value is withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum RedactionMode {
    /// Shown as a mask.
    Mask,
    /// Left out.
    Omit,
    /// Replaced by a digest.
    Hash,
}

/// How many signals a policy demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum DemandedVerification {
    /// One.
    Any,
    /// Every one.
    All,
}

impl From<DemandedVerification> for VerificationPolicy {
    fn from(demanded: DemandedVerification) -> Self {
        match demanded {
            DemandedVerification::Any => Self::Any,
            DemandedVerification::All => Self::All,
        }
    }
}

/// What must come with a decision.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "kind", case = "camelCase")]
pub enum PolicyObligation {
    /// A person agrees first.
    Confirm {
        /// Who.
        by: Option<ConfirmedBy>,
        /// What they are told.
        message: Option<LocalizedText>,
    },
    /// It is written down.
    Audit {
        /// How much.
        level: Option<ObligedAudit>,
    },
    /// Something is withheld.
    Redact {
        /// Which data.
        data_classes: Option<Vec<DataClass>>,
        /// Which members.
        fields: Option<Vec<Text>>,
        /// How.
        mode: Option<RedactionMode>,
    },
    /// Only some ways of carrying it out.
    LimitModes {
        /// Which.
        modes: Vec<ExecutionMode>,
    },
    /// The outcome is verified.
    RequireVerification {
        /// By how many signals.
        policy: DemandedVerification,
    },
    /// Somebody is told.
    Notify {
        /// What.
        message: LocalizedText,
    },
}

/// What is withheld, and when.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct RedactionRule {
    /// Which.
    pub id: Id,
    /// When it holds.
    pub when: RedactionMatch,
    /// How.
    pub mode: RedactionMode,
    /// Unless the principal has one of these rights.
    pub unless_grant: Option<Vec<Grant>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// When something is withheld.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
pub struct RedactionMatch {
    /// For this data.
    pub data_classes: Option<Vec<DataClass>>,
    /// For these targets.
    pub targets: Option<Vec<Text>>,
    /// On these routes.
    pub routes: Option<Vec<Text>>,
    /// For sensitive elements.
    pub sensitive: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What is written down.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct AuditSpec {
    /// How much.
    pub level: AuditLevel,
    /// With the arguments.
    pub include_args: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What was decided, and why.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyDecision {
    /// Which decision.
    pub decision_id: Id,
    /// What.
    pub effect: PolicyEffect,
    /// Why, in a sentence.
    pub reason: String,
    /// By which rules.
    pub rule_ids: Vec<Id>,
    /// What must come with it.
    pub obligations: Option<Vec<PolicyObligation>>,
    /// The risk that holds.
    pub effective_risk: RiskDescriptor,
    /// What rights are missing.
    pub missing_grants: Option<Vec<Grant>>,
    /// By which state of the policy.
    pub policy_revision: Option<Text>,
    /// When.
    pub decided_at: Timestamp,
}

/// A target in a question to the policy: named or found already.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyTarget {
    /// Named.
    Named(TargetRef),
    /// Found.
    Resolved(Box<ResolvedTarget>),
}

impl serde::Serialize for PolicyTarget {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(target) => target.serialize(serializer),
            Self::Resolved(target) => target.serialize(serializer),
        }
    }
}

impl Wire for PolicyTarget {
    fn shape(book: &mut Book) -> Shape {
        Shape::Either(vec![TargetRef::shape(book), ResolvedTarget::shape(book)])
    }

    /// A found target has an instance id, a named one never has.
    fn decode<'t>(node: &'t crate::text::Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        if node.member("instanceId").is_some() {
            return Box::<ResolvedTarget>::decode(node, decoder).map(Self::Resolved);
        }
        TargetRef::decode(node, decoder).map(Self::Named)
    }
}

/// `uiap.policy.evaluate`: what would be decided?
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PolicyEvaluateInput {
    /// Who asks.
    pub principal: PolicyPrincipal,
    /// For what.
    pub action_id: ActionId,
    /// On what.
    pub target: Option<PolicyTarget>,
    /// With what.
    pub args: Option<JsonObject>,
    /// How.
    pub execution_mode: Option<ExecutionMode>,
    /// What would change.
    pub side_effect_class: Option<SideEffectClass>,
    /// What data is involved.
    pub data_classes: Option<Vec<DataClass>>,
    /// Where.
    pub route_id: Option<RouteId>,
}

/// `uiap.policy.get`: what are the rules?
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "PolicyGetPayload")]
pub struct PolicyGet {
    /// Only this document.
    pub id: Option<Id>,
}

/// `uiap.policy.document`: these are the rules.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "PolicyDocumentPayload")]
pub struct PolicyDocuments {
    /// All documents that hold.
    pub documents: Vec<PolicyDocument>,
}

/// `uiap.policy.decision`: this would be decided.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "PolicyDecisionPayload")]
pub struct PolicyDecided {
    /// The decision.
    pub decision: PolicyDecision,
}

/// `uiap.policy.changed`: ask again.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "PolicyChangedPayload")]
pub struct PolicyChanged {
    /// The new state of the policy.
    pub revision: Text,
}

/// `uiap.policy.audit`: this was decided.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "PolicyAuditPayload")]
pub struct PolicyAudit {
    /// For what.
    pub action_id: ActionId,
    /// For whom.
    pub principal: PolicyPrincipal,
    /// The decision.
    pub decision: PolicyDecision,
}
