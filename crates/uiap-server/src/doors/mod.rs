//! The doors: each brings texts in and out in its own way, and names who comes.
//!
//! [`stdio`] is for a program that starts us. [`net`] listens: `WebSocket` (`ws@0.1`) at [`WS_PATH`], and HTTP with
//! events (`http@0.1`) below [`SESSIONS_PATH`]; who comes there is said by [`guard`]. [`app`] is for the page of the
//! application itself, where it takes part.

pub mod app;
pub mod guard;
mod http;
mod mail;
pub mod net;
pub mod stdio;
pub mod tls;
mod ws;

/// Where a `WebSocket` is opened.
pub const WS_PATH: &str = "/uiap/ws";
/// Where sessions over HTTP are opened.
pub const SESSIONS_PATH: &str = "/uiap/sessions";
/// The media type of messages over HTTP.
pub const MEDIA_TYPE: &str = "application/uiap+json";
/// The sub-protocol of a `WebSocket`.
pub const SUB_PROTOCOL: &str = "uiap.v0.1";
