//! Actions that must happen once, while the process that acts, the line to the browser or the browser is killed; and
//! servers that share a journal, while they are killed and stopped.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 50;

/// Options of `cargo xtask soak once`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many actions; something breaks in each. None runs the servers only.
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    rounds: u64,
    /// How many `uiap mcp` share one journal.
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    servers: u64,
    /// How many actions each of them is asked for.
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    actions: u64,
    /// The first of the rounds.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: u64,
    /// What breaks, and when, follows from it.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let test = |name: &str| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--package", "uiap", "--test", "it", name, "--", "--nocapture"]);
        cargo.env("UIAP_SERVERS", args.servers.to_string()).env("UIAP_ACTIONS", args.actions.to_string());
        cargo.env("UIAP_SEED", args.seed.to_string());
        cargo
    };
    let mut legs = Vec::new();
    if args.rounds > 0 {
        let campaign = Campaign {
            name: "once",
            settings: format!("seed {}", args.seed),
            rounds: args.first..args.first.saturating_add(args.rounds),
            part: PART,
        };
        legs.push(campaign.run(workspace, limit, |first, count| {
            let mut rounds = test("once::what_must_happen_once");
            rounds.env("UIAP_ROUNDS", count.to_string()).env("UIAP_FIRST", first.to_string());
            process::run(&mut rounds)
        }));
    }
    if args.servers > 0 {
        legs.push(Leg::run("servers", || process::run(&mut test("once::servers::"))));
    }
    legs
}
