//! What can be filled in and sent: forms, and dialogs that ask something.

use super::elements::is_field;
use super::survey::{Piece, Survey};
use crate::safety::gravity;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uiap_policy::risk::declines;
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::{RouteId, ScopeId};
use uiap_protocol::web::ScopeKind;

/// Areas that are filled in or answered as a whole.
const WHOLES: [ScopeKind; 4] = [ScopeKind::Form, ScopeKind::Dialog, ScopeKind::Drawer, ScopeKind::Popover];

/// A form, or a dialog that asks something.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) scope: ScopeId,
    /// What is filled in, by its place among the elements.
    pub(super) fields: Vec<usize>,
    /// What sends it.
    pub(super) submit: Option<usize>,
    pub(super) routes: BTreeSet<RouteId>,
    pub(super) states: BTreeSet<String>,
}

/// Every form.
pub(super) struct Forms {
    /// By the names of their areas.
    pub(super) all: Vec<Form>,
    by_submit: HashMap<usize, usize>,
    by_scope: HashMap<ScopeId, usize>,
}

impl Forms {
    pub(super) fn of(survey: &Survey<'_>) -> Self {
        let all = forms(survey);
        let mut by_submit = HashMap::new();
        let mut by_scope = HashMap::new();
        for (number, form) in all.iter().enumerate() {
            by_submit.extend(form.submit.map(|submit| (submit, number)));
            by_scope.insert(form.scope.clone(), number);
        }
        Self { all, by_submit, by_scope }
    }

    /// The form that an element sends.
    pub(super) fn sent_by(&self, piece: usize) -> Option<&Form> {
        self.by_submit.get(&piece).and_then(|number| self.all.get(*number))
    }

    /// The form in an area.
    pub(super) fn in_area(&self, scope: &ScopeId) -> Option<&Form> {
        self.by_scope.get(scope).and_then(|number| self.all.get(*number))
    }
}

fn forms(survey: &Survey<'_>) -> Vec<Form> {
    let mut inside: BTreeMap<&ScopeId, Vec<usize>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        for area in &piece.found.areas {
            if let Some((whole, _)) = survey.nearest(area, &WHOLES) {
                let held = inside.entry(whole).or_default();
                if !held.contains(&index) {
                    held.push(index);
                }
            }
        }
    }
    let all = inside.into_iter().filter_map(|(scope, held)| {
        let spot = survey.spots.get(scope)?;
        let pieces = || held.iter().filter_map(|index| Some((*index, survey.pieces.get(*index)?)));
        let fields: Vec<_> =
            pieces().filter(|(_, piece)| is_field(&piece.found.role)).map(|(index, _)| index).collect();
        let form = Form {
            scope: scope.clone(),
            submit: submit(pieces(), !fields.is_empty()),
            fields,
            routes: spot.routes.clone(),
            states: spot.states.clone(),
        };
        let asks = form.submit.is_some() && (spot.kind != ScopeKind::Form || !form.fields.is_empty());
        (asks || !form.fields.is_empty()).then_some(form)
    });
    all.collect()
}

/// What sends a form: what says so, or the gravest of its buttons that is no way out.
fn submit<'p>(pieces: impl Iterator<Item = (usize, &'p Piece)>, has_fields: bool) -> Option<usize> {
    let buttons = pieces.filter(|(_, piece)| {
        let is_out = piece.name().is_some_and(declines);
        matches!(piece.found.role, Role::Button | Role::Menuitem) && !is_out
    });
    let weighed = buttons.filter_map(|(index, piece)| {
        let sends = piece.offers(&Affordance::Submit);
        let changes = gravity(piece.class()) >= gravity(uiap_protocol::policy::SideEffectClass::Unknown);
        (sends || changes && (has_fields || piece.judgement.is_some())).then_some((
            sends,
            gravity(piece.class()),
            std::cmp::Reverse(piece.key.clone()),
            index,
        ))
    });
    weighed.max().map(|(.., index)| index)
}
