//! Actions on pages that change all the time: nothing but what was meant may be pressed.

use super::Leg;
use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask soak targets`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many actions.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    actions: u64,
    /// The first of them.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let test = "nothing_but_what_was_meant_is_pressed";
    let act = || {
        let mut cargo = workspace.command("cargo");
        cargo.args(["test", "--release", "--package", "uiap-web", "--test", "it", test]);
        cargo.args(["--", "--nocapture"]);
        cargo.env("UIAP_ACTIONS", args.actions.to_string()).env("UIAP_SEED", args.seed.to_string());
        process::run(&mut cargo)
    };
    vec![Leg::run("targets", act)]
}
