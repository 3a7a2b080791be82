//! What makes an element the one that was meant.
//!
//! Pages use the same place for something else: a list shows other rows in the nodes it has, a dialog is filled anew.
//! So an element is known by what it is, what it is called and what it stands in, not by its place alone.

use crate::areas::areas;
use uiap_protocol::action::ResolvedTarget;
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::{DocumentId, ScopeId, StableId};
use uiap_protocol::web::{ElementNode, GraphStore, ScopeKind, ScopeNode};

/// How many of the elements around it count.
const AROUND_MAX: usize = 12;

/// An element as somebody found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    stable_id: Option<StableId>,
    document: DocumentId,
    scope: Option<ScopeId>,
    role: Role,
    name: Option<String>,
    /// What it stands in, from the inside out: the row, the dialog and so on.
    around: Vec<(Role, Option<String>)>,
}

impl Identity {
    /// What an element is now.
    pub fn of(element: &ElementNode, page: &GraphStore) -> Self {
        Self {
            stable_id: element.stable_id.clone(),
            document: element.document_id.clone(),
            scope: element.scope_id.clone(),
            role: element.role.clone(),
            name: element.name.clone(),
            around: around(element, page),
        }
    }

    /// What a target is now, if it is there.
    pub fn of_target(target: &ResolvedTarget, page: &GraphStore) -> Option<Self> {
        page.element(target.instance_id.as_str()).map(|element| Self::of(element, page))
    }

    /// What it stands in, from the inside out.
    pub fn around(&self) -> &[(Role, Option<String>)] {
        &self.around
    }

    /// The state of the page as far as it matters to somebody who agrees to an action on an element: what it is, and
    /// what the form or dialog holds that goes along with it.
    pub fn revision_class(element: Option<&ElementNode>, page: &GraphStore) -> String {
        let identity = element.map(|element| Self::of(element, page));
        let held = element.map_or_else(Vec::new, |element| held_beside(element, page));
        format!("{}\n{identity:?}\n{held:?}", page.route().url)
    }
}

/// The innermost form or dialog that an area is, or is in: what is pressed there takes along what it holds.
fn sent_with<'p>(page: &'p GraphStore, scope: &'p ScopeId) -> Option<&'p ScopeId> {
    let takes_along =
        |area: &&ScopeNode| matches!(area.kind, ScopeKind::Form | ScopeKind::Dialog | ScopeKind::Drawer);
    areas(page, Some(scope)).find(takes_along).map(|area| &area.id)
}

/// What the other fields of its form or dialog hold, apart from what changes by itself. What an action writes into its
/// own target is its own doing.
fn held_beside(target: &ElementNode, page: &GraphStore) -> Vec<String> {
    let Some(area) = target.scope_id.as_ref().and_then(|scope| sent_with(page, scope)) else {
        return Vec::new();
    };
    let inside = |element: &&ElementNode| {
        element.scope_id.as_ref().and_then(|scope| sent_with(page, scope)) == Some(area)
    };
    let others = page.elements().filter(|element| element.instance_id != target.instance_id);
    let still = others.filter(|element| element.volatile != Some(true)).filter(inside);
    let held = still.filter_map(|element| {
        let state = &element.state.ui;
        let chosen: Vec<_> = element
            .options
            .iter()
            .flatten()
            .filter(|option| option.selected == Some(true))
            .map(|option| &option.value)
            .collect();
        let is_field = element.affordances.iter().flatten().any(|offer| {
            matches!(offer, Affordance::Edit | Affordance::Choose | Affordance::Toggle | Affordance::Upload)
        });
        let values = (&state.text_value, state.numeric_value, state.checked, state.selected, chosen);
        is_field.then(|| format!("{} {values:?}", element.instance_id))
    });
    held.collect()
}

fn around(element: &ElementNode, page: &GraphStore) -> Vec<(Role, Option<String>)> {
    let mut around = Vec::new();
    let mut inner = element;
    while let Some(outer) = inner.parent_id.as_ref().and_then(|id| page.element(id.as_str())) {
        if around.len() == AROUND_MAX {
            break;
        }
        around.push((outer.role.clone(), outer.name.clone()));
        inner = outer;
    }
    around
}
