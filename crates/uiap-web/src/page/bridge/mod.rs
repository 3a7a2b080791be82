//! Bridges into places that a page keeps to itself, only where the configuration names them.
//!
//! A frame of another origin and a closed shadow root are opaque to the publisher. The browser shows both to its
//! developer tools: [`Bridges`] listens to the frames, `cross` looks into those of named origins and puts what it sees
//! into the graph of the page, `closed` hands closed shadow roots of named hosts to the publisher.

mod closed;
mod cross;
mod merge;

use super::network::Network;
use super::report::report;
use super::signals::SignalLog;
use super::{PUBLISHER, WORLD};
use crate::cdp::{CallError, Client, Event, Observer, SessionId, Text};
use crate::deadline::Deadline;
use merge::JOINT;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use uiap_protocol::ids::ElementInstanceId;

/// Most frames of a page that are listened to.
const FRAMES_MAX: usize = 256;
/// How long the browser may take to make a frame ready.
const PREPARE_WAIT: Duration = Duration::from_secs(30);

/// What a driver may look into, besides what every page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BridgeOptions {
    /// Origins whose frames may be looked into, such as `https://pay.example`. Looks show what is in them; it is not
    /// followed by a watch, and nothing in them is acted on.
    pub origins: Vec<String>,
    /// Elements whose closed shadow roots may be looked into, as CSS selectors such as `pay-form`.
    pub closed_hosts: Vec<String>,
}

impl BridgeOptions {
    /// Nothing is named.
    fn is_empty(&self) -> bool {
        self.origins.is_empty() && self.closed_hosts.is_empty()
    }

    fn names(&self, origin: &str) -> bool {
        self.origins.iter().any(|named| named.trim_end_matches('/').eq_ignore_ascii_case(origin))
    }
}

/// The publisher's world in a frame.
#[derive(Clone, Debug)]
struct World {
    session: SessionId,
    unique_id: String,
    /// The older name of the same, which some orders still want.
    id: i64,
}

/// What is known about a frame.
#[derive(Debug, Default)]
struct Frame {
    world: Option<World>,
    /// As the browser computed it: what the page says about it does not count.
    origin: Option<String>,
}

/// The frames of one page, in all its processes.
#[derive(Debug)]
pub(super) struct Bridges {
    client: Client,
    options: BridgeOptions,
    log: Arc<SignalLog>,
    network: Arc<Network>,
    frames: Mutex<HashMap<String, Frame>>,
}

impl Bridges {
    /// None if nothing is named.
    pub(super) fn new(
        client: &Client,
        options: &BridgeOptions,
        log: &Arc<SignalLog>,
        network: &Arc<Network>,
    ) -> Option<Arc<Self>> {
        (!options.is_empty()).then(|| {
            Arc::new(Self {
                client: client.clone(),
                options: options.clone(),
                log: Arc::clone(log),
                network: Arc::clone(network),
                frames: Mutex::default(),
            })
        })
    }

    /// The element stands in a frame that a look crossed into.
    pub(super) fn is_beyond(element: &ElementInstanceId) -> bool {
        element.as_str().contains(JOINT)
    }

    /// An event of the page itself or of one of its frames.
    pub(super) fn event(self: &Arc<Self>, session: &SessionId, event: &Event) {
        match event.method.as_str() {
            "Target.attachedToTarget" => {
                event.params().into_iter().for_each(|attached| self.attached(attached));
            }
            "Page.frameNavigated" => {
                if let Some(Navigated { frame }) = event.params() {
                    self.know(&frame.id, |known| known.origin = Some(frame.security_origin.0));
                }
            }
            "Page.frameDetached" => {
                if let Some(Detached { frame_id, reason }) = event.params() {
                    self.detached(session, &frame_id, &reason);
                }
            }
            "Runtime.executionContextCreated" => {
                if let Some(Created { context }) = event.params()
                    && context.name.0 == WORLD
                {
                    let CreatedContext { id, unique_id, aux_data, .. } = context;
                    let world = World { session: session.clone(), unique_id, id };
                    self.know(&aux_data.frame_id, |known| known.world = Some(world));
                }
            }
            "Runtime.executionContextDestroyed" => {
                if let Some(Destroyed { execution_context_unique_id: gone }) = event.params() {
                    self.forget_worlds(|world| world.unique_id == gone);
                }
            }
            "Runtime.executionContextsCleared" => self.forget_worlds(|world| world.session == *session),
            _ => {}
        }
    }

