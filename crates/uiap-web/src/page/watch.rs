//! Following a page: the publisher pushes what changes, and the graph here is the page's a moment later.
//!
//! Start at [`Page::watch`]. Deltas arrive in order and before later answers, so that after a call everything that
//! the publisher saw before is in the graph already.

use super::look::graph_of;
use super::signals::{BrowserSignal, SignalLog};
use super::{LookError, Page};
use crate::cdp::Text;
use crate::deadline::Deadline;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;
use uiap_protocol::ids::RevisionId;
use uiap_protocol::text::{Format, Limits, Node, Value, read};
use uiap_protocol::web::{DeltaError, GraphStore, WebSignal, WebStateDelta};
use uiap_protocol::wire;

/// The name under which the publisher finds our ear; only its own world has it.
pub(super) const PUSH: &str = "__uiapPush";
/// Most deltas that are held for readers; who comes later starts from the graph.
pub const DELTAS_HELD_MAX: usize = 1_024;
/// Most deltas that may arrive before the graph they apply to is read.
const EARLY_MAX: usize = 256;

/// Why a page is followed no longer. Watch it again, if it is still there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// Its document was replaced by another one.
    #[error("the page was replaced")]
    Replaced,
    /// It is gone.
    #[error("the page is gone")]
    Ended,
    /// What the publisher pushed does not follow from what it pushed before.
    #[error("the changes of the page do not connect: {0}")]
    Disconnected(String),
}

/// What changed on a page since a revision.
#[derive(Clone, Debug, PartialEq)]
pub enum Changes {
    /// These deltas lead from there to the present revision.
    Deltas(Vec<WebStateDelta>),
    /// That revision is not known any more; look again.
    Unknown,
}

/// Hears what the publisher pushes.
#[derive(Debug)]
pub(crate) struct Feed {
    state: watch::Sender<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The world whose pushes count.
    world: Option<String>,
    store: Option<GraphStore>,
    /// Deltas that arrived before their graph.
    early: VecDeque<WebStateDelta>,
    held: VecDeque<Arc<WebStateDelta>>,
    /// How many deltas there ever were.
    count: u64,
    lost: Option<Lost>,
    /// Tells one following from the next.
    number: u64,
    /// Goes up with everything that happens to the graph, over all followings.
    moves: u64,
}

impl State {
    fn apply(&mut self, delta: WebStateDelta) -> Result<(), DeltaError> {
        let Some(store) = &mut self.store else {
            if self.early.len() < EARLY_MAX {
                self.early.push_back(delta);
            }
            return Ok(());
        };
        // What the graph contains already was pushed while it was read.
        if delta.seq <= store.seq() {
            return Ok(());
        }
        store.apply(&delta)?;
        if self.held.len() >= DELTAS_HELD_MAX {
            self.held.pop_front();
        }
        self.held.push_back(Arc::new(delta));
        self.count += 1;
        self.moves += 1;
        Ok(())
    }

    fn take(&mut self, delta: WebStateDelta) {
        if let Err(error) = self.apply(delta) {
            self.lost.get_or_insert(Lost::Disconnected(error.to_string()));
        }
    }
}

