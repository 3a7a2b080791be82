//! What an action on a target sets off, and what certainly stands before it.

use super::certain::{Certain, Least};
use super::violation::{Danger, Guard};
use std::cell::OnceCell;
use std::collections::HashMap;
use uiap_policy::{CompileError, Facts, TargetFacts};
use uiap_protocol::action::ActionTarget;
use uiap_protocol::authoring::{CompiledBundle, ElementBinding, ElementMatcher};
use uiap_protocol::capability::{
    ActionDescriptor, DescribedKind, PrimitiveAction, RiskDescriptor, RiskLevel, RiskTag, Role, TargetRef,
};
use uiap_protocol::ids::{ActionId, Id};
use uiap_protocol::policy::{Grant, PolicyEffect, PolicyPrincipal, PrincipalType, SideEffectClass};
use uiap_protocol::text_value::AuthoredText;
use uiap_protocol::wire::JsonObject;

/// What an action needs and what it leaves behind.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// Something grave, where a person must have done something before.
    pub(super) danger: Option<Danger>,
    /// What a person has done once it is over.
    pub(super) gives: Guard,
}

/// Knows the bundle.
#[derive(Debug)]
pub(super) struct Judge<'b> {
    actions: HashMap<&'b str, &'b ActionDescriptor>,
    bundle: &'b CompiledBundle,
    /// The elements, once somebody aims at one.
    elements: OnceCell<Elements<'b>>,
    certain: Certain,
    /// What may be any action of the application, once it was asked for.
    any: OnceCell<Judgement>,
    /// Somebody who may do everything: what stands even before them is certain.
    principal: PolicyPrincipal,
}

/// The elements of a bundle.
#[derive(Debug, Default)]
struct Elements<'b> {
    by_id: HashMap<&'b str, &'b ElementBinding>,
    /// By what they are and how they are called.
    by_meaning: HashMap<(&'b Role, &'b str), Vec<&'b ElementBinding>>,
}

impl<'b> Elements<'b> {
    fn of(bundle: &'b CompiledBundle) -> Self {
        let mut elements = Self::default();
        for element in bundle.bindings.iter().flat_map(|bindings| bindings.elements.iter().flatten()) {
            elements.by_id.entry(element.id.as_str()).or_insert(element);
            for meaning in meanings(element) {
                elements.by_meaning.entry(meaning).or_default().push(element);
            }
        }
        elements
    }
}

/// The tags that are grave.
const GRAVE: [RiskTag; 4] =
    [RiskTag::Destructive, RiskTag::Irreversible, RiskTag::Billing, RiskTag::Security];

impl<'b> Judge<'b> {
    pub(super) fn new(bundle: &'b CompiledBundle) -> Result<Self, CompileError> {
        let authored = bundle.actions.iter().flatten().map(|action| &action.descriptor);
        let listed = bundle.capabilities.iter().flat_map(|capabilities| &capabilities.actions);
        let mut actions = HashMap::new();
        for action in authored.chain(listed) {
            actions.entry(action.id.as_str()).or_insert(action);
        }
        Ok(Self {
            actions,
            bundle,
            elements: OnceCell::new(),
            certain: Certain::of(bundle)?,
            any: OnceCell::new(),
            principal: almighty(&bundle.package_id),
        })
    }

