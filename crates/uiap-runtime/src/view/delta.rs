//! What changed on a page, as a model reads it: `+` came, `~` is different, `-` went.
//!
//! Start at [`changes`]. Lines are those of the view, under the titles of their areas. An area that came is shown
//! with what stands in it; of one that went only its title is said. A page that was replaced is shown anew; where only
//! the address is another, neither what stayed nor what went is repeated.

use super::line::{element_line, is_actionable, is_message, known_line, value};
use super::outline::{BlockId, Entry, Outline, WHOLE_PAGE, What};
use super::refs::RefError;
use super::rows::row_line;
use super::text::{clean, quoted};
use super::write::{Limits, Writer, title_of};
use super::{HEADER_CHARS_MAX, OptionStyle, ViewOptions, view, view_without_revision};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{DeltaOp, ElementNode, PageGraph, WebSignal, WebSignalBody, WebStateDelta};

/// Most text about changes, in bytes; what is beyond is counted.
const CHANGES_BYTES_MAX: usize = 1_500;
/// Most text about one area that came, in bytes.
const AREA_BYTES_MAX: usize = 700;

/// Fewest things of a run in an area that came.
const AREA_RUN_SHOWN_MIN: usize = 2;

/// Writes out what deltas and signals did to a page. Both graphs are whole; the deltas lead from one to the other.
pub fn changes(
    before: &PageGraph,
    deltas: &[WebStateDelta],
    signals: &[WebSignal],
    after: &PageGraph,
) -> Result<String, RefError> {
    told(before, deltas, signals, after, &[])
}

/// The same for a reader who kept the page as it was, and not what led from there. It says nothing about revisions.
pub fn changes_between(
    before: &PageGraph,
    signals: &[WebSignal],
    after: &PageGraph,
    style: OptionStyle,
) -> Result<String, RefError> {
    let old: HashMap<_, _> =
        before.elements.iter().map(|element| (element.instance_id.as_str(), element)).collect();
    let is_touched = |element: &&ElementNode| old.get(element.instance_id.as_str()) != Some(element);
    let touched = after.elements.iter().filter(is_touched).map(|element| element.instance_id.as_str());
    Ok(match written(before, touched.collect(), signals, after, &[], style)? {
        Written::Anew => view_without_revision(after, &ViewOptions { style, ..ViewOptions::default() })?,
        Written::Changes(changes) if changes.is_empty() => "nothing changed\n".to_owned(),
        Written::Changes(changes) => changes,
    })
}

/// What there is to tell.
enum Written {
    /// The page, because it is another one.
    Anew,
    /// What is different; nothing, if nothing is.
    Changes(String),
}

/// The same, with things that went and of which only the id is known.
pub(super) fn told(
    before: &PageGraph,
    deltas: &[WebStateDelta],
    signals: &[WebSignal],
    after: &PageGraph,
    gone: &[&str],
) -> Result<String, RefError> {
    let touched = deltas.iter().flat_map(|delta| &delta.ops).map(id_of).collect();
    Ok(match written(before, touched, signals, after, gone, OptionStyle::CommandLine)? {
        Written::Anew => view(after, &ViewOptions::default())?,
        Written::Changes(changes) => {
            let [from, to] = [before, after].map(|graph| clean(graph.revision.as_str(), HEADER_CHARS_MAX));
            if changes.is_empty() {
                format!("{to}: nothing changed since {from}\n")
            } else {
                format!("{to}: changes since {from}\n{changes}")
            }
        }
    })
}

fn written<'g>(
    before: &'g PageGraph,
    touched: HashSet<&'g str>,
    signals: &[WebSignal],
    after: &'g PageGraph,
    gone: &[&str],
    style: OptionStyle,
) -> Result<Written, RefError> {
    if is_replaced(before, after) {
        return Ok(Written::Anew);
    }
    let (old, new) = (Outline::of(before, None, style)?, Outline::of(after, None, style)?);
    let mut report = Report { old: &old, new: &new, touched, text: String::new(), hidden: 0 };
    report.place();
    report.came(WHOLE_PAGE, 0, &mut Vec::new());
    report.went(WHOLE_PAGE);
    for id in gone {
        let reference = new.refs.of_instance(id);
        report.change(0, '-', &reference, &mut Vec::new());
    }
    signals.iter().for_each(|signal| report.signal(signal));
    report.focus();
    Ok(Written::Changes(report.finish()))
}

