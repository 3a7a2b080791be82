//! What changed between two bundles, through the public door.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

mod bundles;
mod cases;
mod page;
mod policies;
mod properties;
mod versions;
