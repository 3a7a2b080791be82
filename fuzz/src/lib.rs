//! What every fuzz target demands of the reader and the decoder.

use serde_json::Value;
use uiap_protocol::finding::Code;
use uiap_protocol::text::{Fault, Format, Limits, Node, read, utf8};
use uiap_protocol::wire::{Wire, accept, decode};

/// Reads JSON as we do and as `serde_json` does: both agree, or our limits are the reason.
pub fn read_json(bytes: &[u8]) -> Option<Node<'_>> {
    let text = utf8(bytes, Limits::MESSAGE).ok()?;
    let ours = read(text, Format::Json, Limits::MESSAGE);
    let theirs: Result<Value, _> = serde_json::from_str(text);
    match (&ours, &theirs) {
        (Ok(tree), Ok(value)) => assert!(same(&tree.to_json(), value), "read differently"),
        (Ok(_), Err(error)) => panic!("accepted what serde_json refuses: {error}"),
        (Err(fault), Ok(_)) => assert!(is_limit(fault), "refused what serde_json accepts: {fault}"),
        (Err(_), Err(_)) => {}
    }
    ours.ok()
}

fn is_limit(fault: &Fault) -> bool {
    use Code::{NumberOutOfRange, TextTooLong, TooDeep, TooLarge, TooManyValues};
    matches!(fault.code, NumberOutOfRange | TextTooLong | TooDeep | TooLarge | TooManyValues)
}

/// Equality that takes `-0` and `0`, and `1` and `1.0`, for the same number.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => ours.as_f64() == theirs.as_f64(),
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| same(ours, theirs))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().all(|(name, ours)| theirs.get(name).is_some_and(|theirs| same(ours, theirs)))
        }
        (ours, theirs) => ours == theirs,
    }
}

/// Decodes twice, briefly and thoroughly: both accept or both refuse, and what is accepted survives a round trip.
pub fn decode_both_ways<T: Wire + PartialEq + std::fmt::Debug>(tree: &Node<'_>) -> Option<T> {
    let brief: Result<T, _> = accept(tree);
    let (thorough, findings) = decode::<T>(tree);
    assert_eq!(brief.is_ok(), thorough.is_some(), "{findings:?}");
    for finding in &findings {
        tree.locate(&finding.pointer, finding.on_key);
    }
    let value = brief.ok()?;
    let written = serde_json::to_value(&value).expect("wire types are JSON");
    let again: T = accept(&Node::from_json(&written)).expect("what we write we can read");
    assert_eq!(value, again, "lost in a round trip");
    Some(value)
}
