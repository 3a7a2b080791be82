//! Building packages: runs the measuring program on the release build of the command.

use super::web;
use crate::process;
use crate::workspace::Workspace;
use anyhow::Context as _;

/// The command, and the measuring program, which stands beside it.
const PROGRAMS: [&str; 7] =
    ["--release", "--package", "uiap", "--bin", "uiap", "--example", "bench_authoring"];

pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    process::run(workspace.command("cargo").arg("build").args(PROGRAMS))?;
    let target = web::target_folder(workspace)?;
    let scratch = target.join("bench-authoring");
    std::fs::create_dir_all(&scratch).with_context(|| format!("{} cannot be created", scratch.display()))?;
    let mut measure = workspace.command(target.join("release/examples/bench_authoring"));
    measure.arg("--program").arg(target.join("release/uiap")).arg("--scratch").arg(&scratch);
    process::run(&mut measure)
}
