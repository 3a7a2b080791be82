//! What is known about a page, kept up to date by its events.
//!
//! Start at [`Track`]. It hears every event in order and before later answers, so that after a call whatever the
//! browser said before is known here.

use super::WORLD;
use crate::cdp::{Client, Event, Observer, SessionId, Text};
use serde::Deserialize;
use serde_json::json;
use std::collections::VecDeque;
use tokio::sync::watch;

/// Most events that wait for somebody to take them. The oldest go first, and their number is told.
const EVENTS_HELD_MAX: usize = 256;
/// Longest text of a dialog that is kept.
const DIALOG_CHARS_MAX: usize = 2_000;

/// What a dialog of a page wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// To be read.
    Alert,
    /// Yes or no.
    Confirm,
    /// A text.
    Prompt,
    /// That the user stays.
    Beforeunload,
    /// Something newer than we are.
    #[serde(other)]
    Other,
}

impl DialogKind {
    /// How it is answered when nobody is asked. An alert is only read and leaving is what was wanted; everything
    /// else is a question, and a yes nobody gave is worse than a no.
    fn accepted(self) -> bool {
        matches!(self, Self::Alert | Self::Beforeunload)
    }
}

/// Something that happened to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageEvent {
    /// Another document is shown.
    Navigated {
        /// Its address.
        url: String,
    },
    /// A dialog opened, and was answered.
    Dialog {
        /// What it wanted.
        kind: DialogKind,
        /// What it said.
        message: String,
        /// What it got.
        accepted: bool,
    },
    /// The page opened another one.
    Popup {
        /// Its address, as far as known.
        url: String,
    },
    /// The page offered a file to keep; it was refused.
    Download {
        /// Its address.
        url: String,
    },
    /// The page took its process down with it.
    Crashed,
}

/// What happened, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageEvents {
    /// The events.
    pub events: Vec<PageEvent>,
    /// How many older ones were dropped because nobody took them in time.
    pub lost: u64,
}

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

/// What is known about a page.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) frame: String,
    pub(super) document: Document,
    /// How often the address changed without another document.
    pub(super) moves: u64,
    /// A document that reports progress before it is shown.
    ahead: Document,
    /// The publisher's world in the present document.
    pub(super) world: Option<String>,
    /// The last answer to a request for a document: its loader and status.
    response: Option<(String, u16)>,
    pub(super) end: Option<End>,
    events: VecDeque<PageEvent>,
    lost: u64,
}

impl Facts {
    /// The HTTP status of the present document, if it came over HTTP.
    pub(super) fn status(&self) -> Option<u16> {
        self.response
            .as_ref()
            .filter(|(loader, _)| *loader == self.document.loader)
            .map(|(_, status)| *status)
    }

    fn happened(&mut self, event: PageEvent) {
        if self.events.len() >= EVENTS_HELD_MAX {
            self.events.pop_front();
            self.lost += 1;
        }
        self.events.push_back(event);
    }
}

/// Listens to a page.
#[derive(Debug)]
pub(super) struct Track {
    client: Client,
    session: SessionId,
    facts: watch::Sender<Facts>,
}

impl Track {
    pub(super) fn new(client: Client, session: SessionId, frame: String) -> Self {
        Self { client, session, facts: watch::Sender::new(Facts { frame, ..Facts::default() }) }
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

    pub(super) fn take_events(&self) -> PageEvents {
        let mut taken = PageEvents::default();
        self.facts.send_if_modified(|facts| {
            taken = PageEvents {
                events: facts.events.drain(..).collect(),
                lost: std::mem::take(&mut facts.lost),
            };
            false
        });
        taken
    }

    fn learn(&self, change: impl FnOnce(&mut Facts)) {
        self.facts.send_modify(change);
    }

    fn navigated(&self, frame: Frame) {
        if frame.parent_id.is_some() {
            return;
        }
        let url = frame.url.0 + &frame.url_fragment.0;
        self.learn(|facts| {
            facts.frame = frame.id;
            if facts.document.loader != frame.loader_id {
                let ahead = std::mem::take(&mut facts.ahead);
                let known = if ahead.loader == frame.loader_id { ahead } else { Document::default() };
                facts.document = Document { loader: frame.loader_id, ..known };
                facts.happened(PageEvent::Navigated { url: url.clone() });
            }
            facts.document.url = url;
        });
    }

    fn progressed(&self, progress: &Progress) {
        self.learn(|facts| {
            if facts.frame != progress.frame_id {
                return;
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

    fn answer_dialog(&self, dialog: &Dialog) {
        let accepted = dialog.answer(&self.client, &self.session);
        let message = dialog.message.0.chars().take(DIALOG_CHARS_MAX).collect();
        self.learn(|facts| facts.happened(PageEvent::Dialog { kind: dialog.kind, message, accepted }));
    }

    fn world_made(&self, made: WorldMade) {
        let WorldMade { context: World { name, unique_id, aux_data } } = made;
        self.learn(|facts| {
            if name.0 == WORLD && aux_data.frame_id == facts.frame {
                facts.world = Some(unique_id);
            }
        });
    }

    /// A world is gone, unless another one took its place already.
    pub(super) fn forget_world(&self, world: &str) {
        self.learn(|facts| {
            facts.world.take_if(|known| known == world);
        });
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
    fn event(&self, event: &Event) {
        match event.method.as_str() {
            "Page.frameNavigated" => {
                event.params().into_iter().for_each(|Navigated { frame }| self.navigated(frame));
            }
            "Page.navigatedWithinDocument" => {
                if let Some(WithinDocument { frame_id, url }) = event.params() {
                    self.learn(|facts| {
                        if facts.frame == frame_id {
                            facts.document.url = url.0;
                            facts.moves += 1;
                        }
                    });
                }
            }
            "Page.lifecycleEvent" => event.params().iter().for_each(|params| self.progressed(params)),
            "Page.javascriptDialogOpening" => {
                event.params().iter().for_each(|params| self.answer_dialog(params));
            }
            "Page.windowOpen" => {
                if let Some(Address { url }) = event.params() {
                    self.learn(|facts| facts.happened(PageEvent::Popup { url: url.0 }));
                }
            }
            "Page.downloadWillBegin" => {
                if let Some(Address { url }) = event.params() {
                    self.learn(|facts| facts.happened(PageEvent::Download { url: url.0 }));
                }
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
            "Runtime.executionContextsCleared" => self.learn(|facts| facts.world = None),
            "Network.responseReceived" => {
                event.params().into_iter().for_each(|params| self.responded(params));
            }
            "Inspector.targetCrashed" => self.learn(|facts| {
                facts.end = Some(End::Crashed);
                facts.happened(PageEvent::Crashed);
            }),
            _ => {}
        }
    }

    fn gone(&self, browser: bool) {
        self.learn(|facts| {
            let end = if browser { End::Browser } else { End::Closed };
            facts.end.get_or_insert(end);
        });
    }
}

impl Dialog {
    /// Answers it, because nobody else will; `true` if with a yes.
    pub(super) fn answer(&self, client: &Client, session: &SessionId) -> bool {
        let accepted = self.kind.accepted();
        client.post(Some(session), "Page.handleJavaScriptDialog", json!({ "accept": accepted }));
        accepted
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
struct Address {
    url: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    frame_id: String,
    loader_id: String,
    name: String,
}

#[derive(Deserialize)]
pub(super) struct Dialog {
    #[serde(rename = "type")]
    kind: DialogKind,
    #[serde(default)]
    message: Text,
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
