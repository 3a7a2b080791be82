//! What a page listens to presses and keys on, where nothing in its markup says so.
//!
//! The publisher's world does not see the listeners of the page. The browser shows them to its developer tools, with
//! numbers for the nodes that mean nothing in the page. So the publisher marks elements by listeners of its own for a
//! moment: a node that has a listener of the page and a mark is known on both sides.
//!
//! The browser is asked about the document as the page's own world has it. Asked about the same document as the
//! publisher's world has it, Chromium 156 takes the process of the page down once there are some thousand listeners.

use super::look::publisher_expression;
use super::{Evaluated, Page};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// What a press makes.
const PRESSES: &[&str] =
    &["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"];
/// What a key makes.
const KEYS: &[&str] = &["keydown", "keypress", "keyup"];
/// What the event of a mark is called, in front of its number.
const MARK: &str = "uiap:";
/// Most listeners of a node that listens for itself. The roots of frameworks have one for every event there is.
const LISTENERS_OF_ONE_MAX: usize = 12;
/// Most listeners of a page that is asked at every look. Each costs the browser some microseconds to show.
const LISTENERS_CHEAP_MAX: usize = 1_000;
/// How much longer a page with more of them is left alone than it took to ask.
const PAUSE_FACTOR: u32 = 20;
/// How long the browser may take. One that takes longer is not asked about this document again.
const LISTENERS_WAIT: Duration = Duration::from_secs(5);

/// Most new nodes that are described, so that only what looks like them must be marked. Beyond, everything is.
const DESCRIBED_MAX: usize = 64;
/// Longest class by which nodes are told apart, in bytes.
const CLASS_BYTES_MAX: usize = 1_024;
/// What is a control without any listener.
const CONTROLS: &[&str] = &["html", "body", "button", "input", "select", "textarea", "option", "summary"];

/// What is known about the listeners of one document.
#[derive(Debug, Default)]
pub(super) struct Heard {
    place: Place,
    /// The browser's handle for the document.
    document: Option<String>,
    /// The nodes that listen, as the publisher was told.
    known: HashMap<i64, Ears>,
    pause: Pause,
}

/// Which document it is: by both its worlds and by what loaded it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Place {
    world: String,
    own_world: String,
    loader: String,
}

/// Whether the browser is asked again.
#[derive(Debug, Default)]
enum Pause {
    #[default]
    None,
    Until(Instant),
    Forever,
}

/// How a node listens.
#[derive(Clone, Copy, Debug, Default)]
struct Ears {
    press: bool,
    keys: bool,
    listeners: usize,
    /// The mark by which the publisher knows it. It has none for what it may not see, and for what is a control anyway.
    mark: Option<u32>,
}

impl Ears {
    fn listens_for_itself(self) -> bool {
        (self.press || self.keys) && self.listeners <= LISTENERS_OF_ONE_MAX
    }
}

impl Page {
    /// Tells the publisher what listens since it was last told, or listens no more; whether that concerns what it
    /// publishes. A page that cannot be asked is looked at without.
    pub(super) async fn hears_more(&self, deadline: Deadline) -> bool {
        // Whoever else asks at this moment tells the publisher.
        let Ok(mut heard) = self.heard.try_lock() else { return false };
        match self.hear(&mut heard, deadline.half().at_most(LISTENERS_WAIT)).await {
            Ok(is_news) => is_news,
            Err(CallError::Deadline { .. } | CallError::TooLarge { .. }) => {
                heard.pause = Pause::Forever;
                false
            }
            // The document is being replaced; the next look begins anew.
            Err(_) => {
                *heard = Heard::default();
                false
            }
        }
    }

    async fn hear(&self, heard: &mut Heard, deadline: Deadline) -> Result<bool, CallError> {
        let Some(place) = self.place() else { return Ok(false) };
        if heard.place != place {
            *heard = Heard { place, ..Heard::default() };
        }
        match heard.pause {
            Pause::Forever => return Ok(false),
            Pause::Until(end) if Instant::now() < end => return Ok(false),
            Pause::Until(_) | Pause::None => {}
        }
        let Some(document) = self.document(heard, deadline).await? else { return Ok(false) };
        let started = Instant::now();
        let (count, ears) = self.listening(&document, deadline).await?;
        if count > LISTENERS_CHEAP_MAX {
            heard.pause = Pause::Until(Instant::now() + started.elapsed() * PAUSE_FACTOR);
        }
        let new: Vec<i64> = ears.keys().filter(|node| !heard.known.contains_key(node)).copied().collect();
        let Some(mark) = self.mark(&new, deadline).await? else {
            return self.tell(heard, &ears, false, deadline).await;
        };
        self.publisher_call(&heard.place.world, &mark, deadline).await?;
        let (_, ears) = self.listening(&document, deadline).await?;
        self.tell(heard, &ears, true, deadline).await
    }

    /// The call that marks nodes so that these are among them; nothing if none of them is worth it.
    async fn mark(&self, new: &[i64], deadline: Deadline) -> Result<Option<String>, CallError> {
        if new.len() > DESCRIBED_MAX {
            return Ok(Some("mark()".to_owned()));
        }
        let descriptions = join_all(new.iter().map(|node| self.describe(*node, deadline))).await;
        let mut kinds = BTreeSet::new();
        for described in descriptions {
            kinds.extend(described?.filter(Node::may_be_silent_control).map(Node::kind));
        }
        let is_long = |(_, class): &(_, Option<String>)| {
            class.as_ref().is_some_and(|class| class.len() > CLASS_BYTES_MAX)
        };
        if kinds.iter().any(is_long) {
            return Ok(Some("mark()".to_owned()));
        }
        Ok((!kinds.is_empty()).then(|| format!("mark({})", json!(kinds))))
    }

