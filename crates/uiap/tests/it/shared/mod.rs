//! What several of the tests need.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

pub(crate) mod listening;
pub(crate) mod terminal;
