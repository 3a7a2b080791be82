//! From bytes to a tree of values that remembers where each value stood.
//!
//! Start at [`read`]. JSON and YAML give the same [`Node`] tree, so everything behind it (decoding, findings,
//! locations) exists once. Reading is bounded by [`Limits`]: no input can exhaust the stack, memory or time.

mod json;
mod source;
mod tree;
mod yaml;

pub use source::{LineIndex, Place};
pub use tree::{Member, Node, Span, Value, pointer_token, push_pointer_token};

use crate::finding::Code;

/// Deepest nesting a document may have.
pub const DEPTH_MAX: usize = 64;
/// Largest document that is read, in bytes.
pub const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Largest wire message that is read, in bytes, unless a session negotiated another limit.
pub const MESSAGE_BYTES_MAX: usize = 1024 * 1024;
/// Longest single text, in bytes.
pub const TEXT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Most values (texts, numbers, lists, objects ...) one document may hold, aliases expanded.
pub const NODES_MAX: usize = 4_000_000;
/// Largest integer that survives every JSON reader: 2^53 - 1.
pub const INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// What reading may cost at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Size of the whole input.
    pub bytes_max: usize,
    /// Nesting.
    pub depth_max: usize,
    /// Size of one text.
    pub text_bytes_max: usize,
    /// Number of values.
    pub nodes_max: usize,
}

impl Limits {
    /// For documents on disk.
    pub const DOCUMENT: Self = Self {
        bytes_max: DOCUMENT_BYTES_MAX,
        depth_max: DEPTH_MAX,
        text_bytes_max: TEXT_BYTES_MAX,
        nodes_max: NODES_MAX,
    };
    /// For messages on a wire.
    pub const MESSAGE: Self = Self { bytes_max: MESSAGE_BYTES_MAX, ..Self::DOCUMENT };
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 8259.
    Json,
    /// YAML 1.2, core schema, one document.
    Yaml,
}

impl Format {
    /// The format of a text whose origin says nothing: a text that opens like a JSON object or list is JSON.
    pub fn guess(text: &str) -> Self {
        if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) {
            Self::Json
        } else {
            Self::Yaml
        }
    }
}

/// Why a text could not be read, with the place where reading stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What kind of fault.
    pub code: Code,
    /// What happened, as a sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// The value that was being read, as a JSON pointer.
    pub pointer: String,
}

impl Fault {
    fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, span, pointer: String::new() }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same fault seen from the value that holds the faulty one.
    fn within(mut self, token: &str) -> Self {
        self.pointer.insert_str(0, &pointer_token(token));
        self
    }
}

/// Turns bytes into text: UTF-8, a byte order mark is skipped.
pub fn utf8(bytes: &[u8], limits: Limits) -> Result<&str, Fault> {
    if bytes.len() > limits.bytes_max {
        let message =
            format!("The document has {} bytes; at most {} are read.", bytes.len(), limits.bytes_max);
        return Err(Fault::new(Code::TooLarge, Span::default(), message));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Fault::new(Code::NotUtf8, Span::default(), "The document is encoded as UTF-16.")
            .help("Save it as UTF-8."));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(Code::NotUtf8, Span::new(at, at), format!("The bytes at offset {at} are not UTF-8."))
            .help("Save the document as UTF-8.")
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads a text into a tree.
///
/// ```
/// use uiap_protocol::text::{Format, Limits, read};
///
/// let tree = read("title: Erstes Video", Format::Yaml, Limits::DOCUMENT)?;
/// assert_eq!(tree.member("title").and_then(|node| node.as_text()), Some("Erstes Video"));
/// # Ok::<(), uiap_protocol::text::Fault>(())
/// ```
pub fn read(text: &str, format: Format, limits: Limits) -> Result<Node<'_>, Fault> {
    if text.len() > limits.bytes_max {
        let message =
            format!("The document has {} bytes; at most {} are read.", text.len(), limits.bytes_max);
        return Err(Fault::new(Code::TooLarge, Span::default(), message));
    }
    match format {
        Format::Json => json::read(text, limits),
        Format::Yaml => yaml::read(text, limits),
    }
}
