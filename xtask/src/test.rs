//! All tests, in stages.
//!
//! Start at [`run`]. What a stage does is in [`stages`]; here is the order, what to run, and the summary.

mod shared_browser;
mod stages;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::browser;
use crate::process::{EnvironmentMissing, first_line, in_ci};
use crate::table;
use crate::workspace::Workspace;
use stages::{Outcome, Scope, Stage};

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
#[command(after_help = "\
Stops at the first stage that fails. With CI=true a skipped stage or test is a failure.

Examples:
  cargo xtask test                      everything, in order: what must hold before a change is merged
  cargo xtask test fast                 what needs no browser, in a few minutes: while you work
  cargo xtask test --only fmt clippy    two stages
  cargo xtask test --skip browser fuzz  everything but two stages
  cargo xtask test --keep-going         all stages, whatever fails")]
pub(crate) struct Args {
    /// `fast` leaves out what needs a browser, Node or a fuzzer.
    #[arg(value_enum)]
    scope: Option<NamedScope>,
    /// Run only these stages.
    #[arg(long, value_enum, num_args = 1.., value_name = "STAGE")]
    only: Vec<Stage>,
    /// Leave these stages out.
    #[arg(long, value_enum, num_args = 1.., value_name = "STAGE")]
    skip: Vec<Stage>,
    /// Go on after a stage has failed.
    #[arg(long)]
    keep_going: bool,
}

/// A named part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NamedScope {
    /// What needs no browser, no Node and no fuzzer.
    Fast,
}

/// What became of one stage.
struct Entry {
    stage: Stage,
    time: Duration,
    result: anyhow::Result<Outcome>,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<ExitCode> {
    println!("{}", versions(workspace)?);
    let scope = if args.scope.is_some() { Scope::Fast } else { Scope::Everything };
    let mut entries: Vec<Entry> = Vec::new();
    for &stage in Stage::value_variants() {
        let is_chosen = args.only.is_empty() || args.only.contains(&stage);
        if !is_chosen || (scope == Scope::Fast && !stage.is_fast()) {
            continue;
        }
        let stopped = !args.keep_going && entries.iter().any(Entry::failed);
        entries.push(if args.skip.contains(&stage) {
            let outcome = Outcome::Skipped("left out with --skip".to_owned());
            Entry { stage, time: Duration::ZERO, result: refuse_skip_in_ci(outcome, in_ci()) }
        } else if stopped {
            Entry::not_reached(stage)
        } else {
            run_stage(workspace, stage, scope)
        });
    }
    print!("\n{}\n{}\n", summary(&entries), closing_line(&entries));
    Ok(exit_code(&entries))
}

fn run_stage(workspace: &Workspace, stage: Stage, scope: Scope) -> Entry {
    println!("\n== {} ({})", stage.name(), stage.about());
    let start = Instant::now();
    let result = stages::run(workspace, stage, scope).and_then(|outcome| refuse_skip_in_ci(outcome, in_ci()));
    let entry = Entry { stage, time: start.elapsed(), result };
    if entry.failed() {
        eprintln!("error: {}", entry.note());
    }
    println!("== {} {} in {:.1} s", stage.name(), entry.verdict(), entry.time.as_secs_f64());
    entry
}

fn refuse_skip_in_ci(outcome: Outcome, in_ci: bool) -> anyhow::Result<Outcome> {
    match outcome {
        Outcome::Skipped(reason) if in_ci => anyhow::bail!("skipped with CI=true: {reason}"),
        outcome => Ok(outcome),
    }
}

/// The tools of this run, in one line.
fn versions(workspace: &Workspace) -> anyhow::Result<String> {
    let rustc = first_line(workspace.command("rustc").arg("--version")).unwrap_or("no rustc".to_owned());
    let node = first_line(workspace.command("node").arg("--version"));
    let node = node.map_or("no Node".to_owned(), |version| format!("Node {version}"));
    let browser =
        browser::find()?.and_then(|path| browser::version(&path)).unwrap_or("no browser".to_owned());
    let lock = std::fs::read_to_string(workspace.path("Cargo.lock")).unwrap_or_default();
    let packages = lock.lines().filter(|line| *line == "[[package]]").count();
    Ok(format!("{rustc}; {node}; {browser}; {packages} packages in Cargo.lock"))
}

impl Entry {
    fn not_reached(stage: Stage) -> Self {
        Self { stage, time: Duration::ZERO, result: Ok(Outcome::Skipped("not reached".to_owned())) }
    }

