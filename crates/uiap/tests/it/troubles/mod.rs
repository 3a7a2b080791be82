//! `uiap discover` in trouble: servers, pages, logins, browsers and disks that fail, before a real browser. However a run
//! ends, its package is sound, package and report say why, and what was found is there.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

mod beginning;
mod browsers;
mod budgets;
mod disk;
mod hovering;
mod login;
mod pages;
mod ready;
mod scrolling;
mod shapes;
#[path = "../../../../uiap-web/tests/it/support/site.rs"]
pub(crate) mod site;
mod stage;
mod stopping;
