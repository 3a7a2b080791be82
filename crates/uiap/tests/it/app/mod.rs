//! `uiap serve --app-origin`: an application whose own page connects and is acted on from inside.
//!
//! Videoland in a real browser with the SDK, and pages that misbehave, made here message by message.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

mod hostile;
mod impostors;
mod lost;
mod page;
mod peer;
mod stage;
mod videoland;
