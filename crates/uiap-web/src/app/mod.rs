//! A page that comes by itself: the application has the SDK, connects, and is acted on from inside.
//!
//! Start at [`Seat`] and [`AppSurface`]. The publisher in the page is the same as in a driven browser, and so is
//! everything above it; only the way there differs. There is no browser to ask here, so a page is believed about
//! itself: see `docs/security.md` and decision 13.

mod deeds;
mod line;
mod seat;
mod words;

pub use line::ASKS_MAX;
pub use seat::{Ending, MESSAGES_PER_SECOND_MAX, STRIKES_MAX, Seat};
pub use words::PAGE_MESSAGE_BYTES_MAX;

use crate::deadline::Deadline;
use crate::input::Facts;
use crate::page::{Position, read_list};
use crate::surface::scene::SceneKeeper;
use crate::surface::{capabilities, facts};
use line::{AskError, Line};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::action::PresentationHints;
use uiap_protocol::authoring::BindingsManifest;
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument, ExecutionMode};
use uiap_protocol::core::{Body, Exchange};
use uiap_protocol::ids::{BadForm, ElementInstanceId};
use uiap_protocol::web::{GraphStore, StateGet};
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::surface::{Dispatched, Mark, News, Order, Scene, Surface, SurfaceError};
use words::Wish;

/// How deeds can be carried out from inside a page: nobody outside presses, types or takes pictures.
const MODES: [ExecutionMode; 2] = [ExecutionMode::AppAction, ExecutionMode::SemanticUi];
/// Longest wait for a page to show something to a person.
const PRESENT_WAIT: Duration = Duration::from_secs(3);
/// Longest pause before a page that could not be followed is tried again.
const AGAIN_AFTER: Duration = Duration::from_millis(100);
/// What whoever acts is told while nobody has the place.
const NOBODY: &str = "no page of the application is connected; open the application, and try again";

/// What a bundle knows about the page, and every page is told once.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    /// How annotations begin.
    pub annotation_prefix: Option<String>,
    /// Names for what is on it.
    pub bindings: Option<BindingsManifest>,
}

/// An application that comes by itself, looked at and acted on.
#[derive(Debug)]
pub struct AppSurface {
    seat: Arc<Seat>,
    keeper: SceneKeeper,
    brief: Brief,
}

impl AppSurface {
    /// The application whose page takes this place.
    pub fn new(seat: Arc<Seat>, brief: Brief) -> Self {
        Self { seat, keeper: SceneKeeper::default(), brief }
    }

    /// What such pages can show and what can be done on them, apart from what their application offers.
    pub fn capabilities() -> Result<CapabilityDocument, BadForm> {
        capabilities::capabilities(&MODES, [])
    }

    fn line(&self) -> Result<Arc<Line>, SurfaceError> {
        self.seat.line().ok_or_else(|| silent(NOBODY))
    }

    fn is_followed(&self) -> bool {
        self.seat.feed.followed(|_| ()).is_some()
    }

    /// Follows the page from now on.
    async fn follow(&self, line: &Line, deadline: Deadline) -> Result<(), AskError> {
        line.briefed.get_or_try_init(|| self.brief(line, deadline)).await?;
        self.seat.feed.begin();
        let body = line.ask(Body::StateGet(StateGet::default()), deadline).await?;
        let Body::StateSnapshot(snapshot) = body else { return Err(AskError::Unsound) };
        self.seat.show(line, GraphStore::new(snapshot.graph));
        Ok(())
    }

    async fn brief(&self, line: &Line, deadline: Deadline) -> Result<(), AskError> {
        if let Some(prefix) = &self.brief.annotation_prefix {
            line.wish::<String>(Wish::Annotate, json!({ "prefix": prefix }), deadline).await?;
        }
        if let Some(bindings) = &self.brief.bindings {
            line.wish::<String>(Wish::Bind, json!({ "bindings": bindings }), deadline).await?;
        }
        Ok(())
    }
}

impl Surface for AppSurface {
    fn modes(&self) -> Vec<ExecutionMode> {
        MODES.to_vec()
    }

