//! What others say on the same pages: each peer is a driver in Node that prints one line of JSON per case.
//!
//! A peer has no word for "verified": that a call ends without an error is all that whoever uses it can go by.

use crate::case::{Case, folder};
use crate::site::Site;
use crate::trial::truth;
use crate::verdict::Truth;
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// How long one peer may take for one case, with everything around it.
const CASE_WAIT: Duration = Duration::from_secs(90);

/// A peer: its name, driver, argument of the driver.
pub(crate) const PEERS: [(&str, &str, &str); 3] = [
    ("playwright-core", "playwright.mjs", ""),
    ("@playwright/mcp", "mcp.mjs", "playwright-mcp"),
    ("chrome-devtools-mcp", "mcp.mjs", "chrome-devtools-mcp"),
];

/// The figures of one peer on one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    /// Cases that it could take part in.
    pub(crate) cases: usize,
    /// No error, and no effect; or an effect that must not be.
    pub(crate) lies: usize,
    /// An error, and the effect all the same.
    pub(crate) missed: usize,
}

/// What a driver says about a case.
#[derive(Deserialize)]
struct Line {
    name: String,
    absent: Option<String>,
    error: Option<String>,
    shown: Option<bool>,
}

/// Runs one peer over all cases; kinds in which it cannot take part have no figures.
pub(crate) async fn run(
    (package, driver, kind): (&str, &str, &str),
    installed: &Path,
    site: &Site,
    cases: &[Arc<Case>],
) -> anyhow::Result<BTreeMap<String, Figures>> {
    ensure!(installed.join("node_modules").join(package).is_dir(), "{package} is not installed");
    let named: BTreeMap<String, &Arc<Case>> = cases
        .iter()
        .map(|case| (format!("{}-{}-{}", package.replace(['@', '/'], ""), case.kind, case.seed), case))
        .collect();
    let told = named.iter().map(|(name, case)| {
        let url = site.put(name, case);
        json!({ "name": name, "url": url, "request": case.request, "page": case.oracle.page, "settle": case.settle })
    });
    let job = json!({
        "browser": uiap_web::find(None)?, "flags": ["--no-sandbox"], "cases": told.collect::<Vec<_>>(),
    });
    let path = std::env::temp_dir().join(format!("hazards-{}-{driver}-{kind}.json", std::process::id()));
    std::fs::write(&path, job.to_string()).with_context(|| format!("{}", path.display()))?;
    let mut node = Command::new("node");
    node.arg(folder().join("peers").join(driver)).arg(&path).arg(kind).current_dir(installed);
    node.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = node.spawn().context("node does not start")?;
    let mut lines = BufReader::new(child.stdout.take().context("node has no output")?).lines();
    let mut figures: BTreeMap<String, Figures> = BTreeMap::new();
    while let Ok(Ok(Some(line))) = tokio::time::timeout(CASE_WAIT, lines.next_line()).await {
        let Ok(line) = serde_json::from_str::<Line>(&line) else { continue };
        let Some(case) = named.get(&line.name) else { continue };
        if line.absent.is_none() {
            count(
                figures.entry(case.kind.clone()).or_default(),
                &line,
                truth(site, &line.name, case, line.shown),
            );
        }
    }
    drop(child);
    // A file in the folder for temporary ones that stays does no harm.
    let _ = std::fs::remove_file(&path);
    Ok(figures)
}

fn count(figures: &mut Figures, line: &Line, truth: Truth) {
    figures.cases += 1;
    match (truth, line.error.is_none()) {
        (Truth::Nothing, true) | (Truth::Harm, _) => figures.lies += 1,
        (Truth::Effect, false) => figures.missed += 1,
        (Truth::Effect, true) | (Truth::Nothing, false) => {}
    }
}
