//! The policy through its public door.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

mod decisions;
mod redaction;
mod reference;
mod risk;
mod support;
