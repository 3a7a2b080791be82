//! Menus that do not say that they are: lists of commands that somebody brought up by pressing or pointing at something.
//!
//! Start at [`menus`]. What a list holds does not tell whether it is data. That it was not there before, came without
//! replacing anything, and that every entry is one thing to press and says nothing besides, does.

use crate::naming::plain;
use crate::place::pattern;
use crate::sighting::{around, is_shown, is_used};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use uiap_protocol::capability::Role;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{ElementNode, PageGraph};

/// Fewest commands of a menu.
const COMMANDS_MIN: usize = 2;
/// Most commands of a menu; a list that is longer is data.
const COMMANDS_MAX: usize = 32;

/// The lists of a page that are menus: those that were known to be, as long as they are shown, and those that doing
/// something before it brought up.
pub fn menus(
    known: &[ElementInstanceId],
    before: Option<&PageGraph>,
    after: &PageGraph,
) -> Vec<ElementInstanceId> {
    let shown: HashSet<_> = shown(after).map(|element| &element.instance_id).collect();
    let mut menus: BTreeSet<_> = known.iter().filter(|list| shown.contains(list)).cloned().collect();
    if let Some(before) = before
        && pattern(&before.route.url) == pattern(&after.route.url)
        && is_only_more(known, before, &shown)
    {
        let had: HashSet<_> = self::shown(before).map(|element| &element.instance_id).collect();
        menus.extend(command_lists(after).into_iter().filter(|list| !had.contains(list)).cloned());
    }
    menus.into_iter().collect()
}

/// Everything that could be used is still there, but for what stood in other menus.
fn is_only_more(
    known: &[ElementInstanceId],
    before: &PageGraph,
    shown: &HashSet<&ElementInstanceId>,
) -> bool {
    let by_id = by_id(before);
    let is_in_menu = |element| lists_around(element, &by_id).any(|list| known.contains(&list.instance_id));
    let used = self::shown(before).filter(|element| is_used(element) && !is_in_menu(element));
    used.into_iter().all(|element| shown.contains(&element.instance_id))
}

/// The lists with a few entries each of which is one link or button and says nothing besides.
fn command_lists(graph: &PageGraph) -> Vec<&ElementInstanceId> {
    let by_id = by_id(graph);
    let nests = shown(graph).filter(|element| element.role == Role::List);
    let with_list: HashSet<_> = nests.filter_map(|list| Some(&entry(list, &by_id)?.instance_id)).collect();
    // The entries of each list, and whether each is one command.
    let mut lists: BTreeMap<&ElementInstanceId, (BTreeSet<&ElementInstanceId>, bool)> = BTreeMap::new();
    for element in shown(graph).filter(|element| is_used(element)) {
        let Some(list) = lists_around(element, &by_id).next() else { continue };
        let (entries, is_menu) = lists.entry(&list.instance_id).or_insert((BTreeSet::new(), true));
        *is_menu &= entry(element, &by_id).is_some_and(|entry| {
            let is_command = matches!(element.role, Role::Link | Role::Button | Role::Menuitem);
            // The text of an entry with a list in it is that of the list, too.
            let is_all = with_list.contains(&entry.instance_id) || says(entry) == called(element);
            is_command && is_all && entries.insert(&entry.instance_id)
        });
    }
    let is_few = |entries: usize| (COMMANDS_MIN..=COMMANDS_MAX).contains(&entries);
    let lists = lists.into_iter().filter(|(_, (entries, is_menu))| *is_menu && is_few(entries.len()));
    lists.map(|(list, _)| list).collect()
}

fn says(entry: &ElementNode) -> String {
    plain(entry.state.ui.text_value.as_deref().unwrap_or_default())
}

fn called(element: &ElementNode) -> String {
    plain(element.name.as_deref().unwrap_or_default())
}

fn shown(graph: &PageGraph) -> impl Iterator<Item = &ElementNode> {
    graph.elements.iter().filter(|element| is_shown(element))
}

fn by_id(graph: &PageGraph) -> HashMap<&ElementInstanceId, &ElementNode> {
    graph.elements.iter().map(|element| (&element.instance_id, element)).collect()
}

/// The lists that an element stands in, the innermost first.
fn lists_around<'g>(
    element: &'g ElementNode,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> impl Iterator<Item = &'g ElementNode> {
    around(element, by_id).filter(|around| around.role == Role::List)
}

/// The entry that an element is or stands in.
fn entry<'g>(
    element: &'g ElementNode,
    by_id: &HashMap<&'g ElementInstanceId, &'g ElementNode>,
) -> Option<&'g ElementNode> {
    around(element, by_id).find(|around| around.role == Role::Listitem)
}
