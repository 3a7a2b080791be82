//! What is known about a page, kept up to date by its events.
//!
//! Start at [`Track`]. It hears every event in order and before later answers, so that after a call whatever the
//! browser said before is known here.

use super::WORLD;
use super::address::shown;
use super::bridge::Bridges;
use super::dialogs::Dialogs;
use super::documents::{DocumentFilter, REFUSAL};
use super::network::Network;
use super::registry::Tools;
use super::report::report;
use super::signals::{BrowserSignal, SignalLog};
use super::watch::{Feed, Lost};
use crate::cdp::{Event, Observer, Text};
use serde::Deserialize;
use serde_json::json;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use tokio::sync::watch;

/// Most frames of a page that are known by name.
const FRAMES_MAX: usize = 1_024;
/// Most windows that are about to be opened by one page.
const OPENING_MAX: usize = 64;

/// How a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Closed,
    Crashed,
    Browser,
}

/// A document and how far it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub(super) loader: String,
    pub(super) url: String,
    pub(super) interactive: bool,
    pub(super) loaded: bool,
    /// The network was almost idle for half a second.
    pub(super) quiet: bool,
}

impl Document {
    /// There is nothing to wait for any more.
    pub(super) fn is_ready(&self) -> bool {
        self.loaded || (self.interactive && self.quiet)
    }

    fn reach(&mut self, stage: &str) {
        match stage {
            "DOMContentLoaded" => self.interactive = true,
            "load" => self.loaded = true,
            "networkAlmostIdle" => self.quiet = true,
            _ => {}
        }
    }
}

/// The world of the page's own scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnWorld {
    pub(super) id: String,
    /// The browser's handle for the registry, once somebody asked for it.
    pub(super) registry: Option<String>,
}

/// What is known about a page.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) frame: String,
    pub(super) document: Document,
    /// How often the address changed without another document.
    pub(super) moves: u64,
    /// A document that reports progress before it is shown.
    ahead: Document,
    /// A page that was opened with an address is empty until it gets there.
    pub(super) expecting: bool,
    /// Addresses of windows that the page is about to open.
    opening: VecDeque<String>,
    /// The frames inside, in this process or another.
    frames: HashSet<String>,
    /// The publisher's world in the present document.
    pub(super) world: Option<String>,
    /// The page's own world in the present document, and our hold on its registry there.
    pub(super) own_world: Option<OwnWorld>,
    /// The last answer to a request for a document: its loader and status.
    response: Option<(String, u16)>,
    pub(super) end: Option<End>,
}

impl Facts {
    /// It is the page itself or a frame in it.
    pub(super) fn has_frame(&self, frame: &str) -> bool {
        self.frame == frame || self.frames.contains(frame)
    }

    /// The HTTP status of the present document, if it came over HTTP.
    pub(super) fn status(&self) -> Option<u16> {
        self.response
            .as_ref()
            .filter(|(loader, _)| *loader == self.document.loader)
            .map(|(_, status)| *status)
    }
}

/// Listens to a page.
#[derive(Debug)]
pub(super) struct Track {
    facts: watch::Sender<Facts>,
    log: Arc<SignalLog>,
    network: Arc<Network>,
    dialogs: Arc<Dialogs>,
    documents: DocumentFilter,
    bridges: Option<Arc<Bridges>>,
    feed: Feed,
    tools: Tools,
}

impl Track {
    pub(super) fn new(
        frame: String,
        dialogs: Arc<Dialogs>,
        documents: DocumentFilter,
        bridge: impl FnOnce(&Arc<SignalLog>, &Arc<Network>) -> Option<Arc<Bridges>>,
        expecting: bool,
    ) -> Self {
        let facts = watch::Sender::new(Facts { frame, expecting, ..Facts::default() });
        let (log, network) = (Arc::default(), Arc::default());
        let bridges = bridge(&log, &network);
        Self {
            facts,
            log,
            network,
            dialogs,
            documents,
            bridges,
            feed: Feed::default(),
            tools: Tools::default(),
        }
    }

    pub(super) fn bridges(&self) -> Option<&Bridges> {
        self.bridges.as_deref()
    }

    pub(super) fn log(&self) -> &SignalLog {
        &self.log
    }

    pub(super) fn feed(&self) -> &Feed {
        &self.feed
    }

    /// The tools that the page offers to its browser.
    pub(super) fn tools(&self) -> &Tools {
        &self.tools
    }

    pub(super) fn network(&self) -> &Network {
        &self.network
    }

    pub(super) fn dialogs(&self) -> &Arc<Dialogs> {
        &self.dialogs
    }

    pub(super) fn documents(&self) -> &DocumentFilter {
        &self.documents
    }

    pub(super) fn with<R>(&self, read: impl FnOnce(&Facts) -> R) -> R {
        read(&self.facts.borrow())
    }

