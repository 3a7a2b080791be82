//! What others do on the same pages: each peer is a driver in Node that prints one line of JSON per page.

use crate::stats::Stats;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long one peer may take for all pages.
const PEER_WAIT: Duration = Duration::from_mins(5);

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
    pub(crate) time: Stats,
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
    let mut node = Command::new("node");
    node.arg(drivers.join(driver)).arg(job.to_string()).arg(kind).current_dir(installed);
    node.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = node.spawn().map_err(|error| format!("node does not start: {error}"))?;
    let output = child.stdout.take().ok_or("node has no output")?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        // Nobody listens any more once the time is over.
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    let end = Instant::now() + PEER_WAIT;
    let mut seen = Vec::new();
    while let Ok(line) = receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        seen.extend(serde_json::from_str(&line).ok().map(self::seen));
    }
    // If it ended by itself there is nothing to end.
    let _ = child.kill();
    let status = child.wait().map_err(|error| error.to_string())?;
    if seen.is_empty() { Err(format!("its driver ended with {status} and said nothing")) } else { Ok(seen) }
}

fn seen(line: Line) -> Seen {
    let outcome = match (line.error, Stats::of(line.looks)) {
        (None, Some(look)) => Ok(Look { time: look, change: Stats::of(line.changes), text: line.text }),
        (error, _) => Err(error.unwrap_or_else(|| "it did not look".to_owned())),
    };
    Seen { page: line.page, outcome }
}

/// What a driver is told.
pub(crate) fn job(browser: &Path, rounds: usize, seconds: u64, pages: &[Value]) -> Value {
    json!({ "browser": browser, "flags": ["--no-sandbox"], "rounds": rounds, "seconds": seconds, "pages": pages })
}
