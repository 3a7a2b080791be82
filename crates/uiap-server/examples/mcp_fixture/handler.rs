//! A server with everything that the suite asks for.

#![expect(deprecated, reason = "the suite asks for logging and sampling, which MCP is about to give up")]

use crate::asking::{Conversations, Told};
use crate::data::{Deed, Fixture, FixturePrompt, Round};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, CreateMessageRequestParams, ElicitRequestParams, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, InputRequiredResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ResultType,
    SamplingMessage, ServerCapabilities, ServerConfig, SetLevelRequestMethod, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// A server with everything that the suite asks for. Clones are the same server.
#[derive(Clone)]
pub(crate) struct Everything(Arc<Shared>);

struct Shared {
    fixture: Fixture,
    conversations: Conversations,
    /// What clients of 2025-11-25 want to hear.
    level: Mutex<LoggingLevel>,
    changed_tools: watch::Sender<()>,
    changed_prompts: watch::Sender<()>,
}

type Context = RequestContext<RoleServer>;

impl Everything {
    pub(crate) fn new(fixture: Fixture) -> Self {
        Self(Arc::new(Shared {
            fixture,
            conversations: Conversations::default(),
            level: Mutex::new(LoggingLevel::Debug),
            changed_tools: watch::Sender::default(),
            changed_prompts: watch::Sender::default(),
        }))
    }

    fn ask(
        &self,
        rounds: &[Round],
        responses: Option<&rmcp::model::InputResponses>,
        state: Option<&str>,
        context: &Context,
    ) -> Result<Option<InputRequiredResult>, ErrorData> {
        let capabilities = context.client_capabilities().unwrap_or_default();
        self.0.conversations.next(rounds, &Told { responses, state, capabilities })
    }

    async fn log(&self, context: &Context) -> Result<CallToolResult, ErrorData> {
        let wanted = if is_stateless(context) {
            context.meta.log_level()
        } else {
            Some(*self.0.level.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let is_heard = wanted.is_some_and(|level| (level as u8) <= (LoggingLevel::Info as u8));
        for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            if is_heard {
                let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(line));
                context.peer.notify_logging_message(message).await.map_err(|error| unheard(&error))?;
            }
        }
        Ok(said("It was logged."))
    }
}

async fn tell_progress(context: &Context) -> Result<CallToolResult, ErrorData> {
    if let Some(token) = context.meta.get_progress_token() {
        for progress in [0.0, 50.0, 100.0] {
            let step = ProgressNotificationParam::new(token.clone(), progress).with_total(100.0);
            context.peer.notify_progress(step).await.map_err(|error| unheard(&error))?;
        }
    }
    Ok(said("It is done."))
}

async fn sample(arguments: Option<&JsonObject>, context: &Context) -> Result<CallToolResult, ErrorData> {
    let prompt = arguments.and_then(|given| given.get("prompt")?.as_str()).unwrap_or_default();
    let request = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    let answer = context.peer.create_message(request).await.map_err(|error| unheard(&error))?;
    Ok(said(&format!("The model answered: {:?}", answer.message.content)))
}

async fn elicit(form: &ElicitRequestParams, context: &Context) -> Result<CallToolResult, ErrorData> {
    let answer = context.peer.create_elicitation(form.clone()).await.map_err(|error| unheard(&error))?;
    Ok(said(&format!("The person answered: {:?}", answer.action)))
}

/// The messages of a prompt, with the values of its arguments in their places.
fn filled(prompt: &FixturePrompt, arguments: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let mut answer = prompt.answer.clone();
    for (name, value) in arguments.into_iter().flatten() {
        put(&mut answer, &format!("{{{name}}}"), value.as_str().unwrap_or_default());
    }
    let mut answer: GetPromptResult =
        serde_json::from_value(answer).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    answer.result_type = Some(ResultType::COMPLETE);
    Ok(answer)
}

/// An answer of the file, which does not say that it is whole.
fn complete(answer: &CallToolResult) -> CallToolResult {
    let mut answer = answer.clone();
    answer.result_type = Some(ResultType::COMPLETE);
    answer
}

