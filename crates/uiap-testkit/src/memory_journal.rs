//! A journal in memory that fails and dies on demand.
//!
//! Start at [`MemoryJournal`]. What it holds outlasts [`MemoryJournal::restart`], as a file outlasts a process.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{
    Admission, Decision, Earlier, Entry, Intent, Journal, JournalError, Kept, Known, LATEST_MAX, Retention,
    TraceRecord, TraceSummary, TurnedAway, admit, leaves_unsure,
};
use uiap_runtime::life::Millis;

/// What goes wrong, and when. Writes are counted from one, over the whole life of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// These writes fail, counted from one; nothing of them is kept.
    pub failing: Range<u64>,
    /// The process dies right after this write: it is kept, but nobody hears of it, nor of anything later.
    pub die_after: Option<u64>,
}

/// What the faults report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Injected {
    #[error("this write was made to fail")]
    Failed,
    #[error("the process has died")]
    Dead,
}

impl From<Injected> for JournalError {
    fn from(fault: Injected) -> Self {
        Self::Unavailable(Arc::new(fault))
    }
}

/// A journal in memory.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    retention: Retention,
    faults: Faults,
    writes: u64,
    dead: bool,
    admitted: u64,
    /// How many were admitted before the last restart: they are of earlier sessions.
    admitted_before: u64,
    /// In the order of their admission.
    actions: BTreeMap<u64, Kept>,
    /// From when the age of an action counts that a crash ended.
    recovered: BTreeMap<u64, Millis>,
    traces: BTreeMap<u64, TraceRecord>,
    /// The oldest first.
    turned_away: VecDeque<TurnedAway>,
}

impl MemoryJournal {
    /// An empty journal.
    pub fn new(retention: Retention) -> Self {
        Self { shelf: Mutex::new(Shelf { retention, ..Shelf::default() }) }
    }

    /// From now on, this goes wrong.
    pub fn inject(&self, faults: Faults) {
        self.shelf().faults = faults;
    }

    /// How many writes there were, failed ones included.
    pub fn writes(&self) -> u64 {
        self.shelf().writes
    }

    /// What a new process does first: it ends what the old one left open. Faults are over.
    pub fn restart(&self, now: Millis) {
        let mut shelf = self.shelf();
        shelf.dead = false;
        shelf.faults = Faults::default();
        let left_open: Vec<u64> = shelf.open().map(|(number, _)| number).collect();
        for number in left_open {
            let Some(kept) = shelf.actions.get_mut(&number) else { continue };
            let (result, trace) = kept.ended_by_crash(now);
            kept.result = Some(result);
            shelf.recovered.insert(number, now);
            shelf.traces.insert(number, trace);
        }
        shelf.admitted_before = shelf.admitted;
        shelf.forget_old(now);
        shelf.forget_surplus();
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // A test that panicked elsewhere has failed already.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn alive(&self) -> Result<MutexGuard<'_, Shelf>, JournalError> {
        let shelf = self.shelf();
        if shelf.dead { Err(Injected::Dead.into()) } else { Ok(shelf) }
    }
}

impl Shelf {
    fn open(&self) -> impl Iterator<Item = (u64, &Kept)> {
        self.actions.iter().filter(|(_, kept)| kept.result.is_none()).map(|(number, kept)| (*number, kept))
    }

    fn numbered(&self, handle: &ActionHandle) -> Option<(u64, &Kept)> {
        self.actions
            .iter()
            .find(|(_, kept)| kept.entry.handle == *handle)
            .map(|(number, kept)| (*number, kept))
    }

    fn turned_away(&self, handle: &ActionHandle) -> Option<&TurnedAway> {
        self.turned_away.iter().find(|request| request.trace.handle == *handle)
    }

    /// The number of an action that can go on.
    fn under_way(&self, handle: &ActionHandle) -> Result<u64, JournalError> {
        match self.numbered(handle) {
            None => Err(JournalError::Unknown(handle.clone())),
            Some((_, Kept { result: Some(_), .. })) => Err(JournalError::Ended(handle.clone())),
            Some((number, _)) => Ok(number),
        }
    }

    /// Keeps something, unless this is the write that fails.
    fn write(&mut self, keep: impl FnOnce(&mut Self)) -> Result<(), JournalError> {
        self.writes += 1;
        if self.faults.failing.contains(&self.writes) {
            return Err(Injected::Failed.into());
        }
        keep(self);
        if self.faults.die_after == Some(self.writes) {
            self.dead = true;
            return Err(Injected::Dead.into());
        }
        Ok(())
    }

    fn known(&self, entry: &Entry) -> Known {
        let of_owner = || self.actions.values().filter(|kept| kept.entry.owner == entry.owner);
        let same_key = of_owner().find(|kept| entry.key.is_some() && kept.entry.key == entry.key);
        let mut unsure = of_owner().filter(|kept| {
            kept.entry.fingerprint.deed == entry.fingerprint.deed
                && leaves_unsure(kept.entry.repeatable, kept.result.as_ref())
        });
        Known {
            same_key: same_key.map(|kept| Earlier {
                handle: kept.entry.handle.clone(),
                payload: kept.entry.fingerprint.payload,
                result: kept.result.clone(),
            }),
            unsure: unsure.next_back().map(|kept| kept.entry.handle.clone()),
        }
    }

