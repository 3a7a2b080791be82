//! What exploring an application yields (UIAP Discovery Mapper).
//!
//! [`DiscoveryPackage`] is the whole: catalogs of what was found, each item with evidence and confidence, a graph
//! of states and transitions, a review queue and a coverage report.

mod catalogs;
mod environment;
mod evidence;
mod messages;
mod package;
mod review;
mod run;

pub use catalogs::{
    ActionCatalog, ActionReviewState, ActionTargetPattern, DiscoveredAction, DiscoveredActionKind,
    DiscoveredElement, DiscoveredRoute, DiscoveredScope, DiscoveredWorkflowCandidate, DiscoveryStateNode,
    DiscoveryTransition, ElementCatalog, ItemReviewState, RouteCatalog, ScopeCatalog, SkeletonStep,
    SkeletonStepType, TransitionGraph, WorkflowCandidateCatalog,
};
pub use environment::{
    AuthMode, DiscoveryBudget, DiscoveryEnvironment, DiscoveryPrincipalProfile, DiscoverySafetyPolicy,
    FlagValue, SafetyMode, ViewportSize,
};
pub use evidence::{Confidence, EvidenceIndex, EvidenceKind, EvidenceRecord, EvidenceRef, EvidenceSource};
pub use messages::{
    CancelledStatus, DiscoveryCancel, DiscoveryCancelled, DiscoveryPackageGet, DiscoveryPackagePayload,
    DiscoveryPause, DiscoveryPaused, DiscoveryPlan, DiscoveryPlanned, DiscoveryProgress, DiscoveryResult,
    DiscoveryResultStatus, DiscoveryResume, DiscoveryResumed, DiscoveryStart, DiscoveryStarted,
    DiscoveryStartedStatus, PausedStatus, RejectedSeed,
};
pub use package::{DiscoveryPackage, DiscoverySpec};
pub use review::{ConfidenceSummary, CoverageReport, ReviewItem, ReviewItemKind, ReviewQueue, Severity};
pub use run::{
    DiscoveryActionPolicyDecision, DiscoveryEffect, DiscoveryReason, DiscoveryRunStatus, DiscoveryRunSummary,
    DiscoverySeed, DiscoveryStateSnapshot, StateFingerprintPolicy,
};
