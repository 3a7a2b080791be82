//! Mapping one application many times, with answers that come when they like: the maps must be the same.

use super::Leg;
use crate::bench::discovery;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak discovery`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many runs.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    runs: u64,
    /// The first seed; a run that differed replays with `--runs 2` and the seed before it.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How many pages side by side, in turn; with other numbers a map may have another shape.
    #[arg(long, value_name = "COUNT", num_args = 1.., default_values_t = [2])]
    jobs: Vec<u8>,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let leg = Leg::run("discovery", || {
        let mut more = vec!["alike".to_owned(), "--runs".to_owned(), args.runs.to_string()];
        more.extend(["--seed".to_owned(), args.seed.to_string(), "--jobs".to_owned()]);
        more.extend(args.jobs.iter().map(u8::to_string));
        discovery::measure(workspace, &more)
    });
    vec![leg]
}
