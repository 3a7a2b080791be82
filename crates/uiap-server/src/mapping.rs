//! The port through which sessions get applications mapped: the binary knows browsers and folders, a session does not.
//!
//! Start at [`Mapper::plan`]. What is planned is an [`Expedition`], which runs once or never.

use std::pin::Pin;
use std::sync::Arc;
use uiap_discovery::explore::{Control, Watcher};
use uiap_protocol::core::CoreErrorCode;
use uiap_protocol::discovery::{DiscoveryPackage, DiscoveryPlan, DiscoverySeed};
use uiap_protocol::ids::RunId;

/// Largest package that is sent in a message, in bytes.
pub const PACKAGE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How much of what a plan says is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Where to explore and from where, and nothing that would loosen what protects the application.
    Bounds,
    /// Everything: whoever asks administers what is explored.
    Everything,
}

/// Why something is not planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It must not be explored, or not like this.
    #[error("{message}")]
    Forbidden {
        /// Why, and what would be allowed.
        message: String,
    },
    /// The plan makes no sense.
    #[error("{message}")]
    Unsound {
        /// Why, and what would.
        message: String,
    },
    /// Something is missing on this machine.
    #[error("{message}")]
    Missing {
        /// What, and how to get it.
        message: String,
    },
}

impl PlanError {
    /// What it is on the wire.
    pub fn code(&self) -> CoreErrorCode {
        match self {
            Self::Forbidden { .. } => CoreErrorCode::Forbidden,
            Self::Unsound { .. } => CoreErrorCode::InvalidPayload,
            Self::Missing { .. } => CoreErrorCode::InternalError,
        }
    }
}

/// A run that could begin.
pub struct Planned {
    /// Its name, which no other run has.
    pub run_id: RunId,
    /// From where it would start.
    pub accepted: Vec<DiscoverySeed>,
    /// From where it cannot, and why.
    pub rejected: Vec<(DiscoverySeed, String)>,
    /// The run.
    pub expedition: Box<dyn Expedition>,
}

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The package; its run says how it ended.
    pub package: DiscoveryPackage,
    /// It is all there is. Otherwise it is larger than [`PACKAGE_BYTES_MAX`], and this is its outline, which says in
    /// the notes of its run where the whole is.
    pub is_whole: bool,
}

/// Plans runs.
pub trait Mapper: Send + Sync {
    /// Every plan is a new run (finding S21). Nothing is begun by it.
    fn plan(
        &self,
        plan: DiscoveryPlan,
        trust: Trust,
    ) -> Pin<Box<dyn Future<Output = Result<Planned, PlanError>> + Send + '_>>;
}

/// A run that could begin.
pub trait Expedition: Send {
    /// Explores. There is a package however it ends, even if nothing could be explored (finding S2).
    fn run(
        self: Box<Self>,
        control: Control,
        watcher: Arc<dyn Watcher>,
    ) -> Pin<Box<dyn Future<Output = Found> + Send>>;

    /// The package of a run that was given up before it began.
    fn give_up(self: Box<Self>) -> Found;
}
