//! Texts for people: plain, in several languages, or by reference to a locale pack.

use crate::finding::Code;
use crate::ids::{Locale, Text};
use crate::text::{Node, Value};
use crate::wire::{Book, Decoder, JsonObject, Members, Object, ObjectShape, Shape, Wire, decode_object};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A text in several languages.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.7-1")]
pub struct LocaleMessage {
    /// Where no other fits.
    pub default: String,
    /// By language tag.
    pub by_locale: Option<BTreeMap<Locale, String>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A reference to a text in a locale pack.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "TextReference", requirement = "AUT-5.7-2")]
pub struct TextReference {
    /// Namespace and key.
    pub r#ref: Text,
    /// What is used where the pack has nothing.
    pub fallback: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A text for people.
#[derive(Clone, Debug, PartialEq)]
pub enum LocalizedText {
    /// In one language.
    Plain(String),
    /// In several.
    Localized(LocaleMessage),
}

/// A text for people as an author writes it: in place, or by reference.
#[derive(Clone, Debug, PartialEq)]
pub enum AuthoredText {
    /// In one language.
    Plain(String),
    /// In several.
    Localized(LocaleMessage),
    /// By reference.
    Reference(TextReference),
}

impl Serialize for LocalizedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Localized(message) => message.serialize(serializer),
        }
    }
}

impl Serialize for AuthoredText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Localized(message) => message.serialize(serializer),
            Self::Reference(reference) => reference.serialize(serializer),
        }
    }
}

/// An object form of a text: its own members, and `never` for the members of the other form.
fn form_shape<T: Members, Other: Members>(book: &mut Book) -> Shape {
    let mut object = ObjectShape::default();
    T::describe(book, &mut object);
    let mut foreign = ObjectShape::default();
    Other::describe(book, &mut foreign);
    for mut member in foreign.members {
        member.required = false;
        member.shape = Shape::Never;
        object.members.push(member);
    }
    Shape::Object(object)
}

/// One of the two object forms, the members of the other refused.
struct Only<T, Other>(T, std::marker::PhantomData<Other>);

impl<T: Members, Other: Members> Members for Only<T, Other> {
    fn describe(book: &mut Book, object: &mut ObjectShape) {
        T::describe(book, object);
    }

    fn names(names: &mut Vec<&'static str>) {
        T::names(names);
    }

    fn take<'t>(object: &mut Object<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let mut foreign = Vec::new();
        Other::names(&mut foreign);
        let clean = object.refuse(&foreign, "this form of a text", decoder);
        let value = T::take(object, decoder);
        clean?;
        Some(Self(value?, std::marker::PhantomData))
    }

    fn put<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.0.put(map)
    }
}

fn decode_message<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<LocaleMessage> {
    decode_object::<Only<LocaleMessage, TextReference>>(node, decoder, Some("AUT-5.7-1")).map(|only| only.0)
}

fn decode_reference<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<TextReference> {
    decode_object::<Only<TextReference, LocaleMessage>>(node, decoder, Some("AUT-5.7-2")).map(|only| only.0)
}

fn wrong_type<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) {
    let message = format!("Expected a text or an object with texts, found {}.", node.what());
    decoder.under(Some("AUT-5.7-2"), |decoder| {
        decoder.error_with_help(Code::WrongType, message, "Put a plain text in quotes.");
    });
}

impl Wire for LocalizedText {
    fn shape(book: &mut Book) -> Shape {
        book.enter::<Self>("LocalizedText", "A text for people.", |book| {
            Shape::Either(vec![Shape::text(), form_shape::<LocaleMessage, TextReference>(book)])
        })
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(Self::Plain(text.to_string())),
            Value::Object(_) => decode_message(node, decoder).map(Self::Localized),
            _ => {
                wrong_type(node, decoder);
                None
            }
        }
    }
}

impl Wire for AuthoredText {
    fn shape(book: &mut Book) -> Shape {
        let doc = "A text for people as an author writes it: in place, or by reference.";
        book.enter::<Self>("AuthoredText", doc, |book| {
            Shape::Either(vec![
                Shape::text(),
                form_shape::<LocaleMessage, TextReference>(book),
                form_shape::<TextReference, LocaleMessage>(book),
            ])
        })
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(Self::Plain(text.to_string())),
            Value::Object(_) if node.member("ref").is_some() => {
                decode_reference(node, decoder).map(Self::Reference)
            }
            Value::Object(_) => decode_message(node, decoder).map(Self::Localized),
            _ => {
                wrong_type(node, decoder);
                None
            }
        }
    }
}
