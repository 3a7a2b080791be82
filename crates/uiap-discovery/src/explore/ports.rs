//! What exploring needs of the world: places to explore in, somewhere to keep what it finds, somebody to tell.

use crate::atlas::Passage;
use crate::door::Door;
use std::io;
use tokio::time::Instant;
use uiap_protocol::discovery::DiscoveryProgress;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::journal::Journal;
use uiap_runtime::shell::Runtime;
use uiap_runtime::surface::Surface;

/// Why there is no place to explore in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The application cannot be reached.
    #[error("{reason}")]
    Unreachable {
        /// Why.
        reason: String,
    },
    /// What the application is shown in is gone; another try may get another one.
    #[error("{reason}")]
    Lost {
        /// Why.
        reason: String,
    },
    /// Nobody is signed in any more, and nobody can sign in again.
    #[error("the login has expired: {reason}")]
    SignedOut {
        /// Why nobody can.
        reason: String,
    },
}

/// Why what is shown is no page of the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// The guard turned back what was asked for.
    TurnedBack,
    /// No page came.
    NoPage {
        /// Why.
        reason: String,
    },
}

/// An application that can be explored.
pub trait Ground: Send + Sync {
    /// A place to explore in.
    type Hand: Hand;

    /// Another place to explore in: signed in, at the address where the application begins, and sharing nothing with
    /// the others that a person could not share with another person.
    fn hand(&self, number: usize) -> impl Future<Output = Result<Self::Hand, GroundError>> + Send;

    /// What time it is.
    fn now(&self) -> Timestamp;
}

/// One place to explore in: a page, the runtime that acts on it, and the guard that stands around it.
pub trait Hand: Send + Sync {
    /// The page.
    type Surface: Surface;
    /// What keeps its actions.
    type Journal: Journal;

    /// Acts on the page.
    fn runtime(&self) -> &Runtime<Self::Surface, Self::Journal>;

    /// What left the page since this was asked last, or would have left it.
    fn passages(&self) -> Vec<Passage>;

    /// What went wrong inside the application since this was asked last.
    fn complaints(&self) -> Vec<String>;

    /// Why what is shown is no page of the application; nothing, if it is one.
    fn hindrance(&self) -> Option<Hindrance>;

    /// Lets through what changes something, until told otherwise.
    fn lift(&self, lifted: bool);

    /// What people would see, without anything sensitive.
    fn picture(&self, until: Instant) -> impl Future<Output = Option<Image>> + Send;

    /// What the platform tells those who cannot see.
    fn accessibility(&self, until: Instant) -> impl Future<Output = Option<JsonObject>> + Send;

    /// What opens something when somebody points at it, though nothing but the style of the page says so.
    fn openers(&self, until: Instant) -> impl Future<Output = Vec<ElementInstanceId>> + Send;

    /// Closes what the application opened beside the page.
    fn tidy(&self) -> impl Future<Output = ()> + Send;

    /// The application is explored in somebody's name.
    fn has_account(&self) -> bool;

    /// What is shown is known to be where people sign in.
    fn is_at_door(&self) -> bool;

    /// The application says of what is shown that it does not know who asks.
    fn is_unknown(&self) -> bool;

    /// What the page asks for where people sign in, if somebody did.
    fn door(&self) -> Option<Door>;

    /// Signs in again.
    fn sign_in(&self) -> impl Future<Output = Result<(), GroundError>> + Send;
}

/// A picture in a file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file.
    pub bytes: Vec<u8>,
    /// The ending of its name, such as `png`.
    pub ending: &'static str,
}

/// Keeps what a run finds, for people and for the next process that goes on with it.
pub trait Archive: Send + Sync {
    /// Keeps a file under a relative name, whole or not at all, whether or not there is one.
    fn keep(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// A file that was kept.
    fn kept(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Appends a line to the logbook.
    fn log(&self, line: &str) -> io::Result<()>;

    /// The lines of the logbook, the oldest first; none if there is none.
    fn lines(&self) -> io::Result<Vec<String>>;
}

/// Hears how a run goes.
pub trait Watcher: Send + Sync {
    /// It goes on.
    fn progress(&self, progress: &Progress);
}

/// How a run goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// In the words of the protocol.
    pub message: DiscoveryProgress,
    /// What is still worth trying.
    pub open: usize,
    /// What was held back because it would have changed something.
    pub held: usize,
    /// What part of the time is used up, in percent.
    pub time_percent: u64,
}
