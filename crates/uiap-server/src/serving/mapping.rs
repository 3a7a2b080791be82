//! Carries out what sessions wish of whoever maps applications.

use super::keeper::Told;
use super::refused;
use crate::mapping::{Expedition, Found, Mapper, Planned, Trust};
use crate::session::{Answer, MapNews, MapWish, cancelled};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use uiap_discovery::explore::{Control, Progress, Watcher};
use uiap_protocol::core::{Body, CoreErrorCode, ErrorCode};
use uiap_protocol::discovery::{
    DiscoveryPaused, DiscoveryPlan, DiscoveryPlanned, DiscoveryProgress, DiscoveryStarted,
    DiscoveryStartedStatus, PausedStatus, RejectedSeed,
};
use uiap_protocol::ids::{MessageId, RunId};

/// Most runs of a house at a time: each has a browser of its own.
pub const RUNS_MAX: usize = 2;
/// Most runs of a house that are planned and have not begun.
pub const PLANNED_MAX: usize = 64;
/// Longest time between a wish to pause and the end of what is under way.
const PAUSE_WAIT: Duration = Duration::from_mins(1);
/// Shortest time between two reports on a run.
const PROGRESS_PAUSE: Duration = Duration::from_millis(250);
/// Permits for all runs of a house.
#[expect(clippy::cast_possible_truncation, reason = "the limit is a small number")]
const PERMITS: u32 = RUNS_MAX as u32;

/// The runs of a house.
pub(super) struct Runs {
    mapper: Option<Arc<dyn Mapper>>,
    held: Mutex<HashMap<RunId, Held>>,
    permits: Arc<Semaphore>,
}

/// A run that has not ended.
enum Held {
    Planned {
        expedition: Box<dyn Expedition>,
        /// To the session that planned it.
        tell: mpsc::Sender<Told>,
    },
    UnderWay(Control),
}

impl fmt::Debug for Runs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Runs").field("held", &self.held().len()).finish_non_exhaustive()
    }
}

/// Hears a run. Only the latest report counts.
struct Ear(watch::Sender<Option<DiscoveryProgress>>);

impl Watcher for Ear {
    fn progress(&self, progress: &Progress) {
        self.0.send_replace(Some(progress.message.clone()));
    }
}

impl Runs {
    pub(super) fn new(mapper: Option<Arc<dyn Mapper>>) -> Arc<Self> {
        Arc::new(Self { mapper, held: Mutex::default(), permits: Arc::new(Semaphore::new(RUNS_MAX)) })
    }

    /// Somebody maps here.
    pub(super) fn are_possible(&self) -> bool {
        self.mapper.is_some()
    }

    /// Ends every run, and waits until all have ended.
    pub(super) async fn leave(&self) {
        self.held().retain(|_, held| match held {
            Held::Planned { .. } => false,
            Held::UnderWay(control) => {
                control.stop();
                true
            }
        });
        // The permits are never closed.
        let _ = self.permits.acquire_many(PERMITS).await;
    }

    /// Carries out a wish. Answers and news come back over `tell`.
    pub(super) fn carry_out(
        self: &Arc<Self>,
        request: Option<MessageId>,
        wish: MapWish,
        tell: mpsc::Sender<Told>,
    ) {
        let runs = Arc::clone(self);
        let line = Line { request, tell };
        match wish {
            MapWish::Plan(plan, trust) => drop(tokio::spawn(async move {
                let answer = runs.plan(*plan, trust, &line.tell).await;
                line.answer(answer).await;
            })),
            MapWish::Start(run_id) => match self.begin(&run_id) {
                Ok(begun) => drop(tokio::spawn(runs.run(run_id, begun, line))),
                Err(answer) => drop(tokio::spawn(async move { line.answer(answer).await })),
            },
            MapWish::Pause(run_id) => {
                let control = self.control(&run_id);
                drop(tokio::spawn(async move { line.answer(pause(&run_id, control).await).await }));
            }
            MapWish::Resume(run_id) => {
                if let Some(control) = self.control(&run_id) {
                    control.resume();
                }
            }
            MapWish::Cancel(run_id) => self.cancel(run_id, line),
        }
    }

