//! What was found, for people and for programs, and what it means for the goals.

use crate::PAGES;
use crate::pages::LATE_MS;
use crate::peers::Seen;
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
    /// In microseconds.
    pub(crate) resolve_and_gate_us: Option<Stats>,
}

#[derive(Serialize)]
pub(crate) struct Memory {
    pub(crate) before_mb: f64,
    pub(crate) after_mb: f64,
}

pub(crate) struct PeerReport {
    pub(crate) name: &'static str,
    pub(crate) seen: std::result::Result<Vec<Seen>, String>,
}

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) pages: Vec<PageReport>,
    /// Pages that could not be measured, and why.
    pub(crate) failures: Vec<String>,
    pub(crate) memory: Option<Memory>,
    pub(crate) peers: Vec<PeerReport>,
}

/// One goal and what became of it.
struct Goal {
    /// Nothing if it could not be measured.
    met: Option<bool>,
    sentence: String,
}

impl Goal {
    fn new(met: bool, sentence: String) -> Self {
        Self { met: Some(met), sentence }
    }
}

impl Report {
    pub(crate) fn to_json(&self) -> Value {
        let peer = |peer: &PeerReport| match &peer.seen {
            Err(reason) => json!({ "name": peer.name, "skipped": reason }),
            Ok(seen) => {
                let page = |seen: &Seen| match &seen.outcome {
                    Err(error) => json!({ "name": seen.page, "error": error }),
                    Ok(look) => json!({ "name": seen.page, "press": look.time }),
                };
                json!({ "name": peer.name, "pages": seen.iter().map(page).collect::<Vec<_>>() })
            }
        };
        let goal = |goal: &Goal| json!({ "met": goal.met, "sentence": goal.sentence });
        json!({
            "version": 1,
            "unit": "milliseconds",
            "pages": self.pages,
            "failures": self.failures,
            "memory": self.memory,
            "peers": self.peers.iter().map(peer).collect::<Vec<_>>(),
            "goals": self.goals().iter().map(goal).collect::<Vec<_>>(),
        })
    }

    fn page(&self, name: &str) -> Option<&PageReport> {
        self.pages.iter().find(|page| page.name == name)
    }

    /// How long a peer takes for a press, if it made one.
    fn peer(&self, name: &str, page: &str) -> Option<Stats> {
        let seen = self.peers.iter().find(|peer| peer.name == name)?.seen.as_ref().ok()?;
        Some(seen.iter().find(|seen| seen.page == page)?.outcome.as_ref().ok()?.time)
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
            None => Goal { met: None, sentence: format!("Pressing on {name}: {peer} did not.") },
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
    let refused = |what: &str, stats: Option<Stats>| {
        stats.map(|stats| {
            Goal::new(
                stats.median <= REFUSED_MS_MAX,
                format!(
                    "What is {what} on {name} is refused in {:.1} ms; wanted: at most {REFUSED_MS_MAX} ms.",
                    stats.median
                ),
            )
        })
    };
    let own = page.resolve_and_gate_us.map(|own| {
        Goal::new(
            own.median <= OWN_US_MAX,
            format!("Finding the target on {name} and judging it takes {:.1} µs; wanted: at most {OWN_US_MAX} µs.", own.median),
        )
    });
    let all = [late, refused("ambiguous", page.ambiguous), refused("unsupported", page.unsupported), own];
    all.into_iter().flatten().collect()
}

/// A figure, or that there is none.
fn shown(stats: Option<Stats>) -> String {
    stats.map_or_else(|| "-".to_owned(), |stats| stats.to_string())
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
                let seen = peer.seen.iter().flatten().find(|seen| seen.page == page.name);
                match seen.map(|seen| &seen.outcome) {
                    Some(Ok(look)) => {
                        writeln!(out, "{:<8} {:<21} {:>20}", "", peer.name, look.time.to_string())?;
                    }
                    Some(Err(error)) => writeln!(out, "{:<8} {:<21} fails: {error}", "", peer.name)?,
                    None => {}
                }
            }
        }
        writeln!(out)?;
        for failure in &self.failures {
            writeln!(out, "Not measured: {failure}.")?;
        }
        for peer in &self.peers {
            if let Err(reason) = &peer.seen {
                writeln!(out, "{} was skipped: {reason}.", peer.name)?;
            }
        }
        for goal in self.goals() {
            let word = match goal.met {
                Some(true) => "met",
                Some(false) => "missed",
                None => "open",
            };
            writeln!(out, "{word:<7} {}", goal.sentence)?;
        }
        Ok(())
    }
}
