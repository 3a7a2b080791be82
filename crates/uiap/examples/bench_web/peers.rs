//! What others do on the same pages: each peer is a driver in Node that prints one line of JSON per page.

use crate::stats::Stats;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// Name, driver, argument of the driver, package.
pub(crate) const PEERS: [(&str, &str, &str, &str); 3] = [
    ("playwright", "playwright.mjs", "", "playwright-core"),
    ("@playwright/mcp", "mcp.mjs", "playwright-mcp", "@playwright/mcp"),
    ("chrome-devtools-mcp", "mcp.mjs", "chrome-devtools-mcp", "chrome-devtools-mcp"),
];

/// What a peer did on one page.
pub(crate) struct Seen {
    pub(crate) page: String,
    pub(crate) outcome: Result<Look, String>,
}

pub(crate) struct Look {
    pub(crate) look: Stats,
    pub(crate) change: Option<Stats>,
    pub(crate) text: String,
}

#[derive(Deserialize)]
struct Line {
    page: String,
    #[serde(default)]
    looks: Vec<f64>,
    #[serde(default)]
    changes: Vec<f64>,
    #[serde(default)]
    text: String,
    error: Option<String>,
}

/// Runs one peer; the error says why it is skipped.
pub(crate) fn run(
    (_, driver, kind, package): (&str, &str, &str, &str),
    installed: &Path,
    drivers: &Path,
    job: &Value,
) -> Result<Vec<Seen>, String> {
    if !installed.join("node_modules").join(package).is_dir() {
        return Err(format!("the package {package} is not installed"));
    }
    let output = Command::new("node")
        .arg(drivers.join(driver))
        .arg(job.to_string())
        .arg(kind)
        .current_dir(installed)
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("node does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<Line> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if lines.is_empty() {
        return Err(format!("its driver ended with {} and said nothing", output.status));
    }
    Ok(lines.into_iter().map(seen).collect())
}

fn seen(line: Line) -> Seen {
    let outcome = match (line.error, Stats::of(line.looks)) {
        (None, Some(look)) => Ok(Look { look, change: Stats::of(line.changes), text: line.text }),
        (error, _) => Err(error.unwrap_or_else(|| "it did not look".to_owned())),
    };
    Seen { page: line.page, outcome }
}

/// What a driver is told.
pub(crate) fn job(browser: &Path, rounds: usize, seconds: u64, pages: &[Value]) -> Value {
    json!({ "browser": browser, "flags": ["--no-sandbox"], "rounds": rounds, "seconds": seconds, "pages": pages })
}
