//! Builds the sample application for tests that start it.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::process::run;
use crate::workspace::Workspace;

/// The variable that names the binary to the tests.
pub(crate) const VARIABLE: &str = "VIDEOLAND_BIN";

/// Builds it and says where it is: the target folder need not be the one in the workspace.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    run(workspace.command("cargo").args(["build", "--package", "videoland"]))?;
    let output =
        workspace.command("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let folder = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    let folder = folder.context("cargo metadata names no target folder")?;
    Ok(Path::new(folder).join("debug").join("videoland"))
}
