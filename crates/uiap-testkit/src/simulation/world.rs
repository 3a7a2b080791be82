//! The truth: what the application shows, what reached it and what came of it.
//!
//! Everything here outlasts the runtime. What the runtime knows of the page lags behind what the page is, by the time
//! that news needs on the wire.

use super::wish::What;
use super::{Broken, Dice, View};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use uiap_protocol::ids::{ActionHandle, Id, Text};
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::{
    DeltaOp, ElementNode, GraphStore, NodeKind, PageGraph, WebSignal, WebSignalBody, WebStateDelta,
};
use uiap_runtime::resolve::TargetIndex;
use uiap_runtime::surface::Mark;

/// Longest way of news over the wire, in milliseconds.
pub(super) const WIRE_MS_MAX: u64 = 20;
/// Until when an effect may be taken back so that the wait for quiet must notice, in milliseconds.
const TAKEN_BACK_MS_MAX: u64 = 450;

/// What goes wrong, each in percent of the times it could.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    /// Answers take their time.
    pub slow: bool,
    /// An order gets lost on its way, and nobody knows.
    pub lost: u64,
    /// The answer to an order gets lost.
    pub unanswered: u64,
    /// A way of acting delivers nothing.
    pub undelivered: u64,
    /// Only a person can do it.
    pub needs_user: u64,
    /// The application does nothing.
    pub without_effect: u64,
    /// The application takes it back.
    pub taken_back: u64,
    /// The word of the application comes twice, or not at all.
    pub stuttering: u64,
    /// Something stands in the way until then.
    pub obstacle_until_ms: u64,
    /// The surface dies.
    pub dies_at_ms: Option<u64>,
    /// The link is cut from then on, for so long.
    pub cut_ms: Option<(u64, u64)>,
}

/// Something that reached the application.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reached {
    pub(super) handle: ActionHandle,
    pub(super) what: What,
    pub(super) thing: usize,
    /// When it was sent off: what shows from then on may be its effect, as far as anybody can tell.
    pub(super) sent: Instant,
}

/// Something that came of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Happened {
    /// Through which action; nothing, if a person did it.
    pub(super) handle: Option<ActionHandle>,
    pub(super) what: What,
    pub(super) thing: usize,
    pub(super) at: Instant,
    pub(super) taken_back: Option<Instant>,
}

/// What is on its way to the runtime.
enum News {
    View(Box<View>),
    Signal(Arc<WebSignal>),
}

/// The page as the runtime knows it.
pub(super) struct Known {
    pub(super) page: GraphStore,
    pub(super) index: TargetIndex,
    pub(super) view: View,
}

/// The truth, and what the runtime knows of it.
pub(super) struct State {
    pub(super) dice: Dice,
    pub(super) trouble: Trouble,
    pub(super) view: View,
    pub(super) known: Option<Known>,
    wire: VecDeque<(Instant, News)>,
    pub(super) heard: Vec<Arc<WebSignal>>,
    pub(super) changes: u64,
    looks: Vec<u64>,
    seq: u64,
    pub(super) dead: bool,
    /// The application offers no actions of its own.
    pub(super) offers_nothing: bool,
    /// What each node showed when it was looked at last; an order is for that, or for nothing.
    pub(super) looked_at: BTreeMap<String, usize>,
    /// What the application works on.
    pub(super) working: usize,
    pub(super) reached: Vec<Reached>,
    pub(super) happened: Vec<Happened>,
    /// What a person agreed to: by which action, to what thing.
    pub(super) agreed: BTreeSet<(ActionHandle, usize)>,
    /// What the policy of the house asks about, and what it forbids, on top of the nature of the deed.
    pub(super) asked_about: Option<(What, usize)>,
    pub(super) forbidden: Option<(What, usize)>,
    pub(super) broken: Option<Broken>,
    /// The page as it is, once somebody looked at it.
    drawn: Option<PageGraph>,
}

/// An application with its page.
pub struct World {
    state: Mutex<State>,
    /// Something is new, or over.
    pub(super) stirred: Notify,
    pub(super) began: Instant,
}

impl std::fmt::Debug for World {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("World(..)")
    }
}

impl World {
    /// An application that shows its first page.
    pub fn new(seed: u64, view: View, trouble: Trouble) -> Arc<Self> {
        let state = State {
            dice: Dice::new(seed),
            trouble,
            view,
            known: None,
            wire: VecDeque::new(),
            heard: Vec::new(),
            changes: 0,
            looks: Vec::new(),
            offers_nothing: false,
            seq: 0,
            dead: false,
            looked_at: BTreeMap::new(),
            working: 0,
            reached: Vec::new(),
            happened: Vec::new(),
            agreed: BTreeSet::new(),
            asked_about: None,
            forbidden: None,
            broken: None,
            drawn: None,
        };
        Arc::new(Self { state: Mutex::new(state), stirred: Notify::new(), began: Instant::now() })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.take_in(Instant::now());
        state
    }

