//! Actions against a world that misbehaves, in virtual time.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak sim`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many schedules.
    #[arg(long, default_value_t = 100_000)]
    schedules: u64,
    /// The first seed; a seed that failed replays with `--schedules 1`.
    #[arg(long, default_value_t = 0)]
    first: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let leg = Leg::run("simulation", || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap-testkit", "--example", "soak_simulation", "--"]);
        process::run(cargo.args([args.first.to_string(), args.schedules.to_string()]))
    });
    vec![leg]
}
