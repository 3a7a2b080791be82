//! Questions that show what a policy decides.

use super::super::witness::ValueQuestion;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{
    ActionDescriptor, DescribedKind, PrimitiveAction, RiskDescriptor, RiskLevel,
};
use uiap_protocol::ids::{ActionId, Id, RouteId, ScopeId, StableId, Text};
use uiap_protocol::policy::{
    DataClass, Grant, PolicyMatch, PolicyPrincipal, PolicyRule, PrincipalType, RedactionRule, SideEffectClass,
};
use uiap_protocol::policy_test::PolicyTestFacts;
use uiap_protocol::wire::JsonObject;

/// What stands for any characters in a pattern.
const ANYTHING: &str = "anything";
/// The rights that form a ladder: who has a later one has the earlier ones.
const LADDER: [Grant; 5] = [Grant::Observe, Grant::Guide, Grant::Draft, Grant::Act, Grant::Admin];
/// The rights that stand for themselves.
const OTHER_GRANTS: [Grant; 6] = [
    Grant::ReadSensitive,
    Grant::ReadSecret,
    Grant::WriteSensitive,
    Grant::Billing,
    Grant::Identity,
    Grant::Security,
];
const SIDE_EFFECTS: [SideEffectClass; 13] = [
    SideEffectClass::LocalUi,
    SideEffectClass::None,
    SideEffectClass::Navigation,
    SideEffectClass::Draft,
    SideEffectClass::ReversibleWrite,
    SideEffectClass::PersistentWrite,
    SideEffectClass::Unknown,
    SideEffectClass::ExternalEffect,
    SideEffectClass::Destructive,
    SideEffectClass::Irreversible,
    SideEffectClass::BillingChange,
    SideEffectClass::SecurityChange,
    SideEffectClass::IdentityChange,
];

/// A question, and who asks.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) principal: PolicyPrincipal,
    pub(super) facts: PolicyTestFacts,
}

impl Question {
    /// The question as a policy test would ask it.
    pub(super) fn into_facts(self) -> PolicyTestFacts {
        PolicyTestFacts { principal: Some(self.principal), ..self.facts }
    }

    /// Somebody with every right asks for something that changes nothing but the page.
    fn harmless(action: &str) -> Option<Self> {
        let facts = PolicyTestFacts {
            principal: None,
            action: ActionId::new(action).ok()?,
            known: None,
            target: None,
            scopes: None,
            role: None,
            name: None,
            sensitive: None,
            route: None,
            risk: Some(risk(RiskLevel::Safe)),
            side_effect: Some(SideEffectClass::LocalUi),
            data_classes: None,
            mode: None,
        };
        Some(Self { principal: agent(all_grants())?, facts })
    }
}