    /// What a node is; nothing if it is gone.
    async fn describe(&self, node: i64, deadline: Deadline) -> Result<Option<Node>, CallError> {
        match self.call("DOM.describeNode", json!({ "backendNodeId": node }), deadline).await {
            Ok(Described { node }) => Ok(Some(node)),
            Err(CallError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Says to the publisher what is new; whether that concerns anything.
    async fn tell(
        &self,
        heard: &mut Heard,
        ears: &HashMap<i64, Ears>,
        marked: bool,
        deadline: Deadline,
    ) -> Result<bool, CallError> {
        let silent: Vec<i64> = heard.known.keys().filter(|node| !ears.contains_key(node)).copied().collect();
        let silent: Vec<u32> = silent.iter().filter_map(|node| heard.known.remove(node)?.mark).collect();
        let (mut press, mut keys) = (Vec::new(), Vec::new());
        for (node, ears) in ears {
            let before = heard.known.get(node).copied();
            if before.is_some_and(|before| (before.press, before.keys) == (ears.press, ears.keys)) {
                continue;
            }
            let mark = ears.mark.or(before.and_then(|before| before.mark));
            heard.known.insert(*node, Ears { mark, ..*ears });
            press.extend(mark.filter(|_| ears.press));
            keys.extend(mark.filter(|_| ears.keys));
        }
        if !marked && silent.is_empty() && press.is_empty() && keys.is_empty() {
            return Ok(false);
        }
        let call = format!("heard({}, {}, {})", json!(press), json!(keys), json!(silent));
        Ok(self.publisher_call(&heard.place.world, &call, deadline).await? > 0)
    }

    fn place(&self) -> Option<Place> {
        self.track.with(|facts| {
            let own_world = facts.own_world.as_ref()?.id.clone();
            Some(Place { world: facts.world.clone()?, own_world, loader: facts.document.loader.clone() })
        })
    }

    /// The document, as the page's own world has it.
    async fn document(&self, heard: &mut Heard, deadline: Deadline) -> Result<Option<String>, CallError> {
        if heard.document.is_none() {
            let params = json!({ "expression": "document", "uniqueContextId": heard.place.own_world });
            let Root { result } = self.call("Runtime.evaluate", params, deadline).await?;
            heard.document = result.object_id;
        }
        Ok(heard.document.clone())
    }

    /// How many listeners there are in the document, its shadow roots and its frames of the same process, and the nodes
    /// that listen for themselves.
    async fn listening(
        &self,
        document: &str,
        deadline: Deadline,
    ) -> Result<(usize, HashMap<i64, Ears>), CallError> {
        let params = json!({ "objectId": document, "depth": -1, "pierce": true });
        let Listeners { listeners } = self.call("DOMDebugger.getEventListeners", params, deadline).await?;
        let count = listeners.len();
        let mut nodes: HashMap<i64, Ears> = HashMap::new();
        for Listener { kind: Text(kind), use_capture, backend_node_id } in listeners {
            let Some(node) = backend_node_id else { continue };
            let ears = nodes.entry(node).or_default();
            if let Some(mark) = kind.strip_prefix(MARK) {
                ears.mark = mark.parse().ok();
                continue;
            }
            ears.listeners += 1;
            // Who hears it on the way down wants to know of what is inside.
            ears.press |= !use_capture && PRESSES.contains(&kind.as_str());
            ears.keys |= !use_capture && KEYS.contains(&kind.as_str());
        }
        nodes.retain(|_, ears| ears.listens_for_itself());
        Ok((count, nodes))
    }

    /// Calls the publisher for a number.
    async fn publisher_call(&self, world: &str, call: &str, deadline: Deadline) -> Result<u64, CallError> {
        let params = json!({
            "expression": publisher_expression(call), "uniqueContextId": world, "returnByValue": true,
        });
        let answer: Evaluated<u64> = self.call("Runtime.evaluate", params, deadline).await?;
        // What it throws concerns nothing that is published.
        Ok(answer.into_value().unwrap_or_default())
    }
}

#[derive(Deserialize)]
struct Root {
    result: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    #[serde(rename = "nodeType")]
    sort: u32,
    local_name: Text,
    /// Names and values by turns.
    #[serde(default)]
    attributes: Vec<Text>,
}

impl Node {
    const ELEMENT: u32 = 1;

    fn attribute(&self, wanted: &str) -> Option<&str> {
        let mut given = self.attributes.chunks_exact(2);
        given.find_map(|pair| match pair {
            [Text(name), Text(value)] if name == wanted => Some(value.as_str()),
            _ => None,
        })
    }

    /// Nothing but its listener may say that it is one.
    fn may_be_silent_control(&self) -> bool {
        self.sort == Self::ELEMENT
            && !CONTROLS.contains(&self.local_name.0.as_str())
            && self.attribute("href").is_none()
    }

    /// What it looks like: its tag and its class.
    fn kind(self) -> (String, Option<String>) {
        let class = self.attribute("class").map(str::to_owned);
        (self.local_name.0, class)
    }
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
    use_capture: bool,
    backend_node_id: Option<i64>,
}
