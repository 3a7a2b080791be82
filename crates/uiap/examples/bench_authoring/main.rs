//! What building a package costs, against the YAML parser alone and against kustomize. `cargo xtask bench authoring`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod generated;
// The hands of the command: what is measured is what people wait for.
#[path = "../../src/package/hands.rs"]
mod hands;
#[path = "../bench_web/processor.rs"]
#[expect(dead_code, reason = "shared with a benchmark that uses more of it")]
mod processor;
#[path = "../bench_web/stats.rs"]
mod stats;

use anyhow::{Context as _, ensure};
use clap::Parser;
use generated::{Files, Size};
use granit_parser::Parser as YamlParser;
use mimalloc::MiMalloc;
use stats::Stats;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use uiap_authoring::{Builder, Folder, Lock, Memory, Request, Texts};
use uiap_protocol::authoring::BuildContext;
use uiap_protocol::time::Timestamp;

/// As the command has it; the parser alone has it, too.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// A build may take so many times as long as the parser alone.
const BUILD_RATIO_MAX: f64 = 3.0;
/// And a change of one file so much of what a build may take.
const CHANGE_SHARE_MAX: f64 = 0.1;
/// kustomize must take so many times as long.
const KUSTOMIZE_RATIO_MIN: f64 = 20.0;
/// How many builds it gets before it is ended.
const KUSTOMIZE_PATIENCE: f64 = 50.0;
/// Clock ticks per second in the process table; Linux fixes it for programs.
const TICKS_PER_SECOND: f64 = 100.0;
/// From one size to the tenfold, what a processor spends on building, beside what the parser alone takes in turn with it, may
/// grow by so much. The time on the clock is shown, and is no measure of growth: what is written is forced onto a disk,
/// which takes ten megabytes faster than ten times as many, and a shared machine is not equally fast all the time.
const GROWTH_MAX: f64 = 1.3;
/// How often memory is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(2);
/// The size that goals are about.
const ELEMENTS: usize = 10_000;

#[derive(Parser)]
struct Args {
    /// The program that builds
    #[arg(long)]
    program: PathBuf,
    /// A folder for packages
    #[arg(long)]
    scratch: PathBuf,
    /// How often everything is measured
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut missed = 0;
    let mut goal = |met: bool, sentence: String| {
        println!("{} {sentence}", if met { "met    " } else { "missed " });
        missed += usize::from(!met);
    };
    let mut per_element = Vec::new();
    for elements in [1_000, ELEMENTS, 100_000] {
        let size = Size::of_elements(elements);
        eprintln!("building {elements} elements");
        let files = generated::package(size);
        let folder = args.scratch.join(format!("package-{elements}"));
        generated::write(&files, &folder)?;
        let rounds = if elements > ELEMENTS { 3 } else { args.rounds };
        let (mut floors, mut builds, mut computing) = (Vec::new(), Vec::new(), 0.0);
        for _ in 0..rounds {
            floors.push(parse(&files)?);
            let before = computed()?;
            builds.push(build(&args.program, &folder)?);
            computing += computed()? - before;
        }
        let memory = peak_memory(&args.program, &folder)?;
        let (floor, built) = Stats::of(floors).zip(Stats::of(builds)).context("no rounds")?;
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let [each, each_parsed, computing] =
            [built.median, floor.median, computing / rounds as f64].map(|time| time / elements as f64);
        println!(
            "{elements:>7} elements, {} files, {bytes} bytes: parser alone {floor} ms, build {built} ms, {:.2}x, {:.1} us per element, {:.1} of a processor, peak {memory:.0} MB",
            files.len(),
            built.median / floor.median,
            each * 1e3,
            computing * 1e3
        );
        per_element.push((elements, computing / each_parsed));
        if elements == ELEMENTS {
            goals_of(&files, size, floor, built, &args, &mut goal)?;
        }
    }
    for pair in per_element.windows(2) {
        if let [(small, one), (large, other)] = pair {
            let growth = other / one;
            goal(
                growth <= GROWTH_MAX,
                format!(
                    "Beside the parser, an element of {large} costs a processor {growth:.2}x one of {small}; wanted: at most {GROWTH_MAX}x."
                ),
            );
        }
    }
    ensure!(missed == 0, "{missed} goals were missed");
    Ok(())
}

