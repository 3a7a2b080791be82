//! From byte offsets to lines and columns, as people count them.

use super::Span;

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// Knows where the lines of a text begin.
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Indexes a text.
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The line in which a span begins.
    pub fn line(&self, span: Span) -> usize {
        let at = (span.start as usize).min(self.text.len());
        self.starts.partition_point(|start| *start <= at).max(1)
    }

    /// The place where a span begins.
    pub fn place(&self, span: Span) -> Place {
        let at = (span.start as usize).min(self.text.len());
        let line = self.line(span);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.get(start..at).unwrap_or_default();
        Place { line, column: before.chars().count() + 1 }
    }
}
