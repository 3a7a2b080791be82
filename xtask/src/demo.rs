//! The two-minute tour: builds in release mode and runs `uiap demo`.

use std::process::ExitCode;

use anyhow::Context;

use crate::process;
use crate::workspace::Workspace;

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
    let package = ["--release", "--package", "uiap", "--bin", "uiap"];
    process::run(workspace.command("cargo").arg("build").args(package))?;
    let mut demo = workspace.command("cargo");
    demo.args(["run", "--quiet"]).args(package).args(["--", "demo"]).args(&args.arguments);
    let status = demo.status().context("`uiap demo` could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}
