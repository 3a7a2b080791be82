//! What was true before the action.

use super::area::Touched;
use super::expectation::{Expectation, Sign};
use super::signals::{is_invalid, is_shown, shown};
use super::target::{followed, names_scope, scopes_around};
use std::collections::BTreeSet;
use uiap_protocol::capability::{Role, SuccessSignal, TargetRef};
use uiap_protocol::ids::{ElementInstanceId, RevisionId, ScopeId};
use uiap_protocol::web::{ElementNode, GraphStore, RouteState, ScopeKind, ScopeNode};

/// The page as it was, as far as it matters.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) revision: RevisionId,
    pub(super) stirs: u64,
    pub(super) seq: u64,
    pub(super) began_at: RevisionId,
    pub(super) route: RouteState,
    pub(super) focus: Option<ElementInstanceId>,
    /// The element of the action, as it was when the baseline was taken.
    pub(super) target: Option<Box<ElementNode>>,
    /// The scopes it is in.
    around: BTreeSet<ScopeId>,
    dialogs: BTreeSet<ScopeId>,
    layers: BTreeSet<ScopeId>,
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
            seq: page.seq(),
            began_at: page.began_at().clone(),
            revision: page.revision().clone(),
            route: page.route().clone(),
            focus: page.focus().and_then(|focus| focus.target.clone()),
            target,
            dialogs: dialogs(page).map(|scope| scope.id.clone()).collect(),
            layers: layers(page).map(|scope| scope.id.clone()).collect(),
            counts,
            named,
        }
    }

    pub(super) fn count_of(&self, target: &TargetRef) -> usize {
        self.counts.iter().find(|(named, _)| named == target).map_or(0, |(_, count)| *count)
    }

    /// The very element of the action is not there any more.
    pub(super) fn target_is_gone(&self, page: &GraphStore) -> bool {
        self.target.as_ref().is_some_and(|target| page.element(target.instance_id.as_str()).is_none())
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

    /// The layers that are new: menus, popovers, dialogs and drawers.
    pub(super) fn new_layers<'p>(&'p self, page: &'p GraphStore) -> impl Iterator<Item = &'p ScopeNode> {
        layers(page).filter(|scope| !self.layers.contains(&scope.id))
    }

    /// The layers that are gone.
    pub(super) fn closed_layers<'p>(&'p self, page: &GraphStore) -> impl Iterator<Item = &'p ScopeId> {
        let open: BTreeSet<_> = layers(page).map(|scope| scope.id.clone()).collect();
        self.layers.iter().filter(move |id| !open.contains(*id))
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

/// What an element says, if it is one that speaks and can be seen.
pub(super) fn said_by(element: &ElementNode) -> Option<&str> {
    let speaks = matches!(element.role, Role::Toast | Role::Alert | Role::Status) && is_shown(element);
    let text = element.state.ui.text_value.as_deref().or(element.name.as_deref())?;
    (speaks && !text.trim().is_empty()).then_some(text)
}

/// The elements that say something they did not say before, each with what it said and says. What was drawn anew and
/// says the same says nothing new.
pub(super) fn new_messages<'p>(
    touched: &Touched<'p>,
) -> impl Iterator<Item = (&'p ElementNode, Option<&'p str>, &'p str)> {
    let old: BTreeSet<_> = touched.all().filter_map(|(was, _)| was.and_then(said_by)).collect();
    touched.all().filter_map(move |(was, now)| {
        let text = said_by(now?)?;
        (!old.contains(text)).then_some((now?, was.and_then(said_by), text))
    })
}

/// The elements that have become wrong, or wrong in another way.
pub(super) fn new_complaints<'p>(touched: &Touched<'p>) -> impl Iterator<Item = &'p ElementNode> {
    let about = |element: &ElementNode| (element.role.clone(), element.name.clone(), complaint(element));
    let old: Vec<_> =
        touched.all().filter_map(|(was, _)| was.filter(|was| is_invalid(was))).map(about).collect();
    let now = touched.all().filter_map(|(_, now)| now.filter(|now| is_invalid(now)));
    now.filter(move |now| !old.contains(&about(now)))
}

/// An element that was wrong is right.
pub(super) fn was_corrected(touched: &Touched<'_>) -> bool {
    touched.all().any(|(was, now)| was.is_some_and(is_invalid) && now.is_some_and(|now| !is_invalid(now)))
}

/// What is wrong with an element, in its own words.
pub(super) fn complaint(element: &ElementNode) -> String {
    let message = element.validation.as_ref().and_then(|validation| validation.message.as_deref());
    message.unwrap_or_default().to_owned()
}
