//! What makes an element the one that was meant.
//!
//! Pages use the same place for something else: a list shows other rows in the nodes it has, a dialog is filled anew.
//! So an element is known by what it is, what it is called and what it stands in, not by its place alone.

use uiap_protocol::action::ResolvedTarget;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{DocumentId, ScopeId, StableId};
use uiap_protocol::web::{ElementNode, GraphStore};

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

    /// The state of the page as far as it matters to somebody who agrees to an action on this element.
    pub fn revision_class(identity: Option<&Self>, page: &GraphStore) -> String {
        format!("{}\n{identity:?}", page.route().url)
    }
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
