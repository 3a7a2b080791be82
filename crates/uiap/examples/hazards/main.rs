//! Pages that mislead: each kind of hazard in many variants, what is reported held against what really happened.
//! `cargo xtask soak hazards`.
//!
//! Start at [`campaign`]. Kinds are files in `crates/uiap-testkit/hazards/kinds`; each makes a page, a request and an
//! oracle from a seed. The truth is the ledger of the server, or the state of the page where no server is involved.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a campaign reports")]

mod case;
mod peers;
mod report;
mod site;
mod trial;
mod verdict;

use anyhow::{Context as _, bail, ensure};
use case::Case;
use clap::Parser;
use report::Report;
use site::Site;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinSet;
use trial::Outcome;
use uiap_web::{Browser, LaunchOptions};
use verdict::Verdict;

/// What never happens.
const UNTRUE: [Verdict; 3] = [Verdict::Lie, Verdict::Harm, Verdict::WrongAsking];
/// The share of true successes that must be recognised, in hundredths.
const RECOGNISED_MIN: f64 = 99.5;
/// The share of answers that must also have the right reason, in hundredths. Each of the others is told with its seed.
const RIGHT_MIN: f64 = 99.5;

#[derive(Parser)]
struct Args {
    /// Only these kinds
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<String>,
    /// How many variants of each
    #[arg(long, default_value_t = 20)]
    variants: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many pages at a time
    #[arg(long, default_value_t = 2)]
    pages: usize,
    /// The folder where the peers are installed
    #[arg(long)]
    peers: Option<PathBuf>,
    /// How many variants of each the peers get: they wait long for what does not come
    #[arg(long, default_value_t = 1)]
    peer_variants: usize,
    /// Write the table here
    #[arg(long)]
    write: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let report = tokio::runtime::Runtime::new()?.block_on(campaign(&args))?;
    println!("{report}");
    if let Some(path) = &args.write {
        std::fs::write(path, report.page(&how(&args))).with_context(|| format!("{}", path.display()))?;
    }
    let untrue: usize = UNTRUE.iter().map(|verdict| report.count(*verdict)).sum();
    ensure!(untrue == 0, "{untrue} answers were untrue or did harm");
    ensure!(
        report.recognised() >= RECOGNISED_MIN,
        "only {:.2} % of the successes were recognised",
        report.recognised()
    );
    ensure!(
        report.right() >= RIGHT_MIN,
        "only {:.2} % of the answers were right in everything",
        report.right()
    );
    Ok(())
}

/// How the figures came about.
fn how(Args { variants, seed, pages, peer_variants, .. }: &Args) -> String {
    let last = seed.saturating_add(*variants).saturating_sub(1);
    format!(
        "Seeds {seed} to {last} of each kind, {pages} pages at a time, in one Chromium; peers got the first {peer_variants} of them, one page at a time."
    )
}

/// All kinds, or those that were named.
fn chosen(named: &[String]) -> anyhow::Result<Vec<String>> {
    let known = case::kinds()?;
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        bail!("there is no kind {unknown}; there are {}", known.join(", "));
    }
    Ok(if named.is_empty() { known } else { named.to_vec() })
}

/// Runs every kind with every seed, some at a time; then the peers, one after the other.
async fn campaign(args: &Args) -> anyhow::Result<Report> {
    let site = Arc::new(Site::start().await?);
    let browser = Arc::new(Browser::launch(&LaunchOptions::default()).await?);
    let seeds: Vec<_> = (args.seed..args.seed.saturating_add(args.variants)).collect();
    let mut cases = case::make(&browser, &site, &chosen(&args.kinds)?, &seeds).await?;
    // Variants of one kind have the same timing; side by side they would wait for each other.
    cases.sort_by_key(|case| case.seed);
    let abouts = cases.iter().map(|case| (case.kind.clone(), case.about.clone())).collect();
    let cases: Vec<_> = cases.into_iter().map(Arc::new).collect();
    let waiting = Arc::new(Mutex::new(cases.clone().into_iter()));
    let mut workers = JoinSet::new();
    for _ in 0..args.pages {
        workers.spawn(work(Arc::clone(&browser), Arc::clone(&site), Arc::clone(&waiting)));
    }
    let mut outcomes = Vec::new();
    while let Some(worked) = workers.join_next().await {
        outcomes.extend(worked??);
    }
    drop(browser);
    let mut report = Report::new(abouts, outcomes);
    let shared = seeds.get(..args.peer_variants.min(seeds.len())).unwrap_or_default();
    let shared: Vec<_> = cases.iter().filter(|case| shared.contains(&case.seed)).cloned().collect();
    for peer in peers::PEERS.iter().filter(|_| args.peers.is_some()) {
        eprintln!("{} on the same pages", peer.0);
        match peers::run(*peer, args.peers.as_deref().unwrap_or(Path::new(".")), &site, &shared).await {
            Ok(figures) => report.add(peer.0, figures),
            Err(error) => eprintln!("{} is left out: {error:#}", peer.0),
        }
    }
    Ok(report)
}

/// Takes one case after the other.
async fn work(
    browser: Arc<Browser>,
    site: Arc<Site>,
    waiting: Arc<Mutex<std::vec::IntoIter<Arc<Case>>>>,
) -> anyhow::Result<Vec<Outcome>> {
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut outcomes = Vec::new();
    while let Some(case) = next() {
        outcomes.push(told(Box::pin(trial::run(&browser, &site, &case)).await, &case)?);
    }
    Ok(outcomes)
}

/// Says at once what went wrong, with the command that shows it again.
fn told(outcome: anyhow::Result<Outcome>, case: &Case) -> anyhow::Result<Outcome> {
    let outcome = outcome.with_context(|| format!("{} with seed {}", case.kind, case.seed))?;
    if outcome.verdict.is_defect() {
        eprintln!(
            "{}: {} (truth: {:?}, code: {}, {} ms): {}\n  cargo xtask soak hazards --kinds {} --seed {} --variants 1",
            outcome.verdict.word(),
            outcome.kind,
            outcome.truth,
            outcome.told.code.as_deref().unwrap_or("none"),
            outcome.time.as_millis(),
            outcome.told.words,
            outcome.kind,
            outcome.seed,
        );
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of true successes that must be recognised even on a machine that is busy with other tests.
    const RECOGNISED_WHILE_BUSY_MIN: f64 = 95.0;

    #[test]
    fn a_variant_of_every_kind_is_told_truly() {
        let args = Args {
            kinds: Vec::new(),
            variants: 1,
            seed: 1,
            pages: 6,
            peers: None,
            peer_variants: 0,
            write: None,
        };
        let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
        let report = runtime.block_on(campaign(&args)).expect("the campaign runs");
        let untrue = UNTRUE.map(|verdict| report.count(verdict));
        assert_eq!(untrue, [0, 0, 0], "{report}");
        assert!(report.recognised() >= RECOGNISED_WHILE_BUSY_MIN, "{report}");
    }
}
