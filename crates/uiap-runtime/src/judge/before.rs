//! What was true before the action.

use super::expectation::{Expectation, Sign};
use super::signals::{is_invalid, is_shown, shown};
use super::target::{followed, names_scope, scopes_around};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{Role, SuccessSignal, TargetRef};
use uiap_protocol::ids::{ElementInstanceId, RevisionId, ScopeId};
use uiap_protocol::web::{ElementNode, GraphStore, RouteState, ScopeKind, ScopeNode, WebSignalBody};

/// The page as it was, as far as it matters.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) revision: RevisionId,
    pub(super) stirs: u64,
    pub(super) route: RouteState,
    pub(super) focus: Option<ElementInstanceId>,
    /// The element of the action, as it was when the baseline was taken.
    pub(super) target: Option<Box<ElementNode>>,
    /// The scopes it is in.
    around: BTreeSet<ScopeId>,
    dialogs: BTreeSet<ScopeId>,
    layers: BTreeSet<ScopeId>,
    messages: BTreeMap<ElementInstanceId, String>,
    invalid: BTreeMap<ElementInstanceId, String>,
    /// How many elements a signal names.
    counts: Vec<(TargetRef, usize)>,
    /// Which dialogs a signal names.
    named: Vec<(TargetRef, Vec<ScopeId>)>,
}

impl Before {
    pub(super) fn new(expectation: &Expectation, page: &GraphStore) -> Self {
        let mut counts = Vec::new();
        let mut named = Vec::new();
        for sign in &expectation.signs {
            let Sign::Signal(signal) = sign else { continue };
            match signal.as_ref() {
                SuccessSignal::ElementAppeared { target } => {
                    counts.push((target.clone(), shown(page, target)));
                }
                SuccessSignal::DialogClosed { target: Some(target) } => {
                    let open = dialogs(page).filter(|scope| names_scope(page, target, scope));
                    named.push((target.clone(), open.map(|scope| scope.id.clone()).collect()));
                }
                _ => {}
            }
        }
        let target = expectation
            .target
            .as_ref()
            .map(|target| followed(page, target).map_or_else(|| target.clone(), |now| Box::new(now.clone())));
        let around =
            target.iter().flat_map(|target| scopes_around(page, target)).map(|scope| scope.id.clone());
        Self {
            around: around.collect(),
            stirs: page.stirs(),
            revision: page.revision().clone(),
            route: page.route().clone(),
            focus: page.focus().and_then(|focus| focus.target.clone()),
            target,
            dialogs: dialogs(page).map(|scope| scope.id.clone()).collect(),
            layers: layers(page).map(|scope| scope.id.clone()).collect(),
            messages: messages(page)
                .map(|(element, text)| (element.instance_id.clone(), text.to_owned()))
                .collect(),
            invalid: invalid(page).map(|element| (element.instance_id.clone(), complaint(element))).collect(),
            counts,
            named,
        }
    }

    pub(super) fn count_of(&self, target: &TargetRef) -> usize {
        self.counts.iter().find(|(named, _)| named == target).map_or(0, |(_, count)| *count)
    }

    /// The element of the action was in this scope.
    pub(super) fn encloses_target(&self, scope: &ScopeId) -> bool {
        self.around.contains(scope)
    }

    pub(super) fn had_dialog(&self, id: &ScopeId) -> bool {
        self.dialogs.contains(id)
    }

