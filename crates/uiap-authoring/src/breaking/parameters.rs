//! Parameters of workflows.

use super::arguments::example;
use super::changes::{Changes, Met, Pair, meet, quoted};
use super::place::At;
use super::rules::Rule;
use super::witness::Witness;
use serde_json::{Value, json};
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::{WorkflowDefinition, WorkflowParameter, WorkflowStart};

/// The parameters that a workflow demands.
pub(super) fn demanded(workflow: &WorkflowDefinition) -> JsonObject {
    let parameters = workflow.parameters.iter().flatten().filter(|one| one.required == Some(true));
    parameters.map(|one| (one.name.to_string(), example(one.r#type, one.r#enum.as_ref()))).collect()
}

pub(super) fn compare(
    at: &At<'_>,
    old: &WorkflowDefinition,
    new: &WorkflowDefinition,
    changes: &mut Changes,
) {
    let (was, is) = (old.parameters.as_ref(), new.parameters.as_ref());
    changes.respelled_list(at, was, is);
    let mut comparison = Comparison { workflow: old, changes };
    for met in meet(was, is, |parameter| parameter.name.as_str()) {
        match met {
            Met::Gone(place, one) => {
                let witness = comparison.with(one, example(one.r#type, one.r#enum.as_ref()));
                comparison.add(Rule::ParameterRemoved, &at.gone(place), one, "is gone", witness);
            }
            Met::Came(place, one) if one.required == Some(true) && one.default.is_none() => {
                let witness = comparison.without(one);
                comparison.add(Rule::ParameterAddedRequired, &at.came(place), one, "is demanded", witness);
            }
            Met::Came(place, one) => {
                let witness = Witness::came(one);
                comparison.add(Rule::ParameterAddedOptional, &at.came(place), one, "is new", witness);
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                comparison.parameter(&at.both(was_at, is_at), was, is);
            }
        }
    }
}

struct Comparison<'c> {
    /// The workflow in its old state.
    workflow: &'c WorkflowDefinition,
    changes: &'c mut Changes,
}

impl Comparison<'_> {
    fn add(&mut self, rule: Rule, at: &At<'_>, parameter: &WorkflowParameter, what: &str, witness: Witness) {
        let message = format!("{} {what}.", self.name(parameter));
        self.changes.add(rule, at, message, witness);
    }

    fn name(&self, parameter: &WorkflowParameter) -> String {
        format!("The parameter \"{}\" of \"{}\"", parameter.name, self.workflow.id)
    }

    fn start(&self, parameters: JsonObject) -> Witness {
        let parameters = (!parameters.is_empty()).then_some(parameters);
        let start = WorkflowStart { workflow_id: self.workflow.id.clone(), mode: None, parameters };
        Witness::Start { start: Box::new(start) }
    }

    fn with(&self, parameter: &WorkflowParameter, value: Value) -> Witness {
        let mut parameters = demanded(self.workflow);
        parameters.insert(parameter.name.to_string(), value);
        self.start(parameters)
    }

    fn without(&self, parameter: &WorkflowParameter) -> Witness {
        let mut parameters = demanded(self.workflow);
        parameters.remove(parameter.name.as_str());
        self.start(parameters)
    }

    fn parameter(&mut self, at: &At<'_>, old: &WorkflowParameter, new: &WorkflowParameter) {
        self.demand(&at.member("required"), old, new);
        if old.r#type == new.r#type {
            self.values(&at.member("enum"), old, new);
        } else {
            let what = format!("is of the type {}; it was {}", new.r#type, old.r#type);
            let witness = self.with(old, example(old.r#type, old.r#enum.as_ref()));
            self.add(Rule::ParameterTypeChanged, &at.member("type"), new, &what, witness);
            if old.r#enum != new.r#enum {
                // The words belong to the type, which is told already.
                let witness = Witness::values(&old.r#enum, &new.r#enum);
                self.add(Rule::ParameterTypeChanged, &at.member("enum"), new, "has other values", witness);
            }
        }
        self.limits(at, old, new);
        let who = self.name(new);
        let rule = Rule::ParameterDataClassChanged;
        self.changes.value(rule, &at.member("dataClass"), (&old.data_class, &new.data_class), || {
            let (was, is) = (quoted(old.data_class.as_ref()), quoted(new.data_class.as_ref()));
            format!("{who} holds the data {is}; it was {was}.")
        });
        let rule = Rule::ParameterSourceChanged;
        self.changes.value(rule, &at.member("source"), (&old.source, &new.source), || {
            let (was, is) = (quoted(old.source.as_ref()), quoted(new.source.as_ref()));
            format!("{who} is supplied by {is}; it was {was}.")
        });
        let texts = (old.description.as_ref(), new.description.as_ref());
        self.changes.text(Rule::ParameterDescriptionChanged, &at.member("description"), texts, &who);
    }

    fn demand(&mut self, at: &At<'_>, old: &WorkflowParameter, new: &WorkflowParameter) {
        match (old.required == Some(true), new.required == Some(true)) {
            (false, true) => {
                let witness = self.without(old);
                self.add(Rule::ParameterMadeRequired, at, new, "must be given", witness);
            }
            (true, false) => {
                let witness = self.without(new);
                self.add(Rule::ParameterMadeOptional, at, new, "need not be given", witness);
            }
            _ if old.required != new.required => self.changes.respelled(at, &old.required, &new.required),
            _ => {}
        }
    }

    fn values(&mut self, at: &At<'_>, old: &WorkflowParameter, new: &WorkflowParameter) {
        let rules = Pair { gone: Rule::ParameterEnumNarrowed, came: Rule::ParameterEnumWidened };
        let who = self.name(new);
        let workflow = self.workflow;
        let lists = (old.r#enum.as_ref(), new.r#enum.as_ref());
        self.changes.words(rules, at, lists, &who, |value, came| {
            let takes = if came { "takes" } else { "does not take any more" };
            let mut parameters = demanded(workflow);
            parameters.insert(new.name.to_string(), json!(value));
            let parameters = Some(parameters);
            let start = WorkflowStart { workflow_id: workflow.id.clone(), mode: None, parameters };
            (format!("{takes} the value \"{value}\""), Witness::Start { start: Box::new(start) })
        });
    }

    /// What a value must look like, and which one holds where none is given.
    fn limits(&mut self, at: &At<'_>, old: &WorkflowParameter, new: &WorkflowParameter) {
        let at_pattern = at.member("pattern");
        match (&old.pattern, &new.pattern) {
            (was, is) if was == is => {}
            (was, None) => {
                let witness = Witness::gone(was);
                let rule = Rule::ParameterPatternRemoved;
                self.add(rule, &at_pattern, new, "has no pattern any more", witness);
            }
            (was, Some(is)) => {
                let witness = Witness::values(was, is);
                let what = format!("must look like \"{is}\"");
                self.add(Rule::ParameterPatternChanged, &at_pattern, new, &what, witness);
            }
        }
        let at_default = at.member("default");
        match (&old.default, &new.default) {
            (was, is) if was == is => {}
            (None, Some(is)) => {
                let witness = self.without(new);
                let what = format!("has the default {is}");
                self.add(Rule::ParameterDefaultAdded, &at_default, new, &what, witness);
            }
            (_, is) => {
                let witness = self.without(new);
                let is = is.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
                let what = format!("has the default {is}");
                self.add(Rule::ParameterDefaultChanged, &at_default, new, &what, witness);
            }
        }
    }
}