impl Default for Feed {
    fn default() -> Self {
        Self { state: watch::Sender::new(State::default()) }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pushed {
    name: String,
    payload: Text,
}

impl Feed {
    /// Something was pushed.
    pub(super) fn pushed(&self, Pushed { name, payload: Text(payload) }: &Pushed, log: &SignalLog) {
        if name != PUSH {
            return;
        }
        let tree = match read(payload, Format::Json, Limits::DOCUMENT) {
            Ok(tree) => tree,
            Err(fault) => {
                self.lose(Lost::Disconnected(format!("a message cannot be read: {fault}")));
                return;
            }
        };
        if let Some(delta) = tree.member("delta").filter(|delta| !delta.members().is_empty()) {
            match wire::accept::<WebStateDelta>(delta) {
                Ok(delta) => self.take(delta, log),
                Err(findings) => {
                    let first = findings.first().map_or("", |finding| finding.message.as_str());
                    self.lose(Lost::Disconnected(format!("a delta is not sound: {first}")));
                }
            }
        }
        for signal in tree.member("signals").map(Node::items).unwrap_or_default() {
            match wire::accept::<WebSignal>(signal) {
                Ok(signal) => log.add(signal),
                // Only what an application says can be so: the publisher passes it on as it is.
                Err(_) => drop(log.tell(BrowserSignal::SignalsDropped, serde_json::json!({}))),
            }
        }
    }

    /// The page is at another revision.
    pub(crate) fn take(&self, delta: WebStateDelta, log: &SignalLog) {
        log.set_revision(delta.revision.clone());
        self.state.send_modify(|state| state.take(delta));
    }

    /// Whatever was followed is not any more; what comes from now on belongs to the next graph.
    pub(crate) fn begin(&self) {
        self.state.send_modify(|state| {
            let number = state.number + 1;
            *state = State { number, moves: state.moves + 1, ..State::default() };
        });
    }

    /// The graph that is followed from now on, and the world that it comes from.
    pub(crate) fn start(&self, store: GraphStore, world: String) -> u64 {
        let mut number = 0;
        self.state.send_modify(|state| {
            // Another graph is another following, also where a page hands over one that nobody asked for.
            state.number += 1;
            number = state.number;
            state.store = Some(store);
            state.moves += 1;
            state.world = Some(world);
            for delta in std::mem::take(&mut state.early) {
                // One that starts elsewhere is of the document before.
                if state.store.as_ref().is_some_and(|store| *store.revision() == delta.base_revision) {
                    state.take(delta);
                }
            }
        });
        number
    }

    /// The world is gone, or all are.
    pub(super) fn world_gone(&self, world: Option<&str>) {
        self.state.send_if_modified(|state| {
            let concerns =
                state.store.is_some() && world.is_none_or(|world| state.world.as_deref() == Some(world));
            if concerns {
                state.lost.get_or_insert(Lost::Replaced);
                state.moves += 1;
            }
            concerns
        });
    }

    /// The page is followed no longer.
    pub(crate) fn lose(&self, why: Lost) {
        self.state.send_modify(|state| {
            state.lost.get_or_insert(why);
            state.moves += 1;
        });
    }

    /// Reads the page as it is followed; nothing if it is not, or not any more.
    pub(crate) fn followed<R>(&self, read: impl FnOnce(Followed<'_>) -> R) -> Option<R> {
        let state = self.state.borrow();
        let store = state.store.as_ref().filter(|_| state.lost.is_none())?;
        Some(read(Followed { store, number: state.number, count: state.count, held: &state.held }))
    }

    /// How often anything has happened to the graph.
    pub(crate) fn moves(&self) -> u64 {
        self.state.borrow().moves
    }

    /// Waits until more has happened to the graph than that.
    pub(crate) async fn moved_on(&self, moves: u64) {
        // It fails only if the sender is gone, and that is this value.
        let _ = self.state.subscribe().wait_for(|state| state.moves > moves).await;
    }
}

/// What a page that is followed has come to, for whoever keeps something beside it.
pub(crate) struct Followed<'s> {
    pub(crate) store: &'s GraphStore,
    /// Tells one following from the next.
    pub(crate) number: u64,
    /// How many deltas there have been.
    pub(crate) count: u64,
    /// The last of them, as far as they are held.
    pub(crate) held: &'s VecDeque<Arc<WebStateDelta>>,
}

impl Page {
    /// Reads the page as it is followed; nothing if it is not, or not any more.
    pub(crate) fn followed<R>(&self, read: impl FnOnce(Followed<'_>) -> R) -> Option<R> {
        self.track.feed().followed(read)
    }

    /// How often anything has happened to the graph of the page.
    pub(crate) fn moves(&self) -> u64 {
        self.track.feed().moves()
    }

    /// Waits until more has happened to the graph than that.
    pub(crate) async fn moved_on(&self, moves: u64) {
        self.track.feed().moved_on(moves).await;
    }
}

/// A page that is followed. Reading it costs no call.
#[derive(Debug)]
pub struct Watch<'p> {
    feed: &'p Feed,
    number: u64,
    /// How many deltas were handed out.
    read: u64,
}

impl Watch<'_> {
    /// Reads the page as it is known now; nothing if somebody else began to follow it anew.
    pub fn read<R>(&self, read: impl FnOnce(&GraphStore) -> R) -> Option<R> {
        let state = self.feed.state.borrow();
        if state.number != self.number {
            return None;
        }
        state.store.as_ref().map(read)
    }

    /// The revision that is known now.
    pub fn revision(&self) -> Option<RevisionId> {
        self.read(|store| store.revision().clone())
    }

    /// Why nothing new will come, if so.
    pub fn lost(&self) -> Option<Lost> {
        lost(&self.feed.state.borrow(), self.number)
    }

    /// The next deltas, in order: those that wait, or else the first that comes. Empty when time is up.
    pub async fn next(&mut self, deadline: Deadline) -> Result<Vec<Arc<WebStateDelta>>, Lost> {
        let mut news = self.feed.state.subscribe();
        let (number, read) = (self.number, self.read);
        let arrived = news.wait_for(|state| lost(state, number).is_some() || state.count > read);
        let Some(Ok(state)) = deadline.limit(arrived).await else { return Ok(Vec::new()) };
        let oldest = state.count.saturating_sub(state.held.len() as u64);
        if state.number != number || state.count == read {
            return Err(lost(&state, number).unwrap_or(Lost::Ended));
        }
        if read < oldest {
            return Err(Lost::Disconnected("they were not read in time".to_owned()));
        }
        let skipped = usize::try_from(read - oldest).unwrap_or(usize::MAX);
        let deltas = state.held.iter().skip(skipped).cloned().collect();
        self.read = state.count;
        Ok(deltas)
    }

    /// Waits until the page is at another revision than this; `false` when time is up.
    pub async fn moved_from(&self, revision: &RevisionId, deadline: Deadline) -> Result<bool, Lost> {
        let mut news = self.feed.state.subscribe();
        let number = self.number;
        let is_elsewhere =
            |state: &State| state.store.as_ref().is_some_and(|store| store.revision() != revision);
        let arrived = news.wait_for(|state| lost(state, number).is_some() || is_elsewhere(state));
        let Some(Ok(state)) = deadline.limit(arrived).await else { return Ok(false) };
        match lost(&state, number) {
            Some(lost) => Err(lost),
            None => Ok(true),
        }
    }
}

fn lost(state: &State, number: u64) -> Option<Lost> {
    if state.number == number { state.lost.clone() } else { Some(Lost::Replaced) }
}

impl Page {
    /// Follows the page from now on. A page that is replaced is lost; watch it again.
    ///
    /// What the publisher sees is followed, closed shadow roots of named hosts that are there now included. Frames of
    /// other origins stay opaque, also named ones: only [`Page::look`] crosses into them.
    pub async fn watch(&self, deadline: Deadline) -> Result<Watch<'_>, LookError> {
        let feed = self.track.feed();
        feed.begin();
        let (json, world) = self.admitted("watch()", deadline).await?;
        let store = GraphStore::new(graph_of(&json)?);
        self.track.log().set_revision(store.revision().clone());
        let number = feed.start(store, world);
        // What only listeners make usable comes as the first change.
        self.hears_more(deadline).await;
        Ok(Watch { feed, number, read: 0 })
    }

    /// What changed since a revision that was seen before. Needs no watch. A document that nobody looked at yet knows
    /// none, and is not touched.
    pub async fn changes(&self, since: &RevisionId, deadline: Deadline) -> Result<Changes, LookError> {
        if self.track.with(|facts| facts.world.is_none() && facts.end.is_none()) {
            return Ok(Changes::Unknown);
        }
        let argument = serde_json::to_string(since.as_str()).map_err(|_| LookError::Options)?;
        let (json, _) = self.publisher(&format!("changes({argument})"), deadline).await?;
        let tree = read(&json, Format::Json, Limits::DOCUMENT)?;
        let Some(Node { value: Value::List(deltas), .. }) = tree.member("deltas") else {
            return Ok(Changes::Unknown);
        };
        let deltas = deltas.iter().map(wire::accept::<WebStateDelta>);
        let deltas = deltas.collect::<Result<_, _>>().map_err(|findings| LookError::Unsound { findings })?;
        Ok(Changes::Deltas(deltas))
    }
}
