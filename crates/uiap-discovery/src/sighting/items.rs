//! Which things are one of many alike: rows of a table, entries of a list, cards.
//!
//! What an item is called is its data, unless other items have the same name for it: every row has its "Edit", and only
//! one has "Holiday in Norway".

use super::own_name::{pattern, pattern_by_text};
use super::{ANY_NAME, Area, name_of};
use crate::naming::{is_only_numbers, plain, without_glyphs};
use std::collections::{HashMap, HashSet};
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::{ElementInstanceId, ScopeId};
use uiap_protocol::web::{ElementNode, PageGraph};

/// How many elements may lie around one until its item is given up on.
const ANCESTORS_MAX: usize = 32;
/// From how many of one name in one area on they are many alike, though nobody says that they are a list.
const ALIKE_MIN: usize = 3;
/// The same for what people fill in: a form has several fields without a name, and each asks for something else.
const ALIKE_FIELDS_MIN: usize = 12;
/// Most entries of a list that the application put together: so many are told apart by people.
const CHOSEN_MAX: usize = 12;

/// One of many alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Of which collection, by the path of its area.
    pub collection: String,
    /// Which of them, in the order of the page.
    pub index: usize,
    /// Which of the things in it that are called alike, in the order of the page.
    pub place: usize,
}

/// How a thing is called.
#[derive(Debug)]
pub(super) struct Called {
    /// As far as that identifies it.
    pub(super) name: String,
    /// For people, with `*` for what is only data; nothing, if that is all there is.
    pub(super) label: Option<String>,
    /// Its whole name is meant, in every item.
    pub(super) is_whole: bool,
}

