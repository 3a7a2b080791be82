//! What a page listens to presses on, where nothing in its markup says so.
//!
//! The publisher's world does not see the listeners of the page. The browser shows them to its developer tools, so
//! they are asked for here and handed to the publisher, which decides what they mean.

use super::refusals::is_replaced;
use super::{Evaluated, LookError, Page};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Most elements that one run of [`Page::learn_listeners`] tells the publisher about. To find each of them in the page
/// is what a run costs.
pub const LISTENERS_LEARNED_MAX: usize = 2_000;
/// Most elements that are being found at one time.
const RESOLVED_AT_ONCE: usize = 64;
/// What a press makes.
const PRESSES: &[&str] =
    &["click", "pointerdown", "pointerup", "mousedown", "mouseup", "touchend", "keydown"];
/// What the browser keeps for us during a run.
const GROUP: &str = "uiap-listeners";

/// What a run learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Elements, and other nodes, whose listeners are new.
    pub heard: usize,
    /// Those that were known and listen no more.
    pub silent: usize,
    /// Those beyond [`LISTENERS_LEARNED_MAX`]. The next run goes on with them.
    pub left: usize,
}

/// What the publisher in one world was told, by the browser's numbers of the nodes.
#[derive(Debug, Default)]
pub(super) struct Heard {
    world: String,
    told: HashSet<i64>,
}

/// The publisher's world, by both its names.
struct World {
    unique_id: String,
    number: i64,
}

/// Something the browser keeps for us. Dropping it gives it back.
struct Loan<'p> {
    page: &'p Page,
    order: &'static str,
    params: Value,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.page.post(self.order, &self.params);
    }
}

impl Page {
    /// Finds out which elements the page listens to presses on, so that the next look shows those that nothing else
    /// speaks for. Worth it once a document can be used, and again after much of it changed; it costs more than a look.
    /// If the document is replaced meanwhile, nothing is learned about either.
    pub async fn learn_listeners(&self, deadline: Deadline) -> Result<Learned, LookError> {
        // One at a time: what one run gives back may be what another one uses.
        let mut heard = deadline
            .limit(self.heard.lock())
            .await
            .ok_or(CallError::Deadline { method: "DOMDebugger.getEventListeners" })?;
        let Some(unique_id) = self.world(deadline).await? else { return Ok(Learned::default()) };
        let number =
            self.track.with(|facts| facts.world_number.filter(|_| facts.world.as_ref() == Some(&unique_id)));
        let Some(number) = number else { return Ok(Learned::default()) };
        match self.learn(&mut heard, &World { unique_id, number }, deadline).await {
            Err(LookError::Call(error)) if is_replaced(&error) => Ok(Learned::default()),
            learned => learned,
        }
    }

    async fn learn(
        &self,
        heard: &mut Heard,
        world: &World,
        deadline: Deadline,
    ) -> Result<Learned, LookError> {
        if heard.world != world.unique_id {
            *heard = Heard { world: world.unique_id.clone(), told: HashSet::new() };
        }
        let listening = self.listening(world, deadline).await?;
        let mut now = HashSet::new();
        let mut new: Vec<i64> =
            listening.into_iter().filter(|node| now.insert(*node) && !heard.told.contains(node)).collect();
        let silent: Vec<i64> = heard.told.difference(&now).copied().take(LISTENERS_LEARNED_MAX).collect();
        let left = new.len().saturating_sub(LISTENERS_LEARNED_MAX);
        new.truncate(LISTENERS_LEARNED_MAX);
        self.tell("unheard", &silent, world, deadline).await?;
        silent.iter().for_each(|node| {
            heard.told.remove(node);
        });
        self.tell("heard", &new, world, deadline).await?;
        heard.told.extend(&new);
        Ok(Learned { heard: new.len(), silent: silent.len(), left })
    }

    /// The nodes of the document, its open and closed shadow roots and its frames of the same process that the page
    /// listens to presses on; one may come several times.
    async fn listening(&self, world: &World, deadline: Deadline) -> Result<Vec<i64>, CallError> {
        // In no group: then the browser leaves out the handlers, of which there may be very many.
        let params = json!({ "expression": "document", "uniqueContextId": world.unique_id });
        let Root { result: document } = self.call("Runtime.evaluate", params, deadline).await?;
        let Some(document) = document.object_id else { return Ok(Vec::new()) };
        let _loan =
            Loan { page: self, order: "Runtime.releaseObject", params: json!({ "objectId": document }) };
        let params = json!({ "objectId": document, "depth": -1, "pierce": true });
        let Listeners { listeners } = self.call("DOMDebugger.getEventListeners", params, deadline).await?;
        let presses = listeners.into_iter().filter(|listener| PRESSES.contains(&listener.kind.0.as_str()));
        Ok(presses.filter_map(|listener| listener.backend_node_id).collect())
    }

    /// Calls a function of the publisher with those of the nodes that are still there.
    async fn tell(
        &self,
        function: &str,
        nodes: &[i64],
        world: &World,
        deadline: Deadline,
    ) -> Result<(), LookError> {
        if nodes.is_empty() {
            return Ok(());
        }
        let _loan =
            Loan { page: self, order: "Runtime.releaseObjectGroup", params: json!({ "objectGroup": GROUP }) };
        // For a node without an object in the publisher's world, the browser gives that of the page's world instead.
        let params = json!({
            "expression": "globalThis.__uiap.gather()", "uniqueContextId": world.unique_id, "objectGroup": GROUP,
        });
        self.call::<IgnoredAny>("Runtime.evaluate", params, deadline).await?;
        let objects: Vec<_> = stream::iter(nodes.iter().map(|node| self.resolve(*node, world, deadline)))
            .buffered(RESOLVED_AT_ONCE)
            .try_filter_map(async |object| Ok(object.map(|id| json!({ "objectId": id }))))
            .try_collect()
            .await?;
        let params = json!({
            "functionDeclaration": format!("function (...nodes) {{ globalThis.__uiap.{function}(...nodes); }}"),
            "uniqueContextId": world.unique_id, "arguments": objects, "returnByValue": true,
        });
        let answer: Evaluated<()> = self.call("Runtime.callFunctionOn", params, deadline).await?;
        answer.into_value().map_err(|message| LookError::Publisher { message })
    }

    /// A node in the publisher's world; `None` if it is gone.
    async fn resolve(
        &self,
        node: i64,
        world: &World,
        deadline: Deadline,
    ) -> Result<Option<String>, CallError> {
        let params = json!({
            "backendNodeId": node, "executionContextId": world.number, "objectGroup": GROUP,
        });
        match self.call::<Resolved>("DOM.resolveNode", params, deadline).await {
            Ok(Resolved { object }) => Ok(object.object_id),
            Err(CallError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[derive(Deserialize)]
struct Root {
    result: Object,
}

#[derive(Deserialize)]
struct Resolved {
    object: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Listeners {
    listeners: Vec<Listener>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listener {
    #[serde(rename = "type")]
    kind: Text,
    backend_node_id: Option<i64>,
}