fn id_of(op: &DeltaOp) -> &str {
    let (DeltaOp::Add { id, .. } | DeltaOp::Update { id, .. } | DeltaOp::Remove { id, .. }) = op;
    id.as_str()
}

/// An address without what it has in common with the one before: the origin.
fn beyond<'u>(before: &str, after: &'u str) -> &'u str {
    let origin_of = |url: &str| {
        url.split_once("://").map(|(scheme, rest)| {
            scheme.len() + "://".len() + rest.find(['/', '?', '#']).unwrap_or(rest.len())
        })
    };
    let origin = origin_of(after).and_then(|end| after.get(..end));
    match origin.filter(|origin| origin_of(before).and_then(|end| before.get(..end)) == Some(*origin)) {
        Some(origin) => after.strip_prefix(origin).filter(|path| !path.is_empty()).unwrap_or(after),
        None => after,
    }
}

/// Whether the address is another and hardly anything that can be acted on was there before.
fn is_replaced(before: &PageGraph, after: &PageGraph) -> bool {
    let ids = |graph: &'_ PageGraph| -> HashSet<String> {
        let actionable = graph.elements.iter().filter(|element| is_actionable(element));
        actionable.map(|element| element.instance_id.as_str().to_owned()).collect()
    };
    let (old, new) = (ids(before), ids(after));
    before.route.url != after.route.url && old.intersection(&new).count() * 4 < old.len().min(new.len())
}

struct Report<'o, 'g> {
    old: &'o Outline<'g>,
    new: &'o Outline<'g>,
    touched: HashSet<&'g str>,
    text: String,
    /// Lines that were left out.
    hidden: usize,
}

/// Titles around a change, written with the first one below them.
type Titles = Vec<(usize, String)>;

