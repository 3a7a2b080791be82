//! Every application of the comparison with the browser, those from `PyPI` too.

use super::Leg;
use crate::workspace::Workspace;
use crate::{oracle, videoland};

/// Options of `cargo xtask soak web-oracle`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare only this application; may be given several times. All of them also write docs/accessibility.md.
    #[arg(long = "app", value_name = "NAME")]
    applications: Vec<String>,
}

pub(super) fn run(workspace: &Workspace, args: &Args) -> Vec<Leg> {
    let chosen: Vec<&str> = args.applications.iter().map(String::as_str).collect();
    vec![Leg::run("web-oracle", || oracle::compare(workspace, &videoland::build(workspace)?, &chosen))]
}
