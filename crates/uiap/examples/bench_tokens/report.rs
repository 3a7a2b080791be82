//! What was found, as Markdown for people and as JSON for programs, and what it means for the goals.

use crate::play::Played;
use crate::players::Player;
use crate::task::Task;
use crate::weight::{Bare, Weight};
use serde_json::{Value, json};
use std::fmt::{Display, Formatter, Result};

/// What the task may cost, in tokens.
const TOTAL_MAX: usize = 3_000;
/// At most this share of the best peer.
const PEER_SHARE: usize = 4;
const MEMORY_MB_MAX: f64 = 25.0;
const INITIALIZE_MS_MAX: f64 = 30.0;

pub(crate) struct Report {
    pub(crate) task: Task,
    /// Who did the task, and looked at each page.
    pub(crate) played: Vec<Played>,
    /// Who did it without looking where that was not needed.
    pub(crate) blind: Vec<Played>,
    /// Who did not do it, and why.
    pub(crate) failures: Vec<String>,
    pub(crate) weight: Weight,
}

struct Goal {
    /// Nothing, if it could not be measured.
    met: Option<bool>,
    sentence: String,
}

impl Report {
    pub(crate) fn to_json(&self) -> Value {
        let goals: Vec<_> =
            self.goals().iter().map(|goal| json!({ "met": goal.met, "sentence": goal.sentence })).collect();
        json!({
            "version": 1,
            "unit": "o200k tokens",
            "steps": self.task.steps.iter().map(|step| &step.name).collect::<Vec<_>>(),
            "played": self.played,
            "blind": self.blind,
            "failures": self.failures,
            "weight": self.weight,
            "goals": goals,
        })
    }

    fn goals(&self) -> Vec<Goal> {
        let ours = self.played.iter().find(|played| played.player == Player::Uiap.name());
        let peers = self.played.iter().filter(|played| played.player != Player::Uiap.name());
        let best = peers.min_by_key(|played| played.total());
        let total = match ours {
            Some(ours) => Goal {
                met: Some(ours.total() <= TOTAL_MAX),
                sentence: format!("The task costs {} tokens; wanted: at most {TOTAL_MAX}.", ours.total()),
            },
            None => Goal { met: None, sentence: "The task was not done.".to_owned() },
        };
        let against = match (ours, best) {
            (Some(ours), Some(best)) => Goal {
                met: Some(ours.total() * PEER_SHARE < best.total()),
                sentence: format!(
                    "That is one part in {:.1} of {}, the best peer; wanted: less than one in {PEER_SHARE}.",
                    ratio(best.total(), ours.total()),
                    best.player
                ),
            },
            _ => Goal { met: None, sentence: "There is nobody to compare with.".to_owned() },
        };
        let Weight { memory_mb, initialize_ms, bare: Bare { memory_mb: bare_mb, answer_ms } } = &self.weight;
        vec![
            total,
            against,
            Goal {
                met: Some(*memory_mb <= MEMORY_MB_MAX),
                sentence: format!(
                    "Without a page it takes {memory_mb:.1} MB, {:.1}x a bare process ({bare_mb:.1} MB); wanted: at most {MEMORY_MB_MAX} MB.",
                    memory_mb / bare_mb
                ),
            },
            Goal {
                met: Some(*initialize_ms <= INITIALIZE_MS_MAX),
                sentence: format!(
                    "It answers initialize {initialize_ms:.1} ms after its start, {:.1}x a bare process ({answer_ms:.1} ms); wanted: at most {INITIALIZE_MS_MAX} ms.",
                    initialize_ms / answer_ms
                ),
            },
        ]
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens are counted in thousands")]
fn ratio(one: usize, other: usize) -> f64 {
    one as f64 / other as f64
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let row = |out: &mut Formatter<'_>, name: &str, cell: &dyn Fn(&Played) -> String| {
            write!(out, "| {name} |")?;
            self.played.iter().try_for_each(|played| write!(out, " {} |", cell(played)))?;
            writeln!(out)
        };
        row(out, "", &|played| played.player.to_owned())?;
        writeln!(out, "|---|{}", "---:|".repeat(self.played.len()))?;
        row(out, "schemas and instructions", &|played| played.schemas.to_string())?;
        row(out, "of these, tools of the application", &|played| played.brought.to_string())?;
        for (at, step) in self.task.steps.iter().enumerate() {
            row(out, &format!("{}. {}", at + 1, step.name), &|played| {
                let Some(cost) = played.steps.get(at) else { return String::new() };
                let calls = if cost.calls > 1 { format!(" ({} calls)", cost.calls) } else { String::new() };
                format!("{} + {}{calls}", cost.sent, cost.got)
            })?;
        }
        row(out, "**total**", &|played| format!("**{}**", played.total()))?;
        row(out, "total, with structured results", &|played| played.total_structured().to_string())?;
        row(out, "total, looking only where a name is needed", &|played| {
            let blind = self.blind.iter().find(|blind| blind.player == played.player);
            blind.map_or_else(|| "-".to_owned(), |blind| blind.total().to_string())
        })?;
        writeln!(out)?;
        for goal in self.goals() {
            let word = match goal.met {
                Some(true) => "met",
                Some(false) => "missed",
                None => "open",
            };
            writeln!(out, "- {word}: {}", goal.sentence)?;
        }
        self.failures.iter().try_for_each(|failure| writeln!(out, "- {failure}"))
    }
}
