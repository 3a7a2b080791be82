//! Every text of a value, without building anything.
//!
//! The value writes itself into [`Walk`], which keeps the place and hands on the texts. That is many times faster than
//! a tree of values would be, and cannot miss a member.

use serde::ser::{self, Serialize, Serializer};
use std::fmt::{Display, Error};
use uiap_protocol::text::push_pointer_token;

/// Calls `found` with each text, the member it stands in and its JSON pointer. The value itself is at `pointer`.
pub(super) fn texts(pointer: &str, value: &impl Serialize, found: impl FnMut(&str, &str, &str)) {
    let name_at = pointer.rfind('/').map_or(0, |slash| slash + 1);
    let mut walk = Walk { pointer: pointer.to_owned(), name_at, in_key: false, found };
    // A value that cannot be written has no more texts to show.
    let _ = value.serialize(&mut walk);
}

struct Walk<F> {
    pointer: String,
    /// Where in the pointer the name of the last member begins.
    name_at: usize,
    /// The text that comes next is the name of a member.
    in_key: bool,
    found: F,
}

impl<F: FnMut(&str, &str, &str)> Walk<F> {
    fn text(&mut self, text: &str) {
        if !self.in_key {
            let name = self.pointer.get(self.name_at..).unwrap_or_default();
            let name = name.split('/').next().unwrap_or_default();
            (self.found)(name, &self.pointer, text);
            return;
        }
        self.name_at = self.pointer.len() + 1;
        push_pointer_token(&mut self.pointer, text);
    }
}

/// An object or a list that is being written: where it began, and how many items there were.
struct Inside<'w, F> {
    walk: &'w mut Walk<F>,
    length: usize,
    name_at: usize,
    items: usize,
}

impl<'w, F> Inside<'w, F> {
    fn new(walk: &'w mut Walk<F>) -> Self {
        Self { length: walk.pointer.len(), name_at: walk.name_at, items: 0, walk }
    }

    fn back(&mut self) {
        self.walk.pointer.truncate(self.length);
        self.walk.name_at = self.name_at;
    }
}

impl<F: FnMut(&str, &str, &str)> ser::SerializeMap for Inside<'_, F> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.walk.in_key = true;
        let written = key.serialize(&mut *self.walk);
        self.walk.in_key = false;
        written
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let written = value.serialize(&mut *self.walk);
        self.back();
        written
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl<F: FnMut(&str, &str, &str)> ser::SerializeSeq for Inside<'_, F> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        use std::fmt::Write as _;
        write!(self.walk.pointer, "/{}", self.items)?;
        self.items += 1;
        let written = value.serialize(&mut *self.walk);
        self.back();
        written
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

/// Numbers and the like hold no text.
macro_rules! no_text {
    ($($name:ident $type:ty)+) => {
        $(fn $name(self, _: $type) -> Result<(), Error> { Ok(()) })+
    };
}

/// Documents consist of objects, lists, texts, numbers and booleans; nothing else is ever written.
impl<'w, F: FnMut(&str, &str, &str)> Serializer for &'w mut Walk<F> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Inside<'w, F>;
    type SerializeMap = Inside<'w, F>;
    type SerializeTuple = ser::Impossible<(), Error>;
    type SerializeTupleStruct = ser::Impossible<(), Error>;
    type SerializeTupleVariant = ser::Impossible<(), Error>;
    type SerializeStruct = ser::Impossible<(), Error>;
    type SerializeStructVariant = ser::Impossible<(), Error>;

    no_text! {
        serialize_bool bool
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
        serialize_f32 f32
        serialize_f64 f64
        serialize_char char
        serialize_bytes &[u8]
        serialize_unit_struct &'static str
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        self.text(text);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, text: &T) -> Result<(), Error> {
        self.text(&text.to_string());
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, word: &'static str) -> Result<(), Error> {
        self.text(word);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Ok(Inside::new(self))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Ok(Inside::new(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(Error)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(Error)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Err(Error)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error)
    }
}
