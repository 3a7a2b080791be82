//! The discovery runs of a session (DSC 14).
//!
//! A run belongs to the session that planned it: for others it does not exist, and with the session it is given up.
//! `paused` is no state of a run but something that is true beside it (finding S1): [`Run::status`] keeps where it is.

use super::speaking::error;
use super::terms::{DISCOVERY_EXTENSION, RUNS_KEPT_MAX};
use super::{Answer, Effect, Pending, Session};
use crate::mapping::{Found, Trust};
use std::sync::Arc;
use uiap_policy::holds;
use uiap_protocol::core::{Body, CoreErrorCode, ErrorPayload};
use uiap_protocol::discovery::{
    CancelledStatus, DiscoveryCancelled, DiscoveryPackagePayload, DiscoveryPlan, DiscoveryProgress,
    DiscoveryResult, DiscoveryResultStatus, DiscoveryResumed, DiscoveryRunStatus, SafetyMode,
};
use uiap_protocol::ids::{MessageId, RunId};
use uiap_protocol::policy::Grant;

/// What a session wishes of whoever maps.
#[derive(Clone, Debug, PartialEq)]
pub enum MapWish {
    /// Say what would be explored.
    Plan(Box<DiscoveryPlan>, Trust),
    /// Begin.
    Start(RunId),
    /// Come to rest, and begin nothing.
    Pause(RunId),
    /// Go on.
    Resume(RunId),
    /// Come to rest, and end.
    Cancel(RunId),
}

/// What a run says.
#[derive(Clone, Debug, PartialEq)]
pub enum MapNews {
    /// How it goes.
    Progress(DiscoveryProgress),
    /// It ended.
    Ended(RunId, Box<Found>),
}

/// Where a run is in its life.
#[derive(Clone, Debug)]
enum Stage {
    Planned,
    /// It was asked to begin.
    Starting,
    UnderWay,
    /// It was asked to come to rest.
    Pausing,
    Paused,
    /// It was asked to end.
    Cancelling,
    Ended(Arc<Found>),
}

#[derive(Clone, Debug)]
struct Run {
    id: RunId,
    stage: Stage,
    status: DiscoveryRunStatus,
    /// What was told last.
    told: Option<DiscoveryProgress>,
}

/// The runs of a session, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs(Vec<Run>);

impl Runs {
    /// Something will still be told.
    pub(super) fn are_under_way(&self) -> bool {
        self.0.iter().any(|run| !matches!(run.stage, Stage::Planned | Stage::Ended(_)))
    }

    fn find(&mut self, id: &RunId) -> Option<&mut Run> {
        self.0.iter_mut().find(|run| run.id == *id)
    }

    /// Room for one more; the oldest that ended is forgotten for it.
    fn make_room(&mut self) -> bool {
        if self.0.len() < RUNS_KEPT_MAX {
            return true;
        }
        let ended = self.0.iter().position(|run| matches!(run.stage, Stage::Ended(_)));
        ended.map(|place| self.0.remove(place)).is_some()
    }
}

impl Run {
    /// Why a run in this stage does not do what was asked.
    fn misplaced(&self, wanted: &str) -> ErrorPayload {
        let stage = match &self.stage {
            Stage::Planned => "has not begun",
            Stage::Starting => "is about to begin",
            Stage::UnderWay => "is under way",
            Stage::Pausing => "is about to pause",
            Stage::Paused => "is paused",
            Stage::Cancelling => "is being cancelled",
            Stage::Ended(_) => "has ended",
        };
        error(CoreErrorCode::UnexpectedMessage, format!("The run \"{}\" {stage}; {wanted}.", self.id))
    }
}

impl Session {
    pub(super) fn plan(&mut self, id: MessageId, plan: DiscoveryPlan) -> Vec<Effect> {
        let trust = match self.may_map(&plan) {
            Ok(trust) => trust,
            Err(message) => {
                self.refuse(&id, error(CoreErrorCode::Forbidden, message));
                return Vec::new();
            }
        };
        let planning = self.open.values().filter(|open| open.pending == Pending::Plan).count();
        if planning > 0 || !self.runs.make_room() {
            let message = format!(
                "A plan is being made already, or {RUNS_KEPT_MAX} runs are planned or under way; end one of them."
            );
            self.refuse(&id, error(CoreErrorCode::RateLimited, message));
            return Vec::new();
        }
        self.open(&id, Pending::Plan);
        vec![Effect::Map(Some(id), MapWish::Plan(Box::new(plan), trust))]
    }

