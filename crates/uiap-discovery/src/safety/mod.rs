//! May this be done while mapping? (DSC 8 and 13)
//!
//! Start at [`judge`]. Everything that is known about an action on its target goes in; one decision with its reason
//! comes out. What nobody can place is not done. The guard at the network stands behind this and trusts none of it.

mod words;

use crate::naming::plain;
use crate::sighting::{Sighting, Thing};
use uiap_policy::risk::{Form, FormMethod, Observed, assess, command, declines};
use uiap_protocol::capability::{Affordance, HasPopup, PrimitiveAction, RiskDescriptor, RiskLevel, Role};
use uiap_protocol::discovery::{
    DiscoveryActionPolicyDecision, DiscoveryEffect, DiscoveryReason, DiscoverySafetyPolicy, EvidenceSource,
    SafetyMode,
};
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::web::ScopeKind;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::catalogue::side_effect;

/// What is decided about an action, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether it is done.
    pub decision: DiscoveryActionPolicyDecision,
    /// What it would change.
    pub side_effect: SideEffectClass,
    /// How risky it is.
    pub risk: RiskDescriptor,
    /// Who says so.
    pub source: EvidenceSource,
}

impl Judgement {
    /// It may be done.
    pub fn allows(&self) -> bool {
        self.decision.effect == DiscoveryEffect::Allow
    }

    /// It would change something that lasts.
    pub fn writes(&self) -> bool {
        gravity(self.side_effect) >= gravity(SideEffectClass::ReversibleWrite)
    }

    /// It would change something beyond the page.
    pub fn is_grave(&self) -> bool {
        gravity(self.side_effect) > gravity(SideEffectClass::PersistentWrite)
    }
}

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a, 'g> {
    /// What would be done.
    pub action: &'a ActionId,
    /// On what.
    pub thing: Option<&'a Thing<'g>>,
    /// Where.
    pub sighting: &'a Sighting<'g>,
    /// What the application, its registry or a bundle says about the risk of the action.
    pub declared: Option<&'a RiskDescriptor>,
}

/// Decides about an action.
pub fn judge(safety: &DiscoverySafetyPolicy, asked: &Asked<'_, '_>) -> Judgement {
    let (side_effect, risk, source) = known(asked);
    let data = asked.thing.and_then(|thing| thing.element.data_classes.as_deref()).unwrap_or_default();
    let (effect, reason) = decide(safety, side_effect, data, asked);
    let decision = DiscoveryActionPolicyDecision { effect, reason, extra: JsonObject::default() };
    Judgement { decision, side_effect, risk, source }
}

fn decide(
    safety: &DiscoverySafetyPolicy,
    side_effect: SideEffectClass,
    data: &[DataClass],
    asked: &Asked<'_, '_>,
) -> (DiscoveryEffect, DiscoveryReason) {
    use DiscoveryEffect as Effect;
    use DiscoveryReason as Reason;
    use SideEffectClass as Class;
    let sandbox = safety.default_mode == SafetyMode::SandboxWrite;
    let allow_if = |flag: Option<bool>, reason: Reason| {
        if sandbox && flag == Some(true) { (Effect::Allow, Reason::Safe) } else { (Effect::Deny, reason) }
    };
    // Whoever made it says that it is for people.
    let annotated = asked.thing.and_then(|thing| thing.element.risk.as_ref());
    if [asked.declared, annotated].into_iter().flatten().any(|risk| risk.level == RiskLevel::Blocked) {
        return (Effect::Deny, Reason::ManualOnly);
    }
    // Whoever signs out sees nothing any more.
    let icon = asked.thing.and_then(|thing| thing.element.icon.as_deref()).unwrap_or_default();
    if words::signs_out(icon) || asked.thing.is_some_and(|thing| words::signs_out(&own_name(thing))) {
        return (Effect::Deny, Reason::SecuritySensitive);
    }
    if data.iter().any(|class| matches!(class, DataClass::Credential | DataClass::Secret)) {
        return (Effect::Review, Reason::Credential);
    }
    if data.contains(&DataClass::Payment) {
        return (Effect::Review, Reason::Payment);
    }
    match side_effect {
        Class::Destructive | Class::Irreversible => {
            allow_if(safety.allow_destructive_actions, Reason::Destructive)
        }
        Class::BillingChange => allow_if(safety.allow_payment_flows, Reason::Payment),
        Class::SecurityChange | Class::IdentityChange => (Effect::Deny, Reason::SecuritySensitive),
        Class::ExternalEffect => allow_if(safety.allow_external_effects, Reason::ExternalEffect),
        _ if safety.default_mode == SafetyMode::ObserveOnly => (Effect::Skip, Reason::ManualOnly),
        Class::None | Class::Navigation | Class::LocalUi => (Effect::Allow, Reason::Safe),
        Class::Draft | Class::ReversibleWrite | Class::PersistentWrite if sandbox => {
            (Effect::Allow, Reason::Safe)
        }
        Class::Draft | Class::ReversibleWrite | Class::PersistentWrite => (Effect::Skip, Reason::ManualOnly),
        Class::Unknown => (Effect::Skip, Reason::UnknownSideEffect),
    }
}

