//! What a model pays for ten steps in Videoland, with `uiap mcp` and with others: `cargo xtask bench tokens`.
//!
//! Start at [`measure`]. The task is `task.json`; a scripted client does it with each tool, and the server of Videoland
//! says whether it was really done. Counted are o200k tokens of all that a model gets and sends: the schemas of the
//! tools, its calls, and the texts of the results.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod play;
mod players;
mod report;
mod site;
mod task;
mod weight;
mod wire;

use clap::Parser;
use play::Sight;
use players::{PLAYERS, Player, Setting};
use report::Report;
use std::path::PathBuf;

#[derive(Parser)]
struct Args {
    /// The `uiap` to start
    #[arg(long)]
    uiap: PathBuf,
    /// The folder where the peers are installed
    #[arg(long)]
    peers: Option<PathBuf>,
    /// A folder for what programs leave behind
    #[arg(long)]
    scratch: PathBuf,
    /// Print everything that is said
    #[arg(long)]
    show: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let report = measure(&args)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report.to_json())?);
    } else {
        println!("{report}");
    }
    Ok(())
}

fn measure(args: &Args) -> anyhow::Result<Report> {
    let setting = Setting {
        uiap: args.uiap.clone(),
        browser: uiap_web::find(None)?,
        peers: args.peers.clone(),
        scratch: args.scratch.clone(),
    };
    let weight = weight::measure(&setting)?;
    let task = task::task()?;
    let (mut played, mut blind, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for player in PLAYERS {
        if player != Player::Uiap && setting.peers.is_none() {
            continue;
        }
        for (sight, done) in [(Sight::Open, &mut played), (Sight::Blind, &mut blind)] {
            eprintln!("{}", player.name());
            match site::play(player, sight, &task, &setting, args.show) {
                Ok(cost) => done.push(cost),
                Err(error) => failures.push(format!("{} did not do it: {error:#}", player.name())),
            }
        }
    }
    Ok(Report { task, played, blind, failures, weight })
}

/// How many tokens a text has.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}
