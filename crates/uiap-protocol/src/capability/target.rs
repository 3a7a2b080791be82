//! How a target is named.

use super::Role;
use crate::ids::{ScopeId, StableId, Text};
use crate::wire::Wire;

/// Names a target in exactly one of five ways.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "by", requirement = "CAP-3-2", case = "camelCase")]
pub enum TargetRef {
    /// By the identity that the application gave it.
    StableId {
        /// The identity.
        value: StableId,
    },
    /// A logical area.
    Scope {
        /// The area.
        value: ScopeId,
    },
    /// A route.
    Route {
        /// The route.
        value: Text,
    },
    /// By what it is and how it is called.
    Semantic {
        /// What it is.
        role: Role,
        /// How it is called.
        name: Option<String>,
        /// Where it is.
        scope: Option<ScopeId>,
    },
    /// In a way that an adapter of the application understands.
    Custom {
        /// What the adapter gets.
        value: Text,
    },
}
