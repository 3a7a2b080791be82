//! A surface that shows the [`World`], slowly and not always.

use super::wish::{NOTE, SEND, What, offers};
use super::world::{Reached, State};
use super::{Broken, World};
use crate::MemoryJournal;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use uiap_protocol::action::{PresentationHints, ResolvedTarget};
use uiap_protocol::capability::{ActionDescriptor, ExecutionMode};
use uiap_protocol::ids::{ActionHandle, ElementInstanceId};
use uiap_runtime::deed::Deed;
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::journal::Journal;
use uiap_runtime::judge::Told;
use uiap_runtime::life::Delivery;
use uiap_runtime::surface::{Dispatched, Mark, News, Order, Scene, Surface, SurfaceError};

/// How long a page needs to be shown twice.
const TWO_FRAMES: Duration = Duration::from_millis(32);

/// A surface that shows the world.
#[derive(Debug)]
pub struct FakeSurface {
    world: Arc<World>,
    /// Only to see that an intent stands in it before anything is dispatched.
    journal: Arc<MemoryJournal>,
}

/// An order on its way to the application.
struct Post {
    handle: ActionHandle,
    what: What,
    /// To which thing, where no element says it.
    thing: usize,
    target: Option<ResolvedTarget>,
    mode: ExecutionMode,
    sent: Instant,
}

impl FakeSurface {
    /// A surface that looks at the world for the first time.
    pub fn new(world: Arc<World>, journal: Arc<MemoryJournal>) -> Self {
        Self { world, journal }
    }

    /// Waits as long as an answer takes. An error, if there is none.
    async fn answer(&self, until: Instant) -> Result<(), SurfaceError> {
        let pause = {
            let mut state = self.world.state();
            let slow = state.trouble.slow;
            Duration::from_millis(if slow { state.dice.delay() } else { 1 })
        };
        let due = Instant::now() + pause;
        sleep_until(due.min(until)).await;
        let silent = |reason: &str| SurfaceError::Silent { reason: reason.to_owned() };
        if due > until {
            return Err(silent("it takes too long"));
        }
        if let Some(end) = self.world.cut_until(Instant::now()) {
            sleep_until(end.min(until)).await;
            if end > until {
                return Err(silent("the link is cut"));
            }
        }
        self.alive()
    }

    fn alive(&self) -> Result<(), SurfaceError> {
        if self.world.state().dead {
            return Err(SurfaceError::Gone { reason: "it died".to_owned() });
        }
        Ok(())
    }

    fn post(order: &Order<'_>) -> Option<Post> {
        let (what, thing) = match order.deed {
            Deed::Activate => {
                let id = order.target?.instance_id.as_str();
                (if id.starts_with("drop") { What::Drop } else { What::Press }, 0)
            }
            Deed::EnterText { text, .. } => {
                let text: &str = text.reveal().as_str();
                (What::Write, text.strip_prefix("note ")?.parse().ok()?)
            }
            Deed::Invoke { action, args } => {
                let what = match action.as_str() {
                    NOTE => What::Note,
                    SEND => What::Send,
                    _ => return None,
                };
                let thing = args.reveal().get("thing").and_then(serde_json::Value::as_u64)?;
                (what, usize::try_from(thing).ok()?)
            }
            _ => return None,
        };
        Some(Post {
            handle: order.handle.clone(),
            what,
            thing,
            target: order.target.cloned(),
            mode: order.mode,
            sent: Instant::now(),
        })
    }
}

impl Surface for FakeSurface {
    fn modes(&self) -> Vec<ExecutionMode> {
        vec![ExecutionMode::AppAction, ExecutionMode::SemanticUi, ExecutionMode::ExternalDriver]
    }

    async fn offers(&self, until: Instant) -> Vec<ActionDescriptor> {
        if self.answer(until).await.is_err() || self.world.state().offers_nothing {
            return Vec::new();
        }
        offers().unwrap_or_default()
    }

    async fn look(&self, anew: bool, until: Instant) -> Result<(), SurfaceError> {
        self.world.note_look();
        if !anew && self.world.state().known.is_some() {
            return Ok(());
        }
        self.answer(until).await?;
        self.world.state().look();
        Ok(())
    }

    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R> {
        let state = self.world.state();
        state.known.as_ref().map(|known| read(Scene { page: &known.page, index: &known.index }))
    }

    async fn facts(
        &self,
        target: &ElementInstanceId,
        until: Instant,
    ) -> Result<Option<LiveFacts>, SurfaceError> {
        self.answer(until).await?;
        let mut state = self.world.state();
        state.take_in_all();
        let now = self.world.began.elapsed();
        let in_the_way = now < Duration::from_millis(state.trouble.obstacle_until_ms);
        Ok(state.facts(target, in_the_way))
    }

