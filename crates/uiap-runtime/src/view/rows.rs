//! A row as one line: what its cells say and what can be done in them, in the order of the columns.

use super::line::{element_in_row, is_actionable, states};
use super::outline::{BlockId, Entry, Outline, What, is_text_of_row};
use super::text::{in_row, without};
use uiap_protocol::capability::Role;
use uiap_protocol::web::{ElementNode, ScopeKind};

/// Most things of one row that are written out.
const THINGS_SHOWN_MAX: usize = 16;

/// One cell, or what stands in a row outside of cells.
#[derive(Default)]
struct Part<'g> {
    cell: Option<&'g ElementNode>,
    things: Vec<&'g ElementNode>,
}

impl Part<'_> {
    /// What the cell says beyond the names of what stands in it.
    fn text(&self) -> Option<String> {
        let names = self.things.iter().filter_map(|thing| thing.name.as_deref());
        let text = without(self.cell?.name.as_deref()?, names);
        (!text.is_empty()).then(|| in_row(&text))
    }

    fn begins_with_a_thing(&self) -> bool {
        let text = self.cell.and_then(|cell| cell.name.as_deref());
        let first = self.things.first().and_then(|thing| thing.name.as_deref());
        text.zip(first).is_some_and(|(text, first)| text.starts_with(first))
    }
}

/// A row as one line.
pub(super) fn row_line(outline: &Outline<'_>, id: BlockId) -> String {
    let line = match outline.block(id).what {
        What::Row(row) if is_actionable(row) => {
            let words = std::iter::once(outline.refs.of_element(row)).chain(states(row));
            let words: Vec<_> = words.collect();
            format!("- {}: {}", words.join(" "), parts_line(outline, id))
        }
        _ => format!("- {}", parts_line(outline, id)),
    };
    line.trim_end().to_owned()
}

/// What the cells of a row say, separated by bars.
pub(super) fn parts_line(outline: &Outline<'_>, id: BlockId) -> String {
    let mut left = THINGS_SHOWN_MAX;
    let mut hidden = 0;
    let mut said: Vec<String> = own_name(outline, id).into_iter().collect();
    for part in parts(outline, id) {
        let shown = part.things.iter().take(left).map(|thing| element_in_row(thing, &outline.refs));
        let text = part.text();
        let (before, after) = if part.begins_with_a_thing() { (None, text) } else { (text, None) };
        let words: Vec<String> = before.into_iter().chain(shown).chain(after).collect();
        hidden += part.things.len().saturating_sub(left);
        left = left.saturating_sub(part.things.len());
        said.push(words.join(" "));
    }
    if hidden > 0 {
        let scope = outline.style.option("scope", &outline.reference(id));
        said.push(format!("... {hidden} more; {scope}"));
    }
    said.join(" | ")
}

/// The things of a row that its line leaves out.
pub(super) fn left_out<'g>(outline: &Outline<'g>, id: BlockId) -> Vec<&'g ElementNode> {
    outline.things_of_row(id).filter(|thing| !is_text_of_row(thing)).skip(THINGS_SHOWN_MAX).collect()
}

/// The name of a row, unless its cells or things say it already.
fn own_name(outline: &Outline<'_>, id: BlockId) -> Option<String> {
    let What::Row(row) = outline.block(id).what else { return None };
    let names = outline.things_of_row(id).filter_map(|thing| thing.name.as_deref());
    let name = row.name.as_deref()?;
    (!without(name, names).is_empty()).then(|| in_row(name))
}

fn parts<'g>(outline: &Outline<'g>, id: BlockId) -> Vec<Part<'g>> {
    let mut parts: Vec<Part<'g>> = Vec::new();
    for thing in outline.things_of_row(id) {
        let cell = outline.cell_of(thing);
        if is_text_of_row(thing) {
            parts.push(Part { cell: Some(thing), things: Vec::new() });
            continue;
        }
        let of_last = |part: &&mut Part<'_>| {
            let last = part.cell.map(|cell| cell.instance_id.as_str());
            last == cell && thing.role != Role::Cell
        };
        match parts.last_mut().filter(of_last) {
            Some(part) => part.things.push(thing),
            None => parts.push(Part { cell: None, things: vec![thing] }),
        }
    }
    parts
}

/// The row that names the columns of a table: it has as many cells as the next one, offers other things, and no
/// number stands in it. A first row that cannot be told apart is shown as a row, which names the columns as well.
pub(super) fn columns(outline: &Outline<'_>, id: BlockId) -> Option<BlockId> {
    let What::Area { scope, .. } = outline.block(id).what else { return None };
    if !matches!(scope.kind, ScopeKind::Table | ScopeKind::Grid) {
        return None;
    }
    let mut entries = outline.entries(id);
    let (Some(Entry::Block(first)), Some(Entry::Block(second))) = (entries.next(), entries.next()) else {
        return None;
    };
    let [head, body] = [first, second].map(|row| parts(outline, row));
    let offers = |parts: &[Part<'_>]| -> Vec<Vec<Role>> {
        parts.iter().map(|part| part.things.iter().map(|thing| thing.role.clone()).collect()).collect()
    };
    let is_row = matches!(outline.block(first).what, What::Row(row) if !is_actionable(row));
    let has_number = |part: &Part<'_>| {
        let name = part.cell.and_then(|cell| cell.name.as_deref());
        name.is_some_and(|name| name.contains(|letter: char| letter.is_ascii_digit()))
    };
    let names = head.len() > 1 && head.iter().all(|part| part.cell.is_some()) && !head.iter().any(has_number);
    (is_row && names && head.len() == body.len() && offers(&head) != offers(&body)).then_some(first)
}
