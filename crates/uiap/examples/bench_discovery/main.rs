//! How much `uiap discover` finds, how fast, whether it finds the same every time, and that it writes nothing:
//! `cargo xtask bench discovery` and `cargo xtask soak discovery`.
//!
//! Start at [`measure`]. It runs the program itself, in a process of its own, on applications that it starts. A goal of
//! quality that is missed makes it fail; a goal of speed is only told, because it depends on the machine.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod alike;
mod apps;
mod difference;
mod goals;
mod memory;
mod proxy;
mod run;
mod table;
mod videoland;

use clap::{Parser, Subcommand};
use goals::Goal;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
struct Args {
    /// The program
    #[arg(long)]
    uiap: PathBuf,
    /// A folder for maps
    #[arg(long)]
    scratch: PathBuf,
    /// The folder with the definitions of other applications
    #[arg(long)]
    web: PathBuf,
    /// A folder where other applications are installed
    #[arg(long)]
    installed: PathBuf,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// What is found, and how fast
    Bench {
        /// Only these: videoland, datasette, django-admin, node-red, memory
        #[arg(long, num_args = 1..)]
        only: Vec<String>,
    },
    /// Whether runs with other timing find the same
    Alike(alike::Args),
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let goals = tokio::runtime::Runtime::new()?.block_on(measure(&args))?;
    for goal in &goals {
        println!("{goal}");
    }
    let fails = goals.iter().any(Goal::fails);
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn measure(args: &Args) -> anyhow::Result<Vec<Goal>> {
    match &args.what {
        What::Alike(alike) => alike::measure(&args.uiap, &args.scratch, alike).await,
        What::Bench { only } => {
            let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
            let mut goals = Vec::new();
            if wanted("videoland") {
                goals.extend(videoland::measure(&args.uiap, &args.scratch).await?);
            }
            let names: Vec<_> = apps::NAMES.into_iter().filter(|name| wanted(name)).collect();
            if !names.is_empty() {
                goals.extend(
                    apps::measure(&names, &args.uiap, &args.scratch, &args.web, &args.installed).await?,
                );
            }
            if wanted("memory") {
                goals.extend(memory::measure(&args.uiap, &args.scratch).await?);
            }
            Ok(goals)
        }
    }
}

/// What goes on.
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}

/// A result.
pub(crate) fn print(text: &str) {
    println!("{text}");
}
