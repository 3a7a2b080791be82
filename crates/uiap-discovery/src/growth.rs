//! Lists that go on below what is shown: where they are, what is last in them, and whether they grew.
//!
//! Start at [`lists`]. That a list grows shows only when its end is brought into view; what comes then is more of the
//! same, or something of a kind that was not there before.

use crate::options::leads_around;
use crate::safety::is_around;
use crate::sighting::{Sighting, Thing};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::Role;

/// From how many members on things are a list.
const MEMBERS_MIN: usize = 3;
/// How many lists of one page are looked into.
const LISTS_MAX: usize = 2;

/// The lists of a page whose ends lie below what is shown at first, the longest first.
pub fn lists(sighting: &Sighting<'_>) -> Vec<String> {
    // The members of each list, and the place of the last thing in it.
    let mut found: BTreeMap<String, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (place, list, member) in members(sighting) {
        let (known, last) = found.entry(list).or_default();
        known.insert(member.unwrap_or(place));
        *last = place;
    }
    let goes_on = |thing: &Thing<'_>| sighting.is_below(thing) && is_in_front(sighting, thing);
    let mut found: Vec<_> = found
        .into_iter()
        .filter(|(_, (members, _))| members.len() >= MEMBERS_MIN)
        .filter(|(_, (_, last))| sighting.things.get(*last).is_some_and(goes_on))
        .map(|(list, (members, _))| (Reverse(members.len()), list))
        .collect();
    found.sort();
    found.into_iter().take(LISTS_MAX).map(|(_, list)| list).collect()
}

/// What is last in a list.
pub fn last<'s, 'g>(sighting: &'s Sighting<'g>, list: &str) -> Option<&'s Thing<'g>> {
    let place = members(sighting).filter(|(_, own, _)| own == list).map(|(place, _, _)| place).last()?;
    sighting.things.get(place)
}

/// A list has more members than before.
pub fn grew(list: &str, before: &Sighting<'_>, after: &Sighting<'_>) -> bool {
    let count = |sighting: &Sighting<'_>| {
        let own = members(sighting).filter(|(_, own, _)| own == list);
        own.map(|(place, _, member)| member.unwrap_or(place)).collect::<BTreeSet<_>>().len()
    };
    count(after) > count(before)
}

/// Every thing that is a member of a list: its place on the page, the list, and which of the items of the list it
/// belongs to.
fn members(sighting: &Sighting<'_>) -> impl Iterator<Item = (usize, String, Option<usize>)> {
    sighting.things.iter().enumerate().filter_map(|(place, thing)| {
        if let Some(item) = &thing.item {
            return Some((place, item.collection.clone(), Some(item.index)));
        }
        // Links that stand together and lead to other places than the menus do are a list, though nobody says so.
        let is_link = thing.element.role == Role::Link && thing.is_interactive();
        (is_link && !leads_around(thing, sighting))
            .then(|| (place, format!("{}|{}", thing.path, Role::Link), None))
    })
}

/// No dialog stands before it.
fn is_in_front(sighting: &Sighting<'_>, thing: &Thing<'_>) -> bool {
    sighting.modals.last().is_none_or(|topmost| is_around(topmost, &thing.path))
}
