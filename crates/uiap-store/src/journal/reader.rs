//! A look at the journal from another process, at any time.

use super::error::{OpenError, StoreError};
use super::{file, read};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{Kept, TraceRecord, TraceSummary, TurnedAway};

/// Reads a journal that another process may be writing to; sees what has been committed.
#[derive(Debug)]
pub struct JournalReader {
    connection: Connection,
    path: PathBuf,
}

impl JournalReader {
    /// Opens the journal at a path.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let path = file::absolute(path)?;
        Ok(Self { connection: file::open_for_reading(&path)?, path })
    }

    /// What is known of an action.
    pub fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, StoreError> {
        Ok(read::find(&self.connection, handle)?.map(|found| found.kept))
    }

    /// The actions without an outcome, oldest first. If nobody writes, the process that ran them is dead.
    pub fn open_actions(&self) -> Result<Vec<ActionHandle>, StoreError> {
        read::open_actions(&self.connection)
    }

    /// Whether some process has the journal open for writing.
    pub fn is_written(&self) -> bool {
        file::is_locked(&self.path)
    }

    /// The trace of an ended action, or of a request that was turned away.
    pub fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, StoreError> {
        read::trace(&self.connection, handle)
    }

    /// The actions that have a trace, the newest first.
    pub fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, StoreError> {
        read::latest(&self.connection, most)
    }

    /// The requests that were turned away, the newest first.
    pub fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, StoreError> {
        read::turned_away(&self.connection, most)
    }
}
