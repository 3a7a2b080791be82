//! Arguments, taken out one by one and checked.

use super::Refusal;
use serde_json::Value;
use std::collections::BTreeMap;
use uiap_protocol::capability::{ArgDescriptor, ArgType};
use uiap_protocol::ids::ActionId;
use uiap_protocol::wire::{JsonObject, nearest};

/// Most items of an argument that is a list.
pub const LIST_ITEMS_MAX: usize = 1_000;

/// The arguments of one request.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'r> {
    action: &'r ActionId,
    given: Option<&'r JsonObject>,
}

impl<'r> Arguments<'r> {
    pub(super) fn new(action: &'r ActionId, given: Option<&'r JsonObject>) -> Self {
        Self { action, given }
    }

    /// Nothing but these is given.
    pub(super) fn only(self, known: &[&str]) -> Result<Self, Refusal> {
        let unknown =
            self.given.into_iter().flat_map(JsonObject::keys).find(|name| !known.contains(&name.as_str()));
        match unknown {
            Some(name) => Err(Refusal::unknown_argument(self.action, name, known)),
            None => Ok(self),
        }
    }

    /// At most one of these is given: the one that is.
    pub(super) fn one_of<'n>(self, names: &[&'n str]) -> Result<Option<&'n str>, Refusal> {
        let mut given = names.iter().copied().filter(|name| self.get(name).is_some());
        match (given.next(), given.next()) {
            (Some(one), Some(other)) => {
                Err(self.wrong(other, format!("cannot be given together with \"{one}\"")))
            }
            (one, _) => Ok(one),
        }
    }

    /// JSON `null` is no value.
    fn get(self, name: &str) -> Option<&'r Value> {
        self.given?.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn wrong(self, name: &str, what: impl AsRef<str>) -> Refusal {
        Refusal::argument(self.action, name, what)
    }

    pub(super) fn missing(self, name: &str) -> Refusal {
        Refusal::argument(self.action, name, "is missing").with("reason", "missing")
    }

    fn not(self, name: &str, wanted: &str, found: &Value) -> Refusal {
        self.wrong(name, format!("must be {wanted}, not {}", kind(found))).with("expected", wanted)
    }

    fn typed<T>(
        self,
        name: &str,
        wanted: &str,
        take: impl FnOnce(&'r Value) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        take(value).map(Some).ok_or_else(|| self.not(name, wanted, value))
    }

    pub(super) fn text(self, name: &str) -> Result<Option<&'r str>, Refusal> {
        self.typed(name, "a text", Value::as_str)
    }

    pub(super) fn flag(self, name: &str) -> Result<Option<bool>, Refusal> {
        self.typed(name, "true or false", Value::as_bool)
    }

    pub(super) fn object(self, name: &str) -> Result<Option<&'r JsonObject>, Refusal> {
        self.typed(name, "an object", Value::as_object)
    }

    pub(super) fn value(self, name: &str) -> Option<&'r Value> {
        self.get(name)
    }

    /// A number within limits.
    pub(super) fn number(self, name: &str, min: f64, max: f64) -> Result<Option<f64>, Refusal> {
        let number =
            self.typed(name, "a number", |value| value.as_f64().filter(|number| number.is_finite()))?;
        match number {
            Some(number) if !(min..=max).contains(&number) => Err(self
                .wrong(name, format!("must be from {min} to {max}"))
                .with("min", min)
                .with("max", max)),
            number => Ok(number),
        }
    }

    /// A whole number within limits.
    pub(super) fn count(self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Refusal> {
        let count = self.typed(name, "a whole number that is not negative", whole)?;
        match count {
            Some(count) if !(min..=max).contains(&count) => Err(self
                .wrong(name, format!("must be from {min} to {max}"))
                .with("min", min)
                .with("max", max)),
            count => Ok(count),
        }
    }

    /// A list of texts.
    pub(super) fn texts(self, name: &str) -> Result<Option<Vec<&'r str>>, Refusal> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        let texts = items.iter().map(|item| item.as_str().ok_or_else(|| self.not_all(name, "a text", item)));
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// A list.
    pub(super) fn list(self, name: &str) -> Result<Option<&'r [Value]>, Refusal> {
        let items = self.typed(name, "a list", |value| value.as_array().map(Vec::as_slice))?;
        if items.is_some_and(|items| items.len() > LIST_ITEMS_MAX) {
            return Err(self.wrong(name, format!("has more than {LIST_ITEMS_MAX} items")));
        }
        Ok(items)
    }

    pub(super) fn not_all(self, name: &str, wanted: &str, found: &Value) -> Refusal {
        let what = format!("must be a list in which every item is {wanted}, but one is {}", kind(found));
        self.wrong(name, what).with("expected", wanted)
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        self.one_word(name, text, words).map(Some)
    }

    pub(super) fn one_word<T: Copy>(self, name: &str, text: &str, words: &[(&str, T)]) -> Result<T, Refusal> {
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| self.not_among(name, text, words.iter().map(|(word, _)| *word)))
    }

    fn not_among<'w>(self, name: &str, text: &str, words: impl Iterator<Item = &'w str>) -> Refusal {
        let words: Vec<_> = words.collect();
        let near = nearest(text, words.iter().copied(), 1);
        let meant = near.first().map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
        let refusal = self.wrong(name, format!("must be one of {}{meant}", words.join(", ")));
        refusal.with("allowed", words).with("nearest", near)
    }

    /// Parts of a path: an object of texts, numbers and flags.
    pub(super) fn params(self, name: &str) -> Result<BTreeMap<String, String>, Refusal> {
        let mut params = BTreeMap::new();
        for (part, value) in self.object(name)?.into_iter().flatten() {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                other => return Err(self.not_all(name, "a text or a number", other)),
            };
            params.insert(part.clone(), text);
        }
        Ok(params)
    }

    /// Everything as a descriptor says.
    pub(super) fn described(self, descriptors: &[ArgDescriptor]) -> Result<(), Refusal> {
        let names: Vec<_> = descriptors.iter().map(|descriptor| descriptor.name.as_str()).collect();
        self.only(&names)?;
        descriptors.iter().try_for_each(|descriptor| self.as_described(descriptor))
    }

    fn as_described(self, descriptor: &ArgDescriptor) -> Result<(), Refusal> {
        let name = descriptor.name.as_str();
        let Some(value) = self.get(name) else {
            let required = descriptor.required == Some(true);
            return if required { Err(explained(self.missing(name), descriptor)) } else { Ok(()) };
        };
        let checked = match descriptor.r#type {
            ArgType::String => self.text(name).map(drop),
            ArgType::Number => {
                self.typed(name, "a number", |value| value.as_f64().filter(|n| n.is_finite())).map(drop)
            }
            ArgType::Boolean => self.flag(name).map(drop),
            ArgType::Object => self.object(name).map(drop),
            ArgType::Array => self.list(name).map(drop),
            ArgType::Enum => {
                let allowed = descriptor.r#enum.iter().flatten().map(String::as_str);
                match value.as_str() {
                    Some(text) if allowed.clone().any(|word| word == text) => Ok(()),
                    Some(text) => Err(self.not_among(name, text, allowed)),
                    None => Err(self.not(name, "a text", value)),
                }
            }
        };
        checked.map_err(|refusal| explained(refusal, descriptor))
    }
}

/// What the application says about the argument helps whoever got it wrong.
fn explained(refusal: Refusal, descriptor: &ArgDescriptor) -> Refusal {
    match descriptor.description.as_deref().filter(|text| !text.is_empty()) {
        Some(description) => refusal.with("description", description),
        None => refusal,
    }
}

fn whole(value: &Value) -> Option<u64> {
    // 5.0 is a whole number too, however it was written.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole and in range"
    )]
    let by_float =
        |number: f64| (number.fract() == 0.0 && (0.0..=9e15).contains(&number)).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(by_float))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
