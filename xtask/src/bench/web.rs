//! Looking at pages, against a floor and against others: installs the peers and runs the measuring program.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench web`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Most rounds of each measurement
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(3..))]
    rounds: u32,
    /// Only these: 50, 1000, 10000, 100000-nodes, grid, videoland, videoland-200-rows, idle, animated, cold
    #[arg(long, num_args = 1.., value_name = "PAGE")]
    only: Vec<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Without the peers, which come from npm
    #[arg(long)]
    alone: bool,
}

/// What others offer on the same browser.
const PEERS: [&str; 3] = ["playwright-core", "@playwright/mcp", "chrome-devtools-mcp"];
/// The measuring program, in the package of the binary, which may use every crate.
const PROGRAM: [&str; 5] = ["--release", "--package", "uiap", "--example", "bench_web"];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    process::run(workspace.command("cargo").args([
        "build",
        "--release",
        "--package",
        "uiap",
        "--bin",
        "uiap",
    ]))?;
    process::run(workspace.command("cargo").arg("build").args(PROGRAM))?;
    let target = target_folder(workspace)?;
    let peers = target.join("bench-web");
    std::fs::create_dir_all(&peers).with_context(|| format!("{} cannot be created", peers.display()))?;
    if !args.alone {
        install(&peers);
    }
    let mut measure = workspace.command("cargo");
    measure.args(["run", "--quiet"]).args(PROGRAM).arg("--");
    measure.arg("--programs").arg(workspace.path("xtask/src/bench/web"));
    measure.arg("--peers").arg(if args.alone { Path::new("none") } else { &peers });
    measure.arg("--uiap").arg(target.join("release/uiap"));
    measure.args(["--rounds", &args.rounds.to_string()]);
    if !args.only.is_empty() {
        measure.arg("--only").args(&args.only);
    }
    if args.json {
        measure.arg("--json");
    }
    process::run(&mut measure)
}

/// Each peer by itself: one that cannot be had is skipped, and the report says so.
pub(super) fn install(folder: &Path) {
    for peer in PEERS {
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--loglevel",
            "error",
            "--prefix",
        ]);
        if let Err(error) = process::run(npm.arg(folder).arg(peer)) {
            eprintln!("{peer} cannot be installed: {error:#}");
        }
    }
}

pub(super) fn target_folder(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    #[derive(serde::Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    let output =
        workspace.command("cargo").args(["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).context("cargo says nothing about itself")?;
    Ok(metadata.target_directory)
}
