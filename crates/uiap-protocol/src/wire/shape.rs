//! The description of a wire type: what schema and TypeScript are generated from.

use std::collections::BTreeMap;

/// What a value may look like.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Any JSON value.
    Anything,
    /// No value at all: the member must not be there.
    Never,
    /// `true` or `false`.
    Boolean,
    /// Exactly this value.
    Exactly(serde_json::Value),
    /// A finite number.
    Number,
    /// A whole number from 0.
    Count {
        /// Largest value.
        max: u64,
    },
    /// A text.
    Text {
        /// Fewest characters.
        length_min: usize,
        /// Most characters.
        length_max: Option<usize>,
        /// A regular expression in the common subset of ECMA-262 and Rust.
        pattern: Option<&'static str>,
    },
    /// One of some words.
    Words {
        /// The words.
        words: &'static [&'static str],
        /// `x.` words of vendors are legal too.
        vendor: bool,
    },
    /// A list.
    List {
        /// What the items look like.
        item: Box<Shape>,
        /// Fewest items.
        items_min: usize,
    },
    /// An object with free names.
    Map {
        /// What the names must look like.
        key_pattern: Option<&'static str>,
        /// What the values look like.
        value: Box<Shape>,
    },
    /// An object with known members.
    Object(ObjectShape),
    /// One of some shapes that can be told apart by looking.
    Either(Vec<Shape>),
    /// A named type of the book.
    Named(&'static str),
}

/// The regular expression of vendor words.
pub const VENDOR_PATTERN: &str = r"^x\.[a-z0-9-]+(\.[a-z0-9-]+)+$";

impl Shape {
    /// Any text.
    pub fn text() -> Self {
        Self::Text { length_min: 0, length_max: None, pattern: None }
    }
}

/// An object: its members, and at most one union whose members stand beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectShape {
    /// Members in the order of the definition.
    pub members: Vec<MemberShape>,
    /// The union.
    pub union: Option<UnionShape>,
    /// Other members than these must have vendor names.
    pub closed: bool,
}

/// One member.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberShape {
    /// Name on the wire.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// It must be there.
    pub required: bool,
    /// What it looks like.
    pub shape: Shape,
}

/// Forms told apart by the word in one member.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionShape {
    /// The member that holds the word.
    pub tag: &'static str,
    /// The forms.
    pub forms: Vec<Form>,
    /// Forms of vendors are legal; their members are free.
    pub vendor: bool,
}

/// One form of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The word that chooses it.
    pub word: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its members, without the tag.
    pub members: Vec<MemberShape>,
}

/// Named types, each described once.
#[derive(Clone, Debug, Default)]
pub struct Book {
    entries: BTreeMap<&'static str, Entry>,
    clashes: Vec<&'static str>,
}

#[derive(Clone, Debug)]
struct Entry {
    rust: &'static str,
    doc: &'static str,
    /// Absent only while the type is being described.
    shape: Option<Shape>,
}

impl Book {
    /// Enters the type `T` under a name unless it is there already, and returns the reference to it.
    pub fn enter<T>(
        &mut self,
        name: &'static str,
        doc: &'static str,
        shape: impl FnOnce(&mut Self) -> Shape,
    ) -> Shape {
        let rust = std::any::type_name::<T>();
        match self.entries.get(name) {
            Some(entry) if entry.rust == rust => {}
            Some(_) => self.clashes.push(name),
            None => {
                // Entered before it is described: a type may contain itself.
                self.entries.insert(name, Entry { rust, doc, shape: None });
                let shape = shape(self);
                self.entries.insert(name, Entry { rust, doc, shape: Some(shape) });
            }
        }
        Shape::Named(name)
    }

    /// Names that two different types claim. Always empty in a sound vocabulary.
    pub fn clashes(&self) -> &[&'static str] {
        &self.clashes
    }

    /// Every type, by name.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str, &Shape)> {
        self.entries.iter().filter_map(|(name, entry)| Some((*name, entry.doc, entry.shape.as_ref()?)))
    }
}
