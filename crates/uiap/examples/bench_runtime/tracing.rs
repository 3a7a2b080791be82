//! What a trace adds to keeping a result: the same results are kept with and without it, in turn.

use crate::ours::clock;
use crate::stats::Stats;
use anyhow::Context as _;
use std::path::Path;
use std::time::Instant;
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{Entry, Journal as _, Kept, TraceRecord};
use uiap_store::{JournalReader, SqliteJournal};

/// How often each is kept.
const ROUNDS: usize = 100;

/// The difference for the trace of the last action of a journal, in milliseconds. Nothing if there is none.
pub(crate) async fn cost(journal: &Path, scratch: &Path) -> anyhow::Result<Option<Stats>> {
    let reader = JournalReader::open(journal)?;
    let Some(last) = reader.latest(1)?.pop() else { return Ok(None) };
    let trace = reader.trace(&last.handle)?.context("a trace")?;
    let Kept { entry, result, .. } = reader.find(&last.handle)?.context("an action")?;
    let result = result.context("a result")?;
    // Named after the action, because each page is measured in a journal of its own.
    let copy = scratch.join(format!("traces-{}-{}.sqlite", std::process::id(), last.handle));
    let kept = SqliteJournal::open(&copy, uiap_store::Settings::default(), clock())?;
    let mut differences = Vec::new();
    for round in 0..ROUNDS {
        let bare = TraceRecord::new(trace.handle.clone(), trace.action_id.clone());
        let without = keep(&kept, &format!("bare_{round}"), &entry, &result, bare).await?;
        let with = keep(&kept, &format!("traced_{round}"), &entry, &result, trace.clone()).await?;
        differences.push(with - without);
    }
    Ok(Stats::of(differences))
}

async fn keep(
    journal: &SqliteJournal,
    handle: &str,
    entry: &Entry,
    result: &ActionResult,
    trace: TraceRecord,
) -> anyhow::Result<f64> {
    let handle = ActionHandle::new(handle)?;
    journal.admit(Entry { handle: handle.clone(), ..entry.clone() }).await?;
    let result = ActionResult { action_handle: handle.clone(), ..result.clone() };
    let start = Instant::now();
    journal.conclude(result, TraceRecord { handle, ..trace }).await?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}
