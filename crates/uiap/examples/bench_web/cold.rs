//! From nothing to the first look, against the browser's own start: both as whole programs, in turn.

use crate::processor::peak_memory;
use crate::stats::Stats;
use anyhow::Context as _;
use serde::Serialize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
/// How often the memory of a running program is read.
const POLL: Duration = Duration::from_millis(2);

#[derive(Serialize)]
pub(crate) struct Cold {
    /// The browser alone: start, load, write the document, end.
    pub(crate) browser: Option<Stats>,
    /// `uiap look`, browser included.
    pub(crate) look: Option<Stats>,
    /// The most memory that `uiap look` used itself, in MB.
    pub(crate) memory_mb: Option<f64>,
}

pub(crate) fn measure(uiap: &Path, browser: &Path, url: &str) -> anyhow::Result<Cold> {
    let (mut alone, mut looks, mut memory) = (Vec::new(), Vec::new(), None::<f64>);
    for round in 0..=ROUNDS {
        let profile = std::env::temp_dir().join(format!("uiap-bench-{}-{round}", std::process::id()));
        let mut folder = std::ffi::OsString::from("--user-data-dir=");
        folder.push(&profile);
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-extensions",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--dump-dom",
        ];
        let (time, _) = run(Command::new(browser).args(flags).arg(folder).arg(url))?;
        std::fs::remove_dir_all(&profile).ok();
        let (look, peak) = run(Command::new(uiap).arg("look").arg(url))?;
        // The first round brings the programs into memory.
        if round > 0 {
            alone.push(time);
            looks.push(look);
            memory = memory.into_iter().chain(peak).reduce(f64::max);
        }
    }
    Ok(Cold { browser: Stats::of(alone), look: Stats::of(looks), memory_mb: memory })
}

/// How long a program runs, in milliseconds, and the most memory it used.
fn run(command: &mut Command) -> anyhow::Result<(f64, Option<f64>)> {
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child: Child =
        child.with_context(|| format!("{} does not start", command.get_program().display()))?;
    let mut peak = None;
    while child.try_wait()?.is_none() {
        peak = peak_memory(child.id()).or(peak);
        std::thread::sleep(POLL);
    }
    Ok((start.elapsed().as_secs_f64() * 1e3, peak))
}
