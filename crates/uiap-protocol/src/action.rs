//! The messages of one action's life (UIAP Action Runtime).
//!
//! A controller sends [`ActionRequest`] and gets [`ActionAccepted`] or an error; [`ActionProgress`] follows, and
//! exactly one [`ActionResult`] ends it.

use crate::capability::{ExecutionMode, RiskDescriptor, Role, SuccessSignal, TargetRef};
use crate::ids::constant;
use crate::ids::{
    ActionHandle, ActionId, AlwaysFalse, DocumentId, ElementInstanceId, Id, RevisionId, ScopeId, StableId,
};
use crate::web::Rect;
use crate::wire::{JsonObject, Wire};

/// Where an action is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "RuntimeState", requirement = "ACT-4-1", case = "SCREAMING")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum RuntimeState {
    Received,
    ResolvingTarget,
    CheckingPreconditions,
    AwaitingConfirmation,
    Executing,
    Verifying,
    WaitingForUser,
    Recovering,
    Succeeded,
    Failed,
    Cancelled,
}

/// What a progress event reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(name = "ActionStage", requirement = "ACT-5.2-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum Stage {
    ResolvingTarget,
    CheckingPreconditions,
    AwaitingConfirmation,
    Executing,
    Verifying,
    WaitingForUser,
    Recovering,
}

/// `action.request`: please do this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionRequestPayload", requirement = "ACT-5.1-1")]
pub struct ActionRequest {
    /// What.
    pub action_id: ActionId,
    /// To what.
    pub target: Option<ActionTarget>,
    /// With what.
    pub args: Option<JsonObject>,
    /// How, best first.
    pub preferred_execution_modes: Option<Vec<ExecutionMode>>,
    /// How success is recognised.
    pub verification: Option<VerificationSpec>,
    /// How to show it.
    pub presentation: Option<PresentationHints>,
    /// How long the whole may take, waiting for people aside.
    pub timeout_ms: Option<u64>,
    /// Makes a repeated request the same request.
    pub idempotency_key: Option<Id>,
    /// What only the sender understands.
    pub metadata: Option<JsonObject>,
}

/// What an action is aimed at, and what the sender believes about it.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "ACT-5.1-2")]
pub struct ActionTarget {
    /// The target.
    pub r#ref: Option<TargetRef>,
    /// It must be this.
    pub expected_role: Option<Role>,
    /// It must be called this.
    pub expected_name: Option<String>,
    /// It must be here.
    pub expected_scope_id: Option<ScopeId>,
    /// It must be in this document.
    pub expected_document_id: Option<DocumentId>,
    /// Ambiguity is never allowed; the member exists to say so.
    pub allow_ambiguous: Option<AlwaysFalse>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How strongly a target is pointed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "ACT-5.1-3", case = "snake_case")]
pub enum Highlight {
    /// Not at all.
    None,
    /// A line around it.
    Outline,
    /// Everything else dimmed.
    Spotlight,
}

/// How fast an action is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "ACT-5.1-3", case = "snake_case")]
pub enum Pace {
    /// At once.
    Instant,
    /// So that a person can follow.
    Humanized,
}

