//! May the target be acted on now? (ACT 9)
//!
//! Start at [`check`]: fresh facts about one element and what is to be done to it, in; nothing or one named obstacle,
//! out. An obstacle says what may be tried against it. There is no way to act in spite of one.

use uiap_protocol::action::RuntimeErrorCode;
use uiap_protocol::capability::{Affordance, PrimitiveAction, Role};
use uiap_protocol::ids::ActionId;

/// An element as it is this moment, measured by the surface. What a surface cannot measure is absent.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and any of them may be true together"
)]
pub struct LiveFacts {
    /// It is still there.
    pub attached: bool,
    /// It is not what was found any more: the same place shows something else.
    pub changed: bool,
    /// What it is.
    pub role: Role,
    /// It can be seen.
    pub visible: Option<bool>,
    /// It can be used.
    pub enabled: Option<bool>,
    /// Its value can be changed.
    pub editable: Option<bool>,
    /// Its value is only shown.
    pub readonly: Option<bool>,
    /// It can take the focus.
    pub focusable: Option<bool>,
    /// It has the focus.
    pub focused: Option<bool>,
    /// It is being updated.
    pub busy: Option<bool>,
    /// It does not move.
    pub stable: Option<bool>,
    /// The application says that it cannot be used right now.
    pub blocked: Option<bool>,
    /// A dialog keeps everything else from being used, and it is not in it.
    pub behind_modal: bool,
    /// A part of it is in view.
    pub in_view: bool,
    /// Scrolling can bring it into view.
    pub can_be_revealed: bool,
    /// What lies on top of it, in words.
    pub covered_by: Option<String>,
    /// Why nobody may look inside it.
    pub opaque: Option<Opaque>,
    /// Its value needs protection.
    pub sensitive: bool,
    /// It is there to be read: nothing says that anything else can be done to it.
    pub only_read: bool,
    /// What the action needs it to offer and it does not. Only the runtime knows the action, so surfaces name nothing.
    pub lacks: Vec<Affordance>,
}

impl LiveFacts {
    /// An element that is there and in view. Nothing else was measured, and nothing stands in its way.
    pub fn shown(role: Role) -> Self {
        Self {
            attached: true,
            changed: false,
            role,
            visible: Some(true),
            enabled: None,
            editable: None,
            readonly: None,
            focusable: None,
            focused: None,
            busy: None,
            stable: None,
            blocked: None,
            behind_modal: false,
            in_view: true,
            can_be_revealed: true,
            covered_by: None,
            opaque: None,
            sensitive: false,
            only_read: false,
            lacks: Vec::new(),
        }
    }
}

/// What of this an element does not offer. What can be closed could be opened, and the other way round: which of both it
/// offers only says how it is now, and it may be as wanted already.
pub fn lacking<'a>(
    required: impl IntoIterator<Item = &'a Affordance>,
    offered: &[Affordance],
) -> Vec<Affordance> {
    let turned = |affordance: &Affordance| match affordance {
        Affordance::Expand => Some(Affordance::Collapse),
        Affordance::Collapse => Some(Affordance::Expand),
        Affordance::Open => Some(Affordance::Close),
        Affordance::Close => Some(Affordance::Open),
        _ => None,
    };
    let offers = |wanted: &Affordance| {
        offered.contains(wanted) || turned(wanted).is_some_and(|turned| offered.contains(&turned))
    };
    required.into_iter().filter(|wanted| !offers(wanted)).cloned().collect()
}

/// Why nobody may look inside an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// It belongs to somebody else.
    Foreign,
    /// Its owner closed it.
    Closed,
    /// It is only a picture.
    Picture,
}

/// What must be true before an action, by the kind of action (ACT 9.2 to 9.4, finding A4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Nothing beyond its being there.
    Presence,
    /// It can be pointed at.
    Pointing,
    /// It can be pressed.
    Pressing,
    /// It can take the focus.
    Focusing,
    /// It can be written into.
    Writing,
}

