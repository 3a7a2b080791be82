//! What a build finds, with places in several files.

use uiap_protocol::finding::{Code, Finding, Severity};
use uiap_protocol::text::Span;
use uiap_protocol::wire::nearest;

/// A place in a file, and what is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) span: Span,
    pub(crate) pointer: String,
}

/// Everything that a build has found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
}

impl Findings {
    pub(crate) fn error(&mut self, code: Code, place: Place, message: impl Into<String>) -> Entry<'_> {
        self.add(Severity::Error, code, place, message.into())
    }

    pub(crate) fn warning(&mut self, code: Code, place: Place, message: impl Into<String>) -> Entry<'_> {
        self.add(Severity::Warning, code, place, message.into())
    }

    pub(crate) fn hint(&mut self, code: Code, place: Place, message: impl Into<String>) -> Entry<'_> {
        self.add(Severity::Hint, code, place, message.into())
    }

    pub(crate) fn add(&mut self, severity: Severity, code: Code, place: Place, message: String) -> Entry<'_> {
        let Place { span, pointer } = place;
        let finding = Finding {
            code,
            severity,
            message,
            help: None,
            pointer,
            on_key: false,
            span: Some(span),
            requirement: None,
        };
        Entry(self.list.push_mut(finding))
    }
}

/// A finding that was just added.
pub(crate) struct Entry<'f>(&'f mut Finding);

impl Entry<'_> {
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(crate) fn requirement(self, requirement: &'static str) -> Self {
        self.0.requirement = Some(requirement);
        self
    }

    /// Helps with the nearest of what is there.
    pub(crate) fn did_you_mean<'w>(self, word: &str, known: impl IntoIterator<Item = &'w str>) -> Self {
        let mut known: Vec<&str> = known.into_iter().collect();
        match (nearest(word, known.iter().copied(), 1).first(), known.len()) {
            (Some(near), _) => self.help(format!("Did you mean \"{near}\"?")),
            (None, 1..=8) => {
                known.sort_unstable();
                self.help(format!("There are: {}.", known.join(", ")))
            }
            _ => self,
        }
    }
}