/// How an action is shown; never changes what happens.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "ACT-5.1-3")]
pub struct PresentationHints {
    /// A pointer moves to the target.
    pub ghost_cursor: Option<bool>,
    /// The target is pointed out.
    pub highlight: Option<Highlight>,
    /// What is said.
    pub narration: Option<String>,
    /// How fast.
    pub pace: Option<Pace>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

constant! {
    /// The only status of an accepted action.
    Accepted, "accepted", Some("ACT-5.1-5")
}
constant! {
    /// The only status of a cancelled action.
    Cancelled, "cancelled", Some("ACT-5.7-1")
}

/// `action.accepted`: it has a handle now.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionAcceptedPayload", requirement = "ACT-5.1-5")]
pub struct ActionAccepted {
    /// The handle.
    pub action_handle: ActionHandle,
    /// What was accepted.
    pub action_id: ActionId,
    /// Always `accepted`.
    pub status: Accepted,
}

/// `action.progress`: where it is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionProgressPayload", requirement = "ACT-5.2-1")]
pub struct ActionProgress {
    /// Which action.
    pub action_handle: ActionHandle,
    /// Where it is.
    pub stage: Stage,
    /// How it is carried out.
    pub chosen_execution_mode: Option<ExecutionMode>,
    /// To what.
    pub resolved_target: Option<ResolvedTarget>,
    /// For people.
    pub note: Option<String>,
    /// For machines.
    pub detail: Option<JsonObject>,
}

/// `action.confirmation.request`: a person must agree first.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionConfirmationRequestPayload", requirement = "ACT-5.3-1")]
pub struct ConfirmationRequest {
    /// Which action.
    pub action_handle: ActionHandle,
    /// What it is.
    pub action_id: ActionId,
    /// How risky it is.
    pub risk: RiskDescriptor,
    /// What would happen.
    pub preview: Option<ConfirmationPreview>,
}

/// What a person is asked to agree to.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "ACT-5.3-1")]
pub struct ConfirmationPreview {
    /// In a sentence.
    pub summary: Option<String>,
    /// To what.
    pub target: Option<ResolvedTarget>,
    /// With what.
    pub args: Option<JsonObject>,
}

/// `action.confirmation.grant`: go on.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionConfirmationGrantPayload", requirement = "ACT-5.4-1")]
pub struct ConfirmationGrant {
    /// Which action.
    pub action_handle: ActionHandle,
}

/// `action.confirmation.deny`: do not.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionConfirmationDenyPayload", requirement = "ACT-5.5-1")]
pub struct ConfirmationDeny {
    /// Which action.
    pub action_handle: ActionHandle,
    /// Why.
    pub reason: Option<String>,
}

/// `action.confirmation.accepted`: the answer to a grant or denial was taken (finding A18).
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionConfirmationAcceptedPayload")]
pub struct ConfirmationAccepted {
    /// Which action.
    pub action_handle: ActionHandle,
}

/// `action.cancel`: stop it.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionCancelPayload", requirement = "ACT-5.6-1")]
pub struct ActionCancel {
    /// Which action.
    pub action_handle: ActionHandle,
    /// Why.
    pub reason: Option<String>,
}

/// `action.cancelled`: the cancellation was taken; the result still follows.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionCancelledPayload", requirement = "ACT-5.7-1")]
pub struct ActionCancelled {
    /// Which action.
    pub action_handle: ActionHandle,
    /// Always `cancelled`.
    pub status: Cancelled,
    /// Why.
    pub reason: Option<String>,
}

/// How an action ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "ActionStatus", requirement = "ACT-5.8-1", case = "snake_case")]
pub enum ActionStatus {
    /// Verified.
    Succeeded,
    /// Not verified, or not possible.
    Failed,
    /// Stopped or refused by a person.
    Cancelled,
}

/// Whether anything was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "ACT-13.3-1", case = "snake_case")]
pub enum SideEffectState {
    /// Certainly nothing.
    None,
    /// Certainly something.
    Applied,
    /// It cannot be said.
    Unknown,
}

/// `action.result`: how it ended.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionResultPayload", requirement = "ACT-5.8-1")]
pub struct ActionResult {
    /// Which action.
    pub action_handle: ActionHandle,
    /// What it was.
    pub action_id: ActionId,
    /// How it ended.
    pub status: ActionStatus,
    /// How it was carried out.
    pub chosen_execution_mode: Option<ExecutionMode>,
    /// To what.
    pub resolved_target: Option<ResolvedTarget>,
    /// What was observed.
    pub verification: VerificationOutcome,
    /// Whether anything was changed. We always send it (finding A10).
    pub side_effect_state: Option<SideEffectState>,
    /// The revision it was verified on.
    pub state_revision: Option<RevisionId>,
    /// What came back.
    pub return_value: Option<JsonObject>,
    /// What went wrong.
    pub error: Option<RuntimeErrorDescriptor>,
    /// What else is known.
    pub metadata: Option<JsonObject>,
}

/// By which tier a target was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "ACT-6.1-1", case = "camelCase")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ResolvedBy {
    StableId,
    InstanceId,
    Semantic,
    Annotation,
    RuntimeHint,
}

/// The element that an action means.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "ACT-6.1-1")]
pub struct ResolvedTarget {
    /// How it was found.
    pub by: ResolvedBy,
    /// Which element.
    pub instance_id: ElementInstanceId,
    /// Its stable identity.
    pub stable_id: Option<StableId>,
    /// Its document.
    pub document_id: DocumentId,
    /// Its scope.
    pub scope_id: Option<ScopeId>,
    /// What it is.
    pub role: Role,
    /// How it is called.
    pub name: Option<String>,
    /// Where it is.
    pub bbox: Option<Rect>,
}

/// How many of the expected signals must be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "ACT-6.2-1", case = "kebab-case")]
pub enum VerificationPolicy {
    /// What action or target declare.
    CapabilityDefault,
    /// One.
    Any,
    /// Every one.
    All,
    /// None; the outcome is then called unverified.
    None,
}

/// How success is recognised.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "ACT-6.2-1")]
pub struct VerificationSpec {
    /// How many signals.
    pub policy: Option<VerificationPolicy>,
    /// Which signals.
    pub signals: Option<Vec<SuccessSignal>>,
    /// How long to wait, once execution ended.
    pub timeout_ms: Option<u64>,
    /// The page must have changed.
    pub require_revision_advance: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What was observed.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "ACT-6.3-1")]
pub struct VerificationOutcome {
    /// It was enough.
    pub passed: bool,
    /// By which policy.
    pub policy: VerificationPolicy,
    /// What was seen.
    pub observed: Vec<SuccessSignal>,
    /// What was not.
    pub missing: Option<Vec<SuccessSignal>>,
    /// How long was waited at most.
    pub timeout_ms: Option<u64>,
}

/// What can go wrong with an action. The last three are ours (finding A6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "ACT-6.4-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum RuntimeErrorCode {
    ActionUnsupported,
    TargetRequired,
    TargetNotFound,
    TargetAmbiguous,
    StaleTarget,
    TargetNotInteractable,
    ConfirmationDenied,
    UserActivationRequired,
    CrossOriginUnavailable,
    ClosedShadowUnavailable,
    ExecutionModeUnavailable,
    VerificationFailed,
    UnsafeRetryRefused,
    Cancelled,
    InternalRuntimeError,
    PolicyDenied,
    InvalidArguments,
    Timeout,
}

/// What went wrong with an action.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "ACT-6.4-1")]
pub struct RuntimeErrorDescriptor {
    /// What kind.
    pub code: RuntimeErrorCode,
    /// In a sentence.
    pub message: String,
    /// Trying again may help.
    pub retryable: Option<bool>,
    /// For machines.
    pub detail: Option<JsonObject>,
}