    async fn offers(&self, until: Instant) -> Vec<ActionDescriptor> {
        let Some(line) = self.seat.line() else { return Vec::new() };
        // A page that cannot be asked offers nothing.
        let told = line.wish::<String>(Wish::Offers, json!({}), Deadline::at(until)).await;
        let registered = told.map(|told| read_list(&told)).unwrap_or_default();
        registered.actions.into_iter().map(|action| action.descriptor).collect()
    }

    async fn look(&self, anew: bool, until: Instant) -> Result<(), SurfaceError> {
        let deadline = Deadline::at(until);
        let line = self.line()?;
        if !anew && self.is_followed() {
            let caught_up = line.wish::<()>(Wish::CatchUp, json!({}), deadline).await;
            if caught_up.is_ok() && self.is_followed() {
                return Ok(());
            }
        }
        self.follow(&line, deadline).await.map_err(|error| silent(&error.to_string()))
    }

    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R> {
        self.seat.feed.followed(|followed| self.keeper.read(&followed, read))
    }

    async fn facts(
        &self,
        target: &ElementInstanceId,
        until: Instant,
    ) -> Result<Option<LiveFacts>, SurfaceError> {
        let asked = json!({ "target": target });
        let told = self.line()?.wish::<Option<Box<Facts>>>(Wish::Facts, asked, Deadline::at(until)).await;
        let found = told.map_err(|error| silent(&error.to_string()))?;
        Ok(found.map(|found| facts::live(*found)))
    }

    async fn reveal(&self, target: &ElementInstanceId, until: Instant) {
        if let Some(line) = self.seat.line() {
            deeds::reveal(&line, target, Deadline::at(until)).await;
        }
    }

    async fn dispatch(&self, order: Order<'_>, until: Instant) -> Dispatched {
        match self.seat.line() {
            Some(line) => deeds::dispatch(&line, &order, Deadline::at(until)).await,
            None => crate::surface::deeds::refused(NOBODY),
        }
    }

    async fn present(&self, hints: &PresentationHints, target: Option<&ElementInstanceId>, until: Instant) {
        let Some(line) = self.seat.line() else { return };
        let deadline = Deadline::at(until).at_most(PRESENT_WAIT);
        // Whether anybody sees it makes no difference to what happens.
        let _ = line.wish::<()>(Wish::Present, json!({ "hints": hints, "target": target }), deadline).await;
    }

    fn unveil(&self) {
        if let (Some(line), Ok(body)) = (self.seat.line(), Wish::Unveil.body(json!({}))) {
            line.tell(Exchange::Event { correlation_id: None }, body);
        }
    }

    fn mark(&self) -> Mark {
        Mark { signals: self.seat.log.position().count(), changes: self.seat.feed.moves() }
    }

    async fn news(&self, since: Mark, until: Instant) -> Result<News, SurfaceError> {
        let deadline = Deadline::at(until);
        let position = Position::after(since.signals);
        loop {
            if !self.is_followed()
                && let Some(line) = self.seat.line()
                && self.follow(&line, deadline).await.is_err()
                && !deadline.is_over()
            {
                // Another document may be on its way; what it shows is news.
                let _ = deadline.at_most(AGAIN_AFTER).limit(std::future::pending::<()>()).await;
                continue;
            }
            let changes = self.seat.feed.moves();
            let heard = self.seat.log.since(position);
            if changes > since.changes || !heard.signals.is_empty() || deadline.is_over() {
                let next = Mark { signals: heard.next.count(), changes };
                return Ok(News { signals: heard.signals, dropped: heard.dropped, next });
            }
            tokio::select! {
                () = self.seat.feed.moved_on(since.changes) => {}
                _ = self.seat.log.next(position, deadline) => {}
            }
        }
    }

    async fn rest(&self, _since: Mark, until: Instant) -> Result<(), SurfaceError> {
        let deadline = Deadline::at(until);
        while deadline.limit(self.seat.taken()).await.is_some() && !deadline.is_over() {
            let Some(line) = self.seat.line() else { continue };
            if line.wish::<bool>(Wish::Rest, json!({}), deadline).await.is_ok() {
                return Ok(());
            }
            let _ = deadline.at_most(AGAIN_AFTER).limit(std::future::pending::<()>()).await;
        }
        Err(silent("it did not come to rest"))
    }
}

fn silent(reason: &str) -> SurfaceError {
    SurfaceError::Silent { reason: reason.to_owned() }
}
