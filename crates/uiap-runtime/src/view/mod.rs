//! A page as a model reads it: one line per thing that matters, grouped by area.
//!
//! Start at [`view`]. Nothing is said twice: a row of a table is one line, and of a long run of like things only the
//! first are shown, with the options that show the others. The reference at the start of a line is what an action
//! uses, see [`Refs`]; it stays the same from look to look.

mod delta;
mod line;
mod outline;
mod past;
mod refs;
mod rows;
mod style;
pub(crate) mod text;
mod write;

pub use delta::{changes, changes_between};
pub use line::is_actionable;
pub use past::changes_since;
pub use refs::{PAGE, RefError, Refs};
pub use style::OptionStyle;
pub use text::clean;

use outline::{Outline, WHOLE_PAGE};
use text::quoted;
use uiap_protocol::web::{PageGraph, Reach};
use write::{Limits, Writer};

/// Longest title or address that is written out, in characters.
const HEADER_CHARS_MAX: usize = 200;

/// What part of a page is written out.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    /// Only this area or element, by its reference; [`PAGE`] is all of it.
    pub scope: Option<String>,
    /// Only things whose line, or the title of whose area, contains this text, whatever the case.
    pub find: Option<String>,
    /// Only from this entry on: of the area, or of what was found. The first is 1.
    pub from: Option<usize>,
    /// How the options that show more are written.
    pub style: OptionStyle,
}

/// Writes a page out for a model.
pub fn view(graph: &PageGraph, options: &ViewOptions) -> Result<String, RefError> {
    let revision = clean(graph.revision.as_str(), HEADER_CHARS_MAX);
    Ok(format!("{} {revision}\n{}", header(graph), body(graph, options)?))
}

/// The same for whoever cannot ask for a revision.
pub fn view_without_revision(graph: &PageGraph, options: &ViewOptions) -> Result<String, RefError> {
    Ok(format!("{}\n{}", header(graph), body(graph, options)?))
}

fn body(graph: &PageGraph, options: &ViewOptions) -> Result<String, RefError> {
    let outline = Outline::of(graph, options.scope.as_deref(), options.style)?;
    let wanted = options.scope.as_deref().map(|wanted| outline.wanted(wanted));
    let from = options.from.unwrap_or(1);
    let is_overview = wanted.is_none() && options.find.is_none() && options.from.is_none();
    let mut writer = Writer::new(&outline, if is_overview { Limits::OVERVIEW } else { Limits::CLOSE });
    let modal = outline.modal().filter(|_| is_overview);
    match &options.find {
        Some(find) => writer.matches(wanted.unwrap_or(WHOLE_PAGE), find, from),
        None => writer.block(wanted.or(modal).unwrap_or(WHOLE_PAGE), from),
    }
    let behind = if modal.is_some() { behind(graph, options.style) } else { String::new() };
    let footer = if wanted.is_none() && options.find.is_none() { footer(&outline) } else { String::new() };
    Ok(format!("{}{behind}{footer}{}", writer.finish(), truncated(graph)))
}

fn header(graph: &PageGraph) -> String {
    let route =
        graph.route.route_id.as_ref().map(|id| format!(" route={}", clean(id.as_str(), HEADER_CHARS_MAX)));
    let title = clean(graph.title.as_deref().unwrap_or("(no title)"), HEADER_CHARS_MAX);
    let url = clean(&graph.route.url, HEADER_CHARS_MAX);
    format!("{title} <{url}>{}", route.unwrap_or_default())
}

/// What a dialog keeps from being used.
fn behind(graph: &PageGraph, style: OptionStyle) -> String {
    let reach = Reach::of(graph);
    let blocked = graph.elements.iter().filter(|element| reach.is_blocked(element));
    let count = blocked.filter(|element| is_actionable(element)).count();
    format!("Behind it, blocked: {count} more; {}\n", style.option("scope", PAGE))
}

/// What cannot be seen must be said.
fn footer(outline: &Outline<'_>) -> String {
    let regions = outline.graph.opaque_regions.iter().flatten().map(|region| {
        let label = region.label.as_ref().map(|label| format!(" {}", quoted(label))).unwrap_or_default();
        let host = region.host_element_id.as_ref().and_then(|id| outline.refs.resolve(id.as_str()).ok());
        let host = host.map(|host| format!(" [{}]", outline.refs.of_element(host))).unwrap_or_default();
        format!("opaque {}{label}{host}\n", region.kind)
    });
    regions.collect()
}

fn truncated(graph: &PageGraph) -> &'static str {
    if graph.truncated == Some(true) {
        "The page was too large to be read whole; what is missing here may still be there.\n"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests;
