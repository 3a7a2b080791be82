//! Forged, repeated, swapped, stale and late agreements, given to a whole runtime.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 20_000;

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

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let campaign = Campaign {
        name: "consent",
        settings: String::new(),
        rounds: args.first..args.first.saturating_add(args.attempts),
        part: PART,
    };
    let leg = campaign.run(workspace, limit, |first, count| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap-testkit", "--example", "soak_consent", "--"]);
        process::run(cargo.args([first.to_string(), count.to_string()]))
    });
    vec![leg]
}
