//! Asking the publisher, and knowing whether it began.

use super::delivery::{Hindrance, Interruption, Stop};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use crate::page::{Evaluated, LookError, Page};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Why the publisher has no answer.
pub(super) enum AskError {
    /// It was not asked: its world is gone, or there is none.
    NotAsked(Hindrance),
    /// It was asked, and then something happened.
    Interrupted(Interruption),
    /// It threw.
    Threw { message: String },
}

impl AskError {
    /// The question itself does nothing to the page.
    pub(super) fn hindrance(self) -> Hindrance {
        match self {
            Self::NotAsked(hindrance) => hindrance,
            Self::Interrupted(Interruption::Call(error)) => Hindrance::Call(error),
            Self::Interrupted(_) => Hindrance::Replaced,
            Self::Threw { message } => Hindrance::Publisher { message },
        }
    }

    /// The question was the deed.
    pub(super) fn stop(self) -> Stop {
        match self {
            Self::NotAsked(hindrance) => Stop::Hindered(hindrance),
            Self::Interrupted(interruption) => Stop::Interrupted(interruption),
            Self::Threw { message } => Stop::Interrupted(Interruption::Threw { message }),
        }
    }
}

#[derive(Deserialize)]
struct Object {
    result: Remote,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remote {
    object_id: Option<String>,
}

impl Page {
    /// Calls a function of the publisher with texts and reads the JSON it answers with.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        function: &'static str,
        arguments: &[&str],
        deadline: Deadline,
    ) -> Result<T, AskError> {
        let arguments: Vec<_> =
            arguments.iter().map(|text| serde_json::Value::from(*text).to_string()).collect();
        let call = format!("globalThis.__uiap.{function}({})", arguments.join(","));
        // Thrown as a text: an error would come back as an object in place of the text that is expected.
        let expression = format!(
            "(async () => {{ try {{ return await {call}; }} catch (error) {{ throw String(error); }} }})()"
        );
        let world = self.world_to_ask(deadline).await?;
        let params = json!({
            "expression": expression, "uniqueContextId": world, "returnByValue": true, "awaitPromise": true,
            "userGesture": false,
        });
        let answer = self.call::<Evaluated<Text>>("Runtime.evaluate", params, deadline).await;
        let answer = answer.map_err(|error| self.unanswered(error, &world))?;
        let Text(json) = answer.into_value().map_err(|message| AskError::Threw { message })?;
        serde_json::from_str(&json).map_err(|error| AskError::Threw { message: error.to_string() })
    }

    /// The browser's handle for the node of an element.
    pub(super) async fn object_of(&self, instance: &str, deadline: Deadline) -> Result<String, AskError> {
        let expression = format!("globalThis.__uiap.node({})", serde_json::Value::from(instance));
        let world = self.world_to_ask(deadline).await?;
        let params = json!({ "expression": expression, "uniqueContextId": world });
        let answer = self.call::<Object>("Runtime.evaluate", params, deadline).await;
        let object = answer.map_err(|error| self.unanswered(error, &world))?;
        object.result.object_id.ok_or(AskError::NotAsked(Hindrance::Gone))
    }

    async fn world_to_ask(&self, deadline: Deadline) -> Result<String, AskError> {
        if let Some(error) = self.ended() {
            return Err(AskError::NotAsked(Hindrance::Call(error)));
        }
        match self.world(deadline).await {
            Ok(Some(world)) => Ok(world),
            Ok(None) => Err(AskError::NotAsked(Hindrance::Replaced)),
            Err(LookError::Call(error)) => Err(AskError::NotAsked(Hindrance::Call(error))),
            Err(error) => Err(AskError::NotAsked(Hindrance::Publisher { message: error.to_string() })),
        }
    }

    fn unanswered(&self, error: CallError, world: &str) -> AskError {
        match error {
            CallError::Refused { message, .. } => {
                self.forget_world(world);
                // The only refusals that say that nothing ran. Everything else may have come in the middle.
                if message.contains("uniqueContextId not found") || message.contains("Cannot find context") {
                    AskError::NotAsked(Hindrance::Replaced)
                } else {
                    AskError::Interrupted(Interruption::Replaced)
                }
            }
            CallError::Busy { .. } => AskError::NotAsked(Hindrance::Call(error)),
            error => AskError::Interrupted(Interruption::Call(error)),
        }
    }
}
