//! Telling a page what is known about it: the bindings of a bundle, and how annotations begin.

use super::look::publisher_expression;
use super::{LookError, Page, WORLD};
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
    /// Annotations cannot begin so.
    #[error("annotations cannot begin with \"{prefix}\": {why}")]
    Prefix {
        /// With what.
        prefix: String,
        /// Why not.
        why: String,
    },
}

/// What the publisher of every new document of a page is told, before its first script runs.
#[derive(Debug, Default)]
pub(super) struct Instruction {
    held: Mutex<Option<Held>>,
}

#[derive(Clone, Debug)]
struct Held {
    call: String,
    /// The browser's name for the script that tells it.
    script: String,
}

impl Instruction {
    /// The call that tells it, for a publisher that was installed without the script.
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
        let written = serde_json::to_string(bindings).map_err(|_| BindError::Bindings)?;
        let argument = serde_json::to_string(&written).map_err(|_| BindError::Bindings)?;
        let problems = self.instruct(&self.binding, format!("bind({argument})"), deadline).await?;
        Ok(Bound { problems: problems.lines().map(str::to_owned).collect() })
    }

    /// Reads annotations whose names begin so, such as `data-acme-`, and no others, in the document and every later
    /// one of this page.
    pub async fn annotated_by(&self, prefix: &str, deadline: Deadline) -> Result<(), BindError> {
        let argument = serde_json::Value::from(prefix);
        let why = self.instruct(&self.annotation, format!("annotate({argument})"), deadline).await?;
        if why.is_empty() { Ok(()) } else { Err(BindError::Prefix { prefix: prefix.to_owned(), why }) }
    }

    /// Tells the publisher something, now and in every later document; gives what it answers now.
    async fn instruct(
        &self,
        instruction: &Instruction,
        call: String,
        deadline: Deadline,
    ) -> Result<String, LookError> {
        #[derive(Deserialize)]
        struct Added {
            identifier: String,
        }
        // Scripts of one world run in the order in which they were added: the publisher is there already.
        let params = json!({ "source": publisher_expression(&call), "worldName": WORLD });
        let Added { identifier: script } =
            self.call("Page.addScriptToEvaluateOnNewDocument", params, deadline).await?;
        if let Some(before) = instruction.hold(Held { call: call.clone(), script }) {
            let params = json!({ "identifier": before.script });
            self.post("Page.removeScriptToEvaluateOnNewDocument", params);
        }
        let (answer, _) = self.publisher(&call, deadline).await?;
        Ok(answer)
    }
}
