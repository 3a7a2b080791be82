//! Forged, repeated, swapped, stale and late agreements, given to a whole runtime.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak consent`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many attempts.
    #[arg(long, default_value_t = 120_000)]
    attempts: u64,
    /// The first seed; one that failed replays with `--attempts 1`.
    #[arg(long, default_value_t = 0)]
    first: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let leg = Leg::run("consent", || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap-testkit", "--example", "soak_consent", "--"]);
        process::run(cargo.args([args.first.to_string(), args.attempts.to_string()]))
    });
    vec![leg]
}
