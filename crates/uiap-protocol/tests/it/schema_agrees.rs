//! The generated schema is never stricter than the decoder: what the decoder accepts, the schema accepts.
//!
//! Sound documents of `spec/cases/documents` are damaged at random and given to both; the judge of the schema is
//! the `jsonschema` crate. `PROPTEST_CASES` raises the number of attempts.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use uiap_protocol::generate::schema_of;
use uiap_protocol::kinds::Kind;
use uiap_protocol::text::Node;
use uiap_testkit::DocumentCase;

/// Sound documents with their kinds, and all schemas they need.
struct World {
    documents: Vec<(Kind, Value)>,
    schemas: BTreeMap<&'static str, jsonschema::Validator>,
}

fn world() -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/documents");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("cases").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut documents = Vec::new();
    let mut schemas = BTreeMap::new();
    for path in paths {
        let case =
            DocumentCase::load(&std::fs::read_to_string(&path).expect("a case")).expect("a sound case");
        if case.part.is_none() {
            let kind = Kind::named(&case.kind).expect("a known kind");
            schemas.entry(kind.name()).or_insert_with(|| {
                jsonschema::draft202012::new(&schema_of(kind)).expect("a schema of the generator is a schema")
            });
            documents.push((kind, case.document));
        }
    }
    World { documents, schemas }
}

/// One way to damage a document; the indices choose the place and, where needed, a second one.
#[derive(Clone, Debug)]
enum Damage {
    Remove(Index),
    Replace(Index, Value),
    Misspell(Index, Index),
    Lengthen(Index, usize),
    Graft(Index, Index),
    Rename(Index, Index),
    Repeat(Index),
    Insert(Index, Value),
}

fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..1_000_i64).prop_map(Value::from),
        prop_oneof![Just(-1.5), Just(0.5), Just(1.0), Just(1e20), Just(-0.0), Just(9_007_199_254_740_991.0)]
            .prop_map(Value::from),
        prop_oneof![
            Just(""),
            Just(" "),
            Just("x.vendor.word"),
            Just("button"),
            Just("x"),
            Just("0.1"),
            Just("01.1"),
            Just("web@0.1"),
            Just("/a/~2"),
            Just("/spec/a~1b"),
            Just("2026-02-30T00:00:00Z"),
            Just("0.1.0-01"),
            Just("2026-03-26T14:03:00Z"),
            Just("9999-12-31T23:59:59Z"),
            Just("0000-01-01T00:00:00Z"),
            Just("de-CH"),
            Just(">=0.1 <0.2"),
            Just("1 || x"),
            Just("^ 1.2"),
            Just("1 -2"),
            Just("a\nb"),
            Just("0.1\n"),
            Just("ü"),
            Just("1.2.3+b-01"),
            Just("> 1.x"),
            Just("=1"),
            Just(" 1"),
            Just("1|| 2 "),
            Just("\u{1f600}"),
        ]
        .prop_map(Value::from),
        Just(json!([])),
        Just(json!([null])),
        Just(json!({})),
        Just(json!({ "kind": "custom", "name": "n" })),
        Just(json!({ "by": "semantic", "role": "x.vendor.word" })),
        Just(json!({ "ref": "r", "fallback": "f" })),
        Just(json!({ "default": "d", "byLocale": { "de": "d" } })),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        index().prop_map(Damage::Remove),
        (index(), odd_value()).prop_map(|(at, value)| Damage::Replace(at, value)),
        (index(), index()).prop_map(|(at, letter)| Damage::Misspell(at, letter)),
        (index(), prop_oneof![Just(127_usize), Just(128), Just(129), Just(300)])
            .prop_map(|(at, length)| Damage::Lengthen(at, length)),
        (index(), index()).prop_map(|(from, to)| Damage::Graft(from, to)),
        (index(), index()).prop_map(|(from, to)| Damage::Rename(from, to)),
        index().prop_map(Damage::Repeat),
        (index(), odd_value()).prop_map(|(at, value)| Damage::Insert(at, value)),
    ]
}

