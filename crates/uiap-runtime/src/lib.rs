//! The one action life cycle: resolve, check, ask, act, verify, report; and the ports it needs.
//!
//! Knows no DOM, no YAML and no browser. [`resolve`](mod@resolve) finds what an action means, [`gate`] says whether it
//! can be acted on now, and [`view`] is what an agent reads of a page.

pub mod gate;
pub mod resolve;
pub mod view;
