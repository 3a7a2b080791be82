//! A page as exploring sees it: what is there, under names that hold in every run.
//!
//! Start at [`Sighting::of`]. It borrows the graph and adds what the graph does not say: where each thing stands, which
//! things are one of many alike, and what identifies each of them (finding S5).

mod areas;
mod items;
mod own_name;

pub use areas::Area;
pub use items::Item;
pub(crate) use items::{around, is_field};

use crate::naming::plain;
use crate::place::Place;
use areas::areas;
use items::{Called, Items};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::{ElementInstanceId, ScopeId};
use uiap_protocol::web::{ElementNode, OpaqueRegion, PageGraph, Viewport};

/// What stands for the name of one item out of many, where the name is its data.
pub const ANY_NAME: &str = "*";
/// The member of a graph's metadata that says what opens something when somebody points at it.
const OPENERS: &str = "x.uiap.openers";
/// The member of a graph's metadata that says which lists are menus.
const MENUS: &str = "x.uiap.menus";
/// How many things of one item that are called alike are told apart; the others are one thing with the last of them.
const PLACES_MAX: usize = 3;

/// A page as exploring sees it.
#[derive(Debug)]
pub struct Sighting<'g> {
    /// Where it is.
    pub place: Place,
    /// How it is called.
    pub title: Option<&'g str>,
    /// Its areas, what surrounds before what is inside.
    pub areas: Vec<Area<'g>>,
    /// What can be seen in them.
    pub things: Vec<Thing<'g>>,
    /// The dialogs that are open, by the path of their area, the topmost last.
    pub modals: Vec<String>,
    /// Where nobody may look.
    pub opaque: &'g [OpaqueRegion],
    /// What has the focus, by its key, if a dialog is open and it stands in it (finding S6).
    pub focus: Option<String>,
    /// What part of the page is shown.
    view: Option<&'g Viewport>,
    openers: HashSet<&'g str>,
}

/// Writes down in a graph what opens something when somebody points at it, though only the style of the page says so.
pub fn mark_openers(graph: &mut PageGraph, openers: &[ElementInstanceId]) {
    mark(graph, OPENERS, openers);
}

/// Writes down in a graph which lists are menus, though nothing on the page says so.
pub fn mark_menus(graph: &mut PageGraph, menus: &[ElementInstanceId]) {
    mark(graph, MENUS, menus);
}

fn mark(graph: &mut PageGraph, what: &str, elements: &[ElementInstanceId]) {
    if !elements.is_empty() {
        let ids: Vec<_> = elements.iter().map(ElementInstanceId::as_str).collect();
        graph.metadata.get_or_insert_default().insert(what.to_owned(), json!(ids));
    }
}

/// The elements that were written down in a graph.
fn marked<'g>(graph: &'g PageGraph, what: &str) -> impl Iterator<Item = &'g str> {
    let ids = graph.metadata.as_ref().and_then(|metadata| metadata.get(what));
    ids.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Something that can be seen.
#[derive(Debug)]
pub struct Thing<'g> {
    /// It.
    pub element: &'g ElementNode,
    /// What identifies it without a stable id.
    pub key: String,
    /// The path of its area.
    pub path: String,
    /// How it is called, as far as that identifies it.
    pub name: String,
    /// How people call it, with `*` for what is only data; nothing, if that is all there is.
    pub label: Option<String>,
    /// Its whole name is meant, wherever it stands.
    pub is_whole: bool,
    /// It is one of many alike.
    pub item: Option<Item>,
}

impl Thing<'_> {
    /// Something can be done with it.
    pub fn is_interactive(&self) -> bool {
        is_used(self.element)
    }

    /// It comes and goes by itself.
    pub fn is_transient(&self) -> bool {
        self.is_message() || self.is_waiting()
    }

    /// It tells something for a moment.
    pub fn is_message(&self) -> bool {
        matches!(self.element.role, Role::Toast | Role::Alert | Role::Status)
    }

    /// It says that something takes time.
    pub fn is_waiting(&self) -> bool {
        matches!(self.element.role, Role::Spinner | Role::Progress)
    }

    /// What it was last identified by: its stable id, or its key.
    pub fn identity(&self) -> &str {
        self.element.stable_id.as_ref().map_or(&self.key, |id| id.as_str())
    }
}

