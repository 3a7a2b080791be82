//! Mapping applications: builds the program and the one that measures it.

use anyhow::Context;

use super::web;
use crate::browser;
use crate::process::{self, EnvironmentMissing};
use crate::workspace::Workspace;

/// Options of `cargo xtask bench discovery`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these: videoland, datasette, django-admin, node-red, memory
    #[arg(long, num_args = 1.., value_name = "PART")]
    only: Vec<String>,
}

/// The command, and the measuring program, which stands beside it; built together, so that both share what they need.
const PROGRAMS: [&str; 7] =
    ["--release", "--package", "uiap", "--bin", "uiap", "--example", "bench_discovery"];

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let mut more = vec!["bench".to_owned()];
    if !args.only.is_empty() {
        more.push("--only".to_owned());
        more.extend(args.only.iter().cloned());
    }
    measure(workspace, &more)
}

/// Builds both programs in release mode and measures.
pub(crate) fn measure(workspace: &Workspace, more: &[String]) -> anyhow::Result<()> {
    let Some(chrome) = browser::find()? else {
        anyhow::bail!(EnvironmentMissing("no browser found; run `cargo xtask setup`".to_owned()));
    };
    process::run(workspace.command("cargo").arg("build").args(PROGRAMS))?;
    let target = web::target_folder(workspace)?;
    let scratch = target.join("bench-discovery");
    std::fs::create_dir_all(&scratch).with_context(|| format!("{} cannot be created", scratch.display()))?;
    let mut measure = workspace.command(target.join("release/examples/bench_discovery"));
    measure.arg("--uiap").arg(target.join("release/uiap")).arg("--scratch").arg(&scratch);
    measure.arg("--web").arg(workspace.path("web")).arg("--installed").arg(target.join("debug/oracle"));
    process::run(measure.args(more).env(browser::VARIABLE, chrome))
}
