//! Actions that have ended, or lost their caller, while the journal says that they are under way.

use super::locked;
use crate::journal::{Journal, JournalError, TraceRecord};
use crate::life::Millis;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionHandle;

/// What the journal still has to hear, oldest first.
#[derive(Debug, Default)]
pub(super) struct LooseEnds(Mutex<VecDeque<LooseEnd>>);

#[derive(Clone, Debug)]
enum LooseEnd {
    /// Its caller went away in the middle: it ends as after a crash.
    Abandoned(ActionHandle),
    /// The journal did not take its result.
    Unkept(Arc<(ActionResult, TraceRecord)>),
}

impl LooseEnd {
    fn handle(&self) -> &ActionHandle {
        match self {
            Self::Abandoned(handle) => handle,
            Self::Unkept(ended) => &ended.0.action_handle,
        }
    }
}

impl LooseEnds {
    pub(super) fn abandoned(&self, handle: ActionHandle) {
        locked(&self.0).push_back(LooseEnd::Abandoned(handle));
    }

    pub(super) fn unkept(&self, result: ActionResult, trace: TraceRecord) {
        locked(&self.0).push_back(LooseEnd::Unkept(Arc::new((result, trace))));
    }

    /// Tells the journal. What it does not take stays here, and so does what is being told when nobody waits any more.
    pub(super) async fn tie(&self, journal: &impl Journal, now: fn() -> Millis) -> Result<(), JournalError> {
        loop {
            let Some(end) = locked(&self.0).front().cloned() else { return Ok(()) };
            match tell(&end, journal, now).await {
                // Somebody else told it in the meantime, or it is long forgotten.
                Ok(()) | Err(JournalError::Ended(_) | JournalError::Unknown(_)) => {}
                Err(error) => return Err(error),
            }
            let mut ends = locked(&self.0);
            if ends.front().is_some_and(|front| front.handle() == end.handle()) {
                ends.pop_front();
            }
        }
    }
}

async fn tell(end: &LooseEnd, journal: &impl Journal, now: fn() -> Millis) -> Result<(), JournalError> {
    let (result, trace) = match end {
        LooseEnd::Unkept(ended) => (**ended).clone(),
        LooseEnd::Abandoned(handle) => match journal.find(handle).await? {
            Some(kept) if kept.result.is_none() => kept.ended_by_crash(now()),
            _ => return Ok(()),
        },
    };
    journal.conclude(result, trace).await
}