    async fn reveal(&self, _target: &ElementInstanceId, until: Instant) {
        // Whether it worked is seen by the next check.
        let _ = self.answer(until).await;
    }

    async fn dispatch(&self, order: Order<'_>, until: Instant) -> Dispatched {
        let Some(post) = Self::post(&order) else {
            return Delivery::NotDelivered { reason: "nobody here can do this".to_owned() }.into();
        };
        let kept = self.journal.find(&post.handle).await.ok().flatten();
        if !kept.is_some_and(|kept| kept.intents.iter().any(|intent| intent.mode == post.mode)) {
            self.world.broke(Broken::NoRecord(post.handle.clone()));
        }
        let (reply, answer) = oneshot::channel();
        // What has left arrives, whether or not somebody still waits for the answer.
        tokio::spawn(Arc::clone(&self.world).arrive(post, reply));
        match timeout_at(until, answer).await {
            Ok(Ok(dispatched)) => dispatched,
            _ => Delivery::Unknown.into(),
        }
    }

    async fn present(&self, _: &PresentationHints, _: Option<&ElementInstanceId>, until: Instant) {
        // Nobody sees whether it worked.
        let _ = self.answer(until).await;
    }

    fn unveil(&self) {}

    fn mark(&self) -> Mark {
        self.world.state().mark()
    }

    async fn news(&self, since: Mark, until: Instant) -> Result<News, SurfaceError> {
        loop {
            self.alive()?;
            let stirred = self.world.stirred.notified();
            tokio::pin!(stirred);
            stirred.as_mut().enable();
            if self.world.state().known.is_none() {
                self.look(true, until).await?;
            }
            if self.world.cut_until(Instant::now()).is_some() {
                return Err(SurfaceError::Silent { reason: "the link is cut".to_owned() });
            }
            {
                let state = self.world.state();
                let next = state.mark();
                if next != since || Instant::now() >= until {
                    let old = usize::try_from(since.signals).unwrap_or_default();
                    let signals = state.heard.iter().skip(old).cloned().collect();
                    return Ok(News { signals, dropped: 0, next });
                }
            }
            tokio::select! {
                biased;
                () = &mut stirred => {}
                () = sleep_until(until) => {}
            }
        }
    }

    async fn rest(&self, _since: Mark, until: Instant) -> Result<(), SurfaceError> {
        loop {
            sleep(TWO_FRAMES).await;
            self.alive()?;
            let busy = self.world.state().working > 0 || self.world.cut_until(Instant::now()).is_some();
            if !busy {
                return Ok(());
            }
            if Instant::now() >= until {
                return Err(SurfaceError::Silent { reason: "it did not come to rest".to_owned() });
            }
        }
    }
}

impl World {
    /// Until when the link is cut, if it is.
    fn cut_until(&self, now: Instant) -> Option<Instant> {
        let (from, length) = self.state().trouble.cut_ms?;
        let from = self.began + Duration::from_millis(from);
        let end = from + Duration::from_millis(length);
        (now >= from && now < end).then_some(end)
    }

    pub(super) fn broke(&self, broken: Broken) {
        self.state().broken.get_or_insert(broken);
    }

    /// An order reaches the application, or does not; the answer says so, or gets lost.
    async fn arrive(self: Arc<Self>, post: Post, reply: oneshot::Sender<Dispatched>) {
        let way = {
            let mut state = self.state();
            Duration::from_millis(if state.trouble.slow { state.dice.delay() } else { 1 })
        };
        sleep(way).await;
        let (fate, back, answered) = {
            let mut state = self.state();
            let trouble = state.trouble.clone();
            let cut = self.cut_at(&state);
            let fate = state.fate(&post, cut);
            let back = if trouble.slow { state.dice.delay() } else { 1 };
            let answered = !cut && !state.dice.percent(trouble.unanswered);
            (fate, Duration::from_millis(back), answered)
        };
        let mut dispatched: Dispatched = match fate {
            Fate::Lost => return sleep(Duration::from_hours(1)).await,
            Fate::Not(delivery) => delivery.into(),
            Fate::Reached { thing, effect_after } => {
                let effect = effect_after.map(|after| (after, post.handle.clone(), post.what, thing));
                self.work(effect, back).await
            }
        };
        if !answered {
            if self.state().dice.percent(50) {
                return sleep(Duration::from_hours(1)).await;
            }
            dispatched = Delivery::Unknown.into();
        }
        // Who does not wait for the answer does without it.
        let _ = reply.send(dispatched);
    }

    fn cut_at(&self, state: &State) -> bool {
        state.trouble.cut_ms.is_some_and(|(from, length)| {
            let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
            now >= from && now < from.saturating_add(length)
        })
    }