fn goals_of(
    files: &Files,
    size: Size,
    floor: Stats,
    built: Stats,
    args: &Args,
    goal: &mut impl FnMut(bool, String),
) -> anyhow::Result<()> {
    let ratio = built.median / floor.median;
    goal(
        ratio <= BUILD_RATIO_MAX,
        format!(
            "A build takes {ratio:.2}x the parser alone ({:.0} ms against {:.0} ms); wanted: at most {BUILD_RATIO_MAX}x.",
            built.median, floor.median
        ),
    );
    let (floor, changed) = change(files, args.rounds)?.context("no rounds")?;
    let share = changed.median / (BUILD_RATIO_MAX * floor.median);
    goal(
        share <= CHANGE_SHARE_MAX,
        format!(
            "After a change of one file it takes {:.0} ms, {share:.3} of what a build may take (parser alone {:.0} ms); wanted: at most {CHANGE_SHARE_MAX}.",
            changed.median, floor.median
        ),
    );
    match kustomize(size, &args.scratch, KUSTOMIZE_PATIENCE * built.median)? {
        None => println!("open    kubectl is not there; its time was not measured."),
        Some(peer) => {
            let ratio = peer / built.median;
            goal(
                ratio >= KUSTOMIZE_RATIO_MIN,
                format!(
                    "kubectl kustomize takes {ratio:.1}x as long for as many objects and patches ({peer:.0} ms, at most {KUSTOMIZE_PATIENCE}x is waited for); wanted: at least {KUSTOMIZE_RATIO_MIN}x."
                ),
            );
        }
    }
    Ok(())
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The parser alone, over the same texts.
fn parse(files: &Files) -> anyhow::Result<f64> {
    let start = Instant::now();
    let mut events = 0_usize;
    for (path, text) in files {
        for event in YamlParser::new_from_str(text) {
            event.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
            events += 1;
        }
    }
    let time = millis(start);
    ensure!(events > 0, "nothing was parsed");
    Ok(time)
}

fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["build", "--channel", "dev", "-o"]).arg(folder.with_extension("json")).arg(folder);
    command.stderr(Stdio::piped());
    command
}

/// The program, from its start to its end.
fn build(program: &Path, folder: &Path) -> anyhow::Result<f64> {
    let start = Instant::now();
    let ended = command(program, folder).output().context("the program does not start")?;
    let time = millis(start);
    ensure!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    Ok(time)
}

/// How long programs that were started here, and have ended, were computing, in milliseconds.
fn computed() -> anyhow::Result<f64> {
    const USER_TIME_OF_CHILDREN: usize = 13;
    let table = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program, which may hold anything, ends with the last bracket.
    let (_, numbers) = table.rsplit_once(')').context("no process table")?;
    let ticks = numbers.split_whitespace().nth(USER_TIME_OF_CHILDREN).context("no time of children")?;
    Ok(ticks.parse::<f64>()? / TICKS_PER_SECOND * 1e3)
}

/// The most memory that the program used, in MB, as far as looking often shows.
fn peak_memory(program: &Path, folder: &Path) -> anyhow::Result<f64> {
    let mut child = command(program, folder).spawn().context("the program does not start")?;
    let mut peak = 0.0_f64;
    while child.try_wait()?.is_none() {
        peak = peak.max(processor::peak_memory(child.id()).unwrap_or_default());
        std::thread::sleep(LOOK_AGAIN);
    }
    Ok(peak)
}

/// The parser alone, and a builder that has built the package before, after a change of one file.
fn change(files: &Files, rounds: usize) -> anyhow::Result<Option<(Stats, Stats)>> {
    const CHANGED: &str = "Bindings/bindings.7.uiap.yaml";
    let mut memory = Memory::default();
    for (path, text) in files {
        memory.put("package", &path.display().to_string(), text.as_bytes());
    }
    let (_, original) = files.iter().find(|(path, _)| path == Path::new(CHANGED)).context("no such file")?;
    let request = Request {
        folder: Folder::new("package"),
        context: BuildContext::default(),
        now: Timestamp::new("2026-01-01T00:00:00Z")?,
        lock: Lock::default(),
    };
    let texts = Texts::default();
    let mut builder = Builder::with_hands(&texts, &hands::Threads);
    builder.build(&request, &memory);
    let (mut floors, mut times) = (Vec::new(), Vec::new());
    let mut digests = std::collections::HashSet::new();
    for round in 0..rounds {
        memory.put(
            "package",
            CHANGED,
            original.replace("Button 710", &format!("Button 710 in round {round}")),
        );
        floors.push(parse(files)?);
        let start = Instant::now();
        let outcome = builder.build(&request, &memory);
        times.push(millis(start));
        digests.insert(outcome.built.context("the package is not sound any more")?.digest);
    }
    ensure!(digests.len() == rounds, "a change did not get into the bundle");
    Ok(Stats::of(floors).zip(Stats::of(times)))
}

/// One run of kustomize, in milliseconds; nothing if it is not installed. It is ended after `most`: then it took longer.
fn kustomize(size: Size, scratch: &Path, most: f64) -> anyhow::Result<Option<f64>> {
    let folder = scratch.join("kustomize");
    generated::write(&generated::kustomization(size), &folder)?;
    let start = Instant::now();
    let mut command = Command::new("kubectl");
    command.arg("kustomize").arg(&folder).stdout(Stdio::null());
    let mut child = match command.spawn() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        spawned => spawned?,
    };
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "kubectl failed: {status}");
            return Ok(Some(millis(start)));
        }
        if millis(start) > most {
            child.kill()?;
            child.wait()?;
            return Ok(Some(most));
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}
