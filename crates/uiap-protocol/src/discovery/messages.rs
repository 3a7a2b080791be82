//! How a run is asked for and followed.

use super::{DiscoveryEnvironment, DiscoveryPackage, DiscoveryRunStatus, DiscoverySeed};
use crate::ids::{Id, RouteId, RunId, constant};
use crate::wire::Wire;

constant! {
    /// The only status of a paused run.
    PausedStatus, "paused", Some("DSC-14.4-1")
}
constant! {
    /// The only status of a cancelled run.
    CancelledStatus, "cancelled", Some("DSC-14.6-1")
}

/// `uiap.discovery.plan`: what would you explore?
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryPlanPayload", requirement = "DSC-14.1-1")]
pub struct DiscoveryPlan {
    /// Where.
    pub environment: DiscoveryEnvironment,
    /// From where.
    pub seeds: Option<Vec<DiscoverySeed>>,
}

/// A seed that cannot be used.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-14.1-1")]
pub struct RejectedSeed {
    /// Which.
    pub seed: DiscoverySeed,
    /// Why.
    pub reason: String,
}

/// `uiap.discovery.planned`: this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryPlannedPayload", requirement = "DSC-14.1-1")]
pub struct DiscoveryPlanned {
    /// The run it would be.
    pub run_id: RunId,
    /// From how many seeds.
    pub estimated_seed_count: Option<u64>,
    /// From these.
    pub accepted_seeds: Option<Vec<DiscoverySeed>>,
    /// Not from these.
    pub rejected_seeds: Option<Vec<RejectedSeed>>,
}

/// `uiap.discovery.start`: begin.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryStartPayload", requirement = "DSC-14.2-1")]
pub struct DiscoveryStart {
    /// Which run.
    pub run_id: RunId,
}

/// Where a run is once it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-14.2-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryStartedStatus {
    Preparing,
    Seeding,
    Exploring,
}

/// `uiap.discovery.started`: it began.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryStartedPayload", requirement = "DSC-14.2-1")]
pub struct DiscoveryStarted {
    /// Which run.
    pub run_id: RunId,
    /// Where it is.
    pub status: DiscoveryStartedStatus,
}

/// `uiap.discovery.progress`: where a run is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryProgressPayload", requirement = "DSC-14.3-1")]
pub struct DiscoveryProgress {
    /// Which run.
    pub run_id: RunId,
    /// Where it is.
    pub status: DiscoveryRunStatus,
    /// From which seed.
    pub current_seed: Option<DiscoverySeed>,
    /// On which route.
    pub current_route_id: Option<RouteId>,
    /// In which state.
    pub current_state_id: Option<Id>,
    /// States so far.
    pub visited_states: Option<u64>,
    /// Transitions so far.
    pub visited_transitions: Option<u64>,
    /// Routes so far.
    pub discovered_routes: Option<u64>,
    /// Actions so far.
    pub discovered_actions: Option<u64>,
    /// Workflow candidates so far.
    pub discovered_workflow_candidates: Option<u64>,
    /// For people.
    pub note: Option<String>,
}

/// `uiap.discovery.pause`: wait.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryPausePayload", requirement = "DSC-14.4-1")]
pub struct DiscoveryPause {
    /// Which run.
    pub run_id: RunId,
    /// Why.
    pub reason: Option<String>,
}

/// `uiap.discovery.paused`: it waits.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryPausedPayload", requirement = "DSC-14.4-1")]
pub struct DiscoveryPaused {
    /// Which run.
    pub run_id: RunId,
    /// Always `paused`.
    pub status: PausedStatus,
}

/// `uiap.discovery.resume`: go on.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryResumePayload", requirement = "DSC-14.5-1")]
pub struct DiscoveryResume {
    /// Which run.
    pub run_id: RunId,
}

/// `uiap.discovery.resumed`: it goes on.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryResumedPayload", requirement = "DSC-14.5-1")]
pub struct DiscoveryResumed {
    /// Which run.
    pub run_id: RunId,
    /// Where it is.
    pub status: DiscoveryRunStatus,
}

/// `uiap.discovery.cancel`: stop.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryCancelPayload", requirement = "DSC-14.6-1")]
pub struct DiscoveryCancel {
    /// Which run.
    pub run_id: RunId,
    /// Why.
    pub reason: Option<String>,
}

/// `uiap.discovery.cancelled`: it stopped.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryCancelledPayload", requirement = "DSC-14.6-1")]
pub struct DiscoveryCancelled {
    /// Which run.
    pub run_id: RunId,
    /// Always `cancelled`.
    pub status: CancelledStatus,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-14.7-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryResultStatus {
    Completed,
    Failed,
    Cancelled,
}

/// `uiap.discovery.result`: how a run ended, with what it found until then.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryResultPayload", requirement = "DSC-14.7-1")]
pub struct DiscoveryResult {
    /// Which run.
    pub run_id: RunId,
    /// How it ended.
    pub status: DiscoveryResultStatus,
    /// What it found.
    pub package: DiscoveryPackage,
}

/// `uiap.discovery.package.get`: what did it find?
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "DiscoveryPackageGetPayload", requirement = "DSC-14.8-1")]
pub struct DiscoveryPackageGet {
    /// Which run.
    pub run_id: RunId,
}

/// `uiap.discovery.package`: this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-14.8-1")]
pub struct DiscoveryPackagePayload {
    /// What it found.
    pub package: DiscoveryPackage,
}