    /// The application works, and the answer is on its way back; either may be first.
    async fn work(
        self: &Arc<Self>,
        effect: Option<(Duration, ActionHandle, What, usize)>,
        back: Duration,
    ) -> Dispatched {
        let invoked = effect.as_ref().is_some_and(|(.., what, _)| matches!(what, What::Note | What::Send));
        let early = effect.as_ref().is_some_and(|(after, ..)| *after <= back);
        if let Some((after, handle, what, thing)) = effect {
            let world = Arc::clone(self);
            // Some applications let nobody see that they are at work.
            let shown = world.state().dice.percent(60);
            world.state().working += usize::from(shown);
            tokio::spawn(async move {
                sleep(after).await;
                world.happen(Some(handle), what, thing);
                world.state().working -= usize::from(shown);
                world.stirred.notify_waiters();
            });
        }
        sleep(back).await;
        let delivery = Delivery::Delivered { acknowledged: invoked && early, return_value: None };
        let seen = Told { acknowledged: (invoked && early).then_some(true), ..Told::default() };
        Dispatched { delivery, seen }
    }
}

/// What becomes of an order.
enum Fate {
    /// Nobody will ever know.
    Lost,
    /// It does not reach the application.
    Not(Delivery),
    /// It does.
    Reached { thing: usize, effect_after: Option<Duration> },
}

impl State {
    fn fate(&mut self, post: &Post, cut: bool) -> Fate {
        let trouble = self.trouble.clone();
        let not = |reason: &str| Fate::Not(Delivery::NotDelivered { reason: reason.to_owned() });
        if self.dead || cut {
            return if self.dice.percent(50) { Fate::Lost } else { not("the link broke before") };
        }
        if self.dice.percent(trouble.lost) {
            return Fate::Lost;
        }
        if (post.mode == ExecutionMode::AppAction) != matches!(post.what, What::Note | What::Send) {
            return not("not in this way");
        }
        if self.dice.percent(trouble.undelivered) {
            return not("this way does not work now");
        }
        if self.dice.percent(trouble.needs_user) {
            return Fate::Not(Delivery::NeedsUser { note: "please do it yourself".to_owned() });
        }
        let Some(thing) = self.thing_of(post) else { return not("the target is not what was found") };
        if post.what == What::Write && self.view.field == format!("note {thing}") {
            return Fate::Not(Delivery::Already);
        }
        self.reach(post, thing);
        let effect_after = (!self.dice.percent(trouble.without_effect))
            .then(|| Duration::from_millis(if trouble.slow { self.dice.delay() } else { 3 }));
        Fate::Reached { thing, effect_after }
    }

    /// The thing that an order is for. Nothing, if its target is not what was found and looked at.
    fn thing_of(&mut self, post: &Post) -> Option<usize> {
        let Some(target) = &post.target else { return Some(post.thing) };
        let id = target.instance_id.as_str();
        if id == self.view.field_id() {
            return Some(post.thing);
        }
        let thing = self.view.thing_at(id)?;
        let looked_at = self.looked_at.get(id) == Some(&thing);
        let element = self.element(id)?;
        let as_found = element.stable_id == target.stable_id
            && element.role == target.role
            && element.name == target.name;
        (as_found && looked_at).then_some(thing)
    }

    fn reach(&mut self, post: &Post, thing: usize) {
        let handle = post.handle.clone();
        if self.needs_consent(post.what, thing) && !self.agreed.contains(&(handle.clone(), thing)) {
            let broken = Broken::NoConsent { handle: handle.clone(), what: post.what, thing };
            self.broken.get_or_insert(broken);
        }
        if self.forbidden == Some((post.what, thing)) {
            self.broken.get_or_insert(Broken::Forbidden(handle.clone()));
        }
        self.reached.push(Reached { handle, what: post.what, thing, sent: post.sent });
    }

    fn facts(&mut self, target: &ElementInstanceId, in_the_way: bool) -> Option<LiveFacts> {
        let id = target.as_str();
        let role = self.element(id)?.role.clone();
        if let Some(thing) = self.view.thing_at(id) {
            self.looked_at.insert(id.to_owned(), thing);
        }
        let kind = if in_the_way { self.dice.below(4) } else { 9 };
        Some(LiveFacts {
            enabled: Some(kind != 0),
            editable: Some(true),
            readonly: Some(false),
            focusable: Some(true),
            focused: Some(false),
            busy: Some(false),
            stable: Some(kind != 1),
            blocked: Some(false),
            in_view: kind != 2,
            covered_by: (kind == 3).then(|| "a veil".to_owned()),
            ..LiveFacts::shown(role)
        })
    }
}
