//! Looks into the frames of named origins.

use super::merge::{Inner, merge};
use super::{Bridges, World};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use crate::page::look::{Evaluated, graph_of, publisher_expression};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uiap_protocol::ids::{ElementInstanceId, Id};
use uiap_protocol::web::{OpaqueKind, PageGraph};

/// Most frames that one look crosses into.
const CROSSINGS_MAX: usize = 32;
/// How deep frames in frames are followed.
const DEPTH_MAX: usize = 8;
/// The name of this kind of bridge.
const BRIDGE: &str = "driver";

impl Bridges {
    /// Replaces opaque regions of a graph by what is in them, where the origin is named. What cannot be seen in time
    /// stays opaque: that is the truth too.
    pub(in crate::page) async fn cross(
        &self,
        graph: &mut PageGraph,
        frame: &str,
        options: &str,
        deadline: Deadline,
    ) {
        let world = self.frames().get(frame).and_then(|known| known.world.clone());
        if let Some(world) = world.filter(|_| !self.options.origins.is_empty()) {
            let mut left = CROSSINGS_MAX;
            self.fill(graph, &world, options, deadline.half(), DEPTH_MAX, &mut left).await;
        }
    }

    /// The regions of one graph; `world` is where it was made.
    async fn fill(
        &self,
        graph: &mut PageGraph,
        world: &World,
        options: &str,
        deadline: Deadline,
        depth: usize,
        left: &mut usize,
    ) {
        let regions = graph.opaque_regions.iter().flatten();
        let frames = regions.filter(|region| region.kind == OpaqueKind::CrossOriginFrame);
        let hosts: Vec<_> = frames.filter_map(|region| region.host_element_id.clone()).collect();
        for host in hosts {
            if *left == 0 || depth == 0 || deadline.is_over() {
                return;
            }
            let Ok(Some(found)) = self.find(&host, world, deadline).await else { continue };
            *left -= 1;
            let Some(mut inner) = self.look(&found.world, options, deadline).await else { continue };
            Box::pin(self.fill(&mut inner, &found.world, options, deadline, depth - 1, left)).await;
            if let Ok(bridge) = Id::new(BRIDGE) {
                merge(graph, Inner { host, graph: inner, offset: found.offset, bridge });
            }
        }
    }

    /// The frame that an element shows, if its origin is named.
    async fn find(
        &self,
        host: &ElementInstanceId,
        world: &World,
        deadline: Deadline,
    ) -> Result<Option<Found>, CallError> {
        let id = Value::from(host.as_str());
        let expression = format!("globalThis.__uiap.node({id})");
        let params = json!({ "expression": expression, "uniqueContextId": world.unique_id });
        let Node { result } = self.order(world, "Runtime.evaluate", params, deadline).await?;
        let Some(node) = result.object_id else { return Ok(None) };
        let named = json!({ "objectId": node });
        let described = self.order::<Described>(world, "DOM.describeNode", named.clone(), deadline);
        let boxed = self.order::<Boxed>(world, "DOM.getBoxModel", named.clone(), deadline);
        let (described, boxed) = tokio::join!(described, boxed);
        self.client.post(Some(&world.session), "Runtime.releaseObject", named);
        let inside = described?.node.frame_id.and_then(|frame| self.world_of(&frame));
        // The content box begins at its first corner.
        let corner = boxed?.model.content.first_chunk::<2>().copied();
        Ok(inside.zip(corner).map(|(world, [x, y])| Found { world, offset: (x, y) }))
    }

    async fn look(&self, world: &World, options: &str, deadline: Deadline) -> Option<PageGraph> {
        let params = json!({
            "expression": publisher_expression(&format!("packed({})", Value::from(options))), "uniqueContextId": world.unique_id, "returnByValue": true,
        });
        let seen: Evaluated<Text> = self.order(world, "Runtime.evaluate", params, deadline).await.ok()?;
        let Text(json) = seen.into_value().ok()?;
        graph_of(&json).ok()
    }

    pub(super) async fn order<R: DeserializeOwned>(
        &self,
        world: &World,
        method: &'static str,
        params: Value,
        deadline: Deadline,
    ) -> Result<R, CallError> {
        self.client.call(Some(&world.session), method, params, deadline).await
    }
}

/// A frame we may look into.
struct Found {
    world: World,
    /// Where its content begins.
    offset: (f64, f64),
}

#[derive(Deserialize)]
struct Node {
    result: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Described {
    node: DescribedNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedNode {
    frame_id: Option<String>,
}

#[derive(Deserialize)]
struct Boxed {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    content: Vec<f64>,
}
