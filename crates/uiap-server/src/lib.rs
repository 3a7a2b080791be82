//! Sessions and the doors into them: stdio, WebSocket, HTTP, MCP.
//!
//! Names no surface and no store; the binary wires them. Furnished in step 5; the envelope and the session
//! messages are in `uiap_protocol::core`.
