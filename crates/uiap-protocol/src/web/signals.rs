//! What happened on a page.

use super::RouteState;
use crate::ids::{ElementInstanceId, Id, RevisionId, ScopeId, Text, VendorForm};
use crate::time::Timestamp;
use crate::wire::{JsonObject, Wire};

/// Something that happened: `web.signal`.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct WebSignal {
    /// Which.
    pub id: Id,
    /// When.
    pub at: Timestamp,
    /// On which revision.
    pub revision: Option<RevisionId>,
    /// What.
    #[wire(flatten)]
    pub body: WebSignalBody,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "kind")]
pub enum WebSignalBody {
    /// The route changed.
    #[wire(word = "route.changed")]
    RouteChanged {
        /// From where.
        from: Option<RouteState>,
        /// To where.
        to: RouteState,
    },
    /// A toast was shown.
    #[wire(word = "toast.shown")]
    ToastShown {
        /// What it says.
        text: String,
        /// Where.
        target: Option<ElementInstanceId>,
    },
    /// A status message changed.
    #[wire(word = "status.changed")]
    StatusChanged {
        /// What it says.
        text: String,
        /// Where.
        target: Option<ElementInstanceId>,
    },
    /// Validation errors came or went.
    #[wire(word = "validation.changed")]
    ValidationChanged {
        /// Where.
        scope_id: Option<ScopeId>,
        /// What is wrong now.
        errors: Vec<ValidationError>,
    },
    /// The focus moved.
    #[wire(word = "focus.changed")]
    FocusChanged {
        /// To where.
        target: Option<ElementInstanceId>,
    },
    /// A dialog opened.
    #[wire(word = "dialog.opened")]
    DialogOpened {
        /// Which.
        scope_id: ScopeId,
    },
    /// A dialog closed.
    #[wire(word = "dialog.closed")]
    DialogClosed {
        /// Which.
        scope_id: ScopeId,
    },
    /// The application created something.
    #[wire(word = "entity.created")]
    EntityCreated {
        /// What kind of thing.
        entity_type: Id,
        /// What the application says about it.
        payload: Option<JsonObject>,
    },
    /// The application changed something.
    #[wire(word = "entity.updated")]
    EntityUpdated {
        /// What kind of thing.
        entity_type: Id,
        /// What the application says about it.
        payload: Option<JsonObject>,
    },
    /// The application deleted something.
    #[wire(word = "entity.deleted")]
    EntityDeleted {
        /// What kind of thing.
        entity_type: Id,
        /// What the application says about it.
        payload: Option<JsonObject>,
    },
    /// A response arrived.
    #[wire(word = "network.response")]
    NetworkResponse {
        /// From where.
        url: String,
        /// With what status.
        status: u16,
    },
    /// Something only the application knows.
    #[wire(word = "custom")]
    Custom {
        /// Its name.
        name: Text,
        /// What comes with it.
        payload: Option<JsonObject>,
    },
    /// A signal of a vendor.
    #[wire(vendor)]
    Vendor(VendorForm),
}

/// One thing that is wrong with a value.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct ValidationError {
    /// Where.
    pub target: Option<ElementInstanceId>,
    /// What.
    pub message: String,
}
