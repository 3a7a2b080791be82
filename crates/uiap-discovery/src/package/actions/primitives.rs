//! What every runtime knows, as far as the application has something to use it on (DSC 15.4).

use super::{Deed, PATTERNS_MAX};
use crate::package::evidence::Backing;
use crate::package::forms::Forms;
use crate::package::survey::{Piece, Survey};
use crate::package::words::action_id;
use std::collections::BTreeMap;
use uiap_policy::risk::{Observed, assess};
use uiap_protocol::capability::{Affordance, PrimitiveAction, Role};
use uiap_protocol::discovery::{
    ActionReviewState, ActionTargetPattern, DiscoveredActionKind, EvidenceSource,
};
use uiap_protocol::wire::JsonObject;

/// Most transitions that stand for the use of one primitive.
const USES_MAX: usize = 4;
/// Most states that stand for the presence of its targets.
const STATES_MAX: usize = 4;

pub(super) fn deeds(survey: &Survey<'_>, forms: &Forms) -> Vec<Deed> {
    let mut used: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        for primitive in uses(piece) {
            used.entry(primitive.to_string()).or_default().push(index);
        }
    }
    let submits = forms.all.iter().any(|form| form.submit.is_some() && !form.fields.is_empty());
    if submits {
        used.entry(PrimitiveAction::Submit.to_string()).or_default();
    }
    used.into_iter().map(|(word, pieces)| deed(survey, forms, &word, pieces)).collect()
}

fn deed(survey: &Survey<'_>, forms: &Forms, word: &str, pieces: Vec<usize>) -> Deed {
    let id = action_id(word);
    let mut backing = Backing::default();
    let states =
        pieces.iter().filter_map(|index| survey.pieces.get(*index)).flat_map(|piece| &piece.found.states);
    for state in states.collect::<std::collections::BTreeSet<_>>().into_iter().take(STATES_MAX) {
        backing.add(EvidenceSource::Dom, survey.look_up(state));
    }
    for step in
        survey.steps.iter().filter(|step| step.choice.action == id && step.to.is_some()).take(USES_MAX)
    {
        backing.add(EvidenceSource::Transition, step.id.clone());
    }
    let mut patterns = patterns(survey, &pieces);
    let mut routes = std::collections::BTreeSet::new();
    if word == PrimitiveAction::Submit.as_str() {
        for form in forms.all.iter().filter(|form| form.submit.is_some() && !form.fields.is_empty()) {
            patterns.push(ActionTargetPattern {
                role: Some(Role::Form),
                scope_id: Some(form.scope.clone()),
                ..ActionTargetPattern::default()
            });
            routes.extend(form.routes.iter().cloned());
            if let Some(state) = form.states.iter().next() {
                backing.add(EvidenceSource::Dom, survey.look_up(state));
            }
        }
        patterns.truncate(PATTERNS_MAX);
    }
    let guess = assess(&id, &Observed::default());
    Deed {
        kind: DiscoveredActionKind::Primitive,
        form: None,
        args: Vec::new(),
        // How risky a primitive is depends on what it is aimed at; the elements say so.
        risk: Some(guess.risk),
        class: guess.side_effect,
        declared: None,
        wrote: false,
        signals: Vec::new(),
        review: ActionReviewState::Candidate,
        backing,
        patterns,
        registered: None,
        routes,
        pieces,
        id,
    }
}

/// What its targets are, by role and area; by role alone where that were too many.
fn patterns(survey: &Survey<'_>, pieces: &[usize]) -> Vec<ActionTargetPattern> {
    let by = |area: bool| {
        let mut patterns: BTreeMap<String, ActionTargetPattern> = BTreeMap::new();
        for piece in pieces.iter().filter_map(|index| survey.pieces.get(*index)) {
            let scope_id = piece.found.areas.iter().next().filter(|_| area).cloned();
            let role = Some(piece.found.role.clone());
            let pattern = ActionTargetPattern {
                role,
                scope_id,
                stable_id: None,
                meaning: None,
                extra: JsonObject::default(),
            };
            patterns.insert(format!("{pattern:?}"), pattern);
        }
        patterns
    };
    let near = by(true);
    let kept = if near.len() > PATTERNS_MAX { by(false) } else { near };
    kept.into_values().take(PATTERNS_MAX).collect()
}

/// The primitives that an element can be the target of.
fn uses(piece: &Piece) -> Vec<PrimitiveAction> {
    use PrimitiveAction as Primitive;
    let mut uses = Vec::new();
    match piece.found.role {
        Role::Textbox | Role::Textarea | Role::Searchbox => {
            uses.extend([Primitive::EnterText, Primitive::ClearText]);
        }
        Role::Checkbox | Role::Switch => uses.push(Primitive::Toggle),
        Role::Combobox | Role::Listbox => uses.push(Primitive::Choose),
        Role::Slider | Role::Spinbutton | Role::Datepicker | Role::Timepicker => {
            uses.push(Primitive::SetValue);
        }
        Role::Fileinput => uses.push(Primitive::Upload),
        Role::Breadcrumb => uses.push(Primitive::Navigate),
        _ => {}
    }
    let by_offer = [
        (Affordance::Activate, Primitive::Activate),
        (Affordance::Edit, Primitive::EnterText),
        (Affordance::Edit, Primitive::ClearText),
        (Affordance::Toggle, Primitive::Toggle),
        (Affordance::Choose, Primitive::Choose),
        (Affordance::Expand, Primitive::Expand),
        (Affordance::Collapse, Primitive::Collapse),
        (Affordance::Open, Primitive::Open),
        (Affordance::Close, Primitive::Close),
        (Affordance::Navigate, Primitive::Navigate),
        (Affordance::Upload, Primitive::Upload),
    ];
    let is_edited = |primitive: Primitive| {
        !matches!(primitive, Primitive::EnterText | Primitive::ClearText) || !is_set(&piece.found.role)
    };
    uses.extend(
        by_offer
            .into_iter()
            .filter(|(offer, primitive)| piece.offers(offer) && is_edited(*primitive))
            .map(|(_, primitive)| primitive),
    );
    uses.sort_by_key(ToString::to_string);
    uses.dedup();
    uses
}

/// Its value is set as a whole and not written letter by letter.
fn is_set(role: &Role) -> bool {
    matches!(
        role,
        Role::Slider
            | Role::Spinbutton
            | Role::Datepicker
            | Role::Timepicker
            | Role::Fileinput
            | Role::Listbox
    )
}
