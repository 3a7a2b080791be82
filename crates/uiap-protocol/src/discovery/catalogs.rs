//! What was found.

use super::{Confidence, EvidenceRef};
use crate::capability::{
    Affordance, ArgDescriptor, RiskDescriptor, Role, StateKey, SuccessSignal, TargetRef,
};
use crate::ids::{ActionId, Id, RouteId, ScopeId, StableId, Text};
use crate::policy::{DataClass, SideEffectClass};
use crate::web::ScopeKind;
use crate::wire::{JsonObject, Wire};
use crate::workflow::{WorkflowCategory, WorkflowCondition, WorkflowParameter};

/// How far the review of a route, element or workflow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-6.4-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ItemReviewState {
    Verified,
    Candidate,
    NeedsReview,
}

/// How far the review of an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-6.5-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ActionReviewState {
    Verified,
    Candidate,
    Unsafe,
    NeedsReview,
}

/// The routes.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.2-1")]
pub struct RouteCatalog {
    /// All of them.
    pub routes: Vec<DiscoveredRoute>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.2-1")]
pub struct DiscoveredRoute {
    /// Which.
    pub route_id: RouteId,
    /// Where it was seen.
    pub urls: Option<Vec<String>>,
    /// How it was called.
    pub titles: Option<Vec<String>>,
    /// What areas it has.
    pub scopes: Option<Vec<ScopeId>>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What leads there.
    pub entry_actions: Option<Vec<Id>>,
    /// What is observed on leaving.
    pub exit_signals: Option<Vec<SuccessSignal>>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// The areas.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.3-1")]
pub struct ScopeCatalog {
    /// All of them.
    pub scopes: Vec<DiscoveredScope>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// An area.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.3-1")]
pub struct DiscoveredScope {
    /// Which.
    pub scope_id: ScopeId,
    /// What kind.
    pub kind: ScopeKind,
    /// On which routes.
    pub route_ids: Option<Vec<RouteId>>,
    /// What surrounds it.
    pub parent_scope_id: Option<ScopeId>,
    /// How it was called.
    pub names: Option<Vec<String>>,
    /// Its stable ids.
    pub stable_ids: Option<Vec<StableId>>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// The elements.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.4-1")]
pub struct ElementCatalog {
    /// All of them.
    pub elements: Vec<DiscoveredElement>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.4-1")]
pub struct DiscoveredElement {
    /// Its stable identity, if it has one.
    pub stable_id: Option<StableId>,
    /// Its identity otherwise.
    pub semantic_key: Text,
    /// On which routes.
    pub routes: Option<Vec<RouteId>>,
    /// In which areas.
    pub scopes: Option<Vec<ScopeId>>,
    /// What it is.
    pub role: Role,
    /// How it was called.
    pub names: Option<Vec<String>>,
    /// What it means.
    pub meanings: Option<Vec<String>>,
    /// What states it showed.
    pub state_keys: Option<Vec<StateKey>>,
    /// What it offers.
    pub affordances: Option<Vec<Affordance>>,
    /// What can be requested of it.
    pub supported_actions: Option<Vec<ActionId>>,
    /// How risky it is.
    pub risk: Option<RiskDescriptor>,
    /// What data it holds.
    pub data_classes: Option<Vec<DataClass>>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// How far its review is.
    pub review_state: Option<ItemReviewState>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// The actions.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.5-1")]
pub struct ActionCatalog {
    /// All of them.
    pub actions: Vec<DiscoveredAction>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What kind of action was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-6.5-1", case = "snake_case")]
pub enum DiscoveredActionKind {
    /// One of the twenty.
    Primitive,
    /// One of the application.
    Domain,
    /// Perhaps one of the application.
    Candidate,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.5-1")]
pub struct DiscoveredAction {
    /// Which.
    pub id: ActionId,
    /// What kind.
    pub kind: DiscoveredActionKind,
    /// What it is aimed at.
    pub target_patterns: Option<Vec<ActionTargetPattern>>,
    /// On which routes.
    pub routes: Option<Vec<RouteId>>,
    /// In which areas.
    pub scopes: Option<Vec<ScopeId>>,
    /// What it takes.
    pub args: Option<Vec<ArgDescriptor>>,
    /// How risky it is.
    pub risk: Option<RiskDescriptor>,
    /// What it changes.
    pub side_effect_class: Option<SideEffectClass>,
    /// How its success is recognised.
    pub success_signals: Option<Vec<SuccessSignal>>,
    /// What must hold before.
    pub prerequisites: Option<Vec<WorkflowCondition>>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// How far its review is.
    pub review_state: Option<ActionReviewState>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What an action is aimed at; members that are absent do not matter.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.5-1")]
pub struct ActionTargetPattern {
    /// What it is.
    pub role: Option<Role>,
    /// Its stable identity.
    pub stable_id: Option<StableId>,
    /// What it means.
    pub meaning: Option<String>,
    /// Where it is.
    pub scope_id: Option<ScopeId>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// States and what leads from one to another.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.6-1")]
pub struct TransitionGraph {
    /// The states.
    pub states: Vec<DiscoveryStateNode>,
    /// The transitions.
    pub edges: Vec<DiscoveryTransition>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.6-1")]
pub struct DiscoveryStateNode {
    /// Which.
    pub state_id: Id,
    /// What makes it the same state again.
    pub fingerprint: Text,
    /// On which route.
    pub route_id: Option<RouteId>,
    /// With what areas.
    pub scope_ids: Option<Vec<ScopeId>>,
    /// With what dialogs.
    pub modal_stack: Option<Vec<String>>,
    /// Where the page is kept.
    pub page_graph_ref: Option<Text>,
    /// Where a picture is kept.
    pub screenshot_ref: Option<Text>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.6-2")]
pub struct DiscoveryTransition {
    /// Which.
    pub transition_id: Id,
    /// From where.
    pub from_state_id: Id,
    /// To where.
    pub to_state_id: Id,
    /// By what.
    pub via_action_id: ActionId,
    /// On what.
    pub target: Option<TargetRef>,
    /// With what.
    pub args: Option<JsonObject>,
    /// What it changed.
    pub side_effect_class: Option<SideEffectClass>,
    /// What was observed.
    pub observed_signals: Option<Vec<SuccessSignal>>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What could become a workflow.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.7-1")]
pub struct WorkflowCandidateCatalog {
    /// All of it.
    pub workflows: Vec<DiscoveredWorkflowCandidate>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Something that could become a workflow.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.7-1")]
pub struct DiscoveredWorkflowCandidate {
    /// Which.
    pub id: Id,
    /// How it is called.
    pub title: Option<String>,
    /// What it is for.
    pub category: Option<WorkflowCategory>,
    /// Where it plays.
    pub route_ids: Option<Vec<RouteId>>,
    /// When it can start.
    pub entry_conditions: Option<Vec<WorkflowCondition>>,
    /// What it needs to know.
    pub required_inputs: Option<Vec<WorkflowParameter>>,
    /// How it goes.
    pub step_skeleton: Vec<SkeletonStep>,
    /// How its success is recognised.
    pub success_signals: Option<Vec<SuccessSignal>>,
    /// What backs it.
    pub discovered_by: Vec<EvidenceRef>,
    /// How sure it is.
    pub confidence: Confidence,
    /// How far its review is.
    pub review_state: Option<ItemReviewState>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What a step would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "WorkflowStepType", requirement = "DSC-6.7-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum SkeletonStepType {
    Instruction,
    Collect,
    Action,
    Ensure,
    Branch,
    Handoff,
    Complete,
}

/// A step in outline.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowStepSkeleton", requirement = "DSC-6.7-1")]
pub struct SkeletonStep {
    /// What it would do.
    pub r#type: SkeletonStepType,
    /// By what action.
    pub action_id: Option<ActionId>,
    /// On what.
    pub target: Option<TargetRef>,
    /// With what.
    pub parameter_names: Option<Vec<String>>,
    /// What would be observed.
    pub signals: Option<Vec<SuccessSignal>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
