//! The area in which a change plausibly comes from an action, and what changed in it.
//!
//! The area of a target is the nearest thing around it that people see as a unit: its region, dialog, drawer, popover,
//! tab panel, frame, or the page; with the forms, lists, tables, groups and whatever else is inside. Only on the page
//! itself other units are left out: what happens in them is elsewhere.

use super::before::Before;
use super::target::{followed, scopes_around};
use super::text::only_time_passed;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, ScopeId};
use uiap_protocol::web::{ElementNode, GraphStore, ScopeKind, ScopeNode};

/// States that one element may take one after the other before it is known to move by itself.
const STATES_OF_A_CALM_ELEMENT_MAX: usize = 2;

/// Changes in a time in which nobody acted, from which on an element is known to move by itself.
const CHANGES_OF_A_RESTLESS_ELEMENT_MIN: usize = 2;

/// One change in an area.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// An element is new.
    Appeared(ElementInstanceId),
    /// Something is gone, and nothing like it came.
    Disappeared,
    /// An element is not as it was.
    Differs(ElementInstanceId),
    /// A frame shows another document.
    Frame,
}

/// An area as it was before the action.
#[derive(Clone, Debug)]
pub(super) struct Area {
    scopes: BTreeSet<ScopeId>,
    /// The addresses of the frames in it.
    frames: BTreeMap<String, Option<String>>,
    /// The states that elements took since.
    states: HashMap<ElementInstanceId, BTreeSet<u64>>,
    /// What moved by itself before.
    restless: BTreeSet<ElementInstanceId>,
}

impl Area {
    pub(super) fn new(page: &GraphStore, target: &ElementNode) -> Self {
        let scopes = unit_of(page, target);
        let frames = frames_in(page, &scopes);
        Self { scopes, frames, states: HashMap::new(), restless: BTreeSet::new() }
    }

    /// Learns what moves by itself, from a time in which nobody acted.
    pub(super) fn learn(&mut self, page: &GraphStore, idle_since: u64) {
        let restless = page.changes_since(idle_since).into_iter();
        let restless = restless.filter(|(_, count)| *count >= CHANGES_OF_A_RESTLESS_ELEMENT_MIN);
        self.restless = restless.map(|(id, _)| id.clone()).collect();
    }

    /// It moved by itself before.
    pub(super) fn is_restless(&self, element: &ElementNode) -> bool {
        self.restless.contains(&element.instance_id)
    }

    /// The scopes of the area, those that it had and those that it has: around the target, or around what is left
    /// where it was.
    pub(super) fn scopes(&self, page: &GraphStore, target: &ElementNode) -> BTreeSet<ScopeId> {
        let now = match followed(page, target) {
            Some(target) => unit_of(page, target),
            None => {
                let left = self.scopes.iter().filter(|scope| page.scope(scope.as_str()).is_some());
                with_inner(page, left.cloned().collect(), true)
            }
        };
        now.union(&self.scopes).cloned().collect()
    }

    /// What is different now. What was drawn anew and is the same is no change; what only tells the time is none
    /// either; what keeps changing does so by itself.
    pub(super) fn changes(
        &mut self,
        page: &GraphStore,
        target: &ElementNode,
        touched: &Touched<'_>,
        ignored: impl Fn(&ElementNode) -> bool,
    ) -> Vec<Change> {
        let scopes = self.scopes(page, target);
        let own = followed(page, target).map(|own| &own.instance_id);
        let mut changes = Vec::new();
        let (mut new, mut gone) = (Vec::new(), Vec::new());
        for (was, now) in touched.near(&scopes, target) {
            match (was, now) {
                (None, Some(now)) => new.push(now),
                (Some(was), None) => gone.push(print_of(was)),
                (Some(was), Some(now)) => {
                    let print = print_of(now);
                    let is_own = own == Some(&now.instance_id);
                    let same = print == print_of(was);
                    let by_itself =
                        || self.is_restless(now) || only_time_passed(words_of(was), words_of(now));
                    if same || (!is_own && by_itself()) {
                        continue;
                    }
                    let states = self.states.entry(now.instance_id.clone()).or_default();
                    states.insert(print);
                    if (is_own || states.len() <= STATES_OF_A_CALM_ELEMENT_MAX) && !ignored(now) {
                        changes.push(Change::Differs(now.instance_id.clone()));
                    }
                }
                (None, None) => {}
            }
        }
        for element in new {
            let print = print_of(element);
            match gone.iter().position(|gone| *gone == print) {
                Some(same) => drop(gone.swap_remove(same)),
                None if ignored(element) || is_ornament(page, element) => {}
                None => changes.push(Change::Appeared(element.instance_id.clone())),
            }
        }
        if !gone.is_empty() {
            changes.push(Change::Disappeared);
        }
        if frames_in(page, &scopes) != self.frames {
            changes.push(Change::Frame);
        }
        changes
    }

    /// Something in the area works that did not before.
    pub(super) fn is_busy(&self, page: &GraphStore, target: &ElementNode, touched: &Touched<'_>) -> bool {
        let scopes = self.scopes(page, target);
        touched.near(&scopes, target).any(|(was, now)| now.is_some_and(works) && !was.is_some_and(works))
    }
}

/// The elements that changed since the baseline, each as it was and as it is.
#[derive(Debug, Default)]
pub(super) struct Touched<'p> {
    elements: Vec<(Option<&'p ElementNode>, Option<&'p ElementNode>)>,
    /// The page was read anew, so that nothing of what was is known.
    pub(super) anew: bool,
}

