//! Reads JSON (RFC 8259) into the tree.
//!
//! Written by hand because the JSON libraries keep no locations and hide repeated keys; `serde_json` is the
//! oracle it is fuzzed against.

use super::tree::{Member, Node, Span, Value};
use super::{Fault, INTEGER_MAX, Limits};
use crate::finding::Code;
use std::borrow::Cow;

pub(super) fn read(text: &str, limits: Limits) -> Result<Node<'_>, Fault> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0, nodes: 0, limits };
    reader.skip_space();
    if reader.peek().is_none() {
        return Err(Fault::new(Code::EmptyDocument, Span::default(), "The document is empty."));
    }
    let node = reader.value()?;
    reader.skip_space();
    if reader.peek().is_some() {
        return Err(reader.unexpected("the end of the document"));
    }
    Ok(node)
}

struct Reader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    depth: usize,
    nodes: usize,
    limits: Limits,
}

impl<'s> Reader<'s> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn here(&self) -> Span {
        let width = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span::new(self.at, self.at + width)
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the text ends".to_owned(),
            Some(character) => format!("{character:?} stands here"),
        };
        Fault::new(Code::SyntaxError, self.here(), format!("Expected {wanted}, but {found}."))
    }

    fn value(&mut self) -> Result<Node<'s>, Fault> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes_max {
            let message = format!("The document holds more than {} values.", self.limits.nodes_max);
            return Err(Fault::new(Code::TooManyValues, self.here(), message));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true", Value::Boolean(true))?,
            Some(b'f') => self.literal("false", Value::Boolean(false))?,
            Some(b'n') => self.literal("null", Value::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { value, span: Span::new(start, self.at) })
    }

    fn literal(&mut self, word: &str, value: Value<'s>) -> Result<Value<'s>, Fault> {
        if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.unexpected("a value"))
    }

    fn nested(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<Value<'s>, Fault>,
    ) -> Result<Value<'s>, Fault> {
        if self.depth == self.limits.depth_max {
            let message = format!("The document is nested deeper than {} levels.", self.limits.depth_max);
            return Err(Fault::new(Code::TooDeep, self.here(), message));
        }
        self.depth += 1;
        self.at += 1;
        let value = body(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Value<'s>, Fault> {
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            self.skip_space();
            let item = self.value().map_err(|fault| fault.within(&items.len().to_string()))?;
            items.push(item);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(items));
                }
                _ => return Err(self.unexpected("\",\" or \"]\"")),
            }
        }
    }

    fn object(&mut self) -> Result<Value<'s>, Fault> {
        let mut members = Vec::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            members.push(self.object_member()?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                _ => return Err(self.unexpected("\",\" or \"}\"")),
            }
        }
    }

    fn object_member(&mut self) -> Result<Member<'s>, Fault> {
        self.skip_space();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member name in double quotes"));
        }
        let key = self.string()?;
        let key_span = Span::new(start, self.at);
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("\":\""));
        }
        self.at += 1;
        self.skip_space();
        let node = self.value().map_err(|fault| fault.within(&key))?;
        Ok(Member { key, key_span, node })
    }

    fn number(&mut self) -> Result<Value<'s>, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            whole = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        number(self.text.get(start..self.at).unwrap_or_default(), whole)
            .ok_or_else(|| number_fault(Span::new(start, self.at)))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Cow<'s, str>, Fault> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        let stop = self.plain_end();
        if self.bytes.get(stop) == Some(&b'"') {
            self.at = stop + 1;
            self.bound_text(open)?;
            return Ok(Cow::Borrowed(self.text.get(start..stop).unwrap_or_default()));
        }
        self.string_with_escapes(open, start)
    }

    /// The next byte that is not plain content of a string, from the current position.
    fn plain_end(&self) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
        self.at + plain
    }

    fn bound_text(&self, open: usize) -> Result<(), Fault> {
        if self.at - open <= self.limits.text_bytes_max {
            return Ok(());
        }
        let message = format!("A text is longer than {} bytes.", self.limits.text_bytes_max);
        Err(Fault::new(Code::TextTooLong, Span::new(open, open + 1), message))
    }

    fn string_with_escapes(&mut self, open: usize, start: usize) -> Result<Cow<'s, str>, Fault> {
        let mut text = String::new();
        self.at = start;
        loop {
            let stop = self.plain_end();
            text.push_str(self.text.get(self.at..stop).unwrap_or_default());
            self.at = stop;
            self.bound_text(open)?;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.unexpected("a character; control characters must be escaped")),
                None => return Err(self.unexpected("the closing quote of this text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let escaped = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => return Err(self.unexpected("one of \" \\ / b f n r t u after a backslash")),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Fault> {
        let lone = |end: usize| {
            Fault::new(Code::SyntaxError, Span::new(start, end), "Half of a surrogate pair stands alone.")
        };
        let first = self.hex4()?;
        if !(0xD800..0xE000).contains(&first) {
            return char::from_u32(first).ok_or_else(|| lone(self.at));
        }
        let paired = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"\\u"));
        if first >= 0xDC00 || !paired {
            return Err(lone(self.at));
        }
        self.at += 1;
        let second = self.hex4()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(lone(self.at));
        }
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or_else(|| lone(self.at))
    }

    /// The four digits after `\u`; stands on the `u` before and behind the digits after.
    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            self.at += 1;
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.unexpected("four hexadecimal digits after \\u"))?;
        }
        self.at += 1;
        Ok(code)
    }
}

/// A number as both formats write it; `None` if it cannot be kept exactly or finitely.
pub(super) fn number<'s>(text: &str, whole: bool) -> Option<Value<'s>> {
    if whole {
        let number: i64 = text.parse().ok()?;
        return (number.abs() <= INTEGER_MAX).then_some(Value::Integer(number));
    }
    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(Value::Float(number))
}

pub(super) fn number_fault(span: Span) -> Fault {
    Fault::new(Code::NumberOutOfRange, span, "The number is too large to be kept exactly.")
        .help("Integers reach from -(2^53 - 1) to 2^53 - 1; write a larger one as a text.")
}
