//! The doors before a runtime whose application is made up: what comes in, what goes out, and what is done.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

mod bad_input;
mod http;
mod network;
mod pipe;
mod rights;
mod support;
mod websocket;
