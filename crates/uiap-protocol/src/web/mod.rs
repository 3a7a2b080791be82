//! The page as an agent sees it (UIAP Web Profile).
//!
//! [`PageGraph`] is a snapshot, [`WebStateDelta`] what changed since, [`WebSignal`] what happened. A consumer keeps
//! a [`GraphStore`], which applies both. The only module of this crate that knows a word of the web platform.

mod delta;
mod graph;
mod messages;
mod reach;
mod signals;
mod state;
mod store;

pub use delta::{DeltaOp, GraphNode, NodeKind, WebStateDelta};
pub use graph::{
    Boundary, BoundaryKind, Choice, Collection, DocumentNode, ElementNode, ElementSource, Focus, OpaqueKind,
    OpaqueRegion, PageGraph, Rect, RouteState, ScopeKind, ScopeNode, Shadow, Validation, Viewport,
    WebProfile,
};
pub use messages::{
    SnapshotOptions, StateGet, StateResync, StateSnapshot, StateSubscribe, StateSubscribed, StateUnsubscribe,
    StateUnsubscribed,
};
pub use reach::Reach;
pub use signals::{ValidationError, WebSignal, WebSignalBody};
pub use state::WebElementState;
pub use store::{DeltaError, GraphStore};