    /// Waits until the facts are as wanted.
    pub(super) async fn until(&self, wanted: impl FnMut(&Facts) -> bool) {
        // It fails only if the sender is gone, and that is this value.
        let _ = self.facts.subscribe().wait_for(wanted).await;
    }

    /// Waits for the end of the page.
    pub(super) async fn end(&self) -> End {
        self.until(|facts| facts.end.is_some()).await;
        self.with(|facts| facts.end).unwrap_or(End::Closed)
    }

    pub(super) fn learn(&self, change: impl FnOnce(&mut Facts)) {
        self.facts.send_modify(change);
    }

    fn navigated(&self, frame: Frame) {
        let url = frame.url.0 + &frame.url_fragment.0;
        let told = shown(&url);
        if frame.parent_id.is_some() {
            let members = json!({ "frameId": frame.id, "url": told, "sameDocument": false });
            self.log.tell(BrowserSignal::FrameNavigated, members);
            return;
        }
        let mut from = None;
        let loader = frame.loader_id.clone();
        self.learn(|facts| {
            facts.frame = frame.id;
            facts.expecting = false;
            let before = std::mem::replace(&mut facts.document.url, url.clone());
            if facts.document.loader != frame.loader_id {
                let ahead = std::mem::take(&mut facts.ahead);
                let known = if ahead.loader == frame.loader_id { ahead } else { Document::default() };
                facts.document = Document { loader: frame.loader_id, url, ..known };
                facts.frames.clear();
                from = Some(before);
            }
        });
        if let Some(from) = from {
            self.network.document_replaced(&loader, &self.log);
            // The first document of a new window replaces the empty one in the same world.
            self.feed.world_gone(None);
            self.tools.forget();
            let from = Some(shown(&from)).filter(|from| !from.is_empty());
            let members = json!({ "url": told, "from": from, "sameDocument": false });
            self.log.tell(BrowserSignal::Navigated, members);
        }
    }

    fn moved(&self, WithinDocument { frame_id, url: Text(url) }: WithinDocument) {
        let told = shown(&url);
        let mut from = None;
        self.learn(|facts| {
            if facts.frame == frame_id {
                from = Some(std::mem::replace(&mut facts.document.url, url));
                facts.moves += 1;
            }
        });
        match from {
            Some(from) => {
                let members = json!({ "url": told, "from": shown(&from), "sameDocument": true });
                self.log.tell(BrowserSignal::Navigated, members)
            }
            None => {
                let members = json!({ "frameId": frame_id, "url": told, "sameDocument": true });
                self.log.tell(BrowserSignal::FrameNavigated, members)
            }
        };
    }

    fn attached(&self, attached: &FrameAttached) {
        self.learn(|facts| {
            if facts.frames.len() < FRAMES_MAX {
                facts.frames.insert(attached.frame_id.clone());
            }
        });
        let members = json!({ "frameId": attached.frame_id, "parentFrameId": attached.parent_frame_id });
        self.log.tell(BrowserSignal::FrameAttached, members);
    }

    fn detached(&self, detached: &FrameDetached) {
        let kind = match detached.reason.as_str() {
            // It goes on in another process.
            "swap" => BrowserSignal::FrameIsolated,
            _ => {
                self.learn(|facts| {
                    facts.frames.remove(&detached.frame_id);
                });
                BrowserSignal::FrameDetached
            }
        };
        self.network.frame_detached(&detached.frame_id, &self.log);
        self.log.tell(kind, json!({ "frameId": detached.frame_id }));
    }

    /// The address of the oldest window that the page announced and nobody asked for yet.
    pub(super) fn announced(&self) -> Option<String> {
        let mut announced = None;
        self.facts.send_if_modified(|facts| {
            announced = facts.opening.pop_front();
            false
        });
        announced
    }

    fn announce(&self, url: String) {
        self.facts.send_if_modified(|facts| {
            facts.opening.truncate(OPENING_MAX - 1);
            facts.opening.push_back(url);
            false
        });
    }

    fn ended(&self, end: End) {
        self.learn(|facts| {
            facts.end.get_or_insert(end);
        });
        let reason = match self.with(|facts| facts.end) {
            Some(End::Crashed) => "crashed",
            Some(End::Browser) => "browser",
            Some(End::Closed) | None => "closed",
        };
        self.feed.lose(Lost::Ended);
        self.log.end(reason);
    }

    fn progressed(&self, progress: &Progress) {
        self.learn(|facts| {
            if facts.frame != progress.frame_id {
                return;
            }
            if facts.document.loader.is_empty() {
                // The empty document of a new page comes without a navigation.
                facts.document.loader.clone_from(&progress.loader_id);
            }
            if facts.document.loader == progress.loader_id {
                facts.document.reach(&progress.name);
                return;
            }
            if facts.ahead.loader != progress.loader_id {
                facts.ahead = Document { loader: progress.loader_id.clone(), ..Document::default() };
            }
            facts.ahead.reach(&progress.name);
        });
    }

