//! The queue in which an application registers its actions, in the page's own world.

use super::{ActionSource, ActionsError, Invoked, REGISTERED_MAX, Registered, Returned, Uninvoked};
use super::{described, refused};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use crate::input::Interruption;
use crate::page::look::Evaluated;
use crate::page::refusals::is_replaced;
use crate::page::{Page, track::OwnWorld};
use serde::Deserialize;
use serde_json::{Value, json};
use uiap_protocol::wire::JsonObject;

/// An expression whose value lists and invokes what the page registered: made by `npm run build` in `web/`.
const REGISTRY: &str = include_str!("../../../../../web/publisher/dist/registry.js");
/// Longest answer of a registry, in UTF-16 units. The page could have replaced everything that builds it.
const ANSWER_CHARS_MAX: usize = 20_000_000;
/// How often the page may be replaced while it is asked.
const ATTEMPTS_MAX: usize = 10;

/// Why a registry has no answer.
enum Silence {
    /// It was not asked: its document is gone.
    Replaced,
    /// It was not asked: the browser did not play along.
    Unasked(CallError),
    /// It was asked, and then something happened.
    Interrupted(Interruption),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    actions: Vec<Told>,
    left_out: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Written { json: String },
    Unwritten { id: String, error: String },
}

#[derive(Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Unregistered,
    Idle,
    Threw { message: String },
    Returned { json: Option<String>, withheld: Option<Withheld> },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Withheld {
    TooLong,
    Unwritable,
}

impl Page {
    /// What the application registered.
    pub(super) async fn queued(&self, deadline: Deadline) -> Result<Registered, ActionsError> {
        for _ in 0..ATTEMPTS_MAX {
            match self.ask_registry("list", &[], deadline).await {
                Ok(answer) => return Ok(read_list(&answer)),
                Err(Silence::Replaced | Silence::Interrupted(Interruption::Replaced)) => {
                    let there = self.track.until(|facts| facts.end.is_some() || facts.own_world.is_some());
                    if deadline.limit(there).await.is_none() {
                        return Err(ActionsError::Restless);
                    }
                }
                Err(Silence::Unasked(error) | Silence::Interrupted(Interruption::Call(error))) => {
                    return Err(error.into());
                }
                Err(Silence::Interrupted(why)) => {
                    let mut registered = Registered::default();
                    registered.refused.push(refused(ActionSource::App, "", &why.to_string()));
                    return Ok(registered);
                }
            }
        }
        Err(ActionsError::Restless)
    }

    /// Calls the handler of an action.
    pub(super) async fn invoke_handler(
        &self,
        id: &str,
        args: &JsonObject,
        idempotency_key: Option<&str>,
        deadline: Deadline,
    ) -> Invoked {
        let Ok(args) = serde_json::to_string(args) else { return Invoked::None(Uninvoked::Arguments) };
        let given: Vec<&str> = [Some(id), Some(&args), idempotency_key].into_iter().flatten().collect();
        match self.ask_registry("invoke", &given, deadline).await {
            Ok(answer) => read_outcome(&answer),
            Err(Silence::Replaced) => Invoked::None(Uninvoked::Replaced),
            Err(Silence::Unasked(error)) => Invoked::None(error.into()),
            Err(Silence::Interrupted(interruption)) => Invoked::Unknown(interruption),
        }
    }

