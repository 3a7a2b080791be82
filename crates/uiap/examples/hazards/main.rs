//! Pages that mislead: each kind of hazard in many variants, what is reported held against what really happened.
//! `cargo xtask soak hazards`.
//!
//! Start at [`campaign`]. Kinds are files in `crates/uiap-testkit/hazards/kinds`; each makes a page, a request and an
//! oracle from a seed. The truth is the ledger of the server, or the state of the page where no server is involved.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a campaign reports")]

mod case;
mod report;
mod site;
mod trial;
mod verdict;

use anyhow::{Context as _, bail, ensure};
use case::Case;
use clap::Parser;
use report::Report;
use site::Site;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinSet;
use trial::Outcome;
use uiap_web::{Browser, LaunchOptions};

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
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let kinds = chosen(&args.kinds)?;
    let report = tokio::runtime::Runtime::new()?.block_on(campaign(
        &kinds,
        args.seed..args.seed.saturating_add(args.variants),
        args.pages,
    ))?;
    println!("{report}");
    ensure!(report.defects() == 0, "{} answers were wrong", report.defects());
    Ok(())
}

/// All kinds, or those that were named.
fn chosen(named: &[String]) -> anyhow::Result<Vec<String>> {
    let known = case::kinds()?;
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        bail!("there is no kind {unknown}; there are {}", known.join(", "));
    }
    Ok(if named.is_empty() { known } else { named.to_vec() })
}

/// Runs every kind with every seed, some at a time.
async fn campaign(kinds: &[String], seeds: std::ops::Range<u64>, pages: usize) -> anyhow::Result<Report> {
    let site = Site::start().await?;
    let browser = Browser::launch(&LaunchOptions::default()).await?;
    let seeds: Vec<_> = seeds.collect();
    let mut cases = case::make(&browser, &site, kinds, &seeds).await?;
    // Variants of one kind have the same timing; side by side they would wait for each other.
    cases.sort_by_key(|case| case.seed);
    let abouts = cases.iter().map(|case| (case.kind.clone(), case.about.clone())).collect();
    let (site, browser) = (Arc::new(site), Arc::new(browser));
    let waiting = Arc::new(Mutex::new(cases.into_iter().map(Arc::new)));
    let mut workers = JoinSet::new();
    for _ in 0..pages {
        let (site, browser, waiting) = (Arc::clone(&site), Arc::clone(&browser), Arc::clone(&waiting));
        workers.spawn(async move {
            let mut outcomes = Vec::new();
            let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(case) = next() {
                outcomes.push(told(trial::run(&browser, &site, &case).await, &case)?);
            }
            anyhow::Ok(outcomes)
        });
    }
    let mut outcomes = Vec::new();
    while let Some(worked) = workers.join_next().await {
        outcomes.extend(worked??);
    }
    Ok(Report::new(abouts, outcomes))
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
