//! How a person is asked through an MCP client, and what counts as a yes.
//!
//! Start at [`Way::of`]. Since 2026-07-28 a server answers a call with what it needs to know and the client calls
//! again; before that it asks the client meanwhile. Where the client can do neither, the person gets a page of ours.

use super::approval::random_name;
use super::errand::{Errand, Question};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest,
    InputRequests, InputRequiredResult, JsonObject, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::{Duration, Instant};
use uiap_runtime::life::CONFIRMATION_WAIT_MS_MAX;
use uiap_runtime::question::question;

/// The name of the one thing that is asked.
const ASKED: &str = "agreement";
/// Most questions that clients have not answered.
const OPEN_MAX: usize = 64;

/// How the person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The call ends, and the client calls again with the answer.
    CallAgain,
    /// The client is asked while the call waits.
    Meanwhile,
    /// On a page of ours.
    Page,
}

impl Way {
    /// The way of a client.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        // A client that names no mode means forms.
        let has_forms = capability.is_some_and(|modes| modes.form.is_some() || modes.url.is_none());
        let is_stateless = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        match (has_forms, is_stateless) {
            (true, true) => Self::CallAgain,
            (true, false) => Self::Meanwhile,
            (false, _) => Self::Page,
        }
    }
}

/// Asks the client while the call waits. Nothing, if it has no answer.
pub(super) async fn elicit(context: &RequestContext<RoleServer>, asked: &Question) -> Option<bool> {
    let answer = context.peer.create_elicitation(form(asked)?).await.ok()?;
    Some(is_yes(&answer))
}

/// What a person reads and fills in.
fn form(asked: &Question) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": { "agree": { "type": "boolean", "title": "Do it", "default": false } },
        "required": ["agree"]
    });
    let requested_schema = serde_json::from_value(schema).ok()?;
    let message = question(&asked.request).join("\n");
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

/// Only an accepted form in which it says so is a yes.
fn is_yes(answer: &ElicitResult) -> bool {
    let agree = answer.content.as_ref().and_then(|content| content.get("agree"));
    answer.action == ElicitationAction::Accept && agree == Some(&Value::Bool(true))
}

/// A question that a client has not answered.
struct Open {
    errand: Arc<Errand>,
    question: Arc<Question>,
    tool: String,
    arguments: Option<JsonObject>,
    until: Instant,
}

/// The questions that clients have not answered. What travels is a random name; what it stands for stays here, so
/// nobody can change it on the way.
#[derive(Default)]
pub(super) struct OpenQuestions(Mutex<HashMap<String, Open>>);

/// An answer that came with a call.
pub(super) struct Answered {
    pub(super) errand: Arc<Errand>,
    pub(super) question: Arc<Question>,
    pub(super) agrees: bool,
}

impl OpenQuestions {
    /// Puts a question into the answer to a call.
    pub(super) fn put(
        &self,
        call: &CallToolRequestParams,
        errand: &Arc<Errand>,
        asked: &Arc<Question>,
    ) -> Option<InputRequiredResult> {
        let form = InputRequest::Elicitation(ElicitRequest::new(form(asked)?));
        let name = random_name()?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, open| Instant::now() < open.until);
        if open.len() >= OPEN_MAX {
            return None;
        }
        let question = Open {
            errand: Arc::clone(errand),
            question: Arc::clone(asked),
            tool: call.name.to_string(),
            arguments: call.arguments.clone(),
            until: Instant::now() + Duration::from_millis(CONFIRMATION_WAIT_MS_MAX),
        };
        open.insert(name.clone(), question);
        let asks = InputRequests::from([(ASKED.to_owned(), form)]);
        Some(InputRequiredResult::new(Some(asks), Some(name)))
    }

    /// Takes the answer that came with a call. Nothing, if it answers no question that is open for this very call.
    pub(super) fn take(&self, call: &CallToolRequestParams) -> Option<Answered> {
        let state = call.request_state.as_deref()?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |open: &Open| {
            Instant::now() < open.until && open.tool == call.name && open.arguments == call.arguments
        };
        open.get(state).filter(|open| is_it(open))?;
        let Open { errand, question, .. } = open.remove(state)?;
        let answer = call.input_responses.as_ref().and_then(|answers| answers.get(ASKED)).cloned();
        let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer).ok());
        Some(Answered { errand, question, agrees: answer.is_some_and(|answer| is_yes(&answer)) })
    }
}