    /// Mapping looks and leads through an application; what writes is for those who administer it.
    fn may_map(&self, plan: &DiscoveryPlan) -> Result<Trust, &'static str> {
        let principal = &self.rights.principal;
        if !self.party.may_act() || !holds(principal, &Grant::Guide) {
            return Err("Mapping takes the right \"guide\".");
        }
        // A person who asks for something has agreed to it.
        let lends = self.party.may_agree() && self.rights.lent.contains(&Grant::Admin);
        let administers = lends || holds(principal, &Grant::Admin);
        let safety = plan.environment.safety.as_ref();
        let writes = safety.is_some_and(|safety| safety.default_mode == SafetyMode::SandboxWrite);
        match (administers, writes) {
            (true, _) => Ok(Trust::Everything),
            (false, false) => Ok(Trust::Bounds),
            (false, true) => Err("\"sandbox_write\" takes the right \"admin\"."),
        }
    }

    pub(super) fn start_run(&mut self, id: MessageId, run_id: &RunId) -> Vec<Effect> {
        self.move_run(id, run_id, "only what was planned begins, and once", |run| match run.stage {
            Stage::Planned => Some((Stage::Starting, MapWish::Start(run.id.clone()))),
            _ => None,
        })
    }

    pub(super) fn pause_run(&mut self, id: MessageId, run_id: &RunId) -> Vec<Effect> {
        self.move_run(id, run_id, "only what is under way pauses", |run| match run.stage {
            Stage::UnderWay => Some((Stage::Pausing, MapWish::Pause(run.id.clone()))),
            _ => None,
        })
    }

    pub(super) fn cancel_run(&mut self, id: MessageId, run_id: &RunId) -> Vec<Effect> {
        self.move_run(id, run_id, "there is nothing to cancel", |run| match run.stage {
            Stage::Cancelling | Stage::Ended(_) => None,
            _ => Some((Stage::Cancelling, MapWish::Cancel(run.id.clone()))),
        })
    }

    pub(super) fn resume_run(&mut self, id: &MessageId, run_id: &RunId) -> Vec<Effect> {
        let Some(run) = self.runs.find(run_id) else {
            self.refuse(id, unknown(run_id));
            return Vec::new();
        };
        if !matches!(run.stage, Stage::Paused) {
            let payload = run.misplaced("only what is paused goes on");
            self.refuse(id, payload);
            return Vec::new();
        }
        run.stage = Stage::UnderWay;
        let resumed = DiscoveryResumed { run_id: run_id.clone(), status: run.status };
        // Said before it goes on, so that what it does then comes after.
        self.respond(id, Body::DiscoveryResumed(resumed), false);
        vec![Effect::Map(None, MapWish::Resume(run_id.clone()))]
    }

    pub(super) fn get_package(&mut self, id: &MessageId, run_id: &RunId) {
        let Some(run) = self.runs.find(run_id) else { return self.refuse(id, unknown(run_id)) };
        let Stage::Ended(found) = &run.stage else {
            let payload = run.misplaced("there is a package when it has ended");
            return self.refuse(id, payload);
        };
        let found = Arc::clone(found);
        if !found.is_whole {
            let notes = found.package.run.notes.iter().flatten().last().cloned().unwrap_or_default();
            let message = format!("The package is too large for a message. {notes}");
            return self.refuse(id, error(CoreErrorCode::MessageTooLarge, message));
        }
        let package = DiscoveryPackagePayload { package: found.package.clone() };
        self.respond(id, Body::DiscoveryPackage(package), false);
    }

    /// Asks for a change of a run, if it is in the right stage for it.
    fn move_run(
        &mut self,
        id: MessageId,
        run_id: &RunId,
        wanted: &str,
        moved: impl FnOnce(&Run) -> Option<(Stage, MapWish)>,
    ) -> Vec<Effect> {
        let Some(run) = self.runs.find(run_id) else {
            self.refuse(&id, unknown(run_id));
            return Vec::new();
        };
        let Some((stage, wish)) = moved(run) else {
            let payload = run.misplaced(wanted);
            self.refuse(&id, payload);
            return Vec::new();
        };
        run.stage = stage;
        let pending = match wish {
            MapWish::Cancel(_) => Pending::CancelRun(run_id.clone()),
            _ => Pending::Run(run_id.clone()),
        };
        self.open(&id, pending);
        vec![Effect::Map(Some(id), wish)]
    }

    /// What an answer means for a run; it is passed on after this.
    pub(super) fn mapped(&mut self, pending: &Pending, answer: &Answer) {
        if let (Pending::Plan, Answer::Body(body)) = (pending, answer)
            && let Body::DiscoveryPlanned(planned) = &**body
        {
            let id = planned.run_id.clone();
            self.runs.0.push(Run {
                id,
                stage: Stage::Planned,
                status: DiscoveryRunStatus::Planning,
                told: None,
            });
        }
        let Pending::Run(run_id) = pending else { return };
        let Some(run) = self.runs.find(run_id) else { return };
        let (done, undone) = match run.stage {
            Stage::Starting => (Stage::UnderWay, Stage::Planned),
            Stage::Pausing => (Stage::Paused, Stage::UnderWay),
            // Its end is told by what follows.
            _ => return,
        };
        run.stage = if matches!(answer, Answer::Body(_)) { done } else { undone };
        if matches!(run.stage, Stage::UnderWay) && run.status == DiscoveryRunStatus::Planning {
            run.status = DiscoveryRunStatus::Preparing;
        }
    }

    /// A run of this session said something.
    pub(super) fn map_news(&mut self, news: MapNews) -> Vec<Effect> {
        match news {
            MapNews::Progress(progress) => self.run_goes_on(progress),
            MapNews::Ended(run_id, found) => self.run_ended(&run_id, *found),
        }
        Vec::new()
    }

    fn run_goes_on(&mut self, mut progress: DiscoveryProgress) {
        // Who does not read is told later how far it is by then.
        let busy = self.outbox.is_busy();
        let Some(run) = self.runs.find(&progress.run_id) else { return };
        if busy || !matches!(run.stage, Stage::UnderWay | Stage::Pausing) {
            return;
        }
        if let Some(told) = &run.told {
            grow(&mut progress, told);
        }
        run.status = progress.status;
        run.told = Some(progress.clone());
        self.tell(Body::DiscoveryProgress(progress));
    }

    fn run_ended(&mut self, run_id: &RunId, found: Found) {
        let Some(run) = self.runs.find(run_id) else { return };
        let status = match found.package.run.status {
            DiscoveryRunStatus::Completed => DiscoveryResultStatus::Completed,
            DiscoveryRunStatus::Cancelled => DiscoveryResultStatus::Cancelled,
            _ => DiscoveryResultStatus::Failed,
        };
        let package = found.package.clone();
        let ended = error(
            CoreErrorCode::UnexpectedMessage,
            format!("The run \"{run_id}\" ended before it could do that."),
        );
        run.stage = Stage::Ended(Arc::new(found));
        let waits = self.open.iter().filter_map(|(request, open)| match &open.pending {
            // Whoever wants it cancelled hears of that before the result.
            Pending::CancelRun(of) if of == run_id && status == DiscoveryResultStatus::Cancelled => {
                Some((request.clone(), cancelled(run_id)))
            }
            Pending::Run(of) | Pending::CancelRun(of) if of == run_id => {
                Some((request.clone(), Answer::Refused(Box::new(ended.clone()))))
            }
            _ => None,
        });
        for (request, answer) in waits.collect::<Vec<_>>() {
            self.answered(&request, answer);
        }
        self.tell(Body::DiscoveryResult(DiscoveryResult { run_id: run_id.clone(), status, package }));
    }

    /// Gives up every run, or those that would wait for ever.
    pub(super) fn stop_runs(&mut self, only_paused: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        for run in &mut self.runs.0 {
            let stops = match run.stage {
                Stage::Ended(_) | Stage::Cancelling => false,
                Stage::Paused | Stage::Pausing => true,
                Stage::Planned | Stage::Starting | Stage::UnderWay => !only_paused,
            };
            if stops {
                let was_planned = matches!(run.stage, Stage::Planned);
                if !was_planned {
                    run.stage = Stage::Cancelling;
                }
                effects.push(Effect::Map(None, MapWish::Cancel(run.id.clone())));
            }
        }
        effects
    }
}

/// The answer to whoever wants a run cancelled.
pub(crate) fn cancelled(run_id: &RunId) -> Answer {
    let cancelled = DiscoveryCancelled { run_id: run_id.clone(), status: CancelledStatus };
    Answer::Body(Box::new(Body::DiscoveryCancelled(cancelled)))
}

fn unknown(run_id: &RunId) -> ErrorPayload {
    let message =
        format!("There is no run \"{run_id}\" in this session; \"{DISCOVERY_EXTENSION}.plan\" makes one.");
    error(CoreErrorCode::NotFound, message)
}

/// Counters never decrease (DSC 14.3), and one that was told stays.
fn grow(progress: &mut DiscoveryProgress, told: &DiscoveryProgress) {
    let pairs = [
        (&mut progress.visited_states, told.visited_states),
        (&mut progress.visited_transitions, told.visited_transitions),
        (&mut progress.discovered_routes, told.discovered_routes),
        (&mut progress.discovered_actions, told.discovered_actions),
        (&mut progress.discovered_workflow_candidates, told.discovered_workflow_candidates),
    ];
    for (now, before) in pairs {
        *now = (*now).max(before);
    }
}
