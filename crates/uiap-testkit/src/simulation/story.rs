//! A schedule in words, for whoever looks for the reason of what broke.

use super::World;
use super::schedule::{Asked, lock};
use crate::MemoryJournal;
use std::fmt::Write as _;
use std::sync::Arc;
use tokio::time::Instant;
use uiap_runtime::journal::Journal;

/// What was asked for, what was answered, what the journal says, and what really happened.
pub(super) async fn story(world: &World, shelf: &MemoryJournal, all: &[Arc<Asked>]) -> String {
    let since = |at: Instant| at.saturating_duration_since(world.began).as_millis();
    let mut text = String::new();
    let mut handles = Vec::new();
    {
        let state = world.state();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:?}", state.trouble);
        for done in &state.reached {
            let _ = writeln!(
                text,
                "sent at {} ms: {:?} to {} by {}",
                since(done.sent),
                done.what,
                done.thing,
                done.handle
            );
        }
        for done in &state.happened {
            let by = done.handle.as_ref().map_or("a person", |handle| handle.as_str());
            let back =
                done.taken_back.map_or(String::new(), |at| format!(", taken back at {} ms", since(at)));
            let _ = writeln!(
                text,
                "happened at {} ms: {:?} to {} by {by}{back}",
                since(done.at),
                done.what,
                done.thing
            );
        }
        for agreed in &state.agreed {
            let _ = writeln!(text, "agreed: {agreed:?}");
        }
    }
    for asked in all {
        let _ = writeln!(text, "asked for {:?}", asked.wish);
        if let Some((at, reply)) = &*lock(&asked.reply) {
            let _ = writeln!(text, "  answered at {} ms: {reply:?}", since(*at));
            handles.extend(reply.as_ref().ok().map(|result| result.action_handle.clone()));
        }
    }
    for handle in handles {
        if let Ok(Some(trace)) = shelf.trace(&handle).await {
            let _ = writeln!(text, "trace of {handle}");
            for step in trace.steps {
                let _ =
                    writeln!(text, "  {:>6} ms {:?}: {} {:?}", step.at, step.state, step.note, step.evidence);
            }
            for diagnostic in trace.diagnostics {
                let _ = writeln!(text, "  around it: {}", serde_json::Value::Object(diagnostic));
            }
        }
    }
    text
}
