//! How success is recognised.

use super::{SignalKind, TargetRef, UiState};
use crate::finding::Code;
use crate::ids::{Id, JsonPointer, ScopeId, Text, VendorForm};
use crate::text::{Node, Value};
use crate::wire::{Book, Decoder, JsonObject, Number, Shape, Wire};
use serde::Serialize;

/// A predicate that can be observed.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "kind", requirement = "CAP-9-1", check = check_signal)]
pub enum SuccessSignal {
    /// An element appeared.
    #[wire(word = "element.appeared")]
    ElementAppeared {
        /// Which.
        target: TargetRef,
    },
    /// An element disappeared.
    #[wire(word = "element.disappeared")]
    ElementDisappeared {
        /// Which.
        target: TargetRef,
    },
    /// An element has a state.
    #[wire(word = "element.state")]
    ElementState {
        /// Which.
        target: TargetRef,
        /// The state; keys that are absent do not matter.
        state: UiState,
    },
    /// A value is as expected.
    #[wire(word = "value.equals")]
    ValueEquals {
        /// Whose value.
        target: TargetRef,
        /// What it must be.
        value: ScalarValue,
    },
    /// The route changed.
    #[wire(word = "route.changed")]
    RouteChanged {
        /// A path pattern: `:name` is one segment, `*` one, `**` any rest.
        pattern: Option<Text>,
        /// The full path with query and hash.
        exact: Option<Text>,
    },
    /// A dialog opened.
    #[wire(word = "dialog.opened")]
    DialogOpened {
        /// Which.
        target: Option<TargetRef>,
    },
    /// A dialog closed.
    #[wire(word = "dialog.closed")]
    DialogClosed {
        /// Which.
        target: Option<TargetRef>,
    },
    /// A toast says something.
    #[wire(word = "toast.contains")]
    ToastContains {
        /// What it contains.
        text: Text,
    },
    /// A status message says something.
    #[wire(word = "status.contains")]
    StatusContains {
        /// What it contains.
        text: Text,
    },
    /// There is no validation error.
    #[wire(word = "validation.none")]
    ValidationNone {
        /// Where.
        scope: Option<ScopeId>,
    },
    /// A collection has a number of items.
    #[wire(word = "collection.count")]
    CollectionCount {
        /// Which collection.
        target: TargetRef,
        /// How to compare.
        op: CountOperator,
        /// With what.
        value: u64,
    },
    /// The application says that something was created.
    #[wire(word = "entity.created")]
    EntityCreated {
        /// What kind of thing.
        entity_type: Id,
        /// Where its id stands in the payload.
        id_path: Option<JsonPointer>,
    },
    /// The application says that something was changed.
    #[wire(word = "entity.updated")]
    EntityUpdated {
        /// What kind of thing.
        entity_type: Id,
        /// Where its id stands in the payload.
        id_path: Option<JsonPointer>,
    },
    /// The application says that something was deleted.
    #[wire(word = "entity.deleted")]
    EntityDeleted {
        /// What kind of thing.
        entity_type: Id,
        /// Where its id stands in the payload.
        id_path: Option<JsonPointer>,
    },
    /// A response arrived.
    #[wire(word = "network.response")]
    NetworkResponse {
        /// From where, in the grammar of route patterns.
        url_pattern: Option<Text>,
        /// With what status.
        status: Option<u16>,
    },
    /// Something only the application knows.
    #[wire(word = "custom")]
    Custom {
        /// Its name.
        name: Text,
        /// What comes with it.
        payload: Option<JsonObject>,
    },
    /// A signal of a vendor.
    #[wire(vendor)]
    Vendor(VendorForm),
}

impl SuccessSignal {
    /// The kind as a word of the vocabulary.
    pub fn kind(&self) -> Option<SignalKind> {
        SignalKind::from_word(self.word())
    }
}

fn check_signal(signal: &SuccessSignal, decoder: &mut Decoder<'_>) {
    match signal {
        SuccessSignal::ElementState { state, .. } if *state == UiState::default() => {
            decoder.under(Some("CAP-9-2"), |decoder| {
                let help = "Name at least one state key, or use element.appeared.";
                decoder.warning(Code::SuccessMissing, "The signal expects no state at all.", help);
            });
        }
        SuccessSignal::Custom { name, .. } if SignalKind::WORDS.contains(&name.as_str()) => {
            decoder.under(Some("CAP-9-4"), |decoder| {
                let message = format!("The custom signal \"{name}\" has the name of a core signal.");
                decoder.warning(Code::UnusualName, message, "Use the core signal itself.");
            });
        }
        _ => {}
    }
}

/// How a count is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CAP-9-1", case = "snake_case")]
pub enum CountOperator {
    /// Equal.
    Eq,
    /// Equal or more.
    Gte,
    /// Equal or less.
    Lte,
}

/// A text, a number or a boolean.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ScalarValue {
    /// A text.
    Text(String),
    /// A number.
    Number(Number),
    /// A boolean.
    Boolean(bool),
}

impl Wire for ScalarValue {
    fn shape(_: &mut Book) -> Shape {
        Shape::Either(vec![Shape::text(), Shape::Number, Shape::Boolean])
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(Self::Text(text.to_string())),
            Value::Integer(_) | Value::Float(_) => Number::decode(node, decoder).map(Self::Number),
            Value::Boolean(flag) => Some(Self::Boolean(*flag)),
            _ => {
                let message = format!("Expected a text, a number or a boolean, found {}.", node.what());
                decoder.error(Code::WrongType, message);
                None
            }
        }
    }
}