    /// What is shown now.
    pub fn view(&self) -> View {
        self.state().view.clone()
    }

    /// How much reached the application.
    pub fn times_reached(&self) -> usize {
        self.state().reached.len()
    }

    /// When the page was asked how it is, in milliseconds since the beginning.
    pub fn looks(&self) -> Vec<u64> {
        self.state().looks.clone()
    }

    pub(super) fn note_look(&self) {
        let at = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.state().looks.push(at);
    }

    /// From now on the application offers its actions, or none.
    pub fn offer(&self, offers: bool) {
        self.state().offers_nothing = !offers;
    }

    /// How often something was done to a thing, without what was taken back.
    pub fn times_done(&self, thing: usize) -> usize {
        let state = self.state();
        state.happened.iter().filter(|done| done.thing == thing && done.taken_back.is_none()).count()
    }

    /// Says that a person agreed to something.
    pub fn agree(&self, handle: &ActionHandle, thing: usize) {
        self.state().agreed.insert((handle.clone(), thing));
    }

    /// Says that the agreement was not taken.
    pub fn disagree(&self, handle: &ActionHandle, thing: usize) {
        self.state().agreed.remove(&(handle.clone(), thing));
    }

    /// From now on, this goes wrong.
    pub fn trouble(&self, trouble: Trouble) {
        self.state().trouble = trouble;
    }

    /// The page changes. News of it travels; a new document has to be looked at first.
    pub fn change(self: &Arc<Self>, change: impl FnOnce(&mut View)) {
        let due = {
            let mut state = self.state();
            let load = state.view.load;
            change(&mut state.view);
            state.drawn = None;
            if state.view.load != load {
                state.known = None;
                state.wire.clear();
            }
            let view = Box::new(state.view.clone());
            state.send(News::View(view))
        };
        self.stir_at(due);
    }

    /// The surface dies.
    pub fn die(&self) {
        self.state().dead = true;
        self.stirred.notify_waiters();
    }

    /// A new process looks at it: what the old one knew is gone.
    pub fn forget(&self) {
        let mut state = self.state();
        state.known = None;
        state.wire.clear();
        state.heard.clear();
        state.looked_at.clear();
    }

    /// It took effect: the page shows it and the application says so.
    pub(super) fn happen(self: &Arc<Self>, handle: Option<ActionHandle>, what: What, thing: usize) {
        let now = Instant::now();
        let (place, taken_back, stutter) = {
            let mut state = self.state();
            state.happened.push(Happened { handle, what, thing, at: now, taken_back: None });
            let place = state.happened.len() - 1;
            let trouble = state.trouble.clone();
            // Only what is waited for to hold; and what the application itself said cannot be unsaid.
            let taken_back = (what == What::Drop && state.dice.percent(trouble.taken_back))
                .then(|| Duration::from_millis(state.dice.below(TAKEN_BACK_MS_MAX)));
            let stutter = state.dice.percent(trouble.stuttering).then(|| state.dice.below(3));
            (place, taken_back, stutter)
        };
        self.change(|view| match what {
            What::Write => view.field = format!("note {thing}"),
            _ => view.done.iter_mut().skip(thing).take(1).for_each(|done| *done += 1),
        });
        for _ in 0..stutter.unwrap_or(1) {
            self.say(thing);
        }
        if let Some(after) = taken_back {
            let world = Arc::clone(self);
            tokio::spawn(async move {
                sleep(after).await;
                world.change(|view| {
                    view.done.iter_mut().skip(thing).take(1).for_each(|done| *done = done.saturating_sub(1));
                });
                let mut state = world.state();
                state.happened.iter_mut().skip(place).take(1).for_each(|done| {
                    done.taken_back = Some(Instant::now());
                });
            });
        }
    }

    /// The application says that it did something.
    fn say(self: &Arc<Self>, thing: usize) {
        let due = {
            let mut state = self.state();
            match signal(thing, state.heard.len() + state.wire.len()) {
                Ok(signal) => Some(state.send(News::Signal(Arc::new(signal)))),
                Err(broken) => {
                    state.broken.get_or_insert(broken);
                    None
                }
            }
        };
        due.into_iter().for_each(|due| self.stir_at(due));
    }

    fn stir_at(self: &Arc<Self>, due: Instant) {
        let world = Arc::clone(self);
        tokio::spawn(async move {
            sleep_until(due).await;
            world.stirred.notify_waiters();
        });
    }
}

