//! Regorus: every rule adds itself to a set; the set is the answer.

use crate::Engine;
use crate::workload::{Answer, Rule, Workload, answer, rank};
use serde_json::json;
use std::cell::RefCell;
use std::fmt::Write;

pub struct Rego {
    engine: RefCell<regorus::Engine>,
    inputs: Vec<regorus::Value>,
}

impl Rego {
    pub fn new(workload: &Workload) -> Self {
        let mut module = "package bench\nimport rego.v1\n".to_owned();
        workload.rules.iter().for_each(|rule| write_rule(rule, &mut module));
        let mut engine = regorus::Engine::new();
        engine.add_policy("bench.rego".to_owned(), module).expect("Rego");
        let inputs = workload.questions.iter().map(|question| {
            let input = json!({
                "action": question.action,
                "route": question.route,
                "tags": question.tag.into_iter().collect::<Vec<_>>(),
                "roles": question.roles,
            });
            regorus::Value::from_json_str(&input.to_string()).expect("JSON")
        });
        let inputs = inputs.collect();
        Self { engine: RefCell::new(engine), inputs }
    }
}

fn write_rule(rule: &Rule, module: &mut String) {
    let mut conditions = Vec::new();
    match rule.action.as_deref() {
        Some(action) => match action.strip_suffix('*') {
            Some(start) => conditions.push(format!("startswith(input.action, \"{start}\")")),
            None => conditions.push(format!("input.action == \"{action}\"")),
        },
        None => {}
    }
    conditions.extend(rule.route.iter().map(|route| format!("input.route == \"{route}\"")));
    conditions.extend(rule.tag.iter().map(|tag| format!("\"{tag}\" in input.tags")));
    conditions.extend(rule.role.iter().map(|role| format!("\"{role}\" in input.roles")));
    let name = format!("{} {}", rule.id, rule.effect);
    writeln!(module, "matched contains \"{name}\" if {{ {} }}", conditions.join("; ")).expect("a string");
}

impl Engine for Rego {
    fn name(&self) -> &'static str {
        "regorus"
    }

    fn decide(&self, question: usize) -> Answer {
        let mut engine = self.engine.borrow_mut();
        engine.set_input(self.inputs[question].clone());
        let matched = engine.eval_rule("data.bench.matched".to_owned()).expect("an answer");
        let names = matched.as_set().expect("a set").iter().map(|name| {
            let (id, effect) = name.as_string().expect("a name").split_once(' ').expect("two words");
            (id.to_owned(), rank(effect))
        });
        answer(names.collect())
    }
}
