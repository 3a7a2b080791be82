//! What no rule has named: a walk over both bundles as JSON that finds every difference without a change.

use super::Change;
use super::changes::Changes;
use super::place::push;
use super::rules::Rule;
use super::witness::Witness;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// Lists whose items have an id, and the member that holds it.
const KEYED: [(&str, &str); 14] = [
    ("actions", "id"),
    ("args", "name"),
    ("elements", "id"),
    ("environments", "id"),
    ("extensions", "id"),
    ("parameters", "name"),
    ("policies", "id"),
    ("principalProfiles", "id"),
    ("redaction", "id"),
    ("routes", "id"),
    ("rules", "id"),
    ("scopes", "id"),
    ("steps", "id"),
    ("workflows", "id"),
];
/// What names a bundle and is no change of what it holds.
const NAMES: [&str; 2] = ["/digest", "/version"];

/// Adds a change for everything that differs and is told by none.
pub(super) fn add(old: &Value, new: &Value, changes: &mut Changes) {
    let told = Told::new(changes.list());
    let mut walk = Walk { told, found: Vec::new() };
    walk.values(&Place::default(), "", Some(old), Some(new));
    for (rule, place, was, is) in walk.found {
        let shown = place.new.as_deref().or(place.old.as_deref()).unwrap_or_default();
        let message = match rule {
            Rule::ListReordered => format!("The items of {shown} have another order, or one is there twice."),
            _ => format!("What stands at {shown} differs, and no rule knows what that means."),
        };
        changes.add_at(rule, (place.old, place.new), message, Witness::Values { was, is });
    }
}

/// Leaves only pointers that lead somewhere.
pub(super) fn prune(changes: &mut [Change], old: &Value, new: &Value) {
    for change in changes {
        change.old.take_if(|pointer| old.pointer(pointer).is_none());
        change.new.take_if(|pointer| new.pointer(pointer).is_none());
    }
}

/// The places that changes tell of.
struct Told {
    old: BTreeSet<String>,
    new: BTreeSet<String>,
}

impl Told {
    fn new(changes: &[Change]) -> Self {
        let collect =
            |side: fn(&Change) -> Option<&String>| changes.iter().filter_map(side).cloned().collect();
        Self { old: collect(|change| change.old.as_ref()), new: collect(|change| change.new.as_ref()) }
    }

    fn at(&self, place: &Place) -> bool {
        place.old.as_ref().is_some_and(|pointer| self.old.contains(pointer))
            || place.new.as_ref().is_some_and(|pointer| self.new.contains(pointer))
    }

    /// Whether a change tells of something inside.
    fn inside(&self, place: &Place) -> bool {
        let begins = |told: &BTreeSet<String>, pointer: &Option<String>| {
            let Some(pointer) = pointer else { return false };
            let inside = format!("{pointer}/");
            told.range(inside.clone()..).next().is_some_and(|found| found.starts_with(&inside))
        };
        begins(&self.old, &place.old) || begins(&self.new, &place.new)
    }
}

/// A place in both bundles, as pointers.
#[derive(Clone)]
struct Place {
    old: Option<String>,
    new: Option<String>,
}

impl Default for Place {
    fn default() -> Self {
        Self { old: Some(String::new()), new: Some(String::new()) }
    }
}

impl Place {
    fn member(&self, name: &str) -> Self {
        self.item(Some(name), Some(name))
    }

    fn item(&self, old: Option<&str>, new: Option<&str>) -> Self {
        let step = |pointer: &Option<String>, name: Option<&str>| {
            let mut pointer = pointer.clone()?;
            push(&mut pointer, name?);
            Some(pointer)
        };
        Self { old: step(&self.old, old), new: step(&self.new, new) }
    }
}

struct Walk {
    told: Told,
    found: Vec<(Rule, Place, Value, Value)>,
}

impl Walk {
    fn find(&mut self, rule: Rule, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let owned = |value: Option<&Value>| value.cloned().unwrap_or_default();
        self.found.push((rule, place.clone(), owned(old), owned(new)));
    }

