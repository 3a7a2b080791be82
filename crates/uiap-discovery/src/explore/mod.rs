//! Drives runtimes through an application: gets to a state, does one thing there, looks at what came of it.
//!
//! Start at [`Exploration::run`]. What is decided is decided by the pure parts of this crate; here are the waits, the
//! order of things and the hands. Everything that is learnt stands in the logbook before anything follows from it, so
//! another process can go on where this one ended.

mod book;
mod control;
mod doing;
mod going;
mod logbook;
mod patience;
mod ports;
mod settle;
#[cfg(test)]
mod tests;
mod worker;

pub use book::{accessibility_name, graph_name, picture_name, state_id};
pub use control::Control;
pub use logbook::ReplayError;
pub use ports::{Archive, Ground, GroundError, Hand, Hindrance, Image, Progress, Watcher};

use crate::atlas::{Atlas, Rules};
use crate::options::Choice;
use crate::seeds::{Known, start};
use book::Book;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;
use uiap_protocol::action::ActionRequest;
use uiap_protocol::discovery::{DiscoveryProgress, DiscoveryRunStatus, DiscoverySeed};
use uiap_protocol::ids::{Id, RunId};
use uiap_protocol::time::Timestamp;
use url::Url;
use worker::Worker;

/// Most hands of one run.
pub const HANDS_MAX: usize = 16;
/// Most notes of one run; beyond, they say nothing new.
const NOTES_MAX: usize = 200;

/// Why a run cannot go on. What was found until then is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// There is no place to explore in.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// What is found cannot be kept.
    #[error("what is found cannot be kept: {0}")]
    Archive(String),
}

/// How exploring ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing left to try.
    Finished,
    /// Time is up.
    OutOfTime,
    /// Somebody stopped it.
    Stopped,
    /// It could not go on.
    Failed(Trouble),
}

/// What to explore, from where, and within what bounds.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The run.
    pub run_id: RunId,
    /// Where the application begins.
    pub base: Url,
    /// Other places that belong to it.
    pub further_origins: Vec<Url>,
    /// What is fixed.
    pub rules: Rules,
    /// Where to start.
    pub seeds: Vec<DiscoverySeed>,
    /// What is known before anything was looked at.
    pub known: Known,
    /// How many places are explored side by side.
    pub hands: usize,
}

/// What a run learnt.
#[derive(Debug)]
pub struct Explored {
    /// What is known now.
    pub atlas: Atlas,
    /// How it ended.
    pub ended: Ended,
    /// What people should know about how it went.
    pub notes: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// A run under way.
struct Explorer<'e, G, A> {
    run_id: &'e RunId,
    base: String,
    origins: Vec<url::Origin>,
    rules: Rules,
    hands: usize,
    ground: &'e G,
    archive: &'e A,
    control: &'e Control,
    watcher: &'e dyn Watcher,
    book: Mutex<Book<'e, A>>,
    /// Somebody reported.
    news: Notify,
    notes: Mutex<Vec<String>>,
    /// When this process began: its actions are not those of an earlier one that began the run.
    began_at: Timestamp,
    began: Instant,
    until: Instant,
}

impl Exploration {
    /// Which seeds can be used, and which cannot and why.
    pub fn plan(&self) -> (Vec<DiscoverySeed>, Vec<(DiscoverySeed, String)>) {
        let mut refused = Vec::new();
        let mut accepted = Vec::new();
        for seed in &self.seeds {
            match start(seed, &self.known, &self.base) {
                Ok(_) => accepted.push(seed.clone()),
                Err(reason) => refused.push((seed.clone(), reason)),
            }
        }
        (accepted, refused)
    }

    /// Explores until nothing is left to try, the budget is used up, or somebody stops it. What an earlier process
    /// found, and the archive knows, is gone on with.
    pub async fn run<G: Ground, A: Archive>(
        &self,
        ground: &G,
        archive: &A,
        control: &Control,
        watcher: &dyn Watcher,
    ) -> Result<Explored, ReplayError> {
        let mut atlas = Atlas::new(self.rules.clone());
        for errand in logbook::replay(&mut atlas, archive)? {
            let again = atlas.choice(errand).is_some_and(|choice| !choice.judgement.writes());
            // What may have changed something is not done twice.
            if again { atlas.give_back(errand) } else { atlas.miss(errand) }
        }
        let hands = self.hands.clamp(1, HANDS_MAX);
        let began = Instant::now();
        let explorer = Explorer {
            run_id: &self.run_id,
            base: self.base.to_string(),
            origins: self.further_origins.iter().chain([&self.base]).map(Url::origin).collect(),
            rules: self.rules.clone(),
            hands,
            ground,
            archive,
            control,
            watcher,
            book: Mutex::new(Book::new(atlas, archive, hands)),
            news: Notify::new(),
            notes: Mutex::default(),
            began_at: ground.now(),
            began,
            until: began + Duration::from_millis(self.rules.budget.runtime_ms),
        };
        let ended = explorer.explore(self).await;
        Ok(explorer.into_explored(ended))
    }
}