    fn detached(&self, session: &SessionId, frame: &str, reason: &str) {
        let mut frames = self.frames();
        let Some(known) = frames.get_mut(frame) else { return };
        if reason == "swap" {
            // It goes on in another process, from which it may have been heard of already.
            known.world.take_if(|world| world.session == *session);
        } else {
            frames.remove(frame);
        }
    }

    fn know(&self, frame: &str, learn: impl FnOnce(&mut Frame)) {
        let mut frames = self.frames();
        if frames.len() < FRAMES_MAX || frames.contains_key(frame) {
            learn(frames.entry(frame.to_owned()).or_default());
        }
    }

    fn forget_worlds(&self, gone: impl Fn(&World) -> bool) {
        for frame in self.frames().values_mut() {
            frame.world.take_if(|world| gone(world));
        }
    }

    /// A frame in a process of its own waits for us at its beginning.
    fn attached(self: &Arc<Self>, attached: Attached) {
        let Attached { session_id: session, target_info: TargetInfo { target_id: frame } } = attached;
        let listener = Listener { bridges: Arc::clone(self), session: session.clone(), frame };
        self.client.observe(Some(&session), Arc::new(listener));
        let bridges = Arc::clone(self);
        tokio::spawn(async move {
            // A frame that went away meanwhile needs nothing any more.
            let _ = bridges.prepare(&session).await;
        });
    }

    async fn prepare(&self, session: &SessionId) -> Result<(), CallError> {
        let deadline = Deadline::after(PREPARE_WAIT);
        let order =
            |method, params: Value| self.client.call::<IgnoredAny>(Some(session), method, params, deadline);
        tokio::try_join!(
            order("Page.enable", json!({})),
            order("Runtime.enable", json!({})),
            order("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
            order("Log.enable", json!({})),
            order("Page.addScriptToEvaluateOnNewDocument", publisher()),
            order("Target.setAutoAttach", frames_too()),
            order("Runtime.runIfWaitingForDebugger", json!({})),
        )?;
        Ok(())
    }

    /// The publisher's world in a frame whose origin is named.
    fn world_of(&self, frame: &str) -> Option<World> {
        let frames = self.frames();
        let known = frames.get(frame)?;
        known.origin.as_ref().filter(|origin| self.options.names(origin))?;
        known.world.clone()
    }

    fn is_named(&self, frame: &str) -> bool {
        let frames = self.frames();
        let origin = frames.get(frame).and_then(|known| known.origin.as_ref());
        origin.is_some_and(|origin| self.options.names(origin))
    }

    fn frames(&self) -> MutexGuard<'_, HashMap<String, Frame>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a page must be told so that its frames in other processes are heard; nothing if none is named.
pub(super) fn auto_attach(options: &BridgeOptions) -> Value {
    if options.origins.is_empty() {
        return json!({ "autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true });
    }
    frames_too()
}

fn frames_too() -> Value {
    json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{ "type": "iframe" }],
    })
}

fn publisher() -> Value {
    json!({ "source": PUBLISHER, "worldName": WORLD, "runImmediately": true })
}

/// Hears a frame in a process of its own.
struct Listener {
    bridges: Arc<Bridges>,
    session: SessionId,
    frame: String,
}

impl Observer for Listener {
    fn event(&self, event: &Event) {
        self.bridges.event(&self.session, event);
        // What happens in a frame of an unnamed origin is none of our business.
        if self.bridges.is_named(&self.frame) {
            self.bridges.network.event(event, &self.bridges.log);
            report(event, &self.bridges.log);
        }
    }

    fn gone(&self, _browser: bool) {
        self.bridges.forget_worlds(|world| world.session == self.session);
        self.bridges.network.frame_detached(&self.frame, &self.bridges.log);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: SessionId,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    /// Also the name of the frame.
    target_id: String,
}

#[derive(Deserialize)]
struct Navigated {
    frame: NavigatedFrame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NavigatedFrame {
    id: String,
    #[serde(default)]
    security_origin: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    frame_id: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Created {
    context: CreatedContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedContext {
    id: i64,
    unique_id: String,
    name: Text,
    aux_data: CreatedIn,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedIn {
    frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Destroyed {
    execution_context_unique_id: String,
}
