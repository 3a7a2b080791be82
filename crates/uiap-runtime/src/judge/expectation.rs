//! Which signs prove an action, and who says so.
//!
//! Start at [`Expectation::of`]. It is never empty by accident: where request, descriptor and target are silent, the
//! least that the profile asks for is written down (ACT 12.1, `protocol` 3.2).

use crate::deed::{Choice, Deed, Destination, Private};
use uiap_protocol::action::{VerificationPolicy, VerificationSpec};
use uiap_protocol::capability::{Checked, ScalarValue, SuccessSignal, UiState};
use uiap_protocol::web::ElementNode;

/// What an action is to bring about, as far as its minimum verification depends on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// Nothing that could be verified: it only reads or points out.
    Nothing,
    /// The target has the focus.
    Focus,
    /// The pointer is over the target.
    Hover,
    /// The target reacts.
    Reaction,
    /// The target holds this text.
    Text {
        /// The text.
        text: Private<String>,
        /// It comes behind what is there.
        append: bool,
    },
    /// The target holds this value.
    Value {
        /// The value.
        value: Private<ScalarValue>,
        /// How far a number may be off.
        tolerance: Option<f64>,
    },
    /// These are chosen in the target.
    Chosen(Choice),
    /// The target is checked or pressed, or has changed that.
    Toggled {
        /// What it must be.
        to: Option<Checked>,
    },
    /// The target is unfolded, or folded.
    Expanded(bool),
    /// The target is open, or closed.
    Open(bool),
    /// The target is in view.
    InView,
    /// Something was scrolled, or cannot be scrolled any further.
    Scrolled,
    /// A form was taken.
    Submitted,
    /// The target holds these files.
    Files(Vec<String>),
    /// The application is here.
    Arrived(Place),
    /// The application did one of its own actions.
    Invoked,
    /// The target, or the page, is shown larger or smaller.
    Zoomed,
}

/// Where a navigation leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The name of the route.
    pub route_id: Option<String>,
    /// An address, a path, or a path pattern.
    pub url: Option<String>,
}

/// Who says what proves the action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The request.
    Request,
    /// The descriptor of the action.
    Descriptor,
    /// The element it is aimed at.
    Target,
    /// The least that the profile asks for.
    Profile,
}

impl Origin {
    /// The word for a trace.
    pub fn word(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Descriptor => "descriptor",
            Self::Target => "target",
            Self::Profile => "profile",
        }
    }
}

/// How many of the signs must be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One.
    Any,
    /// Every one, and at least one of them must be an effect: what was true before is not.
    All,
    /// Nothing is verified.
    Nothing,
}

/// Something that can be observed.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// A signal that somebody named.
    Signal(Box<SuccessSignal>),
    /// What the profile asks for: it needs more than a signal can say.
    Least(Wanted),
}

impl Sign {
    /// In words, for traces and explanations.
    pub fn words(&self) -> String {
        match self {
            Self::Signal(signal) => signal_words(signal),
            Self::Least(wanted) => match wanted {
                Wanted::Nothing => "nothing".to_owned(),
                Wanted::Focus => "the focus on the target".to_owned(),
                Wanted::Hover => "the pointer over the target".to_owned(),
                Wanted::Reaction => "a change that the action plausibly caused".to_owned(),
                Wanted::Text { text, .. } if text.reveal().is_empty() => "an empty field".to_owned(),
                Wanted::Text { append: true, .. } => "the text behind the old one".to_owned(),
                Wanted::Text { append: false, .. } => "the text in the field".to_owned(),
                Wanted::Value { .. } => "the value".to_owned(),
                Wanted::Chosen(_) => "the choice".to_owned(),
                Wanted::Toggled { to: None } => "another state of the switch".to_owned(),
                Wanted::Toggled { to: Some(_) } => "the wanted state of the switch".to_owned(),
                Wanted::Expanded(true) => "the target unfolded".to_owned(),
                Wanted::Expanded(false) => "the target folded".to_owned(),
                Wanted::Open(true) => "the target open".to_owned(),
                Wanted::Open(false) => "the target closed".to_owned(),
                Wanted::InView => "the target in view".to_owned(),
                Wanted::Scrolled => "another scroll position, or its limit".to_owned(),
                Wanted::Submitted => {
                    "another route, a closed dialog, a message or a changed form, without validation errors"
                        .to_owned()
                }
                Wanted::Files(_) => "the files in the field".to_owned(),
                Wanted::Arrived(_) => "the wanted route".to_owned(),
                Wanted::Invoked => "the application's word, or a change that it caused".to_owned(),
                Wanted::Zoomed => "another zoom".to_owned(),
            },
        }
    }
}

