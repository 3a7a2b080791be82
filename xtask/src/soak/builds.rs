//! One package, built again and again as other machines would have it: every build must have the same digest.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 200;

/// Options of `cargo xtask soak builds`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many builds, each of a package that is written down in another way.
    #[arg(long, value_name = "COUNT", default_value_t = 1_000)]
    builds: u64,
    /// The first of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let test = "one_package_has_one_digest_however_it_is_written";
    let build = |first: u64, count: u64| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--release", "--package", "uiap-authoring", "--test", "it", test]);
        cargo.env("UIAP_BUILDS", count.to_string()).env("UIAP_SEED", first.to_string());
        process::run(&mut cargo)
    };
    let campaign = Campaign {
        name: "builds",
        settings: String::new(),
        rounds: args.seed..args.seed.saturating_add(args.builds),
        part: PART,
    };
    vec![campaign.run(workspace, limit, build)]
}
