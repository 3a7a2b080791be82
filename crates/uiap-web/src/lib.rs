//! The web surface: Chromium over CDP and the publisher that runs in the page.
//!
//! The only room that knows a DOM word. Furnished in step 2; the graph it publishes is in
//! `uiap_protocol::web`.
