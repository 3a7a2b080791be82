//! Every way through a workflow, each step at most once for what a person did before it.
//!
//! What a person did only grows along a way, and whoever comes with less reaches all that somebody with more reaches.
//! So a step is looked at again only if it is reached with less than ever before: at most three times, however many
//! ways there are.

use super::judge::{Judge, Judgement};
use super::violation::{Danger, Edge, Guard, Hop};
use std::collections::{HashMap, VecDeque};
use uiap_protocol::ids::Id;
use uiap_protocol::workflow::{RecoveryMeasure, StepBody, WorkflowDefinition, WorkflowStep};

/// A step that does something grave, and the shortest way there without the person that it needs.
#[derive(Debug)]
pub(super) struct Found {
    /// The place of the step.
    pub(super) step: usize,
    pub(super) path: Vec<Hop>,
    pub(super) danger: Danger,
}

/// What is found on all ways, in the order of the steps.
pub(super) fn walk(workflow: &WorkflowDefinition, judge: &Judge<'_>) -> Vec<Found> {
    let mut search = Search::new(workflow);
    search.reach(&workflow.initial_step_id, Edge::Start, Guard::Nothing, None);
    let mut found: Vec<Found> = Vec::new();
    let mut told = vec![false; workflow.steps.len()];
    while let Some(here) = search.open.pop_front() {
        let Some(step) = workflow.steps.get(here.step) else { continue };
        let Judgement { danger, gives } = judgement(step, judge);
        if let Some(danger) = danger.filter(|danger| danger.needs > here.guard)
            && let Some(told) = told.get_mut(here.step).filter(|told| !**told)
        {
            *told = true;
            found.push(Found { step: here.step, path: search.path(here), danger });
        }
        search.leave(here, step, gives);
    }
    found.sort_by_key(|found| found.step);
    found
}

fn judgement(step: &WorkflowStep, judge: &Judge<'_>) -> Judgement {
    match &step.body {
        StepBody::Action { action_id, target, args, .. } => {
            judge.step(action_id, target.as_ref(), args.as_ref())
        }
        StepBody::Handoff { .. } => Judgement { danger: None, gives: Guard::Handoff },
        _ => Judgement { danger: None, gives: Guard::Nothing },
    }
}

/// A step, and the most that a person certainly did before it.
#[derive(Clone, Copy, Debug)]
struct Place {
    step: usize,
    guard: Guard,
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    edge: Edge,
    from: Option<Place>,
}

struct Search<'w> {
    workflow: &'w WorkflowDefinition,
    numbers: HashMap<&'w str, usize>,
    /// For each step, how it was reached first with each guard.
    arrivals: Vec<[Option<Arrival>; 3]>,
    open: VecDeque<Place>,
    /// The least with which the recovery rules were followed.
    recovered: Option<Guard>,
}

impl<'w> Search<'w> {
    fn new(workflow: &'w WorkflowDefinition) -> Self {
        let numbers = workflow.steps.iter().enumerate().map(|(number, step)| (step.id.as_str(), number));
        Self {
            workflow,
            numbers: numbers.collect(),
            arrivals: vec![[None; 3]; workflow.steps.len()],
            open: VecDeque::new(),
            recovered: None,
        }
    }

    /// Notes a way to a step, unless it was reached with as little before.
    fn reach(&mut self, to: &Id, edge: Edge, guard: Guard, from: Option<Place>) {
        let Some(&step) = self.numbers.get(to.as_str()) else { return };
        let Some(arrivals) = self.arrivals.get_mut(step) else { return };
        let (with_less, with_more) = arrivals.split_at_mut(guard as usize);
        let Some(arrival) = with_more.first_mut() else { return };
        if with_less.iter().any(Option::is_some) || arrival.is_some() {
            return;
        }
        *arrival = Some(Arrival { edge, from });
        self.open.push_back(Place { step, guard });
    }

    /// Follows all ways out of a step.
    fn leave(&mut self, here: Place, step: &'w WorkflowStep, gives: Guard) {
        let done = here.guard.max(gives);
        for (edge, to) in exits(&step.body) {
            self.reach(to, edge, done, Some(here));
        }
        // A step whose condition does not hold is passed over, and so is what it would have asked.
        if step.when.as_ref().is_some_and(|when| !when.is_empty()) {
            for (edge, to) in exits(&step.body) {
                let edge = if edge == Edge::Next { Edge::Skipped } else { edge };
                self.reach(to, edge, here.guard, Some(here));
            }
        }
        // Whoever refuses makes a step fail, so a failure proves no agreement.
        if let Some(to) = &step.on_error {
            self.reach(to, Edge::OnError, here.guard, Some(here));
        }
        self.recover(here, step);
    }

    /// Any step but the last can fail, so the rules need following only from where least was done.
    fn recover(&mut self, here: Place, step: &WorkflowStep) {
        let ends = matches!(step.body, StepBody::Complete { .. });
        if ends || self.recovered.is_some_and(|least| least <= here.guard) {
            return;
        }
        self.recovered = Some(here.guard);
        for (number, rule) in self.workflow.recovery.iter().flatten().enumerate() {
            let guard = if rule.r#do == RecoveryMeasure::Handoff { Guard::Handoff } else { here.guard };
            if let Some(to) = &rule.step_id {
                self.reach(to, Edge::Recovery(number), guard, Some(here));
            }
        }
    }

    /// How a place was reached.
    fn path(&self, end: Place) -> Vec<Hop> {
        let mut path = Vec::new();
        let mut next = Some(end);
        while let Some(place) = next {
            let step = self.workflow.steps.get(place.step);
            let arrival =
                self.arrivals.get(place.step).and_then(|arrivals| arrivals.get(place.guard as usize));
            let (Some(step), Some(Some(arrival))) = (step, arrival) else { break };
            path.push(Hop { edge: arrival.edge, step: step.id.clone() });
            next = arrival.from;
        }
        path.reverse();
        path
    }
}

/// The ways out of a step that did what it should.
fn exits(body: &StepBody) -> Vec<(Edge, &Id)> {
    match body {
        StepBody::Instruction { next, .. }
        | StepBody::Collect { next, .. }
        | StepBody::Action { next, .. }
        | StepBody::Handoff { next, .. } => vec![(Edge::Next, next)],
        StepBody::Ensure { next, otherwise, .. } => {
            let otherwise = otherwise.iter().map(|to| (Edge::Otherwise, to));
            std::iter::once((Edge::Next, next)).chain(otherwise).collect()
        }
        StepBody::Branch { cases, otherwise } => {
            let cases = cases.iter().enumerate().map(|(number, case)| (Edge::Case(number), &case.next));
            cases.chain(std::iter::once((Edge::Otherwise, otherwise))).collect()
        }
        StepBody::Complete { .. } => Vec::new(),
    }
}
