//! How much of a processor the renderers of a browser use, from the process table of Linux.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Clock ticks per second in the process table; Linux fixes it for programs.
const TICKS_PER_SECOND: f64 = 100.0;

/// Two windows that differ by no more than this share show that loading is over.
const STEADY_SHARE: f64 = 0.02;
const WINDOW: Duration = Duration::from_secs(1);
const WINDOWS_MAX: usize = 15;

/// The shares of one core that all renderers of each browser use together over the same time, once what loading a page
/// costs is behind them.
pub(crate) async fn steady_shares(browsers: [u32; 2], over: Duration) -> [f64; 2] {
    let shares = async |over| {
        let [one, other] = browsers.map(|browser| renderer_share(browser, over));
        <[f64; 2]>::from(tokio::join!(one, other))
    };
    let mut last = shares(WINDOW).await;
    for _ in 0..WINDOWS_MAX {
        let next = shares(WINDOW).await;
        if last.iter().zip(next).all(|(last, next)| (next - last).abs() <= STEADY_SHARE) {
            break;
        }
        last = next;
    }
    shares(over).await
}

async fn renderer_share(browser: u32, over: Duration) -> f64 {
    let (before, start) = (renderer_ticks(browser), Instant::now());
    tokio::time::sleep(over).await;
    let ticks = renderer_ticks(browser).saturating_sub(before);
    #[expect(clippy::cast_precision_loss, reason = "a few hundred ticks")]
    let seconds = ticks as f64 / TICKS_PER_SECOND;
    seconds / start.elapsed().as_secs_f64()
}

/// The most memory that a process ever used, in MB.
pub(crate) fn peak_memory(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

struct Process {
    parent: u32,
    ticks: u64,
    is_renderer: bool,
}

fn renderer_ticks(browser: u32) -> u64 {
    let table = processes();
    let belongs = |id: &u32| {
        let mut at = *id;
        // The chain of parents ends at the first process, and is short.
        for _ in 0..table.len() {
            if at == browser {
                return true;
            }
            let Some(process) = table.get(&at) else { return false };
            at = process.parent;
        }
        false
    };
    table
        .iter()
        .filter(|(id, process)| process.is_renderer && belongs(id))
        .map(|(_, process)| process.ticks)
        .sum()
}

fn processes() -> HashMap<u32, Process> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders
        .filter_map(|folder| {
            let id = folder.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(folder.path().join("stat")).ok()?;
            let line = std::fs::read(folder.path().join("cmdline")).ok()?;
            let is_renderer = String::from_utf8_lossy(&line).contains("--type=renderer");
            // The name of the program may contain anything, but ends at the last bracket.
            let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
            let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
            let parent = u32::try_from(number(1)?).ok()?;
            Some((id, Process { parent, ticks: number(11)? + number(12)?, is_renderer }))
        })
        .collect()
}
