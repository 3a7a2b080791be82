//! What is done to the tables, always within a transaction of the writer.

use super::error::{StoreError, Trouble};
use super::{file, holders, read};
use rusqlite::Connection;
use std::path::PathBuf;
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_runtime::journal::{
    Admission, Decision, Earlier, Entry, Intent, JournalError, Kept, Known, Retention, TraceRecord,
    TurnedAway, admit, leaves_unsure,
};
use uiap_runtime::life::Millis;

/// The tables, and how full they are.
#[derive(Debug)]
pub(super) struct Tables {
    connection: Connection,
    retention: Retention,
    /// Where the holders of the journal have their lock files.
    folder: PathBuf,
    /// The number of this process among the holders.
    holder: i64,
    /// Changes whenever another process has written.
    version: i64,
    /// Counted once, then kept in step, because counting rows means reading them.
    counts: Counts,
    /// The counts are those of a transaction that did not take place, or others have written since.
    miscounted: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    open: usize,
    ended: usize,
    traces: usize,
    turned_away: usize,
}

impl Tables {
    pub(super) fn new(connection: Connection, retention: Retention, folder: PathBuf) -> Self {
        let counts = Counts::default();
        Self { connection, retention, folder, holder: 0, version: 0, counts, miscounted: true }
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The number of this process among the holders.
    pub(super) fn holder(&self) -> i64 {
        self.holder
    }

    /// Undoes what was done since the transaction began.
    pub(super) fn roll_back(&mut self) {
        self.miscounted = true;
        // Some failures have ended the transaction already; the first one is what counts.
        if !self.connection.is_autocommit() {
            drop(self.connection.execute_batch("ROLLBACK"));
        }
    }

    /// Makes the counts right, if they are not. Within a transaction, so that nobody writes meanwhile.
    pub(super) fn recount(&mut self) -> Result<(), StoreError> {
        let version = file::number(&self.connection, "data_version")?;
        if !self.miscounted && self.version == version {
            return Ok(());
        }
        self.version = version;
        let count = |rows: &str| {
            let count: i64 =
                self.connection.query_one(&format!("SELECT count(*) FROM {rows}"), [], |row| row.get(0))?;
            Ok::<_, StoreError>(usize::try_from(count).unwrap_or_default())
        };
        self.counts = Counts {
            open: count("action WHERE result IS NULL")?,
            ended: count("action WHERE result IS NOT NULL")?,
            traces: count("trace")?,
            turned_away: count("turned_away")?,
        };
        self.miscounted = false;
        Ok(())
    }

    /// Takes this process in among the holders, ends what dead ones left open, and forgets what is too old.
    pub(super) fn begin(&mut self, name: &str, now: Millis) -> Result<(), Trouble> {
        let left = read::holders(&self.connection)?;
        self.connection.execute("INSERT INTO holder (name) VALUES (?1)", [name])?;
        self.holder = self.connection.last_insert_rowid();
        for left in left {
            if !holders::is_alive(&self.folder, &left.name) {
                self.bury(left.seq, self.holder, now)?;
            }
        }
        // Before there were holders, one process wrote, and it has ended.
        self.end_left_open(None, now)?;
        self.forget_old(now)?;
        self.forget_surplus()?;
        self.connection.execute(
            "DELETE FROM holder WHERE ended_before IS NOT NULL \
             AND NOT EXISTS (SELECT 1 FROM action WHERE holder = holder.seq) \
             AND NOT EXISTS (SELECT 1 FROM turned_away WHERE holder = holder.seq)",
            [],
        )?;
        Ok(())
    }

    /// Keeps that a holder is dead, and ends what it left open. What it did binds holders from `next` on.
    fn bury(&mut self, holder: i64, next: i64, now: Millis) -> Result<(), Trouble> {
        self.connection.execute("UPDATE holder SET ended_before = ?2 WHERE seq = ?1", (holder, next))?;
        self.end_left_open(Some(holder), now)
    }

    fn end_left_open(&mut self, holder: Option<i64>, now: Millis) -> Result<(), Trouble> {
        for handle in read::open_actions_of(&self.connection, holder)? {
            let Some(left) = read::find(&self.connection, &handle)? else { continue };
            let (result, trace) = left.kept.ended_by_crash(now);
            self.end(left.seq, left.kept.entry.repeatable, &result, &trace)?;
            self.connection
                .prepare_cached("UPDATE action SET since = ?2 WHERE seq = ?1")?
                .execute((left.seq, stored(now)))?;
        }
        Ok(())
    }

    /// What is known of a request. If its key stands for an open action whose process is dead, that is ended first.
    fn known(&mut self, entry: &Entry) -> Result<Known, Trouble> {
        let known = read::known(&self.connection, entry, self.holder)?;
        let Some(Earlier { handle, result: None, .. }) = &known.same_key else { return Ok(known) };
        let Some(holder) = read::holder_of(&self.connection, handle)? else { return Ok(known) };
        if holder.seq == self.holder || holders::is_alive(&self.folder, &holder.name) {
            return Ok(known);
        }
        let last: i64 = self.connection.query_one("SELECT max(seq) FROM holder", [], |row| row.get(0))?;
        self.bury(holder.seq, last.saturating_add(1), entry.at)?;
        Ok(read::known(&self.connection, entry, self.holder)?)
    }

    pub(super) fn admit(&mut self, entry: &Entry) -> Result<Admission, Trouble> {
        self.forget_old(entry.at)?;
        let admission = admit(entry, self.known(entry)?);
        if admission != Admission::New {
            return Ok(admission);
        }
        self.check_free(&entry.handle)?;
        if self.counts.open >= self.retention.open_max {
            return Err(JournalError::Full(self.retention.open_max).into());
        }
        self.connection
            .prepare_cached(
                "INSERT INTO action \
                 (handle, action_id, principal, application, key, payload, deed, repeatable, at, since, unsure, \
                 holder) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11)",
            )?
            .execute((
                entry.handle.as_str(),
                entry.action_id.as_str(),
                entry.owner.principal.as_str(),
                entry.owner.application.as_str(),
                entry.key.as_ref().map(Id::as_str),
                &entry.fingerprint.payload.0[..],
                &entry.fingerprint.deed.0[..],
                entry.repeatable,
                stored(entry.at),
                leaves_unsure(entry.repeatable, None),
                self.holder,
            ))?;
        self.counts.open += 1;
        Ok(admission)
    }

    /// Handles are used once, whatever they name.
    fn check_free(&self, handle: &ActionHandle) -> Result<(), Trouble> {
        if read::find(&self.connection, handle)?.is_some() || read::was_turned_away(&self.connection, handle)?
        {
            return Err(JournalError::HandleTaken(handle.clone()).into());
        }
        Ok(())
    }

    pub(super) fn turn_away(&mut self, request: &TurnedAway) -> Result<(), Trouble> {
        self.forget_old(request.at)?;
        self.check_free(&request.trace.handle)?;
        self.connection
            .prepare_cached("INSERT INTO turned_away (handle, at, body, holder) VALUES (?1, ?2, ?3, ?4)")?
            .execute((
                request.trace.handle.as_str(),
                stored(request.at),
                request.trace.to_json().to_string(),
                self.holder,
            ))?;
        self.counts.turned_away += 1;
        while self.counts.turned_away > self.retention.turned_away_max {
            self.connection
                .prepare_cached("DELETE FROM turned_away WHERE seq = (SELECT min(seq) FROM turned_away)")?
                .execute([])?;
            self.counts.turned_away = self.counts.turned_away.saturating_sub(1);
        }
        Ok(())
    }

    pub(super) fn decide(&mut self, handle: &ActionHandle, decision: &Decision) -> Result<(), Trouble> {
        let (seq, _) = self.under_way(handle)?;
        self.add_step(seq, decision, None)
    }

    pub(super) fn intend(&mut self, handle: &ActionHandle, intent: &Intent) -> Result<(), Trouble> {
        let (seq, _) = self.under_way(handle)?;
        self.add_step(seq, &intent.decision, Some(intent))
    }

    fn add_step(&self, seq: i64, decision: &Decision, intent: Option<&Intent>) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO step (action, at, effect, risk, reason, mode, repeatable, consented, grounds) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute((
                seq,
                stored(decision.at),
                decision.effect.as_str(),
                decision.risk.as_str(),
                &decision.reason,
                intent.map(|intent| intent.mode.as_str()),
                intent.map(|intent| intent.repeatable),
                intent.map(|intent| intent.consented),
                decision.grounds.to_json().to_string(),
            ))?;
        Ok(())
    }

