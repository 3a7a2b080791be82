//! What is found in a bundle as a whole, together with what the decoder finds: each thing once.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot start has failed"
)]

mod cases;
mod derived;
mod support;
