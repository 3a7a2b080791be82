//! What looking at a page costs, as ratios against a floor and against others in the same run: `cargo xtask bench web`.
//!
//! Start at [`measure`]. Nothing here fails because something is slow: the report says what was wanted and what was
//! found.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod bare;
mod cold;
mod goals;
mod pages;
mod peers;
mod processor;
mod report;
mod site;
mod stats;

use anyhow::Context as _;
use bare::{Bare, CALM, soon};
use clap::Parser;
use goals::PeerReport;
use report::{Change, PageReport, Report, Shares};
use serde_json::{Value, json};
use stats::Stats;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use uiap_protocol::web::SnapshotOptions;
use uiap_runtime::view::{ViewOptions, view};
use uiap_web::{Browser, Context, LaunchOptions, Page};

/// Most time for the rounds of one measurement; three rounds are made in any case.
const SECONDS_MAX: u64 = 5;
const ROUNDS_MIN: usize = 3;
/// Changes that warm up what the others use.
const WARM_UP_ROUNDS: usize = 3;
/// How long a processor is watched.
const PROCESSOR_WATCH: Duration = Duration::from_secs(8);
/// Signs in to Videoland.
const SIGN_IN: &str = "() => fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, \
    body: JSON.stringify({ user: 'admin', password: 'videoland' }) }).then((answer) => answer.status)";
/// Pages of our own, and whether one change is measured on them.
const PAGES: [(&str, bool); 5] =
    [("50", true), ("1000", false), ("10000", true), ("100000-nodes", true), ("grid", false)];
/// Pages of Videoland.
const VIDEOLAND: [(&str, &str); 2] =
    [("videoland", "/videos"), ("videoland-200-rows", "/videos?view=virtual")];

#[derive(Parser)]
struct Args {
    /// The folder with the programs that run in pages and the drivers of the peers
    #[arg(long)]
    programs: PathBuf,
    /// The folder where the peers are installed
    #[arg(long)]
    peers: PathBuf,
    /// The `uiap` to start
    #[arg(long)]
    uiap: PathBuf,
    /// Most rounds of each measurement
    #[arg(long, default_value_t = 21)]
    rounds: usize,
    /// Only these pages, and `idle`, `animated`, `cold`
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    fn wants(&self, page: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == page)
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
    let videoland = videoland::Server::start(videoland::Options::default()).await?;
    let shop = videoland.origin().clone();
    let browser = Browser::launch(&LaunchOptions::default()).await?;
    let walk = std::fs::read_to_string(args.programs.join("walk.js")).context("walk.js")?;
    let observer = std::fs::read_to_string(args.programs.join("observer.js")).context("observer.js")?;

    let context = browser.context(soon()).await?;
    sign_in(&context, &shop).await?;
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for (name, url, is_changed) in addresses(&origin, &shop) {
        if !args.wants(name) {
            continue;
        }
        eprintln!("looking at {name}");
        let looked = async {
            let page = open(&context, &url).await?;
            let mut report = look_at(name, &page, &walk, args.rounds).await?;
            if is_changed {
                report.change = Some(changed(&browser, &page, &url, &observer, args.rounds).await?);
            }
            anyhow::Ok(report)
        };
        // A page that cannot be measured is a finding like any other.
        match looked.await {
            Ok(report) => reports.push(report),
            Err(error) => failures.push(format!("{name}: {error:#}")),
        }
    }
    drop(context);
    browser.close().await;

    let peers = ask_peers(args, &program, &origin, &shop);
    let (mut idle, mut animated, mut cold) = (None, None, None);
    if args.wants("idle") {
        eprintln!("watching an idle page");
        idle = Some(shares(&format!("{origin}/1000")).await?);
    }
    if args.wants("animated") {
        eprintln!("watching a page that moves");
        animated = Some(shares(&format!("{origin}/animated")).await?);
    }
    if args.wants("cold") {
        eprintln!("starting cold");
        cold = Some(cold::measure(&args.uiap, &program, &format!("{origin}/1000"))?);
    }
    videoland.shut_down().await;
    Ok(Report { pages: reports, failures, peers, idle, animated, cold })
}

fn addresses<'a>(origin: &'a str, shop: &'a str) -> impl Iterator<Item = (&'static str, String, bool)> + 'a {
    let own = PAGES.into_iter().map(move |(name, is_changed)| (name, format!("{origin}/{name}"), is_changed));
    own.chain(VIDEOLAND.into_iter().map(move |(name, path)| (name, format!("{shop}{path}"), false)))
}

async fn open(context: &Context, url: &str) -> anyhow::Result<Page> {
    let page = context.open(url, soon()).await?;
    page.rest(soon()).await;
    Ok(page)
}

async fn sign_in(context: &Context, shop: &str) -> anyhow::Result<()> {
    let page = context.open(&format!("{shop}/login"), soon()).await?;
    page.evaluate_main(&format!("({SIGN_IN})()"), soon()).await?;
    Ok(())
}