    async fn plan(&self, plan: DiscoveryPlan, trust: Trust, tell: &mpsc::Sender<Told>) -> Answer {
        let Some(mapper) = &self.mapper else { return trouble(CoreErrorCode::NotFound, "Nobody maps here.") };
        let planned = match mapper.plan(plan, trust).await {
            Ok(planned) => planned,
            Err(error) => return trouble(error.code(), &error.to_string()),
        };
        let Planned { run_id, accepted, rejected, expedition } = planned;
        let mut held = self.held();
        // A session that ended while its plan was made never heard of the run, and starts nothing any more.
        held.retain(|_, held| !matches!(held, Held::Planned { tell, .. } if tell.is_closed()));
        if held.values().filter(|held| matches!(held, Held::Planned { .. })).count() >= PLANNED_MAX {
            let message =
                format!("{PLANNED_MAX} runs are planned here already; start or cancel one of them.");
            return trouble(CoreErrorCode::RateLimited, &message);
        }
        held.insert(run_id.clone(), Held::Planned { expedition, tell: tell.clone() });
        let rejected: Vec<_> =
            rejected.into_iter().map(|(seed, reason)| RejectedSeed { seed, reason }).collect();
        Answer::Body(Box::new(Body::DiscoveryPlanned(DiscoveryPlanned {
            run_id,
            estimated_seed_count: u64::try_from(accepted.len()).ok(),
            accepted_seeds: Some(accepted),
            rejected_seeds: Some(rejected),
        })))
    }

    /// Takes a run out of what is planned, if there is room for one more under way.
    fn begin(&self, run_id: &RunId) -> Result<Begun, Answer> {
        let mut held = self.held();
        let Some(Held::Planned { expedition, tell }) = held.remove(run_id) else {
            return Err(trouble(CoreErrorCode::NotFound, "The run is not planned any more."));
        };
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            held.insert(run_id.clone(), Held::Planned { expedition, tell });
            let message = format!("{RUNS_MAX} runs are under way here already; wait for one of them to end.");
            return Err(trouble(CoreErrorCode::RateLimited, &message));
        };
        let control = Control::default();
        held.insert(run_id.clone(), Held::UnderWay(control.clone()));
        Ok(Begun { expedition, control, permit })
    }

    async fn run(self: Arc<Self>, run_id: RunId, begun: Begun, line: Line) {
        let Begun { expedition, control, permit } = begun;
        let started = DiscoveryStarted { run_id: run_id.clone(), status: DiscoveryStartedStatus::Preparing };
        line.answer(Answer::Body(Box::new(Body::DiscoveryStarted(started)))).await;
        let (ear, mut heard) = watch::channel(None);
        let running = expedition.run(control, Arc::new(Ear(ear)));
        let passing_on = async {
            while heard.changed().await.is_ok() {
                let latest = heard.borrow_and_update().clone();
                line.progress(latest).await;
                sleep(PROGRESS_PAUSE).await;
            }
            std::future::pending().await
        };
        let found = tokio::select! {
            found = running => found,
            never = passing_on => never,
        };
        line.progress(unheard(&mut heard)).await;
        self.held().remove(&run_id);
        drop(permit);
        line.ended(run_id, found).await;
    }

    fn cancel(&self, run_id: RunId, line: Line) {
        let mut held = self.held();
        match held.remove(&run_id) {
            Some(Held::Planned { expedition, .. }) => drop(tokio::spawn(async move {
                line.answer(cancelled(&run_id)).await;
                line.ended(run_id, expedition.give_up()).await;
            })),
            Some(Held::UnderWay(control)) => {
                held.insert(run_id.clone(), Held::UnderWay(control.clone()));
                control.stop();
                drop(tokio::spawn(async move {
                    // Who waits longer is answered by the session when the run has ended.
                    if timeout(PAUSE_WAIT, control.at_rest()).await.is_ok() {
                        line.answer(cancelled(&run_id)).await;
                    }
                }));
            }
            // It has just ended, which the session will hear.
            None => {}
        }
    }

    fn control(&self, run_id: &RunId) -> Option<Control> {
        match self.held().get(run_id) {
            Some(Held::UnderWay(control)) => Some(control.clone()),
            Some(Held::Planned { .. }) | None => None,
        }
    }

    /// A poisoned lock holds what it held: every change to it is one step.
    fn held(&self) -> MutexGuard<'_, HashMap<RunId, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest report, if nobody has heard it yet.
