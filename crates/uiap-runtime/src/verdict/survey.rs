//! What is known about an action on its target, with and without what the page says.

use super::Question;
use crate::areas::areas;
use crate::catalogue::{KnownAction, KnownElement, Origin, Sourced, Vouched, side_effect};
use crate::deed::{Choice, Deed, Destination};
use crate::life::EffectKind;
use uiap_policy::risk::{Assessment, Form, FormMethod, Observed, assess, is_pressed};
use uiap_protocol::capability::{
    Affordance, DescribedKind, HasPopup, RiskDescriptor, RiskLevel, RiskTag, ScalarValue,
};
use uiap_protocol::ids::{ActionId, ScopeId, StableId};
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::web::{ElementNode, ScopeKind, ScopeNode};
use uiap_protocol::wire::JsonObject;

/// What is known about an action on its target.
#[derive(Debug)]
pub(super) struct Survey<'q> {
    /// Native or the application's own.
    pub(super) kind: DescribedKind,
    /// Somebody described the action.
    pub(super) known: bool,
    /// The areas around the target, the innermost first.
    pub(super) around: Vec<&'q ScopeNode>,
    /// Their ids.
    pub(super) scopes: Vec<ScopeId>,
    /// The value of the target needs protection.
    pub(super) sensitive: bool,
    /// By bundle, profile and what can be seen.
    pub(super) trusted: Case,
    /// The same with what the page and the application in it say, where they say anything.
    pub(super) claimed: Option<Case>,
    /// Who said how risky it is.
    pub(super) origins: Vec<String>,
    /// Who stands behind what the bundle says about it.
    pub(super) vouched: Vouched,
    /// The form that is sent, by its stable id: rules about it are rules about its sending.
    pub(super) sent: Option<&'q StableId>,
}

/// What a decision rests on.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) risk: RiskDescriptor,
    pub(super) side_effect: SideEffectClass,
    pub(super) guess: Option<Assessment>,
    pub(super) data_classes: Vec<DataClass>,
}

impl<'q> Survey<'q> {
    pub(super) fn of(question: &Question<'q>) -> Self {
        let known = question.catalogue.action(question.action.as_str());
        let around = areas(question.page, question.target.and_then(|element| element.scope_id.as_ref()))
            .collect::<Vec<_>>();
        let sight = Sight { question, known, around: &around, binding: binding(question) };
        let mut origins = Vec::new();
        let trusted = sight.trusted(&mut origins);
        let claimed = sight.claims_something().then(|| sight.claimed(&trusted, &mut origins));
        Self {
            kind: known.map_or(DescribedKind::Domain, KnownAction::kind),
            known: known.is_some(),
            scopes: around.iter().map(|scope| scope.id.clone()).collect(),
            sensitive: question.target.is_some_and(is_sensitive),
            trusted,
            claimed,
            vouched: sight.vouched(),
            sent: sight.sent().and_then(|form| form.stable_id.as_ref()),
            origins,
            around,
        }
    }

    /// Whether it stays on the page, whoever is asked.
    pub(super) fn effect_kind(&self) -> EffectKind {
        let stays = self.claimed.iter().chain([&self.trusted]).all(Case::stays_on_the_page);
        if stays { EffectKind::Local } else { EffectKind::SideEffect }
    }

    /// Everything that is said about the data of the target, by whomever.
    pub(super) fn data_classes(&self) -> impl Iterator<Item = DataClass> {
        self.claimed.iter().chain([&self.trusted]).flat_map(|case| case.data_classes.iter().copied())
    }
}

fn is_sensitive(element: &ElementNode) -> bool {
    element.state.ui.sensitive == Some(true)
}

/// What the bundle says about the target.
fn binding<'q>(question: &Question<'q>) -> Option<&'q KnownElement> {
    question.catalogue.element(question.target?.stable_id.as_ref()?.as_str())
}

/// Everything that the two cases are made from.
struct Sight<'s, 'q> {
    question: &'s Question<'q>,
    known: Option<KnownAction<'q>>,
    around: &'s [&'q ScopeNode],
    binding: Option<&'q KnownElement>,
}

