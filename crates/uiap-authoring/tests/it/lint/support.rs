//! Bundles from YAML, changed at a pointer or two.

use serde_json::Value;
use std::path::Path;
use uiap_authoring::lint::lint;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::finding::Finding;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::wire::{accept, decode};

/// A file of the cases.
pub(crate) fn case_file(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/lint");
    let text = std::fs::read_to_string(folder.join(name)).expect("a case file");
    read(&text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json()
}

/// Puts a value at a pointer; one behind the end of a list is added.
pub(crate) fn set(value: &mut Value, pointer: &str, to: &Value) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match value.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Array(items) => {
            let place: usize = name.parse().expect("an index");
            if place < items.len() { items[place] = to.clone() } else { items.push(to.clone()) }
        }
        object => object[name] = to.clone(),
    }
}

pub(crate) fn remove(value: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match value.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
        object => drop(object.as_object_mut().expect("an object").remove(name)),
    }
}

/// Everything that is found when a bundle is read and looked at.
pub(crate) fn found(bundle: &Value) -> Vec<Finding> {
    let (decoded, mut findings) = decode::<CompiledBundle>(&Node::from_json(bundle));
    findings.extend(decoded.iter().flat_map(lint));
    findings
}

pub(crate) fn decoded(bundle: &Value) -> CompiledBundle {
    accept(&Node::from_json(bundle)).unwrap_or_else(|findings| panic!("{findings:#?}"))
}
