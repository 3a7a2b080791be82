//! On which lines the parts of an item stand.
//!
//! Start at [`Lines::of`]. It needs nothing but the item, so that many items can be walked through side by side; what
//! files are called in origins is known only when all of them are.

use super::Line;
use crate::file::Shelf;
use std::collections::BTreeMap;
use uiap_protocol::canonical::Object;
use uiap_protocol::text::{Node, Span, Value, push_pointer_token};

/// A line of a file, by the number that the file has in the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) source: u32,
    pub(super) line: usize,
}

impl Spot {
    pub(super) fn of(shelf: &Shelf<'_>, span: Span) -> Self {
        let line = shelf.file(span.source).map_or(1, |file| file.lines().line(span));
        Self { source: span.source, line }
    }
}

/// Lines of what is inside something, by pointer.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The pointers, one behind the other; where each of them ends, and where it leads.
    pointers: String,
    ends: Vec<(usize, Spot)>,
    /// The files that are mentioned, as they are met.
    pub(super) sources: Vec<u32>,
}

impl Lines {
    /// The lines of what is inside `node`, as far as `kept` has it: that is what the bundle holds of it.
    pub(super) fn of(shelf: &Shelf<'_>, node: &Node<'_>, kept: Option<&Node<'_>>) -> Self {
        let around = Spot::of(shelf, node.span);
        let mut walk = Walk { shelf, last: around, pointer: String::new(), lines: Self::default() };
        if let Some(kept) = kept {
            walk.inside(node, kept, around);
        }
        walk.lines
    }

    fn entries(&self) -> impl Iterator<Item = (&str, Spot)> {
        let mut start = 0;
        self.ends.iter().map(move |(end, spot)| {
            let pointer = self.pointers.get(start..*end).unwrap_or_default();
            start = *end;
            (pointer, *spot)
        })
    }

    /// The canonical text, with the numbers that files have in it.
    pub(super) fn text(&self, numbers: &[(u32, usize)]) -> String {
        let mut written = String::new();
        let ends: Vec<usize> = self
            .ends
            .iter()
            .map(|(_, spot)| {
                written.push('[');
                push_number(&mut written, number_of(spot.source, numbers));
                written.push(',');
                push_number(&mut written, spot.line);
                written.push(']');
                written.len()
            })
            .collect();
        let mut start = 0;
        let members = self.entries().zip(ends).map(|((pointer, _), end)| {
            let line = written.get(start..end).unwrap_or_default();
            start = end;
            (pointer.into(), line.into())
        });
        members.collect::<Object<'_>>().text()
    }

    pub(super) fn lines(&self, numbers: &[(u32, usize)]) -> BTreeMap<String, Line> {
        let line = |spot: Spot| Line(number_of(spot.source, numbers), spot.line);
        self.entries().map(|(pointer, spot)| (pointer.to_owned(), line(spot))).collect()
    }
}

fn number_of(source: u32, numbers: &[(u32, usize)]) -> usize {
    numbers.iter().find(|(known, _)| *known == source).map_or(0, |(_, number)| *number)
}

/// Where a walk through an item is.
struct Walk<'w, 't> {
    shelf: &'w Shelf<'t>,
    /// What was met last: what comes next is not far.
    last: Spot,
    pointer: String,
    lines: Lines,
}

impl Walk<'_, '_> {
    fn inside(&mut self, node: &Node<'_>, kept: &Node<'_>, around: Spot) {
        let length = self.pointer.len();
        match (&node.value, &kept.value) {
            (Value::Object(members), Value::Object(_)) => {
                for member in members {
                    let Some(kept) = kept.member(&member.key) else { continue };
                    push_pointer_token(&mut self.pointer, &member.key);
                    let is_of_one_text = member.node.span.source == member.key_span.source;
                    let span = if is_of_one_text { member.key_span } else { member.node.span };
                    self.at(span, &member.node, kept, around);
                    self.pointer.truncate(length);
                }
            }
            (Value::List(items), Value::List(kept)) => {
                for (index, (item, kept)) in items.iter().zip(kept).enumerate() {
                    push_index(&mut self.pointer, index);
                    self.at(item.span, item, kept, around);
                    self.pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn at(&mut self, span: Span, node: &Node<'_>, kept: &Node<'_>, around: Spot) {
        let spot = self.spot(span);
        if !self.lines.sources.contains(&spot.source) {
            self.lines.sources.push(spot.source);
        }
        if spot != around {
            self.lines.pointers.push_str(&self.pointer);
            self.lines.ends.push((self.lines.pointers.len(), spot));
        }
        self.inside(node, kept, spot);
    }

    fn spot(&mut self, span: Span) -> Spot {
        if span.source == self.last.source
            && let Some(file) = self.shelf.file(span.source)
        {
            self.last.line = file.lines().line_near(span, self.last.line);
        } else {
            self.last = Spot::of(self.shelf, span);
        }
        self.last
    }
}

pub(super) fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    push_number(pointer, index);
}

/// Writes a number; there are too many of them for the machinery of formats.
fn push_number(text: &mut String, number: usize) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.extend(char::from_digit(u32::try_from(number % 10).unwrap_or_default(), 10));
}

#[cfg(test)]
mod tests {
    use super::push_number;

    #[test]
    fn numbers_are_written_as_they_are() {
        for number in [0, 7, 10, 99, 100, 12_345, usize::MAX] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