/// What an action would change, by whoever says the gravest thing about it.
fn known(asked: &Asked<'_, '_>) -> (SideEffectClass, RiskDescriptor, EvidenceSource) {
    let guess = assess(asked.action, &observed(asked));
    let annotated = asked.thing.and_then(|thing| thing.element.risk.as_ref());
    let said = [(asked.declared, EvidenceSource::AppRegistry), (annotated, EvidenceSource::Annotation)];
    let mut gravest = match revealed(asked, guess.side_effect) {
        // That it opens something is said by who made it; what its words command is asked about in what it opens.
        _ if opens_only(asked) => (SideEffectClass::LocalUi, harmless(), EvidenceSource::Dom),
        _ if leads_to_form(asked) => (SideEffectClass::Navigation, harmless(), EvidenceSource::VisibleText),
        Some(class) => (class, guess.risk, EvidenceSource::VisibleText),
        None => (guess.side_effect, guess.risk, EvidenceSource::Inferred),
    };
    for (risk, source) in said.into_iter().filter_map(|(risk, source)| Some((risk?, source))) {
        let class = match side_effect(risk) {
            // Whoever made it says that nothing is risky about it, and knows better than a word on it (DSC 2). What
            // sends a form is another matter: there is more to it than it says.
            SideEffectClass::Unknown if is_declared_safe(risk) && !submits(asked) => {
                gravest = (SideEffectClass::LocalUi, risk.clone(), source);
                continue;
            }
            // Somebody has to agree to it, so there is more to it than can be seen.
            SideEffectClass::Unknown if risk.level != RiskLevel::Safe => {
                graver(gravest.0, SideEffectClass::Unknown)
            }
            SideEffectClass::Unknown => gravest.0,
            declared => declared,
        };
        if gravity(class) >= gravity(gravest.0) || gravest.0 == SideEffectClass::Unknown {
            gravest = (class, risk.clone(), source);
        }
    }
    gravest
}

/// What it says itself: what identifies one of many leaves out what is its data.
fn own_name(thing: &Thing<'_>) -> String {
    plain(thing.element.name.as_deref().unwrap_or_default())
}

/// It is said to open a dialog or a menu, and that is what would be done.
fn opens_only(asked: &Asked<'_, '_>) -> bool {
    let pops_up =
        |thing: &Thing<'_>| thing.element.state.ui.has_popup.is_some_and(|popup| popup != HasPopup::No);
    let presses = matches!(
        PrimitiveAction::from_word(asked.action.as_str()),
        Some(PrimitiveAction::Activate | PrimitiveAction::Open | PrimitiveAction::Expand)
    );
    presses && !submits(asked) && asked.thing.is_some_and(pops_up)
}

