//! Discovery as people and pipelines meet it: applications that are mapped, packages that are compared, promoted and built,
//! and the report in a browser.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

mod diff;
mod mapping;
mod promotion;
mod report;
mod round_trip;
mod site;
#[expect(dead_code, reason = "the cases of packages need more of it")]
#[path = "../../../../uiap-discovery/tests/it/packages/stage.rs"]
mod stage;
mod starting;
mod videoland;