    fn values(&mut self, place: &Place, name: &str, old: Option<&Value>, new: Option<&Value>) {
        if old == new || self.told.at(place) {
            return;
        }
        if place.new.as_deref().is_some_and(|pointer| NAMES.contains(&pointer)) {
            return;
        }
        let empty = Map::new();
        let no_items = Vec::new();
        match (old, new) {
            // A part that is on one side only is told where its members are told, if it has any.
            (Some(Value::Object(old)), None) if !old.is_empty() => self.members(place, old, &empty),
            (None, Some(Value::Object(new))) if !new.is_empty() => self.members(place, &empty, new),
            (Some(Value::Object(old)), Some(Value::Object(new))) => self.members(place, old, new),
            (Some(Value::Array(old)), None) if !old.is_empty() => self.items(place, name, old, &no_items),
            (None, Some(Value::Array(new))) if !new.is_empty() => self.items(place, name, &no_items, new),
            (Some(Value::Array(old)), Some(Value::Array(new))) => self.items(place, name, old, new),
            _ => self.find(Rule::Unclassified, place, old, new),
        }
    }

    fn members(&mut self, place: &Place, old: &Map<String, Value>, new: &Map<String, Value>) {
        for (name, was) in old {
            self.values(&place.member(name), name, Some(was), new.get(name));
        }
        for (name, is) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            self.values(&place.member(name), name, None, Some(is));
        }
    }

    fn items(&mut self, place: &Place, name: &str, old: &[Value], new: &[Value]) {
        let key = KEYED.iter().find(|(list, _)| *list == name).map(|(_, key)| *key);
        let keys = key.and_then(|key| Some((keys(old, key)?, keys(new, key)?)));
        match keys {
            Some((old_keys, new_keys)) => self.keyed(place, (old, &old_keys), (new, &new_keys)),
            // Such a list is compared as a whole by one rule.
            None if self.told.inside(place) => {}
            None => {
                let value = |items: &[Value]| Value::Array(items.to_vec());
                self.find(Rule::Unclassified, place, Some(&value(old)), Some(&value(new)));
            }
        }
    }

    /// Compares items that have the same id, wherever they stand.
    fn keyed(&mut self, place: &Place, old: (&[Value], &[&str]), new: (&[Value], &[&str])) {
        let (before, after) = (firsts(old.1), firsts(new.1));
        for (was_at, key) in old.1.iter().enumerate().filter(|(at, key)| before.get(**key) == Some(at)) {
            let is_at = after.get(key);
            let is = is_at.and_then(|at| new.0.get(*at));
            let (number, is_at) = (was_at.to_string(), is_at.map(ToString::to_string));
            self.values(&place.item(Some(&number), is_at.as_deref()), "", old.0.get(was_at), is);
        }
        for (is_at, key) in new.1.iter().enumerate().filter(|(at, key)| after.get(**key) == Some(at)) {
            if !before.contains_key(key) {
                let number = is_at.to_string();
                self.values(&place.item(None, Some(&number)), "", None, new.0.get(is_at));
            }
        }
        let shared = |keys: &[&str], other: &HashMap<&str, usize>| {
            keys.iter().filter(|key| other.contains_key(*key)).map(ToString::to_string).collect::<Vec<_>>()
        };
        let (order_was, order_is) = (shared(old.1, &after), shared(new.1, &before));
        if order_was != order_is {
            self.find(Rule::ListReordered, place, Some(&order_was.into()), Some(&order_is.into()));
        }
    }
}

/// The ids of all items, if every one has one.
fn keys<'v>(items: &'v [Value], key: &str) -> Option<Vec<&'v str>> {
    items.iter().map(|item| item.get(key)?.as_str()).collect()
}

/// The first place of every id.
fn firsts<'k>(keys: &[&'k str]) -> HashMap<&'k str, usize> {
    let mut places = HashMap::new();
    for (place, key) in keys.iter().enumerate() {
        places.entry(*key).or_insert(place);
    }
    places
}