/// The kind of a signal with what tells it from others of its kind. Never a value: it may be a secret.
fn signal_words(signal: &SuccessSignal) -> String {
    let json = serde_json::to_value(signal).unwrap_or_default();
    let members = json.as_object().into_iter().flatten().filter(|(key, _)| *key != "kind" && *key != "value");
    let members: Vec<_> = members.map(|(key, value)| format!("{key} {value}")).collect();
    let kind = signal.word();
    if members.is_empty() { kind.to_owned() } else { format!("{kind} ({})", members.join(", ")) }
}

/// What is known about an action when its expectation is worked out.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What the request says about verification.
    pub verification: Option<&'a VerificationSpec>,
    /// The success signals of the descriptor.
    pub described: &'a [SuccessSignal],
    /// The element it is aimed at.
    pub target: Option<&'a ElementNode>,
    /// What it is to bring about.
    pub wanted: &'a Wanted,
    /// Doing it twice is the same as doing it once.
    pub idempotent: bool,
}

/// Which signs, by which rule, prove an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Who says so.
    pub origin: Origin,
    /// The policy of the verification, as it is reported.
    pub policy: VerificationPolicy,
    /// How many of the signs.
    pub rule: Rule,
    /// The signs. Empty only if nothing is verified.
    pub signs: Vec<Sign>,
    /// What is true already counts, with a note.
    pub idempotent: bool,
    /// The element it is aimed at.
    pub(super) target: Option<Box<ElementNode>>,
    /// What the action is to bring about; says what "already" and "within tolerance" mean.
    pub(super) wanted: Wanted,
}

impl Expectation {
    /// The signs that prove an action: those of the request, else of the descriptor, else of the target, else the
    /// least that the profile asks for.
    pub fn of(asked: &Asked<'_>) -> Self {
        let spec = asked.verification;
        let signals = spec.and_then(|spec| spec.signals.as_deref()).unwrap_or_default();
        let policy = spec.and_then(|spec| spec.policy);
        let (origin, policy, rule, signs) = match policy {
            Some(VerificationPolicy::None) => {
                (Origin::Request, VerificationPolicy::None, Rule::Nothing, Vec::new())
            }
            Some(policy @ VerificationPolicy::Any) if !signals.is_empty() => {
                (Origin::Request, policy, Rule::Any, named(signals))
            }
            Some(policy @ VerificationPolicy::All) if !signals.is_empty() => {
                (Origin::Request, policy, Rule::All, named(signals))
            }
            // Signals without a policy: whoever names several wants to see them all.
            None if !signals.is_empty() => {
                (Origin::Request, VerificationPolicy::All, Rule::All, named(signals))
            }
            // An empty list says nothing (finding A21).
            _ => by_default(asked),
        };
        Self {
            origin,
            policy,
            rule,
            signs,
            idempotent: asked.idempotent,
            target: asked.target.cloned().map(Box::new),
            wanted: asked.wanted.clone(),
        }
    }

    /// The one who asks names the signs. They are judged by what that reader may see, so that asking tells no more.
    pub fn is_requested(&self) -> bool {
        self.origin == Origin::Request
    }

    /// In words, for the trace.
    pub fn words(&self) -> String {
        let signs: Vec<_> = self.signs.iter().map(Sign::words).collect();
        let origin = self.origin.word();
        match self.rule {
            Rule::Nothing => format!("{origin}: nothing is verified"),
            Rule::Any => format!("{origin}: any of {}", signs.join("; ")),
            Rule::All => format!("{origin}: all of {}", signs.join("; ")),
        }
    }

