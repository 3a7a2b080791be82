//! What a verification found, in a word and in a sentence.

/// The word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingWord {
    /// What was expected was observed.
    Verified,
    /// A number is near enough.
    WithinTolerance,
    /// What was expected is under way or came and went, and did not hold.
    Timeout,
    /// Nothing relevant changed.
    NoChange,
    /// Something changed, but not what was expected.
    UnexpectedChange,
    /// A value was adjusted and did not reach its target.
    NotConverged,
    /// What was acted on says the opposite of what was expected.
    Mismatch,
    /// Nothing was verified.
    Unverified,
}

impl FindingWord {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::WithinTolerance => "within_tolerance",
            Self::Timeout => "timeout",
            Self::NoChange => "no_change",
            Self::UnexpectedChange => "unexpected_change",
            Self::NotConverged => "not_converged",
            Self::Mismatch => "mismatch",
            Self::Unverified => "unverified",
        }
    }
}

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In a word.
    pub word: FindingWord,
    /// In a sentence: what was observed, and what is missing.
    pub says: String,
}

impl Finding {
    /// A word with its sentence.
    pub fn new(word: FindingWord, says: impl Into<String>) -> Self {
        Self { word, says: says.into() }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.word.word(), self.says)
    }
}
