//! Values written so that equal ones are written alike and no two different ones are: for codes and digests.
//!
//! Every part comes with its kind and length, members in the order of their names, whatever order they came in.

use serde_json::{Number, Value};
use sha2::digest::Update;
use std::collections::BTreeMap;
use uiap_protocol::wire::JsonObject;

/// Largest whole number that a float holds exactly, as JSON of other programs may write it.
const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;

pub(crate) fn text(sink: &mut impl Update, text: &str) {
    sink.update(&(text.len() as u64).to_be_bytes());
    sink.update(text.as_bytes());
}

pub(crate) fn members(sink: &mut impl Update, object: &JsonObject) {
    let sorted: BTreeMap<_, _> = object.iter().collect();
    sink.update(b"{");
    sink.update(&(sorted.len() as u64).to_be_bytes());
    for (name, member) in sorted {
        text(sink, name);
        value(sink, member);
    }
}

pub(crate) fn value(sink: &mut impl Update, value_of: &Value) {
    match value_of {
        Value::Null => sink.update(b"n"),
        Value::Bool(flag) => sink.update(if *flag { b"t" } else { b"f" }),
        Value::Number(number) => {
            sink.update(b"#");
            text(sink, &spelt(number));
        }
        Value::String(string) => {
            sink.update(b"s");
            text(sink, string);
        }
        Value::Array(items) => {
            sink.update(b"[");
            sink.update(&(items.len() as u64).to_be_bytes());
            items.iter().for_each(|item| value(sink, item));
        }
        Value::Object(object) => members(sink, object),
    }
}

/// `1`, `1.0` and `1e0` are one number.
fn spelt(number: &Number) -> String {
    match number.as_f64() {
        Some(whole) if number.is_f64() && whole.fract() == 0.0 && whole.abs() <= WHOLE_MAX => {
            format!("{:.0}", whole + 0.0)
        }
        _ => number.to_string(),
    }
}
