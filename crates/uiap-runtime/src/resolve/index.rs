//! Finds elements by stable id, role, name and annotation without looking at all of them.

use super::names::{normalised, words};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, StableId};
use uiap_protocol::web::{ElementNode, GraphStore};

/// An index of the elements of one page. It is kept current element by element, as deltas arrive.
#[derive(Debug, Default)]
pub struct TargetIndex {
    entries: HashMap<ElementInstanceId, Entry>,
    by_stable_id: Drawer<StableId>,
    by_role: Drawer<Role>,
    by_name: Drawer<(Role, String)>,
    by_word: Drawer<(Role, String)>,
    by_meaning: Drawer<String>,
}

/// Ids in an order that does not depend on the order of their arrival.
type Drawer<K> = HashMap<K, BTreeSet<ElementInstanceId>>;

/// Under what an element is filed.
#[derive(Debug, PartialEq)]
struct Entry {
    stable_id: Option<StableId>,
    role: Role,
    name: Option<String>,
    meaning: Option<String>,
}

impl Entry {
    fn of(element: &ElementNode) -> Self {
        Self {
            stable_id: element.stable_id.clone(),
            role: element.role.clone(),
            name: element.name.as_deref().map(normalised).filter(|name| !name.is_empty()),
            meaning: element.meaning.as_deref().map(normalised).filter(|meaning| !meaning.is_empty()),
        }
    }
}

impl TargetIndex {
    /// An index of everything on a page.
    pub fn new(page: &GraphStore) -> Self {
        let mut index = Self::default();
        page.elements().for_each(|element| index.put(element));
        index
    }

    /// Adds an element, or files it anew after a change.
    pub fn put(&mut self, element: &ElementNode) {
        let entry = Entry::of(element);
        let id = &element.instance_id;
        if self.entries.get(id) == Some(&entry) {
            return;
        }
        self.remove(id);
        if let Some(stable_id) = &entry.stable_id {
            file(&mut self.by_stable_id, stable_id.clone(), id);
        }
        file(&mut self.by_role, entry.role.clone(), id);
        if let Some(meaning) = &entry.meaning {
            file(&mut self.by_meaning, meaning.clone(), id);
        }
        if let Some(name) = &entry.name {
            for word in words(name) {
                file(&mut self.by_word, (entry.role.clone(), word.to_owned()), id);
            }
            file(&mut self.by_name, (entry.role.clone(), name.clone()), id);
        }
        self.entries.insert(id.clone(), entry);
    }

    /// Takes an element out.
    pub fn remove(&mut self, id: &ElementInstanceId) {
        let Some(entry) = self.entries.remove(id) else { return };
        if let Some(stable_id) = &entry.stable_id {
            unfile(&mut self.by_stable_id, stable_id, id);
        }
        unfile(&mut self.by_role, &entry.role, id);
        if let Some(meaning) = &entry.meaning {
            unfile(&mut self.by_meaning, meaning, id);
        }
        if let Some(name) = entry.name {
            for word in words(&name) {
                unfile(&mut self.by_word, &(entry.role.clone(), word.to_owned()), id);
            }
            unfile(&mut self.by_name, &(entry.role, name), id);
        }
    }

    pub(super) fn with_stable_id(&self, id: &StableId) -> impl Iterator<Item = &ElementInstanceId> {
        self.by_stable_id.get(id).into_iter().flatten()
    }

    pub(super) fn with_meaning(&self, meaning: &str) -> impl Iterator<Item = &ElementInstanceId> {
        self.by_meaning.get(&normalised(meaning)).into_iter().flatten()
    }

    /// The elements of a role that may have a name: those that have it, or else those that have its rarest word.
    pub(super) fn of_role_named(&self, role: &Role, name: Option<&str>) -> Vec<&ElementInstanceId> {
        let Some(name) = name else { return self.by_role.get(role).into_iter().flatten().collect() };
        let name = normalised(name);
        if let Some(same) = self.by_name.get(&(role.clone(), name.clone())) {
            return same.iter().collect();
        }
        let drawers = words(&name).map(|word| self.by_word.get(&(role.clone(), word.to_owned())));
        let rarest = drawers.min_by_key(|drawer| drawer.map_or(0, BTreeSet::len));
        rarest.flatten().into_iter().flatten().collect()
    }
}

fn file<K: Hash + Eq>(drawer: &mut Drawer<K>, key: K, id: &ElementInstanceId) {
    drawer.entry(key).or_default().insert(id.clone());
}

/// Leaves no empty entry behind.
fn unfile<K: Hash + Eq>(drawer: &mut Drawer<K>, key: &K, id: &ElementInstanceId) {
    if let Some(ids) = drawer.get_mut(key) {
        ids.remove(id);
        if ids.is_empty() {
            drawer.remove(key);
        }
    }
}
