//! Actions and workflows: what they take, what they change, how risky they are and how one knows that they worked.

use super::{Changes, Class, Subject, texts, written};
use crate::safety::gravity;
use std::collections::BTreeMap;
use uiap_protocol::capability::{ArgDescriptor, RiskLevel, SuccessSignal};
use uiap_protocol::discovery::{DiscoveredAction, DiscoveredWorkflowCandidate, DiscoveryPackage};
use uiap_protocol::policy::SideEffectClass;

pub(super) fn compare(old: &DiscoveryPackage, new: &DiscoveryPackage, changes: &mut Changes) {
    changes.pairs(Subject::Action, &actions(old), &actions(new), action);
    changes.pairs(Subject::Workflow, &workflows(old), &workflows(new), workflow);
}

fn actions(package: &DiscoveryPackage) -> BTreeMap<&str, &DiscoveredAction> {
    package.action_catalog.actions.iter().map(|action| (action.id.as_str(), action)).collect()
}

fn workflows(package: &DiscoveryPackage) -> BTreeMap<&str, &DiscoveredWorkflowCandidate> {
    let all = package.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows);
    all.map(|workflow| (workflow.id.as_str(), workflow)).collect()
}

fn action(changes: &mut Changes, id: &str, old: &DiscoveredAction, new: &DiscoveredAction) {
    let subject = Subject::Action;
    changes.became(subject, id, "kind", &old.kind.to_string(), &new.kind.to_string());
    arguments(changes, id, old.args.as_ref(), new.args.as_ref());
    let signals = |action: &DiscoveredAction| told(action.success_signals.as_ref());
    changes.lists(subject, id, "success signals", &signals(old), &signals(new));
    let class = |action: &DiscoveredAction| action.side_effect_class.unwrap_or(SideEffectClass::Unknown);
    let (was, is) = (class(old), class(new));
    if gravity(was) != gravity(is) {
        let kind = if gravity(is) > gravity(was) { Class::Stricter } else { Class::Looser };
        changes.add(kind, subject, id, format!("The action {id} is {is} now; it was {was}."));
    }
    let level = |action: &DiscoveredAction| {
        action.risk.as_ref().map_or(RiskLevel::Safe, |risk| risk.effective_level(true))
    };
    risk(changes, subject, id, level(old), level(new));
}

/// A level of risk that went up or down.
pub(super) fn risk(changes: &mut Changes, subject: Subject, id: &str, old: RiskLevel, new: RiskLevel) {
    if old != new {
        let class = if new > old { Class::Stricter } else { Class::Looser };
        changes.add(class, subject, id, format!("The risk of {id} is {new} now; it was {old}."));
    }
}

fn arguments(
    changes: &mut Changes,
    id: &str,
    old: Option<&Vec<ArgDescriptor>>,
    new: Option<&Vec<ArgDescriptor>>,
) {
    let named = |list: Option<&Vec<ArgDescriptor>>| -> BTreeMap<String, ArgDescriptor> {
        list.into_iter().flatten().map(|one| (one.name.to_string(), one.clone())).collect()
    };
    let (old, new) = (named(old), named(new));
    let must = |argument: &ArgDescriptor| argument.required == Some(true);
    for (name, was) in &old {
        let told = match new.get(name) {
            None => Some(format!("does not take {name} any more")),
            Some(is) if is.r#type != was.r#type => {
                Some(format!("takes {name} as {} instead of {}", is.r#type, was.r#type))
            }
            Some(is) if must(is) != must(was) => {
                let word = if must(is) { "must have" } else { "need not have" };
                Some(format!("{word} {name} now"))
            }
            Some(is) if is.r#enum != was.r#enum => {
                let values = is.r#enum.clone().unwrap_or_default().join(", ");
                Some(format!("takes other values for {name}: {values}"))
            }
            Some(_) => None,
        };
        if let Some(told) = told {
            changes.meaning(Subject::Action, id, &told);
        }
    }
    for (name, is) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        let word = if must(is) { "must have" } else { "takes" };
        changes.meaning(Subject::Action, id, &format!("{word} {name} now"));
    }
}

fn workflow(
    changes: &mut Changes,
    id: &str,
    old: &DiscoveredWorkflowCandidate,
    new: &DiscoveredWorkflowCandidate,
) {
    let subject = Subject::Workflow;
    let steps = |workflow: &DiscoveredWorkflowCandidate| {
        let steps = workflow.step_skeleton.iter().map(|step| match &step.action_id {
            Some(action) => action.to_string(),
            None => step.r#type.to_string(),
        });
        steps.collect::<Vec<_>>().join(" > ")
    };
    changes.became(subject, id, "way", &steps(old), &steps(new));
    let inputs = |workflow: &DiscoveredWorkflowCandidate| {
        let inputs = workflow.required_inputs.iter().flatten();
        inputs.map(|input| input.name.to_string()).collect::<Vec<_>>()
    };
    changes.lists(subject, id, "inputs", &inputs(old), &inputs(new));
    let signals = |workflow: &DiscoveredWorkflowCandidate| told(workflow.success_signals.as_ref());
    changes.lists(subject, id, "success signals", &signals(old), &signals(new));
    let routes = |workflow: &DiscoveredWorkflowCandidate| texts(workflow.route_ids.as_ref());
    changes.lists(subject, id, "routes", &routes(old), &routes(new));
}

fn told(signals: Option<&Vec<SuccessSignal>>) -> Vec<String> {
    signals.into_iter().flatten().map(written).collect()
}
