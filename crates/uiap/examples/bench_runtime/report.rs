//! What was found, for people and for programs, and what it means for the goals.

use crate::PAGES;
use crate::goals::{Goal, PeerReport, shown, write_missing};
use crate::pages::LATE_MS;
use crate::peers::Look;
use crate::stats::Stats;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::{Display, Formatter, Result};

/// What a verified press may cost.
const TRUSTED_MEDIAN_RATIO_MAX: f64 = 3.0;
const TRUSTED_P95_RATIO_MAX: f64 = 4.0;
const LARGE_RATIO_MAX: f64 = 1.5;
const LATE_BEYOND_MS_MAX: f64 = 30.0;
const OWN_US_MAX: f64 = 100.0;
const REFUSED_MS_MAX: f64 = 50.0;
/// The short waits for what may still become possible, and what comes with them.
const WAITED_MS_MAX: f64 = 2_500.0;
const TRACE_SHARE_MAX: f64 = 0.01;
const MEMORY_RATIO_MAX: f64 = 1.05;
/// At most which share of a peer's time, where it is installed.
const PEER_RATIOS_MAX: [(&str, f64); 2] = [("playwright", 1.0), ("@playwright/mcp", 0.1)];

#[derive(Serialize)]
pub(crate) struct PageReport {
    pub(crate) name: &'static str,
    /// By a script in the page.
    pub(crate) in_page: Option<Stats>,
    /// By the browser, without us.
    pub(crate) trusted: Option<Stats>,
    /// By us, with journal and verification.
    pub(crate) verified: Option<Stats>,
    /// From an effect that comes late to the result.
    pub(crate) late: Option<Stats>,
    pub(crate) ambiguous: Option<Stats>,
    pub(crate) unsupported: Option<Stats>,
    pub(crate) disabled: Option<Stats>,
    pub(crate) covered: Option<Stats>,
    /// What the trace adds to keeping a result.
    pub(crate) trace: Option<Stats>,
    /// In microseconds.
    pub(crate) resolve_and_gate_us: Option<Stats>,
}

#[derive(Serialize)]
pub(crate) struct Memory {
    pub(crate) before_mb: f64,
    pub(crate) after_mb: f64,
}

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) pages: Vec<PageReport>,
    /// Pages that could not be measured, and why.
    pub(crate) failures: Vec<String>,
    pub(crate) memory: Option<Memory>,
    pub(crate) peers: Vec<PeerReport>,
}

impl Report {
    pub(crate) fn to_json(&self) -> Value {
        let figures = |look: &Look| json!({ "press": look.time });
        json!({
            "version": 1,
            "unit": "milliseconds",
            "pages": self.pages,
            "failures": self.failures,
            "memory": self.memory,
            "peers": self.peers.iter().map(|peer| peer.to_json(figures)).collect::<Vec<_>>(),
            "goals": self.goals().iter().map(Goal::to_json).collect::<Vec<_>>(),
        })
    }

    fn page(&self, name: &str) -> Option<&PageReport> {
        self.pages.iter().find(|page| page.name == name)
    }

    /// How long a peer takes for a press, if it made one.
    fn peer(&self, name: &str, page: &str) -> Option<Stats> {
        Some(self.peers.iter().find(|peer| peer.name == name)?.on(page)?.ok()?.time)
    }

    fn goals(&self) -> Vec<Goal> {
        let mut goals: Vec<Goal> = self.pages.iter().flat_map(against_trusted).collect();
        for page in &self.pages {
            for (peer, most) in PEER_RATIOS_MAX {
                goals.extend(self.against_peer(page, peer, most));
            }
        }
        goals.extend(self.against_size());
        goals.extend(self.pages.iter().flat_map(promptness));
        goals.extend(self.memory.as_ref().map(|Memory { before_mb, after_mb }| {
            Goal::new(
                after_mb / before_mb <= MEMORY_RATIO_MAX,
                format!("A hundred actions in a row take the memory from {before_mb:.1} MB to {after_mb:.1} MB; wanted: at most {MEMORY_RATIO_MAX}x."),
            )
        }));
        goals
    }

    fn against_peer(&self, page: &PageReport, peer: &'static str, most: f64) -> Option<Goal> {
        let ours = page.verified?;
        let name = page.name;
        Some(match self.peer(peer, name) {
            None => Goal::open(format!("Pressing on {name}: {peer} did not.")),
            Some(theirs) => {
                let ratio = ours.median / theirs.median;
                Goal::new(
                    ratio <= most,
                    format!(
                        "Pressing on {name} takes {ratio:.2}x the time of {peer} ({:.1} ms against {:.1} ms); wanted: at most {most}x.",
                        ours.median, theirs.median
                    ),
                )
            }
        })
    }

