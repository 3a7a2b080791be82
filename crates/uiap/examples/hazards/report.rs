//! The figures, for a terminal and for a page of the documentation.

use crate::trial::Outcome;
use crate::verdict::{Truth, Verdict};
use std::collections::BTreeMap;
use std::fmt;

/// Everything that came of a campaign.
pub(crate) struct Report {
    /// What each kind is about.
    abouts: BTreeMap<String, String>,
    outcomes: Vec<Outcome>,
}

/// The figures of one kind, or of all.
#[derive(Default)]
struct Tally {
    cases: usize,
    effects: usize,
    verdicts: BTreeMap<Verdict, usize>,
}

impl Tally {
    fn of<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            tally.cases += 1;
            tally.effects += usize::from(outcome.truth == Truth::Effect);
            *tally.verdicts.entry(outcome.verdict).or_default() += 1;
        }
        tally
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    /// How many of the successes that could be seen were recognised, in hundredths.
    fn recognised(&self) -> f64 {
        let (known, missed) = (self.count(Verdict::Recognised), self.count(Verdict::Missed));
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more")]
        let share = if known + missed == 0 { 1.0 } else { known as f64 / (known + missed) as f64 };
        share * 100.0
    }
}

impl Report {
    pub(crate) fn new(abouts: BTreeMap<String, String>, outcomes: Vec<Outcome>) -> Self {
        Self { abouts, outcomes }
    }

    pub(crate) fn defects(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict.is_defect()).count()
    }

    fn tally(&self, kind: &str) -> Tally {
        Tally::of(self.outcomes.iter().filter(|outcome| outcome.kind == kind))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Tally::of(self.outcomes.iter());
        writeln!(f, "{} kinds, {} cases, {} with an effect", self.abouts.len(), all.cases, all.effects)?;
        for verdict in Verdict::ALL {
            writeln!(f, "  {:<13} {}", verdict.word(), all.count(verdict))?;
        }
        writeln!(f, "recognised of the successes that can be seen: {:.2} %", all.recognised())?;
        for kind in self.abouts.keys() {
            let tally = self.tally(kind);
            let wrong = tally.verdicts.iter().filter(|(verdict, _)| verdict.is_defect());
            let wrong: Vec<_> =
                wrong.map(|(verdict, count)| format!("{} {}", count, verdict.word())).collect();
            if !wrong.is_empty() {
                writeln!(f, "{kind}: {} of {}", wrong.join(", "), tally.cases)?;
            }
        }
        Ok(())
    }
}
