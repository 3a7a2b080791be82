//! Findings for people, like a compiler shows them.

use super::{Document, count};
use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use std::io::Write;
use uiap_protocol::finding::{Diagnostic, Severity};

/// Longest part of a line that is shown, in characters on each side of the place.
const EXCERPT_CHARS_MAX: usize = 60;

pub(super) fn write(documents: &[Document], colour: bool, out: &mut impl Write) -> std::io::Result<()> {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    for document in documents {
        for diagnostic in &document.checked.diagnostics {
            writeln!(out, "{}\n", render(diagnostic, &document.text, &renderer))?;
        }
    }
    writeln!(out, "{}", summary(documents))
}

fn render(diagnostic: &Diagnostic, text: &str, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let excerpt = Excerpt::around(diagnostic, text);
    let place = format!("{}:{}:{}", diagnostic.file, diagnostic.line, diagnostic.column);
    let snippet = Snippet::source(&excerpt.line)
        .line_start(diagnostic.line)
        .annotation(AnnotationKind::Primary.span(excerpt.start..excerpt.end).label(&diagnostic.pointer));
    let mut group = level.primary_title(&diagnostic.message).id(diagnostic.code.as_str()).element(
        annotate_snippets::Origin::path(&place),
    );
    if !excerpt.line.trim().is_empty() {
        group = group.element(snippet);
    }
    if let Some(requirement) = diagnostic.requirement {
        group = group.element(Element::from(Level::NOTE.message(format!("requirement {requirement}"))));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Element::from(Level::HELP.message(help)));
    }
    renderer.render(&[group])
}

/// The line a finding is about, cut to a readable length, and the part that is meant.
struct Excerpt {
    line: String,
    start: usize,
    end: usize,
}

impl Excerpt {
    fn around(diagnostic: &Diagnostic, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = text.lines().nth(diagnostic.line - 1).unwrap_or_default();
        let column = diagnostic.column - 1;
        let skipped = column.saturating_sub(EXCERPT_CHARS_MAX);
        let before: String = line.chars().skip(skipped).take(column - skipped).collect();
        let after: String = line.chars().skip(column).take(EXCERPT_CHARS_MAX).collect();
        let lead = if skipped > 0 { "..." } else { "" };
        let length = (diagnostic.span.end.saturating_sub(diagnostic.span.start) as usize).clamp(1, after.len().max(1));
        let marked = after.char_indices().map(|(at, _)| at).find(|at| *at >= length).unwrap_or(after.len());
        let start = lead.len() + before.len();
        Self { line: format!("{lead}{before}{after}"), start, end: start + marked }
    }
}

fn summary(documents: &[Document]) -> String {
    let plural = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    };
    let checked = plural(documents.len(), "document");
    let parts: Vec<_> = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Hint, "hint")]
        .into_iter()
        .map(|(severity, what)| (count(documents, severity), what))
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| plural(number, what))
        .collect();
    if parts.is_empty() { format!("{checked} checked, nothing found.") } else { format!("{checked} checked: {}.", parts.join(", ")) }
}