impl Demand {
    /// What an action demands of its target.
    pub fn of(action: &ActionId) -> Self {
        use PrimitiveAction as Primitive;
        match PrimitiveAction::from_word(action.as_str()) {
            Some(Primitive::Read | Primitive::Highlight | Primitive::Scroll | Primitive::ScrollIntoView) => {
                Self::Presence
            }
            Some(Primitive::Hover) => Self::Pointing,
            Some(Primitive::Focus) => Self::Focusing,
            Some(Primitive::EnterText | Primitive::ClearText | Primitive::SetValue) => Self::Writing,
            Some(
                Primitive::Activate
                | Primitive::Toggle
                | Primitive::Choose
                | Primitive::Submit
                | Primitive::Expand
                | Primitive::Collapse
                | Primitive::Open
                | Primitive::Close
                | Primitive::Upload
                | Primitive::Navigate,
            ) => Self::Pressing,
            Some(Primitive::Invoke) | None => Self::Presence,
        }
    }
}

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// It is gone.
    #[error("the target is no longer there")]
    Detached,
    /// It has become something else.
    #[error("the target is not what it was when it was found")]
    Changed,
    /// Nobody may look inside it.
    #[error("the target is in a region that is closed to agents")]
    Opaque(Opaque),
    /// It is not made for this.
    #[error("the target does not offer what the action needs: {}", words(.lacks))]
    NotOffered {
        /// What is missing.
        lacks: Vec<Affordance>,
    },
    /// It cannot be seen, or nobody can say whether it can.
    #[error("the target is not visible")]
    NotVisible,
    /// A dialog is in front of everything.
    #[error("a dialog keeps the target from being used")]
    BehindModal,
    /// The application blocks it.
    #[error("the application says that the target cannot be used right now")]
    Blocked,
    /// It is disabled.
    #[error("the target is disabled")]
    Disabled,
    /// It is there to be read.
    #[error("the target is only there to be read; nothing says that it can be pressed")]
    OnlyRead,
    /// It cannot be written into.
    #[error("the target cannot be written into")]
    NotEditable,
    /// It is read-only.
    #[error("the target is read-only")]
    ReadOnly,
    /// It cannot take the focus.
    #[error("the target cannot take the focus")]
    NotFocusable,
    /// It is being updated.
    #[error("the target is being updated")]
    Busy,
    /// It is out of view.
    #[error("the target is out of view")]
    OutOfView {
        /// Scrolling can help.
        can_be_revealed: bool,
    },
    /// It moves.
    #[error("the target is moving")]
    Moving,
    /// Something lies on top.
    #[error("the target is covered by {by}")]
    Covered {
        /// What.
        by: String,
    },
}

/// The six conditions of RFC 014, by what is wrong where one is not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateCode {
    /// It exists.
    NotFound,
    /// It is at rest.
    NotStable,
    /// It can be seen and reached.
    NotVisible,
    /// It can be used.
    NotEnabled,
    /// It is made for such an action.
    NotEligible,
    /// It is still what was found.
    IdentityUnstable,
}

impl GateCode {
    /// As it stands in the detail of an error.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotStable => "not_stable",
            Self::NotVisible => "not_visible",
            Self::NotEnabled => "not_enabled",
            Self::NotEligible => "not_eligible",
            Self::IdentityUnstable => "identity_unstable",
        }
    }
}

/// What may be tried against an obstacle (ACT 13.1). Never: acting in spite of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Find the target again, once.
    Resolve,
    /// Bring it into view.
    Reveal,
    /// Look again a moment later, within the short waits of finding A26.
    Wait,
    /// Nothing.
    None,
}

impl Obstacle {
    /// What may be tried.
    pub fn recovery(&self) -> Recovery {
        match self {
            // A fresh look may find out that it listens by now.
            Self::Detached | Self::Changed | Self::OnlyRead => Recovery::Resolve,
            Self::OutOfView { can_be_revealed: true } => Recovery::Reveal,
            // Pages draw, load and enable things late, and covers go away; a dialog or a lock waits for somebody.
            Self::NotVisible
            | Self::Disabled
            | Self::Blocked
            | Self::Busy
            | Self::Moving
            | Self::Covered { .. } => Recovery::Wait,
            Self::Opaque(_)
            | Self::NotOffered { .. }
            | Self::BehindModal
            | Self::NotEditable
            | Self::ReadOnly
            | Self::NotFocusable
            | Self::OutOfView { can_be_revealed: false } => Recovery::None,
        }
    }

    /// The error as the protocol calls it, once nothing more may be tried.
    pub fn code(&self) -> RuntimeErrorCode {
        match self {
            Self::Detached | Self::Changed => RuntimeErrorCode::StaleTarget,
            Self::Opaque(Opaque::Foreign) => RuntimeErrorCode::CrossOriginUnavailable,
            Self::Opaque(Opaque::Closed) => RuntimeErrorCode::ClosedShadowUnavailable,
            Self::Opaque(Opaque::Picture)
            | Self::NotOffered { .. }
            | Self::NotVisible
            | Self::BehindModal
            | Self::Blocked
            | Self::Disabled
            | Self::OnlyRead
            | Self::NotEditable
            | Self::ReadOnly
            | Self::NotFocusable
            | Self::Busy
            | Self::OutOfView { .. }
            | Self::Moving
            | Self::Covered { .. } => RuntimeErrorCode::TargetNotInteractable,
        }
    }

