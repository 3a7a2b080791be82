//! What can be done to a page.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use uiap_protocol::ids::{DocumentId, ElementInstanceId, ScopeId, StableId};

use super::facts::Point;
use super::keys::Chord;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    /// To which element; none for what concerns the page as a whole.
    pub target: Option<ElementInstanceId>,
    /// What.
    pub act: Act,
    /// By which means.
    pub means: Means,
    /// What the target was when somebody decided to act on it; it is not touched if it is something else by now.
    pub expected: Option<Expected>,
}

/// What an element was, as the graph of the page says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Expected {
    /// What it was.
    pub role: String,
    /// How it was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id that its author gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stable_id: Option<StableId>,
    /// In which document it was.
    pub document_id: DocumentId,
    /// In which area it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<ScopeId>,
    /// What it stood in, from the inside out: role and name. Absent, if that does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Vec<(String, Option<String>)>>,
}

/// The means by which a surface acts. `appAction` is the application's own, and `visionAssist` ends in one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Methods of the platform, called in the page.
    SemanticUi,
    /// Input that the browser makes and trusts.
    ExternalDriver,
    /// Events that look like input, made in the page.
    InputSynthesis,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Bring it into view.
    Reveal,
    /// Give it the focus.
    Focus,
    /// Point at it.
    Hover,
    /// Press it with a mouse button.
    Press(Press),
    /// Press it at this point, which must hit it.
    PressAt {
        /// The point.
        at: Point,
    },
    /// Write into it.
    EnterText {
        /// What.
        text: EntryText,
        /// In place of what is there, not behind it.
        clear: bool,
        /// How the browser types; in the page there is one way only.
        #[serde(skip)]
        typing: Typing,
    },
    /// Give it a value.
    SetValue {
        /// Which.
        value: EntryValue,
    },
    /// Choose one or several of its options.
    Choose {
        /// Which.
        choice: Choice,
    },
    /// Switch it.
    Toggle {
        /// On or off; otherwise whatever it is not now.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<bool>,
    },
    /// Expand or open it, collapse or close it.
    Disclose {
        /// Open, not closed.
        open: bool,
    },
    /// Send the form it belongs to.
    Submit,
    /// Scroll inside it; without a target, the page.
    Scroll {
        /// How far.
        by: ScrollBy,
    },
    /// Strike keys while it has the focus; without a target, whatever has it.
    Keys {
        /// One after the other.
        chords: Vec<Chord>,
    },
    /// Drag it onto another element.
    Drag {
        /// The other element.
        to: ElementInstanceId,
    },
    /// Tap it with a finger.
    Tap,
    /// Hold a finger on it.
    LongPress,
    /// Spread two fingers on it, or bring them together; without a target, on the page.
    Pinch {
        /// How much larger things become.
        scale: f64,
    },
    /// Hand it files.
    Upload {
        /// Where they are, on the machine of the browser.
        #[serde(skip)]
        files: Vec<PathBuf>,
    },
}

/// How to press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Press {
    /// Which button.
    pub button: Button,
    /// How often: two for a double click.
    pub count: PressCount,
    /// What is held down meanwhile.
    pub modifiers: Modifiers,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Button {
    #[default]
    Left,
    Middle,
    Right,
}

/// How often something is pressed in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PressCount {
    /// A click.
    #[default]
    Single,
    /// A double click.
    Double,
    /// A triple click.
    Triple,
}

impl PressCount {
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Single => 1,
            Self::Double => 2,
            Self::Triple => 3,
        }
    }
}

impl Serialize for PressCount {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

/// Keys that change the meaning of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, clippy::struct_excessive_bools, reason = "four keys, each down or up")]
pub struct Modifiers {
    pub alt: bool,
    pub control: bool,
    pub meta: bool,
    pub shift: bool,
}

/// What is written into a field. It may be a secret, so it does not print.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct EntryText(String);

impl EntryText {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for EntryText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for EntryText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{} characters]", self.0.chars().count())
    }
}

/// A value for a control.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum EntryValue {
    /// A text, a date (`2026-03-27`), a time (`09:30`), a colour (`#1e90ff`).
    Text(EntryText),
    /// A number.
    Number(f64),
    /// On or off.
    Flag(bool),
}

/// How the browser types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typing {
    /// All at once.
    #[default]
    Whole,
    /// Key by key. A character that no key of the layout makes is put in as it is.
    Keystrokes,
    /// Composed, as an input method does.
    Composed,
}

/// What to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Choice {
    /// By what the form sends.
    Value {
        /// One, or several where several can be chosen.
        values: Vec<String>,
    },
    /// By what people read.
    Label {
        /// One, or several where several can be chosen.
        labels: Vec<String>,
    },
    /// By place, from 0.
    Index {
        /// The place.
        index: usize,
    },
}

/// How far to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ScrollBy {
    /// So many CSS pixels to the right and down.
    Distance {
        /// To the right.
        dx: f64,
        /// Down.
        dy: f64,
    },
    /// All the way.
    End {
        /// Where to.
        to: ScrollEnd,
    },
}

/// An end of what can be scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ScrollEnd {
    Start,
    End,
}
