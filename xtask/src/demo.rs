//! The tour of the sample application: installs what it needs, builds `uiap` quickly and runs `uiap demo`.

use std::process::ExitCode;

use anyhow::Context;

use crate::process;
use crate::setup;
use crate::workspace::Workspace;

/// The profile of the build: without link-time optimisation, because a newcomer waits for it.
const PROFILE: &str = "demo";

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask demo
  cargo xtask demo -- --help    what `uiap demo` itself accepts")]
pub(crate) struct Args {
    /// Passed on to `uiap demo`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

/// Ends with the exit code of the demo itself, so that 1 (it failed) and 3 (no browser) stay apart.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<ExitCode> {
    println!("1 of 3: what the demo needs");
    setup::demo(workspace)?;
    println!("2 of 3: building uiap; the first time this takes some minutes, later ones seconds");
    let build = ["build", "--profile", PROFILE, "--package", "uiap", "--bin", "uiap"];
    process::run(workspace.command("cargo").args(build))?;
    println!("3 of 3: the demo");
    let program = workspace.target()?.join(PROFILE).join("uiap");
    let mut demo = workspace.command(program);
    let status =
        demo.arg("demo").args(&args.arguments).status().context("`uiap demo` could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}
