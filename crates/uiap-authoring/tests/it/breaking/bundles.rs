//! The bundle that all tests change, and changes of it.

use serde_json::Value;
use uiap_authoring::breaking::{Change, compare};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::wire::accept_object;

pub(crate) fn yaml(text: &str) -> Value {
    read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json()
}

pub(crate) fn base() -> Value {
    yaml(include_str!("base.yaml"))
}

pub(crate) fn bundle(document: &Value) -> Result<CompiledBundle, String> {
    let members = document.as_object().expect("an object");
    accept_object(members).map_err(|findings| format!("{findings:#?}"))
}

/// The changes between two documents, which must be sound bundles.
pub(crate) fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let sound = |document: &Value| bundle(document).unwrap_or_else(|findings| panic!("{findings}"));
    compare(&sound(old), &sound(new))
}

/// Does what a list of `{remove: POINTER}` and `{set: POINTER, to: VALUE}` says.
pub(crate) fn edited(document: &Value, edits: Option<&Value>) -> Value {
    let mut document = document.clone();
    for edit in edits.and_then(Value::as_array).into_iter().flatten() {
        let removed = edit.get("remove").and_then(Value::as_str);
        let pointer = removed.or_else(|| edit["set"].as_str()).expect("a pointer");
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer to a member");
        let name = name.replace("~1", "/").replace("~0", "~");
        let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("nothing stands at {pointer}"));
        let to = || edit["to"].clone();
        match (parent, removed.is_some()) {
            (Value::Object(members), true) => {
                members.remove(&name).unwrap_or_else(|| panic!("nothing stands at {pointer}"));
            }
            (Value::Object(members), false) => drop(members.insert(name, to())),
            (Value::Array(items), remove) => {
                let index: usize = name.parse().expect("an index");
                match (remove, index == items.len()) {
                    (true, _) => drop(items.remove(index)),
                    (false, true) => items.push(to()),
                    (false, false) => items[index] = to(),
                }
            }
            _ => panic!("{pointer} leads nowhere"),
        }
    }
    document
}
