//! What a session is held under: who is at the other end, what is offered, and the limits.

use uiap_protocol::core::{AppInfo, PeerRole};
use uiap_protocol::ids::{PeerId, ProfileId};
use uiap_protocol::policy::{Grant, PolicyDocument, PolicyPrincipal, PrincipalType};
use uiap_protocol::text::MESSAGE_BYTES_MAX;
use uiap_runtime::life::Millis;
use uiap_runtime::standing::Rights;

/// The version of the protocol that is spoken here.
pub const VERSION: &str = "0.1";
/// The extension that is spoken here, under its canonical id.
pub const POLICY_EXTENSION: &str = "uiap.policy";
/// The older id of the same extension (finding M26).
pub const POLICY_EXTENSION_OLD: &str = "uicp.policy";
/// The extension that is spoken where applications can be mapped.
pub const DISCOVERY_EXTENSION: &str = "uiap.discovery";
/// Where the token of a grant travels: in the extension data of messages to and from a person.
pub const CONSENT_EXTENSION: &str = "x.uiap.consent";

/// Largest message that is taken, in bytes.
pub const INBOUND_BYTES_MAX: usize = MESSAGE_BYTES_MAX;
/// Most requests of one session that wait for their answer.
pub const OPEN_REQUESTS_MAX: usize = 64;
/// Most actions of one session that are under way.
pub const INFLIGHT_ACTIONS_MAX: usize = 16;
/// Most messages that may come at once.
pub const RATE_BURST: u64 = 1_000;
/// Messages per second in the long run.
pub const RATE_PER_SECOND: u64 = 500;
/// How many bad messages in a row end a link.
pub const STRIKES_MAX: u32 = 16;
/// How many ids of messages are remembered, so that none comes twice.
pub const IDS_REMEMBERED: usize = 4_096;
/// Most messages that wait for a peer who does not read.
pub const UNREAD_MAX: usize = 512;
/// Most bytes that wait for a peer who does not read.
pub const UNREAD_BYTES_MAX: usize = 64 * 1024 * 1024;
/// From so many unread messages on, nothing new of the page is added to them.
pub const UNREAD_BUSY: usize = 64;
/// How many messages that were sent are kept for a peer who lost them.
pub const KEPT_MAX: usize = 256;
/// How many bytes of them.
pub const KEPT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How many discovery runs of one session are remembered: planned, under way and ended ones.
pub const RUNS_KEPT_MAX: usize = 8;
/// How many ended actions are remembered.
pub const ENDED_MAX: usize = 256;
/// After so many missed signs of life a link is dead.
pub const HEARTBEATS_MISSED_MAX: u64 = 3;
/// How long actions may take to stop when a session ends.
pub const FAREWELL_MS: Millis = 5_000;

/// Who is at the other end, by the credential that opened the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// A program that acts, and cannot agree to anything.
    Agent,
    /// A person, or a program that the person trusts with that.
    Person,
    /// Somebody who looks.
    Observer,
}

impl Party {
    /// As which peer it counts, whatever its messages say.
    pub fn role(self) -> PeerRole {
        match self {
            Self::Agent => PeerRole::Agent,
            Self::Person => PeerRole::User,
            Self::Observer => PeerRole::Observer,
        }
    }

    pub(crate) fn may_act(self) -> bool {
        self != Self::Observer
    }

    pub(crate) fn may_agree(self) -> bool {
        self == Self::Person
    }
}

/// What is offered, the same to everybody.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The application.
    pub app: AppInfo,
    /// How we call ourselves in messages.
    pub source: PeerId,
    /// The profiles that are spoken.
    pub profiles: Vec<ProfileId>,
    /// The rights of those who act.
    pub rights: Rights,
    /// The rules that hold.
    pub policies: Vec<PolicyDocument>,
    /// Applications can be mapped.
    pub maps: bool,
}

impl Terms {
    /// The rights of a party. Who only looks has no more than that.
    pub fn rights_of(&self, party: Party) -> Rights {
        match party {
            Party::Agent | Party::Person => self.rights.clone(),
            Party::Observer => Rights {
                principal: PolicyPrincipal {
                    r#type: PrincipalType::Observer,
                    grants: Some(vec![Grant::Observe]),
                    roles: None,
                    ..self.rights.principal.clone()
                },
                lent: Vec::new(),
            },
        }
    }
}

/// How a door treats its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// How long the handshake may take. Without it, as long as it likes.
    pub handshake_ms: Option<Millis>,
    /// How often a sign of life is expected. Without it the link itself tells when it ends.
    pub heartbeat_ms: Option<Millis>,
    /// How long an interrupted session waits. Without it, it ends with its link.
    pub resume_window_ms: Option<Millis>,
}
