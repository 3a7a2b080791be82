//! Sessions and the doors into them: stdio, WebSocket, HTTP, MCP.
//!
//! Names no surface and no store; the binary wires them. [`session`] is one session as a pure function; [`serving`] runs
//! sessions before a runtime, and [`doors`] bring texts in and out. The envelope and the session messages are in
//! `uiap_protocol::core`.

pub mod doors;
pub mod serving;
pub mod session;
