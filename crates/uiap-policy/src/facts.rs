//! What a decision is about.

use crate::risk::Assessment;
use uiap_protocol::capability::{
    DescribedKind, ExecutionMode, PrimitiveAction, RiskDescriptor, RiskLevel, RiskTag, Role,
};
use uiap_protocol::ids::{ActionId, RouteId, ScopeId, StableId};
use uiap_protocol::policy::{DataClass, PolicyPrincipal, SideEffectClass};

/// Who wants to do what, to what, where, and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// Who asks.
    pub principal: &'f PolicyPrincipal,
    /// For what. A domain action stands here under its own id, also when it was asked for through `app.invoke`.
    pub action: &'f ActionId,
    /// What kind of action that is.
    pub action_kind: DescribedKind,
    /// Somebody described the action: it is a primitive, or the application declares it.
    pub action_known: bool,
    /// On what.
    pub target: Option<TargetFacts<'f>>,
    /// Where.
    pub route: Option<&'f RouteId>,
    /// How risky action and target are declared to be.
    pub risk: &'f RiskDescriptor,
    /// What would change, as far as it is declared.
    pub side_effect: SideEffectClass,
    /// What was guessed about a target that nobody described. It holds like a declaration, but a rule that allows and
    /// names the place or the level takes it back.
    pub guess: Option<&'f Assessment>,
    /// What data is involved.
    pub data_classes: &'f [DataClass],
    /// How it would be carried out. Rules about modes hold only where one is named, so the runtime asks again for
    /// every mode that it is about to use.
    pub mode: Option<ExecutionMode>,
}

/// What an action is aimed at.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetFacts<'f> {
    /// Its stable identity.
    pub stable_id: Option<&'f StableId>,
    /// The areas it is in, the innermost first.
    pub scopes: &'f [ScopeId],
    /// What it is.
    pub role: Option<&'f Role>,
    /// Its value needs protection.
    pub sensitive: bool,
}

/// What an action does with the data of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataUse {
    /// Nothing: it points, scrolls, moves or opens.
    None,
    /// It brings the data out.
    Read,
    /// It changes the data.
    Write,
}

impl DataUse {
    /// What an action does with the data of its target.
    pub fn of(action: &ActionId, side_effect: SideEffectClass) -> Self {
        use PrimitiveAction as Primitive;
        match PrimitiveAction::from_word(action.as_str()) {
            Some(Primitive::Read) => Self::Read,
            Some(
                Primitive::Focus
                | Primitive::Highlight
                | Primitive::Hover
                | Primitive::Expand
                | Primitive::Collapse
                | Primitive::Open
                | Primitive::Close
                | Primitive::ScrollIntoView
                | Primitive::Scroll
                | Primitive::Navigate,
            ) => Self::None,
            // What an action of the application returns may hold its data.
            None if !writes(side_effect) => Self::Read,
            Some(Primitive::Activate | Primitive::Invoke) if !writes(side_effect) => Self::None,
            None
            | Some(
                Primitive::Activate
                | Primitive::Invoke
                | Primitive::EnterText
                | Primitive::ClearText
                | Primitive::SetValue
                | Primitive::Choose
                | Primitive::Toggle
                | Primitive::Upload
                | Primitive::Submit,
            ) => Self::Write,
        }
    }
}

/// Whether anything beyond the user interface would change, as far as anybody knows.
pub(crate) fn writes(side_effect: SideEffectClass) -> bool {
    !matches!(side_effect, SideEffectClass::None | SideEffectClass::Navigation | SideEffectClass::LocalUi)
}

/// The reason for care that a side effect is in itself, whatever tags were declared.
fn implied_tag(side_effect: SideEffectClass) -> Option<RiskTag> {
    match side_effect {
        SideEffectClass::Destructive => Some(RiskTag::Destructive),
        SideEffectClass::Irreversible => Some(RiskTag::Irreversible),
        SideEffectClass::BillingChange => Some(RiskTag::Billing),
        SideEffectClass::SecurityChange => Some(RiskTag::Security),
        SideEffectClass::IdentityChange => Some(RiskTag::Identity),
        SideEffectClass::ExternalEffect => Some(RiskTag::ExternalEffect),
        SideEffectClass::None
        | SideEffectClass::Navigation
        | SideEffectClass::LocalUi
        | SideEffectClass::Draft
        | SideEffectClass::ReversibleWrite
        | SideEffectClass::PersistentWrite
        | SideEffectClass::Unknown => None,
    }
}

impl Facts<'_> {
    /// What would change, declared or else guessed.
    pub fn changes(&self) -> SideEffectClass {
        match self.guess {
            Some(guess) if self.side_effect == SideEffectClass::Unknown => guess.side_effect,
            _ => self.side_effect,
        }
    }

    /// What happens to the data of the target.
    pub fn data_use(&self) -> DataUse {
        DataUse::of(self.action, self.changes())
    }

    /// The level that holds: declared, guessed, by tags, and by what would change.
    pub fn risk_level(&self) -> RiskLevel {
        let writes = writes(self.changes());
        let declared = self.risk.effective_level(writes);
        let guessed = self.guess.map_or(RiskLevel::Safe, |guess| guess.risk.effective_level(writes));
        let implied = self.implied_tag().map_or(RiskLevel::Safe, |tag| tag.floor(writes));
        declared.max(guessed).max(implied)
    }

    /// Every tag: declared, guessed, and what follows from what would change. One may come twice.
    pub(crate) fn tags(&self) -> impl Iterator<Item = RiskTag> {
        let guessed = self.guess.and_then(|guess| guess.risk.tags.as_ref());
        let named = self.risk.tags.iter().chain(guessed).flatten().cloned();
        named.chain(self.implied_tag())
    }

    fn implied_tag(&self) -> Option<RiskTag> {
        implied_tag(self.changes())
    }

    /// Whether a tag is among them.
    pub(crate) fn has_tag(&self, tag: &RiskTag) -> bool {
        self.tags().any(|own| own == *tag)
    }
}
