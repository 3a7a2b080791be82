//! A small client of the protocol that Chromium speaks with its developer tools.
//!
//! Start at [`Client`]. Only the envelope of a message is decoded here (who is it for?); contents are decoded by the
//! code that asked, so that an event or member we have never heard of breaks nothing.

mod client;
mod message;
mod pipe;
mod socket;
mod tls;

pub(crate) use client::Observer;
pub use client::{CALLS_PENDING_MAX, Client, Connection, EVENTS_QUEUED_MAX, Subscription};
pub(crate) use message::Text;
pub use message::{CallError, Event, Lagged, SessionId};
pub use pipe::MESSAGE_BYTES_MAX;
pub(crate) use socket::connect;
pub(crate) use tls::encrypt;
