//! Collects findings, and knows where it is.

use uiap_protocol::finding::{Code, Finding, Severity};
use uiap_protocol::text::pointer_token;
use uiap_protocol::wire::nearest;

/// Most names for which a similar one is looked for: each time all known names are compared.
pub const NEAREST_ASKED_MAX: usize = 50;

/// A place in the bundle. It is a chain on the stack; the pointer is written only if something is wrong there.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'p> {
    parent: Option<&'p Self>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Member(&'p str),
    Item(usize),
}

impl<'p> At<'p> {
    /// A member of the bundle.
    pub(super) fn new(member: &'p str) -> Self {
        Self { parent: None, step: Step::Member(member) }
    }

    /// A member of what is here.
    pub(super) fn member(&'p self, name: &'p str) -> Self {
        Self { parent: Some(self), step: Step::Member(name) }
    }

    /// An item of what is here.
    pub(super) fn item(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Item(index) }
    }

    fn pointer(&self) -> String {
        let mut pointer = self.parent.map_or_else(String::new, Self::pointer);
        match self.step {
            Step::Member(name) => pointer.push_str(&pointer_token(name)),
            Step::Item(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
        pointer
    }
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
    nearest_asked: usize,
}

/// What is said about a place: the sentence, what to do, and the requirement behind it.
pub(super) struct Remark {
    pub(super) severity: Severity,
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) requirement: &'static str,
}

impl Report {
    pub(super) fn add(&mut self, at: &At<'_>, remark: Remark) {
        self.add_at(at.pointer(), remark);
    }

    pub(super) fn add_at(&mut self, pointer: String, remark: Remark) {
        self.findings.push(Finding {
            code: remark.code,
            severity: remark.severity,
            message: remark.message,
            help: Some(remark.help),
            pointer,
            on_key: false,
            span: None,
            requirement: Some(remark.requirement),
        });
    }

    /// A question with the most similar name, or else some other advice.
    pub(super) fn did_you_mean<'w>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'w str>,
        otherwise: &str,
    ) -> String {
        self.nearest_asked += 1;
        let near = if self.nearest_asked > NEAREST_ASKED_MAX { Vec::new() } else { nearest(name, known, 1) };
        near.first().map_or_else(|| otherwise.to_owned(), |near| format!("Did you mean \"{near}\"?"))
    }

    pub(super) fn finish(self) -> Vec<Finding> {
        self.findings
    }
}
