//! Random sequences of changes of a page: what is followed must equal what a fresh look shows.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak deltas`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many sequences, each compared five times.
    #[arg(long, value_name = "COUNT", default_value_t = 5_000)]
    sequences: u64,
    /// The first of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let test = "deltas_lead_to_what_a_fresh_look_shows";
    let follow = || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--release", "--package", "uiap-web", "--test", "it", test]);
        cargo.env("UIAP_SEQUENCES", args.sequences.to_string()).env("UIAP_SEED", args.seed.to_string());
        process::run(&mut cargo)
    };
    vec![Leg::run("deltas", follow)]
}
