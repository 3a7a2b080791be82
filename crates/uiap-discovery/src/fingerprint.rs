//! What makes a state the same state again (DSC 11.3).
//!
//! Start at [`fingerprint`]. It is made of the seven stable characteristics and of nothing else: data in rows, values,
//! clocks, toasts, spinners, scroll positions and random ids leave it as it is.

use crate::sighting::{Sighting, Thing};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::canonical::canonical;
use uiap_protocol::capability::Role;
use uiap_protocol::discovery::StateFingerprintPolicy;
use uiap_protocol::seal::hash;

/// What counts, where nobody says otherwise.
pub fn default_policy() -> StateFingerprintPolicy {
    StateFingerprintPolicy {
        include_text_values: Some(false),
        include_collections: Some(true),
        ignore_transient_toasts: Some(true),
        ignore_spinners: Some(true),
        ..StateFingerprintPolicy::default()
    }
}

/// The fingerprint of a page.
pub fn fingerprint(sighting: &Sighting<'_>, policy: &StateFingerprintPolicy) -> String {
    hash(canonical(&characteristics(sighting, policy)).as_bytes())
}

/// Two pages show things of the same kinds: at most, there are more of them, and links are called otherwise.
pub fn is_of_same_kinds(one: &Sighting<'_>, other: &Sighting<'_>, policy: &StateFingerprintPolicy) -> bool {
    let kinds = |sighting| characteristics_of(sighting, policy, Links::AreData);
    kinds(one) == kinds(other)
}

/// The seven characteristics, for whoever wants to know why two states differ.
pub fn characteristics(sighting: &Sighting<'_>, policy: &StateFingerprintPolicy) -> Value {
    characteristics_of(sighting, policy, Links::AreNamed)
}

/// Whether the names of links count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    AreNamed,
    AreData,
}

fn characteristics_of(sighting: &Sighting<'_>, policy: &StateFingerprintPolicy, links: Links) -> Value {
    // On the page of one thing out of many, links are called after things like it.
    let are_links_data = links == Links::AreData || sighting.place.is_one_of_many();
    let counts = |thing: &&Thing<'_>| {
        let ignored = thing.is_message() && policy.ignore_transient_toasts != Some(false)
            || thing.is_waiting() && policy.ignore_spinners != Some(false);
        !ignored
    };
    let things = || sighting.things.iter().filter(counts);
    let areas: BTreeSet<_> = sighting
        .areas
        .iter()
        .filter(|area| area.is_of_interest() && !is_inside_an_item(sighting, &area.path))
        .map(|area| area.path.as_str())
        .collect();
    let stable: BTreeSet<_> = things()
        .filter(|thing| thing.item.is_none())
        .filter_map(|thing| thing.element.stable_id.as_ref())
        .map(uiap_protocol::ids::StableId::as_str)
        .collect();
    let mut named: Vec<_> = things()
        .filter(|thing| thing.item.is_none() && (thing.is_interactive() || thing.is_transient()))
        .map(|thing| word(thing, are_links_data, policy))
        .collect();
    named.sort();
    named.dedup();
    let mut all = Map::new();
    all.insert("route".to_owned(), json!([sighting.place.route_id, sighting.place.pattern]));
    all.insert("areas".to_owned(), json!(areas));
    all.insert("stableIds".to_owned(), json!(stable));
    all.insert("names".to_owned(), json!(named));
    all.insert("modals".to_owned(), json!(sighting.modals));
    if policy.include_collections != Some(false) {
        all.insert("collections".to_owned(), json!(collections(things(), links)));
    }
    all.insert("focus".to_owned(), json!(sighting.focus));
    Value::Object(all)
}

/// Areas that repeat with the items of a collection are its data.
fn is_inside_an_item(sighting: &Sighting<'_>, path: &str) -> bool {
    let mut inside = sighting.things.iter().filter(|thing| thing.path == path).peekable();
    inside.peek().is_some() && path.contains('~') && inside.all(|thing| thing.item.is_some())
}

/// A thing, with what is open, chosen or unfolded about it.
fn word(thing: &Thing<'_>, are_links_data: bool, policy: &StateFingerprintPolicy) -> String {
    let state = &thing.element.state.ui;
    let is_data = are_links_data && thing.element.role == Role::Link && thing.element.stable_id.is_none();
    let name = if is_data { "" } else { thing.name.as_str() };
    let mut word = format!("{}|{}|{name}", thing.path, thing.element.role);
    let flags = [("selected", state.selected), ("expanded", state.expanded), ("open", state.open)];
    for (flag, _) in flags.into_iter().filter(|(_, value)| *value == Some(true)) {
        word.push('|');
        word.push_str(flag);
    }
    if policy.include_text_values == Some(true)
        && let Some(value) = &state.text_value
    {
        word.push('=');
        word.push_str(value);
    }
    word
}

/// What the items of each collection are made of, whatever they say and however many there are.
fn collections<'t, 'g: 't>(
    things: impl Iterator<Item = &'t Thing<'g>>,
    links: Links,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut collections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for thing in things.filter(|thing| thing.is_interactive()) {
        if let Some(item) = &thing.item {
            let is_data = links == Links::AreData && thing.element.role == Role::Link;
            let name = if is_data { "" } else { thing.name.as_str() };
            let word = format!("{}|{name}", thing.element.role);
            collections.entry(item.collection.clone()).or_default().insert(word);
        }
    }
    collections
}
