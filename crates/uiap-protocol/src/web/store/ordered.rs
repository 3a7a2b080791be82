//! A list whose items are found by id and inserted anywhere, both without walking it.

use std::collections::HashMap;

/// Items in an order of their own, linked by position in `slots`.
#[derive(Debug)]
pub(super) struct Ordered<T> {
    slots: Vec<Option<Slot<T>>>,
    free: Vec<usize>,
    positions: HashMap<String, usize>,
    first: Option<usize>,
    last: Option<usize>,
}

#[derive(Debug)]
struct Slot<T> {
    item: T,
    previous: Option<usize>,
    next: Option<usize>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), positions: HashMap::new(), first: None, last: None }
    }
}

impl<T> Ordered<T> {
    fn slot(&self, at: usize) -> Option<&Slot<T>> {
        self.slots.get(at)?.as_ref()
    }

    fn slot_mut(&mut self, at: usize) -> Option<&mut Slot<T>> {
        self.slots.get_mut(at)?.as_mut()
    }

    pub(super) fn get(&self, id: &str) -> Option<&T> {
        self.positions.get(id).and_then(|at| self.slot(*at)).map(|slot| &slot.item)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.first;
        std::iter::from_fn(move || {
            let slot = self.slot(at?)?;
            at = slot.next;
            Some(&slot.item)
        })
    }

    /// Inserts an item in front of another, or as the last one. An item with the same id is replaced.
    pub(super) fn insert(&mut self, id: String, item: T, before: Option<&str>) {
        self.remove(&id);
        let next = before.and_then(|before| self.positions.get(before).copied());
        let previous = match next {
            Some(next) => self.slot(next).and_then(|slot| slot.previous),
            None => self.last,
        };
        let slot = Some(Slot { item, previous, next });
        let at = match self.free.pop() {
            Some(at) => {
                if let Some(place) = self.slots.get_mut(at) {
                    *place = slot;
                }
                at
            }
            None => {
                self.slots.push(slot);
                self.slots.len() - 1
            }
        };
        self.link(previous, Some(at));
        self.link_back(next, Some(at));
        self.positions.insert(id, at);
    }

    /// Replaces an item where it stands and returns the old one.
    pub(super) fn swap(&mut self, id: &str, item: T) -> Option<T> {
        let at = *self.positions.get(id)?;
        self.slot_mut(at).map(|slot| std::mem::replace(&mut slot.item, item))
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<T> {
        let at = self.positions.remove(id)?;
        let slot = self.slots.get_mut(at)?.take()?;
        self.link(slot.previous, slot.next);
        self.link_back(slot.next, slot.previous);
        self.free.push(at);
        Some(slot.item)
    }

    /// What follows `at` (or the start of the list) is now `next`.
    fn link(&mut self, at: Option<usize>, next: Option<usize>) {
        match at {
            None => self.first = next,
            Some(at) => {
                if let Some(slot) = self.slot_mut(at) {
                    slot.next = next;
                }
            }
        }
    }

    /// What precedes `at` (or the end of the list) is now `previous`.
    fn link_back(&mut self, at: Option<usize>, previous: Option<usize>) {
        match at {
            None => self.last = previous,
            Some(at) => {
                if let Some(slot) = self.slot_mut(at) {
                    slot.previous = previous;
                }
            }
        }
    }
}