/// The pointers of all values, the document itself aside.
fn places(document: &Value) -> Vec<String> {
    fn walk(value: &Value, pointer: &str, places: &mut Vec<String>) {
        let mut visit = |token: &str, child: &Value| {
            let pointer = format!("{pointer}/{}", token.replace('~', "~0").replace('/', "~1"));
            walk(child, &pointer, places);
            places.push(pointer);
        };
        match value {
            Value::Object(members) => members.iter().for_each(|(name, child)| visit(name, child)),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(at, child)| visit(&at.to_string(), child));
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk(document, "", &mut all);
    all
}

fn objects_mut(document: &mut Value, at: Index) -> Option<&mut Map<String, Value>> {
    let mut all: Vec<String> = places(document)
        .into_iter()
        .filter(|place| document.pointer(place).is_some_and(Value::is_object))
        .collect();
    all.push(String::new());
    document.pointer_mut(at.get(all.as_slice()).as_str()).and_then(Value::as_object_mut)
}

fn apply(damage: &Damage, document: &mut Value) {
    let all = places(document);
    if all.is_empty() {
        return;
    }
    let last =
        |place: &str| place.rsplit_once('/').map(|(parent, name)| (parent.to_owned(), name.to_owned()));
    match damage {
        Damage::Remove(at) => {
            let Some((parent, name)) = last(at.get(all.as_slice()).as_str()) else { return };
            match document.pointer_mut(&parent) {
                Some(Value::Object(members)) => {
                    members.remove(&name.replace("~1", "/").replace("~0", "~"));
                }
                Some(Value::Array(items)) => drop(name.parse().map(|at: usize| items.remove(at))),
                _ => {}
            }
        }
        Damage::Replace(at, value) => {
            if let Some(slot) = document.pointer_mut(at.get(all.as_slice()).as_str()) {
                *slot = value.clone();
            }
        }
        Damage::Misspell(at, letter) => {
            if let Some(Value::String(text)) = document.pointer_mut(at.get(all.as_slice()).as_str()) {
                let letters: Vec<char> = text.chars().collect();
                if !letters.is_empty() {
                    let wrong = letter.index(letters.len());
                    let spelt =
                        letters.iter().enumerate().map(|(at, kept)| if at == wrong { 'Q' } else { *kept });
                    *text = spelt.collect();
                }
            }
        }
        Damage::Lengthen(at, length) => {
            if let Some(Value::String(text)) = document.pointer_mut(at.get(all.as_slice()).as_str()) {
                *text = "ä".repeat(*length);
            }
        }
        Damage::Graft(from, to) => {
            let place = from.get(all.as_slice()).as_str();
            let value = document.pointer(place).cloned().unwrap_or_default();
            let Some((_, name)) = last(place) else { return };
            if let Some(members) = objects_mut(document, *to) {
                members.insert(name, value);
            }
        }
        Damage::Rename(from, to) => {
            let Some((_, name)) = last(from.get(all.as_slice()).as_str()) else { return };
            if let Some(members) = objects_mut(document, *to)
                && let Some(old) = members.keys().next().cloned()
            {
                let value = members.remove(&old).unwrap_or_default();
                members.insert(name, value);
            }
        }
        Damage::Repeat(at) => {
            if let Some(Value::Array(items)) = document.pointer_mut(at.get(all.as_slice()).as_str())
                && let Some(first) = items.first().cloned()
            {
                items.push(first);
            }
        }
        Damage::Insert(at, value) => {
            if let Some(Value::Array(items)) = document.pointer_mut(at.get(all.as_slice()).as_str()) {
                items.push(value.clone());
            }
        }
    }
}

/// The same numbers for the same `PROPTEST_CASES`, whatever the machine.
fn runner() -> TestRunner {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn what_the_decoder_accepts_the_schema_accepts() {
    let world = world();
    let strategy = (any::<Index>(), proptest::collection::vec(damage(), 1..=3));
    let outcome = runner().run(&strategy, |(which, damages)| {
        let (kind, sound) = which.get(&world.documents);
        let mut document = sound.clone();
        for damage in &damages {
            apply(damage, &mut document);
        }
        let (written_back, _) = kind.inspect(&Node::from_json(&document));
        if written_back.is_some() {
            let schema = world.schemas.get(kind.name()).expect("a schema");
            let wrong: Vec<_> = schema
                .iter_errors(&document)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            prop_assert!(wrong.is_empty(), "accepted as {} but: {wrong:#?}\n{document:#}", kind.name());
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn what_is_accepted_and_written_back_is_accepted_again_and_stays_the_same() {
    let world = world();
    let strategy = (any::<Index>(), proptest::collection::vec(damage(), 1..=3));
    let outcome = runner().run(&strategy, |(which, damages)| {
        let (kind, sound) = which.get(&world.documents);
        let mut document = sound.clone();
        for damage in &damages {
            apply(damage, &mut document);
        }
        if let (Some(once), _) = kind.inspect(&Node::from_json(&document)) {
            let (twice, findings) = kind.inspect(&Node::from_json(&once));
            prop_assert_eq!(twice.as_ref(), Some(&once), "{:?}", findings);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
