//! What `uiap mcp` weighs before a page is open: its memory, and how long it takes to answer the first request.

use crate::players::{Player, Setting};
use crate::wire::Wire;
use anyhow::Context as _;
use serde::Serialize;
use std::time::Instant;

const ROUNDS: usize = 11;

#[derive(Serialize)]
pub(crate) struct Weight {
    /// Resident memory after the first requests, in MB; the most of all rounds.
    pub(crate) memory_mb: f64,
    /// From the start of the program to the answer to `initialize`, in milliseconds; the median.
    pub(crate) initialize_ms: f64,
}

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
    times.sort_by(f64::total_cmp);
    let initialize_ms = times.get(times.len() / 2).copied().context("nothing was measured")?;
    Ok(Weight { memory_mb: memory, initialize_ms })
}

fn resident_mb(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
