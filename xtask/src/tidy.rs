//! The rules of the house that no compiler checks.
//!
//! Start at [`run`]. Each rule is a function over data (the files, the dependencies) that hands back findings.

mod directions;
mod map;
mod paths;
mod purity;
mod size;
mod words;

use std::fmt;

use anyhow::bail;

use crate::workspace::{SourceFile, Workspace};
use directions::Package;

/// Something a rule has found.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    severity: Severity,
    /// A file, with its line where there is one, or a crate.
    place: String,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Severity {
    Warning,
    Error,
}

impl Finding {
    fn error(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, place: place.into(), message: message.into() }
    }

    fn warning(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}: {}", self.place, self.message)
    }
}

pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let files = workspace.files()?;
    let packages = directions::packages(workspace)?;
    let findings = check(&files, &packages);
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let warnings = findings.len() - errors;
    println!("{} files and {} crates: {errors} errors, {warnings} warnings", files.len(), packages.len());
    if errors > 0 {
        bail!("{errors} rules of the house are broken");
    }
    Ok(())
}

fn check(files: &[SourceFile], packages: &[Package]) -> Vec<Finding> {
    let mut findings = directions::check(packages);
    findings.extend(size::check(files));
    findings.extend(words::check(files));
    findings.extend(paths::check(files));
    findings.extend(purity::check(files));
    findings.extend(map::check(files, packages));
    findings
}

/// Findings as lines, for the tests of the rules.
#[cfg(test)]
fn shown(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}
