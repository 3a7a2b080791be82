//! Reads YAML 1.2 into the tree, without surprises.
//!
//! Tags, merge keys, several documents in one file and keys that are not text are refused with a hint. Plain
//! scalars are null, booleans, decimal numbers or texts: `yes`, a date and `0x1F` are texts.

use super::json::{number, number_fault};
use super::tree::{Member, Node, Span, Value};
use super::{Fault, Limits};
use crate::finding::Code;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn read(text: &str, limits: Limits) -> Result<Node<'_>, Fault> {
    let options = granit_parser::options! {
        flow_nesting_limit: limits.depth_max + 1,
        block_nesting_limit: limits.depth_max + 1,
    };
    let mut builder = Builder {
        limits,
        nodes: 0,
        root: None,
        open: Vec::new(),
        anchors: HashMap::new(),
        anchored_sizes: HashMap::new(),
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| builder.placed(scan_fault(&error)))?;
        let range = span.byte_range().unwrap_or_default();
        builder.event(event, Span::new(range.start, range.end)).map_err(|fault| builder.placed(fault))?;
    }
    builder.root.ok_or_else(|| Fault::new(Code::EmptyDocument, Span::default(), "The document is empty."))
}

fn scan_fault(error: &ScanError) -> Fault {
    let at = error.marker().byte_offset().unwrap_or_default();
    let code = match error.kind() {
        ErrorKind::RecursionLimitExceeded => Code::TooDeep,
        _ => Code::SyntaxError,
    };
    Fault::new(code, Span::new(at, at + 1), format!("This is not well-formed YAML: {}.", error.info()))
}

/// A list or object whose end has not been seen yet.
struct Open<'s> {
    start: Span,
    anchor: usize,
    nodes_before: usize,
    body: Body<'s>,
}

enum Body<'s> {
    List(Vec<Node<'s>>),
    Object { members: Vec<Member<'s>>, key: Option<(Cow<'s, str>, Span)> },
}

struct Builder<'s> {
    limits: Limits,
    nodes: usize,
    root: Option<Node<'s>>,
    open: Vec<Open<'s>>,
    anchors: HashMap<usize, Node<'s>>,
    anchored_sizes: HashMap<usize, usize>,
}

