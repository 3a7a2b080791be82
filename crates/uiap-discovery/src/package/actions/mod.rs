//! The actions: what every runtime knows, what the application offers, and what looks as if it were one of its actions.
//!
//! Start at [`Deeds::of_survey`]. A primitive stands in the catalog once, with everything that it is used on; an action
//! of the application once under its own id; and what looks like one as `candidate.AREA.VERB`.

mod arguments;
mod candidates;
mod domain;
mod primitives;
mod risks;

pub(super) use arguments::{Argument, arguments};
pub(super) use risks::is_delicate;

use super::evidence::{Backing, request_of, signals_of};
use super::forms::Forms;
use super::survey::Survey;
use super::words::{lasting_all, object, some};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_protocol::capability::{RiskDescriptor, SuccessSignal, TargetRef};
use uiap_protocol::discovery::{
    ActionCatalog, ActionReviewState, ActionTargetPattern, DiscoveredAction, DiscoveredActionKind,
    EvidenceSource,
};
use uiap_protocol::ids::{ActionId, RouteId, ScopeId};
use uiap_protocol::policy::SideEffectClass;
use uiap_protocol::web::ScopeKind;
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::WorkflowCondition;

/// Most things that one action is said to be aimed at.
const PATTERNS_MAX: usize = 64;
/// Most signals of one action.
const SIGNALS_MAX: usize = 8;

/// An action, with what the other catalogs need to know of it.
pub(super) struct Deed {
    pub(super) id: ActionId,
    pub(super) kind: DiscoveredActionKind,
    /// The elements that it is aimed at.
    pub(super) pieces: Vec<usize>,
    /// The form that it sends.
    pub(super) form: Option<ScopeId>,
    pub(super) args: Vec<Argument>,
    pub(super) risk: Option<RiskDescriptor>,
    pub(super) class: SideEffectClass,
    /// What the application or an annotation says about its risk.
    pub(super) declared: Option<RiskDescriptor>,
    /// Writes that were held back at the network.
    pub(super) wrote: bool,
    pub(super) signals: Vec<SuccessSignal>,
    pub(super) backing: Backing,
    pub(super) review: ActionReviewState,
    /// What the application says about how it is asked for and done, where it offers the action itself.
    pub(super) registered: Option<JsonObject>,
    /// Where it is asked for without an element.
    pub(super) routes: BTreeSet<RouteId>,
    patterns: Vec<ActionTargetPattern>,
}

/// The actions.
pub(super) struct Deeds {
    /// By their ids.
    pub(super) all: Vec<Deed>,
    by_piece: HashMap<usize, BTreeSet<ActionId>>,
    /// What each element means, by its place in `all`.
    meant: HashMap<usize, usize>,
}

impl Deeds {
    pub(super) fn of_survey(survey: &Survey<'_>, forms: &Forms) -> Self {
        let mut by_id: BTreeMap<ActionId, Deed> = BTreeMap::new();
        let domain = domain::deeds(survey, forms);
        let taken: BTreeSet<usize> = domain.iter().flat_map(|deed| deed.pieces.iter().copied()).collect();
        let candidates = candidates::deeds(survey, forms, &taken);
        for deed in primitives::deeds(survey, forms).into_iter().chain(domain).chain(candidates) {
            by_id.entry(deed.id.clone()).or_insert(deed);
        }
        let all: Vec<_> = by_id.into_values().collect();
        let mut by_piece: HashMap<usize, BTreeSet<ActionId>> = HashMap::new();
        let mut meant = HashMap::new();
        for (number, deed) in all.iter().enumerate() {
            for piece in &deed.pieces {
                by_piece.entry(*piece).or_default().insert(deed.id.clone());
                if deed.kind != DiscoveredActionKind::Primitive {
                    meant.entry(*piece).or_insert(number);
                }
            }
        }
        Self { all, by_piece, meant }
    }

    /// What can be requested of an element.
    pub(super) fn of(&self, piece: usize) -> impl Iterator<Item = &ActionId> {
        self.by_piece.get(&piece).into_iter().flatten()
    }

    /// The action of the application that an element stands for, or what looks like one.
    pub(super) fn meant_by(&self, piece: usize) -> Option<&Deed> {
        self.meant.get(&piece).and_then(|number| self.all.get(*number))
    }

    /// How risky what an element stands for is.
    pub(super) fn risk_of(&self, piece: usize) -> Option<RiskDescriptor> {
        self.meant_by(piece)?.risk.clone()
    }

    pub(super) fn catalog(&self, survey: &Survey<'_>) -> ActionCatalog {
        let actions = self.all.iter().map(|deed| entry(survey, deed)).collect();
        ActionCatalog { actions, extra: JsonObject::default() }
    }
}

