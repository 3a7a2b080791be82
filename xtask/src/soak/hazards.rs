//! Pages that mislead: what is reported, held against what really happened.

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::process;
use crate::workspace::Workspace;

/// Rounds of one part: a few minutes.
const PART: u64 = 5;

/// Options of `cargo xtask soak hazards`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these kinds, separated by commas; each is a file in crates/uiap-testkit/hazards/kinds.
    #[arg(long, value_name = "NAMES")]
    kinds: Option<String>,
    /// How many variants of each kind.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    variants: u64,
    /// The first seed; a seed that failed replays with `--kinds NAME --variants 1`.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How many pages at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    pages: usize,
    /// Give the same pages to the peers of the web benchmark, which are installed in this folder.
    #[arg(long, value_name = "FOLDER")]
    peers: Option<std::path::PathBuf>,
    /// How many variants of each kind the peers get.
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    peer_variants: u64,
    /// Write docs/hazards.md.
    #[arg(long)]
    write: bool,
}

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> Vec<Leg> {
    let campaign = Campaign {
        name: "hazards",
        settings: format!("{:?} {:?} {}", args.kinds, args.peers, args.peer_variants),
        rounds: args.seed..args.seed.saturating_add(args.variants),
        // The page tells of the whole campaign.
        part: if args.write { args.variants.max(1) } else { PART },
    };
    let leg = campaign.run(workspace, limit, |first, count| {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap", "--example", "hazards", "--"]);
        cargo.args(["--variants", &count.to_string(), "--seed", &first.to_string()]);
        cargo.args(["--pages", &args.pages.to_string()]);
        if let Some(kinds) = &args.kinds {
            cargo.args(["--kinds", kinds]);
        }
        if let Some(peers) = &args.peers {
            cargo.arg("--peers").arg(peers);
            cargo.args(["--peer-variants", &args.peer_variants.to_string()]);
        }
        if args.write {
            cargo.arg("--write").arg(workspace.path("docs/hazards.md"));
        }
        process::run(&mut cargo)
    });
    vec![leg]
}
