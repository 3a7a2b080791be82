//! What a model does not get: what policy masks, wherever it would leave `uiap mcp`, and pages that were left.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

mod client;
mod leaving;
mod masking;
mod site;
