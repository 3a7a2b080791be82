//! What is to be done, in words of no surface.
//!
//! Start at [`Deed`]: one form for each primitive action, with arguments that were checked. A surface carries it out in
//! whatever way it has; nothing in here says how. What may be a secret is [`Private`] and does not print.

use std::collections::BTreeMap;
use std::fmt;
use uiap_protocol::action::Highlight;
use uiap_protocol::capability::{Checked, Idempotency, ScalarValue};
use uiap_protocol::ids::{ActionId, RouteId};
use uiap_protocol::wire::JsonObject;

/// The vendor action that holds a finger on something.
pub const LONG_PRESS: &str = "x.uiap.long-press";
/// The vendor action that spreads two fingers or brings them together.
pub const PINCH: &str = "x.uiap.pinch";
/// How long a finger is held down where nobody says it.
pub const LONG_PRESS_MS: u64 = 800;

/// Something that may be a secret: it can be used, and does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Private<T>(T);

impl<T> Private<T> {
    /// Keeps something from being printed.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The thing itself, for whoever carries it out or checks the outcome.
    pub fn reveal(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Private<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[withheld]")
    }
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Tell what is there.
    Read {
        /// Only these parts of it.
        fields: Option<Vec<ReadField>>,
    },
    /// Give it the focus.
    Focus,
    /// Point it out to the person.
    Highlight {
        /// How strongly.
        style: Option<Highlight>,
    },
    /// Point at it.
    Hover {
        /// For how long.
        duration_ms: Option<u64>,
    },
    /// Press it.
    Activate,
    /// Write into it.
    EnterText {
        /// What.
        text: Private<String>,
        /// In place of what is there, not behind it.
        clear: bool,
    },
    /// Empty it.
    ClearText,
    /// Give it a value.
    SetValue {
        /// Which.
        value: Private<ScalarValue>,
        /// How far a number may be off; without one the control decides.
        tolerance: Option<f64>,
    },
    /// Choose one or several of its options.
    Choose(Choice),
    /// Switch it.
    Toggle {
        /// To this; otherwise to whatever it is not now.
        to: Option<Checked>,
    },
    /// Unfold what belongs to it.
    Expand,
    /// Fold what belongs to it.
    Collapse,
    /// Open it.
    Open,
    /// Close it.
    Close,
    /// Bring it into view.
    ScrollIntoView {
        /// To which place of the view.
        block: Option<Block>,
    },
    /// Scroll inside it, or the whole page.
    Scroll(Scroll),
    /// Send the form that it is or belongs to.
    Submit,
    /// Hand it files.
    Upload {
        /// Which.
        files: Vec<UploadFile>,
    },
    /// Go somewhere.
    Navigate(Destination),
    /// Have the application do something of its own.
    Invoke {
        /// What.
        action: ActionId,
        /// With what.
        args: Private<JsonObject>,
    },
    /// Move it by so many of its steps, down if negative. Nobody can ask for it; it is how a control is brought to a
    /// number that cannot be set.
    Nudge {
        /// How many.
        steps: i32,
    },
    /// Press its track at a share of its length, from its low end. Nobody can ask for it, either.
    PointAlong {
        /// Between zero and one.
        share: f64,
    },
    /// Hold a finger on it.
    LongPress {
        /// For how long.
        duration_ms: u64,
    },
    /// Spread two fingers on it, or on the whole page, or bring them together.
    Pinch {
        /// How much larger things become.
        scale: f64,
    },
}

/// A part of what reading returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadField {
    /// Its state.
    State,
    /// What it says.
    Text,
    /// Its value.
    Value,
    /// What is said about it.
    Description,
}

impl ReadField {
    /// Every part, as the member of the return value is called.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("state", Self::State),
        ("text", Self::Text),
        ("value", Self::Value),
        ("description", Self::Description),
    ];
}

/// What to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// By what stands for the options: one, or several where several can be chosen.
    Values(Vec<String>),
    /// By what people read.
    Labels(Vec<String>),
    /// By place, from 0.
    Index(usize),
}

/// A place of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Block {
    Start,
    Center,
    End,
    Nearest,
}

impl Block {
    /// Every place, as the argument calls it.
    pub const WORDS: [(&'static str, Self); 4] =
        [("start", Self::Start), ("center", Self::Center), ("end", Self::End), ("nearest", Self::Nearest)];
}

/// How far to scroll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scroll {
    /// So far to the right and down.
    By {
        /// To the right.
        dx: f64,
        /// Down.
        dy: f64,
    },
    /// To the very beginning.
    ToStart,
    /// To the very end.
    ToEnd,
}

/// A file that is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadFile {
    /// Its name.
    pub name: String,
    /// What it is.
    pub mime_type: String,
    /// Where its content is, in a form that the host of the runtime understands.
    pub data_ref: Private<String>,
}

/// Where to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To a route of the application.
    Route {
        /// Which.
        route: RouteId,
        /// The variable parts of its path.
        params: BTreeMap<String, String>,
        /// Its path with these parts, where the bundle says how it is made.
        path: Option<String>,
    },
    /// To an address.
    Address(String),
    /// To where the target leads.
    Target,
}

impl Deed {
    /// What happens if it is done twice, as far as the deed alone can say.
    ///
    /// What names its end state ends in it however often it runs, and what only moves the view does no harm twice. Pressing depends on what is pressed, and going
    /// somewhere on what is there (a link may sign out), so both are conditional: never repeated on their own. What
    /// adds, sends or turns around happens twice.
    pub fn idempotency(&self) -> Idempotency {
        match self {
            Self::Read { .. }
            | Self::Focus
            | Self::Highlight { .. }
            | Self::Hover { .. }
            | Self::EnterText { clear: true, .. }
            | Self::ClearText
            | Self::SetValue { .. }
            | Self::Choose(_)
            | Self::Toggle { to: Some(_) }
            | Self::Expand
            | Self::Collapse
            | Self::Open
            | Self::Close
            | Self::ScrollIntoView { .. }
            | Self::Scroll(_)
            | Self::Pinch { .. }
            | Self::Navigate(Destination::Route { .. }) => Idempotency::Idempotent,
            Self::Activate
            | Self::LongPress { .. }
            | Self::Upload { .. }
            | Self::Navigate(Destination::Address(_) | Destination::Target) => Idempotency::Conditional,
            Self::EnterText { clear: false, .. }
            | Self::Toggle { to: None }
            | Self::Nudge { .. }
            | Self::PointAlong { .. }
            | Self::Submit
            | Self::Invoke { .. } => Idempotency::NonIdempotent,
        }
    }

    /// It leaves nothing behind that could be verified: it may go unverified without being asked to (finding A11).
    pub fn is_only_shown(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Highlight { .. })
    }
}
