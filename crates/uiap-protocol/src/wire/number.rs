//! Numbers as JSON has them.

use super::{Book, Decoder, Shape, Wire};
use crate::finding::Code;
use crate::text::{INTEGER_MAX, Node, Value};
use serde::{Serialize, Serializer};

/// A finite number. Written without fraction when it has none, so that reading and writing lose nothing.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    /// The number, if it is finite.
    pub fn new(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self(number))
    }

    /// As a float.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<i32> for Number {
    fn from(number: i32) -> Self {
        Self(f64::from(number))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match whole(self.0) {
            Some(number) => serializer.serialize_i64(number),
            None => serializer.serialize_f64(self.0),
        }
    }
}

impl Wire for Number {
    fn shape(_: &mut Book) -> Shape {
        Shape::Number
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        match node.value {
            #[expect(clippy::cast_precision_loss, reason = "integers in the tree are at most 2^53 - 1")]
            Value::Integer(number) => Some(Self(number as f64)),
            Value::Float(number) => Some(Self(number)),
            _ => {
                decoder.error(Code::WrongType, format!("Expected a number, found {}.", node.what()));
                None
            }
        }
    }
}

/// The number as an integer, if it is one and small enough to be exact.
#[expect(clippy::cast_possible_truncation, reason = "checked to be whole and within 2^53 - 1")]
#[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact")]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() <= INTEGER_MAX as f64).then_some(number as i64)
}

/// A whole number that is not negative: a count, a duration, a size.
fn decode_count<'t>(node: &'t Node<'t>, max: u64, decoder: &mut Decoder<'t>) -> Option<u64> {
    let number = match node.value {
        Value::Integer(number) => Some(number),
        Value::Float(number) => whole(number),
        _ => {
            decoder.error(Code::WrongType, format!("Expected a whole number, found {}.", node.what()));
            return None;
        }
    };
    let Some(number) = number else {
        match node.value {
            Value::Float(large) if large.fract() == 0.0 => {
                decoder.error(Code::OutOfRange, format!("Expected a number from 0 to {max}, found {large}."));
            }
            _ => decoder.error(Code::WrongType, "Expected a whole number, found one with a fraction."),
        }
        return None;
    };
    let count = u64::try_from(number).ok().filter(|count| *count <= max);
    if count.is_none() {
        decoder.error(Code::OutOfRange, format!("Expected a number from 0 to {max}, found {number}."));
    }
    count
}

macro_rules! count {
    ($type:ty, $max:expr) => {
        impl Wire for $type {
            fn shape(_: &mut Book) -> Shape {
                Shape::Count { max: $max }
            }

            fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
                decode_count(node, $max, decoder).and_then(|count| Self::try_from(count).ok())
            }
        }
    };
}

count!(u64, INTEGER_MAX.unsigned_abs());
count!(u32, u64::from(u32::MAX));
count!(u16, u64::from(u16::MAX));
