//! What can be observed of an action by comparing the page before it with the page after it (DSC 15.5).

use crate::sighting::{Sighting, Thing};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{CountOperator, Role, SuccessSignal, TargetRef, UiState};
use uiap_protocol::ids::Text;

/// Most signals of one kind that one action is credited with.
const SIGNALS_MAX: usize = 4;

/// What an action brought about, as somebody who waits for it could see it.
pub fn changes(before: &Sighting<'_>, after: &Sighting<'_>) -> Vec<SuccessSignal> {
    let mut signals = Vec::new();
    if before.place.pattern != after.place.pattern {
        let pattern = Text::new(after.place.pattern.clone()).ok();
        signals.push(SuccessSignal::RouteChanged { pattern, exact: None });
    }
    signals.extend(dialogs(before, after).into_iter().take(SIGNALS_MAX));
    signals.extend(messages(before, after).into_iter().take(SIGNALS_MAX));
    // On another page everything is another thing.
    if before.place.pattern == after.place.pattern {
        signals.extend(states(before, after).into_iter().take(SIGNALS_MAX));
        signals.extend(counts(before, after).into_iter().take(SIGNALS_MAX));
    }
    signals
}

/// A thing in words that mean it on the next page, too (DSC 11.5).
pub fn lasting(thing: &Thing<'_>, sighting: &Sighting<'_>) -> TargetRef {
    if let Some(id) = &thing.element.stable_id {
        return TargetRef::StableId { value: id.clone() };
    }
    let named = sighting.area(&thing.path).filter(|area| area.is_named);
    TargetRef::Semantic {
        role: thing.element.role.clone(),
        name: thing.element.name.clone().filter(|_| thing.is_whole),
        scope: named.map(|area| area.id.clone()),
    }
}

fn dialogs(before: &Sighting<'_>, after: &Sighting<'_>) -> Vec<SuccessSignal> {
    let target = |sighting: &Sighting<'_>, path: &str| {
        let area = sighting.area(path).filter(|area| area.is_named)?;
        Some(TargetRef::Scope { value: area.id.clone() })
    };
    let opened = after.modals.iter().filter(|path| !before.modals.contains(path));
    let closed = before.modals.iter().filter(|path| !after.modals.contains(path));
    let opened = opened.map(|path| SuccessSignal::DialogOpened { target: target(after, path) });
    let closed = closed.map(|path| SuccessSignal::DialogClosed { target: target(before, path) });
    opened.chain(closed).collect()
}

fn messages(before: &Sighting<'_>, after: &Sighting<'_>) -> Vec<SuccessSignal> {
    let said: BTreeSet<_> = before.things.iter().filter(|thing| thing.is_message()).map(says).collect();
    let new = after.things.iter().filter(|thing| thing.is_message() && !said.contains(&says(thing)));
    new.filter_map(|thing| {
        let text = Text::new(says(thing)).ok()?;
        Some(match thing.element.role {
            Role::Status => SuccessSignal::StatusContains { text },
            _ => SuccessSignal::ToastContains { text },
        })
    })
    .collect()
}

fn says<'t>(thing: &'t Thing<'_>) -> &'t str {
    // What a clock says changes by itself.
    if thing.element.volatile == Some(true) { "" } else { thing.element.name.as_deref().unwrap_or_default() }
}

/// What unfolded, was chosen or was marked.
fn states(before: &Sighting<'_>, after: &Sighting<'_>) -> Vec<SuccessSignal> {
    let known: BTreeMap<_, _> = before.things.iter().map(|thing| (thing.key.as_str(), thing)).collect();
    let shown = after.things.iter().filter(|thing| thing.item.is_none());
    shown
        .filter_map(|thing| {
            let was = &known.get(thing.key.as_str())?.element.state.ui;
            let is = &thing.element.state.ui;
            let changed = UiState {
                expanded: is.expanded.filter(|_| is.expanded != was.expanded),
                selected: is.selected.filter(|_| is.selected != was.selected),
                checked: is.checked.filter(|_| is.checked != was.checked),
                ..UiState::default()
            };
            let target = lasting(thing, after);
            (changed != UiState::default()).then_some(SuccessSignal::ElementState { target, state: changed })
        })
        .collect()
}

/// Which lists became longer or shorter.
fn counts(before: &Sighting<'_>, after: &Sighting<'_>) -> Vec<SuccessSignal> {
    let count = |thing: &Thing<'_>| thing.element.collection.as_ref().map(|collection| collection.count);
    let known: BTreeMap<_, _> =
        before.things.iter().filter_map(|thing| Some((thing.key.as_str(), count(thing)?))).collect();
    after
        .things
        .iter()
        .filter_map(|thing| {
            let (was, is) = (*known.get(thing.key.as_str())?, count(thing)?);
            let (op, value) = match is.cmp(&was) {
                Ordering::Less => (CountOperator::Lte, was.saturating_sub(1)),
                Ordering::Greater => (CountOperator::Gte, was.saturating_add(1)),
                Ordering::Equal => return None,
            };
            Some(SuccessSignal::CollectionCount { target: lasting(thing, after), op, value })
        })
        .collect()
}
