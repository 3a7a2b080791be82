//! The same questions to the policies of both bundles.

use super::super::rules::Rule;
use super::super::witness::{ValueQuestion, Witness};
use super::questions::{
    Question, about_actions, about_defaults, about_elements, about_redaction, about_rule,
};
use std::collections::HashMap;
use uiap_policy::redact::ValueFacts;
use uiap_policy::{CompiledPolicy, Decision, Facts, TargetFacts};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{DescribedKind, PrimitiveAction, RiskDescriptor, RiskLevel};
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{PolicyDocument, PolicyObligation, RedactionMode, SideEffectClass};
use uiap_protocol::policy_test::PolicyTestFacts;
use uiap_protocol::wire::JsonObject;

/// Most questions about one change.
const QUESTIONS_MAX: usize = 50_000;
/// Most questions about actions and elements of the bundles.
const REAL_QUESTIONS_MAX: usize = 20_000;

/// The policies of both bundles.
pub(super) struct Trial {
    policies: Option<(CompiledPolicy, CompiledPolicy)>,
    /// What differs about what the bundles hold, by the rules that spoke.
    real: HashMap<Id, Vec<(Rule, Witness)>>,
}

impl Trial {
    /// Without policies that can be compiled no question has an answer, and every change stays unproven.
    pub(super) fn new(old: &CompiledBundle, new: &CompiledBundle) -> Self {
        let compiled = |bundle: &CompiledBundle| {
            let documents = bundle.policies.iter().flatten().map(|policy| policy.document.clone());
            CompiledPolicy::compile(documents).ok()
        };
        let mut trial = Self { policies: compiled(old).zip(compiled(new)), real: HashMap::new() };
        let Some((was, is)) = &trial.policies else { return trial };
        for question in about_actions(old).chain(about_elements(old)).take(REAL_QUESTIONS_MAX) {
            let (before, after) = (decide(was, &question), decide(is, &question));
            let Some((rule, witness)) = difference(&question, &before, &after) else { continue };
            for spoke in before.rules().chain(after.rules()) {
                let found = trial.real.entry(spoke.id.clone()).or_default();
                if !found.iter().any(|(known, _)| *known == rule) {
                    found.push((rule, witness.clone()));
                }
            }
        }
        trial
    }

    fn real(&self, rule: &Id) -> impl Iterator<Item = (Rule, Witness)> {
        self.real.get(rule).into_iter().flatten().cloned()
    }

    /// What differs because of a rule: first among what the bundles hold, then among what its conditions describe.
    pub(super) fn of_rule(
        &self,
        rule: &Id,
        questions: impl IntoIterator<Item = Question>,
    ) -> Vec<(Rule, Witness)> {
        gravest(self.real(rule).chain(self.answered(questions)))
    }

    /// What differs because of a whole document.
    pub(super) fn of_document(&self, document: &PolicyDocument) -> Vec<(Rule, Witness)> {
        let real = document.rules.iter().flat_map(|rule| self.real(&rule.id));
        let rules = document.rules.iter().flat_map(about_rule);
        let mut found = gravest(real.chain(self.answered(rules.chain(about_defaults()))));
        found.extend(self.of_values(document.redaction.iter().flatten().flat_map(about_redaction)));
        found
    }

    /// What differs among some questions.
    pub(super) fn ask(&self, questions: impl IntoIterator<Item = Question>) -> Vec<(Rule, Witness)> {
        gravest(self.answered(questions))
    }

    fn answered(
        &self,
        questions: impl IntoIterator<Item = Question>,
    ) -> impl Iterator<Item = (Rule, Witness)> {
        let questions = questions.into_iter().take(QUESTIONS_MAX);
        questions.filter_map(|question| {
            let (was, is) = self.policies.as_ref()?;
            difference(&question, &decide(was, &question), &decide(is, &question))
        })
    }

