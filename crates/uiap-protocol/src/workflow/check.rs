//! What can be wrong with a workflow beyond its shape.

use super::{
    ParameterType, RecoveryMeasure, StepBody, WorkflowCondition, WorkflowDefinition, WorkflowParameter,
    WorkflowStep,
};
use crate::finding::Code;
use crate::ids::{Id, Text};
use crate::wire::{Decoder, nearest};
use std::collections::{HashMap, HashSet};

/// A way out of a step: the member that names it, inside `cases` of a branch with its index.
struct Exit<'w> {
    case: Option<usize>,
    member: &'static str,
    to: &'w Id,
}

fn exits(step: &WorkflowStep) -> Vec<Exit<'_>> {
    let exit = |member, to| Exit { case: None, member, to };
    let mut exits = match &step.body {
        StepBody::Instruction { next, .. }
        | StepBody::Collect { next, .. }
        | StepBody::Action { next, .. }
        | StepBody::Handoff { next, .. } => vec![exit("next", next)],
        StepBody::Ensure { next, otherwise, .. } => {
            let otherwise = otherwise.iter().map(|to| exit("otherwise", to));
            std::iter::once(exit("next", next)).chain(otherwise).collect()
        }
        StepBody::Branch { cases, otherwise } => {
            let cases = cases.iter().enumerate();
            let cases = cases.map(|(index, case)| Exit { case: Some(index), member: "next", to: &case.next });
            cases.chain(std::iter::once(exit("otherwise", otherwise))).collect()
        }
        StepBody::Complete { .. } => Vec::new(),
    };
    exits.extend(step.on_error.iter().map(|to| exit("onError", to)));
    exits
}

pub(super) fn workflow(workflow: &WorkflowDefinition, decoder: &mut Decoder<'_>) {
    decoder.unique("steps", workflow.steps.iter().map(|step| step.id.as_str()));
    let steps: Steps<'_> = workflow.steps.iter().map(|step| (step.id.as_str(), step)).collect();
    let sound =
        exits_lead_somewhere(workflow, &steps, decoder) & recovery_leads_somewhere(workflow, &steps, decoder);
    // With a way missing nearly everything is unreachable; saying so would bury the reason.
    if sound {
        everything_is_reached(workflow, &steps, decoder);
    }
    parameters_are_declared(workflow, decoder);
}

type Steps<'w> = HashMap<&'w str, &'w WorkflowStep>;

fn exits_lead_somewhere(workflow: &WorkflowDefinition, steps: &Steps<'_>, decoder: &mut Decoder<'_>) -> bool {
    let mut sound = true;
    if !steps.contains_key(workflow.initial_step_id.as_str()) {
        sound = false;
        decoder.at("initialStepId", |decoder| no_such_step(&workflow.initial_step_id, steps, decoder));
    }
    for (index, step) in workflow.steps.iter().enumerate() {
        for exit in exits(step).into_iter().filter(|exit| !steps.contains_key(exit.to.as_str())) {
            sound = false;
            at_step(index, decoder, |decoder| match exit.case {
                None => decoder.at(exit.member, |decoder| no_such_step(exit.to, steps, decoder)),
                Some(case) => decoder.at("cases", |decoder| {
                    decoder.at_index(case, |decoder| {
                        decoder.at(exit.member, |decoder| no_such_step(exit.to, steps, decoder));
                    });
                }),
            });
        }
    }
    sound
}

fn recovery_leads_somewhere(
    workflow: &WorkflowDefinition,
    steps: &Steps<'_>,
    decoder: &mut Decoder<'_>,
) -> bool {
    let mut sound = true;
    for (index, rule) in workflow.recovery.iter().flatten().enumerate() {
        let missing = rule.r#do == RecoveryMeasure::Goto && rule.step_id.is_none();
        let dangling = rule.step_id.as_ref().filter(|id| !steps.contains_key(id.as_str()));
        sound &= !missing && dangling.is_none();
        decoder.at("recovery", |decoder| {
            decoder.at_index(index, |decoder| {
                if missing {
                    let message = "A recovery by goto must say where to in \"stepId\".";
                    decoder.error_with_help(Code::MissingMember, message, "Add \"stepId\".");
                }
                if let Some(id) = dangling {
                    decoder.at("stepId", |decoder| no_such_step(id, steps, decoder));
                }
            });
        });
    }
    sound
}

fn no_such_step(id: &Id, steps: &Steps<'_>, decoder: &mut Decoder<'_>) {
    let near = if decoder.is_full() { Vec::new() } else { nearest(id.as_str(), steps.keys().copied(), 1) };
    let help = match near.first() {
        Some(near) => format!("Did you mean \"{near}\"?"),
        None => "Add the step, or name one that exists.".to_owned(),
    };
    let message = format!("There is no step \"{id}\" in this workflow.");
    decoder.error_with_help(Code::DanglingReference, message, help);
}

