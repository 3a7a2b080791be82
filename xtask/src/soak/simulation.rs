//! Actions against a world that misbehaves, in virtual time.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 20_000;

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

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let campaign = Campaign {
        name: "simulation",
        settings: String::new(),
        rounds: args.first..args.first.saturating_add(args.schedules),
        part: PART,
    };
    let leg = campaign.run(workspace, limit, |first, count| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap-testkit", "--example", "soak_simulation", "--"]);
        process::run(cargo.args([first.to_string(), count.to_string()]))
    });
    vec![leg]
}
