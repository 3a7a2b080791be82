//! What the tests say they prove.
//!
//! Start at [`find`]. Rust tests, data cases and scripts claim in their own ways; each has a reader of its own.

mod cases;
mod rust;
mod script;

use std::fmt;

use crate::workspace::SourceFile;

/// One test says that it proves one requirement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim {
    pub(crate) id: String,
    /// The test's name, or the path of its case.
    pub(crate) test: String,
    file: String,
    line: usize,
}

/// A claim that cannot stand, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    file: String,
    line: usize,
    message: String,
}

impl Claim {
    pub(crate) fn new(id: &str, test: &str, file: &str, line: usize) -> Self {
        Self { id: id.to_owned(), test: test.to_owned(), file: file.to_owned(), line }
    }

    /// Something is wrong with this claim.
    pub(crate) fn problem(&self, message: String) -> Problem {
        Problem { file: self.file.clone(), line: self.line, message }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Reads all claims in the project's files.
pub(crate) fn find(files: &[SourceFile]) -> (Vec<Claim>, Vec<Problem>) {
    let mut found = Found::default();
    for file in files {
        if let Some(reader) = reader_of(file) {
            reader(file, &mut found);
        }
    }
    found.claims.sort();
    found.claims.dedup_by(|a, b| a.id == b.id && a.test == b.test);
    (found.claims, found.problems)
}

/// What the readers hand back.
#[derive(Debug, Default)]
struct Found {
    claims: Vec<Claim>,
    problems: Vec<Problem>,
}

impl Found {
    fn problem(&mut self, file: &SourceFile, line: usize, message: impl Into<String>) {
        self.problems.push(Problem { file: file.path.clone(), line, message: message.into() });
    }
}

type Reader = fn(&SourceFile, &mut Found);

/// Which reader understands a file, if claims are looked for in it at all.
fn reader_of(file: &SourceFile) -> Option<Reader> {
    let rust_root = file.is_under("crates") || file.is_under("examples") || file.is_under("xtask");
    let script_root = file.is_under("web") || file.is_under("examples");
    match file.extension() {
        "yaml" | "yml" if file.is_under("spec/cases") => Some(cases::read_yaml),
        "json" if file.is_under("spec/cases") => Some(cases::read_json),
        "rs" if rust_root => Some(rust::read),
        "ts" | "mjs" | "js" if script_root => Some(script::read),
        _ => None,
    }
}

/// Turns one file into `id <- test` lines and problems, for the tests of the readers.
#[cfg(test)]
fn read_as_text(path: &str, text: &str) -> String {
    let (claims, problems) = find(&[SourceFile { path: path.to_owned(), text: text.to_owned() }]);
    let claims = claims.iter().map(|claim| format!("{} <- {}", claim.id, claim.test));
    claims.chain(problems.iter().map(ToString::to_string)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_looked_for_only_where_tests_live() {
        let claim = "proves: [CAP-4-1]\n";
        assert_eq!(read_as_text("spec/cases/cap/role.yaml", claim), "CAP-4-1 <- spec/cases/cap/role.yaml");
        assert_eq!(read_as_text("examples/videoland/uiap/app.uiap.yaml", claim), "");
        assert_eq!(read_as_text("docs/guide.js", "// proves: CAP-4-1"), "");
    }

    #[test]
    fn the_same_claim_twice_in_a_test_counts_once() {
        assert_eq!(read_as_text("spec/cases/a.yaml", "proves: [A-1, A-1]\n"), "A-1 <- spec/cases/a.yaml");
    }
}
