//! Sessions and the doors into them: stdio, WebSocket, HTTP, MCP.
//!
//! Names no surface and no store: [`host`] is the port through which the binary gives applications to the doors.

pub mod host;
pub mod mcp;
pub mod secrets;
