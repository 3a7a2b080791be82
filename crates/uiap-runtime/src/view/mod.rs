//! A page as a model reads it: one line per thing that matters, grouped by area.
//!
//! Start at [`view`]. Nothing is said twice: a row of a table is one line, and of a long collection only the first
//! rows are shown, with a rule that says how to reach the others. The reference at the start of a line is the
//! stable id where the application gave one, else the instance id; both stay the same from look to look.

mod line;
mod outline;

use outline::Outline;
use std::collections::HashSet;
use uiap_protocol::web::{PageGraph, ScopeNode};

/// Most rows or items of one collection that are written out.
const ROWS_SHOWN_MAX: usize = 5;

/// What part of a page is written out.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    /// Only this area: the id or stable id of a scope.
    pub scope: Option<String>,
    /// Only things whose line contains this text, whatever the case.
    pub find: Option<String>,
}

impl ViewOptions {
    /// Whether a line is wanted.
    fn wants(&self, line: &str) -> bool {
        self.find.as_ref().is_none_or(|text| line.to_lowercase().contains(&text.to_lowercase()))
    }
}

/// Writes a page out for a model.
pub fn view(graph: &PageGraph, options: &ViewOptions) -> String {
    let outline = Outline::of(graph);
    let wanted = |scope: Option<&ScopeNode>| {
        options.scope.as_ref().is_none_or(|wanted| outline.is_within(scope, wanted))
    };
    let scopes = outline.scopes_in_order().into_iter().filter(|scope| wanted(*scope));
    let areas = scopes.map(|scope| (scope, outline.lines_of(scope.map(|scope| scope.id.as_str()), options)));
    let areas: Vec<_> = areas.filter(|(_, lines)| !lines.is_empty()).collect();
    let shown: HashSet<&str> =
        areas.iter().filter_map(|(scope, _)| *scope).map(|scope| scope.id.as_str()).collect();
    let mut text = header(graph);
    for (scope, lines) in &areas {
        let indent = "  ".repeat(scope.map_or(0, |scope| outline.depth_among(scope, &shown)));
        text.extend(scope.map(|scope| format!("{indent}{}\n", scope_line(scope))));
        text.extend(lines.iter().map(|line| format!("{indent}  {line}\n")));
    }
    text.push_str(&footer(graph));
    text
}

fn header(graph: &PageGraph) -> String {
    let route = graph.route.route_id.as_ref().map(|id| format!(" route={id}")).unwrap_or_default();
    let title = graph.title.as_deref().unwrap_or("(no title)");
    format!("{title} <{}>{route} {}\n", graph.route.url, graph.revision)
}

fn scope_line(scope: &ScopeNode) -> String {
    let name = scope.name.as_ref().filter(|name| !name.is_empty());
    let name = name.map(|name| format!(" {}", line::quoted(name))).unwrap_or_default();
    let id = scope.stable_id.as_ref().map_or_else(|| scope.id.as_str(), |id| id.as_str());
    format!("{}{name} [{id}]", scope.kind)
}

/// What cannot be seen must be said.
fn footer(graph: &PageGraph) -> String {
    let regions = graph.opaque_regions.iter().flatten().map(|region| {
        let label =
            region.label.as_ref().map(|label| format!(" {}", line::quoted(label))).unwrap_or_default();
        format!("opaque {}{label} [{}]\n", region.kind, region.id)
    });
    let mut text: String = regions.collect();
    if graph.truncated == Some(true) {
        text.push_str("The page was too large to be shown whole; look at one scope with --scope.\n");
    }
    text
}

#[cfg(test)]
mod tests;
