//! What the reports of benchmarks share: goals, and what peers did.

use crate::peers::{Look, Seen};
use crate::stats::Stats;
use serde_json::{Value, json};
use std::fmt::{Display, Formatter, Result};

/// One goal and what became of it.
pub(crate) struct Goal {
    /// Nothing if it could not be measured.
    met: Option<bool>,
    sentence: String,
}

impl Goal {
    pub(crate) fn new(met: bool, sentence: String) -> Self {
        Self { met: Some(met), sentence }
    }

    /// One that could not be measured.
    pub(crate) fn open(sentence: String) -> Self {
        Self { met: None, sentence }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "met": self.met, "sentence": self.sentence })
    }
}

impl Display for Goal {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let word = match self.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "open",
        };
        write!(out, "{word:<7} {}", self.sentence)
    }
}

/// What a peer did, or why it did not take part.
pub(crate) struct PeerReport {
    pub(crate) name: &'static str,
    pub(crate) seen: std::result::Result<Vec<Seen>, String>,
}

impl PeerReport {
    /// What it did on a page, or how it failed there. Nothing if it was not asked.
    pub(crate) fn on(&self, page: &str) -> Option<std::result::Result<&Look, &String>> {
        let seen = self.seen.iter().flatten().find(|seen| seen.page == page)?;
        Some(seen.outcome.as_ref())
    }

    /// As an object, with what `figures` makes of each page.
    pub(crate) fn to_json(&self, figures: impl Fn(&Look) -> Value) -> Value {
        let page = |seen: &Seen| match &seen.outcome {
            Err(error) => json!({ "name": seen.page, "error": error }),
            Ok(look) => {
                let mut page = figures(look);
                if let Some(members) = page.as_object_mut() {
                    members.insert("name".to_owned(), json!(seen.page));
                }
                page
            }
        };
        match &self.seen {
            Err(reason) => json!({ "name": self.name, "skipped": reason }),
            Ok(seen) => json!({ "name": self.name, "pages": seen.iter().map(page).collect::<Vec<_>>() }),
        }
    }
}

/// A figure, or that there is none.
pub(crate) fn shown(stats: Option<Stats>) -> String {
    stats.map_or_else(|| "-".to_owned(), |stats| stats.to_string())
}

/// Who did not take part, and what could not be measured.
pub(crate) fn write_missing(out: &mut Formatter<'_>, failures: &[String], peers: &[PeerReport]) -> Result {
    for failure in failures {
        writeln!(out, "Not measured: {failure}.")?;
    }
    for peer in peers {
        if let Err(reason) = &peer.seen {
            writeln!(out, "{} was skipped: {reason}.", peer.name)?;
        }
    }
    Ok(())
}
