//! Cedar: every rule is a `permit` with an annotation; what it permits is read from the reasons of the answer.

use crate::Engine;
use crate::workload::{Answer, Rule, Workload, answer, rank};
use cedar_policy::{Authorizer, Context, Entities, EntityUid, Policy, PolicyId, PolicySet, Request};
use serde_json::json;
use std::collections::HashMap;
use std::str::FromStr;

pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    effects: HashMap<PolicyId, usize>,
    entities: Entities,
    requests: Vec<Request>,
}

impl Cedar {
    pub fn new(workload: &Workload) -> Self {
        let mut policies = PolicySet::new();
        let mut effects = HashMap::new();
        for rule in &workload.rules {
            let id = PolicyId::new(&rule.id);
            policies.add(Policy::parse(Some(id.clone()), source(rule)).expect("Cedar")).expect("unique ids");
            effects.insert(id, rank(rule.effect));
        }
        let uid = |text: String| EntityUid::from_str(&text).expect("an entity");
        let requests = workload.questions.iter().map(|question| {
            let context = json!({
                "action": question.action,
                "route": question.route,
                "tags": question.tag.into_iter().collect::<Vec<_>>(),
                "roles": question.roles,
            });
            let context = Context::from_json_value(context, None).expect("a context");
            let action = uid(format!("Action::\"{}\"", question.action));
            let (agent, app) = (uid("Agent::\"a\"".into()), uid("App::\"a\"".into()));
            Request::new(agent, action, app, context, None).expect("a request")
        });
        let requests = requests.collect();
        Self { authorizer: Authorizer::new(), policies, effects, entities: Entities::empty(), requests }
    }
}

fn source(rule: &Rule) -> String {
    let mut scope = "action".to_owned();
    let mut conditions = Vec::new();
    match rule.action.as_deref() {
        Some(action) if action.ends_with('*') => conditions.push(format!("context.action like \"{action}\"")),
        Some(action) => scope = format!("action == Action::\"{action}\""),
        None => {}
    }
    conditions.extend(rule.route.iter().map(|route| format!("context.route == \"{route}\"")));
    conditions.extend(rule.tag.iter().map(|tag| format!("context.tags.contains(\"{tag}\")")));
    conditions.extend(rule.role.iter().map(|role| format!("context.roles.contains(\"{role}\")")));
    let when = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") };
    format!("permit(principal, {scope}, resource) when {{ {when} }};")
}

impl Engine for Cedar {
    fn name(&self) -> &'static str {
        "cedar"
    }

    fn decide(&self, question: usize) -> Answer {
        let response = self.authorizer.is_authorized(&self.requests[question], &self.policies, &self.entities);
        let reasons = response.diagnostics().reason();
        answer(reasons.map(|id| (id.to_string(), self.effects[id])).collect())
    }
}
