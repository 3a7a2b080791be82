//! A page as the runtime sees it: the web's answer to [`Surface`].

pub(crate) mod capabilities;
pub(crate) mod deeds;
pub(crate) mod facts;
mod presenting;
pub(crate) mod scene;

use crate::deadline::Deadline;
use crate::input::Check;
use crate::page::{
    ActionsError, Arrival, LookError, OpenError, Page, PictureFormat, Position, ScreenshotOptions, network,
};
use scene::SceneKeeper;
use tokio::time::Instant;
use uiap_protocol::action::PresentationHints;
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument, ExecutionMode};
use uiap_protocol::ids::{BadForm, ElementInstanceId};
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::sight::Picture;
use uiap_runtime::surface::{Dispatched, Mark, News, Order, PictureMask, Scene, Surface, SurfaceError};
use uiap_runtime::wait::{Loading, LoadingSource};

/// Why nobody can say what can be done on a page.
#[derive(Debug, thiserror::Error)]
pub enum CapabilitiesError {
    /// The page cannot be asked what its application offers.
    #[error(transparent)]
    Actions(#[from] ActionsError),
    /// A name has no legal form.
    #[error(transparent)]
    Form(#[from] BadForm),
}

/// Longest pause before a page that could not be followed is tried again.
const AGAIN_AFTER: std::time::Duration = std::time::Duration::from_millis(100);
/// An answer of which nothing more comes for so long is one that the page does not read; the browser never ends it.
const UNREAD_AFTER: std::time::Duration = std::time::Duration::from_millis(100);

/// How well small pictures are written, in per cent: letters stay legible, and take less room than in a JPEG.
const THUMBNAIL_QUALITY: u8 = 70;

/// How deeds can be carried out on a page.
const MODES: [ExecutionMode; 4] = [
    ExecutionMode::AppAction,
    ExecutionMode::SemanticUi,
    ExecutionMode::ExternalDriver,
    ExecutionMode::InputSynthesis,
];

/// A page that is looked at and acted on.
#[derive(Debug)]
pub struct WebSurface {
    page: Page,
    keeper: SceneKeeper,
}

impl WebSurface {
    /// Takes a page over.
    pub fn new(page: Page) -> Self {
        Self { page, keeper: SceneKeeper::default() }
    }

    /// The page.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Goes to an address and waits until the page is there, outside of any action.
    pub async fn visit(&self, url: &str, deadline: Deadline) -> Result<Arrival, OpenError> {
        self.page.visit(url, deadline).await
    }

    /// What pages can show here and what can be done on this one, actions of its application included.
    pub async fn capabilities(&self, deadline: Deadline) -> Result<CapabilityDocument, CapabilitiesError> {
        let registered = self.page.actions(deadline).await?;
        let offered = registered.actions.into_iter().map(|action| action.descriptor);
        Ok(capabilities::capabilities(&MODES, offered)?)
    }

    /// Gives the page back.
    pub fn into_page(self) -> Page {
        self.page
    }

    fn gone(&self) -> Option<SurfaceError> {
        self.page.ended().map(|error| SurfaceError::Gone { reason: error.to_string() })
    }

    /// An error of the surface in place of one of the page.
    fn troubled(&self, error: &dyn std::error::Error) -> SurfaceError {
        self.gone().unwrap_or_else(|| SurfaceError::Silent { reason: error.to_string() })
    }

    /// Follows the page from now on.
    async fn follow(&self, deadline: Deadline) -> Result<(), LookError> {
        self.page.watch(deadline).await.map(drop)
    }

    fn is_followed(&self) -> bool {
        self.page.followed(|_| ()).is_some()
    }

    /// How long it takes at least until everything that was begun after the mark is over. Nothing, if it is.
    fn busy_for(&self, since: Mark) -> Option<std::time::Duration> {
        let begun = Position::after(since.signals);
        let requests = self.page.in_flight().into_iter();
        let own = requests.filter(|request| request.position >= begun && request.ends());
        own.filter_map(|request| match request.answered {
            Some(answered) => UNREAD_AFTER.checked_sub(answered.elapsed()),
            None => Some(std::time::Duration::MAX),
        })
        .max()
    }

    /// The page asked for something that has an end, whether or not it has its answer by now: who asks for one thing
    /// after the other is between two of them at any moment.
    fn has_asked(&self, since: Position) -> bool {
        self.page.signals().since(since).signals.iter().any(|signal| network::begins_what_ends(signal))
    }
}

impl Surface for WebSurface {
    fn modes(&self) -> Vec<ExecutionMode> {
        // It takes somebody who looks at pictures, so nobody is promised it.
        MODES.into_iter().chain([ExecutionMode::VisionAssist]).collect()
    }

    async fn offers(&self, until: Instant) -> Vec<ActionDescriptor> {
        // A page that cannot be asked offers nothing.
        let registered = self.page.actions(Deadline::at(until)).await.unwrap_or_default();
        registered.actions.into_iter().map(|action| action.descriptor).collect()
    }

    async fn look(&self, anew: bool, until: Instant) -> Result<(), SurfaceError> {
        let deadline = Deadline::at(until);
        if !anew && self.is_followed() && self.page.catch_up(deadline).await.is_ok() && self.is_followed() {
            return Ok(());
        }
        self.follow(deadline).await.map_err(|error| self.troubled(&error))
    }

    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R> {
        self.page.followed(|followed| self.keeper.read(&followed, read))
    }

    async fn facts(
        &self,
        target: &ElementInstanceId,
        until: Instant,
    ) -> Result<Option<LiveFacts>, SurfaceError> {
        match self.page.check(target, None, Deadline::at(until)).await {
            Ok(Check::Present(facts)) => Ok(Some(facts::live(*facts))),
            Ok(Check::Gone) => Ok(None),
            Err(hindrance) => Err(self.troubled(&hindrance)),
        }
    }

    async fn reveal(&self, target: &ElementInstanceId, until: Instant) {
        // Whether it worked is seen by the next check.
        let _ = self.page.deliver(&deeds::reveal(target.clone()), Deadline::at(until)).await;
    }

    async fn dispatch(&self, order: Order<'_>, until: Instant) -> Dispatched {
        deeds::dispatch(&self.page, &order, Deadline::at(until)).await
    }

    async fn picture(&self, until: Instant) -> Result<Picture, SurfaceError> {
        let (options, deadline) = (ScreenshotOptions::default(), Deadline::at(until));
        let size = self.page.seen_size(deadline).await;
        let (width, height) = size.map_err(|error| self.troubled(&error))?;
        let taken = self.page.screenshot(&options, deadline).await;
        let bytes = taken.map_err(|error| self.troubled(&error))?;
        Ok(Picture { bytes, media_type: options.format.media_type(), width, height })
    }

    async fn masked_picture(
        &self,
        dots_max: Option<u32>,
        mask: &dyn PictureMask,
        until: Instant,
    ) -> Result<Picture, SurfaceError> {
        let deadline = Deadline::at(until);
        let mut options = ScreenshotOptions::default();
        if let Some(dots_max) = dots_max {
            let size = self.page.seen_size(deadline).await;
            let (width, height) = size.map_err(|error| self.troubled(&error))?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a part of the limit"
            )]
            let max_width = (f64::from(dots_max) * (width / height.max(1.0)).min(1.0)) as u32;
            options.max_width = Some(max_width);
            options.format = PictureFormat::Webp { quality: THUMBNAIL_QUALITY };
        }
        let size = self.page.seen_size(deadline).await;
        let (width, height) = size.map_err(|error| self.troubled(&error))?;
        let taken = self.page.masked_screenshot(&options, mask, deadline).await;
        let bytes = taken.map_err(|error| self.troubled(&error))?;
        Ok(Picture { bytes, media_type: options.format.media_type(), width, height })
    }

