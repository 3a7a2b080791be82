//! Every requirement that the source cites exists in `conformance/requirements`.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn known() -> BTreeSet<String> {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/requirements"), "json", &mut paths);
    let ids = paths.iter().flat_map(|path| {
        let list: Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
        let rows = list.get("requirements").and_then(Value::as_array).cloned().unwrap_or_default();
        rows.into_iter().filter_map(|row| row.get("id")?.as_str().map(str::to_owned))
    });
    ids.collect()
}

/// Whether a text in quotes has the form of a requirement id, such as `CAP-4-1` or `AUT-5.10-1`.
fn looks_like_an_id(text: &str) -> bool {
    let mut parts = text.split('-');
    let specification = ["CORE", "CAP", "WEB", "ACT", "POL", "SDK", "WF", "DSC", "AUT", "CNF", "BND", "EXE"];
    parts.next().is_some_and(|first| specification.contains(&first)) && parts.next().is_some()
}

#[test]
fn every_requirement_the_source_cites_exists() {
    let known = known();
    assert!(known.len() > 800, "{} requirements are listed", known.len());
    let mut sources = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "rs", &mut sources);
    let mut cited: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in sources {
        let source = std::fs::read_to_string(&path).expect("a source file");
        let quoted = source.split('"').filter(|text| looks_like_an_id(text));
        quoted.for_each(|id| drop(cited.insert(id.to_owned(), path.clone())));
    }
    assert!(cited.len() > 60, "{} requirements are cited", cited.len());
    let unknown: Vec<_> = cited.iter().filter(|(id, _)| !known.contains(*id)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
