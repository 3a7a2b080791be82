//! How a session begins, lives and ends.

use crate::capability::CapabilityDocument;
use crate::ids::{ExtensionId, Id, Locale, MessageId, ProfileId, RevisionId, SessionId, Text, Version};
use crate::policy::{Grant, PolicyPrincipal};
use crate::wire::{JsonObject, Wire};

/// An extension that a peer can speak.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CORE-5")]
pub struct ExtensionOffer {
    /// Which.
    pub id: ExtensionId,
    /// In which versions.
    pub versions: Vec<Version>,
    /// Without it there is no session.
    pub required: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Who speaks, for people.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct PeerInfo {
    /// The name of the program.
    pub name: Text,
    /// Its version.
    pub version: Option<String>,
}

/// Where an interrupted session goes on.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct ResumeSpec {
    /// Which session.
    pub session_id: SessionId,
    /// The last message that arrived.
    pub last_message_id: Option<MessageId>,
    /// The last revision that arrived.
    pub last_revision: Option<RevisionId>,
}

/// A credential. Never logged: its debug form shows the scheme only.
#[derive(Clone, PartialEq, Wire)]
pub struct Auth {
    /// What kind of credential.
    pub scheme: Text,
    /// The credential.
    pub token: Option<String>,
}

impl std::fmt::Debug for Auth {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Auth").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

/// `session.initialize`: shall we talk?
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "SessionInitializePayload")]
pub struct SessionInitialize {
    /// Versions of the protocol.
    pub supported_versions: Vec<Version>,
    /// Profiles.
    #[wire(requirement = "CORE-56")]
    pub supported_profiles: Vec<ProfileId>,
    /// Extensions.
    pub extensions: Option<Vec<ExtensionOffer>>,
    /// Who speaks.
    pub peer: PeerInfo,
    /// For whom.
    pub principal: Option<PolicyPrincipal>,
    /// With what rights.
    pub requested_grants: Option<Vec<Grant>>,
    /// In what language.
    pub locale: Option<Locale>,
    /// Instead of a new session.
    pub resume: Option<ResumeSpec>,
    /// A credential.
    pub auth: Option<Auth>,
    /// What only the sender understands.
    pub metadata: Option<JsonObject>,
}

/// An extension that both sides will speak.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct SelectedExtension {
    /// Which, under the id that was offered.
    pub id: ExtensionId,
    /// In which version.
    pub version: Version,
}

/// An extension that will not be spoken.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct RejectedExtension {
    /// Which.
    pub id: ExtensionId,
    /// Why.
    pub reason: String,
}

/// The application at the other end.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct AppInfo {
    /// Which.
    pub id: Id,
    /// In which version.
    pub version: String,
    /// In what language.
    pub locale: Option<Locale>,
}

/// Who may grant a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum ConfirmationAuthority {
    /// The person at the application.
    User,
    /// Whoever sends requests.
    Controller,
    /// Either.
    Both,
}

/// What a session takes at most.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "SessionLimits")]
pub struct Limits {
    /// Size of one message.
    pub max_message_bytes: Option<u64>,
    /// Actions at the same time.
    pub max_inflight_actions: Option<u64>,
}

/// `session.initialized`: we do.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "SessionInitializedPayload")]
pub struct SessionInitialized {
    /// The new session.
    pub session_id: SessionId,
    /// The version of the protocol.
    pub selected_version: Version,
    /// The profiles.
    #[wire(requirement = "CORE-57")]
    pub selected_profiles: Vec<ProfileId>,
    /// The extensions.
    pub selected_extensions: Option<Vec<SelectedExtension>>,
    /// What will not be spoken.
    pub rejected_extensions: Option<Vec<RejectedExtension>>,
    /// The application.
    pub app: AppInfo,
    /// The rights that hold.
    pub grants: Option<Vec<Grant>>,
    /// The rights that were asked for and are not given.
    pub missing_grants: Option<Vec<Grant>>,
    /// Who may grant a confirmation.
    pub confirmation_authority: Option<ConfirmationAuthority>,
    /// How often a sign of life is expected.
    pub heartbeat_interval_ms: Option<u64>,
    /// How long an interrupted session waits.
    pub resume_window_ms: Option<u64>,
    /// What the session takes at most.
    pub limits: Option<Limits>,
}

/// `session.ping`: are you there?
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "SessionPingPayload")]
pub struct Ping {
    /// Comes back unchanged.
    pub nonce: Option<String>,
}

/// `session.pong`: yes.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "SessionPongPayload")]
pub struct Pong {
    /// What came.
    pub nonce: Option<String>,
}

/// `session.terminate`: goodbye.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "SessionTerminatePayload")]
pub struct SessionTerminate {
    /// Why.
    pub reason: Option<String>,
}

/// `session.terminated`: it is over.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "SessionTerminatedPayload")]
pub struct SessionTerminated {
    /// Why.
    pub reason: Option<String>,
}

/// `session.suspended`: the link broke; the session waits.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "SessionSuspendedPayload")]
pub struct SessionSuspended {
    /// How long.
    pub resume_window_ms: u64,
}

/// `capabilities.list`: what can the application do?
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "CapabilitiesListPayload")]
pub struct CapabilitiesList {
    /// In this profile.
    pub profile: Option<ProfileId>,
}

/// `capabilities.listed`: this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "CapabilitiesListedPayload")]
pub struct CapabilitiesListed {
    /// What it can do.
    pub document: CapabilityDocument,
    /// Which state of it.
    pub revision: Text,
}

/// `capabilities.changed`: ask again.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "CapabilitiesChangedPayload")]
pub struct CapabilitiesChanged {
    /// The new state.
    pub revision: Text,
}
