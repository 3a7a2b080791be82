//! What whoever explores knows beside the atlas.

use crate::atlas::Passage;
use serde::Serialize;
use uiap_protocol::discovery::{
    DiscoveryActionPolicyDecision, DiscoveryEnvironment, DiscoveryRunStatus, DiscoveryRunSummary,
    EvidenceRecord,
};
use uiap_protocol::ids::{ActionId, ExtensionId, Id, ProfileId, RouteId};
use uiap_protocol::time::Timestamp;

/// What whoever explores knows beside the atlas. Nothing in it may be secret: it is written down as it is.
#[derive(Clone, Debug)]
pub struct Record {
    /// The run. Its seeds may be left out: the atlas knows them.
    pub run: DiscoveryRunSummary,
    /// Where it happened, with its feature flags. Budgets and safety are those of the atlas, whatever stands here.
    pub environment: DiscoveryEnvironment,
    /// Why it was allowed to happen.
    pub authorisation: Authorisation,
    /// What the application speaks.
    pub available: Available,
    /// When which phase began, in order.
    pub phases: Vec<Phase>,
    /// How long exploring took, in milliseconds; pauses count, as they do for the budget.
    pub used_ms: u64,
    /// Evidence that is kept: page graphs, pictures, accessibility trees, network logs, documents. What belongs to a
    /// state or a transition names it by the ids of [`super::state_id`] and [`super::transition_id`].
    pub evidence: Vec<EvidenceRecord>,
    /// What the accessibility trees of states say is there.
    pub heard: Vec<Heard>,
    /// Decisions that were made beside those about the choices of the atlas.
    pub decisions: Vec<Decision>,
    /// What went wrong in the application itself.
    pub errors: Vec<AppError>,
    /// Requests that nobody asked for: at loading, by a timer, on leaving.
    pub loose: Vec<Loose>,
}

impl Record {
    /// The record of a run of which nothing more is known.
    pub fn new(
        run: DiscoveryRunSummary,
        environment: DiscoveryEnvironment,
        authorisation: Authorisation,
    ) -> Self {
        Self {
            run,
            environment,
            authorisation,
            available: Available::default(),
            phases: Vec::new(),
            used_ms: 0,
            evidence: Vec::new(),
            heard: Vec::new(),
            decisions: Vec::new(),
            errors: Vec::new(),
            loose: Vec::new(),
        }
    }
}

/// Why somebody may explore an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Authorisation {
    /// Why.
    pub basis: AuthorisationBasis,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// On what an authorisation rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorisationBasis {
    /// It runs on this machine.
    Loopback,
    /// Its address stands in an environment file.
    EnvironmentFile,
    /// Somebody said so when they started the run.
    Declared,
}

/// What an application speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// Profiles.
    pub profiles: Vec<ProfileId>,
    /// Extensions.
    pub extensions: Vec<ExtensionId>,
    /// What was read of the application itself: annotations, registry, policies, workflows.
    pub read: Vec<String>,
}

/// The beginning of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Which.
    pub status: DiscoveryRunStatus,
    /// When.
    pub at: Timestamp,
}

/// Something that an accessibility tree says is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// In which state.
    pub state: Id,
    /// Its role, in the words of ARIA.
    pub role: String,
    /// How it is called.
    pub name: String,
}

/// A decision about an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In which state.
    pub state: Option<Id>,
    /// About what.
    pub action: ActionId,
    /// What.
    pub decision: DiscoveryActionPolicyDecision,
}

/// Something that went wrong in the application itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AppError {
    /// In which state, if it was one.
    pub state: Option<Id>,
    /// On which route.
    pub route: Option<RouteId>,
    /// What, in a sentence and without data of people.
    pub what: String,
}

/// A request that nobody asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loose {
    /// In which state.
    pub state: Option<Id>,
    /// The request.
    pub passage: Passage,
}