impl<'g> Report<'_, 'g> {
    fn finish(self) -> String {
        match self.hidden {
            0 => self.text,
            hidden => format!("{}... {hidden} more changes; look again\n", self.text),
        }
    }

    /// Whether the page has another address.
    fn is_elsewhere(&self) -> bool {
        self.old.graph.route.url != self.new.graph.route.url
    }

    fn line(&mut self, indent: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = indent * 2);
    }

    fn change(&mut self, indent: usize, mark: char, line: &str, titles: &mut Titles) {
        if self.text.len() >= CHANGES_BYTES_MAX {
            self.hidden += 1;
            return;
        }
        for (indent, title) in titles.iter_mut() {
            let title = std::mem::take(title);
            if !title.is_empty() {
                self.line(*indent, &title);
            }
        }
        self.line(indent, &format!("{mark} {}", line.trim_start_matches("- ")));
    }

    /// Where the page is now.
    fn place(&mut self) {
        let (old, new) = (self.old.graph, self.new.graph);
        let title = new.title.as_ref().filter(|_| old.title != new.title).map(|title| quoted(title));
        let line = match (self.is_elsewhere(), title) {
            (true, title) => {
                let address = clean(beyond(&old.route.url, &new.route.url), HEADER_CHARS_MAX);
                format!("now at <{address}>{}", title.map(|title| format!(" {title}")).unwrap_or_default())
            }
            (false, Some(title)) => format!("title {title}"),
            (false, None) => return,
        };
        self.line(0, &line);
    }

    /// What is new or different in a block.
    fn came(&mut self, id: BlockId, indent: usize, titles: &mut Titles) {
        let is_row = matches!(self.new.block(id).what, What::Row(_));
        let entries: Vec<_> = self.new.entries(id).collect();
        for entry in entries {
            match entry {
                // The line of a row says what stands in it.
                Entry::Thing(_) if is_row => {}
                Entry::Thing(thing) => self.thing(thing, indent, titles),
                Entry::Block(block) => match self.new.block(block).what {
                    What::Row(row) => {
                        self.row(row, block, indent, titles);
                        self.inside(block, None, indent + 1, titles);
                    }
                    What::Page => {}
                    What::Area { .. } | What::Part(_) => self.area(block, indent, titles),
                },
            }
        }
    }

    fn thing(&mut self, thing: &'g ElementNode, indent: usize, titles: &mut Titles) {
        if !self.is_touched(thing) {
            return;
        }
        // The same message in two places is one message.
        if is_message(thing) && value(thing).is_some_and(|text| self.text.contains(&format!("{text}\n"))) {
            return;
        }
        match self.old.element(thing.instance_id.as_str()) {
            None => self.change(indent, '+', &element_line(thing, &self.new.refs), titles),
            Some(old) if self.differs(old, thing) => {
                // What else could be chosen was shown before, and so was where it stands.
                self.change(0, '~', &known_line(thing, &self.new.refs), &mut Vec::new());
            }
            Some(_) => {}
        }
    }

    fn row(&mut self, row: &'g ElementNode, block: BlockId, indent: usize, titles: &mut Titles) {
        if !self.is_touched(row) && !self.new.things_of_row(block).any(|thing| self.is_touched(thing)) {
            let old = self.old.block_of(row.instance_id.as_str());
            let count = |outline: &Outline<'_>, id: BlockId| outline.things_of_row(id).count();
            if old.is_some_and(|old| count(self.old, old) == count(self.new, block)) {
                return;
            }
        }
        let line = row_line(self.new, block);
        match self.old.block_of(row.instance_id.as_str()) {
            None => self.change(indent, '+', &line, titles),
            Some(old) if self.steady(&row_line(self.old, old)) != self.steady(&line) => {
                self.change(indent, '~', &line, titles);
            }
            Some(_) => {}
        }
    }

    fn area(&mut self, block: BlockId, indent: usize, titles: &mut Titles) {
        let What::Area { scope, .. } = self.new.block(block).what else { return };
        let title = title_of(self.new, block).unwrap_or_default();
        let is_modal = self.new.graph.modal_stack.iter().flatten().any(|id| *id == scope.id);
        let modal = if is_modal { " modal" } else { "" };
        let Some(old) = self.old.block_of_scope(scope.id.as_str()) else {
            if self.text.len() < CHANGES_BYTES_MAX {
                self.change(indent, '+', &format!("{title}{modal}"), titles);
                let mut writer = Writer::new(
                    self.new,
                    Limits { page: AREA_BYTES_MAX, run: AREA_BYTES_MAX / 3, shown: AREA_RUN_SHOWN_MIN },
                );
                writer.contents(block, indent + 2);
                self.text.push_str(&writer.finish());
            } else {
                self.hidden += 1;
            }
            return;
        };
        let old = title_of(self.old, old).unwrap_or_default();
        if self.steady(&old) == self.steady(&title) {
            self.inside(block, Some(title), indent, titles);
        } else {
            self.change(indent, '~', &title, titles);
            self.inside(block, None, indent + 1, titles);
        }
    }

    fn inside(&mut self, block: BlockId, title: Option<String>, indent: usize, titles: &mut Titles) {
        let depth = titles.len();
        let inner = indent + usize::from(title.is_some());
        titles.extend(title.map(|title| (indent, title)));
        self.came(block, inner, titles);
        titles.truncate(depth);
    }

    /// What is gone from a block. Of an area that is gone, its title is enough.
    fn went(&mut self, id: BlockId) {
        let is_row = matches!(self.old.block(id).what, What::Row(_));
        let entries: Vec<_> = self.old.entries(id).collect();
        for entry in entries {
            match entry {
                Entry::Thing(_) if is_row => {}
                Entry::Thing(thing) => {
                    if self.new.element(thing.instance_id.as_str()).is_none() {
                        self.gone(|old| element_line(thing, &old.refs));
                    }
                }
                Entry::Block(block) => match self.old.block(block).what {
                    What::Row(row) if self.new.element(row.instance_id.as_str()).is_none() => {
                        self.gone(|old| row_line(old, block));
                    }
                    What::Area { scope, .. } if self.new.block_of_scope(scope.id.as_str()).is_none() => {
                        self.gone(|old| title_of(old, block).unwrap_or_default());
                    }
                    _ => self.went(block),
                },
            }
        }
    }

    /// One thing that is gone. Whoever went elsewhere need not read what was left behind.
    fn gone(&mut self, line: impl FnOnce(&Outline<'g>) -> String) {
        if !self.is_elsewhere() {
            self.change(0, '-', &line(self.old), &mut Vec::new());
        }
    }

    /// What happened and left no trace on the page.
    fn signal(&mut self, signal: &WebSignal) {
        let line = match &signal.body {
            WebSignalBody::ToastShown { text, .. } => format!("toast {}", quoted(text)),
            WebSignalBody::StatusChanged { text, .. } => format!("status {}", quoted(text)),
            WebSignalBody::EntityCreated { entity_type, .. } => {
                format!("created {}", quoted(entity_type.as_str()))
            }
            WebSignalBody::EntityUpdated { entity_type, .. } => {
                format!("updated {}", quoted(entity_type.as_str()))
            }
            WebSignalBody::EntityDeleted { entity_type, .. } => {
                format!("deleted {}", quoted(entity_type.as_str()))
            }
            WebSignalBody::NetworkResponse { url, status } if *status >= 400 => {
                format!("response {status} from {}", quoted(url))
            }
            _ => return,
        };
        let text = match &signal.body {
            WebSignalBody::ToastShown { text, .. } | WebSignalBody::StatusChanged { text, .. } => {
                quoted(text)
            }
            _ => line.clone(),
        };
        // What the page still shows was said already.
        if !self.text.contains(&text) {
            self.change(0, '!', &line, &mut Vec::new());
        }
    }

    fn focus(&mut self) {
        let target = |graph: &'g PageGraph| graph.focus.as_ref().and_then(|focus| focus.target.as_ref());
        let (old, new) = (target(self.old.graph), target(self.new.graph));
        let element = new.filter(|_| old != new).map(ElementInstanceId::as_str);
        let Some(element) = element.and_then(|id| self.new.element(id)).filter(|it| is_actionable(it)) else {
            return;
        };
        // A line that is shown says so itself.
        let line = format!(" {}\n", element_line(element, &self.new.refs));
        if !line.contains(" focused") || !self.text.contains(&line) {
            self.line(0, &format!("focus {}", self.new.refs.of_element(element)));
        }
    }

    fn is_touched(&self, element: &ElementNode) -> bool {
        self.touched.contains(element.instance_id.as_str())
    }

    fn differs(&self, old: &ElementNode, new: &ElementNode) -> bool {
        let [old, new] =
            [(old, &self.old.refs), (new, &self.new.refs)].map(|(element, refs)| element_line(element, refs));
        self.steady(&old) != self.steady(&new)
    }

    /// A line without what has a line of its own: the focus, what a dialog blocks, and where the page is.
    fn steady(&self, line: &str) -> String {
        let is_blocking = self.old.graph.modal_stack != self.new.graph.modal_stack;
        let is_elsewhere = self.is_elsewhere();
        let own: Vec<_> = line.split('"').collect();
        let words = own.iter().enumerate().map(|(at, part)| {
            if at % 2 == 1 {
                return (*part).to_owned();
            }
            let mut part = part.replace(" focused", "");
            if is_elsewhere {
                part = part.replace(" current", "");
            }
            if is_blocking { part.replace(" blocked", "") } else { part }
        });
        words.collect::<Vec<_>>().join("\"")
    }
}
