//! Pressing and verifying, against bare clicks and against others: installs the peers and runs the measuring program.

use std::path::Path;

use anyhow::Context;

use super::web;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench runtime`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rounds of each measurement
    #[arg(long, default_value_t = 41, value_parser = clap::value_parser!(u32).range(3..))]
    rounds: u32,
    /// Only these pages: 50, 10000
    #[arg(long, num_args = 1.., value_name = "PAGE")]
    only: Vec<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Without the peers, which come from npm
    #[arg(long)]
    alone: bool,
}

/// The measuring program, in the package of the binary, which may use every crate.
const PROGRAM: [&str; 5] = ["--release", "--package", "uiap", "--example", "bench_runtime"];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    process::run(workspace.command("cargo").arg("build").args(PROGRAM))?;
    let target = web::target_folder(workspace)?;
    let (peers, scratch) = (target.join("bench-web"), target.join("bench-runtime"));
    for folder in [&peers, &scratch] {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    }
    if !args.alone {
        web::install(&peers);
    }
    let mut measure = workspace.command("cargo");
    measure.args(["run", "--quiet"]).args(PROGRAM).arg("--");
    measure.arg("--programs").arg(workspace.path("xtask/src/bench/web/peers"));
    measure.arg("--peers").arg(if args.alone { Path::new("none") } else { &peers });
    measure.arg("--scratch").arg(&scratch);
    measure.args(["--rounds", &args.rounds.to_string()]);
    if !args.only.is_empty() {
        measure.arg("--only").args(&args.only);
    }
    if args.json {
        measure.arg("--json");
    }
    process::run(&mut measure)
}
