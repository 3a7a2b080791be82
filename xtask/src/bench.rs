//! Measurements.

use anyhow::bail;

use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench model     decoding and applying PageGraphs, as ratios")]
pub(crate) struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(clap::Subcommand)]
enum Measurement {
    /// How fast the protocol crate decodes, validates and applies.
    Model,
}

impl Measurement {
    /// The package and example that measure it.
    fn example(&self) -> (&'static str, &'static str) {
        match self {
            Self::Model => ("uiap-protocol", "bench_model"),
        }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let (package, example) = args.measurement.example();
    let source = format!("crates/{package}/examples/{example}.rs");
    if !workspace.path(&source).is_file() {
        bail!("there is nothing to measure with yet: {source} is missing");
    }
    let arguments = ["run", "--release", "--package", package, "--example", example];
    process::run(workspace.command("cargo").args(arguments))
}