impl<'s> Builder<'s> {
    fn event(&mut self, event: Event<'s>, span: Span) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(Fault::new(Code::SecondDocument, span, "A second document begins in this file.")
                    .help("Keep one document per file."))
            }
            Event::Scalar(text, style, anchor, tag) => {
                refuse_tag(tag.is_some(), span)?;
                self.scalar(text, style, anchor, span)
            }
            Event::SequenceStart(_, anchor, tag) => {
                refuse_tag(tag.is_some(), span)?;
                self.start(Body::List(Vec::new()), anchor, span)
            }
            Event::MappingStart(_, anchor, tag) => {
                refuse_tag(tag.is_some(), span)?;
                self.start(Body::Object { members: Vec::new(), key: None }, anchor, span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'s, str>,
        style: ScalarStyle,
        anchor: usize,
        span: Span,
    ) -> Result<(), Fault> {
        if text.len() > self.limits.text_bytes_max {
            let message = format!("A text is longer than {} bytes.", self.limits.text_bytes_max);
            return Err(Fault::new(Code::TextTooLong, span, message));
        }
        if let Some(Open { body: Body::Object { key: key @ None, .. }, .. }) = self.open.last_mut() {
            if text == "<<" && style == ScalarStyle::Plain {
                return Err(Fault::new(Code::YamlMergeKey, span, "Merge keys (\"<<\") are not supported.")
                    .help("Write the members out, or change them with an Overlay manifest."));
            }
            *key = Some((text, span));
            return Ok(());
        }
        let weight = weight_of(&text);
        let value = if style == ScalarStyle::Plain { plain(text, span)? } else { Value::Text(text) };
        self.count(weight, span)?;
        self.finish(Node { value, span }, anchor, weight)
    }

    fn start(&mut self, body: Body<'s>, anchor: usize, span: Span) -> Result<(), Fault> {
        self.refuse_as_key(span)?;
        if self.open.len() == self.limits.depth_max {
            let message = format!("The document is nested deeper than {} levels.", self.limits.depth_max);
            return Err(Fault::new(Code::TooDeep, span, message));
        }
        let nodes_before = self.nodes;
        self.count(1, span)?;
        self.open.push(Open { start: span, anchor, nodes_before, body });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let value = match open.body {
            Body::List(items) => Value::List(items),
            Body::Object { members, .. } => Value::Object(members),
        };
        let span = Span { end: span.end.max(open.start.end), ..open.start };
        let size = self.nodes - open.nodes_before;
        self.finish(Node { value, span }, open.anchor, size)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Fault> {
        self.refuse_as_key(span)?;
        let Some(node) = self.anchors.get(&anchor).cloned() else {
            return Err(Fault::new(Code::SyntaxError, span, "The alias refers to the value it stands in."));
        };
        let size = self.anchored_sizes.get(&anchor).copied().unwrap_or(1);
        // Counted before it is kept: an alias bomb ends here, not in memory.
        self.count(size, span)?;
        let depth = self.open.len() + depth_of(&node);
        if depth > self.limits.depth_max {
            let message = format!("The document is nested deeper than {} levels.", self.limits.depth_max);
            return Err(Fault::new(Code::TooDeep, span, message));
        }
        self.finish(Node { value: node.value, span }, 0, size)
    }

    fn refuse_as_key(&self, span: Span) -> Result<(), Fault> {
        match self.open.last() {
            Some(Open { body: Body::Object { key: None, .. }, .. }) => {
                Err(Fault::new(Code::KeyNotText, span, "A member name must be a plain text."))
            }
            _ => Ok(()),
        }
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), Fault> {
        self.nodes += nodes;
        if self.nodes <= self.limits.nodes_max {
            return Ok(());
        }
        let message = format!("The document holds more than {} values.", self.limits.nodes_max);
        Err(Fault::new(Code::TooManyValues, span, message))
    }

    fn finish(&mut self, node: Node<'s>, anchor: usize, size: usize) -> Result<(), Fault> {
        if anchor != 0 {
            self.count(size, node.span)?;
            self.anchors.insert(anchor, node.clone());
            self.anchored_sizes.insert(anchor, size);
        }
        match self.open.last_mut().map(|open| &mut open.body) {
            None => self.root = Some(node),
            Some(Body::List(items)) => items.push(node),
            Some(Body::Object { members, key }) => {
                let (key, key_span) = key.take().unwrap_or_default();
                members.push(Member { key, key_span, node });
            }
        }
        Ok(())
    }

    /// The fault with the pointer of the value that was being built.
    fn placed(&self, mut fault: Fault) -> Fault {
        for open in self.open.iter().rev() {
            fault = match &open.body {
                Body::List(items) => fault.within(&items.len().to_string()),
                Body::Object { key: Some((key, _)), .. } => fault.within(key),
                Body::Object { key: None, .. } => fault,
            };
        }
        fault
    }
}

/// What a text counts for: long ones more, so that aliases cannot multiply them without bound.
fn weight_of(text: &str) -> usize {
    1 + text.len() / 64
}

fn depth_of(node: &Node<'_>) -> usize {
    let children = node.items().iter().chain(node.members().iter().map(|member| &member.node));
    match node.value {
        Value::List(_) | Value::Object(_) => 1 + children.map(depth_of).max().unwrap_or_default(),
        _ => 0,
    }
}

fn refuse_tag(tagged: bool, span: Span) -> Result<(), Fault> {
    if !tagged {
        return Ok(());
    }
    Err(Fault::new(Code::YamlTag, span, "YAML tags are not supported.")
        .help("Remove the tag; quote the value if it must be a text."))
}

/// The meaning of an unquoted scalar in the core schema.
fn plain(text: Cow<'_, str>, span: Span) -> Result<Value<'_>, Fault> {
    Ok(match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Boolean(true),
        "false" | "False" | "FALSE" => Value::Boolean(false),
        word => match number_kind(word) {
            Some(whole) => {
                number(word.strip_prefix('+').unwrap_or(word), whole).ok_or_else(|| number_fault(span))?
            }
            None => Value::Text(text),
        },
    })
}

/// Whether a word is a decimal number, and then whether it is a whole one.
fn number_kind(word: &str) -> Option<bool> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (digits, None),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (before, after) =
        mantissa.split_once('.').map_or((mantissa, None), |(before, after)| (before, Some(after)));
    let plausible = all_digits(before)
        && after.is_none_or(all_digits)
        && !(before.is_empty() && after.is_none_or(str::is_empty))
        && exponent.is_none_or(|exponent| !exponent.is_empty() && all_digits(exponent));
    plausible.then_some(after.is_none() && exponent.is_none())
}
