//! What is asked of the tables.

use super::error::StoreError;
use rusqlite::{Connection, OptionalExtension, Row};
use uiap_protocol::action::ActionResult;
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::ids::{ActionHandle, ActionId, BadForm, Id};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::wire::{JsonObject, accept_object};
use uiap_runtime::journal::{
    Decision, Digest, Earlier, Entry, Fingerprint, Intent, Kept, Known, LATEST_MAX, Owner, TraceRecord,
    TraceSummary, TurnedAway,
};
use uiap_runtime::life::{Grounds, Millis};

const ACTION: &str =
    "seq, handle, action_id, principal, application, key, payload, deed, repeatable, at, result";

/// An action and its number.
pub(super) struct Numbered {
    pub(super) seq: i64,
    pub(super) kept: Kept,
}

pub(super) fn find(connection: &Connection, handle: &ActionHandle) -> Result<Option<Numbered>, StoreError> {
    let mut query = connection.prepare_cached(&format!("SELECT {ACTION} FROM action WHERE handle = ?1"))?;
    let Some((seq, mut kept)) =
        query.query_row([handle.as_str()], |row| Ok(action(row))).optional()?.transpose()?
    else {
        return Ok(None);
    };
    add_steps(connection, seq, &mut kept)?;
    Ok(Some(Numbered { seq, kept }))
}

fn action(row: &Row<'_>) -> Result<(i64, Kept), StoreError> {
    let principal: String = row.get("principal")?;
    let application: String = row.get("application")?;
    let key: Option<String> = row.get("key")?;
    let entry = Entry {
        handle: id(ActionHandle::new(row.get::<_, String>("handle")?))?,
        action_id: id(ActionId::new(row.get::<_, String>("action_id")?))?,
        owner: Owner { principal: id(Id::new(principal))?, application: id(Id::new(application))? },
        key: key.map(|key| id(Id::new(key))).transpose()?,
        fingerprint: Fingerprint { payload: digest(row, "payload")?, deed: digest(row, "deed")? },
        repeatable: row.get("repeatable")?,
        at: time(row)?,
    };
    let result = row.get::<_, Option<String>>("result")?.map(|text| result(&text)).transpose()?;
    Ok((row.get("seq")?, Kept { entry, decisions: Vec::new(), intents: Vec::new(), result }))
}

fn add_steps(connection: &Connection, seq: i64, kept: &mut Kept) -> Result<(), StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT at, effect, risk, reason, mode, repeatable, consented, grounds FROM step WHERE action = ?1 ORDER BY seq",
    )?;
    let mut rows = query.query([seq])?;
    while let Some(row) = rows.next()? {
        let decision = Decision {
            at: time(row)?,
            effect: word(row, "effect", PolicyEffect::from_word)?,
            risk: word(row, "risk", RiskLevel::from_word)?,
            reason: row.get("reason")?,
            grounds: grounds(row)?,
        };
        if row.get::<_, Option<String>>("mode")?.is_none() {
            kept.decisions.push(decision);
            continue;
        }
        kept.intents.push(Intent {
            mode: word(row, "mode", ExecutionMode::from_word)?,
            repeatable: row.get("repeatable")?,
            consented: row.get("consented")?,
            decision,
        });
    }
    Ok(())
}

/// What led to a decision. Of decisions of the first format nothing is known.
fn grounds(row: &Row<'_>) -> Result<Grounds, StoreError> {
    let Some(text) = row.get::<_, Option<String>>("grounds")? else { return Ok(Grounds::default()) };
    let value = serde_json::from_str(&text).ok();
    value.as_ref().and_then(Grounds::from_json).ok_or(unreadable("what led to a decision"))
}

/// What bears on the admission of a request that this holder asks for.
///
/// What may have happened binds the holder that caused it, and those that began after its end.
pub(super) fn known(connection: &Connection, entry: &Entry, holder: i64) -> Result<Known, StoreError> {
    let (principal, application) = (entry.owner.principal.as_str(), entry.owner.application.as_str());
    let mut by_key = connection.prepare_cached(
        "SELECT handle, payload, result FROM action \
         WHERE principal = ?1 AND application = ?2 AND key = ?3 AND key IS NOT NULL",
    )?;
    let key = entry.key.as_ref().map(Id::as_str);
    let same_key =
        by_key.query_row((principal, application, key), |row| Ok(earlier(row))).optional()?.transpose()?;
    let mut by_deed = connection.prepare_cached(
        "SELECT handle FROM action \
         WHERE principal = ?1 AND application = ?2 AND deed = ?3 AND unsure = 1 \
         AND (holder IS NULL OR holder = ?4 \
              OR EXISTS (SELECT 1 FROM holder WHERE seq = action.holder AND ended_before <= ?4)) \
         ORDER BY seq DESC LIMIT 1",
    )?;
    let deed = &entry.fingerprint.deed.0[..];
    let unsure: Option<String> =
        by_deed.query_row((principal, application, deed, holder), |row| row.get(0)).optional()?;
    Ok(Known { same_key, unsure: unsure.map(|handle| id(ActionHandle::new(handle))).transpose()? })
}

fn earlier(row: &Row<'_>) -> Result<Earlier, StoreError> {
    Ok(Earlier {
        handle: id(ActionHandle::new(row.get::<_, String>("handle")?))?,
        payload: digest(row, "payload")?,
        result: row.get::<_, Option<String>>("result")?.map(|text| result(&text)).transpose()?,
    })
}

pub(super) fn open_actions(connection: &Connection) -> Result<Vec<ActionHandle>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT handle FROM action WHERE result IS NULL ORDER BY seq")?;
    let handles = query.query_map([], |row| row.get::<_, String>(0))?;
    handles.map(|handle| id(ActionHandle::new(handle?))).collect()
}

