//! What `uiap mcp` weighs before a page is open: its memory, and how long it takes to answer the first request.

use crate::players::{Player, Setting};
use crate::wire::Wire;
use anyhow::Context as _;
use serde::Serialize;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 11;

#[derive(Serialize)]
pub(crate) struct Weight {
    /// Resident memory after the first requests, in MB; the most of all rounds.
    pub(crate) memory_mb: f64,
    /// From the start of the program to the answer to `initialize`, in milliseconds; the median.
    pub(crate) initialize_ms: f64,
    /// The same of a bare process that repeats what it reads: what the machine takes for that, whoever asks.
    pub(crate) bare: Bare,
}

/// A process that does nothing but answer.
#[derive(Serialize)]
pub(crate) struct Bare {
    pub(crate) memory_mb: f64,
    pub(crate) answer_ms: f64,
}

/// Reads lines and writes them.
const BARE: &str = "cat";

pub(crate) fn measure(setting: &Setting) -> anyhow::Result<Weight> {
    let (mut memory, mut times) = (0.0_f64, Vec::new());
    for round in 0..=ROUNDS {
        let mut command = Player::Uiap.command(setting).map_err(anyhow::Error::msg)?;
        let start = Instant::now();
        let mut wire = Wire::start(&mut command)?;
        wire.initialize()?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        wire.tools()?;
        memory = memory.max(resident_mb(wire.id()).context("the process table says nothing")?);
        // The first round brings the program into memory.
        if round > 0 {
            times.push(time);
        }
    }
    Ok(Weight { memory_mb: memory, initialize_ms: median(times)?, bare: bare()? })
}

fn bare() -> anyhow::Result<Bare> {
    let (mut memory, mut times) = (0.0_f64, Vec::new());
    for round in 0..=ROUNDS {
        let start = Instant::now();
        let mut child = Command::new(BARE).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.as_mut(), child.stdout.as_mut());
        let (input, output) = input.zip(output).context("it has no pipes")?;
        writeln!(input, "initialize")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        memory = memory.max(resident_mb(child.id()).context("the process table says nothing")?);
        if round > 0 {
            times.push(time);
        }
        drop(child.stdin.take());
        child.wait()?;
    }
    Ok(Bare { memory_mb: memory, answer_ms: median(times)? })
}

fn median(mut times: Vec<f64>) -> anyhow::Result<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().context("nothing was measured")
}

fn resident_mb(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