    /// What differs among some values that would leave.
    pub(super) fn of_values(
        &self,
        questions: impl IntoIterator<Item = ValueQuestion>,
    ) -> Vec<(Rule, Witness)> {
        let Some((was, is)) = &self.policies else { return Vec::new() };
        let strictness = |mode: Option<RedactionMode>| match mode {
            None => 0,
            Some(RedactionMode::Hash) => 1,
            Some(RedactionMode::Mask) => 2,
            Some(RedactionMode::Omit) => 3,
        };
        let questions = questions.into_iter().take(QUESTIONS_MAX);
        gravest(questions.filter_map(|question| {
            let value = ValueFacts {
                data_classes: &question.data_classes,
                target: question.target.as_ref(),
                route: question.route.as_ref(),
                sensitive: question.sensitive,
            };
            let before = was.redaction(&value, &question.principal);
            let after = is.redaction(&value, &question.principal);
            let rule = match strictness(after).cmp(&strictness(before)) {
                std::cmp::Ordering::Greater => Rule::RedactionStricter,
                std::cmp::Ordering::Less => Rule::RedactionLooser,
                std::cmp::Ordering::Equal => return None,
            };
            let value = Box::new(question);
            Some((rule, Witness::Redaction { value, was: before, is: after }))
        }))
    }
}

/// The first difference of each rule. Other obligations matter only where no answer differs.
fn gravest(differences: impl Iterator<Item = (Rule, Witness)>) -> Vec<(Rule, Witness)> {
    let mut found: Vec<(Rule, Witness)> = Vec::new();
    let effects = [Rule::PolicyStricter, Rule::PolicyLooser];
    for (rule, witness) in differences {
        if !found.iter().any(|(known, _)| *known == rule) {
            found.push((rule, witness));
        }
        if effects.iter().all(|effect| found.iter().any(|(known, _)| known == effect)) {
            break;
        }
    }
    if found.iter().any(|(rule, _)| effects.contains(rule)) {
        found.retain(|(rule, _)| *rule != Rule::PolicyObligationsChanged);
    }
    found
}

fn difference(question: &Question, old: &Decision<'_>, new: &Decision<'_>) -> Option<(Rule, Witness)> {
    let facts = || Box::new(question.clone().into_facts());
    let (was, is) = (old.effect(), new.effect());
    if was != is {
        let rule = if is > was { Rule::PolicyStricter } else { Rule::PolicyLooser };
        return Some((rule, Witness::Decision { facts: facts(), was, is }));
    }
    let (was, is): (Vec<_>, Vec<_>) = (old.obligations().collect(), new.obligations().collect());
    let within =
        |some: &[&PolicyObligation], all: &[&PolicyObligation]| some.iter().all(|one| all.contains(one));
    if within(&was, &is) && within(&is, &was) {
        return None;
    }
    let owned = |list: Vec<&PolicyObligation>| list.into_iter().cloned().collect();
    let witness = Witness::Obligations { facts: facts(), was: owned(was), is: owned(is) };
    Some((Rule::PolicyObligationsChanged, witness))
}

fn decide<'p>(policy: &'p CompiledPolicy, question: &Question) -> Decision<'p> {
    let Question { principal, facts: PolicyTestFacts { action, route, mode, .. } } = question;
    let asked = &question.facts;
    let primitive = PrimitiveAction::from_word(action.as_str()).is_some();
    let safe =
        RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::default() };
    policy.decide(&Facts {
        principal,
        action,
        action_kind: if primitive { DescribedKind::Primitive } else { DescribedKind::Domain },
        action_known: asked.known.unwrap_or(true),
        target: Some(TargetFacts {
            stable_id: asked.target.as_ref(),
            scopes: asked.scopes.as_deref().unwrap_or_default(),
            role: asked.role.as_ref(),
            sensitive: asked.sensitive.unwrap_or(false),
        }),
        route: route.as_ref(),
        risk: asked.risk.as_ref().unwrap_or(&safe),
        side_effect: asked.side_effect.unwrap_or(SideEffectClass::Unknown),
        guess: None,
        data_classes: asked.data_classes.as_deref().unwrap_or_default(),
        mode: *mode,
    })
}
