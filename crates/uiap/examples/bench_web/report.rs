//! What was found, for people and for programs, and what it means for the goals.

use crate::cold::Cold;
use crate::goals::{Goal, PeerReport, shown, write_missing};
use crate::peers::Look;
use crate::stats::Stats;
use crate::tokens;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::{Display, Formatter, Result};

/// What a page may cost.
const WALK_RATIO_MAX: f64 = 4.0;
const PEER_RATIO_MAX: f64 = 1.0 / 5.0;
const TOKENS_RATIO_MAX: f64 = 1.0 / 4.0;
const TABLE_TOKENS_MAX: usize = 800;
const IDLE_SHARE_MAX: f64 = 0.005;
const ANIMATED_SHARE_MAX: f64 = 0.02;
const COLD_RATIO_MAX: f64 = 1.2;
const MEMORY_MB_MAX: f64 = 30.0;
const CHANGE_RATIO_MAX: f64 = 1.5;
const CHANGE_PEER_RATIO_MAX: f64 = 1.0 / 50.0;
const CHANGE_BYTES_MAX: usize = 1_000;
/// From this page on peers are compared.
const COMPARED: [&str; 4] = ["1000", "10000", "100000-nodes", "grid"];

#[derive(Serialize)]
pub(crate) struct PageReport {
    pub(crate) name: &'static str,
    pub(crate) elements: usize,
    pub(crate) json_bytes: usize,
    /// The bare walk.
    pub(crate) floor: Option<Stats>,
    /// A full look, decoded.
    pub(crate) ours: Option<Stats>,
    pub(crate) view_ms: f64,
    pub(crate) tokens: usize,
    /// One change.
    pub(crate) change: Option<Change>,
}

/// One change that was followed: the delta arrived and was applied.
#[derive(Serialize)]
pub(crate) struct Change {
    /// Heard of through a binding.
    pub(crate) floor: Option<Stats>,
    /// The same, once the page was laid out.
    pub(crate) laid_out: Option<Stats>,
    /// In our hands.
    pub(crate) time: Option<Stats>,
    /// The largest delta.
    pub(crate) bytes: usize,
}

/// Shares of one core.
#[derive(Serialize)]
pub(crate) struct Shares {
    pub(crate) without: f64,
    pub(crate) with: f64,
}

pub(crate) struct Report {
    pub(crate) pages: Vec<PageReport>,
    /// Pages that could not be measured, and why.
    pub(crate) failures: Vec<String>,
    pub(crate) peers: Vec<PeerReport>,
    pub(crate) idle: Option<Shares>,
    pub(crate) animated: Option<Shares>,
    pub(crate) cold: Option<Cold>,
}

impl Report {
    pub(crate) fn to_json(&self) -> Value {
        let figures =
            |look: &Look| json!({ "look": look.time, "change": look.change, "tokens": tokens(&look.text) });
        json!({
            "version": 1,
            "unit": "milliseconds",
            "pages": self.pages,
            "failures": self.failures,
            "peers": self.peers.iter().map(|peer| peer.to_json(figures)).collect::<Vec<_>>(),
            "idle": self.idle,
            "animated": self.animated,
            "cold": self.cold,
            "goals": self.goals().iter().map(Goal::to_json).collect::<Vec<_>>(),
        })
    }

    fn looks(&self, page: &str) -> impl Iterator<Item = (&'static str, &Look)> {
        self.peers.iter().filter_map(move |peer| Some((peer.name, peer.on(page)?.ok()?)))
    }

    fn page(&self, name: &str) -> Option<&PageReport> {
        self.pages.iter().find(|page| page.name == name)
    }

    fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        for page in &self.pages {
            goals.extend(against_walk(page));
        }
        goals.extend(COMPARED.iter().filter_map(|name| self.against_peers(name)));
        goals.extend(self.pages.iter().filter_map(change_against_floor));
        goals.extend(self.change_against_peers("10000"));
        goals.extend(self.text_against_peers());
        for name in ["videoland-200-rows", "videoland", "grid"] {
            goals.extend(self.page(name).map(|page| {
                Goal::new(
                    page.tokens <= TABLE_TOKENS_MAX,
                    format!(
                        "The text of {name} has {} tokens; wanted: at most {TABLE_TOKENS_MAX}.",
                        page.tokens
                    ),
                )
            }));
        }
        goals.extend(self.idle.as_ref().map(|shares| share("An idle page", shares, IDLE_SHARE_MAX)));
        let animated = self.animated.as_ref();
        goals.extend(animated.map(|shares| share("A page with an animation", shares, ANIMATED_SHARE_MAX)));
        goals.extend(self.cold.iter().flat_map(cold));
        goals
    }

    fn against_peers(&self, name: &str) -> Option<Goal> {
        let ours = self.page(name)?.ours?;
        let fastest =
            self.looks(name).min_by(|(_, one), (_, other)| one.time.median.total_cmp(&other.time.median));
        Some(match fastest {
            None => Goal::open(format!("Looking at {name}: no peer did.")),
            Some((peer, look)) => {
                let ratio = ours.median / look.time.median;
                Goal::new(
                    ratio <= PEER_RATIO_MAX,
                    format!(
                        "Looking at {name} takes 1/{:.1} of the fastest peer's time ({:.1} ms against {:.1} ms of {peer}); wanted: at most 1/5.",
                        1.0 / ratio,
                        ours.median,
                        look.time.median
                    ),
                )
            }
        })
    }

    fn change_against_peers(&self, name: &str) -> Option<Goal> {
        let ours = self.page(name)?.change.as_ref()?.time?;
        let changes = self.looks(name).filter_map(|(peer, look)| Some((peer, look.change?)));
        let (peer, fastest) = changes.min_by(|(_, one), (_, other)| one.median.total_cmp(&other.median))?;
        let ratio = ours.median / fastest.median;
        Some(Goal::new(
            ratio <= CHANGE_PEER_RATIO_MAX,
            format!(
                "One change on {name} takes 1/{:.0} of the fastest peer's time ({:.1} ms against {:.1} ms of {peer}); wanted: at most 1/50.",
                1.0 / ratio,
                ours.median,
                fastest.median
            ),
        ))
    }

    fn text_against_peers(&self) -> Option<Goal> {
        let ours = self.page("1000")?.tokens;
        let (peer, best) = self
            .looks("1000")
            .map(|(name, look)| (name, tokens(&look.text)))
            .min_by_key(|(_, tokens)| *tokens)?;
        let ratio = fraction(ours, best);
        Some(Goal::new(
            ratio <= TOKENS_RATIO_MAX,
            format!(
                "The text of 1000 has 1/{:.1} of the best peer's tokens ({ours} against {best} of {peer}); wanted: at most 1/4.",
                1.0 / ratio
            ),
        ))
    }
}

