//! Finds the browser that tests drive.

use std::path::PathBuf;
use std::process::Command;

use anyhow::bail;

use crate::process::{EnvironmentMissing, find_in_path, first_line};

/// The variable that names a browser explicitly.
pub(crate) const VARIABLE: &str = "CHROME";

/// Names of Chromium and its relatives, in order of preference.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
];

/// The browser to use, if there is one. A browser that was named but is not there is an error, not a reason to take
/// another one.
pub(crate) fn find() -> anyhow::Result<Option<PathBuf>> {
    let Some(named) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        return Ok(NAMES.iter().find_map(|name| find_in_path(name)));
    };
    let path = PathBuf::from(named);
    if !path.is_file() {
        bail!(EnvironmentMissing(format!("{VARIABLE} names {}, which is no file", path.display())));
    }
    Ok(Some(path))
}

/// What the browser says it is, or nothing if it does not start.
pub(crate) fn version(browser: &PathBuf) -> Option<String> {
    first_line(Command::new(browser).arg("--version"))
}
