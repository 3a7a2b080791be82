//! What is known of an application so far: states, what leads from one to another, and what is still worth trying.
//!
//! Start at [`Atlas::see`], [`Atlas::next`] and [`Atlas::arrive`]. It is a plain value: it reads no clock, asks nobody
//! and gives the same answers to the same observations, in whatever order several hands bring them.

mod edges;
mod findings;
mod frontier;

pub use edges::{Edge, EdgeId, Outcome, Passage, Way};
pub use findings::{ElementFinding, Findings, RouteFinding, ScopeFinding};
pub use frontier::{Errand, Next};

use crate::budget::Budget;
use crate::door::asks_for_secret;
use crate::fingerprint::fingerprint;
use crate::naming::id_of;
use crate::options::{Choice, Rank, choices};
use crate::place::Place;
use crate::sighting::Sighting;
use frontier::Frontier;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::discovery::{DiscoverySafetyPolicy, DiscoverySeed, StateFingerprintPolicy};
use uiap_protocol::ids::{ActionId, ScopeId};
use uiap_protocol::web::{OpaqueKind, PageGraph};

/// The place of a state in the atlas.
pub type StateIndex = usize;

/// What is fixed for a run.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What may be done.
    pub safety: DiscoverySafetyPolicy,
    /// How much.
    pub budget: Budget,
    /// What makes a state the same state.
    pub fingerprints: StateFingerprintPolicy,
}

/// A state of the application.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name in the package.
    pub id: String,
    /// What makes it the same state again.
    pub fingerprint: String,
    /// Where it is.
    pub place: Place,
    /// How it is called.
    pub title: Option<String>,
    /// The dialogs that are open.
    pub modals: Vec<String>,
    /// Its areas, by their names in the package.
    pub areas: BTreeSet<ScopeId>,
    /// Where nobody could look.
    pub opaque: Vec<(OpaqueKind, Option<String>)>,
    /// Steps from the seed.
    pub depth: usize,
    /// The seed that it was the first state of.
    pub seed: Option<usize>,
    /// What led here first.
    pub parent: Option<(StateIndex, usize)>,
    /// What could be done here.
    pub choices: Vec<Choice>,
    /// How often it was seen.
    pub seen: usize,
    /// Opening its address shows it.
    pub opens_by_address: Option<bool>,
    /// It asks for a password, or for something as secret.
    pub asks_for_secret: bool,
}

/// What came of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A state that nobody had seen.
    New(StateIndex),
    /// One that was seen before.
    Known(StateIndex),
    /// One that there is no budget for.
    BeyondBudget,
}

impl Seen {
    /// The state, if it has a place in the atlas.
    pub fn state(self) -> Option<StateIndex> {
        match self {
            Self::New(state) | Self::Known(state) => Some(state),
            Self::BeyondBudget => None,
        }
    }
}

/// How somebody came to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// From a seed.
    Seed(usize),
    /// By doing something in a state.
    Choice(StateIndex, usize),
}

/// A seed and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sown {
    /// The seed.
    pub seed: DiscoverySeed,
    /// The state that it led to.
    pub state: Option<StateIndex>,
    /// Why it led nowhere.
    pub trouble: Option<String>,
}

/// What stands in the way of knowing more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// The budget of something is used up.
    Budget {
        /// Of what.
        what: &'static str,
    },
    /// The links of an area led to where one was already, so that not all of them were followed.
    Barren {
        /// Which area, by its route and its path.
        area: String,
    },
    /// A list grew every time its end was shown, so that not all of it was seen.
    Endless {
        /// Which, by its route and what its members have in common.
        list: String,
    },
    /// A state could not be reached again.
    Unreachable {
        /// Which.
        state: String,
    },
}

/// What is known of an application so far.
#[derive(Debug)]
pub struct Atlas {
    rules: Rules,
    states: Vec<State>,
    by_fingerprint: HashMap<String, StateIndex>,
    per_route: HashMap<String, usize>,
    edges: Vec<Edge>,
    /// The place of each edge.
    edge_of: HashMap<(Errand, Option<StateIndex>), EdgeId>,
    /// How many requests of all edges were held back.
    held: usize,
    /// Requests that were held back though nothing had been done, each once: by method and address without data.
    unasked: BTreeMap<(String, String), Passage>,
    /// How many transitions were made, those along known edges too.
    made: usize,
    findings: Findings,
    frontier: Frontier,
    /// How far from a seed each choice stands where it stands nearest.
    nearest: HashMap<String, usize>,
    registered: BTreeMap<ActionId, ActionDescriptor>,
    sown: Vec<Sown>,
    gaps: BTreeSet<Gap>,
}

