//! What came of a deed.

use super::facts::{Cover, wired_option};
use crate::cdp::CallError;
use serde::Deserialize;
use std::path::PathBuf;
use uiap_protocol::web::WebElementState;

/// Whether a deed reached the page. Bringing the focus or the view to the target does not count as reaching it.
#[derive(Clone, Debug, PartialEq)]
pub enum Delivery {
    /// Nothing reached the page; other means may be tried, unless it is as wanted already.
    None(Hindrance),
    /// The page got all of it. What the page made of it is another question.
    Delivered(Box<Receipt>),
    /// Something may have reached the page: nobody may try again without looking.
    Unknown(Interruption),
}

/// What is there after a deed was delivered.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Receipt {
    /// How the element is now; none if it is gone, for instance because the deed led to another page.
    #[serde(deserialize_with = "wired_option")]
    pub state: Option<WebElementState>,
    /// The value is the one that was asked for; also told where the value itself stays in the page.
    pub as_wanted: Option<bool>,
    /// The values of what is chosen in a native list.
    pub selected: Option<Vec<String>>,
    /// How far was scrolled.
    pub scrolled: Option<Scrolled>,
}

/// How far was scrolled, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct Scrolled {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// Why nothing reached the page.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Hindrance {
    /// The element is not in the page any more.
    #[error("the element is not in the page any more")]
    Gone,
    /// It is in a frame of another origin, which a bridge shows and nothing more.
    #[error("the element is in a frame of another origin, which can be looked at but not acted in")]
    BeyondBridge,
    /// It is not what somebody decided to act on.
    #[error("the element has become something else")]
    Changed,
    /// These means cannot do this to an element of this kind.
    #[error("these means cannot do this to an element of this kind")]
    Unsupported,
    /// It is disabled.
    #[error("the element is disabled")]
    Disabled,
    /// It cannot be written to.
    #[error("the element is read-only")]
    Readonly,
    /// A modal dialog or `inert` keeps it from being used.
    #[error("something modal keeps the element from being used")]
    Blocked,
    /// The control does not take such a value.
    #[error("the control does not take such a value")]
    UnfitValue,
    /// There is no such option, or several, or it cannot be chosen.
    #[error("there is not exactly one such option that can be chosen")]
    NoOption,
    /// It is as wanted already.
    #[error("it is as wanted already")]
    Already,
    /// It does not take the focus.
    #[error("the element does not take the focus")]
    NotFocusable,
    /// No part of it is in view.
    #[error("no part of the element is in view")]
    OutOfView,
    /// Something lies over it.
    #[error("{cover} covers the element")]
    Covered {
        /// What.
        cover: Cover,
    },
    /// Something came in between at the last moment; the page did not get to see the press.
    #[error("{cover} came in between")]
    Missed {
        /// What.
        cover: Cover,
    },
    /// There is no such file.
    #[error("there is no file {}", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// It takes one file only.
    #[error("the control takes one file only")]
    OneFileOnly,
    /// The document was replaced before anything could be done.
    #[error("the page was replaced by another one")]
    Replaced,
    /// The browser did not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The publisher failed.
    #[error("the publisher failed in the page: {message}")]
    Publisher {
        /// What it said.
        message: String,
    },
}

/// Why nobody knows what reached the page.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Interruption {
    /// The page, the browser or time ended in the middle.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The document was replaced in the middle.
    #[error("the page was replaced by another one in the middle of it")]
    Replaced,
    /// Something threw in the middle.
    #[error("the page failed in the middle of it: {message}")]
    Threw {
        /// What it said.
        message: String,
    },
    /// The press went somewhere where nobody can see it, such as a frame of another origin.
    #[error("nobody saw where the press went")]
    Unseen,
    /// The page made something else of it while it was pressed; what would have followed was withheld.
    #[error("the element became something else while it was pressed")]
    Strayed,
    /// It was pressed, and no file chooser opened.
    #[error("it was pressed, but no file chooser opened")]
    NoChooser,
    /// It was pulled, and the browser did not say what it carries.
    #[error("it was pulled, but the browser did not say what it carries")]
    NoDrag,
}

/// Why a deed ended early.
pub(super) enum Stop {
    Hindered(Hindrance),
    Interrupted(Interruption),
}

impl Stop {
    /// The same for something that comes after the first dispatch.
    pub(super) fn interrupted(self) -> Self {
        Self::Interrupted(match self {
            Self::Interrupted(interruption) => interruption,
            Self::Hindered(Hindrance::Call(error)) => Interruption::Call(error),
            Self::Hindered(Hindrance::Publisher { message }) => Interruption::Threw { message },
            Self::Hindered(_) => Interruption::Replaced,
        })
    }
}

impl From<Stop> for Delivery {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Hindered(hindrance) => Self::None(hindrance),
            Stop::Interrupted(interruption) => Self::Unknown(interruption),
        }
    }
}

/// A hindrance in the publisher's word.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    Gone,
    Changed,
    Unsupported,
    Disabled,
    Readonly,
    Blocked,
    UnfitValue,
    NoOption,
    Already,
    NotFocusable,
    OutOfView,
    Covered,
    Missed,
}

impl Why {
    pub(super) fn hindrance(self, cover: Option<Cover>) -> Hindrance {
        let cover = cover.unwrap_or_default();
        match self {
            Self::Gone => Hindrance::Gone,
            Self::Changed => Hindrance::Changed,
            Self::Unsupported => Hindrance::Unsupported,
            Self::Disabled => Hindrance::Disabled,
            Self::Readonly => Hindrance::Readonly,
            Self::Blocked => Hindrance::Blocked,
            Self::UnfitValue => Hindrance::UnfitValue,
            Self::NoOption => Hindrance::NoOption,
            Self::Already => Hindrance::Already,
            Self::NotFocusable => Hindrance::NotFocusable,
            Self::OutOfView => Hindrance::OutOfView,
            Self::Covered => Hindrance::Covered { cover },
            Self::Missed => Hindrance::Missed { cover },
        }
    }
}

/// What a deed in the page came to, as the publisher says it.
#[derive(Deserialize)]
#[serde(tag = "delivery", rename_all = "snake_case")]
pub(crate) enum Outcome {
    None { why: Why, cover: Option<Cover> },
    Delivered { receipt: Box<Receipt> },
    Strayed,
    Unknown { error: String },
}

impl From<Outcome> for Delivery {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::None { why, cover } => Self::None(why.hindrance(cover)),
            Outcome::Delivered { receipt } => Self::Delivered(receipt),
            Outcome::Strayed => Self::Unknown(Interruption::Strayed),
            Outcome::Unknown { error: message } => Self::Unknown(Interruption::Threw { message }),
        }
    }
}
