//! Actions on pages that change all the time: nothing but what was meant may be pressed.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 1_000;

/// Options of `cargo xtask soak targets`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many actions.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    actions: u64,
    /// The first of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let test = "nothing_but_what_was_meant_is_pressed";
    let act = |first: u64, count: u64| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--release", "--package", "uiap-web", "--test", "it", test]);
        cargo.args(["--", "--nocapture"]);
        cargo.env("UIAP_ACTIONS", count.to_string()).env("UIAP_SEED", first.to_string());
        process::run(&mut cargo)
    };
    let campaign = Campaign {
        name: "targets",
        settings: String::new(),
        rounds: args.seed..args.seed.saturating_add(args.actions),
        part: PART,
    };
    vec![campaign.run(workspace, limit, act)]
}
