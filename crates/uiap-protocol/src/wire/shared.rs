//! Values that several documents hold without copying them.

use super::{Book, Decoder, Shape, Wire};
use crate::canonical::written;
use crate::text::Node;
use serde::{Serialize, Serializer};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A value that is copied by counting who holds it. Its canonical text is made once, when somebody asks for it: of a
/// large package only what changed is written anew.
pub struct Shared<T>(Arc<Inner<T>>);

struct Inner<T> {
    value: T,
    text: OnceLock<Option<Box<str>>>,
    is_harmless: OnceLock<bool>,
}

impl<T> Inner<T> {
    fn new(value: T) -> Self {
        Self { value, text: OnceLock::new(), is_harmless: OnceLock::new() }
    }
}

impl<T> Shared<T> {
    /// Whether nothing is wrong with the value itself. Found out once, by whoever asks first; all must ask the same.
    pub fn is_harmless(&self, find_out: impl FnOnce(&T) -> bool) -> bool {
        *self.0.is_harmless.get_or_init(|| find_out(&self.0.value))
    }
}

impl<T> Shared<T> {
    /// Whether the canonical text is made already.
    pub fn is_written(&self) -> bool {
        self.0.text.get().is_some()
    }
}

impl<T: Serialize> Shared<T> {
    /// The canonical text; nothing if the value cannot be written as JSON.
    pub fn canonical(&self) -> Option<&str> {
        let text = || written(&self.0.value).ok().map(String::into_boxed_str);
        self.0.text.get_or_init(text).as_deref()
    }
}

impl<T: Clone> Shared<T> {
    /// The value, to be changed. The others keep theirs.
    pub fn to_mut(&mut self) -> &mut T {
        let inner = Arc::make_mut(&mut self.0);
        (inner.text, inner.is_harmless) = (OnceLock::new(), OnceLock::new());
        &mut inner.value
    }
}

impl<T: Clone> Clone for Inner<T> {
    fn clone(&self) -> Self {
        Self::new(self.value.clone())
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(Inner::new(value)))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.value == other.0.value
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.value.fmt(formatter)
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

impl<T: Wire> Wire for Shared<T> {
    fn shape(book: &mut Book) -> Shape {
        T::shape(book)
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        T::decode(node, decoder).map(Self::from)
    }
}
