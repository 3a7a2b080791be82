//! What was found in the states, merged by identity.

use super::State;
use crate::safety::is_around;
use crate::sighting::{Area, Sighting, Thing};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_protocol::capability::{Affordance, RiskDescriptor, Role, StateKey};
use uiap_protocol::discovery::EvidenceSource;
use uiap_protocol::ids::{ActionId, RouteId, ScopeId, StableId};
use uiap_protocol::policy::DataClass;
use uiap_protocol::web::{ElementSource, ScopeKind};

/// Most names, addresses and places of one thing that are kept.
const KEPT_MAX: usize = 8;

/// A route as it was found.
#[derive(Clone, Debug, Default)]
pub struct RouteFinding {
    /// The application itself named it.
    pub is_named: bool,
    /// Its path.
    pub patterns: BTreeSet<String>,
    /// Where it was seen.
    pub urls: BTreeSet<String>,
    /// How it was called.
    pub titles: BTreeSet<String>,
    /// Its areas.
    pub areas: BTreeSet<ScopeId>,
    /// Its states.
    pub states: BTreeSet<String>,
}

/// An area as it was found.
#[derive(Clone, Debug)]
pub struct ScopeFinding {
    /// What kind.
    pub kind: ScopeKind,
    /// The application itself named it.
    pub is_named: bool,
    /// What surrounds it.
    pub parent: Option<ScopeId>,
    /// How it was called.
    pub names: BTreeSet<String>,
    /// Its stable ids.
    pub stable_ids: BTreeSet<StableId>,
    /// On which routes.
    pub routes: BTreeSet<RouteId>,
    /// In which states.
    pub states: BTreeSet<String>,
}

/// An element as it was found.
#[derive(Clone, Debug)]
pub struct ElementFinding {
    /// Its identity without a stable id.
    pub key: String,
    /// Its stable identity.
    pub stable_id: Option<StableId>,
    /// What it is.
    pub role: Role,
    /// How it was called.
    pub names: BTreeSet<String>,
    /// What it means.
    pub meanings: BTreeSet<String>,
    /// What states it showed.
    pub state_keys: BTreeSet<String>,
    /// What it offers.
    pub affordances: Vec<Affordance>,
    /// What can be requested of it.
    pub supported: BTreeSet<ActionId>,
    /// What is requested of it by default.
    pub default_action: Option<ActionId>,
    /// How risky it says it is.
    pub risk: Option<RiskDescriptor>,
    /// What data it holds.
    pub data_classes: Vec<DataClass>,
    /// What can be chosen in it.
    pub options: Vec<(String, String)>,
    /// A value must be given.
    pub is_required: bool,
    /// It is one of many alike.
    pub is_item: bool,
    /// On which routes.
    pub routes: BTreeSet<RouteId>,
    /// In which areas.
    pub areas: BTreeSet<ScopeId>,
    /// In which states.
    pub states: BTreeSet<String>,
    /// Who says what it is.
    pub sources: BTreeSet<EvidenceSource>,
    /// Others in the same state cannot be told from it by role and name.
    pub is_ambiguous: bool,
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Routes.
    pub routes: BTreeMap<RouteId, RouteFinding>,
    /// Areas.
    pub scopes: BTreeMap<ScopeId, ScopeFinding>,
    /// Elements, by identity.
    pub elements: BTreeMap<String, ElementFinding>,
}

impl Findings {
    /// What a state shows.
    pub(super) fn add(&mut self, sighting: &Sighting<'_>, state: &State) {
        self.add_route(sighting, state);
        self.add_areas(sighting, state);
        self.add_elements(sighting, state);
    }

    fn add_route(&mut self, sighting: &Sighting<'_>, state: &State) {
        let place = &sighting.place;
        let route = self.routes.entry(place.route_id.clone()).or_default();
        route.is_named |= place.is_named;
        route.states.insert(state.id.clone());
        keep(&mut route.patterns, place.pattern.clone());
        keep(&mut route.urls, place.url.clone());
        if let Some(title) = sighting.title {
            keep(&mut route.titles, title.to_owned());
        }
        route.areas.extend(state.areas.iter().cloned());
    }

    fn add_areas(&mut self, sighting: &Sighting<'_>, state: &State) {
        let known: BTreeSet<_> = state.areas.iter().collect();
        for area in sighting.areas.iter().filter(|area| area.is_of_interest()) {
            let finding = self.scopes.entry(area.id.clone()).or_insert_with(|| ScopeFinding {
                kind: area.kind,
                is_named: area.is_named,
                parent: None,
                names: BTreeSet::new(),
                stable_ids: BTreeSet::new(),
                routes: BTreeSet::new(),
                states: BTreeSet::new(),
            });
            finding.parent =
                finding.parent.take().or_else(|| area.parent.clone().filter(|id| known.contains(id)));
            finding.routes.insert(sighting.place.route_id.clone());
            finding.states.insert(state.id.clone());
            finding.stable_ids.extend(area.scope.stable_id.iter().cloned());
            if let Some(name) = &area.scope.name {
                keep(&mut finding.names, name.clone());
            }
        }
    }

