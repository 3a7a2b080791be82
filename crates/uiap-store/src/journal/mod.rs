//! The journal in SQLite: one file, which any number of processes write and read.
//!
//! Each process has one writer thread (`writer`) and proves by a lock that it lives (`holders`).

mod error;
mod file;
mod holders;
mod migrate;
mod read;
mod reader;
mod write;
mod writer;

pub use error::{OpenError, StoreError};
pub use reader::JournalReader;
pub use writer::GROUP_MAX;

use error::Trouble;
use holders::Holder;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{
    Admission, Decision, Entry, Intent, Journal, JournalError, Kept, Retention, TraceRecord, TraceSummary,
    TurnedAway,
};
use uiap_runtime::life::Millis;
use write::Tables;
use writer::{Job, Waiting, Writer};

/// Most pieces of work that wait for the writer; whoever comes later waits to be let in.
pub const QUEUE_MAX: usize = 1_024;
/// Largest size of the file, its log aside.
pub const JOURNAL_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Longest wait for other processes that open the journal or write to it.
pub const OTHERS_WAIT: Duration = Duration::from_secs(5);

/// How much is kept, and how long others are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What is forgotten, and when.
    pub retention: Retention,
    /// Largest size of the file, its log aside.
    pub bytes_max: u64,
    /// Longest wait for other processes that open the journal or write to it.
    pub wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { retention: Retention::default(), bytes_max: JOURNAL_BYTES_MAX, wait: OTHERS_WAIT }
    }
}

/// The journal of a process that runs actions. Each one is a session of its own among those that share the file.
#[derive(Debug)]
pub struct SqliteJournal {
    queue: Option<mpsc::Sender<Waiting>>,
    writer: Option<JoinHandle<()>>,
    holder: Arc<Holder>,
    commits: Arc<AtomicU64>,
}

impl SqliteJournal {
    /// Opens the journal at a path, or makes it, and ends what dead processes left open. `now` is in milliseconds since
    /// 1970.
    ///
    /// Others may have it open, too. Until this one is dropped or its process ends, what it admits is under way for all
    /// of them, even while the process is stopped.
    pub fn open(path: &Path, settings: Settings, now: Millis) -> Result<Self, OpenError> {
        file::make_folder(path)?;
        let path = file::real(path)?;
        let opening = file::lock_opening(&path, settings.wait)?;
        let connection = file::open_for_writing(&path, settings)?;
        let holder = Arc::new(Holder::claim(&path)?);
        let tables = Tables::new(connection, settings.retention, holder.folder().to_owned());
        let commits = Arc::new(AtomicU64::new(0));
        let mut writer = Writer { tables, commits: commits.clone(), holder: holder.clone() };
        writer
            .in_transaction(true, |tables| match tables.begin(holder.name(), now) {
                Err(Trouble::Failed(error)) => Err(error),
                // It asks for nothing that could be refused.
                Err(Trouble::Refused(_)) | Ok(()) => Ok(()),
            })
            .map_err(file::unusable(&path))?;
        holders::sweep(holder.folder());
        drop(opening);
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let writer = std::thread::Builder::new()
            .name("uiap-journal".to_owned())
            .spawn(move || writer.run(waiting))
            .map_err(|source| OpenError::Unreachable { path, source })?;
        Ok(Self { queue: Some(queue), writer: Some(writer), holder, commits })
    }

    /// How many transactions have changed something since it was opened.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    async fn ask<T: Send + 'static>(
        &self,
        durable: bool,
        work: impl FnOnce(&mut Tables) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, JournalError> {
        let closed = || Arc::new(StoreError::Closed).told();
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(closed)?;
        queue.send(Job::boxed(durable, work, reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

impl Drop for SqliteJournal {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(writer) = self.writer.take() {
            // What waits is written first, and the file is closed when this returns.
            drop(writer.join());
        }
    }
}

impl Journal for SqliteJournal {
    async fn admit(&self, entry: Entry) -> Result<Admission, JournalError> {
        self.ask(false, move |tables| tables.admit(&entry)).await
    }

    async fn decide(&self, handle: &ActionHandle, decision: Decision) -> Result<(), JournalError> {
        let handle = handle.clone();
        self.ask(true, move |tables| tables.decide(&handle, &decision)).await
    }

    async fn intend(&self, handle: &ActionHandle, intent: Intent) -> Result<(), JournalError> {
        let handle = handle.clone();
        self.ask(true, move |tables| tables.intend(&handle, &intent)).await
    }

    async fn conclude(&self, result: ActionResult, trace: TraceRecord) -> Result<(), JournalError> {
        self.ask(true, move |tables| tables.conclude(&result, &trace)).await
    }

    async fn turn_away(&self, request: TurnedAway) -> Result<(), JournalError> {
        self.ask(false, move |tables| tables.turn_away(&request)).await
    }

    async fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, JournalError> {
        let handle = handle.clone();
        self.ask(false, move |tables| Ok(read::find(tables.connection(), &handle)?.map(|found| found.kept)))
            .await
    }

    async fn open_actions(&self) -> Result<Vec<ActionHandle>, JournalError> {
        self.ask(false, |tables| Ok(read::open_actions(tables.connection())?)).await
    }

    async fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, JournalError> {
        let handle = handle.clone();
        self.ask(false, move |tables| Ok(read::trace(tables.connection(), &handle)?)).await
    }

    async fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.ask(false, move |tables| Ok(read::latest(tables.connection(), None, most)?)).await
    }

    async fn latest_own(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.ask(false, move |tables| Ok(read::latest(tables.connection(), Some(tables.holder()), most)?))
            .await
    }

    async fn is_own(&self, handle: &ActionHandle) -> Result<bool, JournalError> {
        let handle = handle.clone();
        self.ask(false, move |tables| Ok(read::is_of(tables.connection(), tables.holder(), &handle)?)).await
    }

    fn check_held(&self) -> Result<(), JournalError> {
        self.holder.check().map_err(|error| Arc::new(error).told())
    }

    async fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, JournalError> {
        self.ask(false, move |tables| Ok(read::turned_away(tables.connection(), most)?)).await
    }
}
