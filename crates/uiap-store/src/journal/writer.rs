//! The one thread that writes. Work that waits together shares one transaction, and so one wait for the disk.

use super::error::{StoreError, Trouble};
use super::holders::{self, Holder};
use super::write::Tables;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{mpsc, oneshot};
use uiap_runtime::journal::JournalError;

/// Most pieces of work in one transaction.
pub const GROUP_MAX: usize = 128;

/// Work that waits for the writer.
pub(super) type Waiting = Box<dyn Work>;

pub(super) trait Work: Send {
    /// Whether it must have reached the disk before anybody hears of it.
    fn is_durable(&self) -> bool;

    /// Does it. A refusal concerns this work alone, a failure the whole group.
    fn run(&mut self, tables: &mut Tables) -> Result<(), StoreError>;

    /// Tells whoever waits for it, now that the group has been committed or has failed.
    fn tell(self: Box<Self>, group: Result<(), Arc<StoreError>>);
}

/// Work with an answer.
pub(super) struct Job<F, T> {
    durable: bool,
    work: Option<F>,
    answer: Option<Result<T, JournalError>>,
    reply: oneshot::Sender<Result<T, JournalError>>,
}

impl<F, T> Job<F, T>
where
    F: FnOnce(&mut Tables) -> Result<T, Trouble> + Send + 'static,
    T: Send + 'static,
{
    pub(super) fn boxed(durable: bool, work: F, reply: oneshot::Sender<Result<T, JournalError>>) -> Waiting {
        Box::new(Self { durable, work: Some(work), answer: None, reply })
    }
}

impl<F, T> Work for Job<F, T>
where
    F: FnOnce(&mut Tables) -> Result<T, Trouble> + Send,
    T: Send,
{
    fn is_durable(&self) -> bool {
        self.durable
    }

    fn run(&mut self, tables: &mut Tables) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else { return Ok(()) };
        self.answer = match work(tables) {
            Ok(answer) => Some(Ok(answer)),
            Err(Trouble::Refused(error)) => Some(Err(error)),
            Err(Trouble::Failed(error)) => return Err(error),
        };
        Ok(())
    }

    fn tell(self: Box<Self>, group: Result<(), Arc<StoreError>>) {
        let answer = match group {
            Ok(()) => self.answer.unwrap_or_else(|| Err(Arc::new(StoreError::Closed).told())),
            Err(error) => Err(error.told()),
        };
        // Whoever no longer waits does not want to know.
        drop(self.reply.send(answer));
    }
}

/// The writer and what it owns.
pub(super) struct Writer {
    pub(super) tables: Tables,
    pub(super) commits: Arc<AtomicU64>,
    /// Declared after the tables: as long as the file is open, others see that this process lives.
    pub(super) holder: Arc<Holder>,
}

impl Writer {
    /// Works until nobody can ask for anything any more.
    pub(super) fn run(mut self, mut queue: mpsc::Receiver<Waiting>) {
        let mut group = Vec::with_capacity(GROUP_MAX);
        let mut stopped = false;
        while queue.blocking_recv_many(&mut group, GROUP_MAX) > 0 {
            let outcome =
                if stopped { Err(StoreError::Stopped) } else { self.transact(&mut group) }.map_err(Arc::new);
            stopped |= outcome.as_ref().is_err_and(|error| error.is_loss_of_disk());
            for work in group.drain(..) {
                work.tell(outcome.clone());
            }
        }
    }

    fn transact(&mut self, group: &mut [Waiting]) -> Result<(), StoreError> {
        let durable = group.iter().any(|work| work.is_durable());
        self.in_transaction(durable, |tables| group.iter_mut().try_for_each(|work| work.run(tables)))
    }

    /// Does all of it, or nothing.
    pub(super) fn in_transaction(
        &mut self,
        durable: bool,
        work: impl FnOnce(&mut Tables) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // What is written without waiting for the disk is there as soon as something later was waited for: it is one log.
        let waiting = if durable { "FULL" } else { "NORMAL" };
        self.tables.connection().pragma_update(None, "synchronous", waiting)?;
        self.tables.connection().execute_batch("BEGIN IMMEDIATE").map_err(|error| self.explained(error))?;
        let before = self.tables.connection().total_changes();
        let done = self
            .holder
            .check()
            .and_then(|()| self.tables.recount())
            .and_then(|()| work(&mut self.tables))
            .and_then(|()| self.tables.connection().execute_batch("COMMIT").map_err(StoreError::from));
        match done {
            Ok(()) if self.tables.connection().total_changes() != before => {
                self.commits.fetch_add(1, Ordering::Relaxed);
            }
            Ok(()) => {}
            Err(_) => self.tables.roll_back(),
        }
        done
    }

    /// The error, with the processes that may be the cause of it.
    fn explained(&self, error: rusqlite::Error) -> StoreError {
        match StoreError::from(error) {
            StoreError::Busy { .. } => {
                let mut processes = holders::living(self.holder.folder());
                processes.retain(|process| *process != std::process::id());
                StoreError::Busy { processes }
            }
            error => error,
        }
    }
}
