//! Why something is not published.

use super::damage::Damage;
use super::line::{Line, NameTooLong};
use super::parcel::Flaw;
use super::shelves::RELEASES_MAX;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use uiap_protocol::version::PackageVersion;

/// Why something was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The bundle and what belongs to it are not sound.
    #[error("{}", listed(.0))]
    Flawed(Vec<Flaw>),
    /// It was built for no channel, so that no gate of a channel was checked.
    #[error("it was built for no channel, so the gates of {asked} were not checked")]
    NoChannel {
        /// Where to it should go.
        asked: &'static str,
    },
    /// It was built for another channel.
    #[error("it was built for {built_for}, so the gates of {asked} were not checked")]
    OtherChannel {
        /// What it was built for.
        built_for: &'static str,
        /// Where to it should go.
        asked: &'static str,
    },
    /// Nobody who counts says that it passed the gates of the channel.
    #[error(
        "it was not built just now and no trusted key has signed it, so nobody knows whether the gates of {asked} were checked"
    )]
    Unvouched {
        /// Where to it should go.
        asked: &'static str,
    },
    /// Its name is no name of a folder.
    #[error(transparent)]
    Name(#[from] NameTooLong),
    /// The version is taken.
    #[error("{line} has version {version} already, with the {what} {published}; this one has {offered}")]
    Taken {
        /// Where.
        line: Box<Line>,
        /// Which version.
        version: PackageVersion,
        /// What differs.
        what: &'static str,
        /// What is published.
        published: String,
        /// What was offered.
        offered: String,
    },
    /// The same is published without a signature.
    #[error("{line} has version {version} already, without a signature, and a release never changes")]
    TakenUnsigned {
        /// Where.
        line: Box<Line>,
        /// Which version.
        version: PackageVersion,
    },
    /// The version is not above the current one.
    #[error("{line} is at version {current}, and {offered} is not above it")]
    Older {
        /// Where.
        line: Box<Line>,
        /// The version that is current.
        current: PackageVersion,
        /// What was offered.
        offered: PackageVersion,
    },
    /// The caller's gate is closed.
    #[error("{0}")]
    Gate(Box<dyn std::error::Error + Send + Sync>),
    /// Somebody else was faster.
    #[error("somebody else published to {line} at the same time, as number {number}")]
    Overtaken {
        /// Where.
        line: Box<Line>,
        /// The place that both wanted.
        number: u64,
    },
    /// Somebody else is publishing, and does not come to an end.
    #[error("{} publishes to {} and holds {}", owner.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}")), root.display(), lock.display())]
    InUse {
        /// The registry.
        root: PathBuf,
        /// The lock.
        lock: PathBuf,
        /// The process, if it said so.
        owner: Option<u32>,
    },
    /// The folder is not that of a registry.
    #[error("{} is a folder with other things in it, not a registry", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// A row takes no more.
    #[error("{line} has {RELEASES_MAX} releases, which is the most")]
    Full {
        /// Where.
        line: Box<Line>,
    },
    /// The registry is not sound where it is added to.
    #[error("{0}")]
    Damaged(Damage),
    /// The disk does not do what it should. Nothing was published.
    #[error("{} cannot be written: {source}", path.display())]
    Disk {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is published, but the disk did not confirm that this survives a loss of power.
    #[error("it is published, but the disk did not confirm that {} is kept: {source}", path.display())]
    Unconfirmed {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn listed(flaws: &[Flaw]) -> String {
    flaws.iter().map(Flaw::to_string).collect::<Vec<_>>().join("; ")
}

impl PublishError {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Flawed(flaws) => flaws.first().map_or("", Flaw::advice),
            Self::NoChannel { .. } | Self::OtherChannel { .. } => {
                "Build it for that channel, which checks its gates."
            }
            Self::Unvouched { .. } => {
                "Publish the folder of its package, which is built and checked first; or have it signed, and name the key that counts (--trust)."
            }
            Self::Name(_) => "Choose a shorter package id.",
            Self::Taken { .. } | Self::TakenUnsigned { .. } | Self::Older { .. } => {
                "A published version never changes: raise the version, build and publish again."
            }
            Self::Gate(_) => "Nothing was published.",
            Self::Overtaken { .. } => "Look at what is current now, and publish again.",
            Self::InUse { .. } => "Wait for it to end, or end it; the lock ends with the process.",
            Self::Foreign { .. } => "Name an empty folder, or one that is not there yet.",
            Self::Full { .. } => "Begin another registry.",
            Self::Damaged(_) => {
                "`uiap verify --registry` says everything that is wrong. Nothing was published."
            }
            Self::Disk { source, .. } if source.kind() == ErrorKind::Unsupported => {
                "Registries need a file system with hard links. Nothing was published."
            }
            Self::Disk { .. } => "Make the place writable, with room on it. Nothing was published.",
            Self::Unconfirmed { .. } => "Publish the same again; that asks the disk once more.",
        }
    }
}