    /// About an action of a workflow.
    pub(super) fn step(
        &self,
        action: &ActionId,
        target: Option<&ActionTarget>,
        args: Option<&JsonObject>,
    ) -> Judgement {
        match Self::asked_for(action, args) {
            Asked::One(action) => self.aimed(&action, target.and_then(|target| target.r#ref.as_ref())),
            Asked::Any => self.any.get_or_init(|| self.any_domain_action()).clone(),
        }
    }

    fn any_domain_action(&self) -> Judgement {
        let described = self.actions.values().filter(|action| action.kind == DescribedKind::Domain);
        let mut ids: Vec<_> = described.map(|action| &action.id).collect();
        ids.sort_unstable();
        worst(ids.into_iter().map(|action| self.judge(action, None)))
    }

    /// About what is requested of an element by default. Where only a policy is in the way it is refused, and nothing
    /// is wrong with that; a workflow that runs into it would be stuck.
    pub(super) fn default_action(&self, element: &ElementBinding) -> Option<Danger> {
        let danger = self.judge(element.default_action.as_ref()?, Some(element)).danger?;
        let refused = danger.needs == Guard::Handoff && danger.level < RiskLevel::Blocked;
        (!refused).then_some(danger)
    }

    fn elements(&self) -> &Elements<'b> {
        self.elements.get_or_init(|| Elements::of(self.bundle))
    }

    fn aimed(&self, action: &ActionId, target: Option<&TargetRef>) -> Judgement {
        match target {
            Some(TargetRef::StableId { value }) => {
                self.judge(action, self.elements().by_id.get(value.as_str()).copied())
            }
            Some(TargetRef::Semantic { role, name: Some(name), .. }) => {
                let meant = self.elements().by_meaning.get(&(role, name.as_str())).into_iter().flatten();
                // It may be any of them, or something that the bundle does not know.
                let none = self.judge(action, None);
                worst(meant.map(|element| self.judge(action, Some(element))).chain([none]))
            }
            _ => self.judge(action, None),
        }
    }

    /// `app.invoke` is another way to ask for the action that it names.
    fn asked_for(action: &ActionId, args: Option<&JsonObject>) -> Asked {
        if PrimitiveAction::from_word(action.as_str()) != Some(PrimitiveAction::Invoke) {
            return Asked::One(action.clone());
        }
        let named = args.and_then(|args| args.get("action")).and_then(serde_json::Value::as_str);
        named.and_then(|named| ActionId::new(named).ok()).map_or(Asked::Any, Asked::One)
    }

    fn judge(&self, action: &ActionId, element: Option<&ElementBinding>) -> Judgement {
        let declared = self.declared(action, element);
        let described = self.actions.get(action.as_str());
        let primitive = PrimitiveAction::from_word(action.as_str()).is_some();
        let facts = Facts {
            principal: &self.principal,
            action,
            action_kind: if primitive { DescribedKind::Primitive } else { DescribedKind::Domain },
            // An application may describe it when it runs.
            action_known: true,
            target: element
                .map(|element| TargetFacts { stable_id: Some(&element.id), ..TargetFacts::default() }),
            route: None,
            risk: &declared.risk,
            side_effect: SideEffectClass::Unknown,
            guess: None,
            data_classes: &[],
            mode: None,
        };
        let least = self.certain.least(&facts, described.is_some() && !primitive);
        let gives = if least.asks_person { Guard::Confirmation } else { Guard::Nothing };
        let danger = danger(action, element, &declared, &least);
        Judgement { danger, gives }
    }

    /// How risky a runtime will take it to be at least, by what the bundle says.
    fn declared(&self, action: &ActionId, element: Option<&ElementBinding>) -> Declared {
        let described = self.actions.get(action.as_str());
        let primitive = PrimitiveAction::from_word(action.as_str());
        let mut declared = Declared::default();
        if let Some(action) = described {
            declared.raise(action.risk.level, action.risk.tags.iter().flatten().cloned());
        }
        let Some(element) = element.filter(|_| !primitive.is_some_and(only_looks)) else { return declared };
        match element.risk {
            Some(level) => declared.raise(level, risk_tags(element)),
            None => declared.unheard.extend(risk_tags(element)),
        }
        let presses = primitive.map_or(described.is_none(), presses);
        let behind = element.default_action.as_ref().filter(|_| presses);
        let behind = behind.filter(|id| PrimitiveAction::from_word(id.as_str()).is_none());
        if let Some(behind) = behind.and_then(|id| self.actions.get(id.as_str())) {
            declared.raise(behind.risk.level, behind.risk.tags.iter().flatten().cloned());
        }
        declared
    }
}

enum Asked {
    One(ActionId),
    /// Which one is known only when it happens.
    Any,
}

/// What the bundle says about the risk.
struct Declared {
    risk: RiskDescriptor,
    /// Tags of an element without a level: no runtime looks at them.
    unheard: Vec<RiskTag>,
}

impl Default for Declared {
    fn default() -> Self {
        let risk =
            RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() };
        Self { risk, unheard: Vec::new() }
    }
}

impl Declared {
    fn raise(&mut self, level: RiskLevel, tags: impl IntoIterator<Item = RiskTag>) {
        self.risk.level = self.risk.level.max(level);
        for tag in tags {
            let own = self.risk.tags.get_or_insert_default();
            if !own.contains(&tag) {
                own.push(tag);
            }
        }
    }

