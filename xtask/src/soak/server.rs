//! Sessions under load for minutes, while clients come, go and do not read: memory must not grow.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak server`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// For how long.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    seconds: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let keep_busy = || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["run", "--release", "--package", "uiap-server", "--example", "bench_server", "--"]);
        cargo.args(["--soak", &args.seconds.to_string()]);
        process::run(&mut cargo)
    };
    vec![Leg::run("server", keep_busy)]
}
