//! Roles and names of real applications, held against the accessibility tree of the browser.
//!
//! The comparison is `web/oracle/run.mjs`; it installs what it needs into a scratch folder below the target folder.

use std::path::Path;

use anyhow::bail;

use crate::browser;
use crate::process::{EnvironmentMissing, run};
use crate::videoland::VARIABLE as VIDEOLAND;
use crate::workspace::Workspace;

/// Applications that need nothing but Node and npm.
pub(crate) const CHEAP: [&str; 3] = ["videoland", "swagger-ui", "graphiql"];
const PAGE: &str = "docs/accessibility.md";

/// Compares these applications, or all of them; all of them also write the page. `videoland` is the program of the sample
/// application.
pub(crate) fn compare(workspace: &Workspace, videoland: &Path, applications: &[&str]) -> anyhow::Result<()> {
    let Some(chrome) = browser::find()? else {
        bail!(EnvironmentMissing("no browser found; run `cargo xtask setup`".to_owned()));
    };
    let web = workspace.path("web");
    if !web.join("node_modules").is_dir() {
        run(workspace.command("npm").current_dir(&web).args(["ci", "--no-audit", "--no-fund"]))?;
    }
    let mut node = workspace.command("node");
    node.current_dir(&web).arg("oracle/run.mjs").arg("--scratch").arg(videoland.with_file_name("oracle"));
    for application in applications {
        node.args(["--app", application]);
    }
    if applications.is_empty() {
        node.arg("--report").arg(workspace.path(PAGE));
    }
    run(node.env(browser::VARIABLE, chrome).env(VIDEOLAND, videoland))
}
