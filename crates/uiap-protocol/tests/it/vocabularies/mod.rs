//! Every vocabulary against the list of the published text, written out here a second time.
//!
//! The lists are copied from the specifications, not from the source, so a word that is lost, added or misspelt in
//! the source shows up. [`closed`] and [`open`] hold one type against one list, [`forms`] one union.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod capability;
mod documents;
mod naming;
mod runs;

use serde_json::{Value, json};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::text::Node;
use uiap_protocol::wire::{Book, Shape, Wire, decode};

/// What is written back, or the findings.
fn taken<T: Wire>(value: &Value) -> Result<Value, Vec<Finding>> {
    let (decoded, findings) = decode::<T>(&Node::from_json(value));
    decoded.map(|decoded| serde_json::to_value(decoded).expect("wire types are JSON")).ok_or(findings)
}

fn survives<T: Wire>(value: &Value) {
    assert_eq!(taken::<T>(value).as_ref(), Ok(value), "{}", std::any::type_name::<T>());
}

fn refused<T: Wire>(value: &Value, code: Code) -> Finding {
    let findings = taken::<T>(value).expect_err(&format!("{value} as {}", std::any::type_name::<T>()));
    let [finding] = findings.as_slice() else { panic!("{value}: {findings:?}") };
    assert_eq!(finding.code, code, "{value}: {finding:?}");
    finding.clone()
}

/// The words that the generated schema allows, and whether it allows those of vendors.
fn described<T: Wire>() -> (Vec<&'static str>, bool) {
    let mut book = Book::default();
    let shape = match T::shape(&mut book) {
        Shape::Named(name) => {
            book.entries().find(|(entry, ..)| *entry == name).map(|(.., shape)| shape.clone())
        }
        other => Some(other),
    };
    let Some(Shape::Words { words, vendor }) = shape else { panic!("no vocabulary: {shape:?}") };
    (words.to_vec(), vendor)
}

fn vocabulary<T: Wire>(words: &str, count: usize, open: bool) {
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(words.len(), count, "words written out here");
    let (mut described, vendor) = described::<T>();
    let mut expected = words.clone();
    described.sort_unstable();
    expected.sort_unstable();
    assert_eq!(described, expected, "{}", std::any::type_name::<T>());
    assert_eq!(vendor, open, "vendor words in {}", std::any::type_name::<T>());

    for word in &words {
        survives::<T>(&json!(word));
        let misspelt = format!("{word}q");
        let finding = refused::<T>(&json!(misspelt), Code::UnknownWord);
        let help = finding.help.unwrap_or_default();
        assert!(help.starts_with("Nearest known words: ") && help.contains(word), "{misspelt}: {help}");
    }
    for wrong in
        [json!(""), json!("x.word"), json!("x.Vendor.word"), json!("y.vendor.word"), json!("x.vendor.wörd")]
    {
        refused::<T>(&wrong, Code::UnknownWord);
    }
    for wrong in [json!(1), json!(null), json!(true), json!([words]), json!({ "word": words })] {
        refused::<T>(&wrong, Code::WrongType);
    }
    let vendor = json!("x.vendor.word");
    if open { survives::<T>(&vendor) } else { drop(refused::<T>(&vendor, Code::UnknownWord)) }
}

fn closed<T: Wire>(words: &str, count: usize) {
    vocabulary::<T>(words, count, false);
}

fn open<T: Wire>(words: &str, count: usize) {
    vocabulary::<T>(words, count, true);
}

fn errors_of<T: Wire>(value: &Value) -> Vec<String> {
    let findings = taken::<T>(value).err().unwrap_or_default();
    let errors =
        findings.iter().filter(|finding| finding.severity == uiap_protocol::finding::Severity::Error);
    errors.map(|finding| format!("{} {}", finding.code.as_str(), finding.pointer)).collect()
}

/// Holds one form of a union against its members: `required` must be there, `optional` may, all others may not.
fn form<T: Wire>(tag: &str, word: &str, required: &Value, optional: &Value, foreign: &[(&str, Value)]) {
    let tagged = |parts: &[&Value]| {
        let mut object = serde_json::Map::from_iter([(tag.to_owned(), json!(word))]);
        for part in parts {
            object.extend(part.as_object().expect("members").clone());
        }
        Value::Object(object)
    };
    survives::<T>(&tagged(&[required]));
    let full = tagged(&[required, optional]);
    survives::<T>(&full);
    for name in required.as_object().into_iter().flatten().map(|(name, _)| name) {
        let mut broken = full.clone();
        broken.as_object_mut().map(|members| members.remove(name));
        assert_eq!(errors_of::<T>(&broken), ["missing_member "], "{word} without {name}");
    }
    for name in full.as_object().into_iter().flatten().map(|(name, _)| name).filter(|name| *name != tag) {
        let mut broken = full.clone();
        broken[name] = json!(null);
        assert!(!errors_of::<T>(&broken).is_empty(), "{word} with {name}: null");
    }
    for (name, value) in foreign.iter().filter(|(name, _)| full.get(name).is_none()) {
        let mut broken = full.clone();
        broken[*name] = value.clone();
        assert_eq!(errors_of::<T>(&broken), [format!("foreign_member /{name}")], "{word} with {name}");
    }
}

/// Every member that some form has.
fn members_of(forms: &[(&str, Value, Value)]) -> Vec<(&'static str, Value)> {
    let all = forms.iter().flat_map(|(_, required, optional)| [required, optional]);
    let members = all.flat_map(|part| part.as_object().expect("members").clone());
    members.map(|(name, value)| (&*name.leak(), value)).collect()
}

fn forms<T: Wire>(tag: &str, forms: &[(&str, Value, Value)], count: usize, open: bool) {
    assert_eq!(forms.len(), count);
    let all = members_of(forms);
    for (word, required, optional) in forms {
        form::<T>(tag, word, required, optional, &all);
        let finding = taken::<T>(&json!({ tag: format!("{word}q") })).expect_err("a misspelt form");
        let [finding] = finding.as_slice() else { panic!("{finding:?}") };
        assert!(finding.help.as_deref().is_some_and(|help| help.contains(word)), "{finding:?}");
        assert_eq!((finding.code, finding.pointer.as_str()), (Code::UnknownWord, format!("/{tag}").as_str()));
    }
    assert_eq!(errors_of::<T>(&json!({})), ["missing_member "]);
    let vendor = json!({ tag: "x.vendor.word", "anything": { "goes": [1] } });
    if open {
        survives::<T>(&vendor);
    } else {
        assert_eq!(errors_of::<T>(&vendor), [format!("unknown_word /{tag}")]);
    }
}

fn named() -> Value {
    json!({ "by": "stableId", "value": "video.submit" })
}
