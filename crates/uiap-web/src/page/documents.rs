//! Which documents the pages that we drive never show: those on which a person agrees to what an agent wants.
//!
//! An agent that got there could agree with itself, whichever process asks. So the browser holds the answer to each
//! request for a document until [`DocumentFilter::paused`] has seen its headers, redirections, frames and new windows
//! included; a refused document never begins.

use crate::cdp::{Client, SessionId, Text};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use uiap_runtime::consent::APPROVAL_PAGE_HEADER;

/// What is told of a request that led to an approval page.
pub(super) const REFUSAL: &str =
    "it leads to a page where a person agrees to actions of agents, which uiap does not open";

/// Decides about the documents of one page.
#[derive(Debug)]
pub(super) struct DocumentFilter {
    client: Client,
    session: SessionId,
    /// The document that was refused last, by its loader.
    refused: Mutex<Option<String>>,
}

impl DocumentFilter {
    pub(super) fn new(client: Client, session: SessionId) -> Self {
        Self { client, session, refused: Mutex::default() }
    }

    /// The order to hold answers to requests for documents.
    pub(super) fn patterns() -> Value {
        json!({ "patterns": [{ "resourceType": "Document", "requestStage": "Response" }] })
    }

    /// Lets an answer go on, or ends it as if the navigation had been given up: what was shown before stays. Names the
    /// request that was refused.
    pub(super) fn paused(&self, paused: &PausedResponse) -> Option<String> {
        let is_refused = paused.response_headers.iter().flatten().any(Header::is_mark);
        if !is_refused {
            self.client.post(
                Some(&self.session),
                "Fetch.continueRequest",
                json!({ "requestId": paused.request_id }),
            );
            return None;
        }
        let request = paused.network_id.clone().unwrap_or_default();
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.clone());
        let params = json!({ "requestId": paused.request_id, "errorReason": "Aborted" });
        self.client.post(Some(&self.session), "Fetch.failRequest", params);
        Some(request)
    }

    /// Whether the document with this loader was refused.
    pub(super) fn has_refused(&self, loader: &str) -> bool {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).as_deref() == Some(loader)
    }
}

/// An answer that is held.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PausedResponse {
    request_id: String,
    /// The request, as the network names it; of a navigation it is the loader.
    network_id: Option<String>,
    response_headers: Option<Vec<Header>>,
}

#[derive(Deserialize)]
struct Header {
    name: Text,
}

impl Header {
    fn is_mark(&self) -> bool {
        self.name.0.eq_ignore_ascii_case(APPROVAL_PAGE_HEADER)
    }
}