    fn failed(&self) -> bool {
        self.result.is_err()
    }

    fn verdict(&self) -> &'static str {
        match self.result {
            Ok(Outcome::Passed) => "passed",
            Ok(Outcome::Skipped(_)) => "skipped",
            Ok(Outcome::Absent(_)) => "absent",
            Err(_) => "FAILED",
        }
    }

    fn note(&self) -> String {
        match &self.result {
            Ok(Outcome::Passed) => String::new(),
            Ok(Outcome::Skipped(reason) | Outcome::Absent(reason)) => reason.clone(),
            Err(error) => format!("{error:#}"),
        }
    }
}

fn summary(entries: &[Entry]) -> String {
    let row = |entry: &Entry| {
        let seconds = format!("{:.1}", entry.time.as_secs_f64());
        vec![entry.stage.name(), entry.verdict().to_owned(), format!("{seconds:>7}"), entry.note()]
    };
    table::render(&["Stage", "Result", "Seconds", "Note"], &entries.iter().map(row).collect::<Vec<_>>())
}

fn closing_line(entries: &[Entry]) -> String {
    let count = |verdict: &str| entries.iter().filter(|entry| entry.verdict() == verdict).count();
    let line = format!("{} passed, {} failed", count("passed"), count("FAILED"));
    match count("skipped") {
        0 => line,
        skipped => format!("{line}, {skipped} skipped"),
    }
}

/// 3 if nothing failed but the environment, so that a caller can tell a bad machine from bad code.
fn exit_code(entries: &[Entry]) -> ExitCode {
    let mut errors = entries.iter().filter_map(|entry| entry.result.as_ref().err()).peekable();
    if errors.peek().is_none() {
        return ExitCode::SUCCESS;
    }
    let all_missing = errors.all(|error| error.downcast_ref::<EnvironmentMissing>().is_some());
    ExitCode::from(if all_missing { EnvironmentMissing::EXIT_CODE } else { 1 })
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    fn entry(stage: Stage, result: anyhow::Result<Outcome>) -> Entry {
        Entry { stage, time: Duration::from_millis(1500), result }
    }

    #[test]
    fn the_summary_has_a_line_per_stage_and_a_closing_line() {
        let entries = [
            entry(Stage::Fmt, Ok(Outcome::Passed)),
            entry(Stage::Clippy, Err(anyhow!("`cargo clippy` failed"))),
            Entry::not_reached(Stage::Rust),
            entry(Stage::Deny, Ok(Outcome::Absent("cargo-deny is not installed".to_owned()))),
        ];
        insta::assert_snapshot!(summary(&entries), @"
        Stage   Result   Seconds  Note
        ------  -------  -------  ---------------------------
        fmt     passed       1.5
        clippy  FAILED       1.5  `cargo clippy` failed
        rust    skipped      0.0  not reached
        deny    absent       1.5  cargo-deny is not installed
        ");
        assert_eq!(closing_line(&entries), "1 passed, 1 failed, 1 skipped");
        assert_eq!(closing_line(&entries[..2]), "1 passed, 1 failed");
    }

    #[test]
    fn a_skipped_stage_fails_in_ci_only() {
        let skipped = || Outcome::Skipped("no folder".to_owned());
        assert!(refuse_skip_in_ci(skipped(), false).is_ok());
        assert!(refuse_skip_in_ci(skipped(), true).is_err());
        assert!(refuse_skip_in_ci(Outcome::Absent("no tool".to_owned()), true).is_ok());
    }

    #[test]
    fn the_exit_code_tells_a_bad_machine_from_bad_code() {
        let missing = || entry(Stage::Setup, Err(EnvironmentMissing("no browser".to_owned()).into()));
        let broken = || entry(Stage::Fmt, Err(anyhow!("no")));
        assert_eq!(exit_code(&[entry(Stage::Fmt, Ok(Outcome::Passed))]), ExitCode::SUCCESS);
        assert_eq!(exit_code(&[missing()]), ExitCode::from(3));
        assert_eq!(exit_code(&[missing(), broken()]), ExitCode::from(1));
    }
}
