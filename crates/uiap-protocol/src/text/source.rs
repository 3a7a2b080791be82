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

/// How many lines are tried one after the other.
const NEAR: usize = 4;

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

    /// The line in which a span begins, found faster if it is `near` or one of the few behind it.
    pub fn line_near(&self, span: Span, near: usize) -> usize {
        let at = (span.start as usize).min(self.text.len());
        let is_behind = |line: usize| self.starts.get(line).is_none_or(|start| *start > at);
        match near.checked_sub(1) {
            Some(before) if !is_behind(before) => {
                (near..near + NEAR).find(|line| is_behind(*line)).unwrap_or_else(|| self.line(span))
            }
            _ => self.line(span),
        }
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

#[cfg(test)]
mod tests {
    use super::{LineIndex, Span};

    #[test]
    fn a_line_is_the_same_wherever_the_search_begins() {
        let text = "a\n\nbcd\n\n\n\n\n\ne\nf";
        let index = LineIndex::new(text);
        for at in 0..=text.len() {
            let span = Span::new(at, at);
            for near in 0..15 {
                assert_eq!(index.line_near(span, near), index.line(span), "{at} from {near}");
            }
        }
    }
}
