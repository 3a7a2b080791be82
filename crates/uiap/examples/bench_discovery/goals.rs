//! What was wanted, and what was found.

use std::fmt::{Display, Formatter};

/// One goal and what became of it.
#[derive(Debug)]
pub(crate) struct Goal {
    is_met: bool,
    /// A goal of speed depends on the machine and fails nothing.
    is_quality: bool,
    sentence: String,
}

impl Goal {
    pub(crate) fn quality(is_met: bool, sentence: String) -> Self {
        Self { is_met, is_quality: true, sentence }
    }

    pub(crate) fn speed(is_met: bool, sentence: String) -> Self {
        Self { is_met, is_quality: false, sentence }
    }

    /// What must hold does not.
    pub(crate) fn fails(&self) -> bool {
        self.is_quality && !self.is_met
    }
}

impl Display for Goal {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let word = if self.is_met { "met" } else { "missed" };
        write!(out, "{word:<7} {}", self.sentence.trim_end())
    }
}
