//! Every case under `spec/cases/builds`: a package in, a bundle or findings out.
//!
//! Adding a case is adding an item to a file. A file says `about`, `proves` and `cases`; a case says `what`, what is
//! different from the packages in `spec/packages` (`edit`: file, then a list of `from` and `to`; `add`: file and text;
//! `remove`: files), for what `context` and at what time (`now`) it is built, and what is `expect`ed: `errors`,
//! `warnings` and `hints` (all of them, each as code, place and requirement), what they must have `says` in their
//! messages and helps, or `bundle` (values by pointer) and `absent` (pointers that lead nowhere), likewise `report` and
//! `lock` for what is told about the build. The package that is built is `shop`; `base` may be imported, and so may
//! every other folder that a case adds files to, as `folder//path`. A text in `edit` or `add` that is needed often is
//! an anchor under `texts`.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Map, Value};
use std::path::Path;
use uiap_authoring::{Builder, Folder, Lock, Memory, Outcome, Request, Texts};
use uiap_protocol::authoring::{Admission, BuildContext};
use uiap_protocol::finding::Severity;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::accept;
use uiap_testkit::{CaseResult, check_case_files};

const SHOP: &str = "shop";
/// When cases are built that do not say when.
const NOW: &str = "2026-06-01T00:00:00Z";

/// The packages that every case starts from.
fn packages() -> Memory {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/packages");
    let mut memory = Memory::default();
    for package in ["base", SHOP] {
        put_folder(&root.join(package), package, "", &mut memory);
    }
    memory.offer("base");
    memory
}

fn put_folder(folder: &Path, package: &str, prefix: &str, memory: &mut Memory) {
    for entry in folder.read_dir().expect("a folder").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            put_folder(&entry.path(), package, &format!("{name}/"), memory);
        } else {
            memory.put(package, &name, std::fs::read(entry.path()).expect("a file"));
        }
    }
}

/// The folder and the path of a file: of the shop, unless it names another folder.
fn file(name: &str) -> (&str, &str) {
    name.split_once("//").unwrap_or((SHOP, name))
}

fn changed(case: &Value) -> Memory {
    use uiap_authoring::Sources;
    let mut memory = packages();
    for name in case.get("remove").and_then(Value::as_array).into_iter().flatten() {
        let (folder, path) = file(name.as_str().expect("a name"));
        assert!(memory.remove(folder, path), "{path} is not there to be removed");
    }
    for (name, edits) in case.get("edit").and_then(Value::as_object).unwrap_or(&Map::new()) {
        let (folder, path) = file(name);
        let bytes = memory.read(&Folder::new(folder), path).expect("a file that is edited");
        let mut text = String::from_utf8(bytes).expect("text");
        for edit in edits.as_array().expect("a list of edits") {
            let part = |name: &str| edit.get(name).and_then(Value::as_str).expect("from and to");
            let from = part("from");
            assert_eq!(text.matches(from).count(), 1, "{path}: {from:?} must be there once");
            text = text.replace(from, part("to"));
        }
        memory.put(folder, path, text);
    }
    for (name, text) in case.get("add").and_then(Value::as_object).unwrap_or(&Map::new()) {
        let (folder, path) = file(name);
        memory.put(folder, path, text.as_str().expect("the text of a file"));
        if folder != SHOP {
            memory.offer(folder);
        }
    }
    memory
}

fn build(case: &Value) -> Outcome {
    let context = case.get("context").cloned().unwrap_or_else(|| Value::Object(Map::new()));
    let context: BuildContext = accept(&Node::from_json(&context)).expect("a context");
    let now = case.get("now").and_then(Value::as_str).unwrap_or(NOW);
    let lock =
        case.get("lock").map(|lock| Lock::read(&lock.to_string()).expect("a lock")).unwrap_or_default();
    let request =
        Request { folder: Folder::new(SHOP), context, now: Timestamp::new(now).expect("a time"), lock };
    let texts = Texts::default();
    Builder::new(&texts).build(&request, &changed(case))
}