impl<'q> Sight<'_, 'q> {
    /// By bundle, profile and what can be seen.
    fn trusted(&self, origins: &mut Vec<String>) -> Case {
        let binding_risk = self.binding.and_then(KnownElement::risk).filter(|_| self.operates());
        let mut risk = harmless();
        if let Some(Sourced { value, origin }) = self.known.and_then(KnownAction::risk) {
            raise(&mut risk, value, self.question.action.as_str(), &origin, origins);
        }
        if let (Some(value), Some(binding)) = (&binding_risk, self.binding) {
            raise(&mut risk, value, binding.binding().id.as_str(), &binding.origin(), origins);
        }
        let default_action = self.binding.and_then(|binding| binding.binding().default_action.as_ref());
        if let Some(Sourced { value, origin }) = self.behind(default_action).and_then(KnownAction::risk) {
            raise(&mut risk, value, "its default action", &origin, origins);
        }
        if let Some(form) =
            self.sent().and_then(|form| self.question.catalogue.element(form.stable_id.as_ref()?.as_str()))
        {
            if let Some(value) = form.risk() {
                raise(&mut risk, &value, form.binding().id.as_str(), &form.origin(), origins);
            }
            let default_action = form.binding().default_action.as_ref();
            if let Some(Sourced { value, origin }) = self.behind(default_action).and_then(KnownAction::risk) {
                raise(&mut risk, value, "the default action of its form", &origin, origins);
            }
        }
        let mut data_classes = self.binding.map_or_else(Vec::new, |known| known.data_classes().to_vec());
        if self.question.target.is_some_and(is_sensitive) && !data_classes.contains(&DataClass::Sensitive) {
            data_classes.push(DataClass::Sensitive);
        }
        let form = self.form_data(false);
        let guess = self.guess(&data_classes, &form, default_action, None);
        let described = self.is_described(binding_risk.is_some());
        if !described {
            origins.push(format!("risk {}: {}", guess.risk.level, Origin::Guess));
        }
        Case::new(risk, described, guess, data_classes)
    }

    /// Who stands behind what the bundle says about the action, its target and what that sets off.
    fn vouched(&self) -> Vouched {
        let mut vouched = Vouched::default();
        let default_action = self.binding.and_then(|binding| binding.binding().default_action.as_ref());
        for known in [self.known, self.behind(default_action)].into_iter().flatten() {
            if let Some(Sourced { value, origin }) = known.by_bundle() {
                vouched.add(&origin, value.metadata.as_ref());
            }
        }
        if let Some(binding) = self.binding {
            vouched.add(&binding.origin(), binding.binding().metadata.as_ref());
        }
        vouched
    }

    /// With what the page and the application in it say on top.
    fn claimed(&self, trusted: &Case, origins: &mut Vec<String>) -> Case {
        let mut risk = trusted.risk.clone();
        if let Some(value) = self.known.and_then(KnownAction::claimed_risk) {
            raise(&mut risk, value, self.question.action.as_str(), &Origin::App, origins);
        }
        let element = self.question.target;
        if let Some(value) = element.and_then(|element| element.risk.as_ref()).filter(|_| self.operates()) {
            raise(&mut risk, value, "the target", &Origin::Page, origins);
        }
        if let Some(value) = self.sent().and_then(|form| form.risk.as_ref()) {
            raise(&mut risk, value, "its form", &Origin::Page, origins);
        }
        let default_action = element.and_then(|element| element.default_action.as_ref());
        if let Some(behind) = self.behind(default_action) {
            for value in behind.risk().map(|risk| risk.value).into_iter().chain(behind.claimed_risk()) {
                raise(&mut risk, value, "its default action", &Origin::Page, origins);
            }
        }
        let mut data_classes = trusted.data_classes.clone();
        for class in element.and_then(|element| element.data_classes.as_ref()).into_iter().flatten() {
            if !data_classes.contains(class) {
                data_classes.push(*class);
            }
        }
        let form = self.form_data(true);
        let meaning = element.and_then(|element| element.meaning.as_deref());
        let guess = self.guess(&data_classes, &form, default_action, meaning);
        let described = trusted.guess.is_none();
        Case::new(risk, described, guess, data_classes)
    }

    /// The page or the application says something that could matter.
    fn claims_something(&self) -> bool {
        let by_app = self.known.is_some_and(|known| known.claimed_risk().is_some());
        let by_page = self.question.target.is_some_and(|element| {
            element.risk.is_some()
                || element.data_classes.is_some()
                || element.meaning.is_some()
                || element.default_action.is_some()
        });
        by_app || by_page || self.form().is_some()
    }

    /// The bundle says how risky this is, so that nobody needs to guess: about an action of the application, or about
    /// the element that a primitive is aimed at. An element that only calls itself by a name of the bundle and is
    /// something else does not get its good name.
    fn is_described(&self, binding_has_risk: bool) -> bool {
        let native = self.known.is_some_and(|known| known.native().is_some());
        if !native {
            return self.known.is_some_and(|known| known.by_bundle().is_some());
        }
        let role = self.binding.and_then(|binding| binding.binding().role.as_ref());
        let same_role =
            role.is_none_or(|role| self.question.target.is_some_and(|target| target.role == *role));
        binding_has_risk && same_role
    }

    /// The risk of an element is that of using it. Who only looks or points has nothing to fear from it; what may be
    /// read is a matter of its data.
    fn operates(&self) -> bool {
        !matches!(
            self.question.deed,
            Deed::Read { .. }
                | Deed::Highlight { .. }
                | Deed::Hover { .. }
                | Deed::Focus
                | Deed::ScrollIntoView { .. }
                | Deed::Scroll(_)
        )
    }

    /// The action that pressing the target sets off.
    fn behind(&self, default_action: Option<&ActionId>) -> Option<KnownAction<'q>> {
        let presses = match self.question.deed {
            Deed::Activate
            | Deed::Submit
            | Deed::Toggle { .. }
            | Deed::Choose(_)
            | Deed::LongPress { .. }
            | Deed::Navigate(Destination::Target) => true,
            Deed::Expand | Deed::Collapse | Deed::Open | Deed::Close => {
                is_pressed(self.question.target.map(|element| &element.role))
            }
            Deed::SetValue { value, .. } => matches!(value.reveal(), ScalarValue::Boolean(_)),
            _ => false,
        };
        let known = self.question.catalogue.action(default_action?.as_str())?;
        (presses && known.native().is_none()).then_some(known)
    }

    fn guess(
        &self,
        data_classes: &[DataClass],
        form_data: &[DataClass],
        default_action: Option<&ActionId>,
        meaning: Option<&str>,
    ) -> Assessment {
        let Some(element) = self.question.target else {
            return assess(self.question.action, &Observed::default());
        };
        let form = Form { method: FormMethod::Unknown, data_classes: form_data };
        let dialog =
            self.around.iter().find(|scope| matches!(scope.kind, ScopeKind::Dialog | ScopeKind::Drawer));
        let state = &element.state.ui;
        let chosen = chosen(element, self.question.deed);
        let chosen: Vec<_> = chosen.iter().map(String::as_str).collect();
        let observed = Observed {
            role: Some(&element.role),
            name: element.name.as_deref(),
            description: element.description.as_deref(),
            meaning,
            icon: element.icon.as_deref(),
            chosen: &chosen,
            default_action,
            affordances: element.affordances.as_deref().unwrap_or_default(),
            data_classes,
            sensitive: is_sensitive(element),
            opens: state.expanded.is_some() || state.has_popup.is_some_and(|popup| popup != HasPopup::No),
            form: self.form().map(|_| form),
            dialog: dialog.and_then(|scope| scope.name.as_deref()),
        };
        handed_over(assess(self.question.action, &observed), self.question.deed)
    }

    /// The form that the target belongs to.
    fn form(&self) -> Option<&'q ScopeNode> {
        self.around.iter().copied().find(|scope| scope.kind == ScopeKind::Form)
    }

    /// The form that is sent.
    fn sent(&self) -> Option<&'q ElementNode> {
        let offers = self.question.target?.affordances.as_deref().unwrap_or_default();
        let sends = match self.question.deed {
            Deed::Submit => true,
            Deed::Activate | Deed::LongPress { .. } => offers.contains(&Affordance::Submit),
            _ => false,
        };
        let form = self.form().filter(|_| sends)?.element_id.as_ref()?;
        self.question.page.element(form.as_str())
    }

    /// What data the fields of the form hold. Only what sends the form cares.
    fn form_data(&self, claims: bool) -> Vec<DataClass> {
        let sends = matches!(self.question.deed, Deed::Activate | Deed::Submit | Deed::LongPress { .. });
        let Some(form) = self.form().filter(|_| sends) else { return Vec::new() };
        let mut classes = Vec::new();
        let mut note = |class| {
            if !classes.contains(&class) {
                classes.push(class);
            }
        };
        for field in self.question.page.elements() {
            let by_page = field.data_classes.as_deref().filter(|_| claims).unwrap_or_default();
            let id = field.stable_id.as_ref();
            let known = id.and_then(|id| self.question.catalogue.element(id.as_str()));
            let by_bundle = known.map_or(&[][..], KnownElement::data_classes);
            let sensitive = is_sensitive(field);
            // Few fields hold anything that matters, so few are looked for in the areas around them.
            if (sensitive || !by_page.is_empty() || !by_bundle.is_empty())
                && areas(self.question.page, field.scope_id.as_ref()).any(|scope| scope.id == form.id)
            {
                by_page.iter().chain(by_bundle).copied().for_each(&mut note);
                if sensitive {
                    note(DataClass::Sensitive);
                }
            }
        }
        classes
    }
}

