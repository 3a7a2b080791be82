//! Workflows as a whole; their steps and parameters are in modules of their own.

use super::bindings::signals;
use super::changes::{Changes, Met, Pair, meet};
use super::parameters;
use super::place::At;
use super::rules::Rule;
use super::steps::{self, Ways};
use super::witness::{Witness, json};
use uiap_protocol::workflow::{WorkflowDefinition, WorkflowInteractionMode, WorkflowList, WorkflowStart};

pub(super) fn compare(
    at: &At<'_>,
    old: Option<&Vec<WorkflowDefinition>>,
    new: Option<&Vec<WorkflowDefinition>>,
    changes: &mut Changes,
) {
    changes.respelled_list(at, old, new);
    for met in meet(old, new, |workflow| workflow.id.as_str()) {
        match met {
            Met::Gone(place, item) => {
                let message = format!("The workflow \"{}\" is gone.", item.id);
                changes.add(Rule::WorkflowRemoved, &at.gone(place), message, start(item, None));
            }
            Met::Came(place, item) => {
                let message = format!("The workflow \"{}\" is new.", item.id);
                changes.add(Rule::WorkflowAdded, &at.came(place), message, start(item, None));
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                workflow(&at.both(was_at, is_at), was, is, changes);
            }
        }
    }
}

/// The start of a workflow, with all that it demands.
fn start(workflow: &WorkflowDefinition, mode: Option<WorkflowInteractionMode>) -> Witness {
    let parameters = parameters::demanded(workflow);
    let parameters = (!parameters.is_empty()).then_some(parameters);
    Witness::Start { start: Box::new(WorkflowStart { workflow_id: workflow.id.clone(), mode, parameters }) }
}

fn workflow(at: &At<'_>, old: &WorkflowDefinition, new: &WorkflowDefinition, changes: &mut Changes) {
    let who = format!("The workflow \"{}\"", new.id);
    changes.value(Rule::WorkflowVersionChanged, &at.member("version"), (&old.version, &new.version), || {
        format!("{who} has the version {}; it was {}.", new.version, old.version)
    });
    let rule = Rule::WorkflowTitleChanged;
    changes.text(rule, &at.member("title"), (Some(&old.title), Some(&new.title)), &who);
    let texts = (old.description.as_ref(), new.description.as_ref());
    changes.text(Rule::WorkflowDescriptionChanged, &at.member("description"), texts, &who);
    let ways = Ways::new(old, new);
    beginning(at, (old, new), &ways, &who, changes);
    reach(at, old, new, &who, changes);
    parameters::compare(&at.member("parameters"), old, new, changes);
    steps::compare(&at.member("steps"), (old, new), &ways, changes);
    let rules = Pair { gone: Rule::WorkflowSignalRemoved, came: Rule::WorkflowSignalAdded };
    let lists = (old.success_signals.as_ref(), new.success_signals.as_ref());
    signals(rules, &at.member("successSignals"), lists, &who, changes);
    if old.recovery != new.recovery {
        let message = format!("{who} does something else after a failure.");
        let witness = Witness::values(&old.recovery, &new.recovery);
        changes.add(Rule::WorkflowRecoveryChanged, &at.member("recovery"), message, witness);
    }
    let rules = Pair { gone: Rule::WorkflowTimeoutShortened, came: Rule::WorkflowTimeoutLengthened };
    timeout(rules, &at.member("timeoutMs"), (old.timeout_ms, new.timeout_ms), &who, changes);
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &[]);
}

/// Who starts it, how, where and under what conditions.
fn beginning(
    at: &At<'_>,
    (old, new): (&WorkflowDefinition, &WorkflowDefinition),
    ways: &Ways<'_>,
    who: &str,
    changes: &mut Changes,
) {
    if old.category != new.category {
        let list = WorkflowList { route_id: None, category: Some(old.category) };
        let witness = Witness::List { list, workflow_id: new.id.clone() };
        let message = format!("{who} is for {}; it was for {}.", new.category, old.category);
        changes.add(Rule::WorkflowCategoryChanged, &at.member("category"), message, witness);
    }
    if old.start_mode != new.start_mode {
        let message = format!("{who} starts as {}; it was {}.", new.start_mode, old.start_mode);
        changes.add(Rule::WorkflowStartModeChanged, &at.member("startMode"), message, start(old, None));
    }
    let rules = Pair { gone: Rule::WorkflowModeRemoved, came: Rule::WorkflowModeAdded };
    let lists = (Some(&old.interaction_modes), Some(&new.interaction_modes));
    changes.words(rules, &at.member("interactionModes"), lists, who, |mode, came| {
        let runs = if came { "runs" } else { "does not run any more" };
        (format!("{runs} in the mode {mode}"), start(old, Some(*mode)))
    });
    if old.initial_step_id != new.initial_step_id {
        let (was, is) = (&old.initial_step_id, &new.initial_step_id);
        let rule =
            if ways.only_say_more(was, is) { Rule::StepInserted } else { Rule::WorkflowInitialStepChanged };
        let message = format!("{who} begins with \"{is}\"; it was \"{was}\".");
        changes.add(rule, &at.member("initialStepId"), message, start(old, None));
    }
    let rules = Pair { gone: Rule::WorkflowEntryConditionRemoved, came: Rule::WorkflowEntryConditionAdded };
    let lists = (old.entry_conditions.as_ref(), new.entry_conditions.as_ref());
    changes.words(rules, &at.member("entryConditions"), lists, who, |condition, came| {
        let asks = if came { "asks" } else { "does not ask any more" };
        (format!("{asks} for {} before it starts", json(condition)), start(old, None))
    });
}

/// Who may start it, and where it is found.
fn reach(at: &At<'_>, old: &WorkflowDefinition, new: &WorkflowDefinition, who: &str, changes: &mut Changes) {
    let rules = Pair { gone: Rule::WorkflowGrantRemoved, came: Rule::WorkflowGrantAdded };
    let lists = (old.required_grants.as_ref(), new.required_grants.as_ref());
    changes.words(rules, &at.member("requiredGrants"), lists, who, |grant, came| {
        let needs = if came { "needs" } else { "does not need any more" };
        (format!("{needs} the right {grant}"), start(old, None))
    });
    let rules = Pair { gone: Rule::WorkflowRouteRemoved, came: Rule::WorkflowRouteAdded };
    let lists = (old.routes.as_ref(), new.routes.as_ref());
    changes.reach(rules, &at.member("routes"), lists, who, |route| {
        let list = WorkflowList { route_id: route.cloned(), category: None };
        Witness::List { list, workflow_id: new.id.clone() }
    });
}

/// A time within which something must happen; without one there is no end.
pub(super) fn timeout(
    rules: Pair,
    at: &At<'_>,
    (old, new): (Option<u64>, Option<u64>),
    who: &str,
    changes: &mut Changes,
) {
    let time = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let told = |limit: Option<u64>| limit.map_or("no limit".to_owned(), |ms| format!("{ms} ms"));
    if old == new {
        return;
    }
    let rule = if time(new) < time(old) { rules.gone } else { rules.came };
    let message = format!("{who} has {}; it had {}.", told(new), told(old));
    changes.add(rule, at, message, Witness::values(&old, &new));
}
