//! What holds for any two bundles.

use crate::breaking::bundles::{base, bundle, changes};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use uiap_authoring::breaking::{Rule, class_of};
use uiap_protocol::seal::digest;

/// Every place of a document, except what names the bundle.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    if !["", "/version", "/digest"].contains(&pointer) {
        found.push(pointer.to_owned());
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                places(member, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// One thing that is done to a document.
#[derive(Clone, Debug)]
enum Edit {
    Remove,
    Replace(Value),
    AddMember,
    Repeat,
    Reverse,
}

fn edits() -> impl Strategy<Value = Edit> {
    let values = prop_oneof![
        Just(json!("other")),
        Just(json!("confirm")),
        Just(json!("deny")),
        Just(json!("video.list")),
        Just(json!("page")),
        Just(json!(["guide"])),
        Just(json!([])),
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!(7)),
        Just(json!("^0.2")),
        Just(json!("en")),
    ];
    prop_oneof![
        3 => Just(Edit::Remove),
        5 => values.prop_map(Edit::Replace),
        2 => Just(Edit::AddMember),
        1 => Just(Edit::Repeat),
        1 => Just(Edit::Reverse),
    ]
}

fn apply(document: &mut Value, at: Index, edit: &Edit) {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let pointer = at.get(&all);
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer to a member");
    let name = name.replace("~1", "/").replace("~0", "~");
    match edit {
        Edit::Remove => match document.pointer_mut(parent).expect("a parent") {
            Value::Object(members) => drop(members.remove(&name)),
            Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
            _ => {}
        },
        Edit::Replace(value) => *document.pointer_mut(pointer).expect("a place") = value.clone(),
        Edit::AddMember => {
            if let Value::Object(members) = document.pointer_mut(pointer).expect("a place") {
                members.insert("x-new".to_owned(), json!("new"));
            }
        }
        Edit::Repeat => {
            if let Value::Array(items) = document.pointer_mut(pointer).expect("a place") {
                items.extend(items.first().cloned());
            }
        }
        Edit::Reverse => {
            if let Value::Array(items) = document.pointer_mut(pointer).expect("a place") {
                items.reverse();
            }
        }
    }
}

/// A document without what only names it.
fn content(document: &Value) -> String {
    let mut document = document.clone();
    let members = document.as_object_mut().expect("an object");
    members.remove("version");
    digest(members)
}

/// A bundle as it is after it was read.
fn read_again(document: &Value) -> Option<Value> {
    bundle(document).ok().map(|bundle| serde_json::to_value(bundle).expect("JSON"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_difference_is_overlooked(
        edits in proptest::collection::vec((any::<Index>(), edits()), 1..4)
    ) {
        let old = read_again(&base()).expect("a sound bundle");
        let mut new = old.clone();
        for (at, edit) in &edits {
            apply(&mut new, *at, edit);
        }
        // What is no bundle any more is refused before anything is compared.
        let Some(new) = read_again(&new) else { return Ok(()) };
        prop_assert_eq!(changes(&new, &new), Vec::new());
        let (there, back) = (changes(&old, &new), changes(&new, &old));
        prop_assert_eq!(there.is_empty(), content(&old) == content(&new), "{:#?}", edits);
        prop_assert_eq!(back.is_empty(), there.is_empty());
        let unclassified = |list: &[uiap_authoring::breaking::Change]| {
            list.iter().filter(|change| change.rule == Rule::Unclassified).count()
        };
        prop_assert_eq!(unclassified(&there), unclassified(&back), "{:#?}\n{:#?}", there, back);
        prop_assert_eq!(class_of(&there).is_some(), !there.is_empty());
    }
}

#[test]
fn a_member_that_nobody_knows_is_never_harmless() {
    let old = base();
    let mut all = Vec::new();
    places(&old, "", &mut all);
    let mut tried = 0;
    for pointer in all {
        let mut new = old.clone();
        let Some(Value::Object(members)) = new.pointer_mut(&pointer) else { continue };
        members.insert("x-new".to_owned(), json!("new"));
        // Members of a union and of free maps are refused or known; everything else keeps what it does not know.
        let Some(read) = read_again(&new).filter(|read| *read == new) else { continue };
        let free = ["/metadata", "/labels", "/locales", "/byLocale", "/args", "/payload"];
        if free.iter().any(|end| pointer.ends_with(end)) {
            continue;
        }
        let found = changes(&old, &read);
        let major = found.iter().any(|change| change.class == uiap_authoring::breaking::Class::Major);
        assert!(major, "{pointer}: {found:#?}");
        tried += 1;
    }
    assert!(tried > 40, "{tried}");
}
