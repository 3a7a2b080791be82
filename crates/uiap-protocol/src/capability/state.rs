//! The observable state of an element or scope.

use crate::finding::Code;
use crate::text::{Node, Value};
use crate::wire::{Book, Decoder, JsonObject, Number, Shape, Wire};
use serde::{Serialize, Serializer};

/// Declares a state that is a boolean or one of some words.
macro_rules! flag_or_word {
    (
        $(#[doc = $doc:literal])+ $name:ident {
            flags { $($flag:literal => $flag_variant:ident)+ }
            words { $($word:literal => $word_variant:ident)+ }
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = concat!("`", stringify!($flag), "`")] $flag_variant,)+
            $(#[doc = concat!("`", $word, "`")] $word_variant,)+
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$flag_variant => serializer.serialize_bool($flag),)+
                    $(Self::$word_variant => serializer.serialize_str($word),)+
                }
            }
        }

        impl Wire for $name {
            fn shape(book: &mut Book) -> Shape {
                let doc = concat!($($doc, "\n"),+).trim();
                book.enter::<Self>(stringify!($name), doc, |_| Shape::Either(vec![
                    $(Shape::Exactly($flag.into()),)+
                    Shape::Words { words: &[$($word),+], vendor: false },
                ]))
            }

            fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
                match &node.value {
                    $(Value::Boolean($flag) => Some(Self::$flag_variant),)+
                    Value::Text(_) => crate::wire::decode_words(node, decoder, &[$($word),+], |word| match word {
                        $($word => Some(Self::$word_variant),)+
                        _ => None,
                    }),
                    _ => {
                        let words = [$(stringify!($flag),)+ $($word),+].join(", ");
                        let message = format!("Expected one of {words}, found {}.", node.what());
                        decoder.error(Code::WrongType, message);
                        None
                    }
                }
            }
        }
    };
}

flag_or_word! {
    /// Whether a control is checked.
    Checked { flags { false => No true => Yes } words { "mixed" => Mixed } }
}
flag_or_word! {
    /// What an element is the current one of.
    Current {
        flags { false => No }
        words { "page" => Page "step" => Step "location" => Location "date" => Date "time" => Time }
    }
}
flag_or_word! {
    /// Whether a value is invalid.
    Invalid { flags { false => No true => Yes } words { "grammar" => Grammar "spelling" => Spelling } }
}
flag_or_word! {
    /// What a control pops up.
    HasPopup {
        flags { false => No }
        words { "menu" => Menu "listbox" => Listbox "dialog" => Dialog "grid" => Grid "tree" => Tree }
    }
}

/// The direction of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
pub enum Orientation {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

/// The state of an element or scope. A key that is absent is unknown, never false.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "UIState", requirement = "CAP-5-1")]
pub struct UiState {
    /// It can be seen.
    pub visible: Option<bool>,
    /// It can be used; independent of `visible`.
    pub enabled: Option<bool>,
    /// It can take the focus.
    pub focusable: Option<bool>,
    /// It has the focus.
    pub focused: Option<bool>,
    /// Its text or value can be changed.
    pub editable: Option<bool>,
    /// Its value is shown but cannot be changed.
    pub readonly: Option<bool>,
    /// A value must be given.
    pub required: Option<bool>,
    /// It is being updated.
    pub busy: Option<bool>,
    /// Its content is being loaded.
    pub loading: Option<bool>,
    /// It is there but cannot be used right now.
    pub blocked: Option<bool>,
    /// It is selected.
    pub selected: Option<bool>,
    /// It is checked, not checked or mixed.
    pub checked: Option<Checked>,
    /// It is pressed.
    pub pressed: Option<bool>,
    /// What belongs to it is unfolded.
    pub expanded: Option<bool>,
    /// It is open.
    pub open: Option<bool>,
    /// It keeps everything else from being used.
    pub modal: Option<bool>,
    /// The pointer is over it.
    pub hovered: Option<bool>,
    /// It is being dragged.
    pub dragged: Option<bool>,
    /// It is the current one of a set.
    pub current: Option<Current>,
    /// Its value is invalid.
    pub invalid: Option<Invalid>,
    /// It takes several lines.
    pub multiline: Option<bool>,
    /// What it pops up.
    pub has_popup: Option<HasPopup>,
    /// Its direction.
    pub orientation: Option<Orientation>,
    /// Its value as text.
    pub text_value: Option<String>,
    /// Its value as number.
    pub numeric_value: Option<Number>,
    /// Smallest value.
    pub min: Option<Number>,
    /// Largest value.
    pub max: Option<Number>,
    /// Distance of values.
    pub step: Option<Number>,
    /// What it shows while empty.
    pub placeholder: Option<String>,
    /// What is said about it.
    pub description: Option<String>,
    /// It needs a policy of its own.
    pub sensitive: Option<bool>,
    /// Something covers it.
    pub obscured: Option<bool>,
    /// States of vendors, under `x.` names.
    #[wire(vendor)]
    pub vendor: JsonObject,
}