    /// The one condition that is not met.
    pub fn gate_code(&self) -> GateCode {
        match self {
            Self::Detached => GateCode::NotFound,
            Self::Changed => GateCode::IdentityUnstable,
            Self::NotVisible | Self::OutOfView { .. } | Self::Covered { .. } => GateCode::NotVisible,
            Self::BehindModal | Self::Blocked | Self::Disabled => GateCode::NotEnabled,
            Self::Busy | Self::Moving => GateCode::NotStable,
            Self::Opaque(_)
            | Self::NotOffered { .. }
            | Self::OnlyRead
            | Self::NotEditable
            | Self::ReadOnly
            | Self::NotFocusable => GateCode::NotEligible,
        }
    }

    /// The name under which a result reports it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Detached => "detached",
            Self::Changed => "changed",
            Self::Opaque(_) => "opaque",
            Self::NotOffered { .. } => "not_offered",
            Self::NotVisible => "not_visible",
            Self::BehindModal => "behind_modal",
            Self::Blocked => "blocked",
            Self::Disabled => "disabled",
            Self::OnlyRead => "only_read",
            Self::NotEditable => "not_editable",
            Self::ReadOnly => "read_only",
            Self::NotFocusable => "not_focusable",
            Self::Busy => "busy",
            Self::OutOfView { .. } => "out_of_view",
            Self::Moving => "moving",
            Self::Covered { .. } => "covered",
        }
    }
}

/// Nothing, or the first obstacle. The order is from what is true for good to what passes by itself.
pub fn check(demand: Demand, facts: &LiveFacts) -> Result<(), Obstacle> {
    refuse(!facts.attached, || Obstacle::Detached)?;
    refuse(facts.changed, || Obstacle::Changed)?;
    if let Some(opaque) = facts.opaque {
        return Err(Obstacle::Opaque(opaque));
    }
    refuse(!facts.lacks.is_empty(), || Obstacle::NotOffered { lacks: facts.lacks.clone() })?;
    match demand {
        Demand::Presence => Ok(()),
        Demand::Focusing => {
            check_seen(facts)?;
            check_focus(facts)
        }
        Demand::Pointing => {
            check_seen(facts)?;
            check_reach(facts)
        }
        Demand::Pressing => {
            check_seen(facts)?;
            refuse(facts.only_read, || Obstacle::OnlyRead)?;
            check_use(facts)?;
            check_reach(facts)
        }
        Demand::Writing => {
            check_seen(facts)?;
            refuse(facts.readonly == Some(true), || Obstacle::ReadOnly)?;
            refuse(facts.editable != Some(true) && !is_textual(&facts.role), || Obstacle::NotEditable)?;
            check_use(facts)?;
            check_focus(facts)
        }
    }
}

fn words(affordances: &[Affordance]) -> String {
    affordances.iter().map(Affordance::as_str).collect::<Vec<_>>().join(", ")
}

fn refuse(refused: bool, obstacle: impl FnOnce() -> Obstacle) -> Result<(), Obstacle> {
    if refused { Err(obstacle()) } else { Ok(()) }
}

/// What cannot be measured is not visible (finding A12).
fn check_seen(facts: &LiveFacts) -> Result<(), Obstacle> {
    refuse(facts.visible != Some(true), || Obstacle::NotVisible)
}

fn check_use(facts: &LiveFacts) -> Result<(), Obstacle> {
    refuse(facts.behind_modal, || Obstacle::BehindModal)?;
    refuse(facts.blocked == Some(true), || Obstacle::Blocked)?;
    refuse(facts.enabled == Some(false), || Obstacle::Disabled)?;
    refuse(facts.busy == Some(true), || Obstacle::Busy)
}

fn check_focus(facts: &LiveFacts) -> Result<(), Obstacle> {
    let focusable = facts.focusable != Some(false) || facts.focused == Some(true);
    refuse(!focusable, || Obstacle::NotFocusable)
}

fn check_reach(facts: &LiveFacts) -> Result<(), Obstacle> {
    let can_be_revealed = facts.can_be_revealed;
    // What slides in from outside comes into view by itself.
    refuse(facts.stable == Some(false), || Obstacle::Moving)?;
    refuse(!facts.in_view, || Obstacle::OutOfView { can_be_revealed })?;
    match &facts.covered_by {
        Some(by) => Err(Obstacle::Covered { by: by.clone() }),
        None => Ok(()),
    }
}

/// Roles that are made for writing into them.
fn is_textual(role: &Role) -> bool {
    matches!(
        role,
        Role::Textbox
            | Role::Textarea
            | Role::Searchbox
            | Role::Combobox
            | Role::Spinbutton
            | Role::Slider
            | Role::Datepicker
            | Role::Timepicker
    )
}
