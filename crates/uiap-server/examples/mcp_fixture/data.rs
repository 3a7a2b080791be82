//! What stands in `fixture.json`.

use rmcp::model::{
    CallToolResult, ElicitRequestParams, InputRequests, Prompt, Resource, ResourceContents, ResourceTemplate,
    Tool,
};
use serde::Deserialize;
use serde_json::Value;

/// Everything that the suite asks for.
#[derive(Deserialize)]
pub(crate) struct Fixture {
    pub(crate) tools: Vec<FixtureTool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    /// What can be read, under the address that each names.
    pub(crate) contents: Vec<ResourceContents>,
    pub(crate) prompts: Vec<FixturePrompt>,
}

/// A tool, and what it does.
#[derive(Deserialize)]
pub(crate) struct FixtureTool {
    pub(crate) tool: Tool,
    pub(crate) does: Deed,
}

/// What a tool does.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Deed {
    /// Answers.
    Answer(CallToolResult),
    /// Answers once what it asks for has been told.
    Ask { rounds: Vec<Round>, answer: CallToolResult },
    /// Asks the person while the call waits.
    Elicit(ElicitRequestParams),
    /// Asks the model of the client while the call waits.
    Sample,
    /// Logs, as far as the client wants to hear it.
    Log,
    /// Tells how far it is.
    Progress,
    /// Tells everybody that there are other tools.
    ChangeTools,
    /// Tells everybody that there are other prompts.
    ChangePrompts,
}

/// What is asked for in one answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Round {
    pub(crate) requests: InputRequests,
    /// Whether the client has to say where it was.
    #[serde(default)]
    pub(crate) keeps_state: bool,
}

/// A prompt, with names of arguments in braces where their values go.
#[derive(Deserialize)]
pub(crate) struct FixturePrompt {
    pub(crate) prompt: Prompt,
    pub(crate) rounds: Vec<Round>,
    pub(crate) answer: Value,
}
