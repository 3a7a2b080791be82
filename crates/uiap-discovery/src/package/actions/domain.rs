//! The actions that the application itself offers: registered ones, and those that its elements name.

use super::arguments::{Argument, arguments};
use super::risks::{raised, stricter};
use super::{Deed, observed, patterns};
use crate::package::evidence::Backing;
use crate::package::forms::Forms;
use crate::package::survey::{Step, Survey};
use crate::package::words::{id, lasting_all, object};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use uiap_policy::risk::{Observed, assess};
use uiap_protocol::capability::{ActionDescriptor, PrimitiveAction, RiskLevel};
use uiap_protocol::discovery::{ActionReviewState, DiscoveredActionKind, EvidenceSource};
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::SideEffectClass;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::catalogue::side_effect;

pub(super) fn deeds(survey: &Survey<'_>, forms: &Forms) -> Vec<Deed> {
    let mut on: BTreeMap<ActionId, Vec<usize>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        let named: BTreeSet<_> = piece.found.supported.iter().chain(&piece.found.default_action).collect();
        for action in named.into_iter().filter(|action| !is_primitive(action)) {
            on.entry(action.clone()).or_default().push(index);
        }
    }
    let registered: BTreeMap<_, _> = survey
        .atlas
        .registered()
        .filter(|action| !is_primitive(&action.id))
        .map(|action| (&action.id, action))
        .collect();
    let ids: BTreeSet<_> = on.keys().chain(registered.keys().copied()).cloned().collect();
    ids.into_iter()
        .map(|action| {
            let pieces = on.get(&action).cloned().unwrap_or_default();
            deed(survey, forms, registered.get(&action).copied(), action, pieces)
        })
        .collect()
}

pub(super) fn is_primitive(action: &ActionId) -> bool {
    PrimitiveAction::from_word(action.as_str()).is_some()
}

fn deed(
    survey: &Survey<'_>,
    forms: &Forms,
    registered: Option<&ActionDescriptor>,
    action: ActionId,
    pieces: Vec<usize>,
) -> Deed {
    let mut backing = Backing::default();
    if registered.is_some() {
        backing.add(EvidenceSource::AppRegistry, id(action.as_str()));
    }
    for state in
        pieces.iter().filter_map(|index| survey.pieces.get(*index)).flat_map(|piece| &piece.found.states)
    {
        backing.add(EvidenceSource::Annotation, survey.look_up(state));
    }
    let (seen, mut wrote) = observed(survey, &pieces, &mut backing);
    // What was requested under the id of the action itself has no element.
    for step in survey.steps.iter().filter(|step| step.choice.action == action && step.piece.is_none()) {
        if step.to.is_some() {
            backing.add(EvidenceSource::Transition, step.id.clone());
        }
        wrote |= !step.held().is_empty();
    }
    let declared_success = registered.and_then(|action| action.success.as_ref());
    let signals = lasting_all(declared_success.into_iter().flatten().chain(&seen));
    let form = pieces.iter().find_map(|piece| forms.sent_by(*piece));
    let own: Vec<_> = registered
        .and_then(|action| action.args.clone())
        .into_iter()
        .flatten()
        .map(Argument::declared)
        .collect();
    let args = match form {
        Some(form) if own.is_empty() => arguments(survey, form),
        _ => own,
    };
    let annotated = pieces.iter().filter_map(|index| survey.pieces.get(*index)?.found.risk.clone());
    let declared = registered.map(|action| action.risk.clone()).into_iter().chain(annotated).reduce(stricter);
    let guess = assess(&action, &Observed::default());
    let class = match declared.as_ref().map(side_effect) {
        Some(SideEffectClass::Unknown) | None => guess.side_effect,
        Some(class) => class,
    };
    let risk = declared.clone().unwrap_or(guess.risk);
    let held = pieces.iter().flat_map(|piece| survey.steps_by(*piece)).flat_map(Step::held);
    let (class, risk) = raised(class, risk, held, wrote);
    let delicate = super::is_delicate(class) || risk.level == RiskLevel::Blocked || wrote;
    let review = if delicate { ActionReviewState::NeedsReview } else { ActionReviewState::Candidate };
    Deed {
        patterns: patterns(survey, &pieces),
        form: form.map(|form| form.scope.clone()),
        kind: DiscoveredActionKind::Domain,
        risk: Some(risk),
        registered: registered.map(registration),
        routes: BTreeSet::new(),
        id: action,
        pieces,
        args,
        class,
        declared,
        wrote,
        signals,
        backing,
        review,
    }
}

/// What nobody could see: what an action is aimed at, how it is carried out, and whether it may happen twice.
fn registration(action: &ActionDescriptor) -> JsonObject {
    object([
        ("title", json!(action.title)),
        ("description", json!(action.description)),
        ("targetKinds", json!(action.target_kinds)),
        ("executionModes", json!(action.execution_modes)),
        ("idempotency", json!(action.idempotency)),
    ])
}
