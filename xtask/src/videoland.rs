//! Builds the sample application for tests that start it.

use std::path::PathBuf;

use crate::process::run;
use crate::workspace::Workspace;

/// The variable that names the binary to the tests.
pub(crate) const VARIABLE: &str = "VIDEOLAND_BIN";

/// Builds it and says where it is.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    run(workspace.command("cargo").args(["build", "--package", "videoland"]))?;
    Ok(workspace.target()?.join("debug").join("videoland"))
}
