//! What an application can show, observe and do (UIAP Capability Model).
//!
//! [`CapabilityDocument`] is the whole; the vocabularies are in [`words`](self), states in [`UiState`], what can be
//! asked for in [`ActionDescriptor`], how success is recognised in [`SuccessSignal`].

mod actions;
mod document;
mod signals;
mod state;
mod target;
mod words;

pub use actions::{
    ActionDescriptor, ArgDescriptor, ArgType, DescribedKind, Idempotency, RiskDescriptor, TargetKind,
};
pub use document::CapabilityDocument;
pub use signals::{CountOperator, ScalarValue, SuccessSignal};
pub use state::{Checked, Current, HasPopup, Invalid, Orientation, UiState};
pub use target::TargetRef;
pub use words::{Affordance, ExecutionMode, PrimitiveAction, RiskLevel, RiskTag, Role, SignalKind, StateKey};
