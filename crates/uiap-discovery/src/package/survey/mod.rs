//! What was seen, put in one order: the same things under the same names, however they were come across.
//!
//! Start at [`Survey::of`]. Every catalog is made of it, and nothing in it depends on which hand saw what first.

mod areas;
mod pieces;
mod steps;

pub(super) use areas::Spot;
pub(super) use pieces::Piece;
pub(super) use steps::Step;
pub(super) use steps::transition_id_of;

use super::Record;
use super::words;
use crate::atlas::{Atlas, State};
use crate::naming::plain;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_protocol::discovery::{EvidenceKind, EvidenceSource};
use uiap_protocol::ids::{Id, RouteId, ScopeId};
use uiap_protocol::web::ScopeKind;

/// What was seen, in one order.
pub(super) struct Survey<'a> {
    pub(super) atlas: &'a Atlas,
    pub(super) record: &'a Record,
    /// The states, by their ids.
    pub(super) states: Vec<&'a State>,
    /// The areas, by the names that they have in the package.
    pub(super) spots: BTreeMap<ScopeId, Spot>,
    /// The elements, by their keys.
    pub(super) pieces: Vec<Piece>,
    /// The transitions, by their ids.
    pub(super) steps: Vec<Step<'a>>,
    /// The transitions that each element was used for.
    by_piece: HashMap<usize, Vec<usize>>,
    /// The transitions that lead to each state.
    into: HashMap<&'a str, Vec<usize>>,
    /// The areas of each route and of each state.
    on: HashMap<String, BTreeSet<ScopeId>>,
    /// The states of each route.
    at: HashMap<&'a RouteId, Vec<&'a State>>,
    /// Steps from a seed, by state.
    depths: HashMap<&'a str, usize>,
    /// What the evidence of the record is about.
    kept: HashMap<(String, Kept), Id>,
    /// Names that the accessibility tree of a state has.
    heard: HashMap<&'a str, BTreeSet<(String, String)>>,
}

/// What evidence of a state is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kept {
    Graph,
    Picture,
    Tree,
}

impl<'a> Survey<'a> {
    pub(super) fn of(atlas: &'a Atlas, record: &'a Record) -> Self {
        let mut states: Vec<_> = atlas.states().iter().collect();
        states.sort_by(|one, other| one.id.cmp(&other.id));
        let (spots, renamed) = areas::spots(atlas.findings());
        let pieces = pieces::pieces(atlas, &spots, &renamed);
        let steps = steps::steps(atlas, &record.loose, &pieces);
        let depths = steps::depths(atlas, &steps);
        let mut heard: HashMap<&str, BTreeSet<(String, String)>> = HashMap::new();
        for one in &record.heard {
            let said = (one.role.to_lowercase(), plain(&one.name));
            heard.entry(one.state.as_str()).or_default().insert(said);
        }
        let mut by_piece: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut into: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, step) in steps.iter().enumerate() {
            if let Some(piece) = step.piece {
                by_piece.entry(piece).or_default().push(number);
            }
            if let Some(to) = step.to {
                into.entry(to.id.as_str()).or_default().push(number);
            }
        }
        let mut on: HashMap<String, BTreeSet<ScopeId>> = HashMap::new();
        for (scope, spot) in &spots {
            for place in spot.states.iter().map(String::as_str).chain(spot.routes.iter().map(RouteId::as_str))
            {
                on.entry(place.to_owned()).or_default().insert(scope.clone());
            }
        }
        let mut at: HashMap<&RouteId, Vec<&State>> = HashMap::new();
        for state in &states {
            at.entry(&state.place.route_id).or_default().push(state);
        }
        let kept = kept(record);
        Self { atlas, record, states, spots, pieces, steps, by_piece, into, on, at, depths, kept, heard }
    }

    /// Evidence of a state that is kept.
    pub(super) fn kept(&self, state: &str, what: Kept) -> Option<Id> {
        self.kept.get(&(state.to_owned(), what)).cloned()
    }

    /// Where a state can be looked up: its page graph, or the state itself.
    pub(super) fn look_up(&self, state: &str) -> Id {
        self.kept(state, Kept::Graph).unwrap_or_else(|| words::id(state))
    }

    /// How many steps a state is from a seed.
    pub(super) fn depth(&self, state: &str) -> Option<usize> {
        self.depths.get(state).copied()
    }

    /// The accessibility tree of a state has something of this name that is used in this way.
    pub(super) fn hears(&self, state: &str, name: &str, roles: &[&str]) -> bool {
        let name = plain(name);
        let said = self.heard.get(state);
        said.is_some_and(|said| roles.iter().any(|role| said.contains(&((*role).to_owned(), name.clone()))))
    }

    /// The areas around an area, the nearest first, and the area itself before them.
    pub(super) fn around<'s>(&'s self, area: &ScopeId) -> impl Iterator<Item = (&'s ScopeId, &'s Spot)> {
        let mut next = self.spots.get_key_value(area);
        let mut met = 0;
        std::iter::from_fn(move || {
            let here = next.filter(|_| met <= self.spots.len())?;
            met += 1;
            next = here.1.parent.as_ref().and_then(|parent| self.spots.get_key_value(parent));
            Some(here)
        })
    }

    /// An area of one of these kinds around an area, or the area itself.
    pub(super) fn nearest(&self, area: &ScopeId, kinds: &[ScopeKind]) -> Option<(&ScopeId, &Spot)> {
        self.around(area).find(|(_, spot)| kinds.contains(&spot.kind))
    }

    /// The areas of a route or of a state.
    pub(super) fn areas_of(&self, place: &str) -> impl Iterator<Item = &ScopeId> {
        self.on.get(place).into_iter().flatten()
    }

    /// The states of a route.
    pub(super) fn states_of(&self, route: &RouteId) -> &[&'a State] {
        self.at.get(route).map(Vec::as_slice).unwrap_or_default()
    }

    /// The path of a route.
    pub(super) fn pattern_of(&self, route: &RouteId) -> Option<&str> {
        self.atlas.findings().routes.get(route)?.patterns.iter().next().map(String::as_str)
    }

    /// The transitions that a thing was pressed for.
    pub(super) fn steps_by(&self, piece: usize) -> impl Iterator<Item = &Step<'a>> {
        self.by_piece.get(&piece).into_iter().flatten().filter_map(|number| self.steps.get(*number))
    }

    /// The transitions that lead to a state.
    pub(super) fn steps_to(&self, state: &str) -> impl Iterator<Item = &Step<'a>> {
        self.into.get(state).into_iter().flatten().filter_map(|number| self.steps.get(*number))
    }
}

fn kept(record: &Record) -> HashMap<(String, Kept), Id> {
    let mut kept = HashMap::new();
    for piece in &record.evidence {
        let Some(state) = &piece.state_id else { continue };
        let what = match (piece.kind, piece.source) {
            (Some(EvidenceKind::PageGraph), _) => Kept::Graph,
            (Some(EvidenceKind::Screenshot), _) | (None, EvidenceSource::Screenshot) => Kept::Picture,
            (Some(EvidenceKind::AxTree), _) => Kept::Tree,
            _ => continue,
        };
        let earlier = kept.entry((state.to_string(), what)).or_insert_with(|| piece.ref_id.clone());
        if piece.ref_id < *earlier {
            *earlier = piece.ref_id.clone();
        }
    }
    kept
}
