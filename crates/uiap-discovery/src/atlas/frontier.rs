//! What to try next: what promises most for what it costs to get there.

use super::{Atlas, Gap, State, StateIndex};
use crate::options::{Choice, Rank};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

/// How often a choice is tried. What is the same choice leads to the same, wherever it stands.
const TRIES_MAX: usize = 1;
/// How many items of a collection are tried; the others are taken to be like them.
const TRIES_ITEMS_MAX: usize = 2;
/// In how many further states a choice can be made that came to nothing.
const SPARES_MAX: usize = 2;
/// After how many tries that came to nothing a choice is given up.
const TROUBLED_MAX: usize = 2;
/// After how many links in a row that lead to where one is the others of the area are taken to do the same: they are
/// marks on one page.
const BARREN_LINKS_MAX: usize = 6;
/// How many ranks there are.
const RANKS: usize = 8;
/// What an address costs to open, in units of one press on the page that is there.
const ADDRESS_COST: u32 = 4;

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Errand {
    /// In which state.
    pub state: StateIndex,
    /// Which of its choices.
    pub choice: usize,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This.
    Errand(Errand),
    /// Nothing yet: somebody else is about to find something.
    Wait,
    /// Nothing any more.
    Done,
}

/// What became of a choice so far.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    /// Tries that led somewhere.
    tried: usize,
    /// Tries that came to nothing.
    troubled: usize,
    /// Somebody is at it.
    under_way: bool,
}

/// A choice that is worth trying: what it promises, from how far, in which state, and which it is.
type Entry = (Rank, usize, StateIndex, usize);

/// What is still worth trying.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    /// The best first.
    open: BTreeSet<Entry>,
    worth: HashMap<String, Worth>,
    under_way: BTreeMap<StateIndex, usize>,
    /// The first state that offers a choice.
    homes: HashMap<String, StateIndex>,
    /// Where else it could be made.
    spares: HashMap<String, Vec<Entry>>,
    /// How many links of an area in a row led to where one was already; those of its items apart from the others, because
    /// what sorts a table leads to where one is and what its rows link to does not.
    barren: HashMap<(String, bool), usize>,
}

impl Frontier {
    /// The choices of a new state. What could be done before something was unfolded is done where it was not; and of
    /// what a list shows when it is scrolled only what nothing before was like.
    pub(super) fn open(&mut self, index: StateIndex, state: &State, before: Option<&State>, is_longer: bool) {
        let before = || before.iter().flat_map(|before| &before.choices);
        let known: HashSet<&str> = before().map(|choice| choice.kind.as_str()).collect();
        let alike: HashSet<&str> = before().filter(|_| is_longer).map(Choice::likeness).collect();
        for (number, choice) in state.choices.iter().enumerate() {
            let is_known = known.contains(choice.kind.as_str()) || alike.contains(choice.likeness());
            let is_new = is_explored(choice) && !is_known;
            if choice.judgement.allows() && is_new {
                self.open_one(choice, (choice.rank, state.depth, index, number));
            }
        }
    }

    /// What is the same choice in several states is made in the first of them, so that a map does not depend on where
    /// somebody happened to be; the others are for when that comes to nothing.
    fn open_one(&mut self, choice: &Choice, entry: Entry) {
        let home = *self.homes.entry(choice.kind.clone()).or_insert(entry.2);
        if home == entry.2 {
            self.open.insert(entry);
            return;
        }
        let spares = self.spares.entry(choice.kind.clone()).or_default();
        if spares.len() < SPARES_MAX {
            spares.push(entry);
        }
    }

    fn is_worn_out(&self, choice: &Choice) -> bool {
        let max = if choice.item.is_some() { TRIES_ITEMS_MAX } else { TRIES_MAX };
        let worth = self.worth.get(&choice.kind);
        worth.is_some_and(|worth| worth.tried >= max || worth.troubled >= TROUBLED_MAX)
            || self.is_barren(choice)
    }

