//! Between a door and a session.

use crate::session::{Farewell, Outgoing};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Most messages on their way over a link, in each direction.
pub const LINK_MAX: usize = 16;

/// What comes in.
#[derive(Debug)]
pub enum Inbound {
    /// A text.
    Text(String),
    /// Something that is no text of legal size.
    Unreadable(Farewell),
    /// The peer is there.
    Alive,
    /// The peer says nothing more, and still listens.
    NoMore,
}

/// What goes out.
#[derive(Debug)]
pub enum Outbound {
    /// A message.
    Message(Arc<Outgoing>),
    /// The end of the link.
    Hang(Farewell),
}

/// The side of the session. The link is lost when the door drops its own.
#[derive(Debug)]
pub struct Link {
    /// What comes in.
    pub inbound: mpsc::Receiver<Inbound>,
    /// What goes out.
    pub outbound: mpsc::Sender<Outbound>,
}

impl Link {
    /// A link, and the side of the door.
    pub fn new() -> (Self, mpsc::Sender<Inbound>, mpsc::Receiver<Outbound>) {
        let (speak, inbound) = mpsc::channel(LINK_MAX);
        let (outbound, listen) = mpsc::channel(LINK_MAX);
        (Self { inbound, outbound }, speak, listen)
    }
}
