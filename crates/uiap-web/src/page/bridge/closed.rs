//! Hands closed shadow roots of named hosts to the publisher.

use super::{Bridges, World};
use crate::cdp::CallError;
use crate::deadline::Deadline;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

impl Bridges {
    /// Gives the publisher of the page what it may look into; says how much of it is new. A host that vanishes
    /// meanwhile is passed over.
    pub(in crate::page) async fn admit_closed(
        &self,
        frame: &str,
        deadline: Deadline,
    ) -> Result<usize, CallError> {
        let Some(selector) = self.selector() else { return Ok(0) };
        let world = self.frames().get(frame).and_then(|known| known.world.clone());
        let Some(world) = world else { return Ok(0) };
        let argument = Value::from(selector);
        let params = json!({
            "expression": format!("globalThis.__uiap.hosts({argument})"), "uniqueContextId": world.unique_id,
        });
        let Evaluated { result: list } = self.order(&world, "Runtime.evaluate", params, deadline).await?;
        let Some(list) = list.object_id else { return Ok(0) };
        let params = json!({ "objectId": list, "ownProperties": true });
        let members: Members = self.order(&world, "Runtime.getProperties", params, deadline).await?;
        let is_item = |member: &Member| member.name.parse::<usize>().is_ok();
        let items = members.result.into_iter().filter(is_item).filter_map(|member| member.value?.object_id);
        let mut admitted = 0;
        for host in items {
            admitted += usize::from(self.admit(&world, &host, deadline).await?);
            self.client.post(Some(&world.session), "Runtime.releaseObject", json!({ "objectId": host }));
        }
        self.client.post(Some(&world.session), "Runtime.releaseObject", json!({ "objectId": list }));
        Ok(admitted)
    }

    /// One list of all that are named. A selector that the browser does not understand spoils none of the others.
    fn selector(&self) -> Option<String> {
        let hosts = &self.options.closed_hosts;
        (!hosts.is_empty()).then(|| format!(":is({})", hosts.join(",")))
    }

    async fn admit(&self, world: &World, host: &str, deadline: Deadline) -> Result<bool, CallError> {
        let params = json!({ "objectId": host, "pierce": true, "depth": 0 });
        let described: Described = match self.order(world, "DOM.describeNode", params, deadline).await {
            // The host is gone.
            Err(CallError::Refused { .. }) => return Ok(false),
            described => described?,
        };
        let is_closed = |root: &&Root| root.shadow_root_type.as_deref() == Some("closed");
        let Some(root) = described.node.shadow_roots.iter().find(is_closed) else { return Ok(false) };
        let params = json!({ "backendNodeId": root.backend_node_id, "executionContextId": world.id });
        let resolved: Resolved = match self.order(world, "DOM.resolveNode", params, deadline).await {
            Err(CallError::Refused { .. }) => return Ok(false),
            resolved => resolved?,
        };
        let params = json!({
            "functionDeclaration": "function (root) { globalThis.__uiap.admit(this, root); }",
            "objectId": host, "arguments": [{ "objectId": resolved.object.object_id }],
        });
        self.order::<IgnoredAny>(world, "Runtime.callFunctionOn", params, deadline).await?;
        Ok(true)
    }
}

#[derive(Deserialize)]
struct Evaluated {
    result: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Members {
    result: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    name: String,
    value: Option<Object>,
}

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    #[serde(default)]
    shadow_roots: Vec<Root>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    backend_node_id: i64,
    shadow_root_type: Option<String>,
}

#[derive(Deserialize)]
struct Resolved {
    object: Object,
}
