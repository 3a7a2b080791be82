//! How a graph is asked for and followed.

use super::PageGraph;
use crate::ids::{DocumentId, Id, ScopeId};
use crate::wire::Wire;

/// What a snapshot contains.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
pub struct SnapshotOptions {
    /// Only these areas.
    pub scopes: Option<Vec<ScopeId>>,
    /// Only these documents.
    pub documents: Option<Vec<DocumentId>>,
    /// Hidden elements too.
    pub include_hidden: Option<bool>,
    /// Where the elements are.
    #[wire(rename = "includeBBox")]
    pub include_bbox: Option<bool>,
    /// At most so many elements.
    pub max_elements: Option<u64>,
    /// Withhold sensitive values.
    pub redact: Option<bool>,
}

/// `web.state.get`: one snapshot, please.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "WebStateGetPayload")]
pub struct StateGet {
    /// What it contains.
    pub options: Option<SnapshotOptions>,
}

/// `web.state.snapshot`: here it is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WebStateSnapshotPayload")]
pub struct StateSnapshot {
    /// The snapshot.
    pub graph: PageGraph,
}

/// `web.state.subscribe`: keep me informed.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "WebStateSubscribePayload")]
pub struct StateSubscribe {
    /// Of changes.
    pub deltas: Option<bool>,
    /// Of what happens.
    pub signals: Option<bool>,
    /// Not more often than this.
    pub min_interval_ms: Option<u64>,
    /// Only of these areas.
    pub scopes: Option<Vec<ScopeId>>,
}

/// `web.state.subscribed`: from here on.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WebStateSubscribedPayload")]
pub struct StateSubscribed {
    /// Which subscription.
    pub subscription_id: Id,
    /// Where it starts.
    pub graph: PageGraph,
}

/// `web.state.unsubscribe`: no longer.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WebStateUnsubscribePayload")]
pub struct StateUnsubscribe {
    /// Which subscription.
    pub subscription_id: Id,
}

/// `web.state.unsubscribed`: it ended.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WebStateUnsubscribedPayload")]
pub struct StateUnsubscribed {
    /// Which subscription.
    pub subscription_id: Id,
}

/// `web.state.resync`: deltas no longer connect; ask for a snapshot.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WebStateResyncPayload")]
pub struct StateResync {
    /// Why.
    pub reason: String,
}