/// What is known about the collections of a page.
pub(super) struct Items<'g> {
    /// The row, entry or card that an element is or stands in.
    homes: HashMap<&'g ElementInstanceId, &'g ElementInstanceId>,
    /// Names that more than one item of a collection has, by area, role and name.
    shared: HashSet<(Option<&'g ScopeId>, Role, String)>,
    /// Things without a home of which there are many in one area.
    alike: HashSet<(Option<&'g ScopeId>, Role, String)>,
    /// Areas with one item only, of which nobody can say what all items have, and whether that is a row.
    lone: HashMap<Option<&'g ScopeId>, bool>,
    /// Lists whose few entries are chosen by the application.
    chosen: HashSet<Option<&'g ScopeId>>,
    /// Names that repeat what else their row is called, with `*` for that.
    patterns: HashMap<&'g ElementInstanceId, String>,
    /// The items of a collection so far.
    met: HashMap<String, HashMap<&'g ElementInstanceId, usize>>,
}

impl<'g> Items<'g> {
    pub(super) fn of(
        shown: &[&'g ElementNode],
        graph: &'g PageGraph,
        areas: &HashMap<&ScopeId, &Area<'g>>,
    ) -> Self {
        let by_id: HashMap<_, _> =
            graph.elements.iter().map(|element| (&element.instance_id, element)).collect();
        let leads_around = |element: &ElementNode| {
            let mut next = element.scope_id.as_ref();
            for _ in 0..ANCESTORS_MAX {
                let Some(area) = next.and_then(|id| areas.get(id)) else { return false };
                if area.leads_around() {
                    return true;
                }
                next = area.scope.parent_scope_id.as_ref();
            }
            false
        };
        let patterns = patterns(shown, &by_id);
        let heads = heads(shown, &by_id, &patterns);
        let head_rows: HashSet<_> =
            heads.iter().filter_map(|id| home(by_id.get(id).copied()?, &by_id)).collect();
        let mut homes = HashMap::new();
        let mut by_area: HashMap<Option<&ScopeId>, HashSet<&ElementInstanceId>> = HashMap::new();
        let mut counted: HashMap<(Option<&ScopeId>, Role, String), HashSet<&ElementInstanceId>> =
            HashMap::new();
        for element in shown.iter().copied().filter(|element| !leads_around(element)) {
            let home = home(element, &by_id).filter(|_| !heads.contains(&element.instance_id));
            if let Some(home) = home {
                homes.insert(&element.instance_id, home);
                if !head_rows.contains(home) {
                    by_area.entry(element.scope_id.as_ref()).or_default().insert(home);
                }
            }
            let word = word(element, &patterns);
            counted.entry(word).or_default().insert(home.unwrap_or(&element.instance_id));
        }
        let all_homes: HashSet<&ElementInstanceId> = homes.values().copied().collect();
        let mut shared = HashSet::new();
        let mut alike = HashSet::new();
        for (word, holders) in counted {
            let at_home = holders.iter().filter(|holder| all_homes.contains(*holder)).count();
            // Numbers are all alike, and nobody calls a thing a number.
            if at_home > 1 && !is_only_numbers(&word.2) {
                shared.insert(word.clone());
            }
            let min = if is_field(&word.1) { ALIKE_FIELDS_MIN } else { ALIKE_MIN };
            if holders.len() - at_home >= min {
                alike.insert(word);
            }
        }
        let is_row = |id: &ElementInstanceId| by_id.get(id).is_some_and(|item| item.role == Role::Row);
        let lone = by_area.into_iter().filter(|(_, items)| items.len() == 1);
        let lone = lone.map(|(area, items)| (area, items.into_iter().any(is_row))).collect();
        let mut chosen = buttons(shown, &homes, &by_id);
        chosen.extend(bars(shown, &homes, &by_id));
        Self { homes, shared, alike, lone, chosen, patterns, met: HashMap::new() }
    }

    /// Which of many it is, if it is one.
    pub(super) fn item(&mut self, element: &'g ElementNode, path: &str) -> Option<Item> {
        let word = word(element, &self.patterns);
        let (collection, home) = match self.homes.get(&element.instance_id) {
            Some(home) => (path.to_owned(), *home),
            None if self.alike.contains(&word) => {
                (format!("{path}|{}|{}", word.1, word.2), &element.instance_id)
            }
            None => return None,
        };
        let met = self.met.entry(collection.clone()).or_default();
        let next = met.len();
        let index = *met.entry(home).or_insert(next);
        Some(Item { collection, index, place: 0 })
    }

    /// How a thing is called.
    pub(super) fn called(&self, element: &'g ElementNode, item: Option<&Item>) -> Called {
        let word = word(element, &self.patterns);
        // What is pressed in a single item is called what it would be called in the next one; what a row links to is not.
        // A list with one link in it is a list of things to do more often than a list of data.
        let lone = self.lone.get(&word.0);
        let is_control = lone.is_some_and(|is_row| !is_row || word.1 != Role::Link);
        let is_chosen = matches!(word.1, Role::Button | Role::Link) && self.chosen.contains(&word.0);
        let is_shared = self.shared.contains(&word) || self.alike.contains(&word);
        let is_data = item.is_some() && !is_shared && !is_control && !is_chosen;
        if is_data {
            return Called { name: ANY_NAME.to_owned(), label: None, is_whole: false };
        }
        let pattern = self.patterns.get(&element.instance_id);
        let label = pattern.map(String::as_str).or(element.name.as_deref()).and_then(without_glyphs);
        Called { name: word.2, label, is_whole: pattern.is_none() }
    }
}

/// What makes two things the same thing in two items.
fn word<'g>(
    element: &'g ElementNode,
    patterns: &HashMap<&'g ElementInstanceId, String>,
) -> (Option<&'g ScopeId>, Role, String) {
    let name = patterns.get(&element.instance_id).map_or_else(|| name_of(element), |pattern| plain(pattern));
    (element.scope_id.as_ref(), element.role.clone(), name)
}

/// People fill it in.
pub(crate) fn is_field(role: &Role) -> bool {
    matches!(
        role,
        Role::Textbox
            | Role::Textarea
            | Role::Searchbox
            | Role::Combobox
            | Role::Listbox
            | Role::Spinbutton
            | Role::Datepicker
            | Role::Timepicker
            | Role::Fileinput
    )
}

/// Names of things in rows and entries that repeat what else is called or written there. What has the same name in several of
/// them is called that; what only their text says must hold in several of them.
fn patterns<'g>(
    shown: &[&'g ElementNode],
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> HashMap<&'g ElementInstanceId, String> {
    let mut homes: HashMap<&ElementInstanceId, Vec<&'g ElementNode>> = HashMap::new();
    let mut plainly: HashMap<(Option<&ScopeId>, &Role, String), HashSet<&ElementInstanceId>> = HashMap::new();
    for element in shown {
        let Some(home) = home(element, by_id) else { continue };
        homes.entry(home).or_default().push(element);
        plainly.entry((element.scope_id.as_ref(), &element.role, name_of(element))).or_default().insert(home);
    }
    let mut found = Vec::new();
    let mut shared: HashMap<(Option<&ScopeId>, &Role, String), usize> = HashMap::new();
    for (home, things) in homes {
        let names = || things.iter().filter_map(|thing| thing.name.as_deref());
        let text = by_id.get(home).and_then(|home| home.state.ui.text_value.as_deref());
        for thing in things.iter().filter(|thing| !matches!(thing.role, Role::Row | Role::Cell)) {
            let Some(name) = thing.name.as_deref().filter(|_| thing.volatile != Some(true)) else { continue };
            let is_common = plainly
                .get(&(thing.scope_id.as_ref(), &thing.role, name_of(thing)))
                .is_some_and(|homes| homes.len() > 1);
            let by_name = pattern(name, names());
            let is_by_text = by_name.is_none();
            let either = by_name.or_else(|| pattern_by_text(name, text?));
            if let Some(either) = either.filter(|_| !is_common) {
                let word = (thing.scope_id.as_ref(), &thing.role, plain(&either));
                *shared.entry(word.clone()).or_default() += 1;
                found.push((&thing.instance_id, either, is_by_text, word));
            }
        }
    }
    let lasting = found
        .into_iter()
        .filter(|(_, _, is_by_text, word)| !is_by_text || shared.get(word).is_some_and(|count| *count > 1));
    lasting.map(|(thing, pattern, ..)| (thing, pattern)).collect()
}

/// The lists each entry of which is one button and nothing else that can be used.
fn buttons<'g>(
    shown: &[&'g ElementNode],
    homes: &HashMap<&'g ElementInstanceId, &'g ElementInstanceId>,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> HashSet<Option<&'g ScopeId>> {
    let is_entry = |id: &ElementInstanceId| by_id.get(id).is_some_and(|home| home.role == Role::Listitem);
    let mut lists: HashMap<Option<&ScopeId>, (HashSet<&ElementInstanceId>, bool)> = HashMap::new();
    for element in shown {
        let Some(home) = homes.get(&element.instance_id).filter(|home| **home != &element.instance_id) else {
            continue;
        };
        let (entries, is_buttons) = lists.entry(element.scope_id.as_ref()).or_insert((HashSet::new(), true));
        *is_buttons &= element.role == Role::Button && is_entry(home) && entries.insert(home);
    }
    let few =
        lists.into_iter().filter(|(_, (entries, is_buttons))| *is_buttons && entries.len() <= CHOSEN_MAX);
    few.map(|(area, _)| area).collect()
}

/// The lists of links and buttons some entries of which are called something, and others show only a picture. Data says what
/// it is in every entry, or in none.
fn bars<'g>(
    shown: &[&'g ElementNode],
    homes: &HashMap<&'g ElementInstanceId, &'g ElementInstanceId>,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> HashSet<Option<&'g ScopeId>> {
    let entry = |element: &ElementNode| {
        let home = by_id.get(homes.get(&element.instance_id)?)?;
        (home.role == Role::Listitem && home.instance_id != element.instance_id).then_some(*home)
    };
    // The text of an entry with a list in it is that of the list.
    let lists = shown.iter().filter(|element| element.role == Role::List);
    let with_list: HashSet<_> = lists.filter_map(|list| Some(&entry(list)?.instance_id)).collect();
    let says = |text: Option<&str>| text.is_some_and(|text| without_glyphs(text).is_some());
    let mut bars: HashMap<Option<&ScopeId>, (HashMap<&ElementInstanceId, bool>, bool)> = HashMap::new();
    for element in shown {
        let is_pressed = element.affordances.iter().flatten().any(|offer| *offer == Affordance::Activate);
        let Some(home) = entry(element).filter(|_| is_pressed) else { continue };
        let (entries, is_bar) = bars.entry(element.scope_id.as_ref()).or_insert((HashMap::new(), true));
        *is_bar &= matches!(element.role, Role::Button | Role::Link);
        let text = home.state.ui.text_value.as_deref().filter(|_| !with_list.contains(&home.instance_id));
        *entries.entry(&home.instance_id).or_default() |= says(element.name.as_deref()) || says(text);
    }
    let mixed = bars.into_iter().filter(|(_, (entries, is_bar))| {
        let saying = entries.values().filter(|says| **says).count();
        *is_bar && entries.len() <= CHOSEN_MAX && saying > 0 && saying < entries.len()
    });
    mixed.map(|(area, _)| area).collect()
}

/// What stands in the first row of a table, where something in it has no like below it in its column, and nothing has the
/// name of something below: that is chosen by the application, such as what the table is sorted by. So is what stands above
/// rows all of which have a thing that repeats their name, if nothing in it does.
fn heads<'g>(
    shown: &[&'g ElementNode],
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
    patterns: &HashMap<&'g ElementInstanceId, String>,
) -> HashSet<&'g ElementInstanceId> {
    let mut columns: HashMap<&ElementInstanceId, usize> = HashMap::new();
    let mut cells: HashMap<&ElementInstanceId, usize> = HashMap::new();
    // Rows, by their tables and their order.
    let mut rows: HashMap<&ElementInstanceId, (&ElementInstanceId, usize)> = HashMap::new();
    let mut lengths: HashMap<&ElementInstanceId, usize> = HashMap::new();
    for element in shown {
        let Some(parent) = &element.parent_id else { continue };
        match element.role {
            Role::Cell => {
                let count = cells.entry(parent).or_default();
                columns.insert(&element.instance_id, *count);
                *count += 1;
            }
            Role::Row => {
                let length = lengths.entry(parent).or_default();
                rows.insert(&element.instance_id, (parent, *length));
                *length += 1;
            }
            _ => {}
        }
    }
    let mut first: HashMap<&ElementInstanceId, Vec<(usize, &'g ElementNode)>> = HashMap::new();
    let (mut places, mut names) = (HashSet::new(), HashSet::new());
    let mut repeating: HashMap<&ElementInstanceId, HashSet<usize>> = HashMap::new();
    for element in shown.iter().filter(|element| !matches!(element.role, Role::Row | Role::Cell)) {
        let place = || {
            let (table, row) = rows.get(home(element, by_id)?)?;
            let column = around(element, by_id).find_map(|around| columns.get(&around.instance_id))?;
            Some((*table, *column, *row))
        };
        let place = place();
        if let Some((table, _, row)) = place
            && patterns.contains_key(&element.instance_id)
        {
            repeating.entry(table).or_default().insert(row);
        }
        match place {
            Some((table, column, 0)) => first.entry(table).or_default().push((column, element)),
            Some((table, column, _)) => {
                places.insert((table, column, &element.role));
                names.insert((table, &element.role, name_of(element)));
            }
            None => {}
        }
    }
    let is_head = |table: &ElementInstanceId, things: &[(usize, &ElementNode)]| {
        let has_more = lengths.get(table).is_some_and(|length| *length > 1);
        let is_alone =
            |(column, thing): &(usize, &ElementNode)| !places.contains(&(table, *column, &thing.role));
        let is_shared =
            |(_, thing): &(usize, &ElementNode)| names.contains(&(table, &thing.role, name_of(thing)));
        let is_above_names = lengths
            .get(table)
            .zip(repeating.get(table))
            .is_some_and(|(length, rows)| !rows.contains(&0) && rows.len() + 1 == *length);
        has_more && (things.iter().any(is_alone) || is_above_names) && !things.iter().any(is_shared)
    };
    let heads = first.into_iter().filter(|(table, things)| is_head(table, things));
    heads.flat_map(|(_, things)| things.into_iter().map(|(_, thing)| &thing.instance_id)).collect()
}

/// What an element stands in, the nearest first, and itself before that.
pub(crate) fn around<'g>(
    element: &'g ElementNode,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> impl Iterator<Item = &'g ElementNode> {
    let above = |here: &&'g ElementNode| here.parent_id.as_ref().and_then(|id| by_id.get(id)).copied();
    std::iter::successors(Some(element), above).take(ANCESTORS_MAX)
}

/// The row or entry that an element is or stands in.
fn home<'g>(
    element: &'g ElementNode,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> Option<&'g ElementInstanceId> {
    let mut around = around(element, by_id);
    around.find(|here| matches!(here.role, Role::Row | Role::Listitem)).map(|here| &here.instance_id)
}
