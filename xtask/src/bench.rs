//! Measurements.

mod web;

use anyhow::bail;

use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench model         decoding and applying PageGraphs, as ratios
  cargo xtask bench web           looking at pages, against a floor and against peers from npm
  cargo xtask bench web --alone   the same without the peers")]
pub(crate) struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(clap::Subcommand)]
enum Measurement {
    /// How fast the protocol crate decodes, validates and applies.
    Model,
    /// What looking at a page costs, in time, tokens, processor and memory.
    Web(web::Args),
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    match &args.measurement {
        Measurement::Model => run_example(workspace, "uiap-protocol", "bench_model"),
        Measurement::Web(args) => web::run(workspace, args),
    }
}

fn run_example(workspace: &Workspace, package: &str, example: &str) -> anyhow::Result<()> {
    let source = format!("crates/{package}/examples/{example}.rs");
    if !workspace.path(&source).is_file() {
        bail!("there is nothing to measure with yet: {source} is missing");
    }
    let arguments = ["run", "--release", "--package", package, "--example", example];
    process::run(workspace.command("cargo").args(arguments))
}
