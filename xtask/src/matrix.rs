//! The conformance matrix: which requirement is proved by which test.
//!
//! Start at [`run`]. Requirements come from `conformance/` ([`catalogue`]), claims from the tests ([`claims`]); the
//! [`report`] joins them, and [`page`] writes them down for readers.

mod catalogue;
mod claims;
mod page;
mod report;

use std::fs;
use std::io::{self, Write as _};

use anyhow::{Context, bail};
use clap::ValueEnum;

use crate::table;
use crate::workspace::Workspace;
use catalogue::Catalogue;
use report::{Counts, Matrix};

const PAGE: &str = "docs/conformance.md";

/// Options of `cargo xtask matrix`.
#[derive(clap::Args)]
#[command(after_help = "\
A Rust test claims requirements with `uiap_testkit::proves![\"CAP-4-1\"];`, a case with `proves: [CAP-4-1]`,
a TypeScript test with a line `// proves: CAP-4-1`. See conformance/README.md.

Examples:
  cargo xtask matrix                 print the numbers and write docs/conformance.md
  cargo xtask matrix --check         fail if docs/conformance.md is not up to date
  cargo xtask matrix --format json   every requirement with its tests, on standard output; writes nothing")]
pub(crate) struct Args {
    /// Write nothing; fail if docs/conformance.md would change.
    #[arg(long)]
    pub(crate) check: bool,
    /// What to print. `json` writes no file.
    #[arg(long, value_enum, default_value_t = Format::Human, conflicts_with = "check")]
    pub(crate) format: Format,
}

/// How the matrix is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table of numbers.
    Human,
    /// One object per requirement.
    Json,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let matrix = collect(workspace)?;
    match args.format {
        Format::Json => write_out(&(serde_json::to_string_pretty(matrix.entries())? + "\n"))?,
        Format::Human => {
            let shown = if args.check { one_line(&matrix) } else { table_of_numbers(&matrix) };
            write_out(&shown)?;
            update_page(workspace, &page::render(&matrix), args.check)?;
        }
    }
    Ok(())
}

/// A long answer is often read through `head`; a reader that has seen enough is no error.
fn write_out(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Reads requirements and claims; a wrong claim is an error that names every wrong claim.
fn collect(workspace: &Workspace) -> anyhow::Result<Matrix> {
    let catalogue = Catalogue::load(workspace)?;
    let (claims, mut problems) = claims::find(&workspace.files()?);
    problems.extend(catalogue.problems_of(&claims));
    if problems.is_empty() {
        return Ok(Matrix::new(catalogue, claims));
    }
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    bail!("{} claims are wrong", problems.len())
}

fn update_page(workspace: &Workspace, wanted: &str, check: bool) -> anyhow::Result<()> {
    let path = workspace.path(PAGE);
    let current = fs::read_to_string(&path).unwrap_or_default();
    if current == wanted {
        println!("{PAGE} is up to date.");
        return Ok(());
    }
    if check {
        bail!("{PAGE} is not up to date; run `cargo xtask matrix` and commit the result");
    }
    fs::create_dir_all(workspace.path("docs"))?;
    fs::write(&path, wanted).with_context(|| format!("{PAGE} could not be written"))?;
    println!("{PAGE} written.");
    Ok(())
}

/// Enough for a check, which is about the page and not about the numbers.
fn one_line(matrix: &Matrix) -> String {
    let counts: Counts = matrix.entries().iter().map(Counts::of).sum();
    let [total, covered, not_covered, not_applicable] = counts.columns();
    format!(
        "{total} requirements: {covered} covered, {not_covered} not covered, {not_applicable} not applicable\n"
    )
}

fn table_of_numbers(matrix: &Matrix) -> String {
    let mut rows = Vec::new();
    for (spec, levels) in matrix.counts() {
        rows.push(row(&spec, "all", levels.iter().map(|(_, counts)| *counts).sum()));
        rows.extend(levels.iter().map(|(level, counts)| row("", level, *counts)));
    }
    rows.push(row("total", "all", matrix.entries().iter().map(Counts::of).sum()));
    table::render(&["Specification", "Level", "Total", "Covered", "Not covered", "Not applicable"], &rows)
}

fn row(spec: &str, level: &str, counts: Counts) -> Vec<String> {
    let numbers = counts.columns().map(|number| number.to_string());
    [spec.to_owned(), level.to_owned()].into_iter().chain(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_own_claims_are_right() {
        collect(&Workspace::find().unwrap()).unwrap();
    }

    #[test]
    fn numbers_are_given_per_specification_and_level() {
        insta::assert_snapshot!(table_of_numbers(&report::sample()), @"
        Specification           Level  Total  Covered  Not covered  Not applicable
        ----------------------  -----  -----  -------  -----------  --------------
        Capability Model (CAP)  all        3        1            1               1
                                MUST       2        1            1               0
                                DEF        1        0            0               1
        total                   all        3        1            1               1
        ");
    }
}
