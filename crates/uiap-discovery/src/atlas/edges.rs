//! What leads from one state to another, and how to get back to one.

use super::{Atlas, Errand, Gap, Seen, State, StateIndex};
use crate::options::Choice;
use crate::place::without_data;
use std::collections::HashSet;
use uiap_protocol::capability::{SuccessSignal, TargetRef};

/// Most requests that are kept for one transition.
const PASSAGES_MAX: usize = 64;
/// Most complaints that are kept for one transition.
const COMPLAINTS_MAX: usize = 16;
/// Most requests that pages make by themselves and that are kept; those of one kind are one.
const UNASKED_MAX: usize = 500;
/// How many steps a way may have.
const WAY_STEPS_MAX: usize = 64;

/// The place of an edge in the atlas.
pub type EdgeId = usize;

/// A request that left the application, or would have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passage {
    /// Its method.
    pub method: String,
    /// Its address, without what is secret.
    pub url: String,
    /// Why it was held back, if it was.
    pub held: Option<String>,
}

/// What came of doing something.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was observed.
    pub signals: Vec<SuccessSignal>,
    /// Why nothing came of it, in a word of the protocol.
    pub trouble: Option<String>,
    /// The requests that it caused.
    pub passages: Vec<Passage>,
    /// On what it was done, in words that hold on the next page, too.
    pub target: Option<TargetRef>,
    /// What went wrong inside the application.
    pub complaints: Vec<String>,
}

/// A transition, however often it was made.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From where.
    pub from: StateIndex,
    /// To where; nowhere if no state could be made out.
    pub to: Option<StateIndex>,
    /// By which of its choices.
    pub choice: usize,
    /// What came of it the first time.
    pub outcome: Outcome,
    /// How often it was made.
    pub times: usize,
}

impl Edge {
    /// Something was held back that would have changed something.
    pub fn writes(&self) -> bool {
        self.outcome.passages.iter().any(|passage| passage.held.is_some())
    }

    /// It led somewhere else.
    pub fn leads_on(&self) -> bool {
        self.to.is_some_and(|to| to != self.from)
    }
}

/// How to get to a state, with proof at every step: each names the fingerprint that must be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The address to open first.
    pub address: String,
    /// The state that opening it must show.
    pub start: StateIndex,
    /// Its fingerprint.
    pub start_fingerprint: String,
    /// What to do from there, and the fingerprint that each step must show.
    pub steps: Vec<(Choice, String)>,
}

impl Atlas {
    /// An errand led to a page, or to nothing that could be made out.
    pub fn arrive(&mut self, errand: Errand, seen: Option<Seen>, mut outcome: Outcome) -> EdgeId {
        self.ended(errand, seen.is_some() && outcome.trouble.is_none(), seen.and_then(Seen::state));
        outcome.passages.truncate(PASSAGES_MAX);
        outcome.complaints.truncate(COMPLAINTS_MAX);
        self.note(errand, seen.and_then(Seen::state), outcome)
    }

    /// An errand could not be done, because its state could not be reached again. That may be so this time only: it is tried
    /// once more, where it could be done elsewhere or where it stands.
    pub fn miss(&mut self, errand: Errand) {
        let is_elsewhere = self.ended(errand, false, None);
        if !is_elsewhere && self.is_worth_it(errand) {
            self.reopen(errand);
            return;
        }
        if let Some(state) = self.states.get(errand.state) {
            self.gaps.insert(Gap::Unreachable { state: state.id.clone() });
        }
    }

    /// How much was held back because it would have changed something.
    pub fn held(&self) -> usize {
        self.held + self.unasked.len()
    }

    /// A request was held back though nothing had been done. Says whether that is new.
    pub fn hold(&mut self, passage: Passage) -> bool {
        let key = (passage.method.clone(), without_data(&passage.url));
        let is_new = self.unasked.len() < UNASKED_MAX && !self.unasked.contains_key(&key);
        if is_new {
            self.unasked.insert(key, passage);
        }
        is_new
    }

    /// What pages ask for by themselves, at loading, by a timer or on leaving, and was held back. What something that was
    /// done on a page asks for as well may only have come late, and is told there.
    pub fn unasked(&self) -> impl Iterator<Item = &Passage> {
        let stays = |edge: &&Edge| {
            let choice = self.choice(Errand { state: edge.from, choice: edge.choice });
            choice.is_some_and(|choice| !choice.only_leads())
        };
        let held = |edge: &Edge| {
            let held = edge.outcome.passages.iter().filter(|passage| passage.held.is_some());
            held.map(|passage| (passage.method.clone(), without_data(&passage.url))).collect::<Vec<_>>()
        };
        let asked: HashSet<_> = self.edges.iter().filter(stays).flat_map(held).collect();
        self.unasked.iter().filter(move |(key, _)| !asked.contains(*key)).map(|(_, passage)| passage)
    }

    fn note(&mut self, errand: Errand, to: Option<StateIndex>, outcome: Outcome) -> EdgeId {
        self.made += 1;
        let next = self.edges.len();
        let index = *self.edge_of.entry((errand, to)).or_insert(next);
        if let Some(edge) = self.edges.get_mut(index) {
            edge.times += 1;
            return index;
        }
        self.held += outcome.passages.iter().filter(|passage| passage.held.is_some()).count();
        self.edges.push(Edge { from: errand.state, to, choice: errand.choice, outcome, times: 1 });
        index
    }

    /// The ways to a state, the cheapest first. An address is tried without proof where no dialog is open; a proof
    /// against it is final.
    pub fn ways_to(&self, state: StateIndex) -> Vec<Way> {
        let cheapest = self.way(state, |at| at.opens_by_address.unwrap_or(at.modals.is_empty()));
        let surest = self.way(state, |at| at.opens_by_address == Some(true));
        let mut ways: Vec<_> = cheapest.into_iter().chain(surest).collect();
        ways.dedup();
        ways
    }

    /// How many steps the cheapest way to a state has after its address.
    pub(super) fn steps_to(&self, state: StateIndex) -> Option<usize> {
        self.way(state, |at| at.opens_by_address.unwrap_or(at.modals.is_empty())).map(|way| way.steps.len())
    }

    fn way(&self, state: StateIndex, opens: impl Fn(&State) -> bool) -> Option<Way> {
        let mut steps = Vec::new();
        let mut here = state;
        for _ in 0..WAY_STEPS_MAX {
            let at = self.states.get(here)?;
            let Some((from, choice)) = at.parent.filter(|_| !opens(at)) else {
                steps.reverse();
                return Some(Way {
                    address: at.place.url.clone(),
                    start: here,
                    start_fingerprint: at.fingerprint.clone(),
                    steps,
                });
            };
            let choice = self.choice(Errand { state: from, choice })?;
            steps.push((choice.clone(), at.fingerprint.clone()));
            here = from;
        }
        None
    }
}
