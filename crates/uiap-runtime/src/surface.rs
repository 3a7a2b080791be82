//! What the runtime needs of an application that it looks at and acts on, whatever shows it.
//!
//! Start at [`Surface`]. A surface knows the page as it is now, tells what happens, checks one element freshly and
//! carries out one deed. It decides nothing: what to do, and whether, is the business of the runtime.

use crate::deed::Deed;
use crate::gate::LiveFacts;
use crate::identity::Identity;
use crate::judge::Told;
use crate::life::Delivery;
use crate::resolve::TargetIndex;
use crate::sight::{Picture, Point};
use crate::wait::Loading;
use std::sync::Arc;
use tokio::time::Instant;
use uiap_protocol::action::{PresentationHints, ResolvedTarget};
use uiap_protocol::capability::{ActionDescriptor, ExecutionMode};
use uiap_protocol::ids::{ActionHandle, ElementInstanceId};
use uiap_protocol::web::{GraphStore, PageGraph, WebSignal};

/// The page as it is known, with its index.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s> {
    /// Everything on it.
    pub page: &'s GraphStore,
    /// Finds targets in it.
    pub index: &'s TargetIndex,
}

/// A place in the stream of what happens: before it is before, after it is after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// How many signals lie before it.
    pub signals: u64,
    /// How many changes of the page lie before it.
    pub changes: u64,
}

/// The kind of the signal by which a surface tells that the application opened another page; `refused` if it must not.
pub const PAGE_OPENED: &str = "x.uiap.page.opened";
/// The kind of the signal by which a surface tells that the application hands over a file.
pub const FILE_OFFERED: &str = "x.uiap.download.started";
/// What a request of the application is for, as signals of a surface say it in `purpose`; anything else is decoration.
pub mod purpose {
    /// For what is shown as a whole.
    pub const PLACE: &str = "place";
    /// For data.
    pub const DATA: &str = "data";
    /// For what goes on for as long as the application does, or what nobody waits for.
    pub const STREAM: &str = "stream";
}

/// The kind of the signal by which a surface tells that a request of the application was refused: `method`, `url`,
/// `purpose`, `status` or `error`, and `begun`, the number of signals before it.
pub const REQUEST_REFUSED: &str = "x.uiap.request.refused";

/// What happened after a mark.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// The signals, in order.
    pub signals: Vec<Arc<WebSignal>>,
    /// How many further ones were lost, because nobody read them in time.
    pub dropped: u64,
    /// Where to go on.
    pub next: Mark,
}

/// Why a surface has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurfaceError {
    /// It is gone for good.
    #[error("the application is gone: {reason}")]
    Gone {
        /// Why.
        reason: String,
    },
    /// It did not answer in time, or not sensibly.
    #[error("the application cannot be looked at: {reason}")]
    Silent {
        /// Why.
        reason: String,
    },
}

/// One deed to carry out.
#[derive(Clone, Copy, Debug)]
pub struct Order<'o> {
    /// For which action.
    pub handle: &'o ActionHandle,
    /// What.
    pub deed: &'o Deed,
    /// To what. It is done to exactly this element, as it was found, or not at all.
    pub target: Option<&'o ResolvedTarget>,
    /// What the target was when it was found, where it still has to be that.
    pub as_found: Option<&'o Identity>,
    /// How.
    pub mode: ExecutionMode,
    /// Where in its picture the target is, for what is done by looking at it.
    pub at: Option<Point>,
}

/// What came of a deed.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatched {
    /// Whether it reached the application.
    pub delivery: Delivery,
    /// What the surface saw of it that the page does not show.
    pub seen: Told,
}

impl From<Delivery> for Dispatched {
    fn from(delivery: Delivery) -> Self {
        Self { delivery, seen: Told::default() }
    }
}

/// What must not be seen in a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenContent {
    /// These elements, with everything in them.
    pub elements: Vec<ElementInstanceId>,
    /// Everything that shows one of these texts.
    pub texts: Vec<String>,
}

impl HiddenContent {
    /// Whether everything may be seen.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty() && self.texts.is_empty()
    }
}

/// Says what must not be seen in a picture of a page.
pub trait PictureMask: Sync {
    /// What must not be seen of this page.
    fn hidden(&self, page: &PageGraph) -> HiddenContent;
}

/// An application that is looked at and acted on.
pub trait Surface: Send + Sync {
    /// How deeds can be carried out here.
    fn modes(&self) -> Vec<ExecutionMode>;

    /// The actions that the application itself offers.
    fn offers(&self, until: Instant) -> impl Future<Output = Vec<ActionDescriptor>> + Send;

    /// Makes the page known as it is now. With `anew` even what is believed to be current is looked at again.
    fn look(&self, anew: bool, until: Instant) -> impl Future<Output = Result<(), SurfaceError>> + Send;

    /// Reads the page as it is known, without asking anybody. Nothing, if it was never looked at.
    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R>;

    /// How an element is this moment; nothing if it is not there.
    fn facts(
        &self,
        target: &ElementInstanceId,
        until: Instant,
    ) -> impl Future<Output = Result<Option<LiveFacts>, SurfaceError>> + Send;

    /// Brings an element into view, if that can be done.
    fn reveal(&self, target: &ElementInstanceId, until: Instant) -> impl Future<Output = ()> + Send;

    /// Does something, once, and tells whether it reached the application.
    fn dispatch(&self, order: Order<'_>, until: Instant) -> impl Future<Output = Dispatched> + Send;

    /// What it shows right now.
    fn picture(&self, _until: Instant) -> impl Future<Output = Result<Picture, SurfaceError>> + Send {
        let reason = "nobody can take a picture of it".to_owned();
        async { Err(SurfaceError::Silent { reason }) }
    }

    /// The same for a reader who may not see everything: what the mask names is black, or there is no picture. No wider
    /// than so many dots where a width is given, for a reader who pays by the dot.
    fn masked_picture(
        &self,
        _width_max: Option<u32>,
        _mask: &dyn PictureMask,
        _until: Instant,
    ) -> impl Future<Output = Result<Picture, SurfaceError>> + Send {
        let reason = "no picture of it can be taken that leaves out what is withheld".to_owned();
        async { Err(SurfaceError::Silent { reason }) }
    }

    /// Shows a person what is about to be done. It changes nothing about the page or the outcome.
    fn present(
        &self,
        hints: &PresentationHints,
        target: Option<&ElementInstanceId>,
        until: Instant,
    ) -> impl Future<Output = ()> + Send;

    /// Takes away what [`Surface::present`] shows.
    fn unveil(&self);

    /// The place after everything that has happened.
    fn mark(&self) -> Mark;

    /// Waits until something happened after the mark, or time is up.
    fn news(&self, since: Mark, until: Instant) -> impl Future<Output = Result<News, SurfaceError>> + Send;

    /// What the application loads, as far as that cannot be seen on the page.
    fn loading(&self) -> Option<Loading> {
        None
    }

    /// Waits until what was begun after the mark has ended and the page has been shown twice since.
    fn rest(&self, since: Mark, until: Instant) -> impl Future<Output = Result<(), SurfaceError>> + Send;
}