impl Atlas {
    /// An atlas of nothing.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            states: Vec::new(),
            by_fingerprint: HashMap::new(),
            per_route: HashMap::new(),
            edges: Vec::new(),
            edge_of: HashMap::new(),
            held: 0,
            unasked: BTreeMap::new(),
            made: 0,
            findings: Findings::default(),
            frontier: Frontier::default(),
            nearest: HashMap::new(),
            registered: BTreeMap::new(),
            sown: Vec::new(),
            gaps: BTreeSet::new(),
        }
    }

    /// What is fixed.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The states, in the order in which they were seen.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// A state.
    pub fn state(&self, index: StateIndex) -> Option<&State> {
        self.states.get(index)
    }

    /// What leads from one state to another, in the order in which it was done first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What was found in the states.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The seeds and what became of them.
    pub fn sown(&self) -> &[Sown] {
        &self.sown
    }

    /// The actions that the application offers.
    pub fn registered(&self) -> impl Iterator<Item = &ActionDescriptor> {
        self.registered.values()
    }

    /// What stands in the way of knowing more.
    pub fn gaps(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter()
    }

    /// How many transitions were made.
    pub fn transitions(&self) -> usize {
        self.made
    }

    /// A place to start from. Returns its number.
    pub fn sow(&mut self, seed: DiscoverySeed) -> usize {
        if let Some(known) = self.sown.iter().position(|sown| sown.seed == seed) {
            return known;
        }
        self.sown.push(Sown { seed, state: None, trouble: None });
        self.sown.len() - 1
    }

    /// A seed leads nowhere.
    pub fn barren(&mut self, seed: usize, trouble: impl Into<String>) {
        if let Some(sown) = self.sown.get_mut(seed) {
            sown.trouble = Some(trouble.into());
        }
    }

    /// Takes in a page, with the actions that the application offers there.
    pub fn see(&mut self, graph: &PageGraph, offered: &[ActionDescriptor], via: Via) -> Seen {
        let sighting = Sighting::of(graph);
        let fingerprint = fingerprint(&sighting, &self.rules.fingerprints);
        let seen = match self.by_fingerprint.get(&fingerprint) {
            Some(index) => Seen::Known(*index),
            None => self.enter(&sighting, fingerprint, offered, via),
        };
        self.count(seen, via);
        seen
    }

    /// A state was seen that there was no budget for.
    pub fn pass_over(&mut self) -> Seen {
        let is_full = self.states.len() >= self.rules.budget.states;
        self.gaps.insert(Gap::Budget { what: if is_full { "states" } else { "states of one route" } });
        Seen::BeyondBudget
    }

    /// A state that is known was seen once more.
    pub fn meet(&mut self, state: StateIndex, via: Via) -> Seen {
        let seen = Seen::Known(state);
        self.count(seen, via);
        seen
    }

    fn count(&mut self, seen: Seen, via: Via) {
        let Some(index) = seen.state() else { return };
        if let Some(state) = self.states.get_mut(index) {
            state.seen += 1;
        }
        if let Via::Seed(seed) = via
            && let Some(sown) = self.sown.get_mut(seed)
        {
            sown.state = Some(index);
            sown.trouble = None;
        }
    }

    /// What was seen at an address asked for no secret, as far as opening the address may show it.
    pub fn was_open(&self, address: &str) -> bool {
        let mut there = self.states.iter().filter(|state| state.place.url == address);
        there.any(|state| state.opens_by_address.unwrap_or(state.modals.is_empty()) && !state.asks_for_secret)
    }

    /// A list that somebody scrolled grew every time, and goes on.
    pub fn goes_on(&mut self, errand: Errand) {
        let list = self.choice(errand).and_then(|choice| choice.list.clone());
        let list = list.zip(self.states.get(errand.state));
        if let Some(list) = list.map(|(list, state)| format!("{}|{list}", state.place.route_id)) {
            self.gaps.insert(Gap::Endless { list });
        }
    }

    /// The state with a fingerprint, if it was seen.
    pub fn find(&self, fingerprint: &str) -> Option<StateIndex> {
        self.by_fingerprint.get(fingerprint).copied()
    }

    /// Opening the address of a state shows it, or does not.
    pub fn address_led(&mut self, state: StateIndex, there: bool) {
        if let Some(state) = self.states.get_mut(state) {
            state.opens_by_address = Some(there);
        }
    }

    /// A choice shows more of the same place, and leaves what was there before.
    fn unfolds(&self, from: StateIndex, choice: usize, state: &State) -> bool {
        let before = self.states.get(from);
        let choice = self.choice(Errand { state: from, choice });
        choice.is_some_and(|choice| choice.rank == Rank::Opening || choice.scrolls())
            && before.is_some_and(|before| before.place.pattern == state.place.pattern)
    }

    /// A choice shows more of a list.
    fn scrolls(&self, (from, choice): (StateIndex, usize)) -> bool {
        self.choice(Errand { state: from, choice }).is_some_and(Choice::scrolls)
    }

    /// How far from a seed something is that a choice leads to. The same choice may stand nearer to it than where it was
    /// made.
    fn depth_behind(&self, from: StateIndex, choice: usize) -> usize {
        let here = self.states.get(from).map_or(0, |state| state.depth);
        let kind = self.choice(Errand { state: from, choice }).map(|choice| choice.kind.as_str());
        kind.and_then(|kind| self.nearest.get(kind)).map_or(here, |nearest| here.min(*nearest)) + 1
    }

    fn enter(
        &mut self,
        sighting: &Sighting<'_>,
        fingerprint: String,
        offered: &[ActionDescriptor],
        via: Via,
    ) -> Seen {
        let route = sighting.place.route_id.to_string();
        let on_route = self.per_route.get(&route).copied().unwrap_or_default();
        if self.states.len() >= self.rules.budget.states || on_route >= self.rules.budget.per_route {
            return self.pass_over();
        }
        let index = self.states.len();
        let (depth, parent, seed) = match via {
            Via::Seed(seed) => (0, None, Some(seed)),
            Via::Choice(from, choice) => (self.depth_behind(from, choice), Some((from, choice)), None),
        };
        for action in offered {
            self.registered.entry(action.id.clone()).or_insert_with(|| action.clone());
        }
        let state = State {
            id: id_of("st", &[&fingerprint]),
            place: sighting.place.clone(),
            title: sighting.title.map(str::to_owned),
            modals: sighting.modals.clone(),
            areas: sighting
                .areas
                .iter()
                .filter(|area| area.is_of_interest())
                .map(|area| area.id.clone())
                .collect(),
            opaque: sighting.opaque.iter().map(|region| (region.kind, region.label.clone())).collect(),
            depth,
            seed,
            parent,
            choices: choices(sighting, offered, &self.rules.safety),
            seen: 0,
            opens_by_address: matches!(via, Via::Seed(_)).then_some(true),
            asks_for_secret: asks_for_secret(sighting),
            fingerprint: fingerprint.clone(),
        };
        self.findings.add(sighting, &state);
        for choice in &state.choices {
            let nearest = self.nearest.entry(choice.kind.clone()).or_insert(depth);
            *nearest = depth.min(*nearest);
        }
        if depth < self.rules.budget.depth {
            let before = parent.filter(|(from, choice)| self.unfolds(*from, *choice, &state));
            let is_longer = before.is_some_and(|way| self.scrolls(way));
            let before = before.and_then(|(from, _)| self.states.get(from));
            self.frontier.open(index, &state, before, is_longer);
        } else if state.choices.iter().any(|choice| choice.judgement.allows()) {
            self.gaps.insert(Gap::Budget { what: "steps from a seed" });
        }
        *self.per_route.entry(route).or_default() += 1;
        self.by_fingerprint.insert(fingerprint, index);
        self.states.push(state);
        Seen::New(index)
    }
}