fn entry(survey: &Survey<'_>, deed: &Deed) -> DiscoveredAction {
    let (discovered_by, confidence) = deed.backing.done();
    let pieces = || deed.pieces.iter().filter_map(|index| survey.pieces.get(*index));
    let routes: BTreeSet<_> =
        pieces().flat_map(|piece| &piece.found.routes).chain(&deed.routes).cloned().collect();
    let scopes: BTreeSet<_> =
        pieces().flat_map(|piece| &piece.found.areas).chain(&deed.form).cloned().collect();
    let is_primitive = deed.kind == DiscoveredActionKind::Primitive;
    let decision = pieces()
        .filter_map(|piece| piece.judgement.as_ref())
        .max_by_key(|judgement| crate::safety::gravity(judgement.side_effect));
    let data: BTreeSet<_> = pieces()
        .map(|piece| &piece.found.data_classes)
        .chain(deed.args.iter().map(|argument| &argument.data))
        .flatten()
        .map(ToString::to_string)
        .collect();
    let metadata = object([
        ("executed", json!(deed.pieces.iter().any(|piece| survey.steps_by(*piece).next().is_some()))),
        ("held", json!(deed.wrote.then_some(true))),
        ("decision", json!(decision.filter(|_| !is_primitive).map(|judgement| &judgement.decision))),
        ("dataClasses", json!(data)),
        ("titles", json!(titles(survey, deed))),
        ("registered", json!(deed.registered)),
        ("fields", json!(deed.args.iter().filter_map(Argument::field).collect::<serde_json::Map<_, _>>())),
    ]);
    DiscoveredAction {
        id: deed.id.clone(),
        kind: deed.kind,
        target_patterns: some(deed.patterns.clone()),
        routes: some(routes.into_iter().collect()),
        scopes: some(scopes.into_iter().collect()),
        args: some(deed.args.iter().map(Argument::descriptor).collect()),
        risk: deed.risk.clone(),
        side_effect_class: Some(deed.class),
        success_signals: some(deed.signals.clone()),
        prerequisites: some(if is_primitive { Vec::new() } else { prerequisites(survey, deed) }),
        discovered_by,
        confidence,
        review_state: Some(deed.review),
        metadata: Some(metadata),
        extra: JsonObject::default(),
    }
}

/// What the elements of an action are called.
pub(super) fn titles(survey: &Survey<'_>, deed: &Deed) -> BTreeSet<String> {
    if deed.kind == DiscoveredActionKind::Primitive {
        return BTreeSet::new();
    }
    let pieces = deed.pieces.iter().filter_map(|index| survey.pieces.get(*index));
    pieces.flat_map(super::elements::names).take(PATTERNS_MAX).collect()
}

/// Where one has to be to do it: on its route, and with its dialog open.
fn prerequisites(survey: &Survey<'_>, deed: &Deed) -> Vec<WorkflowCondition> {
    let mut routes = deed
        .pieces
        .iter()
        .filter_map(|index| survey.pieces.get(*index))
        .flat_map(|piece| &piece.found.routes)
        .collect::<BTreeSet<_>>()
        .into_iter();
    let mut conditions = Vec::new();
    if let (Some(route), None) = (routes.next(), routes.next()) {
        conditions.push(WorkflowCondition::Route { route_id: Some(route.clone()), pattern: None });
    }
    let areas: BTreeSet<_> = deed
        .pieces
        .iter()
        .filter_map(|index| survey.pieces.get(*index))
        .flat_map(|piece| &piece.found.areas)
        .filter_map(|area| survey.nearest(area, &[ScopeKind::Dialog, ScopeKind::Drawer]))
        .map(|(scope, _)| scope)
        .collect();
    if let [scope] = areas.into_iter().collect::<Vec<_>>().as_slice() {
        conditions.push(WorkflowCondition::Element {
            target: TargetRef::Scope { value: (*scope).clone() },
            state: None,
            present: Some(true),
        });
    }
    conditions
}

/// What the things of an action look like, in one order and not too many.
fn patterns(survey: &Survey<'_>, pieces: &[usize]) -> Vec<ActionTargetPattern> {
    let mut patterns: BTreeMap<String, ActionTargetPattern> = BTreeMap::new();
    for piece in pieces.iter().filter_map(|index| survey.pieces.get(*index)) {
        let found = &piece.found;
        let pattern = ActionTargetPattern {
            role: Some(found.role.clone()),
            stable_id: found.stable_id.clone(),
            meaning: found.meanings.iter().next().cloned(),
            scope_id: found.areas.iter().next().cloned(),
            extra: JsonObject::default(),
        };
        patterns.insert(format!("{pattern:?}"), pattern);
    }
    patterns.into_values().take(PATTERNS_MAX).collect()
}

/// What was observed when the things of an action were used, and where that is written down.
///
/// What an application shows after a request was held back is its answer to a failure, so it is no sign of success.
fn observed(survey: &Survey<'_>, pieces: &[usize], backing: &mut Backing) -> (Vec<SuccessSignal>, bool) {
    let mut signals = Vec::new();
    let mut wrote = false;
    for step in pieces.iter().flat_map(|piece| survey.steps_by(*piece)) {
        let held = step.held();
        wrote |= !held.is_empty();
        for passage in &held {
            let note = format!("{} {}", passage.method, crate::place::without_data(&passage.url));
            backing.note(EvidenceSource::Network, request_of(step.id.as_str(), passage), note);
        }
        if step.to.is_some() && held.is_empty() && step.trouble().is_none() {
            backing.add(EvidenceSource::Transition, step.id.clone());
            let seen = step.signals();
            if !seen.is_empty() {
                backing.add(EvidenceSource::Signal, signals_of(step));
            }
            signals.extend(seen);
        }
    }
    let mut signals = lasting_all(signals.iter());
    signals.truncate(SIGNALS_MAX);
    (signals, wrote)
}