fn cold(cold: &Cold) -> Vec<Goal> {
    let start = cold.look.zip(cold.browser).map(|(look, browser)| {
        let ratio = look.median / browser.median;
        Goal::new(ratio <= COLD_RATIO_MAX, format!(
                "`uiap look` takes {ratio:.2}x the browser's own start ({:.0} ms against {:.0} ms); wanted: at most {COLD_RATIO_MAX}x.",
                look.median, browser.median
            ))
    });
    let memory = cold.memory_mb.map(|memory| {
        Goal::new(
            memory <= MEMORY_MB_MAX,
            format!(
                "`uiap look` uses {memory:.1} MB beside the browser; wanted: at most {MEMORY_MB_MAX} MB."
            ),
        )
    });
    start.into_iter().chain(memory).collect()
}

fn against_walk(page: &PageReport) -> Option<Goal> {
    let (ours, floor) = page.ours.zip(page.floor)?;
    let ratio = ours.median / floor.median;
    Some(Goal::new(
        ratio <= WALK_RATIO_MAX,
        format!(
            "Looking at {} takes {ratio:.2}x the bare walk ({:.1} ms against {:.1} ms); wanted: at most {WALK_RATIO_MAX}x.",
            page.name, ours.median, floor.median
        ),
    ))
}

fn change_against_floor(page: &PageReport) -> Option<Goal> {
    let change = page.change.as_ref()?;
    let (ours, floor) = change.time.zip(change.floor)?;
    let ratio = ours.median / floor.median;
    let laid_out = change.laid_out?.median;
    Some(Goal::new(
        ratio <= CHANGE_RATIO_MAX && change.bytes <= CHANGE_BYTES_MAX,
        format!(
            "One change on {} takes {ratio:.2}x the floor ({:.2} ms against {:.2} ms, or {laid_out:.2} ms once it is laid out) in {} bytes; wanted: at most {CHANGE_RATIO_MAX}x and {CHANGE_BYTES_MAX} bytes.",
            page.name, ours.median, floor.median, change.bytes
        ),
    ))
}

fn share(what: &str, shares: &Shares, most: f64) -> Goal {
    let own = (shares.with - shares.without).max(0.0);
    Goal::new(
        own <= most,
        format!(
            "{what} costs {:.1} % of a core with the publisher and {:.1} % without; wanted: at most {:.1} % more.",
            shares.with * 100.0,
            shares.without * 100.0,
            most * 100.0
        ),
    )
}

#[expect(clippy::cast_precision_loss, reason = "counts of tokens are small")]
fn fraction(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(
            out,
            "Times in milliseconds: median / 95th percentile (rounds). Tokens as o200k counts them.\n"
        )?;
        writeln!(out, "{:<20} {:<21} {:>20} {:>9} {:>20}", "page", "who", "look", "tokens", "one change")?;
        for page in &self.pages {
            let change = shown(page.change.as_ref().and_then(|change| change.floor));
            writeln!(
                out,
                "{:<20} {:<21} {:>20} {:>9} {change:>20}",
                page.name,
                "floor",
                shown(page.floor),
                ""
            )?;
            let change = shown(page.change.as_ref().and_then(|change| change.time));
            writeln!(
                out,
                "{:<20} {:<21} {:>20} {:>9} {change:>20}",
                "",
                "uiap",
                shown(page.ours),
                page.tokens
            )?;
            for peer in &self.peers {
                match peer.on(page.name) {
                    Some(Ok(look)) => {
                        let (time, change) = (look.time.to_string(), shown(look.change));
                        writeln!(
                            out,
                            "{:<20} {:<21} {time:>20} {:>9} {change:>20}",
                            "",
                            peer.name,
                            tokens(&look.text)
                        )?;
                    }
                    Some(Err(error)) => writeln!(out, "{:<20} {:<21} fails: {error}", "", peer.name)?,
                    None => {}
                }
            }
        }
        writeln!(out)?;
        write_missing(out, &self.failures, &self.peers)?;
        for page in &self.pages {
            writeln!(
                out,
                "{}: {} elements, {} bytes of JSON, {:.1} ms for the text.",
                page.name, page.elements, page.json_bytes, page.view_ms
            )?;
        }
        writeln!(out)?;
        for goal in self.goals() {
            writeln!(out, "{goal}")?;
        }
        Ok(())
    }
}
