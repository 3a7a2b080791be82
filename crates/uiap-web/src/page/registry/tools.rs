//! The tools that a page offers to its browser (`WebMCP`).
//!
//! The browser keeps and calls them itself, so nothing of ours runs in the page. Only tools of the page's main frame
//! count; a frame of somebody else does not speak for the page.

use super::{ActionSource, Invoked, REGISTERED_MAX, RefusedAction, Registered, RegisteredAction, Returned};
use super::{DESCRIPTOR_BYTES_MAX, TOOL_PREFIX, Uninvoked, described, refused};
use crate::cdp::{CallError, Event, Subscription, Text};
use crate::deadline::Deadline;
use crate::input::Interruption;
use crate::page::Page;
use crate::page::refusals::is_replaced;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};
use uiap_protocol::wire::JsonObject;

/// The call that invokes a tool.
const INVOKE: &str = "WebMCP.invokeTool";

/// The tools of a page.
#[derive(Debug, Default)]
pub(in crate::page) struct Tools {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tools: Vec<Tool>,
    left_out: usize,
}

#[derive(Debug, Deserialize)]
pub(in crate::page) struct Added {
    tools: Vec<Tool>,
}

#[derive(Debug, Deserialize)]
pub(in crate::page) struct Removed {
    tools: Vec<Named>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    name: Text,
    frame_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    name: Text,
    frame_id: String,
    #[serde(default)]
    description: Text,
    input_schema: Option<Box<RawValue>>,
    #[serde(default)]
    annotations: Annotations,
}

/// What the page says about the effects of a tool.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Annotations {
    read_only: bool,
    consequential: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    invocation_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Responded {
    invocation_id: String,
    status: String,
    output: Option<Box<RawValue>>,
    #[serde(default)]
    error_text: Text,
    exception: Option<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(default)]
    description: Text,
}

impl Tools {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::page) fn added(&self, Added { tools }: Added, frame: &str) {
        let mut known = self.known();
        for tool in tools.into_iter().filter(|tool| tool.frame_id == frame) {
            if known.tools.len() < REGISTERED_MAX {
                known.tools.push(tool);
            } else {
                known.left_out += 1;
            }
        }
    }

    pub(in crate::page) fn removed(&self, Removed { tools }: &Removed) {
        let is_removed = |tool: &Tool| {
            tools.iter().any(|gone| gone.name.0 == tool.name.0 && gone.frame_id == tool.frame_id)
        };
        self.known().tools.retain(|tool| !is_removed(tool));
    }

    /// The document that offered them was replaced.
    pub(in crate::page) fn forget(&self) {
        *self.known() = Known::default();
    }

    /// Adds the tools as domain actions.
    pub(super) fn describe(&self, registered: &mut Registered) {
        let known = self.known();
        registered.left_out = registered.left_out.saturating_add(known.left_out);
        for tool in &known.tools {
            registered.take(tool.describe());
        }
    }

    fn has(&self, name: &str) -> bool {
        self.known().tools.iter().any(|tool| tool.name.0 == name)
    }
}

impl Tool {
    fn describe(&self) -> Result<RegisteredAction, RefusedAction> {
        let id = format!("{TOOL_PREFIX}{}", self.name.0);
        let refuse = |why: &str| refused(ActionSource::WebMcp, &id, why);
        let schema = self.input_schema.as_ref().map_or("{}", |schema| schema.get());
        if schema.len() > DESCRIPTOR_BYTES_MAX {
            return Err(refuse(&format!("its input schema is longer than {DESCRIPTOR_BYTES_MAX} bytes")));
        }
        let Ok(schema) = serde_json::from_str::<Value>(schema) else {
            return Err(refuse("its input schema cannot be read"));
        };
        let descriptor = json!({
            "id": id, "kind": "domain", "description": self.description.0, "targetKinds": ["none"],
            "executionModes": ["appAction"], "args": arguments(&schema), "risk": { "level": self.risk() },
            "metadata": { "inputSchema": schema },
        });
        described(ActionSource::WebMcp, &descriptor.to_string())
    }

    /// A tool that does not say that it only reads may do anything.
    fn risk(&self) -> &'static str {
        if self.annotations.read_only && !self.annotations.consequential { "safe" } else { "confirm" }
    }
}