impl<'g> Sighting<'g> {
    /// What a page shows.
    pub fn of(graph: &'g PageGraph) -> Self {
        let place = Place::of(&graph.route);
        let areas = areas(graph, &place, &marked(graph, MENUS).collect());
        let paths: HashMap<&ScopeId, &Area<'g>> = areas.iter().map(|area| (&area.scope.id, area)).collect();
        let things = things(graph, &place, &paths);
        let modals: Vec<_> = graph.modal_stack.iter().flatten().filter_map(|id| paths.get(id)).collect();
        let modals: Vec<_> = modals.into_iter().map(|area| area.path.clone()).collect();
        let focus = focus(graph, &things, &modals);
        let opaque = graph.opaque_regions.as_deref().unwrap_or_default();
        let view = graph.viewport.as_ref();
        let openers = marked(graph, OPENERS).collect();
        Self { place, title: graph.title.as_deref(), areas, things, modals, opaque, focus, view, openers }
    }

    /// The area with a path.
    pub fn area(&self, path: &str) -> Option<&Area<'g>> {
        self.areas.iter().find(|area| area.path == path)
    }

    /// Pointing at it opens something, by the style of the page alone.
    pub fn opens_by_pointing(&self, thing: &Thing<'_>) -> bool {
        self.openers.contains(thing.element.instance_id.as_str())
    }

    /// It lies below what is shown before anything is scrolled.
    pub fn is_below(&self, thing: &Thing<'_>) -> bool {
        let place = self.view.zip(thing.element.bbox);
        place.is_some_and(|(view, place)| place.y.get() + view.scroll_y.get() >= view.height.get())
    }

    /// The thing with a key; of many alike, this one and no other.
    pub fn one_of(&self, key: &str, item: Option<&Item>) -> Option<&Thing<'g>> {
        self.things.iter().find(|thing| thing.key == key && thing.item.as_ref() == item)
    }

    /// The thing with a key.
    pub fn thing(&self, key: &str) -> Option<&Thing<'g>> {
        self.things.iter().find(|thing| thing.key == key)
    }
}

fn things<'g>(graph: &'g PageGraph, place: &Place, areas: &HashMap<&ScopeId, &Area<'g>>) -> Vec<Thing<'g>> {
    let path_of = |element: &ElementNode| {
        let area = element.scope_id.as_ref().and_then(|id| areas.get(id));
        area.map_or_else(String::new, |area| area.path.clone())
    };
    let shown: Vec<_> = graph.elements.iter().filter(|element| is_shown(element)).collect();
    let mut items = Items::of(&shown, graph, areas);
    let mut met: BTreeMap<(String, Option<usize>), usize> = BTreeMap::new();
    let mut things = Vec::with_capacity(shown.len());
    for element in shown {
        let path = path_of(element);
        let mut item = items.item(element, &path);
        let Called { name, label, is_whole } = items.called(element, item.as_ref());
        let stem = format!("{}|{path}|{}|{name}", place.route_id, element.role);
        // Many alike are one thing; what merely has the same name is told apart by its order, inside of an item, too.
        let count = met.entry((stem.clone(), item.as_ref().map(|item| item.index))).or_default();
        let place = *count;
        *count += 1;
        let ordinal = match &mut item {
            Some(item) => {
                item.place = place;
                place.min(PLACES_MAX - 1)
            }
            None => place,
        };
        things.push(Thing { element, key: format!("{stem}|{ordinal}"), path, name, label, is_whole, item });
    }
    things
}

/// It can be seen.
pub(crate) fn is_shown(element: &ElementNode) -> bool {
    element.state.ui.visible != Some(false)
}

/// Something can be done with it.
pub(crate) fn is_used(element: &ElementNode) -> bool {
    let offers = element.affordances.as_deref().unwrap_or_default();
    offers.iter().any(|offer| {
        !matches!(offer, Affordance::Read | Affordance::Focus | Affordance::Scroll | Affordance::Drop)
    })
}

/// Only a dialog says by its focus what it is about; elsewhere it follows the person.
fn focus(graph: &PageGraph, things: &[Thing<'_>], modals: &[String]) -> Option<String> {
    let target: &ElementInstanceId = graph.focus.as_ref()?.target.as_ref()?;
    let topmost = modals.last()?;
    let focused = things.iter().find(|thing| thing.element.instance_id == *target)?;
    focused.path.starts_with(topmost.as_str()).then(|| focused.key.clone())
}

/// A name, as far as it identifies something.
fn name_of(element: &ElementNode) -> String {
    if element.volatile == Some(true) {
        return String::new();
    }
    plain(element.name.as_deref().unwrap_or_default())
}