    fn grave_tags(&self) -> Vec<RiskTag> {
        let own = self.risk.tags.iter().flatten().chain(&self.unheard);
        GRAVE.into_iter().filter(|grave| own.clone().any(|tag| tag == grave)).collect()
    }
}

fn danger(
    action: &ActionId,
    element: Option<&ElementBinding>,
    declared: &Declared,
    least: &Least,
) -> Option<Danger> {
    let tags = declared.grave_tags();
    let (needs, because) = if declared.risk.level == RiskLevel::Blocked {
        (Guard::Handoff, "Its risk is blocked, so only a person may do it.".to_owned())
    } else if least.effect >= PolicyEffect::Handoff {
        (Guard::Handoff, least.reason.clone())
    } else if !tags.is_empty() && !least.asks_person {
        let words: Vec<_> = tags.iter().map(RiskTag::as_str).collect();
        (Guard::Confirmation, format!("Its tags say {}, and nothing asks a person.", words.join(", ")))
    } else {
        return None;
    };
    Some(Danger {
        action: action.clone(),
        element: element.map(|element| element.id.clone()),
        level: declared.risk.level,
        tags,
        needs,
        because,
    })
}

/// The most that any of several needs, and the least that any of them gives.
fn worst(judgements: impl Iterator<Item = Judgement>) -> Judgement {
    let needs =
        |judgement: &Judgement| judgement.danger.as_ref().map_or(Guard::Nothing, |danger| danger.needs);
    judgements
        .reduce(|one, other| {
            let gives = one.gives.min(other.gives);
            let worse = if needs(&other) > needs(&one) { other } else { one };
            Judgement { gives, ..worse }
        })
        .unwrap_or(Judgement { danger: None, gives: Guard::Nothing })
}

/// The ways in which an element can be named by its meaning.
fn meanings(element: &ElementBinding) -> Vec<(&Role, &str)> {
    let mut meanings = Vec::new();
    let mut add = |role, name| {
        if !meanings.contains(&(role, name)) {
            meanings.push((role, name));
        }
    };
    if let (Some(role), Some(name)) = (&element.role, &element.name) {
        let (text, translated) = match name {
            AuthoredText::Plain(text) => (Some(text), None),
            AuthoredText::Localized(message) => (Some(&message.default), message.by_locale.as_ref()),
            AuthoredText::Reference(_) => (None, None),
        };
        let translated = translated.into_iter().flat_map(|texts| texts.values());
        text.into_iter().chain(translated).for_each(|text| add(role, text.as_str()));
    }
    for matcher in &element.r#match {
        if let ElementMatcher::Semantic { role, name: Some(name), .. } = matcher
            && let Some(role) = role.as_ref().or(element.role.as_ref())
        {
            add(role, name.as_str());
        }
    }
    meanings
}

/// The tags of an element stand in its metadata (finding M18).
fn risk_tags(element: &ElementBinding) -> Vec<RiskTag> {
    let named = element.metadata.as_ref().and_then(|metadata| metadata.get("riskTags"));
    let words = named.and_then(serde_json::Value::as_array).into_iter().flatten();
    words.filter_map(|word| word.as_str().and_then(RiskTag::from_word)).collect()
}

/// Who only looks or points does not use the element.
fn only_looks(action: PrimitiveAction) -> bool {
    use PrimitiveAction as Primitive;
    matches!(
        action,
        Primitive::Read
            | Primitive::Highlight
            | Primitive::Hover
            | Primitive::Focus
            | Primitive::ScrollIntoView
            | Primitive::Scroll
    )
}

/// Whoever presses an element sets off its default action.
fn presses(action: PrimitiveAction) -> bool {
    use PrimitiveAction as Primitive;
    matches!(action, Primitive::Activate | Primitive::Submit | Primitive::Toggle | Primitive::Choose)
}

/// Somebody with every right, by whatever name.
fn almighty(name: &Id) -> PolicyPrincipal {
    let grants = vec![
        Grant::Admin,
        Grant::ReadSensitive,
        Grant::ReadSecret,
        Grant::WriteSensitive,
        Grant::Billing,
        Grant::Identity,
        Grant::Security,
    ];
    PolicyPrincipal { r#type: PrincipalType::Agent, id: name.clone(), roles: None, grants: Some(grants) }
}