impl<'e, G: Ground, A: Archive> Explorer<'e, G, A> {
    async fn explore(&self, exploration: &Exploration) -> Ended {
        if let Err(error) = self.sow(exploration) {
            return Ended::Failed(Trouble::Archive(error.to_string()));
        }
        self.tell(DiscoveryRunStatus::Preparing, None);
        let Some(busy) = self.control.begin().await else { return Ended::Stopped };
        // The first page shows whether there is anything to explore at all. Somebody may have to sign in for it, and
        // whoever stops it then is not kept waiting.
        let first = tokio::select! {
            first = self.ground.hand(0) => first,
            () = self.control.stopped() => return Ended::Stopped,
            () = tokio::time::sleep_until(self.until) => return Ended::OutOfTime,
        };
        let first = match first {
            Ok(hand) => hand,
            Err(error) => return Ended::Failed(Trouble::Ground(error)),
        };
        drop(busy);
        let mut first = Some(first);
        let workers = (0..self.hands).map(|number| Worker::new(self, number, first.take()).work());
        let worked = tokio::select! {
            worked = futures_util::future::try_join_all(workers) => worked,
            () = self.killed() => Ok(Vec::new()),
        };
        let closed = match worked {
            // What could not be written may have left half a line, and nothing must stand behind it.
            Err(Trouble::Archive(_)) => Ok(()),
            _ => self.book(Book::close),
        };
        match (worked, closed) {
            (Err(trouble), _) => Ended::Failed(trouble),
            (_, Err(error)) => Ended::Failed(Trouble::Archive(error.to_string())),
            _ if self.control.is_stopped() => Ended::Stopped,
            _ if self.is_over() => Ended::OutOfTime,
            _ => Ended::Finished,
        }
    }

    fn sow(&self, exploration: &Exploration) -> std::io::Result<()> {
        self.book(|book| {
            let visited: Vec<_> = book.atlas.sown().to_vec();
            for (number, sown) in visited.iter().enumerate() {
                if sown.state.is_none()
                    && sown.trouble.is_none()
                    && let Ok(start) = start(&sown.seed, &exploration.known, &exploration.base)
                {
                    book.sow_again(number, start);
                }
            }
            for seed in &exploration.seeds {
                if visited.iter().any(|sown| sown.seed == *seed) {
                    continue;
                }
                match start(seed, &exploration.known, &exploration.base) {
                    Ok(start) => book.sow(start)?,
                    Err(trouble) => book.turn_away(seed.clone(), trouble)?,
                }
            }
            Ok(())
        })
    }

    /// Some time after it was stopped, or its time was up, nothing is waited for any more.
    async fn killed(&self) {
        const LAST_WAIT: Duration = Duration::from_secs(20);
        tokio::select! {
            () = self.control.stopped() => {}
            () = tokio::time::sleep_until(self.until) => {}
        }
        tokio::time::sleep(LAST_WAIT).await;
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// An address belongs to the application.
    fn is_inside(&self, address: &str) -> bool {
        Url::parse(address).is_ok_and(|url| self.origins.contains(&url.origin()))
    }

    fn book<R>(&self, with: impl FnOnce(&mut Book<'e, A>) -> R) -> R {
        with(&mut locked(&self.book))
    }

    fn note(&self, note: String) {
        let mut notes = locked(&self.notes);
        if notes.len() < NOTES_MAX && !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// A decision stands in the logbook before what it allows is done (DSC 13).
    fn decided(&self, choice: &Choice, request: &ActionRequest) -> std::io::Result<()> {
        let decision = &choice.judgement.decision;
        let line = serde_json::json!({ "decided": { "action": request.action_id, "decision": decision } });
        self.archive.log(&line.to_string())
    }

    /// Somebody reported; everybody looks whether there is something to do, and whoever watches is told.
    fn told(&self) {
        self.news.notify_waiters();
        let seeding = self.book(|book| !book.is_seeded());
        let status = if seeding { DiscoveryRunStatus::Seeding } else { DiscoveryRunStatus::Exploring };
        self.tell(status, None);
    }

    fn tell(&self, status: DiscoveryRunStatus, note: Option<String>) {
        let progress = self.book(|book| {
            let atlas = &book.atlas;
            let count = |count: usize| u64::try_from(count).ok();
            let last = atlas.states().last();
            let message = DiscoveryProgress {
                run_id: self.run_id.clone(),
                status,
                current_seed: None,
                current_route_id: last.map(|state| state.place.route_id.clone()),
                current_state_id: last.and_then(|state| Id::new(state.id.clone()).ok()),
                visited_states: count(atlas.states().len()),
                visited_transitions: count(atlas.transitions()),
                discovered_routes: count(atlas.findings().routes.len()),
                discovered_actions: count(atlas.registered().count() + atlas.findings().elements.len()),
                discovered_workflow_candidates: None,
                note,
            };
            Progress {
                message,
                open: atlas.open_choices(),
                held: atlas.held(),
                time_percent: self.time_percent(),
            }
        });
        self.watcher.progress(&progress);
    }

    fn time_percent(&self) -> u64 {
        let whole = self.until.duration_since(self.began).as_millis().max(1);
        u64::try_from(self.began.elapsed().as_millis() * 100 / whole).unwrap_or(100).min(100)
    }

    fn into_explored(self, ended: Ended) -> Explored {
        let took = self.began.elapsed();
        let book = self.book.into_inner().unwrap_or_else(PoisonError::into_inner);
        Explored {
            atlas: book.atlas,
            ended,
            notes: self.notes.into_inner().unwrap_or_else(PoisonError::into_inner),
            took,
        }
    }
}

/// A poisoned lock holds what it held: every change to these is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
