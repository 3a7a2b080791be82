//! What is different between two packages, in the words of their own ids.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Most differences of one part that are told.
const TOLD_MAX: usize = 12;
/// Longest value that is told.
const VALUE_LETTERS_MAX: usize = 90;
/// Members that say which one an item of a list is, the most telling first.
const IDS: [&str; 8] =
    ["semanticKey", "transitionId", "stateId", "scopeId", "refId", "id", "routeId", "name"];
/// What everything else follows from, so that it is told first.
const FIRST: &str = "transitionGraph";

/// What is different, one line for each place.
pub(crate) fn differences(one: &Value, other: &Value) -> Vec<String> {
    let parts =
        |value: &Value| value.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let mut names: Vec<String> = parts(one);
    names.extend(parts(other));
    names.sort_by_key(|name| (name != FIRST, name.clone()));
    names.dedup();
    let mut all = Vec::new();
    for name in names {
        let mut told = Vec::new();
        step(&name, one.get(&name), other.get(&name), &mut told);
        let more = told.len().saturating_sub(TOLD_MAX);
        told.truncate(TOLD_MAX);
        if more > 0 {
            told.push(format!("and {more} more in {name}"));
        }
        all.extend(told);
    }
    all
}

fn compare(path: &str, one: &Value, other: &Value, told: &mut Vec<String>) {
    match (one, other) {
        _ if one == other => {}
        (Value::Object(mine), Value::Object(theirs)) => {
            let names: BTreeSet<_> = mine.keys().chain(theirs.keys()).collect();
            for name in names {
                step(&format!("{path}/{name}"), mine.get(name), theirs.get(name), told);
            }
        }
        (Value::Array(mine), Value::Array(theirs)) => {
            let (mine, theirs) = (by_id(mine), by_id(theirs));
            let ids: BTreeSet<_> = mine.keys().chain(theirs.keys()).collect();
            let before = told.len();
            for id in ids {
                step(&format!("{path}[{id}]"), mine.get(id).copied(), theirs.get(id).copied(), told);
            }
            if told.len() == before {
                told.push(format!("~ {path}: another order"));
            }
        }
        _ => told.push(format!("~ {path}: {} / {}", short(one), short(other))),
    }
}

fn step(path: &str, one: Option<&Value>, other: Option<&Value>, told: &mut Vec<String>) {
    match (one, other) {
        (Some(one), Some(other)) => compare(path, one, other, told),
        (Some(one), None) => told.push(format!("- {path}: {}", short(one))),
        (None, Some(other)) => told.push(format!("+ {path}: {}", short(other))),
        (None, None) => {}
    }
}

/// The items of a list by what identifies them; what has no id is identified by itself.
fn by_id(items: &[Value]) -> BTreeMap<String, &Value> {
    let mut known = BTreeMap::new();
    for item in items {
        let id = IDS.iter().find_map(|name| item.get(name)?.as_str());
        let stem = id.map_or_else(|| short(item), str::to_owned);
        let mut id = stem.clone();
        while known.contains_key(&id) {
            id.push('\'');
        }
        known.insert(id, item);
    }
    known
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    let kept: String = text.chars().take(VALUE_LETTERS_MAX).collect();
    if kept.len() < text.len() { format!("{kept}...") } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_are_named_by_ids() {
        let one =
            json!({ "states": [{ "stateId": "a", "seen": 1 }, { "stateId": "b" }], "names": ["x", "y"] });
        let other =
            json!({ "states": [{ "stateId": "a", "seen": 2 }, { "stateId": "c" }], "names": ["y", "x"] });
        assert_eq!(
            differences(&one, &other),
            [
                "~ names: another order",
                "~ states[a]/seen: 1 / 2",
                "- states[b]: {\"stateId\":\"b\"}",
                "+ states[c]: {\"stateId\":\"c\"}"
            ]
        );
    }
}
