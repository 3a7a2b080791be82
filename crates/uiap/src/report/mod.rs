//! How findings are shown: for people, as JSON, as SARIF.

mod human;
mod json;
mod sarif;

use crate::{Outcome, Trouble};
use clap::ValueEnum;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use uiap_protocol::check::Checked;
use uiap_protocol::finding::Severity;

/// How to report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people, with the place in the text.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
}

/// A document that was checked, with its text.
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) checked: Checked,
}

/// Reports documents on stdout.
pub(crate) fn documents(documents: &[Document], format: ReportFormat) -> Result<(), Trouble> {
    let mut out = std::io::stdout().lock();
    match format {
        ReportFormat::Human => human::write(documents, colour(&std::io::stdout()), &mut out)?,
        ReportFormat::Json => writeln!(out, "{:#}", json::report(documents))?,
        ReportFormat::Sarif => writeln!(out, "{:#}", sarif::report(documents))?,
    }
    Ok(())
}

/// Reports what a build found, or a command in what it was given: for people on stderr, because the result is elsewhere; for programs on stdout.
pub(crate) fn build(documents: &[Document], format: ReportFormat) -> Result<(), Trouble> {
    match format {
        ReportFormat::Human => {
            let mut out = std::io::stderr().lock();
            human::write_findings(documents, colour(&std::io::stderr()), &mut out)?;
        }
        ReportFormat::Json => writeln!(std::io::stdout(), "{:#}", json::report(documents))?,
        ReportFormat::Sarif => writeln!(std::io::stdout(), "{:#}", sarif::report(documents))?,
    }
    Ok(())
}

/// Yes, if no document is refused.
pub(crate) fn outcome(documents: &[Document]) -> Outcome {
    let sound = documents.iter().all(|document| !document.checked.has_errors());
    if sound { Outcome::Yes } else { Outcome::No }
}

/// Colour is for terminals, and for people who did not say no.
pub(crate) fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// How many findings of a severity there are.
fn count(documents: &[Document], severity: Severity) -> usize {
    let all = documents.iter().flat_map(|document| &document.checked.diagnostics);
    all.filter(|diagnostic| diagnostic.severity == severity).count()
}

/// Says why a command could not do its work.
pub(crate) fn trouble(trouble: &Trouble) -> ExitCode {
    let code = match trouble {
        Trouble::ReaderGone => return ExitCode::SUCCESS,
        Trouble::Reported => return Outcome::No.into(),
        Trouble::WrongUse(_) => 2,
        Trouble::Missing(_) => 3,
        Trouble::Other(_) => 1,
    };
    let mark = if colour(&std::io::stderr()) { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
    // If not even stderr takes it, the exit code must say it.
    let _ = writeln!(std::io::stderr(), "{mark}: {}", told(trouble));
    ExitCode::from(code)
}

fn told(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Other(error) => format!("{error:#}"),
        other => other.to_string(),
    }
}

/// A message with a capital letter.
pub(crate) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
