//! What a model pays for ten steps, with our tools and with those of others: installs the peers and runs the measuring
//! program.

use anyhow::Context;

use super::web;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench tokens`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print everything that is said, too
    #[arg(long)]
    show: bool,
    /// Without the peers, which come from npm
    #[arg(long)]
    alone: bool,
}

/// The measuring program, in the package of the binary, which may use every crate.
const PROGRAM: [&str; 5] = ["--release", "--package", "uiap", "--example", "bench_tokens"];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let binary = ["build", "--release", "--package", "uiap", "--bin", "uiap"];
    process::run(workspace.command("cargo").args(binary))?;
    process::run(workspace.command("cargo").arg("build").args(PROGRAM))?;
    let target = web::target_folder(workspace)?;
    let (peers, scratch) = (target.join("bench-web"), target.join("bench-tokens"));
    for folder in [&peers, &scratch] {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    }
    let mut measure = workspace.command("cargo");
    measure.args(["run", "--quiet"]).args(PROGRAM).arg("--");
    measure.arg("--uiap").arg(target.join("release/uiap")).arg("--scratch").arg(&scratch);
    if !args.alone {
        web::install(&peers);
        measure.arg("--peers").arg(&peers);
    }
    if args.json {
        measure.arg("--json");
    }
    if args.show {
        measure.arg("--show");
    }
    process::run(&mut measure)
}
