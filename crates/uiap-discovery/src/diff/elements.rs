//! Elements: gone, new, renamed, or something else than they were.

use super::{Changes, Class, Subject, texts};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::RiskLevel;
use uiap_protocol::discovery::{DiscoveredElement, DiscoveryPackage};

pub(super) fn compare(old: &DiscoveryPackage, new: &DiscoveryPackage, changes: &mut Changes) {
    let (mut before, mut after) = (elements(old), elements(new));
    // Of a route that is gone, everything is: that is said once.
    let routes: BTreeSet<&str> =
        new.route_catalog.routes.iter().map(|route| route.route_id.as_str()).collect();
    for (gone, come) in renamed(&before, &after) {
        let (Some(was), Some(is)) = (before.remove(gone), after.remove(come)) else { continue };
        let (old, new) = (names(was), names(is));
        let message =
            format!("The element {gone} is called {} instead of {}.", new.join(", "), old.join(", "));
        changes.add(Class::Meaning, Subject::Element, come, message);
        same(changes, come, was, is, Known { routes: &routes, by_name: false });
    }
    changes.pairs(Subject::Element, &before, &after, |changes, id, old, new| {
        same(changes, id, old, new, Known { routes: &routes, by_name: true });
    });
}

fn elements(package: &DiscoveryPackage) -> BTreeMap<&str, &DiscoveredElement> {
    package.element_catalog.elements.iter().map(|element| (identity(element), element)).collect()
}

fn identity(element: &DiscoveredElement) -> &str {
    element.stable_id.as_ref().map_or(element.semantic_key.as_str(), |id| id.as_str())
}

fn names(element: &DiscoveredElement) -> Vec<String> {
    texts(element.names.as_ref())
}

/// What has no stable id and stands where something of the same role stood that is gone, and nothing else does.
fn renamed<'p>(
    old: &BTreeMap<&'p str, &'p DiscoveredElement>,
    new: &BTreeMap<&'p str, &'p DiscoveredElement>,
) -> Vec<(&'p str, &'p str)> {
    let only = |one: &BTreeMap<&'p str, &'p DiscoveredElement>,
                other: &BTreeMap<&'p str, &'p DiscoveredElement>| {
        let mut by: BTreeMap<String, Vec<&'p str>> = BTreeMap::new();
        for (id, element) in one.iter().filter(|(id, _)| !other.contains_key(*id)) {
            if let Some(place) = place(element) {
                by.entry(place).or_default().push(id);
            }
        }
        by
    };
    let (gone, come) = (only(old, new), only(new, old));
    gone.into_iter()
        .filter_map(|(place, gone)| match (gone.as_slice(), come.get(&place).map(Vec::as_slice)) {
            ([gone], Some([come])) => Some((*gone, *come)),
            _ => None,
        })
        .collect()
}

/// Where an element stands and what it is: its key without its name and its number.
fn place(element: &DiscoveredElement) -> Option<String> {
    if element.stable_id.is_some() || element.names.as_ref().is_none_or(Vec::is_empty) {
        return None;
    }
    let mut parts = element.semantic_key.as_str().rsplitn(3, '|');
    let (_, _, rest) = (parts.next()?, parts.next()?, parts.next()?);
    Some(rest.to_owned())
}

/// What is known when two elements are compared.
#[derive(Clone, Copy)]
struct Known<'k> {
    /// The routes that are still there.
    routes: &'k BTreeSet<&'k str>,
    /// Their names have not been compared yet.
    by_name: bool,
}

fn same(changes: &mut Changes, id: &str, old: &DiscoveredElement, new: &DiscoveredElement, known: Known<'_>) {
    let subject = Subject::Element;
    changes.became(subject, id, "role", &old.role.to_string(), &new.role.to_string());
    if known.by_name {
        changes.lists(subject, id, "names", &names(old), &names(new));
    }
    let meanings = |element: &DiscoveredElement| texts(element.meanings.as_ref());
    changes.lists(subject, id, "meanings", &meanings(old), &meanings(new));
    let actions = |element: &DiscoveredElement| texts(element.supported_actions.as_ref());
    changes.lists(subject, id, "actions", &actions(old), &actions(new));
    let data = |element: &DiscoveredElement| texts(element.data_classes.as_ref());
    changes.lists(subject, id, "kinds of data", &data(old), &data(new));
    let routes = |element: &DiscoveredElement| -> BTreeSet<String> {
        texts(element.routes.as_ref()).into_iter().collect()
    };
    let (old_routes, new_routes) = (routes(old), routes(new));
    let gone: Vec<_> = old_routes
        .difference(&new_routes)
        .filter(|route| known.routes.contains(route.as_str()))
        .cloned()
        .collect();
    if !gone.is_empty() {
        changes.meaning(subject, id, &format!("is not on every route any more: {}", gone.join(", ")));
    }
    let level = |element: &DiscoveredElement| {
        element.risk.as_ref().map_or(RiskLevel::Safe, |risk| risk.effective_level(true))
    };
    super::actions::risk(changes, subject, id, level(old), level(new));
}
