//! Random sequences of changes of a page: what is followed must equal what a fresh look shows.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 500;

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

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let test = "deltas_lead_to_what_a_fresh_look_shows";
    let follow = |first: u64, count: u64| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--release", "--package", "uiap-web", "--test", "it", test]);
        cargo.env("UIAP_SEQUENCES", count.to_string()).env("UIAP_SEED", first.to_string());
        process::run(&mut cargo)
    };
    let campaign = Campaign {
        name: "deltas",
        settings: String::new(),
        rounds: args.seed..args.seed.saturating_add(args.sequences),
        part: PART,
    };
    vec![campaign.run(workspace, limit, follow)]
}