    /// So many links beside it led to where one was already that it does, too.
    fn is_barren(&self, choice: &Choice) -> bool {
        let area = choice.key.as_deref().map(|key| (area_of(key).to_owned(), choice.item.is_some()));
        area.and_then(|area| self.barren.get(&area)).is_some_and(|links| *links >= BARREN_LINKS_MAX)
    }

    fn is_under_way(&self, choice: &Choice) -> bool {
        self.worth.get(&choice.kind).is_some_and(|worth| worth.under_way)
    }
}

/// Drafts and everything behind them need arguments that only a person or a sandbox has.
fn is_explored(choice: &Choice) -> bool {
    choice.rank <= Rank::Showing && !choice.action.as_str().ends_with(".choose")
}

impl Atlas {
    /// What to do next, for somebody who is in a state, or nowhere.
    pub fn next(&mut self, here: Option<StateIndex>) -> Next {
        let under_way = self.under_way();
        let nothing = if under_way == 0 { Next::Done } else { Next::Wait };
        if self.transitions() + under_way >= self.rules.budget.transitions {
            if !self.frontier.open.is_empty() {
                self.gaps.insert(Gap::Budget { what: "transitions" });
            }
            return nothing;
        }
        let Some(errand) = self.most_promising(here) else { return nothing };
        self.begin(errand);
        Next::Errand(errand)
    }

    /// What promises most for what it costs: the first choice of each rank, and those that are at hand.
    fn most_promising(&mut self, here: Option<StateIndex>) -> Option<Errand> {
        let mut worn_out = Vec::new();
        let mut found: Vec<Entry> = Vec::new();
        let mut after = Bound::Unbounded;
        // One round for each rank: whatever is behind the first of a rank is not looked at, however much there is.
        for _ in 0..=RANKS {
            let first = self
                .frontier
                .open
                .range((after, Bound::Unbounded))
                .find(|entry| self.is_open(entry, &mut worn_out));
            let Some(first) = first else { break };
            found.push(*first);
            after = Bound::Excluded((first.0, usize::MAX, usize::MAX, usize::MAX));
        }
        let at_hand = here.and_then(|here| Some((here, self.states.get(here)?))).into_iter().flat_map(
            |(here, state)| {
                let choices = state.choices.iter().enumerate();
                choices.map(move |(number, choice)| (choice.rank, state.depth, here, number))
            },
        );
        let at_hand = at_hand.filter(|entry| self.frontier.open.contains(entry) && !found.contains(entry));
        let at_hand: Vec<_> = at_hand.collect();
        found.extend(at_hand.into_iter().filter(|entry| self.is_open(entry, &mut worn_out)));
        for entry in worn_out {
            self.frontier.open.remove(&entry);
        }
        let best = found.into_iter().min_by_key(|entry| {
            let (rank, depth, state, choice) = *entry;
            (self.cost(state, here) * (1 + promise(rank)), rank, depth, state, choice)
        });
        best.map(errand_of)
    }

    /// A choice is still worth making, and nobody is about to find out what it brings. What is not worth it any more is told.
    fn is_open(&self, entry: &Entry, worn_out: &mut Vec<Entry>) -> bool {
        match self.choice(errand_of(*entry)) {
            Some(choice) if !self.frontier.is_worn_out(choice) => !self.frontier.is_under_way(choice),
            _ => {
                worn_out.push(*entry);
                false
            }
        }
    }

    /// How many errands were begun and have not ended.
    pub fn under_way(&self) -> usize {
        self.frontier.under_way.values().sum()
    }

    /// How much is left to try.
    pub fn open_choices(&self) -> usize {
        self.frontier.open.len()
    }