pub(super) fn trace(
    connection: &Connection,
    handle: &ActionHandle,
) -> Result<Option<TraceRecord>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT body FROM trace JOIN action ON trace.action = action.seq WHERE handle = ?1 \
         UNION ALL SELECT body FROM turned_away WHERE handle = ?1",
    )?;
    let body: Option<String> = query.query_row([handle.as_str()], |row| row.get(0)).optional()?;
    body.map(|body| trace_in(&body)).transpose()
}

fn trace_in(body: &str) -> Result<TraceRecord, StoreError> {
    let value = serde_json::from_str(body).ok();
    value.as_ref().and_then(TraceRecord::from_json).ok_or(unreadable("the trace of an action"))
}

pub(super) fn turned_away(connection: &Connection, most: usize) -> Result<Vec<TurnedAway>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT at, body FROM turned_away ORDER BY seq DESC LIMIT ?1")?;
    let most = i64::try_from(most.min(LATEST_MAX)).unwrap_or_default();
    let mut rows = query.query([most])?;
    let mut requests = Vec::new();
    while let Some(row) = rows.next()? {
        requests.push(TurnedAway { at: time(row)?, trace: trace_in(&row.get::<_, String>("body")?)? });
    }
    Ok(requests)
}

/// Whether this holder admitted an action, or turned a request away, under this name.
pub(super) fn is_of(connection: &Connection, holder: i64, handle: &ActionHandle) -> Result<bool, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT 1 FROM action WHERE handle = ?1 AND holder = ?2 \
         UNION ALL SELECT 1 FROM turned_away WHERE handle = ?1 AND holder = ?2",
    )?;
    Ok(query.exists((handle.as_str(), holder))?)
}

/// A process that has opened the journal.
#[derive(Debug)]
pub(super) struct HolderRow {
    pub(super) seq: i64,
    pub(super) name: String,
    /// It was found dead.
    pub(super) has_ended: bool,
}

fn holder(row: &Row<'_>) -> rusqlite::Result<HolderRow> {
    Ok(HolderRow { seq: row.get(0)?, name: row.get(1)?, has_ended: row.get(2)? })
}

/// The process that admitted an action; nothing for what was kept before there were holders.
pub(super) fn holder_of(
    connection: &Connection,
    handle: &ActionHandle,
) -> Result<Option<HolderRow>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT holder.seq, holder.name, ended_before IS NOT NULL \
         FROM action JOIN holder ON holder.seq = action.holder WHERE handle = ?1",
    )?;
    Ok(query.query_row([handle.as_str()], holder).optional()?)
}

/// The processes that nobody has found dead.
pub(super) fn holders(connection: &Connection) -> Result<Vec<HolderRow>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT seq, name, ended_before IS NOT NULL FROM holder WHERE ended_before IS NULL",
    )?;
    let rows = query.query_map([], holder)?;
    rows.map(|row| Ok(row?)).collect()
}

/// The open actions of one process, or of the time before there were holders.
pub(super) fn open_actions_of(
    connection: &Connection,
    holder: Option<i64>,
) -> Result<Vec<ActionHandle>, StoreError> {
    let mut query = connection
        .prepare_cached("SELECT handle FROM action WHERE result IS NULL AND holder IS ?1 ORDER BY seq")?;
    let handles = query.query_map([holder], |row| row.get::<_, String>(0))?;
    handles.map(|handle| id(ActionHandle::new(handle?))).collect()
}

/// Whether a request that was turned away has this name.
pub(super) fn was_turned_away(connection: &Connection, handle: &ActionHandle) -> Result<bool, StoreError> {
    let mut query = connection.prepare_cached("SELECT 1 FROM turned_away WHERE handle = ?1")?;
    Ok(query.exists([handle.as_str()])?)
}

/// The actions that have a trace, the newest first: those of one holder, or all.
pub(super) fn latest(
    connection: &Connection,
    holder: Option<i64>,
    most: usize,
) -> Result<Vec<TraceSummary>, StoreError> {
    let of_holder = if holder.is_some() { "holder = ?1" } else { "?1 IS NULL" };
    let mut query = connection.prepare_cached(&format!(
        "SELECT {ACTION} FROM action JOIN trace ON trace.action = action.seq \
         WHERE {of_holder} ORDER BY seq DESC LIMIT ?2"
    ))?;
    let most = i64::try_from(most.min(LATEST_MAX)).unwrap_or_default();
    let actions = query.query_map((holder, most), |row| Ok(action(row)))?;
    let summaries = actions.map(|action| action?.map(|(_, kept)| kept.summary()));
    summaries.filter_map(Result::transpose).collect()
}

fn result(text: &str) -> Result<ActionResult, StoreError> {
    let object: Option<JsonObject> = serde_json::from_str(text).ok();
    object.and_then(|object| accept_object(&object).ok()).ok_or(unreadable("the result of an action"))
}

fn unreadable(what: &'static str) -> StoreError {
    StoreError::Unreadable { what }
}

fn id<T>(id: Result<T, BadForm>) -> Result<T, StoreError> {
    id.map_err(|_| unreadable("the name of an action"))
}

fn digest(row: &Row<'_>, column: &str) -> Result<Digest, StoreError> {
    row.get(column).map(Digest).map_err(StoreError::from)
}

fn time(row: &Row<'_>) -> Result<Millis, StoreError> {
    Ok(row.get::<_, i64>("at")?.try_into().unwrap_or_default())
}

fn word<T>(row: &Row<'_>, column: &'static str, lookup: fn(&str) -> Option<T>) -> Result<T, StoreError> {
    let word: String = row.get(column)?;
    lookup(&word).ok_or(unreadable("a decision of an action"))
}
