//! How a wire type is decoded, encoded and described, all three from one definition.
//!
//! `#[derive(Wire)]` on a struct or enum writes the three. Decoding never stops at the first fault: it reports
//! every finding of a document to a [`Decoder`] and returns a value only if nothing was wrong.

mod decoder;
mod number;
mod object;
mod scalars;
mod shape;
mod shared;

pub use decoder::{Decoder, FINDINGS_MAX};
pub use number::Number;
pub use object::{Object, decode_object};
pub(crate) use scalars::decode_text;
pub use scalars::{JsonObject, MapKey, decode_words, nearest};
pub use shape::{Book, Form, MemberShape, ObjectShape, Shape, UnionShape, VENDOR_PATTERN};
pub use shared::Shared;
pub use uiap_wire_derive::Wire;

/// What generated code refers to.
#[doc(hidden)]
pub mod derived {
    pub use serde::Serialize;
    pub use serde::ser::{SerializeMap, Serializer};
}

use crate::finding::{Finding, Severity};
use crate::text::Node;

/// A type that travels: it can be decoded, encoded (through `serde`) and described.
pub trait Wire: Sized + serde::Serialize {
    /// Describes the type, entering named types into the book.
    fn shape(book: &mut Book) -> Shape;

    /// Decodes a value; `None` means that at least one error was reported.
    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self>;
}

/// A type whose members stand in an object, possibly beside those of another type.
pub trait Members: Sized {
    /// Adds the members to a description.
    fn describe(book: &mut Book, object: &mut ObjectShape);

    /// Adds the names of all members of all forms.
    fn names(names: &mut Vec<&'static str>);

    /// Takes the members out of an object that is being decoded.
    fn take<'t>(object: &mut Object<'t>, decoder: &mut Decoder<'t>) -> Option<Self>;

    /// Writes the members into an object that is being encoded.
    fn put<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Decodes a whole document: the value if it has no error, and everything that was found.
pub fn decode<T: Wire>(node: &Node<'_>) -> (Option<T>, Vec<Finding>) {
    let mut decoder = Decoder::thorough();
    let value = T::decode(node, &mut decoder);
    let findings = decoder.finish();
    let refused = findings.iter().any(|finding| finding.severity == Severity::Error);
    (value.filter(|_| !refused), findings)
}

/// Decodes a value that a program is going to use: the value, or the errors. Warnings are not even computed.
pub fn accept<T: Wire>(node: &Node<'_>) -> Result<T, Vec<Finding>> {
    let mut decoder = Decoder::brief();
    let value = T::decode(node, &mut decoder);
    let findings = decoder.finish();
    match value {
        Some(value) if findings.is_empty() => Ok(value),
        _ => Err(findings),
    }
}

/// [`accept`] for an object that has been read already.
pub fn accept_object<T: Wire>(object: &JsonObject) -> Result<T, Vec<Finding>> {
    accept(&Node::from_json_object(object))
}
