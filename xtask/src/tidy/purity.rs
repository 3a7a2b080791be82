//! Pure crates do not reach for the outside world through the standard library either.

use super::Finding;
use crate::workspace::SourceFile;

const PURE: [&str; 3] =
    ["crates/uiap-protocol/src/", "crates/uiap-policy/src/", "crates/uiap-authoring/src/"];

const OUTSIDE: [&str; 9] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::time::{",
];

/// Names that a foreign trait demands, where nothing is read or written: `serde_json` has its formatters name a writer.
const DEMANDED: [(&str, &str); 1] = [("crates/uiap-protocol/src/canonical/written.rs", "std::io")];

pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let pure = files.iter().filter(|file| PURE.iter().any(|folder| file.path.starts_with(folder)));
    pure.flat_map(findings_in).collect()
}

fn findings_in(file: &SourceFile) -> Vec<Finding> {
    let lines = file.text.lines().zip(1_usize..);
    let hits = lines.flat_map(|(line, number)| {
        let is_demanded = |name: &str| DEMANDED.contains(&(file.path.as_str(), name));
        let named = OUTSIDE.iter().filter(move |name| line.contains(**name) && !is_demanded(name));
        named.map(move |name| (number, name))
    });
    let message = |name| format!("names `{name}`; this crate is pure: no input or output, no clock, no task");
    hits.map(|(number, name)| Finding::error(format!("{}:{number}", file.path), message(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{file, shown};
    use super::*;

    #[test]
    fn a_pure_crate_has_no_clock() {
        let text = "fn now() {\n    std::time::SystemTime::now();\n}\n";
        let expected = "error: crates/uiap-policy/src/lib.rs:2: names `std::time::SystemTime`; \
                        this crate is pure: no input or output, no clock, no task";
        assert_eq!(shown(&check(&[file("crates/uiap-policy/src/lib.rs", text)])), expected);
    }

    #[test]
    fn other_crates_and_tests_may_look_outside() {
        let text = "std::fs::read(path)";
        assert_eq!(shown(&check(&[file("crates/uiap/src/main.rs", text)])), "");
        assert_eq!(shown(&check(&[file("crates/uiap-protocol/tests/a.rs", text)])), "");
    }
}