    fn world_made(&self, made: WorldMade) {
        let WorldMade { context: World { name, unique_id, aux_data } } = made;
        self.learn(|facts| {
            let concerns = aux_data.frame_id == facts.frame;
            if concerns && name.0 == WORLD {
                facts.world = Some(unique_id);
            } else if concerns && aux_data.is_default {
                facts.own_world = Some(OwnWorld { id: unique_id, registry: None });
            }
        });
    }

    /// A world is gone, unless another one took its place already.
    pub(super) fn forget_world(&self, world: &str) {
        self.learn(|facts| {
            facts.world.take_if(|known| known == world);
            facts.own_world.take_if(|known| known.id == world);
        });
        self.feed.world_gone(Some(world));
    }

    fn responded(&self, response: Responded) {
        self.learn(|facts| {
            if response.kind == "Document" && response.frame_id.as_ref() == Some(&facts.frame) {
                facts.response = Some((response.loader_id, response.response.status));
            }
        });
    }
}

impl Observer for Track {
    /// Facts first: whoever reads of something in the log finds it in the facts.
    fn event(&self, event: &Event) {
        match event.method.as_str() {
            "Page.frameNavigated" => {
                event.params().into_iter().for_each(|Navigated { frame }| self.navigated(frame));
            }
            "Page.navigatedWithinDocument" => event.params().into_iter().for_each(|moved| self.moved(moved)),
            "Page.frameAttached" => event.params().iter().for_each(|attached| self.attached(attached)),
            "Page.frameDetached" => event.params().iter().for_each(|detached| self.detached(detached)),
            "Page.windowOpen" => {
                event.params().into_iter().for_each(|WindowOpen { url: Text(url) }| self.announce(url));
            }
            "Page.lifecycleEvent" => event.params().iter().for_each(|params| self.progressed(params)),
            "Fetch.requestPaused" => {
                let refused = event.params().and_then(|paused| self.documents.paused(&paused));
                refused.into_iter().for_each(|request| self.network.forbidden(&request, REFUSAL, &self.log));
            }
            "Page.javascriptDialogOpening" => {
                event.params().iter().for_each(|opening| self.dialogs.opened(opening, &self.log));
            }
            "Page.javascriptDialogClosed" => {
                event
                    .params()
                    .into_iter()
                    .for_each(|Closed { result }| self.dialogs.closed(result, &self.log));
            }
            "Runtime.executionContextCreated" => {
                event.params().into_iter().for_each(|params| self.world_made(params));
            }
            "Runtime.executionContextDestroyed" => {
                event
                    .params()
                    .iter()
                    .for_each(|params: &WorldGone| self.forget_world(&params.execution_context_unique_id));
            }
            "Runtime.executionContextsCleared" => {
                self.learn(|facts| (facts.world, facts.own_world) = (None, None));
                self.feed.world_gone(None);
            }
            "Runtime.bindingCalled" => {
                event.params().iter().for_each(|pushed| self.feed.pushed(pushed, &self.log));
            }
            "WebMCP.toolsAdded" => {
                let frame = self.with(|facts| facts.frame.clone());
                event.params().into_iter().for_each(|added| self.tools.added(added, &frame));
            }
            "WebMCP.toolsRemoved" => event.params().iter().for_each(|removed| self.tools.removed(removed)),
            "Network.responseReceived" => {
                event.params().into_iter().for_each(|params| self.responded(params));
            }
            "Inspector.targetCrashed" => self.ended(End::Crashed),
            _ => {}
        }
        if let (Some(bridges), Some(session)) = (&self.bridges, &event.session) {
            bridges.event(session, event);
        }
        self.network.event(event, &self.log);
        report(event, &self.log);
    }

    fn gone(&self, browser: bool) {
        self.ended(if browser { End::Browser } else { End::Closed });
    }
}

#[derive(Deserialize)]
struct Navigated {
    frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    id: String,
    parent_id: Option<String>,
    loader_id: String,
    url: Text,
    /// With its `#`; the address itself comes without.
    #[serde(default)]
    url_fragment: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WithinDocument {
    frame_id: String,
    url: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameAttached {
    frame_id: String,
    parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameDetached {
    frame_id: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct WindowOpen {
    url: Text,
}

#[derive(Deserialize)]
struct Closed {
    result: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    frame_id: String,
    loader_id: String,
    name: String,
}

#[derive(Deserialize)]
struct WorldMade {
    context: World,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    name: Text,
    unique_id: String,
    aux_data: WorldFrame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WorldFrame {
    frame_id: String,
    #[serde(default)]
    is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WorldGone {
    execution_context_unique_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Responded {
    loader_id: String,
    #[serde(rename = "type")]
    kind: String,
    frame_id: Option<String>,
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
}
