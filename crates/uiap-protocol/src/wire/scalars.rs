//! Texts, words, lists and maps: the building blocks that need no derive.

use super::object::report_duplicate;
use super::{Book, Decoder, Shape, Wire};
use crate::finding::Code;
use crate::ids::BadForm;
use crate::text::{Node, Value};
use std::collections::BTreeMap;

/// An object whose content nobody but its owner interprets.
pub type JsonObject = serde_json::Map<String, serde_json::Value>;

fn wrong_type<'t>(wanted: &str, node: &'t Node<'t>, decoder: &mut Decoder<'t>) {
    let message = format!("Expected {wanted}, found {}.", node.what());
    let scalar = matches!(node.value, Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Null);
    if wanted == "a text" && scalar {
        decoder.error_with_help(Code::WrongType, message, "Put it in quotes.");
    } else {
        decoder.error(Code::WrongType, message);
    }
}

/// The text of a node, or a finding.
pub(crate) fn decode_text<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<&'t str> {
    let text = node.as_text();
    if text.is_none() {
        wrong_type("a text", node, decoder);
    }
    text
}

/// The known words nearest to a misspelt one, nearest first.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>, most: usize) -> Vec<&'w str> {
    // Long hostile words are not worth a comparison.
    const WORD_BYTES_MAX: usize = 64;
    if word.len() > WORD_BYTES_MAX {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let distance = |known: &str| strsim::osa_distance(&lower, &known.to_lowercase());
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (distance(known), known))
        .filter(|(distance, known)| *distance <= (known.len().max(lower.len()) / 3).max(1))
        .collect();
    near.sort_unstable();
    near.into_iter().take(most).map(|(_, known)| known).collect()
}

/// Decodes a word of a vocabulary: `lookup` knows the words, `known` lists them for the message.
pub fn decode_words<'t, T>(
    node: &'t Node<'t>,
    decoder: &mut Decoder<'t>,
    known: &[&str],
    lookup: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let text = decode_text(node, decoder)?;
    let word = lookup(text);
    if word.is_none() {
        let near = nearest(text, known.iter().copied(), 3);
        let help = if near.is_empty() {
            const WORDS_SHOWN_MAX: usize = 12;
            let shown = known.iter().copied().take(WORDS_SHOWN_MAX).collect::<Vec<_>>().join(", ");
            let more = known.len().saturating_sub(WORDS_SHOWN_MAX);
            let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("Known words: {shown}{tail}.")
        } else {
            format!("Nearest known words: {}.", near.join(", "))
        };
        let shown: String = text.chars().take(80).collect();
        decoder.error_with_help(Code::UnknownWord, format!("\"{shown}\" is not a known word here."), help);
    }
    word
}

/// Decodes a value that is kept as it is; repeated keys are refused even here.
pub(super) fn decode_json<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<serde_json::Value> {
    match &node.value {
        Value::Object(_) => JsonObject::decode(node, decoder).map(serde_json::Value::Object),
        Value::List(items) => {
            let items: Vec<_> = items
                .iter()
                .enumerate()
                .map(|(index, item)| decoder.at_index(index, |decoder| decode_json(item, decoder)))
                .collect();
            items.into_iter().collect::<Option<Vec<_>>>().map(serde_json::Value::Array)
        }
        _ => Some(node.to_json()),
    }
}

impl Wire for serde_json::Value {
    fn shape(_: &mut Book) -> Shape {
        Shape::Anything
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_json(node, decoder)
    }
}

impl Wire for JsonObject {
    fn shape(_: &mut Book) -> Shape {
        Shape::Map { key_pattern: None, value: Box::new(Shape::Anything) }
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_map(node, decoder, decode_json)
    }
}

impl<K: MapKey, T: Wire> Wire for BTreeMap<K, T> {
    fn shape(book: &mut Book) -> Shape {
        Shape::Map { key_pattern: K::PATTERN, value: Box::new(T::shape(book)) }
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_map(node, decoder, T::decode)
    }
}

/// A name in an object with free names.
pub trait MapKey: Sized + Ord + serde::Serialize {
    /// What it must look like, for a schema.
    const PATTERN: Option<&'static str> = None;

    /// Checks a name.
    fn from_name(name: &str) -> Result<Self, BadForm>;
}

impl MapKey for String {
    fn from_name(name: &str) -> Result<Self, BadForm> {
        Ok(name.to_owned())
    }
}

trait Insert<T> {
    /// Whether the key was free.
    fn insert_new(&mut self, key: &str, value: T) -> Result<bool, BadForm>;
}

impl Insert<serde_json::Value> for JsonObject {
    fn insert_new(&mut self, key: &str, value: serde_json::Value) -> Result<bool, BadForm> {
        Ok(self.insert(key.to_owned(), value).is_none())
    }
}

impl<K: MapKey, T> Insert<T> for BTreeMap<K, T> {
    fn insert_new(&mut self, key: &str, value: T) -> Result<bool, BadForm> {
        Ok(self.insert(K::from_name(key)?, value).is_none())
    }
}

fn decode_map<'t, M: Insert<T> + Default, T>(
    node: &'t Node<'t>,
    decoder: &mut Decoder<'t>,
    mut decode: impl FnMut(&'t Node<'t>, &mut Decoder<'t>) -> Option<T>,
) -> Option<M> {
    let Value::Object(members) = &node.value else {
        wrong_type("an object", node, decoder);
        return None;
    };
    let mut map = M::default();
    let mut complete = true;
    for member in members {
        let value = decoder.at(&member.key, |decoder| decode(&member.node, decoder));
        let inserted = value.map(|value| map.insert_new(&member.key, value));
        complete &= matches!(inserted, Some(Ok(true)));
        match inserted {
            Some(Ok(false)) => report_duplicate(&member.key, decoder),
            Some(Err(error)) => decoder.at(&member.key, |decoder| {
                decoder.error_on_key(Code::BadForm, error.sentence(), None);
            }),
            Some(Ok(true)) | None => {}
        }
    }
    Some(map).filter(|_| complete)
}

impl<T: Wire> Wire for Vec<T> {
    fn shape(book: &mut Book) -> Shape {
        Shape::List { item: Box::new(T::shape(book)), items_min: 0 }
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let Value::List(items) = &node.value else {
            wrong_type("a list", node, decoder);
            return None;
        };
        let mut list = Self::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            list.extend(decoder.at_index(index, |decoder| T::decode(item, decoder)));
        }
        let complete = list.len() == items.len();
        Some(list).filter(|_| complete)
    }
}

impl<T: Wire> Wire for Box<T> {
    fn shape(book: &mut Book) -> Shape {
        T::shape(book)
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        T::decode(node, decoder).map(Box::new)
    }
}

impl Wire for String {
    fn shape(_: &mut Book) -> Shape {
        Shape::text()
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        decode_text(node, decoder).map(str::to_owned)
    }
}

impl Wire for bool {
    fn shape(_: &mut Book) -> Shape {
        Shape::Boolean
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let Value::Boolean(flag) = node.value else {
            wrong_type("a boolean", node, decoder);
            return None;
        };
        Some(flag)
    }
}
