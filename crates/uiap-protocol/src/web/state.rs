//! What the web adds to the state of an element.

use crate::capability::UiState;
use crate::wire::Wire;

/// The state of an element on a page.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "CAP-5-1")]
pub struct WebElementState {
    /// It is in the document.
    pub attached: Option<bool>,
    /// It does not move.
    pub stable: Option<bool>,
    /// A part of it is in the viewport.
    pub in_viewport: Option<bool>,
    /// Its value is withheld.
    pub redacted: Option<bool>,
    /// Everything else.
    #[wire(flatten)]
    pub ui: UiState,
}