    fn against_size(&self) -> Option<Goal> {
        let [small, large] = PAGES.map(|name| self.page(name).and_then(|page| page.verified));
        let (small, large) = small.zip(large)?;
        let ratio = large.median / small.median;
        Some(Goal::new(
            ratio <= LARGE_RATIO_MAX,
            format!(
                "Pressing on the large page takes {ratio:.2}x the small one ({:.1} ms against {:.1} ms); wanted: at most {LARGE_RATIO_MAX}x.",
                large.median, small.median
            ),
        ))
    }
}

fn against_trusted(page: &PageReport) -> Vec<Goal> {
    let Some((ours, bare)) = page.verified.zip(page.trusted) else { return Vec::new() };
    let goal = |word: &str, ours: f64, bare: f64, most: f64| {
        let ratio = ours / bare;
        Goal::new(
            ratio <= most,
            format!(
                "Pressing on {} and verifying takes {ratio:.2}x the bare click ({word} {ours:.1} ms against {bare:.1} ms); wanted: at most {most}x.",
                page.name
            ),
        )
    };
    vec![
        goal("median", ours.median, bare.median, TRUSTED_MEDIAN_RATIO_MAX),
        goal("p95", ours.p95, bare.p95, TRUSTED_P95_RATIO_MAX),
    ]
}

/// What is measured in absolute time, because it is about waits.
fn promptness(page: &PageReport) -> Vec<Goal> {
    let name = page.name;
    let late = page.late.map(|Stats { median, .. }| {
        Goal::new(
            median <= LATE_BEYOND_MS_MAX,
            format!("An effect after {LATE_MS} ms on {name} is known {median:.1} ms later; wanted: at most {LATE_BEYOND_MS_MAX} ms."),
        )
    });
    let refused = |what: &str, stats: Option<Stats>, most: f64| {
        stats.map(|Stats { median, .. }| {
            Goal::new(
                median <= most,
                format!("What is {what} on {name} is refused in {median:.1} ms; wanted: at most {most} ms."),
            )
        })
    };
    let own = page.resolve_and_gate_us.map(|own| {
        Goal::new(
            own.median <= OWN_US_MAX,
            format!("Finding the target on {name} and judging it takes {:.1} µs; wanted: at most {OWN_US_MAX} µs.", own.median),
        )
    });
    let trace = page.trace.zip(page.verified).map(|(trace, verified)| {
        let share = trace.median.max(0.0) / verified.median;
        Goal::new(
            share <= TRACE_SHARE_MAX,
            format!(
                "The trace of a press on {name} takes {:.2} % of it; wanted: at most {} %.",
                share * 100.0,
                TRACE_SHARE_MAX * 100.0
            ),
        )
    });
    let all = [
        late,
        refused("ambiguous", page.ambiguous, REFUSED_MS_MAX),
        refused("unsupported", page.unsupported, REFUSED_MS_MAX),
        refused("disabled", page.disabled, WAITED_MS_MAX),
        refused("covered", page.covered, WAITED_MS_MAX),
        own,
        trace,
    ];
    all.into_iter().flatten().collect()
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, "A press and its confirmation, in milliseconds: median / 95th percentile (rounds).\n")?;
        writeln!(out, "{:<8} {:<21} {:>20}", "page", "who", "press")?;
        for page in &self.pages {
            writeln!(out, "{:<8} {:<21} {:>20}", page.name, "script in the page", shown(page.in_page))?;
            writeln!(out, "{:<8} {:<21} {:>20}", "", "bare browser", shown(page.trusted))?;
            writeln!(out, "{:<8} {:<21} {:>20}", "", "uiap, verified", shown(page.verified))?;
            for peer in &self.peers {
                match peer.on(page.name) {
                    Some(Ok(look)) => {
                        writeln!(out, "{:<8} {:<21} {:>20}", "", peer.name, look.time.to_string())?;
                    }
                    Some(Err(error)) => writeln!(out, "{:<8} {:<21} fails: {error}", "", peer.name)?,
                    None => {}
                }
            }
        }
        writeln!(out)?;
        write_missing(out, &self.failures, &self.peers)?;
        for goal in self.goals() {
            writeln!(out, "{goal}")?;
        }
        Ok(())
    }
}