impl<'p> Touched<'p> {
    pub(super) fn since(page: &'p GraphStore, before: &Before) -> Self {
        if *page.began_at() != before.began_at {
            return Self { elements: Vec::new(), anew: true };
        }
        let changed = page.changed_since(before.seq);
        let anew = changed.is_none();
        let both = changed.into_iter().flatten().map(|(id, was)| (was, page.element(id.as_str())));
        Self { elements: both.collect(), anew }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = (Option<&'p ElementNode>, Option<&'p ElementNode>)> {
        self.elements.iter().copied()
    }

    /// Those of an area, and the target.
    fn near(
        &self,
        scopes: &BTreeSet<ScopeId>,
        target: &ElementNode,
    ) -> impl Iterator<Item = (Option<&'p ElementNode>, Option<&'p ElementNode>)> {
        self.all().filter(move |(was, now)| {
            now.or(*was)
                .is_some_and(|element| is_in(scopes, element) || element.instance_id == target.instance_id)
        })
    }
}

/// Whether an element is in an area; a page without scopes has all its elements in none.
pub(super) fn is_in(scopes: &BTreeSet<ScopeId>, element: &ElementNode) -> bool {
    match &element.scope_id {
        Some(scope) => scopes.contains(scope),
        None => scopes.is_empty(),
    }
}

/// Parts of a unit rather than units.
fn is_part(kind: ScopeKind) -> bool {
    use ScopeKind::{Form, Grid, Group, List, Menu, Navigation, Table, Toolbar, Tree};
    matches!(kind, Form | Grid | Group | List | Menu | Navigation | Table | Toolbar | Tree)
}

/// The scopes of the unit that a target is in.
fn unit_of(page: &GraphStore, target: &ElementNode) -> BTreeSet<ScopeId> {
    let around = || scopes_around(page, target);
    let Some(unit) = around().find(|scope| !is_part(scope.kind)).or_else(|| around().last()) else {
        return BTreeSet::new();
    };
    // The target's own scopes belong to its area, whatever lies between.
    let own = around().take_while(|scope| scope.id != unit.id).map(|scope| scope.id.clone());
    let scopes = own.chain([unit.id.clone()]).collect();
    with_inner(page, scopes, unit.kind != ScopeKind::Page)
}

/// The same scopes with those inside them: all, or only parts.
fn with_inner(page: &GraphStore, mut scopes: BTreeSet<ScopeId>, all: bool) -> BTreeSet<ScopeId> {
    loop {
        let inner = |scope: &&ScopeNode| {
            (all || is_part(scope.kind))
                && !scopes.contains(&scope.id)
                && scope.parent_scope_id.as_ref().is_some_and(|parent| scopes.contains(parent))
        };
        let found: Vec<_> = page.scopes().filter(inner).map(|scope| scope.id.clone()).collect();
        if found.is_empty() {
            return scopes;
        }
        scopes.extend(found);
    }
}

fn frames_in(page: &GraphStore, scopes: &BTreeSet<ScopeId>) -> BTreeMap<String, Option<String>> {
    let hosted = page.documents().filter(|document| {
        let host = document.host_element_id.as_ref().and_then(|id| page.element(id.as_str()));
        host.and_then(|host| host.scope_id.as_ref()).is_some_and(|scope| scopes.contains(scope))
    });
    hosted.map(|document| (document.id.to_string(), document.url.clone())).collect()
}

/// What an element says about itself, in a number. What pointing at it changes, such as focus and hover, is left out,
/// and so is what says that something is still going on.
fn print_of(element: &ElementNode) -> u64 {
    let state = &element.state.ui;
    let mut hasher = DefaultHasher::new();
    (&element.stable_id, &element.role, &element.name).hash(&mut hasher);
    (state.visible, state.enabled, state.editable, state.readonly, state.required).hash(&mut hasher);
    (state.selected, state.pressed, state.expanded, state.open, &state.text_value).hash(&mut hasher);
    state.checked.map(|checked| checked as u8).hash(&mut hasher);
    state.current.map(|current| current as u8).hash(&mut hasher);
    state.numeric_value.map(|number| number.get().to_bits()).hash(&mut hasher);
    for option in element.options.iter().flatten() {
        (&option.value, &option.label, option.selected, option.enabled).hash(&mut hasher);
    }
    element.collection.as_ref().map(|collection| collection.count).hash(&mut hasher);
    hasher.finish()
}

/// It says that it is being updated or loaded.
fn works(element: &ElementNode) -> bool {
    let state = &element.state.ui;
    let says = state.busy == Some(true) || state.loading == Some(true) || element.role == Role::Spinner;
    says && state.visible != Some(false)
}

fn words_of(element: &ElementNode) -> &str {
    element.state.ui.text_value.as_deref().or(element.name.as_deref()).unwrap_or_default()
}

/// A spinner or progress bar says that something is going on, not that it is done; a bubble with nothing in it to use
/// explains what the pointer is over.
pub(super) fn is_ornament(page: &GraphStore, element: &ElementNode) -> bool {
    let own = || page.scopes().find(|scope| scope.element_id.as_ref() == Some(&element.instance_id));
    match element.role {
        Role::Spinner | Role::Progress => true,
        Role::Popover => own().is_none_or(|scope| !has_controls(page, scope)),
        _ => {
            let around = element.scope_id.as_ref().and_then(|scope| page.scope(scope.as_str()));
            around.is_some_and(|scope| scope.kind == ScopeKind::Popover && !has_controls(page, scope))
        }
    }
}

fn has_controls(page: &GraphStore, scope: &ScopeNode) -> bool {
    let usable =
        |element: &ElementNode| element.affordances.as_ref().is_some_and(|offers| !offers.is_empty());
    page.in_scope(scope.id.as_str()).any(usable)
}