/// What was found of one severity, each as `code file:line requirement`.
fn found(outcome: &Outcome, severity: Severity) -> Vec<String> {
    let wanted = outcome.diagnostics.iter().filter(|one| one.severity == severity);
    wanted
        .map(|one| {
            let place =
                if one.file.is_empty() { "-".to_owned() } else { format!("{}:{}", one.file, one.line) };
            format!("{} {place} {}", one.code.as_str(), one.requirement.unwrap_or("-"))
        })
        .collect()
}

/// Holds values by pointer against a document.
fn compare_values(name: &str, expect: &Value, document: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (pointer, wanted) in expect.get(name).and_then(Value::as_object).unwrap_or(&Map::new()) {
        let found = document.pointer(pointer);
        if found != Some(wanted) {
            let found = found.map_or_else(|| "nothing".to_owned(), Value::to_string);
            wrong.push(format!("{name} {pointer}: expected {wanted}\n    found    {found}"));
        }
    }
    wrong
}

fn compare(case: &Value, outcome: &Outcome) -> Vec<String> {
    let expect = case.get("expect").expect("what is expected");
    let mut wrong = Vec::new();
    for (name, severity) in
        [("errors", Severity::Error), ("warnings", Severity::Warning), ("hints", Severity::Hint)]
    {
        let wanted: Vec<&str> = expect
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let found = found(outcome, severity);
        if found != wanted {
            let told: Vec<_> =
                outcome.diagnostics.iter().map(|one| format!("      {}", one.message)).collect();
            wrong.push(format!("{name}: expected {wanted:?}\n    found    {found:?}\n{}", told.join("\n")));
        }
    }
    for wanted in expect.get("says").and_then(Value::as_array).into_iter().flatten() {
        let wanted = wanted.as_str().expect("a part of a message");
        let mut told = outcome.diagnostics.iter().flat_map(|one| [Some(&one.message), one.help.as_ref()]);
        if !told.any(|told| told.is_some_and(|told| told.contains(wanted))) {
            let told: Vec<_> = outcome.diagnostics.iter().map(|one| (&one.message, &one.help)).collect();
            wrong.push(format!("nothing says {wanted:?}: {told:#?}"));
        }
    }
    let report = serde_json::to_value(&outcome.report).expect("JSON");
    wrong.extend(compare_values("report", expect, &report));
    let is_refused = !found(outcome, Severity::Error).is_empty();
    assert_eq!(outcome.built.is_none(), is_refused, "a bundle comes out if and only if there is no error");
    let Some(built) = &outcome.built else {
        let is_expected = ["errors", "bundle", "absent", "lock"].map(|name| expect.get(name).is_some());
        if is_expected != [true, false, false, false] && wrong.is_empty() {
            wrong.push("a refused build has errors, and neither bundle nor lock".to_owned());
        }
        return wrong;
    };
    let bundle: Value = serde_json::from_str(&built.text).expect("JSON");
    let admission =
        Admission { profile: "web@0.1", extensions: &["uiap.policy", "uiap.workflow"], trusted: &[] };
    if let Err(error) = admission.admit(bundle.as_object().expect("an object"), None) {
        wrong.push(format!("the bundle is not admitted: {error:?}"));
    }
    wrong.extend(compare_values("bundle", expect, &bundle));
    let lock = serde_json::to_value(&built.lock).expect("JSON");
    wrong.extend(compare_values("lock", expect, &lock));
    for pointer in expect.get("absent").and_then(Value::as_array).into_iter().flatten() {
        let pointer = pointer.as_str().expect("a pointer");
        if let Some(value) = bundle.pointer(pointer) {
            wrong.push(format!("{pointer} is there: {value}"));
        }
    }
    wrong
}

fn builds(path: &Path) -> CaseResult {
    let text = std::fs::read_to_string(path)?;
    let file = read(&text, Format::Yaml, Limits::DOCUMENT)?.to_json();
    let cases = file.get("cases").and_then(Value::as_array).ok_or("no cases")?;
    let mut wrong = Vec::new();
    for case in cases {
        let what =
            case.get("what").and_then(Value::as_str).unwrap_or_else(|| panic!("a case says what it is"));
        let differences = compare(case, &build(case));
        wrong.extend(differences.into_iter().map(|difference| format!("{what}:\n    {difference}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn every_package_of_a_case_builds_as_the_case_says() {
    check_case_files("builds", builds);
}
