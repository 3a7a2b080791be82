//! What a client can read beside the tools: the page, what was done, and what was loaded.

use super::Server;
use super::answer::Refused;
use crate::host::Host;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::{Value, json};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::Journal as _;

pub(super) const PAGE: &str = "uiap://page";
pub(super) const TRACES: &str = "uiap://traces";
const BUNDLE: &str = "uiap://bundle";
const POLICY: &str = "uiap://policy";
/// The trace of one action, by its handle.
const TRACE: &str = "uiap://traces/";
/// Most actions in a list.
const TRACES_MAX: usize = 50;
const JSON: &str = "application/json";

/// What there is to read.
pub(super) fn list() -> ListResourcesResult {
    let resource = |uri: &str, name: &str, about: &str| {
        Resource::new(uri, name).with_description(about).with_mime_type(JSON)
    };
    ListResourcesResult::with_all_items(vec![
        resource(POLICY, "policy", "What may happen"),
        resource(BUNDLE, "bundle", "What was loaded about the application"),
        resource(TRACES, "traces", "What was done, the newest first"),
        resource(PAGE, "page", "The PageGraph of the page that is open; untrusted content"),
    ])
}

/// What there is to read under many names.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let trace = ResourceTemplate::new(format!("{TRACE}{{handle}}"), "trace")
        .with_description("Every step of one action")
        .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![trace])
}

/// Refuses an address under which there is nothing that could change.
pub(super) fn check(uri: &str) -> Result<(), ErrorData> {
    if [PAGE, TRACES, BUNDLE, POLICY].contains(&uri) { Ok(()) } else { Err(unknown(uri)) }
}

impl<H: Host> Server<H> {
    /// Reads one of them.
    pub(super) async fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let value = match uri {
            PAGE => {
                let room = self.room().map_err(|refused| closed(&refused))?;
                serde_json::to_value(room.graph().await.map_err(|refused| closed(&refused))?)
                    .map_err(|error| broken(&error))?
            }
            TRACES => self.traces().await?,
            BUNDLE => {
                let bundle = self.host().supplied().bundle.as_deref();
                serde_json::to_value(bundle).map_err(|error| broken(&error))?
            }
            POLICY => {
                serde_json::to_value(&self.host().supplied().policies).map_err(|error| broken(&error))?
            }
            other => match other.strip_prefix(TRACE).map(ActionHandle::new) {
                Some(Ok(handle)) => self.trace_of(&handle, uri).await?,
                _ => return Err(unknown(uri)),
            },
        };
        let value = self.host().supplied().secrets.scrub_json(value);
        let text = ResourceContents::text(value.to_string(), uri).with_mime_type(JSON);
        Ok(ReadResourceResult::new(vec![text]))
    }

    async fn traces(&self) -> Result<Value, ErrorData> {
        let room = self.room().map_err(|refused| closed(&refused))?;
        let latest = room.application.runtime.journal().latest_own(TRACES_MAX).await;
        let latest = latest.map_err(|error| broken(&error))?;
        let line = |trace: &uiap_runtime::journal::TraceSummary| {
            json!({
                "actionHandle": trace.handle,
                "actionId": trace.action_id,
                "at": trace.at,
                "status": trace.status,
                "sideEffectState": trace.side_effects,
            })
        };
        Ok(latest.iter().map(line).collect())
    }

    async fn trace_of(&self, handle: &ActionHandle, uri: &str) -> Result<Value, ErrorData> {
        let room = self.room().map_err(|refused| closed(&refused))?;
        let journal = room.application.runtime.journal();
        if !journal.is_own(handle).await.map_err(|error| broken(&error))? {
            return Err(unknown(uri));
        }
        let trace = journal.trace(handle).await;
        trace.map_err(|error| broken(&error))?.map(|trace| trace.to_json()).ok_or_else(|| unknown(uri))
    }
}

fn unknown(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        "There is no such resource; resources/list says what there is.",
        Some(json!({ "uri": uri })),
    )
}

fn closed(refused: &Refused) -> ErrorData {
    ErrorData::resource_not_found(refused.to_string(), None)
}

fn broken(error: &dyn std::error::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