fn unheard(reports: &mut watch::Receiver<Option<DiscoveryProgress>>) -> Option<DiscoveryProgress> {
    let last = reports.borrow_and_update();
    if last.has_changed() { last.clone() } else { None }
}

/// A run that begins.
struct Begun {
    expedition: Box<dyn Expedition>,
    control: Control,
    permit: OwnedSemaphorePermit,
}

/// To the session that wished for something.
struct Line {
    request: Option<MessageId>,
    tell: mpsc::Sender<Told>,
}

impl Line {
    async fn answer(&self, answer: Answer) {
        if let Some(request) = self.request.clone() {
            // A session that has ended needs no answers.
            let _ = self.tell.send(Told::Answered { request, answer }).await;
        }
    }

    async fn progress(&self, progress: Option<DiscoveryProgress>) {
        if let Some(progress) = progress {
            let _ = self.tell.send(Told::Map(Box::new(MapNews::Progress(progress)))).await;
        }
    }

    async fn ended(&self, run_id: RunId, found: Found) {
        let _ = self.tell.send(Told::Map(Box::new(MapNews::Ended(run_id, Box::new(found))))).await;
    }
}

/// Begins nothing any more, and answers when what is under way has ended.
async fn pause(run_id: &RunId, control: Option<Control>) -> Answer {
    let Some(control) = control.filter(Control::pause) else {
        return trouble(CoreErrorCode::UnexpectedMessage, "The run ends already.");
    };
    if timeout(PAUSE_WAIT, control.at_rest()).await.is_err() {
        control.resume();
        return trouble(CoreErrorCode::Timeout, "The run did not come to rest in time, and goes on.");
    }
    let paused = DiscoveryPaused { run_id: run_id.clone(), status: PausedStatus };
    Answer::Body(Box::new(Body::DiscoveryPaused(paused)))
}

fn trouble(code: CoreErrorCode, message: &str) -> Answer {
    Answer::Refused(Box::new(refused(ErrorCode::Core(code), message.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::PlanError;
    use std::pin::Pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use uiap_protocol::text::{Format, Limits, read};
    use uiap_protocol::wire::accept;

    /// Plans everything.
    #[derive(Default)]
    struct Willing(AtomicUsize);

    impl Mapper for Willing {
        fn plan(
            &self,
            _: DiscoveryPlan,
            _: Trust,
        ) -> Pin<Box<dyn Future<Output = Result<Planned, PlanError>> + Send + '_>> {
            let run_id = RunId::new(format!("disc_{}", self.0.fetch_add(1, Ordering::SeqCst))).unwrap();
            let planned =
                Planned { run_id, accepted: Vec::new(), rejected: Vec::new(), expedition: Box::new(Never) };
            Box::pin(std::future::ready(Ok(planned)))
        }
    }

    /// A run that nobody begins.
    struct Never;

    impl Expedition for Never {
        fn run(
            self: Box<Self>,
            _: Control,
            _: Arc<dyn Watcher>,
        ) -> Pin<Box<dyn Future<Output = Found> + Send>> {
            Box::pin(std::future::pending())
        }

        fn give_up(self: Box<Self>) -> Found {
            panic!("nobody knows of it")
        }
    }

    fn a_plan() -> DiscoveryPlan {
        let text = r#"{"environment": {"environmentId": "staging", "baseUrl": "http://127.0.0.1/"}}"#;
        accept(&read(text, Format::Json, Limits::DOCUMENT).unwrap()).unwrap()
    }

    #[tokio::test]
    async fn what_was_planned_for_sessions_that_ended_takes_no_room() {
        let runs = Runs::new(Some(Arc::new(Willing::default())));
        for _ in 0..PLANNED_MAX {
            let (tell, _) = mpsc::channel(1);
            assert!(matches!(runs.plan(a_plan(), Trust::Bounds, &tell).await, Answer::Body(_)));
        }
        let (tell, _session) = mpsc::channel(1);
        for _ in 0..PLANNED_MAX {
            assert!(matches!(runs.plan(a_plan(), Trust::Bounds, &tell).await, Answer::Body(_)));
        }
        let refused = runs.plan(a_plan(), Trust::Bounds, &tell).await;
        assert!(matches!(refused, Answer::Refused(_)), "those of a session that listens do");
    }
}
