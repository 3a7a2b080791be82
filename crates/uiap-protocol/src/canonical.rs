//! JSON in its one form (RFC 8785): equal documents are the same bytes, whoever wrote them.
//!
//! Start at [`canonical`] for a JSON value, and at [`written`] for everything else that can be written as JSON. It is
//! what digests and signatures are about. [`Object`] puts texts together that are canonical already.

mod written;

pub use written::{Object, Piece, Unsealed, written};

use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The canonical text of a value.
///
/// Whole numbers are written as they are. Those beyond 2^53 - 1 do not get here from a document, because
/// [`text::read`](crate::text::read) refuses them: other programs would round them.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    put(&mut text, value);
    text
}

/// The canonical text of an object without one of its members.
pub(crate) fn canonical_without(object: &Map<String, Value>, left_out: &str) -> String {
    let mut text = String::new();
    put_members(&mut text, object.iter().filter(|(name, _)| *name != left_out));
    text
}

fn put(text: &mut String, value: &Value) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => put_number(text, number),
        Value::String(string) => put_string(text, string),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                separate(text, place);
                put(text, item);
            }
            text.push(']');
        }
        Value::Object(members) => put_members(text, members.iter()),
    }
}

fn put_members<'v>(text: &mut String, members: impl Iterator<Item = (&'v String, &'v Value)>) {
    let mut members: Vec<_> = members.collect();
    members.sort_by(|(one, _), (other, _)| by_name(one, other));
    text.push('{');
    for (place, (name, member)) in members.into_iter().enumerate() {
        separate(text, place);
        put_string(text, name);
        text.push(':');
        put(text, member);
    }
    text.push('}');
}

fn separate(text: &mut String, place: usize) {
    if place > 0 {
        text.push(',');
    }
}

/// The order of members. Only beyond ASCII do units of UTF-16 differ from the bytes of UTF-8.
fn by_name(one: &str, other: &str) -> Ordering {
    if one.is_ascii() && other.is_ascii() {
        return one.cmp(other);
    }
    one.encode_utf16().cmp(other.encode_utf16())
}

fn put_string(text: &mut String, string: &str) {
    text.push('"');
    let mut plain_from = 0;
    for (at, byte) in string.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        text.push_str(string.get(plain_from..at).unwrap_or_default());
        put_escape(text, byte);
        plain_from = at + 1;
    }
    text.push_str(string.get(plain_from..).unwrap_or_default());
    text.push('"');
}

fn put_escape(text: &mut String, byte: u8) {
    match byte {
        b'"' => text.push_str("\\\""),
        b'\\' => text.push_str("\\\\"),
        0x8 => text.push_str("\\b"),
        b'\t' => text.push_str("\\t"),
        b'\n' => text.push_str("\\n"),
        0xc => text.push_str("\\f"),
        b'\r' => text.push_str("\\r"),
        control => {
            let _ = write!(text, "\\u{control:04x}");
        }
    }
}

fn put_number(text: &mut String, number: &Number) {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => put_float(text, float),
        None => {
            let _ = write!(text, "{number}");
        }
    }
}

/// Rust finds as few digits as ECMAScript, but of two that are equally near it takes the other one.
fn put_float(text: &mut String, float: f64) {
    text.push_str(ryu_js::Buffer::new().format(float));
}