fn agent(grants: Vec<Grant>) -> Option<PolicyPrincipal> {
    let id = Id::new("anyone").ok()?;
    Some(PolicyPrincipal { r#type: PrincipalType::Agent, id, roles: None, grants: Some(grants) })
}

fn all_grants() -> Vec<Grant> {
    LADDER.into_iter().chain(OTHER_GRANTS).collect()
}

/// All rights but one; of the ladder, all below it.
fn grants_without(lacking: &Grant) -> Vec<Grant> {
    let step = LADDER.iter().position(|grant| grant == lacking);
    let below = LADDER.into_iter().take(step.unwrap_or(LADDER.len()));
    below.chain(OTHER_GRANTS.into_iter().filter(|grant| grant != lacking)).collect()
}

fn risk(level: RiskLevel) -> RiskDescriptor {
    RiskDescriptor { level, tags: None, reason: None, extra: JsonObject::default() }
}

/// An id that a pattern matches.
fn matched(pattern: &Text) -> String {
    pattern.as_str().replace('*', ANYTHING)
}

/// Questions that a rule speaks about, as far as its conditions can be fulfilled.
pub(super) fn about_rule(rule: &PolicyRule) -> Vec<Question> {
    let actions = ["any.action", PrimitiveAction::Activate.as_str(), PrimitiveAction::Read.as_str()];
    let bases = actions.into_iter().filter_map(Question::harmless);
    bases.flat_map(|base| fulfilling(&rule.when, base)).collect()
}

/// Variants of a question that fulfil a condition: every item of every member once, the others by their first.
fn fulfilling(when: &PolicyMatch, base: Question) -> Vec<Question> {
    let mut first = base;
    for member in members(when) {
        if let Some(set) = member.first() {
            set(&mut first);
        }
    }
    let mut questions = vec![first.clone()];
    for member in members(when) {
        for set in member.iter().skip(1) {
            let mut question = first.clone();
            set(&mut question);
            questions.push(question);
        }
    }
    // What the condition leaves open may matter to other rules and to the floors.
    if when.side_effects.is_none() {
        let open = SIDE_EFFECTS.into_iter().map(|class| {
            let mut question = first.clone();
            question.facts.side_effect = Some(class);
            question
        });
        questions.extend(open.collect::<Vec<_>>());
    }
    let exceptions = when.not.iter().flat_map(|not| fulfilling(not, first.clone()));
    questions.extend(exceptions.collect::<Vec<_>>());
    questions
}

type Set<'w> = Box<dyn Fn(&mut Question) + 'w>;

/// What each member of a condition asks for, item by item.
fn members(when: &PolicyMatch) -> Vec<Vec<Set<'_>>> {
    fn each<'w, T>(list: Option<&'w Vec<T>>, set: impl Fn(&mut Question, &'w T) + Copy + 'w) -> Vec<Set<'w>> {
        let items = list.into_iter().flatten();
        items.map(|item| Box::new(move |question: &mut Question| set(question, item)) as Set<'w>).collect()
    }
    vec![
        each(when.action_kinds.as_ref(), |question, kind| {
            let action = match kind {
                DescribedKind::Primitive => PrimitiveAction::Activate.as_str(),
                DescribedKind::Domain => "any.action",
            };
            question.facts.action = ActionId::new(action).unwrap_or_else(|_| question.facts.action.clone());
        }),
        each(when.actions.as_ref(), |question, pattern| {
            let id = ActionId::new(matched(pattern));
            question.facts.action = id.unwrap_or_else(|_| question.facts.action.clone());
        }),
        each(when.targets.as_ref(), |question, pattern| {
            question.facts.target = StableId::new(matched(pattern)).ok();
        }),
        each(when.scopes.as_ref(), |question, pattern| {
            question.facts.scopes = ScopeId::new(matched(pattern)).ok().map(|scope| vec![scope]);
        }),
        each(when.routes.as_ref(), |question, pattern| {
            question.facts.route = RouteId::new(matched(pattern)).ok();
        }),
        each(when.roles.as_ref(), |question, role| question.facts.role = Some(role.clone())),
        each(when.risk_levels.as_ref(), |question, level| {
            if let Some(risk) = &mut question.facts.risk {
                risk.level = *level;
            }
        }),
        each(when.risk_tags.as_ref(), |question, tag| {
            if let Some(risk) = &mut question.facts.risk {
                risk.tags = Some(vec![tag.clone()]);
            }
        }),
        each(when.side_effects.as_ref(), |question, class| question.facts.side_effect = Some(*class)),
        each(when.data_classes.as_ref(), |question, class| {
            question.facts.data_classes = Some(vec![*class]);
        }),
        each(when.principal_types.as_ref(), |question, r#type| question.principal.r#type = *r#type),
        each(when.principal_roles.as_ref(), |question, role| {
            question.principal.roles = Some(vec![role.to_string()]);
        }),
        each(when.lacks_grant.as_ref(), |question, grant| {
            question.principal.grants = Some(grants_without(grant));
        }),
        each(when.has_grant.as_ref(), |question, grant| {
            let held = question.principal.grants.get_or_insert_default();
            if !held.contains(grant) {
                held.push(grant.clone());
            }
        }),
        each(when.execution_modes.as_ref(), |question, mode| question.facts.mode = Some(*mode)),
    ]
}

/// Questions that no rule need speak about.
pub(super) fn about_defaults() -> Vec<Question> {
    let actions = ["any.action", PrimitiveAction::Activate.as_str(), PrimitiveAction::Read.as_str()];
    let without_reading = LADDER.into_iter().chain([Grant::WriteSensitive]).collect::<Vec<_>>();
    let mut questions = Vec::new();
    for grants in [all_grants(), Vec::new(), without_reading] {
        for data in [None, Some(DataClass::Sensitive), Some(DataClass::Secret)] {
            for level in [RiskLevel::Safe, RiskLevel::Confirm, RiskLevel::Blocked] {
                for known in [None, Some(false)] {
                    for class in SIDE_EFFECTS {
                        for mut question in actions.into_iter().filter_map(Question::harmless) {
                            question.principal.grants = Some(grants.clone());
                            question.facts.data_classes = data.map(|class| vec![class]);
                            question.facts.risk = Some(risk(level));
                            question.facts.known = known;
                            question.facts.side_effect = Some(class);
                            questions.push(question);
                        }
                    }
                }
            }
        }
    }
    questions
}

/// The kinds of user of a bundle, and an agent that may act.
fn principals(bundle: &CompiledBundle) -> Vec<PolicyPrincipal> {
    let profiles = bundle.app.principal_profiles.iter().flatten().map(|profile| PolicyPrincipal {
        r#type: PrincipalType::Agent,
        id: profile.id.clone(),
        roles: profile.roles.clone(),
        grants: profile.grants.clone(),
    });
    profiles.chain(agent(vec![Grant::Act])).collect()
}

/// Requests for the actions of a bundle.
pub(super) fn about_actions(bundle: &CompiledBundle) -> impl Iterator<Item = Question> {
    let authored = bundle.actions.iter().flatten().map(|action| &action.descriptor);
    let described = authored.chain(bundle.capabilities.iter().flat_map(|document| &document.actions));
    let principals = principals(bundle);
    described.flat_map(move |action: &ActionDescriptor| {
        let mut questions = Vec::new();
        for principal in &principals {
            let Some(mut question) = Question::harmless(action.id.as_str()) else { continue };
            question.principal = principal.clone();
            question.facts.risk = Some(action.risk.clone());
            question.facts.side_effect = None;
            questions.push(question);
        }
        questions
    })
}

/// Pressing and reading the elements of a bundle.
pub(super) fn about_elements(bundle: &CompiledBundle) -> impl Iterator<Item = Question> {
    let elements = bundle.bindings.iter().flat_map(|bindings| bindings.elements.iter().flatten());
    let principals = principals(bundle);
    elements.flat_map(move |element| {
        let mut questions = Vec::new();
        for action in [PrimitiveAction::Activate, PrimitiveAction::Read] {
            for principal in &principals {
                let Some(mut question) = Question::harmless(action.as_str()) else { continue };
                question.principal = principal.clone();
                question.facts.target = Some(element.id.clone());
                question.facts.scopes = element.scope_id.clone().map(|scope| vec![scope]);
                question.facts.role.clone_from(&element.role);
                question.facts.route = element.route_ids.iter().flatten().next().cloned();
                question.facts.risk = Some(risk(element.risk.unwrap_or(RiskLevel::Safe)));
                question.facts.data_classes.clone_from(&element.data_classes);
                questions.push(question);
            }
        }
        questions
    })
}

/// Values that a redaction rule speaks about, for somebody without rights and for those whom it lets through.
pub(super) fn about_redaction(rule: &RedactionRule) -> Vec<ValueQuestion> {
    fn options<T: Clone>(list: Option<Vec<T>>) -> Vec<Option<T>> {
        match list {
            None => vec![None],
            Some(list) => list.into_iter().map(Some).collect(),
        }
    }
    let when = &rule.when;
    let targets = options(when.targets.clone());
    let routes = options(when.routes.clone());
    let grants = std::iter::once(Vec::new())
        .chain(rule.unless_grant.iter().flatten().map(|grant| vec![grant.clone()]))
        .chain([all_grants()]);
    let mut questions = Vec::new();
    for principal in grants.filter_map(agent) {
        for class in options(when.data_classes.clone()) {
            for target in &targets {
                for route in &routes {
                    questions.push(ValueQuestion {
                        principal: principal.clone(),
                        data_classes: class.into_iter().collect(),
                        target: target.as_ref().and_then(|pattern| StableId::new(matched(pattern)).ok()),
                        route: route.as_ref().and_then(|pattern| RouteId::new(matched(pattern)).ok()),
                        sensitive: when.sensitive.unwrap_or(false),
                    });
                }
            }
        }
    }
    questions
}
