//! A campaign in parts: it can end when its time is over, or be interrupted, and the same command goes on with it.
//!
//! Start at [`Campaign::run`]. What is done is kept in a file below the target folder and forgotten when all is done.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::Leg;
use crate::workspace::Workspace;

/// When a campaign stops to begin further parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimit(Option<Instant>);

impl TimeLimit {
    pub(super) fn after_minutes(minutes: Option<u64>) -> Self {
        Self(minutes.map(|minutes| Instant::now() + Duration::from_secs(minutes * 60)))
    }

    fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Numbered rounds that do not depend on each other.
pub(super) struct Campaign<'a> {
    pub(super) name: &'a str,
    /// What else decides what is done; a campaign with other settings is another one, and begins at its beginning.
    pub(super) settings: String,
    /// The numbers of the rounds.
    pub(super) rounds: Range<u64>,
    /// How many rounds are a part: a few minutes, because an interrupted part is done again.
    pub(super) part: u64,
}

/// How far a campaign has come, in its file.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Progress {
    settings: String,
    first: u64,
    end: u64,
    /// The first round that is not done yet.
    next: u64,
}

impl Campaign<'_> {
    /// Does what is left, part after part, until all is done, a part fails or the time is over. `work` gets the first
    /// round of a part and how many there are. A part that failed is begun again by the next call.
    pub(super) fn run(
        &self,
        workspace: &Workspace,
        limit: TimeLimit,
        mut work: impl FnMut(u64, u64) -> anyhow::Result<()>,
    ) -> Leg {
        Leg::run(self.name, || {
            let file = self.file(workspace)?;
            let mut next = self.next_round(fs::read_to_string(&file).ok().as_deref());
            if next > self.rounds.start {
                println!("Going on with round {next}; what came before is done.");
            }
            while next < self.rounds.end {
                if limit.is_over() {
                    println!(
                        "The time is over: {} of {} rounds are done. The same command goes on with round {next}.",
                        next - self.rounds.start,
                        self.rounds.end - self.rounds.start,
                    );
                    return Ok(());
                }
                let count = self.part.min(self.rounds.end - next);
                work(next, count).with_context(|| format!("in rounds {next} to {}", next + count - 1))?;
                next += count;
                self.remember(&file, next)?;
            }
            // A file that is gone already is as good as removed.
            let _ = fs::remove_file(&file);
            Ok(())
        })
    }

    fn file(&self, workspace: &Workspace) -> anyhow::Result<PathBuf> {
        let folder = workspace.target()?.join("soak");
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(folder.join(format!("{}.json", self.name)))
    }

    /// Where to go on, by the text of the file.
    fn next_round(&self, kept: Option<&str>) -> u64 {
        let progress = kept.and_then(|text| serde_json::from_str::<Progress>(text).ok());
        let same = progress.filter(|progress| *progress == self.progress(progress.next));
        same.map_or(self.rounds.start, |progress| progress.next)
    }

    fn progress(&self, next: u64) -> Progress {
        let next = next.clamp(self.rounds.start, self.rounds.end);
        Progress { settings: self.settings.clone(), first: self.rounds.start, end: self.rounds.end, next }
    }

    fn remember(&self, file: &PathBuf, next: u64) -> anyhow::Result<()> {
        let text = serde_json::to_string(&self.progress(next))?;
        let new = file.with_extension("new");
        fs::write(&new, text).and_then(|()| fs::rename(&new, file))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(settings: &str, rounds: Range<u64>) -> Campaign<'static> {
        Campaign { name: "sample", settings: settings.to_owned(), rounds, part: 10 }
    }

    #[test]
    fn a_campaign_goes_on_where_the_same_one_ended() {
        let one = campaign("seed 1", 0..100);
        let kept = serde_json::to_string(&one.progress(40)).unwrap();
        assert_eq!(one.next_round(Some(&kept)), 40);
        assert_eq!(one.next_round(None), 0);
        assert_eq!(one.next_round(Some("not JSON")), 0);
    }

    #[test]
    fn a_campaign_with_other_settings_begins_at_its_beginning() {
        let kept = serde_json::to_string(&campaign("seed 1", 0..100).progress(40)).unwrap();
        assert_eq!(campaign("seed 2", 0..100).next_round(Some(&kept)), 0);
        assert_eq!(campaign("seed 1", 5..100).next_round(Some(&kept)), 5);
        assert_eq!(campaign("seed 1", 0..200).next_round(Some(&kept)), 0);
    }

    #[test]
    fn a_file_cannot_lead_beyond_the_campaign() {
        let kept = r#"{"settings": "seed 1", "first": 0, "end": 100, "next": 4000}"#;
        assert_eq!(campaign("seed 1", 0..100).next_round(Some(kept)), 0);
    }
}