/// How that is called which is chosen in an element; by its value, where the element does not say how it is called.
fn chosen(element: &ElementNode, deed: &Deed) -> Vec<String> {
    let options = element.options.as_deref().unwrap_or_default();
    let labelled = |value: String| {
        options.iter().find(|option| option.value == value).map_or(value, |option| option.label.clone())
    };
    match deed {
        Deed::Choose(Choice::Labels(labels)) => labels.clone(),
        Deed::Choose(Choice::Values(values)) => values.iter().cloned().map(labelled).collect(),
        Deed::Choose(Choice::Index(index)) => {
            options.get(*index).map(|option| option.label.clone()).into_iter().collect()
        }
        Deed::SetValue { value, .. } => match value.reveal() {
            ScalarValue::Text(value) => vec![labelled(value.clone())],
            ScalarValue::Number(value) => vec![labelled(value.get().to_string())],
            ScalarValue::Boolean(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What the page gets to see the moment it is chosen is not taken back by not sending the form.
fn handed_over(guess: Assessment, deed: &Deed) -> Assessment {
    if !matches!(deed, Deed::Upload { .. }) {
        return guess;
    }
    let by = RiskDescriptor {
        level: RiskLevel::Confirm,
        tags: Some(vec![RiskTag::ExternalEffect]),
        reason: Some("Files of this machine are handed over.".to_owned()),
        extra: JsonObject::default(),
    };
    Assessment { risk: merged(guess.risk, &by), ..guess }
}

impl Case {
    /// By what was declared, or else by what can be seen.
    fn stays_on_the_page(&self) -> bool {
        is_harmless(match (self.side_effect, &self.guess) {
            (SideEffectClass::Unknown, Some(guess)) => guess.side_effect,
            (declared, _) => declared,
        })
    }

    fn new(risk: RiskDescriptor, described: bool, guess: Assessment, data_classes: Vec<DataClass>) -> Self {
        let declared = side_effect(&risk);
        if !described {
            let side_effect = match declared {
                SideEffectClass::Unknown => SideEffectClass::Unknown,
                declared => graver(declared, guess.side_effect),
            };
            return Self { risk, side_effect, guess: Some(guess), data_classes };
        }
        // The bundle says how risky it is, and what kind of action it is says what it can change at most.
        let side_effect = match declared {
            SideEffectClass::Unknown if is_harmless(guess.side_effect) => guess.side_effect,
            declared => declared,
        };
        Self { risk, side_effect, guess: None, data_classes }
    }
}

/// It changes nothing beyond the page.
fn is_harmless(class: SideEffectClass) -> bool {
    matches!(
        class,
        SideEffectClass::None
            | SideEffectClass::Navigation
            | SideEffectClass::LocalUi
            | SideEffectClass::Draft
    )
}

/// The one that asks for more.
fn graver(one: SideEffectClass, other: SideEffectClass) -> SideEffectClass {
    use SideEffectClass as Class;
    const ORDER: [Class; 13] = [
        Class::None,
        Class::Navigation,
        Class::LocalUi,
        Class::Draft,
        Class::ReversibleWrite,
        Class::Unknown,
        Class::PersistentWrite,
        Class::ExternalEffect,
        Class::IdentityChange,
        Class::SecurityChange,
        Class::BillingChange,
        Class::Destructive,
        Class::Irreversible,
    ];
    let rank = |class: Class| ORDER.iter().position(|known| *known == class);
    if rank(other) > rank(one) { other } else { one }
}

/// A risk on top of what is known already.
fn raise(
    risk: &mut RiskDescriptor,
    by: &RiskDescriptor,
    what: &str,
    origin: &Origin,
    origins: &mut Vec<String>,
) {
    origins.push(format!("risk {} of {what}: {origin}", by.level));
    *risk = merged(risk.clone(), by);
}

/// The higher level with its reason, and all tags.
pub(super) fn merged(mut one: RiskDescriptor, other: &RiskDescriptor) -> RiskDescriptor {
    let mut tags = one.tags.take().unwrap_or_default();
    for tag in other.tags.iter().flatten() {
        if !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    let (first, second) = if other.level > one.level {
        (other.reason.clone(), one.reason)
    } else {
        (one.reason, other.reason.clone())
    };
    RiskDescriptor {
        level: one.level.max(other.level),
        tags: (!tags.is_empty()).then_some(tags),
        reason: first.or(second),
        extra: JsonObject::default(),
    }
}

/// Nobody says that there is any risk.
fn harmless() -> RiskDescriptor {
    RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() }
}
