//! Actions that must happen once, while the process that acts, the line to the browser or the browser is killed.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak once`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many actions; something breaks in each.
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    rounds: u64,
    /// The first of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: u64,
    /// What breaks, and when, follows from it.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let strike = || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--package", "uiap", "--test", "it", "once::", "--", "--nocapture"]);
        cargo.env("UIAP_ROUNDS", args.rounds.to_string()).env("UIAP_FIRST", args.first.to_string());
        cargo.env("UIAP_SEED", args.seed.to_string());
        process::run(&mut cargo)
    };
    vec![Leg::run("once", strike)]
}