    pub(super) fn conclude(&mut self, result: &ActionResult, trace: &TraceRecord) -> Result<(), Trouble> {
        let (seq, kept) = self.under_way(&result.action_handle)?;
        self.end(seq, kept.entry.repeatable, result, trace)?;
        self.forget_surplus()
    }

    fn end(
        &mut self,
        seq: i64,
        repeatable: bool,
        result: &ActionResult,
        trace: &TraceRecord,
    ) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("UPDATE action SET result = ?2, unsure = ?3 WHERE seq = ?1")?
            .execute((seq, serde_json::to_string(result)?, leaves_unsure(repeatable, Some(result))))?;
        self.connection
            .prepare_cached("INSERT INTO trace (action, body) VALUES (?1, ?2)")?
            .execute((seq, trace.to_json().to_string()))?;
        self.counts.open = self.counts.open.saturating_sub(1);
        self.counts.ended += 1;
        self.counts.traces += 1;
        Ok(())
    }

    fn under_way(&self, handle: &ActionHandle) -> Result<(i64, Kept), Trouble> {
        match read::find(&self.connection, handle)? {
            None => Err(JournalError::Unknown(handle.clone()).into()),
            Some(found) if found.kept.result.is_some() => Err(JournalError::Ended(handle.clone()).into()),
            Some(found) => Ok((found.seq, found.kept)),
        }
    }

    fn forget_old(&mut self, now: Millis) -> Result<(), Trouble> {
        let before = stored(now.saturating_sub(self.retention.age_ms));
        let old: Vec<i64> = self
            .connection
            .prepare_cached("SELECT seq FROM action WHERE result IS NOT NULL AND since < ?1")?
            .query_map([before], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        old.into_iter().try_for_each(|seq| self.forget(seq))?;
        let gone =
            self.connection.prepare_cached("DELETE FROM turned_away WHERE at < ?1")?.execute([before])?;
        self.counts.turned_away = self.counts.turned_away.saturating_sub(gone);
        Ok(())
    }

    fn forget_surplus(&mut self) -> Result<(), Trouble> {
        while self.counts.ended > self.retention.ended_max {
            let least: i64 = self
                .connection
                .prepare_cached(
                    "SELECT seq FROM action WHERE result IS NOT NULL ORDER BY unsure, seq LIMIT 1",
                )?
                .query_one([], |row| row.get(0))?;
            self.forget(least)?;
        }
        while self.counts.traces > self.retention.traces_max {
            self.connection
                .prepare_cached("DELETE FROM trace WHERE action = (SELECT min(action) FROM trace)")?
                .execute([])?;
            self.counts.traces = self.counts.traces.saturating_sub(1);
        }
        Ok(())
    }

    /// Its steps go with it.
    fn forget(&mut self, seq: i64) -> Result<(), Trouble> {
        let traces = self.connection.prepare_cached("DELETE FROM trace WHERE action = ?1")?.execute([seq])?;
        self.connection.prepare_cached("DELETE FROM action WHERE seq = ?1")?.execute([seq])?;
        self.counts.traces = self.counts.traces.saturating_sub(traces);
        self.counts.ended = self.counts.ended.saturating_sub(1);
        Ok(())
    }
}

fn stored(at: Millis) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
