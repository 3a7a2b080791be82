//! What a model says to a tool, read strictly: a slip is told, with what would be right.

use super::answer::Refused;
use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// `open`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenArguments {
    pub(super) url: String,
}

/// `look`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookArguments {
    pub(super) scope: Option<String>,
    pub(super) find: Option<String>,
    pub(super) from: Option<u32>,
    pub(super) picture: Option<PictureWanted>,
}

/// A picture, and how large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum PictureWanted {
    /// A small one, or none.
    Small(bool),
    /// With every dot.
    Full(Full),
}

/// The word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Full {
    Full,
}

/// `act`, and every tool of an application.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActArguments {
    pub(super) action: String,
    pub(super) target: Option<String>,
    pub(super) r#in: Option<String>,
    pub(super) args: Option<JsonObject>,
    pub(super) verify: Option<Vec<String>>,
    pub(super) key: Option<String>,
    pub(super) timeout: Option<u64>,
}

/// `wait`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitArguments {
    pub(super) signals: Option<Vec<String>>,
    pub(super) any: Option<bool>,
    pub(super) quiet: Option<u64>,
    pub(super) handle: Option<String>,
    pub(super) timeout: Option<u64>,
}

/// `read`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadArguments {
    pub(super) target: String,
}

/// `trace`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceArguments {
    pub(super) handle: Option<String>,
}

/// The arguments of a tool.
pub(super) fn arguments<T: DeserializeOwned>(given: Option<JsonObject>) -> Result<T, Refused> {
    let given = Value::Object(given.unwrap_or_default());
    // What serde says names members and types, never what was in them.
    serde_json::from_value(given)
        .map_err(|error| Refused::new(told(&error), "Call the tool as its schema says."))
}

fn told(error: &serde_json::Error) -> String {
    let message = error.to_string();
    // A wrong type is told with the value, which may be a secret.
    match message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected ")) {
        Some((_, expected)) => format!("An argument has the wrong type; expected {expected}."),
        None => format!("The arguments are not right: {message}."),
    }
}
