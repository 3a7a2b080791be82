//! What can go wrong with the file.

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use uiap_runtime::journal::JournalError;

/// Why a journal cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The lock that a process holds while it opens the journal does not become free.
    #[error(
        "the journal {} is locked by {}, which is an older version of uiap, is stopped, or is another program; \
         end that process first, or name another file (the lock is {})",
        path.display(),
        owner.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}")),
        lock.display()
    )]
    Locked {
        /// The journal.
        path: PathBuf,
        /// The file that is locked.
        lock: PathBuf,
        /// The process that has it, if it said so.
        owner: Option<u32>,
    },
    /// There is none yet.
    #[error("there is no journal at {}; the first action makes it", path.display())]
    Missing {
        /// Where it would be.
        path: PathBuf,
    },
    /// A folder or file cannot be made, opened or locked.
    #[error("cannot open the journal {}: {source}; {}, or name another file", path.display(), remedy(source))]
    Unreachable {
        /// What cannot be opened.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It belongs to another program.
    #[error("{} is a database of another program; name another file for the journal", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by an earlier version, and is only read.
    #[error(
        "the journal {} has the format of an earlier version; the next action brings it to the present one",
        path.display()
    )]
    Older {
        /// The journal.
        path: PathBuf,
    },
    /// It was written by a later version of this program.
    #[error(
        "the journal {} has format {found}, and this program knows up to {known}; use a newer version, or name another file",
        path.display()
    )]
    Newer {
        /// The journal.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The latest format that is known here.
        known: i64,
    },
    /// It cannot be read.
    #[error(
        "the journal {} is damaged: {source}; move it away to begin a new one, which will not know what was done before",
        path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// What was found.
        source: StoreError,
    },
    /// Anything else.
    #[error("the journal {} cannot be used: {source}", path.display())]
    Unusable {
        /// The journal.
        path: PathBuf,
        /// Why.
        source: StoreError,
    },
}

/// What can go wrong once it is open.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The path leads to another file than the open one, or to none.
    #[error(
        "the file {} was deleted, moved or replaced while this program uses it; put it back, or restart this program \
         to begin with what is there now",
        path.display()
    )]
    Displaced {
        /// Where it was.
        path: PathBuf,
    },
    /// The lock file of this process is gone, so others take the process for dead.
    #[error(
        "the lock file {} was deleted, moved or replaced while this program holds it; restart this program",
        path.display()
    )]
    LockLost {
        /// Where it was.
        path: PathBuf,
    },
    /// Another process does not stop writing.
    #[error(
        "another process keeps the journal locked for writing{}; if it is stopped, continue or end it",
        named(processes)
    )]
    Busy {
        /// The processes that have the journal open.
        processes: Vec<u32>,
    },
    /// It cannot be written any more.
    #[error("the file or its disk is read-only; make it writable and try again")]
    ReadOnly,
    /// There is no room.
    #[error("the disk is full, or the journal has reached its largest size; make room and try again")]
    NoRoom,
    /// What was read is not what is ever written.
    #[error("{what} cannot be read")]
    Unreadable {
        /// What.
        what: &'static str,
    },
    /// A value cannot be written as JSON.
    #[error("a value cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
    /// The place is no good for a journal.
    #[error("the file system does not support shared memory; name a file on a local disk")]
    NoSharedMemory,
    /// The disk failed before, so what it holds is not certain.
    #[error("the disk failed before; restart, so that the journal is read afresh")]
    Stopped,
    /// The journal has been closed.
    #[error("the journal is closed")]
    Closed,
    /// The database says no.
    #[error(transparent)]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        // The index of the log found no room; nothing was written.
        if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) {
            return Self::NoRoom;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::NoRoom,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { processes: Vec::new() },
            _ => Self::Database(error),
        }
    }
}

/// What helps against an error of the file system.
fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on the disk",
        _ => "make the place writable",
    }
}

fn named(processes: &[u32]) -> String {
    if processes.is_empty() {
        return String::new();
    }
    let processes: Vec<_> = processes.iter().map(u32::to_string).collect();
    format!(
        "; it is open in {}: {}",
        if processes.len() == 1 { "process" } else { "the processes" },
        processes.join(", ")
    )
}

impl StoreError {
    /// After a failed write to the disk nobody knows what it holds.
    pub(super) fn is_loss_of_disk(&self) -> bool {
        matches!(self, Self::Database(error) if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure))
    }

    pub(super) fn is_damage(&self) -> bool {
        let damaged = |error: &rusqlite::Error| {
            matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::TypeMismatch)
            )
        };
        matches!(self, Self::Unreadable { .. })
            || matches!(self, Self::Database(error) if damaged(error))
            || matches!(self, Self::Database(rusqlite::Error::InvalidColumnType(..)))
    }

    pub(super) fn told(self: Arc<Self>) -> JournalError {
        JournalError::Unavailable(self)
    }
}

/// Why a piece of work was not done: it makes no sense, or the file failed.
#[derive(Debug)]
pub(super) enum Trouble {
    Refused(JournalError),
    Failed(StoreError),
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(error.into())
    }
}
