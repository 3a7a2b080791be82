//! Steps of workflows.

use super::changes::{Changes, Met, Pair, meet, quoted};
use super::place::At;
use super::rules::Rule;
use super::witness::{Witness, json};
use super::workflows::timeout;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use uiap_protocol::action::PresentationHints;
use uiap_protocol::ids::{Id, Text};
use uiap_protocol::workflow::{Outcome, RetrySpec, StepBody, WorkflowDefinition, WorkflowStep};

pub(super) fn compare(
    at: &At<'_>,
    (old, new): (&WorkflowDefinition, &WorkflowDefinition),
    ways: &Ways<'_>,
    changes: &mut Changes,
) {
    for met in meet(Some(&old.steps), Some(&new.steps), |step| step.id.as_str()) {
        match met {
            Met::Gone(place, step) => {
                let message = format!("The step \"{}\" of \"{}\" is gone.", step.id, new.id);
                let witness = run_at(old, step, &step, &serde_json::Value::Null);
                changes.add(Rule::StepRemoved, &at.gone(place), message, witness);
            }
            Met::Came(place, step) => {
                let message = format!("The step \"{}\" of \"{}\" is new.", step.id, new.id);
                let witness = run_at(new, step, &serde_json::Value::Null, &step);
                changes.add(Rule::StepAdded, &at.came(place), message, witness);
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                let who = format!("The step \"{}\" of \"{}\"", is.id, new.id);
                let mut comparison = Comparison { ways, new, step: is, who, changes };
                comparison.step(&at.both(was_at, is_at), was);
            }
        }
    }
}

fn run_at(
    workflow: &WorkflowDefinition,
    step: &WorkflowStep,
    was: &impl Serialize,
    is: &impl Serialize,
) -> Witness {
    Witness::Step { workflow_id: workflow.id.clone(), step_id: step.id.clone(), was: json(was), is: json(is) }
}

/// Most new instructions in a row that are looked through.
const INSERTED_MAX: usize = 64;

/// The steps of two states of a workflow, by id.
pub(super) struct Ways<'w> {
    known: HashSet<&'w str>,
    by_id: HashMap<&'w str, &'w WorkflowStep>,
}

impl<'w> Ways<'w> {
    pub(super) fn new(old: &'w WorkflowDefinition, new: &'w WorkflowDefinition) -> Self {
        Self {
            known: old.steps.iter().map(|step| step.id.as_str()).collect(),
            by_id: new.steps.iter().map(|step| (step.id.as_str(), step)).collect(),
        }
    }

    /// Whether the way to a step now leads through new instructions, and then to where it led before.
    pub(super) fn only_say_more(&self, was: &Id, is: &Id) -> bool {
        let mut next = is;
        for _ in 0..INSERTED_MAX {
            match self.by_id.get(next.as_str()) {
                Some(WorkflowStep {
                    when: None, body: StepBody::Instruction { next: further, .. }, ..
                }) if !self.known.contains(next.as_str()) => {
                    next = further;
                }
                _ => return false,
            }
            if next == was {
                return true;
            }
        }
        false
    }
}

/// One step that is in both workflows.
struct Comparison<'c> {
    ways: &'c Ways<'c>,
    new: &'c WorkflowDefinition,
    step: &'c WorkflowStep,
    who: String,
    changes: &'c mut Changes,
}

