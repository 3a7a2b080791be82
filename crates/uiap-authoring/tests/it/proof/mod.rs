//! The static safety proof through its public door.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot start has failed"
)]

mod cases;
mod oracle;
mod support;
mod told;
