//! The area in which a change plausibly comes from an action, and what changed in it.
//!
//! The area of a target is the nearest thing around it that people see as a unit: its region, dialog, drawer, popover,
//! tab panel, frame, or the page; with the forms, lists, tables, groups and whatever else is inside. Only on the page
//! itself other units are left out: what happens in them is elsewhere.

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
    elements: HashMap<ElementInstanceId, Kept>,
    /// The addresses of the frames in it.
    frames: BTreeMap<String, Option<String>>,
    /// The states that elements took since.
    states: HashMap<ElementInstanceId, BTreeSet<u64>>,
}

/// What is kept of an element.
#[derive(Clone, Debug)]
struct Kept {
    print: u64,
    words: String,
    worked: bool,
}

impl Area {
    pub(super) fn new(page: &GraphStore, target: &ElementNode) -> Self {
        let scopes = unit_of(page, target);
        let kept = elements_in(page, &scopes, target).map(|element| {
            let words = words_of(element).to_owned();
            (element.instance_id.clone(), Kept { print: print_of(element), words, worked: works(element) })
        });
        let elements = kept.collect();
        let frames = frames_in(page, &scopes);
        Self { scopes, elements, frames, states: HashMap::new() }
    }

    /// The scopes of the area as it is now: around the target, or around what is left where it was.
    fn scopes_now(&self, page: &GraphStore, target: &ElementNode) -> BTreeSet<ScopeId> {
        match followed(page, target) {
            Some(target) => unit_of(page, target),
            None => {
                let left = self.scopes.iter().filter(|scope| page.scope(scope.as_str()).is_some());
                with_inner(page, left.cloned().collect(), true)
            }
        }
    }

    /// Whether an element is in the area.
    pub(super) fn has(&self, page: &GraphStore, target: &ElementNode, element: &ElementNode) -> bool {
        let scopes = self.scopes_now(page, target);
        match &element.scope_id {
            Some(scope) => scopes.contains(scope),
            None => scopes.is_empty(),
        }
    }

    /// What is different now. What was drawn anew and is the same is no change; what only tells the time is none
    /// either; what keeps changing does so by itself.
    pub(super) fn changes(
        &mut self,
        page: &GraphStore,
        target: &ElementNode,
        ignored: impl Fn(&ElementNode) -> bool,
    ) -> Vec<Change> {
        let scopes = self.scopes_now(page, target);
        let own = followed(page, target).map(|own| &own.instance_id);
        let mut changes = Vec::new();
        let mut seen = BTreeSet::new();
        let mut new = Vec::new();
        for element in elements_in(page, &scopes, target) {
            let id = &element.instance_id;
            seen.insert(id);
            let Some(kept) = self.elements.get(id) else {
                new.push(element);
                continue;
            };
            let print = print_of(element);
            let is_own = own == Some(id);
            if print == kept.print || (!is_own && only_time_passed(&kept.words, words_of(element))) {
                continue;
            }
            let states = self.states.entry(id.clone()).or_default();
            states.insert(print);
            if (is_own || states.len() <= STATES_OF_A_CALM_ELEMENT_MAX) && !ignored(element) {
                changes.push(Change::Differs(id.clone()));
            }
        }
        let gone = self.elements.iter().filter(|(id, _)| !seen.contains(id));
        let mut gone: Vec<u64> = gone.map(|(_, kept)| kept.print).collect();
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
    pub(super) fn is_busy(&self, page: &GraphStore, target: &ElementNode) -> bool {
        let worked =
            |element: &ElementNode| self.elements.get(&element.instance_id).is_some_and(|kept| kept.worked);
        elements_in(page, &self.scopes_now(page, target), target)
            .any(|element| works(element) && !worked(element))
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

/// The elements of an area; a page without scopes has all its elements in none.
fn elements_in<'p>(
    page: &'p GraphStore,
    scopes: &'p BTreeSet<ScopeId>,
    target: &ElementNode,
) -> impl Iterator<Item = &'p ElementNode> {
    let loose = scopes.is_empty().then(|| page.elements().filter(|element| element.scope_id.is_none()));
    let own = followed(page, target).filter(|own| own.scope_id.is_none() && !scopes.is_empty());
    let scoped = scopes.iter().flat_map(|scope| page.in_scope(scope.as_str()));
    scoped.chain(loose.into_iter().flatten()).chain(own)
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