fn everything_is_reached(workflow: &WorkflowDefinition, steps: &Steps<'_>, decoder: &mut Decoder<'_>) {
    let mut reached = HashSet::new();
    reach(workflow.initial_step_id.as_str(), steps, &mut reached);
    let ends = |id: &str| steps.get(id).is_some_and(|step| matches!(step.body, StepBody::Complete { .. }));
    if !reached.iter().any(|id| ends(id)) {
        let message = "No complete step can be reached from the first step.";
        decoder.at("steps", |decoder| decoder.error(Code::UnreachableStep, message));
    }
    for id in workflow.recovery.iter().flatten().filter_map(|rule| rule.step_id.as_ref()) {
        reach(id.as_str(), steps, &mut reached);
    }
    for (index, step) in workflow.steps.iter().enumerate() {
        if !reached.contains(step.id.as_str()) {
            let message = format!("The step \"{}\" cannot be reached.", step.id);
            let help = "Lead to it from another step, or remove it.";
            at_step(index, decoder, |decoder| decoder.warning(Code::UnreachableStep, message, help));
        }
    }
}

/// Adds every step that a step leads to.
fn reach<'w>(from: &'w str, steps: &Steps<'w>, reached: &mut HashSet<&'w str>) {
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if let Some(step) = steps.get(id)
            && reached.insert(id)
        {
            open.extend(exits(step).into_iter().map(|exit| exit.to.as_str()));
        }
    }
}

fn parameters_are_declared(workflow: &WorkflowDefinition, decoder: &mut Decoder<'_>) {
    let parameters = workflow.parameters.iter().flatten();
    let declared = decoder.unique("parameters", parameters.map(|parameter| parameter.name.as_str()));
    let undeclared = |used: Vec<&str>, decoder: &mut Decoder<'_>| {
        for name in used.into_iter().filter(|name| !declared.contains(name)) {
            let message = format!("The parameter \"{name}\" is used but not declared.");
            let help = format!("Declare \"{name}\" in \"parameters\".");
            decoder.error_with_help(Code::UndeclaredWord, message, help);
        }
    };
    for (index, step) in workflow.steps.iter().enumerate() {
        at_step(index, decoder, |decoder| undeclared(parameters_of(step), decoder));
    }
    let mut used = Vec::new();
    workflow.entry_conditions.iter().flatten().for_each(|condition| in_condition(condition, &mut used));
    decoder.at("entryConditions", |decoder| undeclared(used, decoder));
}

/// The parameters that a step uses.
fn parameters_of(step: &WorkflowStep) -> Vec<&str> {
    let mut used = Vec::new();
    let mut conditions: Vec<&WorkflowCondition> = step.when.iter().flatten().collect();
    match &step.body {
        StepBody::Collect { parameters, .. } => used.extend(parameters.iter().map(Text::as_str)),
        StepBody::Action { args: Some(args), .. } => {
            args.values().for_each(|value| in_value(value, &mut used));
        }
        StepBody::Ensure { conditions: Some(ensured), .. } => conditions.extend(ensured),
        StepBody::Branch { cases, .. } => conditions.extend(cases.iter().flat_map(|case| &case.when)),
        StepBody::Handoff { resume_when: Some(resumed), .. } => conditions.extend(resumed),
        _ => {}
    }
    conditions.into_iter().for_each(|condition| in_condition(condition, &mut used));
    used
}

fn in_condition<'w>(condition: &'w WorkflowCondition, names: &mut Vec<&'w str>) {
    match condition {
        WorkflowCondition::Parameter { name, .. } => names.push(name.as_str()),
        WorkflowCondition::All { conditions } | WorkflowCondition::Any { conditions } => {
            conditions.iter().for_each(|condition| in_condition(condition, names));
        }
        WorkflowCondition::Not { condition } => in_condition(condition, names),
        _ => {}
    }
}

/// The parameters that a value refers to as `{"$param": "name"}`.
fn in_value<'v>(value: &'v serde_json::Value, names: &mut Vec<&'v str>) {
    match value {
        serde_json::Value::Object(members) => {
            names.extend(members.get("$param").and_then(serde_json::Value::as_str));
            members.values().for_each(|value| in_value(value, names));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| in_value(item, names)),
        _ => {}
    }
}

fn at_step<'t>(index: usize, decoder: &mut Decoder<'t>, body: impl FnOnce(&mut Decoder<'t>)) {
    decoder.at("steps", |decoder| decoder.at_index(index, body));
}

/// The values of a parameter belong to its type.
pub(super) fn parameter(parameter: &WorkflowParameter, decoder: &mut Decoder<'_>) {
    let is_enum = parameter.r#type == ParameterType::Enum;
    match (&parameter.r#enum, &parameter.default) {
        (None, _) if is_enum => {
            let message = "A parameter of type enum must list its values in \"enum\".";
            decoder.error(Code::Inconsistent, message);
        }
        (Some(_), _) if !is_enum => {
            let message = "\"enum\" is only for parameters of type enum.";
            decoder.warning(Code::Inconsistent, message, "Use type enum, or remove \"enum\".");
        }
        (Some(values), Some(default)) if !values.iter().any(|value| default == value.as_str()) => {
            let message = "The default is none of the values in \"enum\".";
            decoder.at("default", |decoder| decoder.error(Code::Inconsistent, message));
        }
        _ => {}
    }
}
