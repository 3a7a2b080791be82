//! What people should look at, and how much was seen.

use super::EvidenceRef;
use crate::ids::{Id, RouteId, ScopeId, StableId};
use crate::wire::{JsonObject, Wire};

/// How urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Wire)]
#[wire(name = "ReviewSeverity", requirement = "DSC-6.8-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum Severity {
    Low,
    Medium,
    High,
}

/// What people should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-6.8-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ReviewItemKind {
    MissingStableId,
    DuplicateName,
    AmbiguousTarget,
    OpaqueFrame,
    ClosedShadow,
    MissingSuccessSignal,
    UnsafeActionCandidate,
    InferredOnly,
    CoverageGap,
    WorkflowUncertain,
    Custom,
}

/// All that people should look at.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.8-1")]
pub struct ReviewQueue {
    /// One by one.
    pub items: Vec<ReviewItem>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// One thing that people should look at.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-6.8-1")]
pub struct ReviewItem {
    /// Which.
    pub id: Id,
    /// How urgent.
    pub severity: Severity,
    /// What kind.
    pub kind: ReviewItemKind,
    /// On which route.
    pub route_id: Option<RouteId>,
    /// In which area.
    pub scope_id: Option<ScopeId>,
    /// At which element.
    pub stable_id: Option<StableId>,
    /// In a sentence.
    pub description: String,
    /// What backs it.
    pub evidence: Vec<EvidenceRef>,
    /// What would help.
    pub remediation: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How much was seen.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.9-1")]
pub struct CoverageReport {
    /// Seeds.
    pub seeds_total: u64,
    /// Seeds that were visited.
    pub seeds_visited: u64,
    /// Routes.
    pub routes_discovered: u64,
    /// Areas.
    pub scopes_discovered: u64,
    /// Elements.
    pub elements_discovered: u64,
    /// Actions.
    pub actions_discovered: u64,
    /// What could become workflows.
    pub workflow_candidates_discovered: u64,
    /// Where nobody could look.
    pub opaque_regions: u64,
    /// What led nowhere.
    pub unresolved_transitions: u64,
    /// What people should look at.
    pub review_items: u64,
    /// How sure it all is.
    pub confidence_summary: Option<ConfidenceSummary>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How sure routes, areas, elements, actions and workflow candidates are.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-6.9-1")]
pub struct ConfidenceSummary {
    /// Very.
    pub high: u64,
    /// Fairly.
    pub medium: u64,
    /// Hardly.
    pub low: u64,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
