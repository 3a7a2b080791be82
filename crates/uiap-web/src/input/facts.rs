//! What is known about an element before something is done to it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::text::Node;
use uiap_protocol::web::{Rect, WebElementState};
use uiap_protocol::wire::{self, Wire};

/// A point of the viewport of the top-level page, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words say what they mean")]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// An element, as it is now.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// It is not in the page: removed, or from a page that is no longer shown.
    Gone,
    /// It is there.
    Present(Box<Facts>),
}

/// Everything there is to know before acting.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Facts {
    /// What it is.
    #[serde(deserialize_with = "wired")]
    pub role: Role,
    /// How it is. `stable` is missing if the page shows no frames, `obscured` if no part of it is in view.
    #[serde(deserialize_with = "wired")]
    pub state: WebElementState,
    /// Where it is in the viewport of the top-level page.
    #[serde(rename = "box", deserialize_with = "wired")]
    pub bounds: Rect,
    /// A point at which it can be reached, or at which something covers it; none if no part of it is in view.
    pub point: Option<Point>,
    /// What covers it.
    pub cover: Option<Cover>,
    /// It is in view, or scrolling can bring it there.
    pub scrollable: bool,
    /// Nobody may look inside it.
    pub opaque: Option<Opaque>,
}

/// What is in the way.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cover {
    /// The nearest thing around it that means something, if it is published.
    #[serde(deserialize_with = "wired_option")]
    pub instance_id: Option<ElementInstanceId>,
    /// The role of that thing.
    #[serde(deserialize_with = "wired_option")]
    pub role: Option<Role>,
    /// The name of that thing.
    pub name: Option<String>,
    /// Tag, id and class, such as `div#shade.backdrop`.
    pub sketch: String,
}

impl fmt::Display for Cover {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(formatter, "{} ({name:?})", self.sketch),
            None => formatter.write_str(&self.sketch),
        }
    }
}

/// Why nobody may look inside an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opaque {
    /// A frame of another origin.
    CrossOriginFrame,
    /// A canvas: only pixels.
    Canvas,
    /// A shadow root that its owner closed.
    ClosedShadow,
}

/// A value of the protocol inside an answer of the publisher.
pub(super) fn wired<'de, D: Deserializer<'de>, T: Wire>(deserializer: D) -> Result<T, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    accept(&value).ok_or_else(|| D::Error::custom("not a value of the protocol"))
}

/// The same where it may be missing.
pub(super) fn wired_option<'de, D: Deserializer<'de>, T: Wire>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    wired(deserializer).map(Some)
}

fn accept<T: Wire>(value: &serde_json::Value) -> Option<T> {
    wire::accept(&Node::from_json(value)).ok()
}
