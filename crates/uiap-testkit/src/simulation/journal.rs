//! A journal that takes its time, and at whose writes a process can be killed.

use super::Dice;
use crate::MemoryJournal;
use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::sleep;
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{
    Admission, Decision, Entry, Intent, Journal, JournalError, Kept, TraceRecord, TraceSummary, TurnedAway,
};

/// A process is killed at a write: before it is kept, or after it and before anybody hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KillAt {
    pub(super) write: u64,
    pub(super) before: bool,
}

/// A journal that takes its time.
#[derive(Debug)]
pub struct SlowJournal {
    shelf: Arc<MemoryJournal>,
    dice: Mutex<Dice>,
    /// How many milliseconds it takes at most, before a write is kept and after it.
    slow_ms: u64,
    kill_at: Option<KillAt>,
    /// The process is to be killed now.
    pub(super) killed: Arc<Notify>,
}

impl SlowJournal {
    /// A journal on this shelf.
    pub fn new(shelf: Arc<MemoryJournal>, seed: u64, slow_ms: u64) -> Self {
        let dice = Mutex::new(Dice::new(seed));
        Self { shelf, dice, slow_ms, kill_at: None, killed: Arc::default() }
    }

    pub(super) fn killed_at(mut self, kill_at: Option<KillAt>) -> Self {
        self.kill_at = kill_at;
        self
    }

    async fn pause(&self) {
        let pause = self.dice.lock().unwrap_or_else(PoisonError::into_inner).below(self.slow_ms + 1);
        if pause > 0 {
            sleep(Duration::from_millis(pause)).await;
        }
    }

    async fn write<T>(&self, write: impl Future<Output = T>) -> T {
        self.pause().await;
        let number = self.shelf.writes() + 1;
        self.die_if(KillAt { write: number, before: true }).await;
        let written = write.await;
        if self.shelf.writes() == number {
            self.die_if(KillAt { write: number, before: false }).await;
        }
        self.pause().await;
        written
    }

    async fn die_if(&self, here: KillAt) {
        if self.kill_at == Some(here) {
            self.killed.notify_one();
            pending::<()>().await;
        }
    }
}

impl Journal for SlowJournal {
    async fn admit(&self, entry: Entry) -> Result<Admission, JournalError> {
        self.write(self.shelf.admit(entry)).await
    }

    async fn decide(&self, handle: &ActionHandle, decision: Decision) -> Result<(), JournalError> {
        self.write(self.shelf.decide(handle, decision)).await
    }

    async fn intend(&self, handle: &ActionHandle, intent: Intent) -> Result<(), JournalError> {
        self.write(self.shelf.intend(handle, intent)).await
    }

    async fn conclude(&self, result: ActionResult, trace: TraceRecord) -> Result<(), JournalError> {
        self.write(self.shelf.conclude(result, trace)).await
    }

    async fn turn_away(&self, request: TurnedAway) -> Result<(), JournalError> {
        self.write(self.shelf.turn_away(request)).await
    }

    async fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, JournalError> {
        self.pause().await;
        let found = self.shelf.find(handle).await;
        self.pause().await;
        found
    }

    async fn open_actions(&self) -> Result<Vec<ActionHandle>, JournalError> {
        self.shelf.open_actions().await
    }

    async fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, JournalError> {
        self.shelf.trace(handle).await
    }

    async fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.shelf.latest(most).await
    }

    async fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, JournalError> {
        self.shelf.turned_away(most).await
    }

    async fn latest_own(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.shelf.latest_own(most).await
    }

    async fn is_own(&self, handle: &ActionHandle) -> Result<bool, JournalError> {
        self.shelf.is_own(handle).await
    }

    fn check_held(&self) -> Result<(), JournalError> {
        self.shelf.check_held()
    }
}
