//! What can be wrong in the folder of a registry.

use super::parcel::Flaw;
use std::io;
use std::path::{Path, PathBuf};

/// One thing that is wrong, and where.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// A file is gone.
    #[error("{} is missing", path.display())]
    Missing {
        /// Which.
        path: PathBuf,
    },
    /// A file or folder cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file has more bytes, or a folder more names, than are read.
    #[error("{} is too large; at most {max} are read", path.display())]
    TooLarge {
        /// Which.
        path: PathBuf,
        /// Bytes or names.
        max: usize,
    },
    /// A link or a folder stands where a file should be.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// Which.
        path: PathBuf,
    },
    /// Nobody put it there.
    #[error("{} does not belong there", path.display())]
    Unexpected {
        /// Which.
        path: PathBuf,
    },
    /// A file is not what it was.
    #[error("{} was changed: its digest should be {stated} and is {actual}", path.display())]
    Changed {
        /// Which.
        path: PathBuf,
        /// What it was.
        stated: String,
        /// What it is.
        actual: String,
    },
    /// A bundle is not in the form in which it was written.
    #[error("{} was changed: it is not the canonical form of a bundle", path.display())]
    NotCanonical {
        /// Which.
        path: PathBuf,
    },
    /// A pointer holds no digest.
    #[error("{} was changed: it does not hold the digest of a release", path.display())]
    BadEntry {
        /// Which.
        path: PathBuf,
    },
    /// A pointer leads nowhere.
    #[error("{} points to the release {}, which is missing", path.display(), release.display())]
    Dangling {
        /// Which.
        path: PathBuf,
        /// Where it leads.
        release: PathBuf,
    },
    /// A release was followed by another one, and nothing points to it any more.
    #[error("nothing points to {}, which others follow", path.display())]
    Unpointed {
        /// The release.
        path: PathBuf,
    },
    /// A record cannot be read.
    #[error("{} is not a record of this version of uiap", path.display())]
    BadRecord {
        /// Which.
        path: PathBuf,
    },
    /// A record describes another bundle than the one beside it.
    #[error("{} does not describe {}", path.display(), bundle.display())]
    OtherRelease {
        /// The record.
        path: PathBuf,
        /// The bundle.
        bundle: PathBuf,
    },
    /// A release stands in a row that it was not published to.
    #[error("{} points to a release of another package, channel, context or place in the row", path.display())]
    OtherLine {
        /// The pointer.
        path: PathBuf,
    },
    /// A row has a hole, or was put together of others.
    #[error("{} does not follow the release before it", path.display())]
    Broken {
        /// The pointer.
        path: PathBuf,
    },
    /// A bundle, its origins and its signature do not belong together, or the signature does not count.
    #[error("{}: {flaw}", path.display())]
    Flaw {
        /// The bundle.
        path: PathBuf,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// The folder says that it is something else.
    #[error("{} is not that of a registry that this version of uiap knows", path.display())]
    BadMarker {
        /// The file that says it.
        path: PathBuf,
    },
}

impl Damage {
    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Unreadable { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NotAFile { path }
            | Self::Unexpected { path }
            | Self::Changed { path, .. }
            | Self::NotCanonical { path }
            | Self::BadEntry { path }
            | Self::Dangling { path, .. }
            | Self::Unpointed { path }
            | Self::BadRecord { path }
            | Self::OtherRelease { path, .. }
            | Self::OtherLine { path }
            | Self::Broken { path }
            | Self::Flaw { path, .. }
            | Self::BadMarker { path } => path,
        }
    }

    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Unreadable { .. } => "unreadable",
            Self::TooLarge { .. } => "too_large",
            Self::NotAFile { .. } => "not_a_file",
            Self::Unexpected { .. } => "unexpected",
            Self::Changed { .. } | Self::NotCanonical { .. } | Self::BadEntry { .. } => "changed",
            Self::Dangling { .. } => "dangling",
            Self::Unpointed { .. } => "unpointed",
            Self::BadRecord { .. } => "bad_record",
            Self::OtherRelease { .. } | Self::OtherLine { .. } => "misplaced",
            Self::Broken { .. } => "broken_row",
            Self::Flaw { flaw: Flaw::NoSignature, .. } => "unsigned",
            Self::Flaw { flaw: Flaw::Signature(_), .. } => "bad_signature",
            Self::Flaw { .. } => "bad_bundle",
            Self::BadMarker { .. } => "not_a_registry",
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Missing { .. }
            | Self::NotAFile { .. }
            | Self::Changed { .. }
            | Self::NotCanonical { .. }
            | Self::BadEntry { .. }
            | Self::Dangling { .. }
            | Self::Unpointed { .. }
            | Self::OtherRelease { .. }
            | Self::OtherLine { .. }
            | Self::Broken { .. } => "Restore it from a copy of the registry.",
            Self::Unreadable { .. } => "Make it readable for whoever runs uiap.",
            Self::TooLarge { .. } | Self::Unexpected { .. } => {
                "Nothing here writes it; move it out of the registry."
            }
            Self::BadRecord { .. } => "Use a newer uiap, or restore it from a copy of the registry.",
            Self::Flaw { flaw, .. } => flaw.advice(),
            Self::BadMarker { .. } => "Name the folder of a registry, or use a newer uiap.",
        }
    }
}
