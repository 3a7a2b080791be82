//! Findings for people, like a compiler shows them.

use super::{Document, count};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::io::Write;
use uiap_protocol::finding::{Diagnostic, Severity};

/// Longest line that is shown, cut by the renderer to the width of a page; longer ones are only named.
const LINE_BYTES_MAX: usize = 100_000;

pub(super) fn write(documents: &[Document], colour: bool, out: &mut impl Write) -> std::io::Result<()> {
    write_each(documents, colour, out)?;
    writeln!(out, "{}", summary(documents))
}

/// Only what was found, and how much that is.
pub(super) fn write_findings(
    documents: &[Document],
    colour: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    write_each(documents, colour, out)?;
    let found = found(documents);
    if found.is_empty() { Ok(()) } else { writeln!(out, "{} found.", found.join(", ")) }
}

fn write_each(documents: &[Document], colour: bool, out: &mut impl Write) -> std::io::Result<()> {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    for document in documents {
        for diagnostic in &document.checked.diagnostics {
            writeln!(out, "{}\n", render(diagnostic, &document.text, &renderer))?;
        }
    }
    Ok(())
}

fn render(diagnostic: &Diagnostic, text: &str, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.as_str());
    let line = line_of(diagnostic, text);
    let mut group = if diagnostic.file.is_empty() {
        Group::with_title(title)
    } else if line.trim().is_empty() || line.len() > LINE_BYTES_MAX {
        let origin = Origin::path(&diagnostic.file).line(diagnostic.line).char_column(diagnostic.column);
        title.element(origin)
    } else {
        let annotation =
            AnnotationKind::Primary.span(marked(diagnostic, line)).label(printable(&diagnostic.pointer));
        let snippet = Snippet::source(line).line_start(diagnostic.line).path(&diagnostic.file);
        title.element(snippet.annotation(annotation))
    };
    if let Some(requirement) = diagnostic.requirement {
        group = group.element(Level::NOTE.message(format!("requirement {requirement}")));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// A text from a document without the characters that would steer a terminal.
fn printable(text: &str) -> String {
    let show = |letter: char| {
        if letter.is_control() { letter.escape_default().collect() } else { letter.to_string() }
    };
    text.chars().map(show).collect()
}

fn line_of<'t>(diagnostic: &Diagnostic, text: &'t str) -> &'t str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().nth(diagnostic.line - 1).unwrap_or_default()
}

/// The bytes of the line that are meant: from the place to the end of the value or of the line.
fn marked(diagnostic: &Diagnostic, line: &str) -> std::ops::Range<usize> {
    let start = line.char_indices().nth(diagnostic.column - 1).map_or(line.len(), |(at, _)| at);
    let length = diagnostic.span.end.saturating_sub(diagnostic.span.start) as usize;
    let wanted = start + length.max(1);
    let end = line.char_indices().map(|(at, _)| at).find(|at| *at >= wanted).unwrap_or(line.len());
    start..end.max(start)
}

fn plural(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// How many findings there are of each severity.
fn found(documents: &[Document]) -> Vec<String> {
    [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Hint, "hint")]
        .into_iter()
        .map(|(severity, what)| (count(documents, severity), what))
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| plural(number, what))
        .collect()
}

fn summary(documents: &[Document]) -> String {
    let checked = plural(documents.len(), "document");
    let parts = found(documents);
    if parts.is_empty() {
        format!("{checked} checked, nothing found.")
    } else {
        format!("{checked} checked: {}.", parts.join(", "))
    }
}