/// It is a link whose words command what takes a form to do, so that it can only lead to that form.
fn leads_to_form(asked: &Asked<'_, '_>) -> bool {
    let presses = PrimitiveAction::from_word(asked.action.as_str())
        .is_some_and(|action| action == PrimitiveAction::Activate);
    let is_link = |thing: &Thing<'_>| {
        let offers = thing.element.affordances.as_deref().unwrap_or_default();
        thing.element.role == Role::Link && offers.contains(&Affordance::Navigate)
    };
    let leads = |thing: &Thing<'_>| is_link(thing) && words::asks_for_password(&own_name(thing));
    presses && !submits(asked) && asked.thing.is_some_and(leads)
}

fn submits(asked: &Asked<'_, '_>) -> bool {
    let offers = asked.thing.and_then(|thing| thing.element.affordances.as_deref()).unwrap_or_default();
    offers.contains(&Affordance::Submit)
}

fn harmless() -> RiskDescriptor {
    RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() }
}

fn is_declared_safe(risk: &RiskDescriptor) -> bool {
    risk.level == RiskLevel::Safe && risk.tags.as_ref().is_none_or(Vec::is_empty)
}

/// How grave a change is. What nobody knows is graver than what stays on the page, and lighter than what does not.
pub(crate) fn gravity(class: SideEffectClass) -> u8 {
    use SideEffectClass as Class;
    match class {
        Class::None => 0,
        Class::Navigation => 1,
        Class::LocalUi => 2,
        Class::Draft => 3,
        Class::Unknown => 4,
        Class::ReversibleWrite => 5,
        Class::PersistentWrite => 6,
        Class::ExternalEffect => 7,
        Class::IdentityChange => 8,
        Class::SecurityChange => 9,
        Class::BillingChange => 10,
        Class::Destructive => 11,
        Class::Irreversible => 12,
    }
}

fn graver(one: SideEffectClass, other: SideEffectClass) -> SideEffectClass {
    if gravity(one) >= gravity(other) { one } else { other }
}

/// What can be seen of the target.
fn observed<'a>(asked: &Asked<'a, '_>) -> Observed<'a> {
    let Some(thing) = asked.thing else { return Observed::default() };
    let element = thing.element;
    let state = &element.state.ui;
    // The innermost one counts: what asks stands in front of what it was asked from.
    let around = |kind: ScopeKind| {
        let areas = asked.sighting.areas.iter();
        let around = areas.filter(|area| area.kind == kind && is_around(&area.path, &thing.path));
        around.max_by_key(|area| area.path.len())
    };
    let dialog = around(ScopeKind::Dialog).or_else(|| around(ScopeKind::Drawer));
    Observed {
        role: Some(&element.role),
        name: element.name.as_deref(),
        description: element.description.as_deref(),
        meaning: element.meaning.as_deref(),
        icon: element.icon.as_deref(),
        // Which one of several it would be is not known yet.
        chosen: &[],
        default_action: element.default_action.as_ref(),
        affordances: element.affordances.as_deref().unwrap_or_default(),
        data_classes: element.data_classes.as_deref().unwrap_or_default(),
        sensitive: state.sensitive == Some(true),
        opens: state.expanded.is_some() || state.has_popup.is_some_and(|popup| popup != HasPopup::No),
        form: around(ScopeKind::Form).map(|_| Form { method: FormMethod::Unknown, data_classes: &[] }),
        dialog: dialog.and_then(|area| area.scope.name.as_deref()),
    }
}

/// An area surrounds a path, or is it.
pub(crate) fn is_around(area: &str, path: &str) -> bool {
    path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A plain button whose words only change what is shown: next, details, close. What is said about it may not command
/// anything: a cross that is described as "Remove" is no way out.
fn revealed(asked: &Asked<'_, '_>, guess: SideEffectClass) -> Option<SideEffectClass> {
    let thing = asked.thing.filter(|_| guess == SideEffectClass::Unknown)?;
    let is_pressed = matches!(thing.element.role, Role::Button | Role::Menuitem | Role::Link);
    let shows = words::only_shows(&own_name(thing))
        || thing.element.name.as_deref().is_some_and(declines)
        || thing.element.icon.as_deref().is_some_and(words::icon_only_shows);
    let commands = thing.element.description.as_deref().is_some_and(|said| command(said).is_some());
    (is_pressed && !submits(asked) && shows && !commands).then_some(SideEffectClass::LocalUi)
}