    /// The dialogs that were open and that a signal names.
    pub(super) fn dialogs_named<'b>(
        &'b self,
        target: Option<&'b TargetRef>,
    ) -> impl Iterator<Item = &'b ScopeId> {
        let all = target.is_none().then_some(&self.dialogs).into_iter().flatten();
        let named = self.named.iter().filter(move |(named, _)| Some(named) == target);
        all.chain(named.flat_map(|(_, ids)| ids))
    }

    pub(super) fn route_differs(&self, page: &GraphStore) -> bool {
        let now = page.route();
        (&self.route.url, &self.route.route_id, &self.route.path) != (&now.url, &now.route_id, &now.path)
    }

    /// What was said since, whether or not it is still shown.
    pub(super) fn new_messages<'m>(
        &'m self,
        page: &'m GraphStore,
        heard: &'m [WebSignalBody],
    ) -> impl Iterator<Item = &'m str> {
        let heard = heard.iter().filter_map(|body| match body {
            WebSignalBody::ToastShown { text, .. } | WebSignalBody::StatusChanged { text, .. } => {
                Some(text.as_str())
            }
            _ => None,
        });
        heard.chain(self.shown_messages(page).map(|(_, text)| text))
    }

    /// The messages on the page that were not there, each with its element.
    pub(super) fn shown_messages<'m>(
        &'m self,
        page: &'m GraphStore,
    ) -> impl Iterator<Item = (&'m ElementNode, &'m str)> {
        messages(page).filter(|(_, text)| !self.messages.values().any(|before| before == text))
    }

    /// The text that an element said before.
    pub(super) fn message_of(&self, id: &ElementInstanceId) -> Option<&str> {
        self.messages.get(id).map(String::as_str)
    }

    /// The layers that are new: menus, popovers, dialogs and drawers.
    pub(super) fn new_layers<'p>(&'p self, page: &'p GraphStore) -> impl Iterator<Item = &'p ScopeNode> {
        layers(page).filter(|scope| !self.layers.contains(&scope.id))
    }

    /// The layers that are gone.
    pub(super) fn closed_layers<'p>(&'p self, page: &GraphStore) -> impl Iterator<Item = &'p ScopeId> {
        let open: BTreeSet<_> = layers(page).map(|scope| scope.id.clone()).collect();
        self.layers.iter().filter(move |id| !open.contains(*id))
    }

    /// The elements that have become wrong, or wrong in another way.
    pub(super) fn new_complaints<'p>(
        &'p self,
        page: &'p GraphStore,
    ) -> impl Iterator<Item = &'p ElementNode> {
        invalid(page).filter(|element| self.invalid.get(&element.instance_id) != Some(&complaint(element)))
    }

    /// Elements that were wrong are right now.
    pub(super) fn was_corrected(&self, page: &GraphStore) -> bool {
        self.invalid.keys().any(|id| page.element(id.as_str()).is_some_and(|element| !is_invalid(element)))
    }

    /// Elements that were wrong before the action still are.
    pub(super) fn still_wrong<'p>(&'p self, page: &'p GraphStore) -> impl Iterator<Item = &'p ElementNode> {
        invalid(page).filter(|element| self.invalid.contains_key(&element.instance_id))
    }
}

/// The dialogs and drawers that are open.
pub(super) fn dialogs(page: &GraphStore) -> impl Iterator<Item = &ScopeNode> {
    layers(page).filter(|scope| matches!(scope.kind, ScopeKind::Dialog | ScopeKind::Drawer))
}

/// Everything that lies over the page.
fn layers(page: &GraphStore) -> impl Iterator<Item = &ScopeNode> {
    page.scopes().filter(|scope| {
        let state = scope.state.as_ref();
        let open = state.and_then(|state| state.open) != Some(false)
            && state.and_then(|state| state.visible) != Some(false);
        let layer = matches!(
            scope.kind,
            ScopeKind::Dialog | ScopeKind::Drawer | ScopeKind::Menu | ScopeKind::Popover
        );
        (layer && open) || page.modal_stack().contains(&scope.id)
    })
}

fn messages(page: &GraphStore) -> impl Iterator<Item = (&ElementNode, &str)> {
    page.elements().filter(|element| is_shown(element)).filter_map(|element| {
        let speaks = matches!(element.role, Role::Toast | Role::Alert | Role::Status);
        let text = element.state.ui.text_value.as_deref().or(element.name.as_deref())?;
        (speaks && !text.trim().is_empty()).then_some((element, text))
    })
}

fn invalid(page: &GraphStore) -> impl Iterator<Item = &ElementNode> {
    page.elements().filter(|element| is_invalid(element))
}

/// What is wrong with an element, in its own words.
pub(super) fn complaint(element: &ElementNode) -> String {
    let message = element.validation.as_ref().and_then(|validation| validation.message.as_deref());
    message.unwrap_or_default().to_owned()
}