    fn forget_old(&mut self, now: Millis) {
        let age_ms = self.retention.age_ms;
        self.actions.retain(|number, kept| {
            let since = self.recovered.get(number).unwrap_or(&kept.entry.at);
            kept.result.is_none() || now.saturating_sub(*since) <= age_ms
        });
        self.recovered.retain(|number, _| self.actions.contains_key(number));
        self.traces.retain(|number, _| self.actions.contains_key(number));
        self.turned_away.retain(|request| now.saturating_sub(request.at) <= age_ms);
    }

    fn forget_surplus(&mut self) {
        let mut ended: Vec<(bool, u64)> = self
            .actions
            .iter()
            .filter(|(_, kept)| kept.result.is_some())
            .map(|(number, kept)| (leaves_unsure(kept.entry.repeatable, kept.result.as_ref()), *number))
            .collect();
        ended.sort_unstable();
        let surplus = ended.len().saturating_sub(self.retention.ended_max);
        for (_, number) in ended.into_iter().take(surplus) {
            self.actions.remove(&number);
            self.traces.remove(&number);
        }
        while self.traces.len() > self.retention.traces_max {
            self.traces.pop_first();
        }
    }
}

impl Journal for MemoryJournal {
    async fn admit(&self, entry: Entry) -> Result<Admission, JournalError> {
        let mut shelf = self.alive()?;
        shelf.forget_old(entry.at);
        let admission = admit(&entry, shelf.known(&entry));
        if admission != Admission::New {
            return Ok(admission);
        }
        if shelf.numbered(&entry.handle).is_some() || shelf.turned_away(&entry.handle).is_some() {
            return Err(JournalError::HandleTaken(entry.handle));
        }
        if shelf.open().count() >= shelf.retention.open_max {
            return Err(JournalError::Full(shelf.retention.open_max));
        }
        shelf.write(|shelf| {
            shelf.admitted += 1;
            let kept = Kept { entry, decisions: Vec::new(), intents: Vec::new(), result: None };
            shelf.actions.insert(shelf.admitted, kept);
        })?;
        Ok(admission)
    }

    async fn decide(&self, handle: &ActionHandle, decision: Decision) -> Result<(), JournalError> {
        let mut shelf = self.alive()?;
        let number = shelf.under_way(handle)?;
        shelf.write(|shelf| {
            shelf.actions.entry(number).and_modify(|kept| kept.decisions.push(decision));
        })
    }

    async fn intend(&self, handle: &ActionHandle, intent: Intent) -> Result<(), JournalError> {
        let mut shelf = self.alive()?;
        let number = shelf.under_way(handle)?;
        shelf.write(|shelf| {
            shelf.actions.entry(number).and_modify(|kept| kept.intents.push(intent));
        })
    }

    async fn conclude(&self, result: ActionResult, trace: TraceRecord) -> Result<(), JournalError> {
        let mut shelf = self.alive()?;
        let number = shelf.under_way(&result.action_handle)?;
        shelf.write(|shelf| {
            shelf.actions.entry(number).and_modify(|kept| kept.result = Some(result));
            shelf.traces.insert(number, trace);
            shelf.forget_surplus();
        })
    }

    async fn turn_away(&self, request: TurnedAway) -> Result<(), JournalError> {
        let mut shelf = self.alive()?;
        shelf.forget_old(request.at);
        let handle = &request.trace.handle;
        if shelf.numbered(handle).is_some() || shelf.turned_away(handle).is_some() {
            return Err(JournalError::HandleTaken(handle.clone()));
        }
        shelf.write(|shelf| {
            shelf.turned_away.push_back(request);
            while shelf.turned_away.len() > shelf.retention.turned_away_max {
                shelf.turned_away.pop_front();
            }
        })
    }

    async fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, JournalError> {
        Ok(self.alive()?.numbered(handle).map(|(_, kept)| kept.clone()))
    }

    async fn open_actions(&self) -> Result<Vec<ActionHandle>, JournalError> {
        Ok(self.alive()?.open().map(|(_, kept)| kept.entry.handle.clone()).collect())
    }

    async fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, JournalError> {
        let shelf = self.alive()?;
        let number = shelf.numbered(handle).map(|(number, _)| number);
        let trace = number.and_then(|number| shelf.traces.get(&number));
        Ok(trace.or_else(|| shelf.turned_away(handle).map(|request| &request.trace)).cloned())
    }

    async fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        let shelf = self.alive()?;
        let newest = shelf.traces.keys().rev().filter_map(|number| shelf.actions.get(number));
        Ok(newest.filter_map(Kept::summary).take(most.min(LATEST_MAX)).collect())
    }

    async fn latest_own(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        let shelf = self.alive()?;
        let newest = shelf.traces.keys().rev().take_while(|number| **number > shelf.admitted_before);
        let newest = newest.filter_map(|number| shelf.actions.get(number));
        Ok(newest.filter_map(Kept::summary).take(most.min(LATEST_MAX)).collect())
    }

    /// Of what was turned away it is not kept in which session.
    async fn is_own(&self, handle: &ActionHandle) -> Result<bool, JournalError> {
        let shelf = self.alive()?;
        let is_own = shelf.numbered(handle).map(|(number, _)| number > shelf.admitted_before);
        Ok(is_own.unwrap_or_else(|| shelf.turned_away(handle).is_some()))
    }

    fn check_held(&self) -> Result<(), JournalError> {
        self.alive().map(drop)
    }

    async fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, JournalError> {
        let shelf = self.alive()?;
        Ok(shelf.turned_away.iter().rev().take(most.min(LATEST_MAX)).cloned().collect())
    }
}
