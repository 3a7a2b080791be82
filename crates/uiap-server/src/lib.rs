//! Sessions and the doors into them: stdio, WebSocket, HTTP, MCP.
//!
//! Names no surface and no store: [`host`] is the port through which the binary gives applications to the doors,
//! and [`mapping`] the one through which it maps them.
//! [`session`] is one session of the protocol as a pure function; [`serving`] runs sessions before a runtime, and
//! [`doors`] bring texts in and out. [`mcp`] is the door for models.

pub mod doors;
pub mod host;
pub mod mapping;
pub mod mcp;
pub mod secrets;
pub mod serving;
pub mod session;