impl Comparison<'_> {
    fn differs<T: PartialEq + Serialize>(&mut self, rule: Rule, at: &At<'_>, old: &T, new: &T, what: &str) {
        if old != new {
            let witness = run_at(self.new, self.step, old, new);
            self.changes.add(rule, at, format!("{} {what}.", self.who), witness);
        }
    }

    fn step(&mut self, at: &At<'_>, old: &WorkflowStep) {
        let new = self.step;
        let who = self.who.clone();
        let rule = Rule::StepTextChanged;
        self.changes.text(rule, &at.member("title"), (old.title.as_ref(), new.title.as_ref()), &who);
        self.changes.text(rule, &at.member("text"), (old.text.as_ref(), new.text.as_ref()), &who);
        let rule = Rule::StepConditionChanged;
        self.differs(rule, &at.member("when"), &old.when, &new.when, "is taken under other conditions");
        let what = format!("leads to {} after a failure", quoted(new.on_error.as_ref()));
        let rule = Rule::StepErrorPathChanged;
        self.differs(rule, &at.member("onError"), &old.on_error, &new.on_error, &what);
        if old.body.word() == new.body.word() {
            self.body(at, &old.body, &new.body);
        } else {
            let what = format!("is of the type {}; it was {}", new.body.word(), old.body.word());
            // The whole step is another one, so its place stands for all of its members.
            let witness = run_at(self.new, new, old, new);
            self.changes.add(Rule::StepTypeChanged, at, format!("{who} {what}."), witness);
        }
    }

    fn next(&mut self, at: &At<'_>, was: &Id, is: &Id) {
        if was == is {
            return;
        }
        let inserted = self.ways.only_say_more(was, is);
        let rule = if inserted { Rule::StepInserted } else { Rule::StepTransitionChanged };
        self.differs(rule, &at.member("next"), was, is, &format!("leads to \"{is}\"; it was \"{was}\""));
    }

    fn body(&mut self, at: &At<'_>, old: &StepBody, new: &StepBody) {
        match (old, new) {
            (
                StepBody::Instruction { next, presentation },
                StepBody::Instruction { next: new_next, presentation: new_presentation },
            ) => {
                self.next(at, next, new_next);
                self.presentation(
                    &at.member("presentation"),
                    presentation.as_ref(),
                    new_presentation.as_ref(),
                );
            }
            (
                StepBody::Collect { parameters, next },
                StepBody::Collect { parameters: new_parameters, next: new_next },
            ) => {
                self.next(at, next, new_next);
                self.collected(&at.member("parameters"), parameters, new_parameters);
            }
            (StepBody::Action { .. }, StepBody::Action { .. }) => self.action(at, old, new),
            (StepBody::Ensure { .. }, StepBody::Ensure { .. }) => self.ensure(at, old, new),
            (
                StepBody::Branch { cases, otherwise },
                StepBody::Branch { cases: new_cases, otherwise: new_otherwise },
            ) => {
                let rule = Rule::StepTransitionChanged;
                self.differs(rule, &at.member("cases"), cases, new_cases, "chooses differently");
                let at = at.member("otherwise");
                self.differs(rule, &at, otherwise, new_otherwise, "leads elsewhere if no case holds");
            }
            (
                StepBody::Handoff { reason, resume_when, next },
                StepBody::Handoff { reason: new_reason, resume_when: new_resume, next: new_next },
            ) => {
                self.next(at, next, new_next);
                let who = self.who.clone();
                let texts = (reason.as_ref(), new_reason.as_ref());
                self.changes.text(Rule::StepTextChanged, &at.member("reason"), texts, &who);
                let at = at.member("resumeWhen");
                let rule = Rule::StepConditionChanged;
                self.differs(rule, &at, resume_when, new_resume, "goes on under other conditions");
            }
            (StepBody::Complete { outcome }, StepBody::Complete { outcome: new_outcome }) => {
                let ends = |outcome: &Option<Outcome>| outcome.unwrap_or(Outcome::Success);
                let at = at.member("outcome");
                if ends(outcome) == ends(new_outcome) && outcome != new_outcome {
                    self.changes.respelled(&at, outcome, new_outcome);
                } else {
                    self.differs(Rule::StepOutcomeChanged, &at, outcome, new_outcome, "ends differently");
                }
            }
            // Steps of different types were told apart before.
            _ => {}
        }
    }

    fn presentation(
        &mut self,
        at: &At<'_>,
        old: Option<&PresentationHints>,
        new: Option<&PresentationHints>,
    ) {
        self.changes.respelled_object(at, old, new);
        let nothing = PresentationHints::default();
        let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
        let rule = Rule::StepPresentationChanged;
        let what = "is shown differently";
        self.differs(rule, &at.member("ghostCursor"), &old.ghost_cursor, &new.ghost_cursor, what);
        self.differs(rule, &at.member("highlight"), &old.highlight, &new.highlight, what);
        self.differs(rule, &at.member("narration"), &old.narration, &new.narration, what);
        self.differs(rule, &at.member("pace"), &old.pace, &new.pace, what);
    }

    fn collected(&mut self, at: &At<'_>, old: &Vec<Text>, new: &Vec<Text>) {
        let rules = Pair { gone: Rule::StepCollectsLess, came: Rule::StepCollectsMore };
        let (workflow, step) = (self.new, self.step);
        self.changes.words(rules, at, (Some(old), Some(new)), &self.who, |name, came| {
            let asks = if came { "asks" } else { "does not ask any more" };
            (format!("{asks} for the parameter \"{name}\""), run_at(workflow, step, old, new))
        });
    }

    fn action(&mut self, at: &At<'_>, old: &StepBody, new: &StepBody) {
        let (
            StepBody::Action { action_id, target, args, verification, retry, next },
            StepBody::Action {
                action_id: new_action,
                target: new_target,
                args: new_args,
                verification: new_verification,
                retry: new_retry,
                next: new_next,
            },
        ) = (old, new)
        else {
            return;
        };
        let what = format!("requests \"{new_action}\"; it was \"{action_id}\"");
        self.differs(Rule::StepActionChanged, &at.member("actionId"), action_id, new_action, &what);
        let what = "is aimed at something else";
        self.differs(Rule::StepTargetChanged, &at.member("target"), target, new_target, what);
        let what = "has other arguments";
        self.differs(Rule::StepArgumentsChanged, &at.member("args"), args, new_args, what);
        let rule = Rule::StepVerificationChanged;
        let what = "is verified differently";
        self.differs(rule, &at.member("verification"), verification, new_verification, what);
        self.retry(&at.member("retry"), retry.as_ref(), new_retry.as_ref());
        self.next(at, next, new_next);
    }

    fn retry(&mut self, at: &At<'_>, old: Option<&RetrySpec>, new: Option<&RetrySpec>) {
        let most = |retry: Option<&RetrySpec>| retry.map(|retry| retry.max);
        let (was, is) = (most(old), most(new));
        let at = at.member("max");
        let (before, after) = (was.unwrap_or_default(), is.unwrap_or_default());
        match after.cmp(&before) {
            std::cmp::Ordering::Less => {
                self.differs(Rule::StepRetryLowered, &at, &was, &is, "is tried again less often");
            }
            std::cmp::Ordering::Greater => {
                self.differs(Rule::StepRetryRaised, &at, &was, &is, "is tried again more often");
            }
            std::cmp::Ordering::Equal if was != is => self.changes.respelled(&at, &was, &is),
            std::cmp::Ordering::Equal => {}
        }
    }

    fn ensure(&mut self, at: &At<'_>, old: &StepBody, new: &StepBody) {
        let (
            StepBody::Ensure { signals, conditions, policy, timeout_ms, next, otherwise },
            StepBody::Ensure {
                signals: new_signals,
                conditions: new_conditions,
                policy: new_policy,
                timeout_ms: new_timeout,
                next: new_next,
                otherwise: new_otherwise,
            },
        ) = (old, new)
        else {
            return;
        };
        let what = "waits for other signals";
        let rule = Rule::StepVerificationChanged;
        self.differs(rule, &at.member("signals"), signals, new_signals, what);
        self.differs(rule, &at.member("policy"), policy, new_policy, "asks for more or fewer signals");
        let rule = Rule::StepConditionChanged;
        self.differs(rule, &at.member("conditions"), conditions, new_conditions, "waits for something else");
        let rules = Pair { gone: Rule::StepTimeoutShortened, came: Rule::StepTimeoutLengthened };
        let who = self.who.clone();
        timeout(rules, &at.member("timeoutMs"), (*timeout_ms, *new_timeout), &who, self.changes);
        self.next(at, next, new_next);
        let rule = Rule::StepTransitionChanged;
        let what = "leads elsewhere if nothing holds";
        self.differs(rule, &at.member("otherwise"), otherwise, new_otherwise, what);
    }
}
