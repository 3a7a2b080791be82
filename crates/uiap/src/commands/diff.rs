//! `uiap diff`: what changed between two discovery packages.

use super::supplies::Supplies;
use crate::discovering::PACKAGE_ENDING;
use crate::report::{ReportFormat, colour};
use crate::{Outcome, Trouble};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use uiap_discovery::diff::{Change, Class, diff, is_complete};
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_runtime::view::clean;

/// Longest sentence in a line for people, in characters; JSON has all of it.
const CHARS_MAX: usize = 1_000;
/// The shape of the JSON report; it goes up when that changes.
const REPORT_VERSION: u8 = 1;

/// Compare two discovery packages: what vanished, what means something else, what is riskier, what is new
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap diff before/ after/                   what changed between two runs, the gravest first
  uiap diff --format json old.discovery.json new.discovery.json
                                             the same as one JSON object
  uiap diff before/ after/ --fail-on vanished meaning
                                             in CI: only these are a no
  uiap diff admin/ viewer/ --fail-on nothing what two people see differently

Exit code 1 if something changed that --fail-on names: by default everything but what is new. 2 if a package
cannot be read. Times, states and evidence are not compared: they differ when nothing has changed.")]
pub(crate) struct Diff {
    /// The discovery package that is known, or the folder of its run
    old: PathBuf,
    /// The discovery package that is compared with it, or the folder of its run
    new: PathBuf,
    /// How to report
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    /// Which changes are a no
    #[arg(long, value_enum, value_name = "CLASS", num_args = 1.., default_values_t = [Failing::Vanished, Failing::Meaning, Failing::Stricter, Failing::Looser])]
    fail_on: Vec<Failing>,
}

/// How to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Human,
    /// One JSON object.
    Json,
}

/// Which changes are a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Failing {
    /// What is not there any more.
    Vanished,
    /// What means something else.
    Meaning,
    /// What is riskier.
    Stricter,
    /// What is less risky.
    Looser,
    /// What is new.
    Appeared,
    /// Everything.
    Anything,
    /// Nothing.
    Nothing,
}

impl Failing {
    fn names(self, class: Class) -> bool {
        match self {
            Self::Vanished => class == Class::Vanished,
            Self::Meaning => class == Class::Meaning,
            Self::Stricter => class == Class::Stricter,
            Self::Looser => class == Class::Looser,
            Self::Appeared => class == Class::Appeared,
            Self::Anything => true,
            Self::Nothing => false,
        }
    }
}

impl Diff {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let old = self.package_at(&self.old)?;
        let new = self.package_at(&self.new)?;
        let changes = diff(&old, &new);
        let failed = changes.iter().any(|change| self.fail_on.iter().any(|one| one.names(change.class)));
        let mut out = std::io::stdout().lock();
        match self.format {
            Form::Json => writeln!(out, "{:#}", report(&old, &new, &changes, failed))?,
            Form::Human => {
                let told = told(&old, &new, &changes, colour(&std::io::stdout()));
                out.write_all(told.as_bytes())?;
            }
        }
        Ok(if failed { Outcome::No } else { Outcome::Yes })
    }

    fn package_at(&self, path: &Path) -> Result<DiscoveryPackage, Trouble> {
        let format = if self.format == Form::Json { ReportFormat::Json } else { ReportFormat::Human };
        let file = if path.is_dir() { package_in(path)? } else { path.to_owned() };
        match (Supplies { format }).discovered(&file) {
            Err(Trouble::Reported) => Err(Trouble::WrongUse(format!(
                "{} is not a sound discovery package. Nothing was compared.",
                file.display()
            ))),
            read => read,
        }
    }
}

/// The one discovery package in the folder of a run.
fn package_in(folder: &Path) -> Result<PathBuf, Trouble> {
    let cannot = |error: std::io::Error| {
        Trouble::WrongUse(format!("{} cannot be read: {error}. Nothing was compared.", folder.display()))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(PACKAGE_ENDING)) {
            found.push(path);
        }
    }
    found.sort();
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Trouble::WrongUse(format!(
            "There is no file that ends in {PACKAGE_ENDING} in {}. Name the file itself, or the folder that `uiap discover` \
             wrote.",
            folder.display()
        ))),
        many => {
            let names: Vec<_> = many.iter().map(|path| path.display().to_string()).collect();
            Err(Trouble::WrongUse(format!(
                "There are several discovery packages in {}: {}. Name one of them.",
                folder.display(),
                names.join(", ")
            )))
        }
    }
}

fn report(old: &DiscoveryPackage, new: &DiscoveryPackage, changes: &[Change], failed: bool) -> Value {
    let named = |package: &DiscoveryPackage| {
        json!({
            "runId": package.run.run_id,
            "environmentId": package.environment.environment_id,
            "profile": package.run.profile,
            "status": package.run.status,
            "complete": is_complete(package),
        })
    };
    let counts: serde_json::Map<_, _> =
        Class::ALL.iter().map(|class| (class.to_string(), json!(count(changes, *class)))).collect();
    json!({
        "version": REPORT_VERSION,
        "old": named(old),
        "new": named(new),
        "failed": failed,
        "counts": counts,
        "changes": changes,
    })
}

fn count(changes: &[Change], class: Class) -> usize {
    changes.iter().filter(|change| change.class == class).count()
}

/// The changes for people, by class.
fn told(old: &DiscoveryPackage, new: &DiscoveryPackage, changes: &[Change], colour: bool) -> String {
    let mut text = String::new();
    for class in Class::ALL {
        let own: Vec<_> = changes.iter().filter(|change| change.class == class).collect();
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{} ({})", painted(class, colour), own.len());
        for change in own {
            let _ = writeln!(text, "  {}", clean(&change.message, CHARS_MAX));
        }
        text.push('\n');
    }
    for (which, package) in [("old", old), ("new", new)] {
        if !is_complete(package) {
            let run = clean(package.run.run_id.as_str(), CHARS_MAX);
            let _ = writeln!(
                text,
                "The {which} run {run} did not see everything it could have: what is missing there may exist."
            );
        }
    }
    let counts = Class::ALL.map(|class| format!("{} {class}", count(changes, class))).join(", ");
    let _ = match changes.len() {
        0 => writeln!(text, "Nothing changed."),
        1 => writeln!(text, "1 change: {counts}."),
        all => writeln!(text, "{all} changes: {counts}."),
    };
    text
}

fn painted(class: Class, colour: bool) -> String {
    let code = match class {
        Class::Vanished | Class::Meaning => "1;31",
        Class::Stricter | Class::Looser => "1;33",
        Class::Appeared => "1;32",
    };
    if colour { format!("\u{1b}[{code}m{class}\u{1b}[0m") } else { class.to_string() }
}
