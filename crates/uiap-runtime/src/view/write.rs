//! Writes blocks out, and folds what is too long with a rule that says how to reach the rest.
//!
//! Start at [`Writer::block`] and [`Writer::matches`]. Whatever is left out is counted, and the line that counts it
//! names the options that show it. Every such look shows at least one thing more, so that following the rules
//! reaches everything.

use super::line::{element_line, is_actionable, is_message, states, value};
use super::outline::{BlockId, Entry, Outline, WHOLE_PAGE, What};
use super::rows::{columns, left_out, parts_line, row_line};
use super::text::quoted;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uiap_protocol::capability::Role;
use uiap_protocol::web::ScopeKind;

/// How much is written, in bytes of text; about three make a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// In all.
    pub(super) page: usize,
    /// Of things of the same kind that follow each other.
    pub(super) run: usize,
    /// Fewest things of a run that are shown before it is folded.
    pub(super) shown: usize,
}

impl Limits {
    /// For a first look.
    pub(super) const OVERVIEW: Self = Self { page: 12_000, run: 700, shown: RUN_SHOWN_MIN };
    /// For somebody who asked for this part.
    pub(super) const CLOSE: Self = Self { page: 12_000, run: 6_000, shown: RUN_SHOWN_MIN };
}

/// Fewest things of a run that are shown to whoever looks.
const RUN_SHOWN_MIN: usize = 3;
/// Fewest things that are worth a line about their absence.
const HIDDEN_MIN: usize = 3;
/// Most names of areas in a line about their absence, in bytes.
const NAMES_BYTES_MAX: usize = 500;
/// Most entries that are compared to tell whether two areas are alike.
const ALIKE_ENTRIES_MAX: usize = 32;

pub(super) struct Writer<'o, 'g> {
    outline: &'o Outline<'g>,
    limits: Limits,
    text: String,
}

