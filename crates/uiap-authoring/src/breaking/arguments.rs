//! Arguments of actions.

use super::changes::{Changes, Met, Pair, meet};
use super::place::At;
use super::rules::Rule;
use super::subjects::Subjects;
use super::witness::Witness;
use serde_json::{Value, json};
use uiap_protocol::capability::{ActionDescriptor, ArgDescriptor, ArgType};
use uiap_protocol::wire::JsonObject;

/// Members that limit a value in the way of JSON Schema, which the protocol keeps without knowing them.
const LIMITS: [&str; 9] = [
    "default",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maximum",
    "maxLength",
    "minimum",
    "minLength",
    "multipleOf",
    "pattern",
];

/// A value of a type; of an enum the first word.
pub(super) fn example(r#type: ArgType, words: Option<&Vec<String>>) -> Value {
    match r#type {
        ArgType::String => json!("text"),
        ArgType::Number => json!(1),
        ArgType::Boolean => json!(true),
        ArgType::Enum => words.into_iter().flatten().next().map_or(Value::Null, |word| json!(word)),
        ArgType::Object => json!({}),
        ArgType::Array => json!([]),
    }
}

/// The arguments that an action demands.
pub(super) fn demanded(action: &ActionDescriptor) -> JsonObject {
    let args = action.args.iter().flatten().filter(|argument| argument.required == Some(true));
    args.map(|argument| (argument.name.to_string(), example(argument.r#type, argument.r#enum.as_ref())))
        .collect()
}

/// Compares the arguments of an action, which is given in its old state.
pub(super) fn compare(
    at: &At<'_>,
    (old, new): (Option<&Vec<ArgDescriptor>>, Option<&Vec<ArgDescriptor>>),
    action: &ActionDescriptor,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let mut comparison = Comparison { action, subjects, changes };
    comparison.changes.respelled_list(at, old, new);
    for met in meet(old, new, |argument| argument.name.as_str()) {
        match met {
            Met::Gone(place, argument) => {
                let witness = comparison.with(argument, example(argument.r#type, argument.r#enum.as_ref()));
                comparison.add(Rule::ArgumentRemoved, &at.gone(place), argument, "is gone", witness);
            }
            Met::Came(place, argument) if argument.required == Some(true) => {
                let witness = comparison.without(argument);
                let at = at.came(place);
                comparison.add(Rule::ArgumentAddedRequired, &at, argument, "is demanded", witness);
            }
            Met::Came(place, argument) => {
                let witness = Witness::came(argument);
                comparison.add(Rule::ArgumentAddedOptional, &at.came(place), argument, "is new", witness);
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                comparison.argument(&at.both(was_at, is_at), was, is);
            }
        }
    }
}

struct Comparison<'c, 'b> {
    action: &'c ActionDescriptor,
    subjects: &'c Subjects<'b>,
    changes: &'c mut Changes,
}

impl Comparison<'_, '_> {
    fn add(&mut self, rule: Rule, at: &At<'_>, argument: &ArgDescriptor, what: &str, witness: Witness) {
        let message = format!("{} {what}.", self.name(argument));
        self.changes.add(rule, at, message, witness);
    }

    fn name(&self, argument: &ArgDescriptor) -> String {
        format!("The argument \"{}\" of \"{}\"", argument.name, self.action.id)
    }

    /// A request that the old descriptor accepts, with a value for an argument.
    fn with(&self, argument: &ArgDescriptor, value: Value) -> Witness {
        let mut args = demanded(self.action);
        args.insert(argument.name.to_string(), value);
        Witness::request(&self.action.id, self.subjects.of(self.action), args)
    }

    /// A request that the old descriptor accepts, without an argument.
    fn without(&self, argument: &ArgDescriptor) -> Witness {
        let mut args = demanded(self.action);
        args.remove(argument.name.as_str());
        Witness::request(&self.action.id, self.subjects.of(self.action), args)
    }

    fn argument(&mut self, at: &At<'_>, old: &ArgDescriptor, new: &ArgDescriptor) {
        let at_required = at.member("required");
        match (old.required == Some(true), new.required == Some(true)) {
            (false, true) => {
                let witness = self.without(old);
                self.add(Rule::ArgumentMadeRequired, &at_required, new, "must be given", witness);
            }
            (true, false) => {
                let witness = self.without(new);
                self.add(Rule::ArgumentMadeOptional, &at_required, new, "need not be given", witness);
            }
            _ if old.required != new.required => {
                self.changes.respelled(&at_required, &old.required, &new.required);
            }
            _ => {}
        }
        if old.r#type == new.r#type {
            self.values(&at.member("enum"), old, new);
        } else {
            let what = format!("is of the type {}; it was {}", new.r#type, old.r#type);
            let witness = self.with(old, example(old.r#type, old.r#enum.as_ref()));
            self.add(Rule::ArgumentTypeChanged, &at.member("type"), new, &what, witness);
            if old.r#enum != new.r#enum {
                // The words belong to the type, which is told already.
                let witness = Witness::values(&old.r#enum, &new.r#enum);
                self.add(Rule::ArgumentTypeChanged, &at.member("enum"), new, "has other values", witness);
            }
        }
        for name in LIMITS.into_iter().filter(|name| old.extra.get(*name) != new.extra.get(*name)) {
            let witness = Witness::values(&old.extra.get(name), &new.extra.get(name));
            let what = format!("has another \"{name}\"");
            self.add(Rule::ArgumentLimitChanged, &at.member(name), new, &what, witness);
        }
        let texts = (&old.description, &new.description);
        let who = self.name(new);
        self.changes.value(Rule::ArgumentDescriptionChanged, &at.member("description"), texts, || {
            format!("{who} is described differently.")
        });
    }

    fn values(&mut self, at: &At<'_>, old: &ArgDescriptor, new: &ArgDescriptor) {
        let rules = Pair { gone: Rule::ArgumentEnumNarrowed, came: Rule::ArgumentEnumWidened };
        let who = self.name(new);
        let accepted = |value: &String| {
            let mut args = demanded(self.action);
            args.insert(new.name.to_string(), json!(value));
            Witness::request(&self.action.id, self.subjects.of(self.action), args)
        };
        let lists = (old.r#enum.as_ref(), new.r#enum.as_ref());
        self.changes.words(rules, at, lists, &who, |value, came| {
            let takes = if came { "takes" } else { "does not take any more" };
            (format!("{takes} the value \"{value}\""), accepted(value))
        });
    }
}