/// Looks in turn with the floor, so that both meet the same machine.
async fn look_at(name: &'static str, page: &Page, walk: &str, rounds: usize) -> anyhow::Result<PageReport> {
    let options = SnapshotOptions::default();
    let mut look = page.look(&options, soon()).await?;
    page.evaluate_main(walk, soon()).await?;
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    let end = Instant::now() + Duration::from_secs(SECONDS_MAX);
    for round in 0..rounds {
        if round >= ROUNDS_MIN && Instant::now() >= end {
            break;
        }
        let start = Instant::now();
        page.evaluate_main(walk, soon()).await?;
        floor.push(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        look = page.look(&options, soon()).await?;
        ours.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let start = Instant::now();
    let text = view(&look.graph, &ViewOptions::default())?;
    let view_ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(PageReport {
        name,
        elements: look.graph.elements.len(),
        json_bytes: look.json_bytes,
        floor: Stats::of(floor),
        ours: Stats::of(ours),
        view_ms,
        tokens: tokens(&text),
        change: None,
    })
}

/// The time from ordering a change to having it in the graph, in turn with the two floors on pages of their own.
///
/// The floor is an observer that pushes through a binding, with nothing between. The other floor, `laid_out`, pushes
/// once the page is laid out: on a large page that takes longer than all the rest, whoever asks for it. Before each
/// change every page is calm, so that none waits for the layout of the change before it.
async fn changed(
    browser: &Browser,
    page: &Page,
    url: &str,
    observer: &str,
    rounds: usize,
) -> anyhow::Result<Change> {
    let (floor, laid_out) = (Bare::open(browser, url).await?, Bare::open(browser, url).await?);
    floor.observe(observer, false).await?;
    laid_out.observe(observer, true).await?;
    let mut watch = page.watch(soon()).await?;
    let (mut floors, mut laid_outs, mut times, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for round in 0..rounds + WARM_UP_ROUNDS {
        floors.push(floor.heard(round).await?);
        floor.calm().await?;
        laid_outs.push(laid_out.heard(round).await?);
        laid_out.calm().await?;
        let change = format!("change({round})");
        let start = Instant::now();
        let order = page.evaluate_main(&change, soon());
        let arrived = async { watch.next(soon()).await.map(|deltas| (deltas, start.elapsed())) };
        let (ordered, arrived) = tokio::join!(order, arrived);
        ordered?;
        let (deltas, time) = arrived?;
        let sizes = deltas.iter().filter_map(|delta| serde_json::to_string(delta.as_ref()).ok());
        bytes = sizes.map(|json| json.len()).chain([bytes]).max().unwrap_or_default();
        times.push(time.as_secs_f64() * 1e3);
        page.evaluate_main(CALM, soon()).await?;
    }
    floor.close().await?;
    laid_out.close().await?;
    let warm = |times: Vec<f64>| Stats::of(times.into_iter().skip(WARM_UP_ROUNDS).collect());
    Ok(Change { floor: warm(floors), laid_out: warm(laid_outs), time: warm(times), bytes })
}

fn ask_peers(args: &Args, program: &Path, origin: &str, shop: &str) -> Vec<PeerReport> {
    let pages: Vec<Value> = addresses(origin, shop)
        .filter(|(name, ..)| args.wants(name))
        .map(|(name, url, is_changed)| {
            let mut page = json!({ "name": name, "url": url });
            if let Some(page) = page.as_object_mut() {
                if is_changed {
                    page.insert("change".to_owned(), "() => change(ROUND)".into());
                }
                if name.starts_with("videoland") {
                    let before = json!({ "url": format!("{shop}/login"), "run": SIGN_IN });
                    page.insert("before".to_owned(), before);
                }
            }
            page
        })
        .collect();
    let job = peers::job(program, args.rounds, SECONDS_MAX, &pages);
    let ask = |peer: (&'static str, &str, &str, &str)| {
        eprintln!("asking {}", peer.0);
        let seen = peers::run(peer, &args.peers, &args.programs.join("peers"), &job);
        PeerReport { name: peer.0, seen }
    };
    peers::PEERS.into_iter().map(ask).collect()
}

/// What the renderers use of a core while nobody asks, without and with the publisher: in two browsers at the same time,
/// so that both meet the same machine.
async fn shares(url: &str) -> anyhow::Result<Shares> {
    let (plain, followed) = (launch().await?, launch().await?);
    let bare = Bare::open(&plain.0, url).await?;
    let context = followed.0.context(soon()).await?;
    let page = context.open(url, soon()).await?;
    page.watch(soon()).await?;
    let [without, with] = processor::steady_shares([plain.1, followed.1], PROCESSOR_WATCH).await;
    bare.close().await?;
    drop((page, context));
    plain.0.close().await;
    followed.0.close().await;
    Ok(Shares { without, with })
}

async fn launch() -> anyhow::Result<(Browser, u32)> {
    let browser = Browser::launch(&LaunchOptions::default()).await?;
    let id = browser.process_id().context("the browser has no process")?;
    Ok((browser, id))
}

/// Tokens of a text, as o200k counts them.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}
