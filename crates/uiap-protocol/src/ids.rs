//! Ids and other short texts with a form: each is a type of its own, checked once, in its constructor.

use crate::finding::Code;
use crate::text::Node;
use crate::wire::{Book, Decoder, JsonObject, Shape, Wire};
use serde::Serialize;

/// Most characters of an id.
pub const ID_LENGTH_MAX: usize = 128;

/// A text does not have the form its type asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadForm {
    text: String,
    wanted: &'static str,
}

impl std::fmt::Display for BadForm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.text.as_str() {
            "" => write!(formatter, "an empty text is not {}", self.wanted),
            text => write!(formatter, "{text:?} is not {}", self.wanted),
        }
    }
}

impl std::error::Error for BadForm {}

impl BadForm {
    /// The same as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let text = format!("{self}.");
        let mut letters = text.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    }
}

/// The form of a text: how it is checked here, and how a schema says the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// What is wanted, as it stands in a sentence behind "is not".
    pub(crate) wanted: &'static str,
    /// The check.
    pub(crate) holds: fn(&str) -> bool,
    /// Fewest and most characters.
    pub(crate) length: (usize, Option<usize>),
    /// The same as a regular expression, where length alone does not say it.
    pub(crate) pattern: Option<&'static str>,
}

impl Rule {
    pub(crate) fn check(&self, text: &str) -> Result<(), BadForm> {
        let (min, max) = self.length;
        // Bytes bound characters from above and below, so most texts need no counting.
        let long = max.is_some_and(|max| text.len() > max && text.chars().count() > max);
        if text.len() < min || long || !(self.holds)(text) {
            let text = text.chars().take(ID_LENGTH_MAX).collect();
            return Err(BadForm { text, wanted: self.wanted });
        }
        Ok(())
    }

    pub(crate) fn shape(&self) -> Shape {
        let (length_min, length_max) = self.length;
        Shape::Text { length_min, length_max, pattern: self.pattern }
    }

    pub(crate) fn decode<'t>(
        &self,
        node: &'t Node<'t>,
        decoder: &mut Decoder<'t>,
        requirement: Option<&'static str>,
    ) -> Option<&'t str> {
        decoder.under(requirement, |decoder| {
            let text = crate::wire::decode_text(node, decoder)?;
            if let Err(error) = self.check(text) {
                decoder.error(Code::BadForm, error.sentence());
                return None;
            }
            Some(text)
        })
    }
}

