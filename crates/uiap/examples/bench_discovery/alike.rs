//! Whether runs on the same application find the same, however long its answers take.

use crate::difference::differences;
use crate::goals::Goal;
use crate::proxy::Proxy;
use crate::run::Order;
use crate::table::table;
use crate::videoland::{effects, environment, writes};
use anyhow::Context as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uiap_discovery::package::stable;
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use videoland::{Options, Server};

/// What share of the runs must find the same.
const SAME_PERCENT_MIN: usize = 95;

/// How often, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many runs
    #[arg(long, default_value_t = 20)]
    runs: u64,
    /// The first seed of the answers' lateness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many hands, in turn
    #[arg(long, num_args = 1.., default_values_t = [2])]
    jobs: Vec<usize>,
    /// What else is given to `uiap discover`, such as --max-states=10; may be given more than once
    #[arg(long = "also", value_name = "FLAG", allow_hyphen_values = true)]
    also: Vec<String>,
}

/// One run.
struct Row {
    seed: u64,
    jobs: usize,
    seconds: f64,
    revision: String,
    /// What was found, without what differs every time.
    found: Value,
}

pub(crate) async fn measure(uiap: &Path, scratch: &Path, args: &Args) -> anyhow::Result<Vec<Goal>> {
    let mut rows: Vec<Row> = Vec::new();
    let hands = args.jobs.iter().cycle();
    for (seed, jobs) in (args.seed..args.seed.saturating_add(args.runs)).zip(hands) {
        let row = one(uiap, scratch.join(format!("alike-{seed}")), seed, *jobs, &args.also).await?;
        crate::say(&format!(
            "seed {seed}, {jobs} jobs: {} after {:.0} seconds, {}",
            short(&row.revision),
            row.seconds,
            rows.first().map_or("the first", |first| if first.revision == row.revision {
                "the same"
            } else {
                "another"
            }),
        ));
        rows.push(row);
    }
    let usual = usual(&rows);
    crate::print(&shown(&rows, &usual));
    let same = rows.iter().filter(|row| row.revision == usual).count();
    Ok(vec![Goal::quality(
        same * 100 >= rows.len() * SAME_PERCENT_MIN,
        format!("{same} of {} runs found the same; wanted: {SAME_PERCENT_MIN} %.", rows.len()),
    )])
}

async fn one(uiap: &Path, folder: PathBuf, seed: u64, jobs: usize, also: &[String]) -> anyhow::Result<Row> {
    let server = Server::start(Options { port: 0, test_api: true, ..Options::default() }).await?;
    let proxy = Proxy::start(server.address(), Some(seed)).await?;
    let more = ["--seed", "/login"].map(str::to_owned).into_iter().chain(also.iter().cloned()).collect();
    let order = Order { uiap, environment: environment(&proxy.origin()), folder, goes_on: false, jobs, more };
    let run = order.run().await?;
    if let Some(trouble) = run.trouble() {
        anyhow::bail!("seed {seed}: {trouble}");
    }
    let written = [writes(&server).await?, effects(&server).await?].concat();
    anyhow::ensure!(written.is_empty(), "seed {seed}: something was written: {}", written.join(", "));
    let package: DiscoveryPackage = accept(&Node::from_json(&run.package))
        .map_err(|findings| anyhow::anyhow!("the package is not sound: {findings:?}"))?;
    let revision = package.revision.as_ref().context("the package has no revision")?.to_string();
    server.shut_down().await;
    Ok(Row { seed, jobs, seconds: run.wall.as_secs_f64(), revision, found: stable(&package) })
}

/// What most runs found.
fn usual(rows: &[Row]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.revision.as_str()).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(revision, _)| revision.to_owned())
        .unwrap_or_default()
}

fn shown(rows: &[Row], usual: &str) -> String {
    let cells = |row: &Row| {
        let verdict = if row.revision == usual { "same" } else { "other" };
        vec![
            row.seed.to_string(),
            row.jobs.to_string(),
            format!("{:.1}", row.seconds),
            short(&row.revision),
            verdict.to_owned(),
        ]
    };
    let mut text =
        table(&["Seed", "Jobs", "Seconds", "Revision", ""], &rows.iter().map(cells).collect::<Vec<_>>());
    let Some(first) = rows.iter().find(|row| row.revision == usual) else { return text };
    for row in rows.iter().filter(|row| row.revision != usual) {
        let title = format!("\nSeed {} against seed {}:\n", row.seed, first.seed);
        text.push_str(&title);
        text.extend(differences(&first.found, &row.found).iter().map(|line| format!("  {line}\n")));
    }
    text
}

/// The beginning of a digest, without what all of them begin with.
fn short(revision: &str) -> String {
    revision.rsplit(':').next().unwrap_or(revision).chars().take(12).collect()
}