    /// The signals that somebody named.
    pub fn signals(&self) -> impl Iterator<Item = &SuccessSignal> {
        self.signs.iter().filter_map(|sign| match sign {
            Sign::Signal(signal) => Some(signal.as_ref()),
            Sign::Least(_) => None,
        })
    }
}

fn named(signals: &[SuccessSignal]) -> Vec<Sign> {
    signals.iter().cloned().map(Box::new).map(Sign::Signal).collect()
}

/// Signals of a descriptor or target are alternatives, for instance the same message in two languages.
fn by_default(asked: &Asked<'_>) -> (Origin, VerificationPolicy, Rule, Vec<Sign>) {
    let policy = VerificationPolicy::CapabilityDefault;
    let of_target = asked.target.and_then(|target| target.success.as_deref()).unwrap_or_default();
    if !asked.described.is_empty() {
        return (Origin::Descriptor, policy, Rule::Any, named(asked.described));
    }
    // What a target declares is what happens when it is used, not when it is looked at.
    let looks = matches!(
        asked.wanted,
        Wanted::Nothing | Wanted::Focus | Wanted::Hover | Wanted::InView | Wanted::Scrolled | Wanted::Zoomed
    );
    if !looks && !of_target.is_empty() {
        return (Origin::Target, policy, Rule::Any, named(of_target));
    }
    match asked.wanted {
        Wanted::Nothing => (Origin::Profile, VerificationPolicy::None, Rule::Nothing, Vec::new()),
        wanted => (Origin::Profile, policy, Rule::Any, vec![Sign::Least(wanted.clone())]),
    }
}

impl From<&Deed> for Wanted {
    fn from(deed: &Deed) -> Self {
        match deed {
            Deed::Read { .. } | Deed::Highlight { .. } => Self::Nothing,
            Deed::Focus => Self::Focus,
            Deed::Hover { .. } => Self::Hover,
            Deed::Activate | Deed::Nudge { .. } | Deed::PointAlong { .. } | Deed::LongPress { .. } => {
                Self::Reaction
            }
            Deed::EnterText { text, clear } => Self::Text { text: text.clone(), append: !clear },
            Deed::ClearText => Self::Text { text: Private::new(String::new()), append: false },
            Deed::SetValue { value, tolerance } => {
                Self::Value { value: value.clone(), tolerance: *tolerance }
            }
            Deed::Choose(choice) => Self::Chosen(choice.clone()),
            Deed::Toggle { to } => Self::Toggled { to: *to },
            Deed::Expand => Self::Expanded(true),
            Deed::Collapse => Self::Expanded(false),
            Deed::Open => Self::Open(true),
            Deed::Close => Self::Open(false),
            Deed::ScrollIntoView { .. } => Self::InView,
            Deed::Scroll(_) => Self::Scrolled,
            Deed::Submit => Self::Submitted,
            Deed::Upload { files } => Self::Files(files.iter().map(|file| file.name.clone()).collect()),
            Deed::Navigate(destination) => Self::Arrived(match destination {
                Destination::Route { route, path, .. } => {
                    Place { route_id: Some(route.to_string()), url: path.clone() }
                }
                Destination::Address(url) => Place { route_id: None, url: Some(url.clone()) },
                Destination::Target => Place::default(),
            }),
            Deed::Invoke { .. } => Self::Invoked,
            Deed::Pinch { .. } => Self::Zoomed,
        }
    }
}

impl Wanted {
    /// It names how things are to be, not that they are to change; so it may be true already.
    pub(super) fn names_a_state(&self) -> bool {
        match self {
            Self::Focus
            | Self::Hover
            | Self::Value { .. }
            | Self::Chosen(_)
            | Self::Expanded(_)
            | Self::Open(_)
            | Self::InView
            | Self::Scrolled
            | Self::Files(_)
            | Self::Arrived(_) => true,
            Self::Text { append, .. } => !append,
            Self::Toggled { to } => to.is_some(),
            Self::Nothing | Self::Reaction | Self::Submitted | Self::Invoked | Self::Zoomed => false,
        }
    }
}

/// A state with some keys.
pub(super) fn state_of(change: impl FnOnce(&mut UiState)) -> UiState {
    let mut state = UiState::default();
    change(&mut state);
    state
}
