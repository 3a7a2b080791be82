//! Sessions and what travels in them (UIAP Core).
//!
//! [`Envelope`] is one message, [`Body`] what it says. Which bodies exist, and whether each is a request, a
//! response or an event, is one table in `messages.rs`.

mod envelope;
mod errors;
mod messages;
mod session;

pub(crate) use envelope::shape_of;
pub use envelope::{Envelope, Exchange, Peer, PeerRole};
pub use errors::{CoreErrorCode, ErrorCode, ErrorPayload};
pub use messages::{Body, MESSAGES, MessageInfo, MessageKind, MessageKinds, VendorMessage};
pub use session::{
    AppInfo, Auth, CapabilitiesChanged, CapabilitiesList, CapabilitiesListed, ConfirmationAuthority,
    ExtensionOffer, Limits, PeerInfo, Ping, Pong, RejectedExtension, ResumeSpec, SelectedExtension,
    SessionInitialize, SessionInitialized, SessionSuspended, SessionTerminate, SessionTerminated,
};
