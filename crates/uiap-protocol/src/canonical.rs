//! JSON in its one form (RFC 8785): equal documents are the same bytes, whoever wrote them.
//!
//! Start at [`canonical`]. It is what digests and signatures are about.

use serde_json::{Map, Number, Value};
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
    members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
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

fn put_string(text: &mut String, string: &str) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\u{c}' => text.push_str("\\f"),
            '\r' => text.push_str("\\r"),
            control if control < ' ' => {
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
}

fn put_number(text: &mut String, number: &Number) {
    match number.as_f64().filter(|_| number.is_f64()) {
        // Rust finds as few digits as ECMAScript, but of two that are equally near it takes the other one.
        Some(float) => text.push_str(ryu_js::Buffer::new().format(float)),
        None => {
            let _ = write!(text, "{number}");
        }
    }
}
