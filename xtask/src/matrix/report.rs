//! Requirements joined with the claims of the tests.
//!
//! Start at [`Matrix`].

use std::collections::BTreeMap;
use std::iter::Sum;

use serde::Serialize;

use super::catalogue::{Catalogue, LEVELS, Spec};
use super::claims::Claim;

/// Every requirement with its status.
#[derive(Debug)]
pub(crate) struct Matrix {
    entries: Vec<Entry>,
    /// Key, title and source of each specification, in order.
    specs: Vec<(String, String, String)>,
}

/// One requirement, as `--format json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) spec: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) section: Option<String>,
    pub(crate) level: String,
    pub(crate) text: String,
    #[serde(flatten)]
    pub(crate) status: Status,
}

/// What is known about a requirement.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum Status {
    Covered { tests: Vec<String> },
    NotCovered,
    NotApplicable { reason: String },
}

/// How many requirements have which status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    covered: usize,
    not_covered: usize,
    not_applicable: usize,
}

impl Matrix {
    pub(crate) fn new(catalogue: Catalogue, claims: Vec<Claim>) -> Self {
        let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for claim in claims {
            tests.entry(claim.id).or_default().push(claim.test);
        }
        let mut reasons = catalogue.not_applicable;
        let mut matrix = Self { entries: Vec::new(), specs: Vec::new() };
        for Spec { key, title, source, requirements } in catalogue.specs {
            for requirement in requirements {
                let status = status(tests.remove(&requirement.id), reasons.remove(&requirement.id));
                let (id, section) = (requirement.id, requirement.section);
                let (level, text) = (requirement.level, requirement.text);
                matrix.entries.push(Entry { id, spec: key.clone(), section, level, text, status });
            }
            matrix.specs.push((key, title, source));
        }
        matrix
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Key, title and source of each specification.
    pub(crate) fn specs(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.specs.iter().map(|(key, title, source)| (key.as_str(), title.as_str(), source.as_str()))
    }

    pub(crate) fn entries_of(&self, spec: &str) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.spec == spec)
    }

    /// The numbers per specification and level; levels that do not occur are left out.
    pub(crate) fn counts(&self) -> Vec<(String, Vec<(&'static str, Counts)>)> {
        self.specs().map(|(key, title, _)| (format!("{title} ({key})"), self.counts_of(key))).collect()
    }

    pub(crate) fn counts_of(&self, spec: &str) -> Vec<(&'static str, Counts)> {
        let count = |level: &'static str| {
            let counts: Counts =
                self.entries_of(spec).filter(|entry| entry.level == level).map(Counts::of).sum();
            (level, counts)
        };
        LEVELS.into_iter().map(count).filter(|(_, counts)| *counts != Counts::default()).collect()
    }
}

fn status(tests: Option<Vec<String>>, reason: Option<String>) -> Status {
    match (tests, reason) {
        (_, Some(reason)) => Status::NotApplicable { reason },
        (Some(tests), None) => Status::Covered { tests },
        (None, None) => Status::NotCovered,
    }
}

impl Counts {
    pub(crate) fn of(entry: &Entry) -> Self {
        let mut counts = Self::default();
        match entry.status {
            Status::Covered { .. } => counts.covered = 1,
            Status::NotCovered => counts.not_covered = 1,
            Status::NotApplicable { .. } => counts.not_applicable = 1,
        }
        counts
    }

    /// Total, covered, not covered, not applicable.
    pub(crate) fn columns(self) -> [usize; 4] {
        let total = self.covered + self.not_covered + self.not_applicable;
        [total, self.covered, self.not_covered, self.not_applicable]
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |a, b| Self {
            covered: a.covered + b.covered,
            not_covered: a.not_covered + b.not_covered,
            not_applicable: a.not_applicable + b.not_applicable,
        })
    }
}

/// Three requirements, one of each status.
#[cfg(test)]
pub(super) fn sample() -> Matrix {
    use super::catalogue::Requirement;

    let requirement = |id: &str, level: &str, text: &str| Requirement {
        id: id.to_owned(),
        section: (id == "CAP-1").then(|| "2 General rules".to_owned()),
        level: level.to_owned(),
        text: text.to_owned(),
    };
    let requirements = vec![
        requirement("CAP-1", "MUST", "Values are `a|b`."),
        requirement("CAP-2", "MUST", "It works."),
        requirement("CAP-3", "DEF", "A premise."),
    ];
    let (title, source) = ("Capability Model".to_owned(), "published in full".to_owned());
    let specs = vec![Spec { key: "CAP".to_owned(), title, source, requirements }];
    let reasons = BTreeMap::from([("CAP-3".to_owned(), "Nothing to test.".to_owned())]);
    let claims = vec![
        Claim::new("CAP-1", "uiap-protocol tests::b", "b.rs", 2),
        Claim::new("CAP-1", "spec/cases/a.yaml", "a", 1),
    ];
    Matrix::new(Catalogue::new(specs, reasons).unwrap(), claims)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_gives_each_id_its_tests_or_its_reason() {
        insta::assert_snapshot!(serde_json::to_string_pretty(sample().entries()).unwrap(), @r#"
        [
          {
            "id": "CAP-1",
            "spec": "CAP",
            "section": "2 General rules",
            "level": "MUST",
            "text": "Values are `a|b`.",
            "status": "covered",
            "tests": [
              "uiap-protocol tests::b",
              "spec/cases/a.yaml"
            ]
          },
          {
            "id": "CAP-2",
            "spec": "CAP",
            "level": "MUST",
            "text": "It works.",
            "status": "not_covered"
          },
          {
            "id": "CAP-3",
            "spec": "CAP",
            "level": "DEF",
            "text": "A premise.",
            "status": "not_applicable",
            "reason": "Nothing to test."
          }
        ]
        "#);
    }
}
