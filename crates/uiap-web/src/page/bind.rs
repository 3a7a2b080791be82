//! Binding a page to what a bundle says about it.

use super::look::publisher_expression;
use super::{LookError, Page, WORLD};
use crate::cdp::CallError;
use crate::deadline::Deadline;
use serde::Deserialize;
use serde_json::json;
use std::sync::{Mutex, PoisonError};
use uiap_protocol::authoring::BindingsManifest;

/// What became of bindings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// What of them cannot be used on a page, a line each. The rest counts.
    pub problems: Vec<String>,
}

/// Why a page is not bound.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The page cannot be reached, or its publisher does not take them.
    #[error(transparent)]
    Look(#[from] LookError),
    /// They cannot be written.
    #[error("the bindings cannot be written as JSON")]
    Bindings,
}

impl From<CallError> for BindError {
    fn from(error: CallError) -> Self {
        Self::Look(error.into())
    }
}

/// What binds every new document of a page.
#[derive(Debug, Default)]
pub(super) struct Binding {
    held: Mutex<Option<Held>>,
}

#[derive(Clone, Debug)]
struct Held {
    call: String,
    /// The browser's name for the script that binds before the first script of a document.
    script: String,
}

impl Binding {
    /// The call that binds a publisher, for one that was installed without the script.
    pub(super) fn call(&self) -> Option<String> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().map(|held| held.call.clone())
    }

    fn hold(&self, held: Held) -> Option<Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).replace(held)
    }
}

impl Page {
    /// Binds the document and every later one of this page, in place of what bound it before.
    pub async fn bind(&self, bindings: &BindingsManifest, deadline: Deadline) -> Result<Bound, BindError> {
        #[derive(Deserialize)]
        struct Added {
            identifier: String,
        }
        let written = serde_json::to_string(bindings).map_err(|_| BindError::Bindings)?;
        let argument = serde_json::to_string(&written).map_err(|_| BindError::Bindings)?;
        let call = format!("bind({argument})");
        // Scripts of one world run in the order in which they were added: the publisher is there already.
        let source = publisher_expression(&call);
        let params = json!({ "source": source, "worldName": WORLD });
        let Added { identifier: script } =
            self.call("Page.addScriptToEvaluateOnNewDocument", params, deadline).await?;
        if let Some(before) = self.binding.hold(Held { call: call.clone(), script }) {
            let params = json!({ "identifier": before.script });
            self.post("Page.removeScriptToEvaluateOnNewDocument", params);
        }
        let (problems, _) = self.publisher(&call, deadline).await?;
        Ok(Bound { problems: problems.lines().map(str::to_owned).collect() })
    }
}