/// The arguments that a descriptor has words for. The whole schema goes along as metadata.
fn arguments(schema: &Value) -> Vec<Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let argument = |(name, property): (&String, &Value)| {
        let values = property
            .get("enum")
            .and_then(Value::as_array)
            .filter(|values| !values.is_empty() && values.iter().all(Value::is_string));
        let kind = match property.get("type").and_then(Value::as_str)? {
            "string" if values.is_some() => "enum",
            "integer" => "number",
            kind @ ("string" | "number" | "boolean" | "object" | "array") => kind,
            _ => return None,
        };
        let mut argument = json!({ "name": name, "type": kind, "required": is_required(name) });
        if let Some(members) = argument.as_object_mut() {
            let description = property.get("description").filter(|text| text.is_string());
            members.extend(description.map(|text| ("description".to_owned(), text.clone())));
            let listed = values.filter(|_| kind == "enum");
            members.extend(listed.map(|values| ("enum".to_owned(), Value::Array(values.clone()))));
        }
        Some(argument)
    };
    properties.into_iter().flatten().filter_map(argument).collect()
}

impl Page {
    /// Invokes a tool by the id of its action.
    pub(super) async fn invoke_tool(&self, id: &str, args: &JsonObject, deadline: Deadline) -> Invoked {
        let name = id.strip_prefix(TOOL_PREFIX).filter(|name| self.track.tools().has(name));
        let Some(name) = name else { return Invoked::None(Uninvoked::Unregistered) };
        let (frame, loader) = self.track.with(|facts| (facts.frame.clone(), facts.document.loader.clone()));
        let mut events = self.subscribe();
        let params = json!({ "frameId": frame, "toolName": name, "input": args });
        let begun = match self.call::<Begun>(INVOKE, params, deadline).await {
            Ok(begun) => begun,
            Err(error) => return uninvoked(error),
        };
        // A tool that leads to another page gets no answer, or one that the browser made up.
        let replaced = self.track.until(|facts| facts.end.is_some() || facts.document.loader != loader);
        let ended = tokio::select! {
            biased;
            () = replaced => None,
            response = deadline.limit(response(&mut events, &begun.invocation_id)) => Some(response),
        };
        match ended {
            Some(Some(Some(responded))) => invoked(&responded),
            Some(None) => Invoked::Unknown(Interruption::Call(CallError::Deadline { method: INVOKE })),
            Some(Some(None)) | None => {
                Invoked::Unknown(self.ended().map_or(Interruption::Replaced, Interruption::Call))
            }
        }
    }
}

/// The answer to an invocation; none if there will be none.
async fn response(events: &mut Subscription, invocation: &str) -> Option<Responded> {
    let is_it = |event: &Event| {
        (event.method == "WebMCP.toolResponded")
            .then(|| event.params::<Responded>())
            .flatten()
            .filter(|responded| responded.invocation_id == invocation)
    };
    loop {
        // It may be among the events that were missed: then the deadline ends the wait.
        let Ok(event) = events.next().await? else { continue };
        if let Some(responded) = is_it(&event) {
            return Some(responded);
        }
    }
}

fn uninvoked(error: CallError) -> Invoked {
    match error {
        // The browser refuses before it asks the page.
        CallError::Refused { .. } if !is_replaced(&error) => Invoked::None(Uninvoked::Unregistered),
        CallError::Refused { .. } => Invoked::None(Uninvoked::Replaced),
        CallError::Busy { .. } => Invoked::None(Uninvoked::Call(error)),
        error => Invoked::Unknown(Interruption::Call(error)),
    }
}

fn invoked(Responded { status, output, error_text, exception, .. }: &Responded) -> Invoked {
    if status != "Completed" {
        let thrown = exception.as_ref().and_then(|thrown| thrown.description.0.lines().next());
        let message = thrown.filter(|text| !text.is_empty()).unwrap_or(&error_text.0).to_owned();
        return Invoked::Unknown(Interruption::Threw { message });
    }
    Invoked::Delivered(output.as_ref().map_or(Returned::Nothing, |output| Returned::read(output.get())))
}
