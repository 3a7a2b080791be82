//! Asking in rounds: an answer asks for something, and the client calls again with it (MCP 2026-07-28).

#![expect(deprecated, reason = "the suite asks for sampling and roots, which MCP is about to give up")]

use crate::data::Round;
use rmcp::ErrorData;
use rmcp::model::{
    ClientCapabilities, CreateMessageResult, ElicitResult, ElicitationCapability, InputRequest,
    InputRequests, InputRequiredResult, InputResponses, ListRootsResult, RootsCapabilities,
    SamplingCapability,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What a client said when it called again.
pub(crate) struct Told<'c> {
    pub(crate) responses: Option<&'c InputResponses>,
    pub(crate) state: Option<&'c str>,
    pub(crate) capabilities: ClientCapabilities,
}

/// Where each conversation is, by a name that stays here; nobody can change what it stands for.
#[derive(Default)]
pub(crate) struct Conversations(Mutex<HashMap<String, usize>>);

impl Conversations {
    /// What to ask for next; nothing, if everything has been told.
    pub(crate) fn next(
        &self,
        rounds: &[Round],
        told: &Told<'_>,
    ) -> Result<Option<InputRequiredResult>, ErrorData> {
        let mut at = match told.state {
            Some(state) => self.take(state)?,
            None => 0,
        };
        if let Some(round) = rounds.get(at) {
            let wanted = answerable(&round.requests, &told.capabilities)?;
            let is_told = |(name, request): (&String, &InputRequest)| {
                told.responses.and_then(|said| said.get(name)).is_some_and(|said| answers(request, said))
            };
            at += usize::from(wanted.iter().all(is_told));
        }
        let Some(round) = rounds.get(at) else { return Ok(None) };
        let requests = answerable(&round.requests, &told.capabilities)?;
        let state = round.keeps_state.then(|| self.put(at));
        Ok(Some(InputRequiredResult::new(Some(requests), state)))
    }

    fn put(&self, round: usize) -> String {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("conversation-{}", open.len());
        open.insert(name.clone(), round);
        name
    }

    fn take(&self, state: &str) -> Result<usize, ErrorData> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = || ErrorData::invalid_params("This is no state of this server.", None);
        open.get(state).copied().ok_or_else(unknown)
    }
}

/// What this client can answer; an error names what it lacks, if that is everything.
fn answerable(requests: &InputRequests, has: &ClientCapabilities) -> Result<InputRequests, ErrorData> {
    let can = |request: &InputRequest| match request {
        InputRequest::CreateMessage(_) => has.sampling.is_some(),
        InputRequest::Elicitation(_) => has.elicitation.is_some(),
        InputRequest::ListRoots(_) => has.roots.is_some(),
        _ => false,
    };
    let able: InputRequests = requests
        .iter()
        .filter(|(_, request)| can(request))
        .map(|(name, r)| (name.clone(), r.clone()))
        .collect();
    if able.is_empty() {
        let mut lacks = ClientCapabilities::default();
        for request in requests.values() {
            match request {
                InputRequest::CreateMessage(_) => lacks.sampling = Some(SamplingCapability::default()),
                InputRequest::Elicitation(_) => lacks.elicitation = Some(ElicitationCapability::default()),
                InputRequest::ListRoots(_) => lacks.roots = Some(RootsCapabilities::default()),
                _ => {}
            }
        }
        return Err(ErrorData::missing_required_client_capability(lacks));
    }
    Ok(able)
}

fn answers(request: &InputRequest, said: &Value) -> bool {
    match request {
        InputRequest::CreateMessage(_) => serde_json::from_value::<CreateMessageResult>(said.clone()).is_ok(),
        InputRequest::Elicitation(_) => serde_json::from_value::<ElicitResult>(said.clone()).is_ok(),
        InputRequest::ListRoots(_) => serde_json::from_value::<ListRootsResult>(said.clone()).is_ok(),
        _ => false,
    }
}
