//! The figures, for a terminal and for a page of the documentation.

use crate::peers::{Figures, PEERS};
use crate::trial::Outcome;
use crate::verdict::{Truth, Verdict};
use std::collections::BTreeMap;
use std::fmt;

/// Everything that came of a campaign.
pub(crate) struct Report {
    /// What each kind is about.
    abouts: BTreeMap<String, String>,
    outcomes: Vec<Outcome>,
    /// What others did, by name and kind.
    peers: BTreeMap<&'static str, BTreeMap<String, Figures>>,
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
        Self { abouts, outcomes, peers: BTreeMap::new() }
    }

    /// Adds what a peer did.
    pub(crate) fn add(&mut self, peer: &'static str, figures: BTreeMap<String, Figures>) {
        self.peers.insert(peer, figures);
    }

    /// The share of successes that were recognised, in hundredths.
    pub(crate) fn recognised(&self) -> f64 {
        Tally::of(self.outcomes.iter()).recognised()
    }

    /// How many answers were wrong in such a way.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        Tally::of(self.outcomes.iter()).count(verdict)
    }

    /// A page of the documentation.
    pub(crate) fn page(&self, how: &str) -> String {
        let all = Tally::of(self.outcomes.iter());
        let mut page = format!(
            "# Pages that mislead\n\n\
             Written by `cargo xtask soak hazards --write`; the kinds are files in `crates/uiap-testkit/hazards/kinds`.\n\n\
             {how}\n\n\
             - {} kinds, {} cases; the effect came about in {} of them, by the ledger of the server or the state of the page.\n\
             - Reported as succeeded, and nothing of it true (lies): {}. Harm (wrong element, twice, against a denial): {}.\n\
             - Successes that can be seen and were recognised: {:.2} %.\n\
             - Beyond what is promised: {} (marked with an asterisk; the file of the kind says why).\n\n\
             Peers have no verification: a call that ends without an error counts as \"succeeded\", because that is what\n\
             whoever calls them can go by. `L` are lies and harm, `M` missed successes, of the cases in which a peer could\n\
             take part (`-`: in none). For us, `M` also counts what was not done, and wrong codes.\n\n",
            self.abouts.len(),
            all.cases,
            all.effects,
            all.count(Verdict::Lie),
            all.count(Verdict::Harm),
            all.recognised(),
            all.count(Verdict::Beyond),
        );
        let names = PEERS.iter().map(|(name, ..)| *name).filter(|name| self.peers.contains_key(name));
        let names: Vec<_> = names.collect();
        page.push_str("| Kind | What it is | uiap L | uiap M |");
        names.iter().for_each(|name| page.extend([" ", *name, " L | M | of |"]));
        page.push_str("\n|---|---|---:|---:|");
        names.iter().for_each(|_| page.push_str("---:|---:|---:|"));
        page.push('\n');
        for (kind, about) in &self.abouts {
            page.push_str(&self.row(kind, about, &names));
        }
        page.push_str(&self.sums(&names));
        page
    }

    fn row(&self, kind: &str, about: &str, names: &[&str]) -> String {
        let tally = self.tally(kind);
        let lies = tally.count(Verdict::Lie) + tally.count(Verdict::Harm);
        let wrong = tally.verdicts.iter().filter(|(verdict, _)| verdict.is_defect());
        let missed = wrong.map(|(_, count)| count).sum::<usize>() - lies;
        let beyond = tally.count(Verdict::Beyond);
        let lies = if beyond > 0 { format!("{lies} ({beyond}*)") } else { lies.to_string() };
        let mut row = format!("| {kind} | {about} | {lies} | {missed} |");
        for name in names {
            match self.peers.get(name).and_then(|kinds| kinds.get(kind)) {
                Some(Figures { cases, lies, missed }) => {
                    row.extend([lies, missed, cases].map(|figure| format!(" {figure} |")));
                }
                None => row.push_str(" - | - | - |"),
            }
        }
        row.push('\n');
        row
    }

    fn sums(&self, names: &[&str]) -> String {
        let lies = self.count(Verdict::Lie) + self.count(Verdict::Harm);
        let mut row = format!("| **all** | | {lies} | {} |", self.defects() - lies);
        for name in names {
            let figures = || self.peers.get(name).into_iter().flat_map(BTreeMap::values);
            let sum = |part: fn(&Figures) -> usize| figures().map(part).sum::<usize>();
            let (lies, missed, cases) = (sum(|f| f.lies), sum(|f| f.missed), sum(|f| f.cases));
            row.extend([lies, missed, cases].map(|figure| format!(" {figure} |")));
        }
        row.push('\n');
        row
    }

    /// The share of answers that were right in everything, in hundredths.
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more")]
    pub(crate) fn right(&self) -> f64 {
        let all = self.outcomes.len().max(1);
        100.0 - self.defects() as f64 / all as f64 * 100.0
    }

    fn defects(&self) -> usize {
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