impl<'o, 'g> Writer<'o, 'g> {
    pub(super) fn new(outline: &'o Outline<'g>, limits: Limits) -> Self {
        Self { outline, limits, text: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// A block from one of its entries on.
    pub(super) fn block(&mut self, id: BlockId, from: usize) {
        let indent = self.title(id, 0);
        self.entries(id, indent, from, self.limits.page);
    }

    /// What stands in a block, without its title.
    pub(super) fn contents(&mut self, id: BlockId, indent: usize) {
        self.entries(id, indent, 1, self.limits.page);
    }

    /// Everything in a block whose line or whose surroundings contain a text, from one of the hits on.
    pub(super) fn matches(&mut self, id: BlockId, find: &str, from: usize) {
        let mut search =
            Search { find: find.to_lowercase(), skip: from.saturating_sub(1), hidden: 0, hits: 0 };
        self.search(id, 0, false, &mut Vec::new(), &mut search);
        if search.hits == 0 {
            self.line(0, &format!("No control or label here contains {}.", quoted(find)));
        } else if search.hidden > 0 {
            let next = search.hits - search.hidden + 1;
            let style = self.outline.style;
            let [find, from] = [style.option("find", &quoted(find)), style.option("from", &next.to_string())];
            let place = self.place(id);
            self.line(0, &format!("... {} more; {place}{find} {from}", search.hidden));
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = indent * 2);
    }

    /// The line of a block, and the indent of what stands in it. The page itself has none.
    fn title(&mut self, id: BlockId, indent: usize) -> usize {
        match title_of(self.outline, id) {
            None => indent,
            Some(title) => {
                self.line(indent, &title);
                if let Some(head) = columns(self.outline, id) {
                    self.line(indent + 1, &format!("columns: {}", parts_line(self.outline, head)));
                }
                indent + 1
            }
        }
    }

    fn listed(&self, id: BlockId) -> Vec<Entry<'g>> {
        let head = columns(self.outline, id);
        let is_head = |entry: &Entry<'_>| matches!(entry, Entry::Block(block) if Some(*block) == head);
        self.outline.entries(id).filter(|entry| !is_head(entry)).collect()
    }

    fn entries(&mut self, id: BlockId, indent: usize, from: usize, budget: usize) {
        let list = self.listed(id);
        let kinds: Vec<String> = list.iter().map(|entry| self.kind(*entry)).collect();
        let start = self.text.len();
        let first = from.saturating_sub(1);
        let (mut run_start, mut run_at) = (first, start);
        let mut at = first;
        while let (Some(entry), Some(kind)) = (list.get(at), kinds.get(at)) {
            if at == first || kinds.get(at - 1) != Some(kind) {
                (run_start, run_at) = (at, self.text.len());
            }
            let spent = self.text.len() - start;
            let rest = list.get(at..).unwrap_or_default();
            // A few things are shorter than a line about them.
            let is_worth_it =
                rest.len() >= HIDDEN_MIN || rest.iter().any(|entry| matches!(entry, Entry::Block(_)));
            if spent >= budget && at > first && is_worth_it {
                return self.fold(id, indent, rest, at + 1);
            }
            let run_end = at + kinds.iter().skip(at).take_while(|other| *other == kind).count();
            let full = self.text.len() - run_at >= self.limits.run && at - run_start >= self.limits.shown;
            if full && run_end - at >= HIDDEN_MIN {
                self.fold(id, indent, list.get(at..run_end).unwrap_or_default(), at + 1);
                at = run_end;
                continue;
            }
            let left = budget.saturating_sub(spent);
            let is_last = at + 1 == list.len();
            self.entry(*entry, indent, if is_last { left } else { left / 2 });
            at += 1;
        }
    }

    fn entry(&mut self, entry: Entry<'g>, indent: usize, budget: usize) {
        match entry {
            Entry::Thing(thing) => self.line(indent, &element_line(thing, &self.outline.refs)),
            Entry::Block(id) => match self.outline.block(id).what {
                What::Row(_) => {
                    self.line(indent, &row_line(self.outline, id));
                    self.blocks_in_row(id, indent + 1, budget);
                }
                _ => {
                    let indent = self.title(id, indent);
                    self.entries(id, indent, 1, budget);
                }
            },
        }
    }

    /// Areas inside a row follow its line.
    fn blocks_in_row(&mut self, row: BlockId, indent: usize, budget: usize) {
        let start = self.text.len();
        let blocks: Vec<_> =
            self.outline.entries(row).filter(|entry| matches!(entry, Entry::Block(_))).collect();
        for (at, block) in blocks.iter().enumerate() {
            let spent = self.text.len() - start;
            if spent >= budget && at > 0 {
                let hidden = blocks.len() - at;
                let scope = self.outline.style.option("scope", &self.outline.reference(row));
                return self.line(indent, &format!("... {hidden} more; {scope}"));
            }
            self.entry(*block, indent, budget.saturating_sub(spent) / 2);
        }
    }

    /// What two entries must have in common to be of the same kind.
    fn kind(&self, entry: Entry<'_>) -> String {
        let Entry::Block(id) = entry else { return word(self.outline, entry) };
        if matches!(self.outline.block(id).what, What::Row(_)) {
            return word(self.outline, entry);
        }
        let inside = self.outline.entries(id).take(ALIKE_ENTRIES_MAX).map(|entry| word(self.outline, entry));
        std::iter::once(word(self.outline, entry)).chain(inside).collect::<Vec<_>>().join(" ")
    }

    /// Says what is left out and how to see it.
    fn fold(&mut self, id: BlockId, indent: usize, hidden: &[Entry<'g>], from: usize) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for entry in hidden {
            *counts.entry(word(self.outline, *entry)).or_default() += 1;
        }
        let counted = match counts.iter().next() {
            Some((word, 1)) if counts.len() == 1 => format!("1 more {word}"),
            Some((word, count)) if counts.len() == 1 => format!("{count} more {}", plural(word)),
            _ => {
                let many = |(word, count): (&String, &usize)| match count {
                    1 => word.clone(),
                    _ => format!("{count} {}", plural(word)),
                };
                format!("{} more ({})", hidden.len(), counts.iter().map(many).collect::<Vec<_>>().join(", "))
            }
        };
        let to = from + hidden.len().saturating_sub(1);
        // Of what ends a form, the buttons are what whoever fills it in will want.
        let names = self.names(hidden, counts.len() > 1);
        // Names say more than kinds.
        let is_mixed = counts.len() > 1 && !names.is_empty();
        let counted = if is_mixed { format!("{} more", hidden.len()) } else { counted };
        let place = self.place(id);
        let style = self.outline.style;
        let [further, search] = [style.option("from", "N"), style.option("find", "TEXT")];
        self.line(indent, &format!("... {counted}, {from} to {to}{names}; {place}{further}, or {search}"));
    }

    /// The first names of areas that are left out, and of buttons.
    fn names(&self, hidden: &[Entry<'g>], with_buttons: bool) -> String {
        let mut names = String::new();
        for entry in hidden {
            let (name, reference) = match entry {
                Entry::Thing(thing) if with_buttons && thing.role == Role::Button => {
                    (&thing.name, self.outline.refs.of_element(thing))
                }
                Entry::Block(id) if let What::Area { scope, .. } = self.outline.block(*id).what => {
                    (&scope.name, self.outline.reference(*id))
                }
                _ => continue,
            };
            let Some(name) = name.as_ref().filter(|name| !name.trim().is_empty()) else { continue };
            if names.len() >= NAMES_BYTES_MAX {
                names.push_str(", ...");
                break;
            }
            let separator = if names.is_empty() { ": " } else { ", " };
            let _ = write!(names, "{separator}{} [{reference}]", quoted(name));
        }
        names
    }

    /// The option that leads to a block; the page needs none.
    fn place(&self, id: BlockId) -> String {
        if id == WHOLE_PAGE {
            return String::new();
        }
        format!("{} ", self.outline.style.option("scope", &self.outline.reference(id)))
    }

    /// Walks a block. Titles are written when the first hit below them is.
    fn search(
        &mut self,
        id: BlockId,
        indent: usize,
        all: bool,
        titles: &mut Vec<(usize, String)>,
        search: &mut Search,
    ) {
        let title = title_of(self.outline, id);
        let all = all || title.as_ref().is_some_and(|title| search.is_hit(title));
        let inner = indent + usize::from(title.is_some());
        let depth = titles.len();
        titles.extend(title.clone().map(|title| (indent, title)));
        let is_itself = matches!(self.outline.block(id).what, What::Area { element: Some(element), .. } if is_actionable(element));
        if let Some(title) = title.filter(|title| is_itself && search.is_hit(title)) {
            titles.pop();
            self.hit(indent, &title, titles, search);
        }
        self.search_in(id, inner, all, titles, search);
        titles.truncate(depth);
    }

    fn search_in(
        &mut self,
        id: BlockId,
        indent: usize,
        all: bool,
        titles: &mut Vec<(usize, String)>,
        search: &mut Search,
    ) {
        let is_row = matches!(self.outline.block(id).what, What::Row(_));
        let entries: Vec<_> = self.outline.entries(id).collect();
        for entry in entries {
            match entry {
                // The line of a row says what stands in it.
                Entry::Thing(_) if is_row => {}
                Entry::Thing(thing) => {
                    let line = element_line(thing, &self.outline.refs);
                    // The same message in two places is one message.
                    let is_said = is_message(thing)
                        && value(thing).is_some_and(|text| self.text.contains(&format!("{text}\n")));
                    if (all || search.is_hit(&line)) && !is_said {
                        self.hit(indent, &line, titles, search);
                    }
                }
                Entry::Block(block) if let What::Row(row) = self.outline.block(block).what => {
                    let line = row_line(self.outline, block);
                    // Its cells may say its name in pieces.
                    let name = row.name.as_deref().map(quoted).unwrap_or_default();
                    if all || search.is_hit(&line) || search.is_hit(&name) {
                        self.hit(indent, &line, titles, search);
                    }
                    for thing in left_out(self.outline, block) {
                        let line = element_line(thing, &self.outline.refs);
                        if all || search.is_hit(&line) {
                            self.hit(indent + 1, &line, titles, search);
                        }
                    }
                    self.search_in(block, indent + 1, all, titles, search);
                }
                Entry::Block(block) => self.search(block, indent, all, titles, search),
            }
        }
    }

    fn hit(&mut self, indent: usize, line: &str, titles: &mut [(usize, String)], search: &mut Search) {
        search.hits += 1;
        if search.hits <= search.skip {
            return;
        }
        if self.text.len() >= self.limits.page && search.hits > search.skip + 1 {
            search.hidden += 1;
            return;
        }
        for (indent, title) in titles.iter_mut() {
            let title = std::mem::take(title);
            if !title.is_empty() {
                self.line(*indent, &title);
            }
        }
        self.line(indent, line);
    }
}

/// A search on its way.
struct Search {
    find: String,
    /// Hits that were shown before.
    skip: usize,
    hits: usize,
    hidden: usize,
}

impl Search {
    fn is_hit(&self, line: &str) -> bool {
        line.to_lowercase().contains(&self.find)
    }
}

/// The line of a block. The page itself has none.
pub(super) fn title_of(outline: &Outline<'_>, id: BlockId) -> Option<String> {
    let reference = outline.reference(id);
    match outline.block(id).what {
        What::Page => None,
        What::Row(row) => Some(format!("{} [{reference}] {}", row.role, parts_line(outline, id))),
        What::Part(part) => {
            let name = part.name.as_ref().filter(|name| !name.is_empty()).map(|name| quoted(name));
            let words = [Some(part.role.to_string()), name, Some(format!("[{reference}]"))];
            Some(words.into_iter().flatten().chain(states(part)).collect::<Vec<_>>().join(" "))
        }
        What::Area { scope, element } => {
            let name = scope.name.as_ref().filter(|name| !name.is_empty()).map(|name| quoted(name));
            let words = [Some(scope.kind.to_string()), name, Some(format!("[{reference}]"))];
            let states = element.map(states).unwrap_or_default();
            let words = words.into_iter().flatten().chain(states).chain(size(outline, id));
            Some(words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// How many rows a table has, and how many items there are that the page does not hold.
fn size(outline: &Outline<'_>, id: BlockId) -> Option<String> {
    let What::Area { scope, element } = outline.block(id).what else { return None };
    let is_row = |entry: &Entry<'_>| matches!(entry, Entry::Block(id) if matches!(outline.block(*id).what, What::Row(_)));
    let rows = outline.entries(id).filter(is_row).count() - usize::from(columns(outline, id).is_some());
    let collection = element.and_then(|element| element.collection.as_ref());
    match collection.filter(|collection| collection.has_more == Some(true)) {
        Some(all) => Some(format!("{rows} of {} rows are loaded, scroll for others", all.count)),
        None => {
            let is_table = matches!(scope.kind, ScopeKind::Table | ScopeKind::Grid);
            (is_table && rows > 0).then(|| format!("{rows} rows"))
        }
    }
}

/// Several of what a word means.
fn plural(word: &str) -> String {
    match word {
        "listitem" | "treeitem" => "items".to_owned(),
        word if word.ends_with('x') => format!("{word}es"),
        word => format!("{word}s"),
    }
}

/// What an entry is, in one word.
fn word(outline: &Outline<'_>, entry: Entry<'_>) -> String {
    match entry {
        Entry::Thing(thing) => thing.role.to_string(),
        Entry::Block(id) => match outline.block(id).what {
            What::Page => String::new(),
            What::Area { scope, .. } => scope.kind.to_string(),
            What::Row(element) | What::Part(element) => element.role.to_string(),
        },
    }
}
