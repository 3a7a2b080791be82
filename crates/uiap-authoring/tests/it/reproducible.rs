//! The same package gives the same bytes, however its files are written and wherever they lie.
//!
//! Every round writes the shop and what it imports anew: members in another order, YAML in blocks, YAML in flow or
//! JSON, lines that end in one way or the other, other paths, other folders, other packages beside them, and offers
//! the folders in another order. `UIAP_BUILDS` says how many rounds, `UIAP_SEED` where to begin.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use crate::dice::{Dice, number};
use crate::packages::{SourceFile, build, files, put};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use uiap_authoring::{Built, Folder, Memory, Origins, Outcome, Sources, Unreadable};
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::text::{Format, Limits, read};
use uiap_testkit::proves;

/// Rounds of the usual test run.
const ROUNDS: u64 = 60;

/// Writes a value as JSON, with the members of objects in any order.
fn write_json(value: &Value, dice: &mut Dice) -> String {
    match value {
        Value::Object(members) => {
            let members = shuffled(members, dice);
            let members: Vec<_> = members
                .into_iter()
                .map(|(name, value)| format!("{}: {}", json!(name), write_json(value, dice)))
                .collect();
            format!("{{{}}}", members.join(",\n "))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| write_json(item, dice)).collect();
            format!("[{}]", items.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// Writes a value as YAML in blocks, with the members of objects in any order and comments between them.
fn write_yaml(value: &Value, depth: usize, text: &mut String, dice: &mut Dice) {
    let indent = "  ".repeat(depth);
    let is_inline = |value: &Value| match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    let mut entry = |lead: String, value: &Value, dice: &mut Dice| {
        if dice.below(8) == 0 {
            writeln!(text, "{indent}# a remark").expect("memory");
        }
        if is_inline(value) {
            writeln!(text, "{indent}{lead} {value}").expect("memory");
        } else {
            writeln!(text, "{indent}{lead}").expect("memory");
            write_yaml(value, depth + 1, text, dice);
        }
    };
    match value {
        Value::Object(members) => {
            for (name, value) in shuffled(members, dice) {
                entry(format!("{}:", json!(name)), value, dice);
            }
        }
        Value::Array(items) => {
            for item in items {
                entry("-".to_owned(), item, dice);
            }
        }
        scalar => panic!("{scalar} is no document"),
    }
}

fn shuffled<'m>(members: &'m Map<String, Value>, dice: &mut Dice) -> Vec<(&'m String, &'m Value)> {
    let mut members: Vec<_> = members.iter().collect();
    dice.shuffle(&mut members);
    members
}

/// The files of a package, written in another way and at other paths.
fn rewritten(files: &[SourceFile], dice: &mut Dice) -> Vec<SourceFile> {
    let mut written = Vec::new();
    let mut paths = Map::new();
    let is_package = |file: &SourceFile| file.path.starts_with("package.uiap.");
    let (package, manifests): (Vec<_>, Vec<_>) = files.iter().partition(|file| is_package(file));
    for (number, file) in manifests.into_iter().enumerate() {
        let document = read(&file.text, Format::Yaml, Limits::DOCUMENT).expect("YAML").to_json();
        let (text, extension) = written_anew(&document, dice);
        let folder = ["", "manifests/", "a/b/c/"].get(dice.below(3)).expect("one of three");
        let path = format!("{folder}{number}.uiap.{extension}");
        paths.insert(file.path.clone(), json!(path));
        written.push(SourceFile { path, text });
    }
    for file in package {
        let mut document = read(&file.text, Format::Yaml, Limits::DOCUMENT).expect("YAML").to_json();
        let listed =
            document.pointer_mut("/spec/manifests").and_then(Value::as_array_mut).expect("manifests");
        for manifest in listed {
            let path = manifest.get("path").and_then(Value::as_str).expect("a path").to_owned();
            *manifest.get_mut("path").expect("a path") = paths.get(&path).expect("a file").clone();
        }
        let (text, extension) = written_anew(&document, dice);
        written.push(SourceFile { path: format!("package.uiap.{extension}"), text });
    }
    written
}

fn written_anew(document: &Value, dice: &mut Dice) -> (String, &'static str) {
    let (text, extension) = match dice.below(3) {
        0 => (write_json(document, dice), "json"),
        1 => (write_json(document, dice), "yaml"),
        _ => {
            let mut text = String::new();
            write_yaml(document, 0, &mut text, dice);
            (text, "yaml")
        }
    };
    let text = if dice.below(2) == 0 { text.replace('\n', "\r\n") } else { text };
    (text, extension)
}

/// Offers folders in an order of its own, and keeps what was read.
struct Offering {
    memory: Memory,
    folders: Vec<Folder>,
    read: RefCell<BTreeSet<String>>,
}

impl Sources for Offering {
    fn read(&self, folder: &Folder, path: &str) -> Result<Vec<u8>, Unreadable> {
        self.read.borrow_mut().insert(format!("{folder}/{path}"));
        self.memory.read(folder, path)
    }

    fn importable(&self) -> Vec<Folder> {
        self.folders.clone()
    }
}

/// The shop, and around it what a round makes of it.
fn round(seed: u64) -> (Offering, String) {
    let mut dice = Dice(seed);
    let mut memory = Memory::default();
    let mut names = vec!["p", "shop", "checkout/of/somebody", "~x", "Ordner mit Umlaut ä", "zz"];
    dice.shuffle(&mut names);
    let mut folders = Vec::new();
    let (base, shop) = (files("base"), files("shop"));
    let home = names.pop().expect("a name");
    put(&mut memory, home, &rewritten(&shop, &mut dice));
    // The same package may lie in two folders.
    let copy = rewritten(&base, &mut dice);
    for _ in 0..=dice.below(2) {
        let name = names.pop().expect("a name");
        put(&mut memory, name, &copy);
        folders.push(Folder::new(name));
    }
    let other = names.pop().expect("a name");
    memory.put(other, "package.uiap.yaml", "nothing to do with it");
    folders.push(Folder::new(other));
    dice.shuffle(&mut folders);
    (Offering { memory, folders, read: RefCell::default() }, home.to_owned())
}

fn built(outcome: Outcome, what: &str) -> Built {
    outcome.built.unwrap_or_else(|| panic!("{what} does not build: {:#?}", outcome.diagnostics))
}

fn plain() -> Memory {
    let mut memory = Memory::default();
    put(&mut memory, "shop", &files("shop"));
    put(&mut memory, "base", &files("base"));
    memory.offer("base");
    memory
}

/// Where things come from, without lines and without what lines decide.
fn sources_of(built: &Built) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| !["at", "foundAt", "also", "inside"].contains(&name.as_str()));
                if let Some(Value::Object(texts)) = members.get_mut("texts") {
                    texts.values_mut().for_each(|line| *line = Value::Null);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut origins: Value = serde_json::from_str(&built.origins).expect("JSON");
    let files = origins.get("files").and_then(Value::as_array).expect("files").len();
    origins.as_object_mut().expect("an object").insert("files".to_owned(), json!(files));
    strip(&mut origins);
    origins
}

#[test]
fn one_package_has_one_digest_however_it_is_written() {
    proves!["AUT-2-2", "AUT-2-4", "AUT-13-3", "AUT-13-5"];
    let wanted = built(build(&plain(), "shop", ReleaseChannel::Prod), "the shop");
    let mut texts = BTreeSet::new();
    let (first, rounds) = (number("UIAP_SEED", 1), number("UIAP_BUILDS", ROUNDS));
    for seed in first..first + rounds {
        let (sources, home) = round(seed);
        let found = built(build(&sources, &home, ReleaseChannel::Prod), &format!("round {seed}"));
        assert_eq!(found.text, wanted.text, "round {seed} has another bundle");
        assert_eq!(found.digest, wanted.digest, "round {seed} has another digest");
        assert_eq!(sources_of(&found), sources_of(&wanted), "round {seed} has other origins");
        let origins: Origins = serde_json::from_str(&found.origins).expect("origins");
        texts.insert(origins.files.into_iter().map(|file| file.digest).collect::<Vec<_>>());
    }
    assert_eq!(texts.len() as u64, rounds, "every round is written in another way");
}

#[test]
fn a_build_reads_what_the_package_lists_and_nothing_else() {
    proves!["AUT-1-1", "AUT-SEC-4", "AUT-5.10-2"];
    let mut memory = plain();
    memory.put("shop", "discovery/run.discovery.json", "{}");
    memory.put("shop", "actions/unlisted.uiap.yaml", "kind: Actions");
    let sources = Offering { memory, folders: vec![Folder::new("base")], read: RefCell::default() };
    built(build(&sources, "shop", ReleaseChannel::Prod), "the shop");
    let json = ["shop", "base"].map(|folder| format!("{folder}/package.uiap.json"));
    let listed = ["shop", "base"]
        .iter()
        .flat_map(|folder| files(folder).into_iter().map(move |file| format!("{folder}/{}", file.path)));
    assert_eq!(*sources.read.borrow(), listed.chain(json).collect::<BTreeSet<_>>());
}

#[test]
fn decisions_change_what_may_be_published_and_no_content() {
    proves!["AUT-5.9-2"];
    let with = built(build(&plain(), "shop", ReleaseChannel::Staging), "the shop");
    let mut memory = plain();
    let reviews = "apiVersion: uiap.authoring/v0.1\nkind: ReviewSet\nmetadata: {id: reviews.core}\nspec: {decisions: []}\n";
    memory.put("shop", "reviews/core.uiap.yaml", reviews);
    let without = built(build(&memory, "shop", ReleaseChannel::Staging), "the shop");
    assert_eq!(with.text, without.text);
    assert!(build(&memory, "shop", ReleaseChannel::Prod).built.is_none(), "prod asks for the decision");
}
