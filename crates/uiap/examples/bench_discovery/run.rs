//! One run of `uiap discover`, watched from outside: how long it took, and who used the processor meanwhile.

use anyhow::{Context as _, bail};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Clock ticks per second in the process table; Linux fixes it for programs.
const TICKS_PER_SECOND: f64 = 100.0;
/// How often the process table is looked at.
const POLL: Duration = Duration::from_millis(100);
/// Longest run; whatever takes longer is ended.
const RUN_WAIT: Duration = Duration::from_mins(20);
/// What the process table calls a process that ended and was not yet asked how.
const ENDED: &str = "Z";

/// What to map, and how.
#[derive(Clone, Debug)]
pub(crate) struct Order<'o> {
    /// The program.
    pub(crate) uiap: &'o Path,
    /// The environment, as text.
    pub(crate) environment: String,
    /// Where the map goes.
    pub(crate) folder: PathBuf,
    /// What an earlier process left there is gone on with.
    pub(crate) goes_on: bool,
    pub(crate) jobs: usize,
    pub(crate) more: Vec<String>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) wall: Duration,
    /// Processor time of the program itself, without the browser, in seconds.
    pub(crate) own_seconds: f64,
    /// Processor time of the browser, in seconds.
    pub(crate) browser_seconds: f64,
    /// Most memory of the program itself, without the browser, in MB.
    pub(crate) peak_mb: f64,
    pub(crate) package: Value,
}

impl Run {
    /// How many of a catalog there are.
    pub(crate) fn count(&self, pointer: &str) -> usize {
        self.package.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// Why it did not see everything, if it did not.
    pub(crate) fn trouble(&self) -> Option<String> {
        let word = |pointer: &str| self.package.pointer(pointer).and_then(Value::as_str);
        let notes = self.package.pointer("/run/notes").and_then(Value::as_array);
        let last = notes.and_then(|notes| notes.last()?.as_str()).unwrap_or_default();
        (word("/run/status") != Some("completed")).then(|| last.to_owned())
    }

    /// The part of the time in which the program itself computed.
    pub(crate) fn own_share(&self) -> f64 {
        self.own_seconds / self.wall.as_secs_f64()
    }

    /// How much of a processor the browser used.
    pub(crate) fn browser_share(&self) -> f64 {
        self.browser_seconds / self.wall.as_secs_f64()
    }

    pub(crate) fn states_a_minute(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few thousand states")]
        let states = self.count("/transitionGraph/states") as f64;
        states * 60.0 / self.wall.as_secs_f64()
    }
}

impl Order<'_> {
    /// Runs it, off the threads that serve the application.
    pub(crate) async fn run(&self) -> anyhow::Result<Run> {
        let (command, folder) = (self.command()?, self.folder.clone());
        tokio::task::spawn_blocking(move || watch(command, &folder)).await?
    }

    fn command(&self) -> anyhow::Result<Command> {
        if !self.goes_on {
            // What an earlier measurement left.
            drop(std::fs::remove_dir_all(&self.folder));
        }
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("{} cannot be created", self.folder.display()))?;
        let environment = self.folder.join("environment.yaml");
        std::fs::write(&environment, &self.environment)?;
        let mut command = Command::new(self.uiap);
        command.arg("discover").arg("--environment").arg(environment).arg("-o").arg(&self.folder);
        command.args(["--jobs", &self.jobs.to_string()]).args(&self.more);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(std::fs::File::create(self.folder.join("said.txt"))?);
        Ok(command)
    }
}

fn watch(mut command: Command, folder: &Path) -> anyhow::Result<Run> {
    let start = Instant::now();
    let mut child = command.spawn().context("uiap does not start")?;
    let used = follow(&mut child, start)?;
    let wall = start.elapsed();
    let status = child.wait()?;
    let package = package(folder).with_context(|| {
        let said = std::fs::read_to_string(folder.join("said.txt")).unwrap_or_default();
        format!("uiap discover ended with {status}: {}", said.trim())
    })?;
    Ok(Run {
        wall,
        own_seconds: used.own,
        browser_seconds: used.below.values().sum(),
        peak_mb: used.peak_mb,
        package,
    })
}

/// The package of a folder.
pub(crate) fn package(folder: &Path) -> anyhow::Result<Value> {
    let files = std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path());
    let file = files.into_iter().find(|path| path.to_string_lossy().ends_with(".discovery.json"));
    let file = file.with_context(|| format!("{} holds no package", folder.display()))?;
    Ok(serde_json::from_slice(&std::fs::read(file)?)?)
}

/// What a process and those below it used.
#[derive(Debug, Default)]
struct Used {
    own: f64,
    below: HashMap<u32, f64>,
    peak_mb: f64,
}

/// Looks at a process until it has ended. It still stands in the process table then, with what it used.
fn follow(child: &mut Child, start: Instant) -> anyhow::Result<Used> {
    let mut used = Used::default();
    loop {
        let table = processes();
        let own = table.get(&child.id()).context("the process is not in the process table")?;
        used.own = own.seconds;
        for (id, process) in
            table.iter().filter(|(id, _)| **id != child.id() && is_below(**id, child.id(), &table))
        {
            // A process that ended between two looks keeps what it had used by the last one.
            used.below.insert(*id, process.seconds);
        }
        used.peak_mb = peak_mb(child.id()).unwrap_or_default().max(used.peak_mb);
        if own.state == ENDED {
            return Ok(used);
        }
        if start.elapsed() > RUN_WAIT {
            child.kill()?;
            child.wait()?;
            bail!("the run took longer than {} minutes", RUN_WAIT.as_secs() / 60);
        }
        std::thread::sleep(POLL);
    }
}

struct Process {
    parent: u32,
    state: String,
    seconds: f64,
}

fn processes() -> HashMap<u32, Process> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders
        .filter_map(|folder| {
            let id = folder.file_name().to_str()?.parse().ok()?;
            Some((id, process(&std::fs::read_to_string(folder.path().join("stat")).ok()?)?))
        })
        .collect()
}

fn process(stat: &str) -> Option<Process> {
    // The name of the program may contain anything, but ends at the last bracket.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some(Process {
        state: (*fields.first()?).to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        seconds: (ticks(11)? + ticks(12)?) / TICKS_PER_SECOND,
    })
}

fn is_below(id: u32, above: u32, table: &HashMap<u32, Process>) -> bool {
    let mut at = id;
    // The chain of parents ends at the first process, and is short.
    for _ in 0..table.len() {
        if at == above {
            return true;
        }
        let Some(process) = table.get(&at) else { return false };
        at = process.parent;
    }
    false
}

fn peak_mb(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_process_table_is_read() {
        let line = "7 (a (b) c) S 3 7 7 0 -1 4194304 100 0 0 0 150 50 900 900 20 0 1 0 5 6 7";
        let process = process(line).unwrap();
        assert_eq!((process.state.as_str(), process.parent), ("S", 3));
        assert!((process.seconds - 2.0).abs() < f64::EPSILON);
    }
}
