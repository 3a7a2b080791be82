//! One exploration.

use super::EvidenceRef;
use crate::ids::{ActionId, Id, RouteId, RunId, Text};
use crate::time::Timestamp;
use crate::web::PageGraph;
use crate::wire::{JsonObject, Wire};

/// Where exploring starts.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "kind", requirement = "DSC-9.1-1", case = "snake_case")]
pub enum DiscoverySeed {
    /// A route.
    Route {
        /// Which.
        route_id: RouteId,
    },
    /// An address.
    Url {
        /// Which.
        url: Text,
    },
    /// An entry of a menu.
    Menu {
        /// How it is called.
        label: Text,
    },
    /// An action.
    Action {
        /// Which.
        action_id: ActionId,
    },
    /// A workflow.
    Workflow {
        /// Which.
        workflow_id: Id,
    },
    /// A document.
    Documentation {
        /// Which.
        r#ref: Text,
    },
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Wire)]
#[wire(requirement = "DSC-10.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryRunStatus {
    Planning,
    Preparing,
    Seeding,
    Exploring,
    Extracting,
    Synthesizing,
    Reviewing,
    Completed,
    Failed,
    Cancelled,
}

/// A run in short.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-10.2-1")]
pub struct DiscoveryRunSummary {
    /// Which.
    pub run_id: RunId,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Where it is.
    pub status: DiscoveryRunStatus,
    /// Where it happened.
    pub environment_id: Id,
    /// As whom.
    pub profile: Option<Id>,
    /// From where.
    pub seeds: Option<Vec<DiscoverySeed>>,
    /// For people.
    pub notes: Option<Vec<String>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A state as it was observed.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-11.2-2")]
pub struct DiscoveryStateSnapshot {
    /// Which.
    pub state_id: Id,
    /// The page.
    pub page_graph: PageGraph,
    /// A picture of it.
    pub screenshot_ref: Option<Text>,
    /// What else backs it.
    pub evidence: Vec<EvidenceRef>,
    /// What makes it the same state again.
    pub fingerprint: Text,
    /// When.
    pub discovered_at: Timestamp,
    /// From where.
    pub entry_seed: Option<DiscoverySeed>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What counts for a fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-11.3-4")]
pub struct StateFingerprintPolicy {
    /// Values do.
    pub include_text_values: Option<bool>,
    /// Collections do.
    pub include_collections: Option<bool>,
    /// Toasts do not.
    pub ignore_transient_toasts: Option<bool>,
    /// Spinners do not.
    pub ignore_spinners: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What is decided about an action before it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-13-2", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryEffect {
    Allow,
    Skip,
    Review,
    Deny,
}

/// Why it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-13-2", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryReason {
    Safe,
    UnknownSideEffect,
    Destructive,
    ExternalEffect,
    Credential,
    Payment,
    SecuritySensitive,
    BudgetExceeded,
    OpaqueBoundary,
    ManualOnly,
}

/// A decision about an action.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-13-2")]
pub struct DiscoveryActionPolicyDecision {
    /// What.
    pub effect: DiscoveryEffect,
    /// Why.
    pub reason: DiscoveryReason,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
