//! The matrix as a page for readers: `docs/conformance.md`.

use std::fmt::Write as _;

use super::report::{Counts, Entry, Matrix, Status};

const INTRODUCTION: &str = "\
# Conformance

<!-- Written by `cargo xtask matrix`; do not edit. -->

Every requirement of the specifications, and the tests that prove it. How a test claims a requirement, and what the
levels mean: [conformance/README.md](../conformance/README.md).
";

/// The whole page.
pub(crate) fn render(matrix: &Matrix) -> String {
    let mut page = INTRODUCTION.to_owned();
    section(&mut page, "## Numbers", &numbers(matrix));
    for (key, title, source) in matrix.specs() {
        let _ = write!(page, "\n## {title} ({key})\n\nSource: {source}.\n");
        section(&mut page, "### Covered", &covered(matrix, key));
        section(&mut page, "### Not covered", &not_covered(matrix, key));
        section(&mut page, "### Not applicable", &not_applicable(matrix, key));
    }
    page
}

/// Rows of a Markdown table, the first of them the header.
type Rows = Vec<Vec<String>>;

fn section(page: &mut String, heading: &str, rows: &Rows) {
    // A header alone says nothing.
    if rows.len() < 2 {
        return;
    }
    let _ = write!(page, "\n{heading}\n\n");
    for (index, row) in rows.iter().enumerate() {
        let _ = writeln!(page, "| {} |", row.join(" | "));
        if index == 0 {
            let _ = writeln!(page, "|{}", "---|".repeat(row.len()));
        }
    }
}

fn header(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&cell| cell.to_owned()).collect()
}

fn numbers(matrix: &Matrix) -> Rows {
    let mut rows =
        vec![header(&["Specification", "Level", "Total", "Covered", "Not covered", "Not applicable"])];
    let row = |spec: &str, level: &str, counts: Counts| {
        let numbers = counts.columns().map(|number| number.to_string());
        [spec.to_owned(), level.to_owned()].into_iter().chain(numbers).collect()
    };
    for (spec, levels) in matrix.counts() {
        rows.extend(levels.into_iter().map(|(level, counts)| row(&spec, level, counts)));
    }
    rows.push(row("**total**", "", matrix.entries().iter().map(Counts::of).sum()));
    rows
}

fn covered(matrix: &Matrix, spec: &str) -> Rows {
    let row = |entry: &Entry| match &entry.status {
        Status::Covered { tests } => {
            let tests = tests.iter().map(|test| format!("`{}`", escaped(test))).collect::<Vec<_>>();
            Some(with_last(entry, tests.join("<br>")))
        }
        _ => None,
    };
    rows_of(matrix, spec, "Tests", row)
}

fn not_covered(matrix: &Matrix, spec: &str) -> Rows {
    let first = header(&["Id", "Level", "Requirement"]);
    let entries = matrix.entries_of(spec).filter(|entry| matches!(entry.status, Status::NotCovered));
    std::iter::once(first).chain(entries.map(cells)).collect()
}

fn not_applicable(matrix: &Matrix, spec: &str) -> Rows {
    let row = |entry: &Entry| match &entry.status {
        Status::NotApplicable { reason } => Some(with_last(entry, escaped(reason))),
        _ => None,
    };
    rows_of(matrix, spec, "Reason", row)
}

fn rows_of(matrix: &Matrix, spec: &str, last: &str, row: impl Fn(&Entry) -> Option<Vec<String>>) -> Rows {
    let first = header(&["Id", "Level", "Requirement", last]);
    std::iter::once(first).chain(matrix.entries_of(spec).filter_map(row)).collect()
}

fn with_last(entry: &Entry, last: String) -> Vec<String> {
    let mut row = cells(entry);
    row.push(last);
    row
}

fn cells(entry: &Entry) -> Vec<String> {
    let section =
        entry.section.as_ref().map(|section| format!("*{}:* ", escaped(section))).unwrap_or_default();
    vec![entry.id.clone(), entry.level.clone(), format!("{section}{}", escaped(&entry.text))]
}

/// A bar would end the cell, also inside code.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::super::report::sample;
    use super::*;

    #[test]
    fn the_page_lists_tests_gaps_and_reasons() {
        let page = render(&sample());
        let (_, after_introduction) = page.split_once("README.md).\n").unwrap();
        insta::assert_snapshot!(after_introduction, @r"
        ## Numbers

        | Specification | Level | Total | Covered | Not covered | Not applicable |
        |---|---|---|---|---|---|
        | Capability Model (CAP) | MUST | 2 | 1 | 1 | 0 |
        | Capability Model (CAP) | DEF | 1 | 0 | 0 | 1 |
        | **total** |  | 3 | 1 | 1 | 1 |

        ## Capability Model (CAP)

        Source: published in full.

        ### Covered

        | Id | Level | Requirement | Tests |
        |---|---|---|---|
        | CAP-1 | MUST | *2 General rules:* Values are `a\|b`. | `uiap-protocol tests::b`<br>`spec/cases/a.yaml` |

        ### Not covered

        | Id | Level | Requirement |
        |---|---|---|
        | CAP-2 | MUST | It works. |

        ### Not applicable

        | Id | Level | Requirement | Reason |
        |---|---|---|---|
        | CAP-3 | DEF | A premise. | Nothing to test. |
        ");
    }
}
