//! A look at the journal from another process, at any time.

use super::error::{OpenError, StoreError};
use super::{file, holders, read};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{Kept, TraceRecord, TraceSummary, TurnedAway};

/// Reads a journal that another process may be writing to; sees what has been committed.
#[derive(Debug)]
pub struct JournalReader {
    connection: Connection,
    /// Where the holders of the journal have their lock files.
    folder: PathBuf,
}

impl JournalReader {
    /// Opens the journal at a path.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let path = file::real(path)?;
        Ok(Self { connection: file::open_for_reading(&path)?, folder: holders::folder_of(&path) })
    }

    /// What is known of an action.
    pub fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, StoreError> {
        Ok(read::find(&self.connection, handle)?.map(|found| found.kept))
    }

    /// The actions without an outcome, oldest first.
    pub fn open_actions(&self) -> Result<Vec<ActionHandle>, StoreError> {
        read::open_actions(&self.connection)
    }

    /// Whether the process lives that admitted an action. A stopped one does.
    pub fn is_held(&self, handle: &ActionHandle) -> Result<bool, StoreError> {
        let holder = read::holder_of(&self.connection, handle)?;
        Ok(holder.is_some_and(|holder| !holder.has_ended && holders::is_alive(&self.folder, &holder.name)))
    }

    /// The trace of an ended action, or of a request that was turned away.
    pub fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, StoreError> {
        read::trace(&self.connection, handle)
    }

    /// The actions that have a trace, the newest first.
    pub fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, StoreError> {
        read::latest(&self.connection, None, most)
    }

    /// The requests that were turned away, the newest first.
    pub fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, StoreError> {
        read::turned_away(&self.connection, most)
    }
}
