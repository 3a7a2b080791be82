//! The actions that every runtime knows, and what the profile says about them where nobody says more.

use crate::deed::{LONG_PRESS, PINCH};
use crate::life::Millis;
use uiap_protocol::capability::{ExecutionMode, PrimitiveAction};
use uiap_protocol::ids::ActionId;

/// The order in which ways of carrying something out are tried (ACT 7).
pub const MODE_ORDER: [ExecutionMode; 5] = [
    ExecutionMode::AppAction,
    ExecutionMode::SemanticUi,
    ExecutionMode::ExternalDriver,
    ExecutionMode::InputSynthesis,
    ExecutionMode::VisionAssist,
];

/// What looks or points may take so long, where the request does not say.
const BRIEF_MS: Millis = 5_000;
/// What changes something in the page.
const ORDINARY_MS: Millis = 15_000;
/// What waits for somebody else: a server, another page, an application.
const LONG_MS: Millis = 30_000;

/// An action that every runtime knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Native {
    /// One of the twenty primitives.
    Primitive(PrimitiveAction),
    /// Ours: holding a finger on something.
    LongPress,
    /// Ours: spreading two fingers.
    Pinch,
}

/// Whether an action is aimed at an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aimed {
    /// Always.
    Always,
    /// Where no element is named, the whole page is meant, or the arguments say where.
    Maybe,
}

impl Native {
    /// The action with this id.
    pub fn from_word(id: &str) -> Option<Self> {
        match id {
            LONG_PRESS => Some(Self::LongPress),
            PINCH => Some(Self::Pinch),
            _ => PrimitiveAction::from_word(id).map(Self::Primitive),
        }
    }

    /// Every id.
    pub fn words() -> impl Iterator<Item = &'static str> {
        PrimitiveAction::WORDS.iter().copied().chain([LONG_PRESS, PINCH])
    }

    /// The ways in which it can be carried out, best first. An application that can do more says so in its bundle.
    pub fn modes(self) -> &'static [ExecutionMode] {
        use ExecutionMode as Mode;
        use PrimitiveAction as Primitive;
        const LOOKING: &[Mode] = &[Mode::SemanticUi];
        const POINTING: &[Mode] =
            &[Mode::SemanticUi, Mode::ExternalDriver, Mode::InputSynthesis, Mode::VisionAssist];
        const WRITING: &[Mode] = &[Mode::SemanticUi, Mode::ExternalDriver, Mode::InputSynthesis];
        const GESTURE: &[Mode] = &[Mode::ExternalDriver, Mode::InputSynthesis, Mode::VisionAssist];
        const GOING: &[Mode] = &[Mode::SemanticUi, Mode::ExternalDriver];
        // A page cannot choose files for a person, so what can comes first (finding A3).
        const HANDING_OVER: &[Mode] = &[Mode::ExternalDriver, Mode::SemanticUi];
        const INVOKING: &[Mode] = &[Mode::AppAction];
        match self {
            Self::Primitive(Primitive::Read | Primitive::Highlight) => LOOKING,
            Self::Primitive(
                Primitive::Activate
                | Primitive::Toggle
                | Primitive::Expand
                | Primitive::Collapse
                | Primitive::Open
                | Primitive::Close,
            ) => POINTING,
            Self::Primitive(
                Primitive::Focus
                | Primitive::EnterText
                | Primitive::ClearText
                | Primitive::SetValue
                | Primitive::Choose
                | Primitive::ScrollIntoView
                | Primitive::Scroll
                | Primitive::Submit,
            ) => WRITING,
            Self::Primitive(Primitive::Hover) | Self::LongPress | Self::Pinch => GESTURE,
            Self::Primitive(Primitive::Navigate) => GOING,
            Self::Primitive(Primitive::Upload) => HANDING_OVER,
            Self::Primitive(Primitive::Invoke) => INVOKING,
        }
    }

    /// Whether it is aimed at an element.
    pub fn aimed(self) -> Aimed {
        match self {
            Self::Primitive(
                PrimitiveAction::Scroll | PrimitiveAction::Navigate | PrimitiveAction::Invoke,
            )
            | Self::Pinch => Aimed::Maybe,
            Self::Primitive(_) | Self::LongPress => Aimed::Always,
        }
    }

    /// How long is waited for its outcome where the request does not say.
    pub fn outcome_ms(self) -> Millis {
        if self.timeout_ms() >= LONG_MS { LONG_OUTCOME_MS } else { OUTCOME_MS }
    }

    /// How long it may take where the request does not say.
    pub fn timeout_ms(self) -> Millis {
        use PrimitiveAction as Primitive;
        match self {
            Self::Primitive(
                Primitive::Read
                | Primitive::Focus
                | Primitive::Highlight
                | Primitive::Hover
                | Primitive::ScrollIntoView
                | Primitive::Scroll,
            ) => BRIEF_MS,
            Self::Primitive(
                Primitive::Navigate | Primitive::Submit | Primitive::Upload | Primitive::Invoke,
            ) => LONG_MS,
            Self::Primitive(_) | Self::LongPress | Self::Pinch => ORDINARY_MS,
        }
    }
}

/// What sort of deed an action is. There is no other taxonomy: an action without an entry here is the application's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionType {
    /// It goes somewhere, or moves the view.
    Navigation,
    /// It gives the application text or files.
    Input,
    /// It uses one element.
    Selection,
    /// It moves a pointer or fingers.
    Gesture,
    /// It brings a control to a value.
    Adjustment,
    /// It looks or points out, or is the application's own.
    System,
}

impl ActionType {
    /// The type of an action.
    pub fn of(action: &ActionId) -> Self {
        use PrimitiveAction as Primitive;
        match Native::from_word(action.as_str()) {
            Some(Native::Primitive(Primitive::Navigate | Primitive::Scroll | Primitive::ScrollIntoView)) => {
                Self::Navigation
            }
            Some(Native::Primitive(Primitive::EnterText | Primitive::ClearText | Primitive::Upload)) => {
                Self::Input
            }
            Some(Native::Primitive(
                Primitive::Activate
                | Primitive::Focus
                | Primitive::Toggle
                | Primitive::Choose
                | Primitive::Expand
                | Primitive::Collapse
                | Primitive::Open
                | Primitive::Close
                | Primitive::Submit,
            )) => Self::Selection,
            Some(Native::Primitive(Primitive::Hover) | Native::LongPress | Native::Pinch) => Self::Gesture,
            Some(Native::Primitive(Primitive::SetValue)) => Self::Adjustment,
            Some(Native::Primitive(Primitive::Read | Primitive::Highlight | Primitive::Invoke)) | None => {
                Self::System
            }
        }
    }

    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::Input => "input",
            Self::Selection => "selection",
            Self::Gesture => "gesture",
            Self::Adjustment => "adjustment",
            Self::System => "system",
        }
    }
}

/// How long is waited for the outcome where the request does not say.
pub(super) const OUTCOME_MS: Millis = 5_000;
/// The same, where somebody else is waited for.
pub(super) const LONG_OUTCOME_MS: Millis = 15_000;

/// How long an action of an application may take where the request does not say.
pub(super) const DOMAIN_MS: Millis = LONG_MS;