fn put(value: &mut Value, place: &str, text: &str) {
    match value {
        Value::String(own) => *own = own.replace(place, text),
        Value::Array(items) => items.iter_mut().for_each(|item| put(item, place, text)),
        Value::Object(members) => members.values_mut().for_each(|member| put(member, place, text)),
        _ => {}
    }
}

fn is_stateless(context: &Context) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn said(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn unheard(error: &rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn uri_of(contents: &ResourceContents) -> Option<&str> {
    match contents {
        ResourceContents::TextResourceContents { uri, .. }
        | ResourceContents::BlobResourceContents { uri, .. } => Some(uri),
        _ => None,
    }
}

impl ServerHandler for Everything {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_logging()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("uiap-fixture", "1"))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            self.0.fixture.tools.iter().map(|known| known.tool.clone()).collect(),
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.fixture.tools.iter().map(|known| &known.tool).find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = self.0.fixture.tools.iter().find(|known| known.tool.name == call.name);
        let unknown = || ErrorData::invalid_params(format!("Unknown tool: {}", call.name), None);
        let answer = match &known.ok_or_else(unknown)?.does {
            Deed::Answer(answer) => complete(answer),
            Deed::Ask { rounds, answer } => {
                let state = call.request_state.as_deref();
                match self.ask(rounds, call.input_responses.as_ref(), state, &context)? {
                    Some(asks) => return Ok(asks.into()),
                    None => complete(answer),
                }
            }
            Deed::Elicit(form) => elicit(form, &context).await?,
            Deed::Sample => sample(call.arguments.as_ref(), &context).await?,
            Deed::Log => self.log(&context).await?,
            Deed::Progress => tell_progress(&context).await?,
            Deed::ChangeTools => {
                self.0.changed_tools.send_replace(());
                said("There are other tools.")
            }
            Deed::ChangePrompts => {
                self.0.changed_prompts.send_replace(());
                said("There are other prompts.")
            }
        };
        Ok(answer.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.0.fixture.prompts.iter().map(|known| known.prompt.clone());
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let known = self.0.fixture.prompts.iter().find(|known| known.prompt.name == request.name);
        let unknown = || ErrorData::invalid_params(format!("Unknown prompt: {}", request.name), None);
        let known = known.ok_or_else(unknown)?;
        let state = request.request_state.as_deref();
        match self.ask(&known.rounds, request.input_responses.as_ref(), state, &context)? {
            Some(asks) => Ok(GetPromptResponse::InputRequired(asks)),
            None => Ok(filled(known, request.arguments.as_ref())?.into()),
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.0.fixture.resources.clone()))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.0.fixture.templates.clone()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let found = self.0.fixture.contents.iter().find(|contents| uri_of(contents) == Some(&request.uri));
        let data = json!({ "uri": request.uri });
        let found = found.ok_or_else(|| ErrorData::resource_not_found("Unknown resource", Some(data)))?;
        Ok(ReadResourceResult::new(vec![found.clone()]).into())
    }

    async fn subscribe(&self, _request: SubscribeRequestParams, _context: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _request: UnsubscribeRequestParams,
        _context: Context,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn set_level(&self, request: SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        if is_stateless(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *self.0.level.lock().unwrap_or_else(PoisonError::into_inner) = request.level;
        Ok(())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::default())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut tools = self.0.changed_tools.subscribe();
        let mut prompts = self.0.changed_prompts.subscribe();
        let (hears_tools, hears_prompts) = (
            context.accepted().tools_list_changed == Some(true),
            context.accepted().prompts_list_changed == Some(true),
        );
        loop {
            let told = tokio::select! {
                () = context.cancelled() => return Ok(()),
                Ok(()) = tools.changed(), if hears_tools => context.sink().notify_tool_list_changed().await,
                Ok(()) = prompts.changed(), if hears_prompts => context.sink().notify_prompt_list_changed().await,
            };
            if told.is_err() {
                return Ok(());
            }
        }
    }
}
