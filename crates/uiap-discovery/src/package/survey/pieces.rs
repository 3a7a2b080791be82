//! The elements, each once, and what is decided about them.

use super::Spot;
use crate::atlas::{Atlas, ElementFinding, Findings};
use crate::safety::{Judgement, gravity};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_protocol::capability::Affordance;
use uiap_protocol::ids::ScopeId;
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::web::ScopeKind;

/// What stands for the route of something that is on several.
const ANY_ROUTE: &str = "*";

/// An element.
pub(in crate::package) struct Piece {
    /// Its key in the package.
    pub(in crate::package) key: String,
    /// Everything that was found about it.
    pub(in crate::package) found: ElementFinding,
    /// The gravest of what is decided about it.
    pub(in crate::package) judgement: Option<Judgement>,
    /// Under which identities the atlas knows it.
    identities: BTreeSet<String>,
}

impl Piece {
    /// What it is called by people, if anything.
    pub(in crate::package) fn name(&self) -> Option<&str> {
        self.found.names.iter().next().map(String::as_str)
    }

    /// It offers something.
    pub(in crate::package) fn offers(&self, offer: &Affordance) -> bool {
        self.found.affordances.contains(offer)
    }

    /// What pressing it would change, by whoever says the gravest thing.
    pub(in crate::package) fn class(&self) -> SideEffectClass {
        self.judgement.as_ref().map_or(SideEffectClass::None, |judgement| judgement.side_effect)
    }

    /// It holds data that only some may see.
    pub(in crate::package) fn is_secret(&self) -> bool {
        use DataClass as Class;
        self.found.data_classes.iter().any(|class| {
            matches!(
                class,
                Class::Credential | Class::Secret | Class::Payment | Class::Sensitive | Class::Health
            )
        })
    }

    /// The identity that the package shows: its stable id, or its key.
    pub(in crate::package) fn identity(&self) -> &str {
        self.found.stable_id.as_ref().map_or(&self.key, |id| id.as_str())
    }
}

pub(super) fn pieces(
    atlas: &Atlas,
    spots: &BTreeMap<ScopeId, Spot>,
    renamed: &BTreeMap<ScopeId, ScopeId>,
) -> Vec<Piece> {
    let keys = keys(atlas.findings(), spots, renamed);
    let mut pieces: BTreeMap<String, Piece> = BTreeMap::new();
    for (identity, found) in &atlas.findings().elements {
        let key = keys.get(identity).cloned().unwrap_or_else(|| found.key.clone());
        let mut found = found.clone();
        found.areas = found.areas.iter().map(|id| renamed.get(id).unwrap_or(id).clone()).collect();
        let known = pieces.entry(key.clone());
        let piece = known.and_modify(|piece| join(&mut piece.found, &found)).or_insert_with(|| Piece {
            key: crate::naming::fit(&key),
            found,
            judgement: None,
            identities: BTreeSet::new(),
        });
        piece.identities.insert(identity.clone());
    }
    let mut pieces: Vec<_> = pieces.into_values().collect();
    pieces.sort_by(|one, other| one.key.cmp(&other.key));
    judge(atlas, &mut pieces);
    pieces
}

/// The keys of elements in the package, by their identities: what leads around is the same on every page.
fn keys(
    findings: &Findings,
    spots: &BTreeMap<ScopeId, Spot>,
    renamed: &BTreeMap<ScopeId, ScopeId>,
) -> HashMap<String, String> {
    let everywhere: BTreeSet<&ScopeId> = renamed.values().collect();
    let mut alike: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (identity, found) in &findings.elements {
        let around = found.areas.iter().any(|id| {
            let id = renamed.get(id).unwrap_or(id);
            everywhere.contains(id)
                || spots.get(id).is_some_and(|spot| matches!(spot.kind, ScopeKind::Navigation))
        });
        if found.stable_id.is_none()
            && around
            && let Some((_, tail)) = found.key.split_once('|')
        {
            alike.entry(tail).or_default().push(identity);
        }
    }
    let shared = alike.into_iter().filter(|(_, identities)| identities.len() > 1);
    shared
        .flat_map(|(tail, identities)| {
            identities.into_iter().map(move |identity| (identity.to_owned(), format!("{ANY_ROUTE}|{tail}")))
        })
        .collect()
}

fn join(kept: &mut ElementFinding, other: &ElementFinding) {
    kept.names.extend(other.names.iter().cloned());
    kept.meanings.extend(other.meanings.iter().cloned());
    kept.state_keys.extend(other.state_keys.iter().cloned());
    kept.supported.extend(other.supported.iter().cloned());
    kept.routes.extend(other.routes.iter().cloned());
    kept.areas.extend(other.areas.iter().cloned());
    kept.states.extend(other.states.iter().cloned());
    kept.sources.extend(other.sources.iter().copied());
    kept.is_ambiguous |= other.is_ambiguous;
    kept.is_required |= other.is_required;
    for offer in
        other.affordances.iter().filter(|offer| !kept.affordances.contains(offer)).collect::<Vec<_>>()
    {
        kept.affordances.push(offer.clone());
    }
    for class in &other.data_classes {
        if !kept.data_classes.contains(class) {
            kept.data_classes.push(*class);
        }
    }
    kept.risk = kept.risk.take().or_else(|| other.risk.clone());
    kept.default_action = kept.default_action.take().or_else(|| other.default_action.clone());
}

/// Gives every element the gravest of what was decided about it anywhere.
fn judge(atlas: &Atlas, pieces: &mut [Piece]) {
    let homes = homes(pieces);
    for state in atlas.states() {
        for choice in &state.choices {
            let Some(piece) = home(&homes, choice).and_then(|index| pieces.get_mut(index)) else { continue };
            let is_graver = piece
                .judgement
                .as_ref()
                .is_none_or(|known| gravity(choice.judgement.side_effect) > gravity(known.side_effect));
            if is_graver {
                piece.judgement = Some(choice.judgement.clone());
            }
        }
    }
}

/// Where the elements are, by the identities that the atlas knows.
pub(super) fn homes(pieces: &[Piece]) -> HashMap<String, usize> {
    let all = pieces.iter().enumerate();
    all.flat_map(|(index, piece)| piece.identities.iter().map(move |identity| (identity.clone(), index)))
        .collect()
}

/// The element that a choice is about.
pub(super) fn home(homes: &HashMap<String, usize>, choice: &crate::options::Choice) -> Option<usize> {
    let key = choice.key.as_deref()?;
    // A choice is named after its action and the stable id of its thing, where it has one.
    let stable = choice.kind.split_once(' ').map(|(_, identity)| identity);
    homes.get(key).or_else(|| homes.get(stable?)).copied()
}
