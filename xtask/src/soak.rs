//! Long campaigns. `cargo xtask test` runs a short share of the same code.
//!
//! Each campaign is a module of its own and hands back one [`Leg`] per part that ran.

mod builds;
mod consent;
mod deltas;
mod discovery;
mod fuzz;
mod hazards;
mod once;
mod parts;
mod server;
mod simulation;
mod targets;
mod web_oracle;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use parts::TimeLimit;

use crate::table;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak`.
#[derive(clap::Args)]
#[command(after_help = "\
What is done is kept below the target folder: an interrupted campaign goes on when the same command is given again.

Examples:
  cargo xtask soak builds                                1,000 builds of one package, one digest
  cargo xtask soak consent --attempts 1000000            agreements that are none
  cargo xtask soak deltas                                5,000 random sequences of changes of a page
  cargo xtask soak discovery                             20 maps of one application that answers when it likes
  cargo xtask soak fuzz                                  every fuzz target for a minute
  cargo xtask soak fuzz --seconds 3600 --target envelope one of them for an hour
  cargo xtask soak hazards --variants 20                 pages that mislead, each kind in 20 variants
  cargo xtask soak once                                  500 actions, each with a kill or a cut in the middle; and
                                                         ten servers with 100 actions each on one journal
  cargo xtask soak server                                sessions under load for five minutes, without growth
  cargo xtask soak sim --schedules 1000000               actions in a world that misbehaves
  cargo xtask soak sim --minutes 100                     the same in parts: as much as fits, then again
  cargo xtask soak targets                               10,000 actions on pages that never hold still
  cargo xtask soak web-oracle                            roles and names of real applications")]
pub(crate) struct Args {
    /// Begin no further part of the campaign after this time; the same command goes on where it ended.
    #[arg(long, global = true, value_name = "MINUTES")]
    minutes: Option<u64>,
    #[command(subcommand)]
    campaign: Campaign,
}

#[derive(clap::Subcommand)]
enum Campaign {
    /// Build one package as other machines would have it.
    Builds(builds::Args),
    /// Give agreements that are none to a runtime.
    Consent(consent::Args),
    /// Follow pages through random changes.
    Deltas(deltas::Args),
    /// Map one application with shuffled timing; the maps must be the same.
    Discovery(discovery::Args),
    /// Run the fuzz targets.
    Fuzz(fuzz::Args),
    /// Act on pages that mislead.
    Hazards(hazards::Args),
    /// Act while processes are killed and lines are cut; nothing may happen twice.
    Once(once::Args),
    /// Keep sessions busy while clients come, go and do not read; memory must not grow.
    Server(server::Args),
    /// Run simulated actions with seeded faults.
    Sim(simulation::Args),
    /// Act on pages that change all the time.
    Targets(targets::Args),
    /// Hold roles and names of real applications against the browser.
    WebOracle(web_oracle::Args),
}

/// One part of a campaign that ran.
struct Leg {
    name: String,
    time: Duration,
    result: anyhow::Result<()>,
}

impl Leg {
    /// Runs a part to its end; a failure is kept, so that the other parts run too.
    fn run(name: &str, work: impl FnOnce() -> anyhow::Result<()>) -> Self {
        println!("\n== {name}");
        let start = Instant::now();
        let result = work();
        Self { name: name.to_owned(), time: start.elapsed(), result }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<ExitCode> {
    let limit = TimeLimit::after_minutes(args.minutes);
    let legs = match &args.campaign {
        Campaign::Builds(args) => builds::run(workspace, args, limit),
        Campaign::Consent(args) => consent::run(workspace, args, limit),
        Campaign::Deltas(args) => deltas::run(workspace, args, limit),
        Campaign::Discovery(args) => discovery::run(workspace, args),
        Campaign::Fuzz(args) => fuzz::run(workspace, args, limit)?,
        Campaign::Hazards(args) => hazards::run(workspace, args, limit),
        Campaign::Once(args) => once::run(workspace, args, limit),
        Campaign::Server(args) => server::run(workspace, args),
        Campaign::Sim(args) => simulation::run(workspace, args, limit),
        Campaign::Targets(args) => targets::run(workspace, args, limit),
        Campaign::WebOracle(args) => web_oracle::run(workspace, args),
    };
    print!("\n{}", summary(&legs));
    if let Some(error) = legs.into_iter().find_map(|leg| leg.result.err()) {
        return Err(error);
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(legs: &[Leg]) -> String {
    let row = |leg: &Leg| {
        let verdict = if leg.result.is_ok() { "passed" } else { "FAILED" };
        vec![leg.name.clone(), leg.time.as_secs().to_string(), verdict.to_owned()]
    };
    table::render(&["Part", "Seconds", "Result"], &legs.iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_part_is_in_the_summary() {
        let leg = |name: &str, seconds, result| Leg {
            name: name.into(),
            time: Duration::from_secs(seconds),
            result,
        };
        let legs = [leg("envelope", 60, Ok(())), leg("delta", 7, Err(anyhow::anyhow!("crash")))];
        insta::assert_snapshot!(summary(&legs), @"
        Part      Seconds  Result
        --------  -------  ------
        envelope       60  passed
        delta           7  FAILED
        ");
    }
}
