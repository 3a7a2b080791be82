//! The transitions, each once: rows of one table that lead to the same state are one transition, made several times.

use super::pieces::{Piece, home, homes};
use super::words;
use crate::atlas::{Atlas, Edge, EdgeId, Passage, State};
use crate::naming::id_of;
use crate::options::Choice;
use crate::package::Loose;
use crate::place::without_data;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use uiap_protocol::capability::{SuccessSignal, TargetRef};
use uiap_protocol::ids::Id;

/// From how many times on a transition is repeated.
const REPEATED: usize = 2;

/// A transition.
pub(in crate::package) struct Step<'a> {
    pub(in crate::package) id: Id,
    pub(in crate::package) from: &'a State,
    /// Where it led; nowhere if no state could be made out.
    pub(in crate::package) to: Option<&'a State>,
    pub(in crate::package) choice: &'a Choice,
    /// The element that was used.
    pub(in crate::package) piece: Option<usize>,
    edges: Vec<&'a Edge>,
    /// Requests that pages make by themselves.
    unasked: Rc<HashSet<(&'a str, String)>>,
}

impl Step<'_> {
    /// How often it was made.
    pub(in crate::package) fn times(&self) -> usize {
        self.edges.iter().map(|edge| edge.times).sum()
    }

    /// It was made more than once, and always with the same outcome.
    pub(in crate::package) fn is_repeated(&self) -> bool {
        let mut outcomes = self.edges.iter().map(|edge| words::lasting_all(edge.outcome.signals.iter()));
        let first = outcomes.next();
        self.times() >= REPEATED && outcomes.all(|other| Some(other) == first)
    }

    /// What was observed, without data.
    pub(in crate::package) fn signals(&self) -> Vec<SuccessSignal> {
        words::lasting_all(self.edges.iter().flat_map(|edge| &edge.outcome.signals))
    }

    /// On what it was done.
    pub(in crate::package) fn target(&self) -> Option<&TargetRef> {
        self.edges.iter().find_map(|edge| edge.outcome.target.as_ref())
    }

    /// Why nothing came of it.
    pub(in crate::package) fn trouble(&self) -> Option<&str> {
        self.edges.iter().filter_map(|edge| edge.outcome.trouble.as_deref()).min()
    }

    /// Requests that were held back, each once. Who only leads to a page is not to blame for what the page does.
    pub(in crate::package) fn held(&self) -> BTreeSet<&Passage> {
        let passages = self.edges.iter().flat_map(|edge| &edge.outcome.passages);
        let is_own = |passage: &&Passage| !self.choice.only_leads() || !self.is_unasked(passage);
        passages.filter(|passage| passage.held.is_some()).filter(is_own).collect()
    }

    fn is_unasked(&self, passage: &Passage) -> bool {
        !self.unasked.is_empty() && self.unasked.contains(&(&passage.method, without_data(&passage.url)))
    }

    /// What went wrong inside the application, each once.
    pub(in crate::package) fn complaints(&self) -> BTreeSet<&str> {
        self.edges.iter().flat_map(|edge| &edge.outcome.complaints).map(String::as_str).collect()
    }

    /// It led nowhere that could be told from where it began.
    pub(in crate::package) fn is_unresolved(&self) -> bool {
        match self.to {
            None => true,
            // More of the same is what a list is scrolled for.
            Some(_) if self.choice.scrolls() => false,
            Some(to) => to.id == self.from.id && self.signals().is_empty() && self.held().is_empty(),
        }
    }

    /// It led to another route.
    pub(in crate::package) fn changes_route(&self) -> bool {
        self.to.is_some_and(|to| to.place.route_id != self.from.place.route_id)
    }
}

pub(super) fn steps<'a>(atlas: &'a Atlas, loose: &'a [Loose], pieces: &[Piece]) -> Vec<Step<'a>> {
    let unasked =
        loose.iter().map(|Loose { passage, .. }| (passage.method.as_str(), without_data(&passage.url)));
    let unasked = Rc::new(unasked.collect::<HashSet<_>>());
    let homes = homes(pieces);
    let mut steps: BTreeMap<Id, Step<'a>> = BTreeMap::new();
    for edge in atlas.edges() {
        let Some(from) = atlas.state(edge.from) else { continue };
        let Some(choice) = from.choices.get(edge.choice) else { continue };
        let to = edge.to.and_then(|to| atlas.state(to));
        // That a list does not go on is no transition.
        if choice.scrolls() && !edge.leads_on() && edge.outcome.signals.is_empty() && !edge.writes() {
            continue;
        }
        let id = id_between(from, choice, to);
        let piece = home(&homes, choice);
        let step = steps.entry(id.clone()).or_insert_with(|| Step {
            id,
            from,
            to,
            choice,
            piece,
            edges: Vec::new(),
            unasked: Rc::clone(&unasked),
        });
        step.edges.push(edge);
    }
    steps.into_values().collect()
}

fn id_between(from: &State, choice: &Choice, to: Option<&State>) -> Id {
    let to = to.map_or("", |to| to.id.as_str());
    words::id(&id_of("tr", &[&from.id, &choice.kind, to]))
}

/// The name of a transition in the package.
pub(in crate::package) fn transition_id_of(atlas: &Atlas, edge: EdgeId) -> Option<Id> {
    let edge = atlas.edges().get(edge)?;
    let from = atlas.state(edge.from)?;
    let choice = from.choices.get(edge.choice)?;
    Some(id_between(from, choice, edge.to.and_then(|to| atlas.state(to))))
}

/// How many steps the states are from the nearest seed, whatever way was found first.
pub(super) fn depths<'a>(atlas: &'a Atlas, steps: &[Step<'a>]) -> HashMap<&'a str, usize> {
    let mut on: HashMap<&str, Vec<&'a str>> = HashMap::new();
    for step in steps {
        if let Some(to) = step.to {
            on.entry(step.from.id.as_str()).or_default().push(to.id.as_str());
        }
    }
    let seeds = atlas.sown().iter().filter_map(|sown| atlas.state(sown.state?));
    let mut depths: HashMap<&'a str, usize> = seeds.map(|state| (state.id.as_str(), 0)).collect();
    let mut queue: VecDeque<&'a str> = depths.keys().copied().collect();
    while let Some(here) = queue.pop_front() {
        let depth = depths.get(here).copied().unwrap_or_default() + 1;
        for next in on.get(here).into_iter().flatten() {
            if !depths.contains_key(next) {
                depths.insert(next, depth);
                queue.push_back(next);
            }
        }
    }
    depths
}
