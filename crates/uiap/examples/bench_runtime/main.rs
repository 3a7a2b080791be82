//! What a verified press costs, as ratios against bare ones and against others in the same run:
//! `cargo xtask bench runtime`.
//!
//! Start at [`measure`]. Nothing here fails because something is slow: the report says what was wanted and what was
//! found.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod bare;
#[path = "../bench_web/pages.rs"]
mod forms;
#[path = "../bench_web/goals.rs"]
mod goals;
mod ours;
mod pages;
#[path = "../bench_web/peers.rs"]
#[expect(dead_code, reason = "what peers say about looks is not asked for here")]
mod peers;
mod report;
#[path = "../bench_web/site.rs"]
mod site;
#[path = "../bench_web/stats.rs"]
mod stats;
mod tracing;

use bare::{Bare, soon};
use clap::Parser;
use goals::PeerReport;
use ours::Ours;
use report::{Memory, PageReport, Report};
use serde_json::{Value, json};
use stats::Stats;
use std::path::{Path, PathBuf};
use uiap_web::{Browser, LaunchOptions};

/// Rounds that warm up what the others use.
const WARM_UP: usize = 5;
/// Rounds of what takes its time by intention.
const LATE_ROUNDS: usize = 10;
/// Rounds of what is waited for in vain.
const WAITED_ROUNDS: usize = 3;
/// Most time for one peer and page.
const SECONDS_MAX: u64 = 10;
/// Actions in a row while the memory is watched.
const ROW: usize = 100;
/// Rows that fill what is kept for late listeners; from then on every new signal takes the place of an old one.
const ROWS_BEFORE: usize = 9;
/// The small and the large page.
pub(crate) const PAGES: [&str; 2] = ["50", "10000"];

#[derive(Parser)]
struct Args {
    /// The folder with the drivers of the peers
    #[arg(long)]
    programs: PathBuf,
    /// The folder where the peers are installed
    #[arg(long)]
    peers: PathBuf,
    /// A folder for the journal
    #[arg(long)]
    scratch: PathBuf,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 41)]
    rounds: usize,
    /// Only these pages
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    fn pages(&self) -> impl Iterator<Item = &'static str> {
        let wanted = |page: &&str| self.only.is_empty() || self.only.iter().any(|only| only == page);
        PAGES.into_iter().filter(wanted)
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let report = tokio::runtime::Runtime::new()?.block_on(measure(&args))?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report.to_json())?);
    } else {
        println!("{report}");
    }
    Ok(())
}

async fn measure(args: &Args) -> anyhow::Result<Report> {
    let program = uiap_web::find(None)?;
    let origin = site::start()?;
    let browser = Browser::launch(&LaunchOptions::default()).await?;
    let mut report = Report::default();
    for name in args.pages() {
        eprintln!("pressing on {name}");
        // A page that cannot be measured is a finding like any other.
        match pressed(name, &browser, &origin, args, &mut report.memory).await {
            Ok(page) => report.pages.push(page),
            Err(error) => report.failures.push(format!("{name}: {error:#}")),
        }
    }
    browser.close().await;
    report.peers = ask_peers(args, &program, &origin);
    Ok(report)
}

/// In turn with what it is compared with, so that all meet the same machine.
async fn pressed(
    name: &'static str,
    browser: &Browser,
    origin: &str,
    args: &Args,
    memory: &mut Option<Memory>,
) -> anyhow::Result<PageReport> {
    let url = format!("{origin}/{name}");
    let journal = args.scratch.join(format!("journal-{name}-{}.sqlite", std::process::id()));
    let bare = Bare::open(browser, &url).await?;
    let page = browser.context(soon()).await?.open(&url, soon()).await?;
    page.rest(soon()).await;
    let ours = Ours::new(page, &journal)?;
    let (mut in_page, mut trusted, mut verified) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..args.rounds + WARM_UP {
        in_page.push(bare.in_page().await?);
        trusted.push(bare.trusted().await?);
        verified.push(ours.press("Press here").await?);
    }
    let (mut late, mut ambiguous, mut unsupported) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..LATE_ROUNDS {
        late.push(ours.press_late("Press and wait").await?);
        ambiguous.push(ours.refused("ui.activate", "Twin", "target_ambiguous").await?);
        unsupported.push(ours.refused("x.bench.unknown", "Press here", "action_unsupported").await?);
    }
    let (mut disabled, mut covered) = (Vec::new(), Vec::new());
    for _ in 0..WAITED_ROUNDS {
        disabled.push(ours.refused("ui.activate", "Not yet", "target_not_interactable").await?);
        covered.push(ours.refused("ui.activate", "Behind", "target_not_interactable").await?);
    }
    let own = ours.resolve_and_gate("Press here").await?;
    let trace = tracing::cost(&journal, &args.scratch).await?;
    if memory.is_none() {
        *memory = in_a_row(&ours).await?;
    }
    Ok(PageReport {
        name,
        in_page: warm(in_page),
        trusted: warm(trusted),
        verified: warm(verified),
        late: Stats::of(late),
        ambiguous: Stats::of(ambiguous),
        unsupported: Stats::of(unsupported),
        disabled: Stats::of(disabled),
        covered: Stats::of(covered),
        trace,
        resolve_and_gate_us: Stats::of(own),
    })
}

fn warm(times: Vec<f64>) -> Option<Stats> {
    Stats::of(times.into_iter().skip(WARM_UP).collect())
}

/// The memory before and after many actions.
async fn in_a_row(ours: &Ours) -> anyhow::Result<Option<Memory>> {
    for _ in 0..ROWS_BEFORE * ROW {
        ours.press("Press here").await?;
    }
    let before = ours::memory();
    for _ in 0..ROW {
        ours.press("Press here").await?;
    }
    Ok(before.zip(ours::memory()).map(|(before_mb, after_mb)| Memory { before_mb, after_mb }))
}

fn ask_peers(args: &Args, program: &Path, origin: &str) -> Vec<PeerReport> {
    let page = |name| json!({ "name": name, "url": format!("{origin}/{name}"), "press": "Press here" });
    let pages: Vec<Value> = args.pages().map(page).collect();
    let job = peers::job(program, args.rounds, SECONDS_MAX, &pages);
    let ask = |peer: (&'static str, &str, &str, &str)| {
        eprintln!("asking {}", peer.0);
        PeerReport { name: peer.0, seen: peers::run(peer, &args.peers, &args.programs, &job) }
    };
    peers::PEERS.into_iter().map(ask).collect()
}