    /// An errand has ended, and came to something or to nothing. It led to a state, or to none. What came to nothing may be
    /// tried in another state; says whether there is one.
    pub(super) fn ended(&mut self, errand: Errand, came_to_something: bool, to: Option<StateIndex>) -> bool {
        self.release(errand);
        self.count_barren(errand, to == Some(errand.state));
        let Some(kind) = self.choice(errand).map(|choice| choice.kind.clone()) else { return false };
        let worth = self.frontier.worth.entry(kind.clone()).or_default();
        if came_to_something {
            worth.tried += 1;
            return false;
        }
        worth.troubled += 1;
        let spares = self.frontier.spares.get_mut(&kind);
        let spare = spares.filter(|spares| !spares.is_empty()).map(|spares| spares.remove(0));
        self.frontier.open.extend(spare);
        spare.is_some()
    }

    fn count_barren(&mut self, errand: Errand, is_barren: bool) {
        let choice =
            self.choice(errand).filter(|choice| matches!(choice.rank, Rank::Navigation | Rank::Link));
        let Some((key, is_item)) =
            choice.and_then(|choice| Some((choice.key.as_deref()?, choice.item.is_some())))
        else {
            return;
        };
        let area = area_of(key).to_owned();
        let links = self.frontier.barren.entry((area.clone(), is_item)).or_default();
        *links = if is_barren { *links + 1 } else { 0 };
        if *links == BARREN_LINKS_MAX {
            self.gaps.insert(Gap::Barren { area });
        }
    }

    /// A choice of a state.
    pub fn choice(&self, errand: Errand) -> Option<&Choice> {
        self.states.get(errand.state)?.choices.get(errand.choice)
    }

    /// An errand is begun.
    pub fn begin(&mut self, errand: Errand) {
        if let Some(entry) = self.entry(errand) {
            self.frontier.open.remove(&entry);
        }
        *self.frontier.under_way.entry(errand.state).or_default() += 1;
        if let Some(kind) = self.choice(errand).map(|choice| choice.kind.clone()) {
            self.frontier.worth.entry(kind).or_default().under_way = true;
        }
    }

    /// An errand that was begun is left for somebody else, because nothing has come of it.
    pub fn give_back(&mut self, errand: Errand) {
        self.release(errand);
        self.reopen(errand);
    }

    /// An errand has not been done as often as it is worth, nor come to nothing too often.
    pub(super) fn is_worth_it(&self, errand: Errand) -> bool {
        self.choice(errand).is_some_and(|choice| !self.frontier.is_worn_out(choice))
    }

    /// An errand is to be done once more.
    pub(super) fn reopen(&mut self, errand: Errand) {
        if let Some(entry) = self.entry(errand) {
            self.frontier.open.insert(entry);
        }
    }

    fn release(&mut self, errand: Errand) {
        if let Some(kind) = self.choice(errand).map(|choice| choice.kind.clone()) {
            self.frontier.worth.entry(kind).or_default().under_way = false;
        }
        if let Some(count) = self.frontier.under_way.get_mut(&errand.state) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.frontier.under_way.remove(&errand.state);
            }
        }
    }

    fn entry(&self, errand: Errand) -> Option<Entry> {
        let state = self.states.get(errand.state)?;
        let choice = state.choices.get(errand.choice)?;
        Some((choice.rank, state.depth, errand.state, errand.choice))
    }

    /// What it costs to get to a state and do one thing there.
    fn cost(&self, state: StateIndex, here: Option<StateIndex>) -> u32 {
        if here == Some(state) {
            return 1;
        }
        let steps = self.steps_to(state).map_or(u32::MAX / 64, |steps| u32::try_from(steps).unwrap_or(64));
        1 + ADDRESS_COST + 2 * steps
    }
}

/// The area of a thing on its route, from its key.
fn area_of(key: &str) -> &str {
    key.match_indices('|').nth(1).map_or(key, |(end, _)| key.get(..end).unwrap_or(key))
}

fn errand_of((_, _, state, choice): Entry) -> Errand {
    Errand { state, choice }
}

/// The higher, the less it promises.
fn promise(rank: Rank) -> u32 {
    match rank {
        Rank::AppAction => 0,
        Rank::Navigation => 1,
        Rank::Opening => 2,
        Rank::Link => 3,
        Rank::Showing => 5,
        Rank::Draft => 8,
        Rank::Other | Rank::Here => 12,
    }
}
