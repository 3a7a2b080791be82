//! Times of many rounds, as two numbers.

use serde::Serialize;

/// Median and 95th percentile, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Stats {
    pub(crate) rounds: usize,
    pub(crate) median: f64,
    pub(crate) p95: f64,
}

impl Stats {
    /// Nothing if there were no rounds.
    pub(crate) fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let at = |hundredths: usize| times.get((times.len().saturating_sub(1)) * hundredths / 100).copied();
        Some(Self { rounds: times.len(), median: at(50)?, p95: at(95)? })
    }
}

impl std::fmt::Display for Stats {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:.1} / {:.1} ({})", self.median, self.p95, self.rounds)
    }
}