impl State {
    /// Puts news on the wire, behind what is there already.
    fn send(&mut self, news: News) -> Instant {
        let last = self.wire.back().map(|(due, _)| *due);
        let way = if self.trouble.slow { self.dice.below(WIRE_MS_MAX) } else { 1 };
        let due = (Instant::now() + Duration::from_millis(way)).max(last.unwrap_or_else(Instant::now));
        self.wire.push_back((due, news));
        due
    }

    /// Takes in what has arrived by a time.
    pub(super) fn take_in(&mut self, by: Instant) {
        while self.wire.front().is_some_and(|(due, _)| *due <= by) {
            match self.wire.pop_front() {
                Some((_, News::View(view))) if self.known.is_some() => self.know(*view),
                Some((_, News::Signal(signal))) => self.heard.push(signal),
                _ => {}
            }
        }
    }

    /// Takes in everything that was sent so far.
    pub(super) fn take_in_all(&mut self) {
        if let Some((last, _)) = self.wire.back() {
            self.take_in(*last);
        }
    }

    /// Looks at the page as it is.
    pub(super) fn look(&mut self) {
        self.take_in_all();
        self.know(self.view.clone());
    }

    fn know(&mut self, view: View) {
        self.seq += 1;
        self.changes += 1;
        if let Err(broken) = self.follow(view) {
            self.broken.get_or_insert(broken);
        }
    }

    /// Brings what is known to a view: by a delta, or by a snapshot of another document.
    fn follow(&mut self, view: View) -> Result<(), Broken> {
        let graph = view.graph(self.seq)?;
        match self.known.as_mut().filter(|known| known.view.load == view.load) {
            Some(known) => {
                let delta = delta(&known.page, &graph)?;
                known.page.apply(&delta).map_err(|error| Broken::Simulation(error.to_string()))?;
                known.index = TargetIndex::new(&known.page);
                known.view = view;
            }
            None => {
                let page = GraphStore::new(graph);
                self.known = Some(Known { index: TargetIndex::new(&page), page, view });
            }
        }
        Ok(())
    }

    /// An element as it is now, if it is there.
    pub(super) fn element(&mut self, id: &str) -> Option<&ElementNode> {
        let graph = match self.drawn.take() {
            Some(graph) => graph,
            None => self.view.graph(0).ok()?,
        };
        let graph = self.drawn.insert(graph);
        graph.elements.iter().find(|element| element.instance_id.as_str() == id)
    }

    /// The place after everything that is known.
    pub(super) fn mark(&self) -> Mark {
        Mark { signals: self.heard.len() as u64, changes: self.changes }
    }

    pub(super) fn needs_consent(&self, what: What, thing: usize) -> bool {
        what.needs_consent() || self.asked_about == Some((what, thing))
    }
}

/// What leads from a page to another state of it.
fn delta(page: &GraphStore, graph: &PageGraph) -> Result<WebStateDelta, Broken> {
    let value = |element: &ElementNode| match serde_json::to_value(element) {
        Ok(Value::Object(value)) => Ok(value),
        _ => Err(Broken::Simulation("an element is an object".to_owned())),
    };
    let kind = NodeKind::Element;
    let mut ops = Vec::new();
    for element in &graph.elements {
        let id = Id::new(element.instance_id.as_str())?;
        match page.element(id.as_str()) {
            None => ops.push(DeltaOp::Add { kind, id, value: value(element)?, before: None }),
            Some(known) if known != element => {
                let mut value = value(element)?;
                // What has no name any more has lost it.
                value.entry("name").or_insert(Value::Null);
                ops.push(DeltaOp::Update { kind, id, value, before: None });
            }
            Some(_) => {}
        }
    }
    // What stands in something goes before it.
    let mut gone: Vec<_> = page.elements().map(|element| element.instance_id.clone()).collect();
    gone.retain(|id| graph.elements.iter().all(|element| element.instance_id != *id));
    for id in gone.into_iter().rev() {
        ops.push(DeltaOp::Remove { kind, id: Id::new(id.as_str())? });
    }
    Ok(WebStateDelta {
        base_revision: page.revision().clone(),
        revision: graph.revision.clone(),
        seq: page.seq() + 1,
        at: graph.captured_at.clone(),
        route: (*page.route() != graph.route).then(|| graph.route.clone()),
        title: None,
        locale: None,
        focus: None,
        modal_stack: None,
        truncated: None,
        redacted: None,
        metadata: None,
        ops,
    })
}

fn signal(thing: usize, number: usize) -> Result<WebSignal, Broken> {
    Ok(WebSignal {
        id: Id::new(format!("s{number}"))?,
        at: Timestamp::new("2026-03-26T14:03:00.000Z")?,
        revision: None,
        body: WebSignalBody::Custom {
            name: Text::new("done")?,
            payload: json!({ "thing": thing }).as_object().cloned(),
        },
    })
}
