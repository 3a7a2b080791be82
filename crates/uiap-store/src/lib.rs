//! Where things are kept: the action journal and the registry of published packages.
//!
//! Start at [`SqliteJournal`], the journal of a process that runs actions, and [`JournalReader`], which looks at it
//! from another one; and at [`registry::Registry`], the folder of published bundles.

mod journal;
pub mod registry;

pub use journal::{
    GROUP_MAX, JOURNAL_BYTES_MAX, JournalReader, OTHERS_WAIT, OpenError, QUEUE_MAX, Settings, SqliteJournal,
    StoreError,
};