/// Declares a text type with a rule; `as` gives it another name outside Rust.
macro_rules! text_type {
    ($(#[doc = $doc:literal])+ $name:ident, $rule:expr, $requirement:expr) => {
        $crate::ids::text_type! { $(#[doc = $doc])+ $name as (stringify!($name)), $rule, $requirement }
    };
    ($(#[doc = $doc:literal])+ $name:ident as ($outside:expr), $rule:expr, $requirement:expr) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Checks the form and keeps the text.
            pub fn new(text: impl Into<String>) -> Result<Self, $crate::ids::BadForm> {
                let text = text.into();
                $rule.check(&text)?;
                Ok(Self(text))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl $crate::wire::Wire for $name {
            fn shape(book: &mut $crate::wire::Book) -> $crate::wire::Shape {
                let doc = concat!($($doc, "\n"),+).trim();
                book.enter::<Self>($outside, doc, |_| $rule.shape())
            }

            fn decode<'t>(
                node: &'t $crate::text::Node<'t>,
                decoder: &mut $crate::wire::Decoder<'t>,
            ) -> Option<Self> {
                $rule.decode(node, decoder, $requirement).map(|text| Self(text.to_owned()))
            }
        }
    };
}
pub(crate) use text_type;

const ID: Rule = Rule {
    wanted: "an id of 1 to 128 characters",
    holds: |_| true,
    length: (1, Some(ID_LENGTH_MAX)),
    pattern: None,
};

text_type! {
    /// Names one message within a session.
    MessageId, ID, Some("CORE-33")
}
text_type! {
    /// Names a session; assigned by its owner.
    SessionId, ID, Some("CORE-34")
}
text_type! {
    /// Names a peer in the `source` and `target` of an envelope.
    PeerId, ID, None
}
text_type! {
    /// A target identity that the application defines and keeps stable.
    StableId, ID, Some("CAP-3-1")
}
text_type! {
    /// A logical area of the user interface, such as `create-video-dialog`.
    ScopeId, ID, Some("CAP-3-1")
}
text_type! {
    /// A primitive (`ui.activate`) or domain (`video.create`) action.
    ActionId, ID, Some("CAP-3-1")
}
text_type! {
    /// Handle of one accepted action, unique within its session.
    ActionHandle, ID, Some("ACT-5.1-5")
}
text_type! {
    /// A document of the page: stable for the life of that document.
    DocumentId, ID, Some("WEB-37")
}
text_type! {
    /// An element of the page: stable while it stays attached, never reused in a session.
    ElementInstanceId, ID, Some("WEB-37")
}
text_type! {
    /// A revision of the PageGraph, opaque to whoever reads it.
    RevisionId, ID, Some("WEB-34")
}
text_type! {
    /// Names a discovery run.
    RunId, ID, None
}
text_type! {
    /// Names a route of the application.
    RouteId, ID, None
}
text_type! {
    /// Any other id: manifests, policies, rules, workflows, steps, states, evidence.
    Id, ID, None
}

const PROFILE: Rule = Rule {
    wanted: "a profile id such as web@0.1",
    holds: |text| {
        text.split_once('@').is_some_and(|(name, version)| {
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
                && is_two_part_version(version)
        })
    },
    length: (1, Some(ID_LENGTH_MAX)),
    pattern: Some(r"^[a-z][a-z0-9-]*@(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$"),
};
text_type! {
    /// A profile or binding with its version, such as `web@0.1`.
    ProfileId, PROFILE, Some("CAP-3-1")
}

const DOTTED: Rule = Rule {
    wanted: "a dotted lower-case name such as uiap.policy or x.vendor.foo",
    holds: |text| is_dotted(text, 2),
    length: (1, Some(ID_LENGTH_MAX)),
    pattern: Some(r"^[a-z0-9-]+(\.[a-z0-9-]+)+$"),
};
text_type! {
    /// An extension of the protocol, such as `uiap.policy` or `x.vendor.foo`.
    ExtensionId, DOTTED, Some("CORE-35")
}

fn is_dotted(text: &str, segments_min: usize) -> bool {
    let word = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    text.split('.').all(word) && text.split('.').count() >= segments_min
}

const VENDOR: Rule = Rule {
    wanted: "a vendor name such as x.videoland.asset-card",
    holds: |text| text.starts_with("x.") && is_dotted(text, 3),
    length: (1, Some(ID_LENGTH_MAX)),
    pattern: Some(crate::wire::VENDOR_PATTERN),
};
text_type! {
    /// A word of a vendor or application, such as `x.videoland.asset-card`.
    VendorName, VENDOR, Some("CAP-2-3")
}

impl VendorName {
    /// Whether a text has the form of a vendor word.
    pub fn is_legal(text: &str) -> bool {
        VENDOR.check(text).is_ok()
    }
}

/// A form of a union that a vendor defined: its word, and members that only the vendor understands.
#[derive(Clone, Debug, PartialEq)]
pub struct VendorForm {
    /// The word in the tag member.
    pub word: VendorName,
    /// Everything else.
    pub members: JsonObject,
}

const VERSION: Rule = Rule {
    wanted: "a version of the form major.minor",
    holds: is_two_part_version,
    length: (1, Some(ID_LENGTH_MAX)),
    pattern: Some(r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$"),
};
text_type! {
    /// A protocol version: `major.minor`.
    Version, VERSION, Some("CORE-31")
}

fn is_two_part_version(text: &str) -> bool {
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    text.split_once('.').is_some_and(|(major, minor)| number(major) && number(minor))
}

const LOCALE: Rule = Rule {
    wanted: "a language tag such as de or de-CH",
    holds: |text| {
        let mut parts = text.split('-');
        let letters =
            |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic());
        let subtag =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        parts.next().is_some_and(letters) && parts.all(subtag)
    },
    length: (2, Some(ID_LENGTH_MAX)),
    pattern: Some(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"),
};
text_type! {
    /// A language tag such as `de` or `de-CH`.
    Locale, LOCALE, None
}

impl crate::wire::MapKey for Locale {
    const PATTERN: Option<&'static str> = LOCALE.pattern;

    fn from_name(name: &str) -> Result<Self, BadForm> {
        Self::new(name)
    }
}

const POINTER: Rule = Rule {
    wanted: "a JSON pointer such as /spec/policies/0",
    holds: |text| {
        let escapes_hold = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        (text.is_empty() || text.starts_with('/')) && escapes_hold
    },
    length: (0, None),
    pattern: Some(r"^(/([^~/]|~[01])*)*$"),
};
text_type! {
    /// A JSON pointer (RFC 6901).
    JsonPointer, POINTER, None
}

const NOT_EMPTY: Rule = Rule { wanted: "enough", holds: |_| true, length: (1, None), pattern: None };
text_type! {
    /// A text that says something.
    Text as ("NonEmptyText"), NOT_EMPTY, None
}

/// The one legal value of a member that may only ever be `false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlwaysFalse;

impl Serialize for AlwaysFalse {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(false)
    }
}

impl Wire for AlwaysFalse {
    fn shape(_: &mut Book) -> Shape {
        Shape::Exactly(false.into())
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        let flag = bool::decode(node, decoder)?;
        if flag {
            decoder.error_with_help(Code::UnknownWord, "Only false is legal here.", "Remove the member.");
            return None;
        }
        Some(Self)
    }
}

/// Declares a word that has only one legal value, such as the version of a model.
macro_rules! constant {
    ($(#[doc = $doc:literal])+ $name:ident, $text:literal, $requirement:expr) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl $name {
            /// The value.
            pub const TEXT: &'static str = $text;
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($text)
            }
        }

        impl $crate::wire::Wire for $name {
            fn shape(_: &mut $crate::wire::Book) -> $crate::wire::Shape {
                $crate::wire::Shape::Exactly($text.into())
            }

            fn decode<'t>(
                node: &'t $crate::text::Node<'t>,
                decoder: &mut $crate::wire::Decoder<'t>,
            ) -> Option<Self> {
                decoder.under($requirement, |decoder| {
                    $crate::wire::decode_words(node, decoder, &[$text], |word| (word == $text).then_some(Self))
                })
            }
        }
    };
}
pub(crate) use constant;

constant! {
    /// The version of the model that all documents of this family carry.
    ModelVersion, "0.1", None
}
