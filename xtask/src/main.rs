//! The project's chores, one module per command.
//!
//! Start at [`Command`]. Exit codes: 0 done, 1 the answer is no, 2 wrong use, 3 something is missing on this machine.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the person who runs them")]

mod bench;
mod browser;
mod demo;
mod entry_points;
mod fuzz;
mod generate;
mod matrix;
mod oracle;
mod process;
mod setup;
mod soak;
mod table;
mod test;
mod tidy;
mod videoland;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use process::EnvironmentMissing;
use workspace::Workspace;

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cargo xtask test                    everything that must hold before a change is merged
  cargo xtask test fast               what needs no browser, in a few minutes
  cargo xtask test --only fmt clippy  two stages of it
  cargo xtask demo                    the whole chain on the sample application
  cargo xtask matrix                  which requirements are covered by which tests";

#[derive(Subcommand)]
enum Command {
    /// Run all tests, in stages.
    Test(test::Args),
    /// Install what the tests need on a Debian or Ubuntu machine.
    Setup,
    /// Install a browser where there is none, build `uiap` and run `uiap demo`.
    Demo(demo::Args),
    /// Run a long campaign.
    Soak(soak::Args),
    /// Measure.
    Bench(bench::Args),
    /// Show which requirements are covered by tests, and write docs/conformance.md.
    Matrix(matrix::Args),
    /// Write the generated files.
    Generate(generate::Args),
    /// Check the rules of the house: directions of dependencies, sizes, words, paths.
    Tidy,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = Workspace::find().and_then(|workspace| run(&workspace, cli.command));
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        exit_code_of(&error)
    })
}

fn run(workspace: &Workspace, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Test(args) => test::run(workspace, &args),
        Command::Setup => setup::run(workspace).map(|()| ExitCode::SUCCESS),
        Command::Demo(args) => demo::run(workspace, &args),
        Command::Soak(args) => soak::run(workspace, &args),
        Command::Bench(args) => bench::run(workspace, &args).map(|()| ExitCode::SUCCESS),
        Command::Matrix(args) => matrix::run(workspace, &args).map(|()| ExitCode::SUCCESS),
        Command::Generate(args) => generate::run(workspace, &args).map(|()| ExitCode::SUCCESS),
        Command::Tidy => tidy::run(workspace).map(|()| ExitCode::SUCCESS),
    }
}

fn exit_code_of(error: &anyhow::Error) -> ExitCode {
    let missing = error.downcast_ref::<EnvironmentMissing>().is_some();
    ExitCode::from(if missing { EnvironmentMissing::EXIT_CODE } else { 1 })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_missing_environment_exits_with_3_also_under_context() {
        let missing = anyhow::Error::new(EnvironmentMissing("no browser".to_owned())).context("setup");
        assert_eq!(exit_code_of(&missing), ExitCode::from(3));
        assert_eq!(exit_code_of(&anyhow::anyhow!("no")), ExitCode::from(1));
    }
}
