//! Validates one document of any kind, from bytes to diagnostics.

use crate::finding::{Code, Diagnostic, Finding, Severity};
use crate::kinds::Kind;
use crate::text::{Fault, Format, Limits, Node, read, utf8};

/// What is known about a document before it is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expectation {
    /// How it is written; guessed if absent.
    pub format: Option<Format>,
    /// What it is; detected if absent.
    pub kind: Option<Kind>,
}

/// What was found out about a document.
#[derive(Debug)]
pub struct Checked {
    /// What it is, if that could be told.
    pub kind: Option<Kind>,
    /// Everything that was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The document as it would be written back, if it is sound.
    pub value: Option<serde_json::Value>,
}

impl Checked {
    /// Whether the document is refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Validates a document; `file` is only the name under which findings are reported.
///
/// ```
/// use uiap_protocol::check::{Expectation, check};
///
/// let checked = check("offer.json", br#"{"uiap": "0.1", "kind": "event"}"#, Expectation::default());
/// assert!(checked.has_errors());
/// ```
pub fn check(file: &str, bytes: &[u8], expectation: Expectation) -> Checked {
    let refused = |fault: Fault, text: &str| Checked {
        kind: None,
        diagnostics: Diagnostic::locate(vec![Finding::from(fault)], file, text, None),
        value: None,
    };
    let text = match utf8(bytes, Limits::DOCUMENT) {
        Ok(text) => text,
        Err(fault) => return refused(fault, &String::from_utf8_lossy(bytes)),
    };
    let format = expectation.format.unwrap_or_else(|| Format::guess(text));
    let tree = match read(text, format, Limits::DOCUMENT) {
        Ok(tree) => tree,
        Err(fault) => return refused(fault, text),
    };
    let kind = expectation.kind.or_else(|| Kind::detect(&tree));
    let (value, findings) = match kind {
        Some(kind) => kind.inspect(&tree),
        None => (None, vec![unknown_kind(&tree)]),
    };
    Checked { kind, diagnostics: Diagnostic::locate(findings, file, text, Some(&tree)), value }
}

fn unknown_kind(tree: &Node<'_>) -> Finding {
    let message = match tree.members() {
        [] => format!("This is {}, not a document that UIAP knows.", tree.what()),
        _ => "The document is of no kind that UIAP knows.".to_owned(),
    };
    Finding {
        code: Code::UnknownDocument,
        severity: Severity::Error,
        message,
        help: Some("Say what it is with --as KIND; `uiap schema` lists the kinds.".to_owned()),
        pointer: String::new(),
        on_key: false,
        span: None,
        requirement: Some("AUT-3-2"),
    }
}
