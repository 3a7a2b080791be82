//! The registry: a folder of published bundles that only grows.
//!
//! Start at [`Registry::publish`]; [`Registry::current`] reads what is current, [`Registry::verify`] finds everything
//! that is wrong in the folder. How the folder is laid out is told in `shelves`, and why in decision 11.
//!
//! A release is made in a temporary folder, renamed into its place, and then one pointer to it is added. That is the
//! one step at which it becomes visible, and of two publishers who try to add the same one, one fails.

mod damage;
mod disk;
mod error;
mod line;
mod offer;
mod parcel;
mod publish;
mod record;
mod shelves;
mod signing;
mod verify;

pub use damage::Damage;
pub use disk::{Disk, Held, RealDisk};
pub use error::PublishError;
pub use line::{FILE_NAME_BYTES_MAX, Line, NameTooLong};
pub use offer::{Maker, Offer};
pub use parcel::{BUNDLE_MEMBER, Flaw, Inspection, Parcel, comment_on};
pub use publish::{Gate, LOCK_WAIT, Published};
pub use record::Record;
pub use shelves::{NAMES_MAX, ORIGINS_ENDING, RELEASES_MAX, Release, SIGNATURE_ENDING};
pub use signing::{KeyError, KeyFiles, SecretFile, SigningKey};
pub use verify::{DAMAGES_MAX, Found, Report};

use shelves::Shelves;
use std::path::{Path, PathBuf};
use std::time::Duration;
use uiap_protocol::seal::TrustedKey;

/// The folder of a registry, and how it is written to.
#[derive(Clone, Debug)]
pub struct Registry<D = RealDisk> {
    shelves: Shelves,
    disk: D,
    lock_wait: Duration,
}

impl Registry {
    /// The registry in a folder, which the first publisher makes.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self::on(RealDisk, root)
    }
}

impl<D: Disk> Registry<D> {
    /// The registry in a folder of some disk.
    pub fn on(disk: D, root: impl Into<PathBuf>) -> Self {
        Self { shelves: Shelves { root: root.into() }, disk, lock_wait: LOCK_WAIT }
    }

    /// Waits for other publishers no longer than that.
    #[must_use]
    pub fn waiting(self, lock_wait: Duration) -> Self {
        Self { lock_wait, ..self }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.shelves.root
    }

    /// Whether something of a registry is in its folder, however damaged.
    pub fn exists(&self) -> bool {
        [self.shelves.marker(), self.shelves.releases(), self.shelves.channels()]
            .iter()
            .any(|path| path.exists())
    }

    /// The release that is current in a row, if there is one. It needs no lock.
    pub fn current(&self, line: &Line, trusted: &[TrustedKey]) -> Result<Option<Release>, Vec<Damage>> {
        let row = Shelves::row(&self.shelves.line(line)).map_err(|damage| vec![damage])?;
        let Some(entry) = row.entries.last() else { return Ok(None) };
        let name = Shelves::named_by(entry).map_err(|damage| vec![damage])?;
        self.shelves.open(&name, trusted).map(Some)
    }
}