    fn add_elements(&mut self, sighting: &Sighting<'_>, state: &State) {
        let mut alike: HashMap<(&str, &str, &Role), usize> = HashMap::new();
        for thing in sighting.things.iter().filter(|thing| is_of_interest(thing)) {
            *alike.entry(word(thing)).or_default() += 1;
        }
        for thing in sighting.things.iter().filter(|thing| is_of_interest(thing)) {
            let area = nearest(sighting, &thing.path);
            let finding = self.elements.entry(thing.identity().to_owned()).or_insert_with(|| begin(thing));
            finding.routes.insert(sighting.place.route_id.clone());
            finding.areas.extend(area.map(|area| area.id.clone()));
            keep(&mut finding.states, state.id.clone());
            finding.is_ambiguous |=
                thing.element.stable_id.is_none() && alike.get(&word(thing)).is_some_and(|count| *count > 1);
            merge(finding, thing);
        }
    }
}

/// The innermost area of interest around a path.
fn nearest<'s, 'g>(sighting: &'s Sighting<'g>, path: &str) -> Option<&'s Area<'g>> {
    let around = sighting.areas.iter().filter(|area| area.is_of_interest() && is_around(&area.path, path));
    around.max_by_key(|area| area.path.len())
}

fn word<'t>(thing: &'t Thing<'_>) -> (&'t str, &'t str, &'t Role) {
    (thing.path.as_str(), thing.element.name.as_deref().unwrap_or_default(), &thing.element.role)
}

/// It can be used, it tells how something went, or it is a source of arguments (DSC 15.3).
fn is_of_interest(thing: &Thing<'_>) -> bool {
    thing.is_interactive() || thing.is_message() || thing.element.role == Role::Canvas
}

fn begin(thing: &Thing<'_>) -> ElementFinding {
    ElementFinding {
        key: thing.key.clone(),
        stable_id: thing.element.stable_id.clone(),
        role: thing.element.role.clone(),
        names: BTreeSet::new(),
        meanings: BTreeSet::new(),
        state_keys: BTreeSet::new(),
        affordances: Vec::new(),
        supported: BTreeSet::new(),
        default_action: None,
        risk: None,
        data_classes: Vec::new(),
        options: Vec::new(),
        is_required: false,
        is_item: thing.item.is_some(),
        routes: BTreeSet::new(),
        areas: BTreeSet::new(),
        states: BTreeSet::new(),
        sources: BTreeSet::new(),
        is_ambiguous: false,
    }
}

fn merge(finding: &mut ElementFinding, thing: &Thing<'_>) {
    let element = thing.element;
    // Of several keys of one stable id the first by itself, whichever page was seen first.
    if thing.key < finding.key {
        finding.key.clone_from(&thing.key);
    }
    // The name of one row is the data of one row.
    if let Some(name) = &thing.label {
        keep(&mut finding.names, name.clone());
        finding.sources.insert(EvidenceSource::VisibleText);
    }
    if let Some(meaning) = &element.meaning {
        keep(&mut finding.meanings, meaning.clone());
    }
    finding.state_keys.extend(state_keys(thing));
    for offer in element.affordances.iter().flatten() {
        if !finding.affordances.contains(offer) {
            finding.affordances.push(offer.clone());
        }
    }
    finding.supported.extend(element.supported_actions.iter().flatten().cloned());
    finding.default_action = finding.default_action.take().or_else(|| element.default_action.clone());
    finding.risk = finding.risk.take().or_else(|| element.risk.clone());
    for class in element.data_classes.iter().flatten() {
        if !finding.data_classes.contains(class) {
            finding.data_classes.push(*class);
        }
    }
    if finding.options.is_empty() && finding.data_classes.is_empty() {
        let options = element.options.iter().flatten();
        finding.options = options.map(|option| (option.value.clone(), option.label.clone())).collect();
    }
    finding.is_required |= element.state.ui.required == Some(true);
    finding.sources.insert(source_of(element.source));
}

fn state_keys(thing: &Thing<'_>) -> Vec<String> {
    let Ok(serde_json::Value::Object(state)) = serde_json::to_value(&thing.element.state.ui) else {
        return Vec::new();
    };
    state.into_iter().map(|(key, _)| key).filter(|key| StateKey::from_word(key).is_some()).collect()
}

/// Who says what a thing is.
fn source_of(source: Option<ElementSource>) -> EvidenceSource {
    match source {
        Some(ElementSource::Annotation | ElementSource::Binding) => EvidenceSource::Annotation,
        Some(ElementSource::Registry) => EvidenceSource::AppRegistry,
        Some(ElementSource::Text) => EvidenceSource::VisibleText,
        Some(ElementSource::Heuristic) => EvidenceSource::Inferred,
        Some(ElementSource::Vision) => EvidenceSource::Vision,
        Some(ElementSource::Html | ElementSource::Aria) | None => EvidenceSource::Dom,
    }
}

/// Keeps one more, and of too many those that come first by themselves, whatever was seen first.
fn keep(kept: &mut BTreeSet<String>, one: String) {
    kept.insert(one);
    if kept.len() > KEPT_MAX {
        kept.pop_last();
    }
}