    async fn ask_registry(
        &self,
        function: &str,
        given: &[&str],
        deadline: Deadline,
    ) -> Result<String, Silence> {
        let registry = self.registry(deadline).await?;
        // Thrown as a text: an error would come back as an object in place of the text that is expected.
        let declaration = format!(
            "async function (...given) {{
                try {{
                    const said = await this.{function}(...given);
                    if (typeof said === 'string' && said.length <= {ANSWER_CHARS_MAX}) return said;
                }} catch (error) {{
                    let words = 'the page threw something that cannot be written';
                    try {{ words = '' + error; }} catch {{}}
                    throw words;
                }}
                throw 'the registry of the page does not answer with a text of its size';
            }}"
        );
        let given: Vec<Value> = given.iter().map(|text| json!({ "value": text })).collect();
        let params = json!({
            "objectId": registry, "functionDeclaration": declaration, "arguments": given,
            "returnByValue": true, "awaitPromise": true, "userGesture": false,
        });
        let answer = self.call::<Evaluated<Text>>("Runtime.callFunctionOn", params, deadline).await;
        let Text(answer) = answer
            .map_err(|error| self.unanswered_by(error, &registry))?
            .into_value()
            .map_err(|message| Silence::Interrupted(Interruption::Threw { message }))?;
        Ok(answer)
    }

    /// The browser's handle for the registry of the present document.
    async fn registry(&self, deadline: Deadline) -> Result<String, Silence> {
        #[derive(Deserialize)]
        struct Made {
            result: Object,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Object {
            object_id: Option<String>,
        }
        if let Some(error) = self.ended() {
            return Err(Silence::Unasked(error));
        }
        let world = match self.track.with(|facts| facts.own_world.clone()) {
            Some(OwnWorld { registry: Some(registry), .. }) => return Ok(registry),
            Some(OwnWorld { id, registry: None }) => id,
            None => return Err(Silence::Replaced),
        };
        let params = json!({ "expression": REGISTRY, "uniqueContextId": world });
        let made = self.call::<Made>("Runtime.evaluate", params, deadline).await;
        let Made { result: Object { object_id } } = made.map_err(|error| match error {
            error if is_replaced(&error) => Silence::Replaced,
            error => Silence::Unasked(error),
        })?;
        let registry = object_id.ok_or_else(|| {
            let message = "its registry cannot be made".to_owned();
            Silence::Interrupted(Interruption::Threw { message })
        })?;
        self.track.learn(|facts| {
            if let Some(own) = facts.own_world.as_mut().filter(|own| own.id == world) {
                own.registry = Some(registry.clone());
            }
        });
        Ok(registry)
    }

    fn unanswered_by(&self, error: CallError, registry: &str) -> Silence {
        /// The only refusals that say that nothing ran. Everything else may have come in the middle.
        const NOT_RUN: &[&str] =
            &["Cannot find context", "Could not find object", "Invalid remote object id"];
        match error {
            CallError::Refused { message, .. } if NOT_RUN.iter().any(|words| message.contains(words)) => {
                self.track.learn(|facts| {
                    facts.own_world.take_if(|own| own.registry.as_deref() == Some(registry));
                });
                Silence::Replaced
            }
            error if is_replaced(&error) => Silence::Interrupted(Interruption::Replaced),
            // Such as a promise that nobody can settle any more.
            CallError::Refused { message, .. } => Silence::Interrupted(Interruption::Threw { message }),
            error @ CallError::Busy { .. } => Silence::Unasked(error),
            error => Silence::Interrupted(Interruption::Call(error)),
        }
    }
}

/// What a page says that it registered.
pub(crate) fn read_list(answer: &str) -> Registered {
    let mut registered = Registered::default();
    match serde_json::from_str::<Listed>(answer) {
        Ok(Listed { actions, left_out }) => {
            let surplus = actions.len().saturating_sub(REGISTERED_MAX);
            registered.left_out = left_out.saturating_add(surplus);
            for told in actions.into_iter().take(REGISTERED_MAX) {
                registered.take(match told {
                    Told::Written { json } => described(ActionSource::App, &json),
                    Told::Unwritten { id, error } => Err(refused(ActionSource::App, &id, &error)),
                });
            }
        }
        Err(error) => registered.refused.push(refused(ActionSource::App, "", &error.to_string())),
    }
    registered
}

/// What came of an invocation, from the JSON text of the answer.
pub(crate) fn read_outcome(answer: &str) -> Invoked {
    match serde_json::from_str(answer) {
        Ok(Outcome::Unregistered) => Invoked::None(Uninvoked::Unregistered),
        Ok(Outcome::Idle) => Invoked::None(Uninvoked::Idle),
        Ok(Outcome::Threw { message }) => Invoked::Unknown(Interruption::Threw { message }),
        Ok(Outcome::Returned { withheld: Some(Withheld::TooLong), .. }) => {
            Invoked::Delivered(Returned::TooLong)
        }
        Ok(Outcome::Returned { withheld: Some(Withheld::Unwritable), .. }) => {
            Invoked::Delivered(Returned::Unreadable)
        }
        Ok(Outcome::Returned { json: Some(json), .. }) => Invoked::Delivered(Returned::read(&json)),
        Ok(Outcome::Returned { json: None, .. }) => Invoked::Delivered(Returned::Nothing),
        Err(error) => Invoked::Unknown(Interruption::Threw { message: error.to_string() }),
    }
}