    async fn present(&self, hints: &PresentationHints, target: Option<&ElementInstanceId>, until: Instant) {
        presenting::present(&self.page, hints, target, Deadline::at(until)).await;
    }

    fn unveil(&self) {
        presenting::unveil(&self.page);
    }

    fn mark(&self) -> Mark {
        Mark { signals: self.page.signals().position().count(), changes: self.page.moves() }
    }

    async fn news(&self, since: Mark, until: Instant) -> Result<News, SurfaceError> {
        let deadline = Deadline::at(until);
        let position = Position::after(since.signals);
        loop {
            if let Some(gone) = self.gone() {
                return Err(gone);
            }
            if !self.is_followed() {
                // Another document is shown; what it shows is news.
                if self.follow(deadline).await.is_err() && !deadline.is_over() {
                    self.page
                        .signals()
                        .next(self.page.signals().position(), deadline.at_most(AGAIN_AFTER))
                        .await;
                    continue;
                }
            }
            let changes = self.page.moves();
            let heard = self.page.signals().since(position);
            if changes > since.changes || !heard.signals.is_empty() || deadline.is_over() {
                let next = Mark { signals: heard.next.count(), changes };
                return Ok(News { signals: heard.signals, dropped: heard.dropped, next });
            }
            tokio::select! {
                () = self.page.moved_on(since.changes) => {}
                _ = self.page.signals().next(position, deadline) => {}
            }
        }
    }

    fn loading(&self) -> Option<Loading> {
        let requests = self.page.in_flight();
        let waited = requests.iter().filter(|request| request.ends()).count();
        (waited > 0).then(|| Loading {
            active: true,
            signal: format!("{waited} requests under way"),
            source: LoadingSource::Network,
        })
    }

    async fn rest(&self, since: Mark, until: Instant) -> Result<(), SurfaceError> {
        let deadline = Deadline::at(until);
        loop {
            while !deadline.is_over() {
                let now = self.page.signals().position();
                // What ends after this line is heard of.
                let Some(busy) = self.busy_for(since) else { break };
                self.page.signals().next(now, deadline.at_most(busy)).await;
            }
            let calm_since = self.page.signals().position();
            let shown = self.page.shown_twice(deadline).await;
            if let Some(gone) = self.gone() {
                return Err(gone);
            }
            if deadline.is_over() {
                return Err(SurfaceError::Silent { reason: "it did not come to rest".to_owned() });
            }
            if shown.is_ok() && self.busy_for(since).is_none() && !self.has_asked(calm_since) {
                return Ok(());
            }
        }
    }
}
