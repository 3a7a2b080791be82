//! The one action life cycle: resolve, check, ask, act, verify, report; and the ports it needs.
//!
//! Knows no DOM, no YAML and no browser. [`life`] is the life cycle as a pure function; [`resolve`](mod@resolve) finds what an action means, [`gate`] says whether it
//! can be acted on now, [`consent`] makes grants that cannot be forged, [`journal`] is the port to what outlasts a crash,
//! and [`view`] is what an agent reads of a page.

mod canonical;
pub mod catalogue;
pub mod consent;
pub mod deed;
pub mod gate;
pub mod identity;
pub mod journal;
pub mod life;
pub mod plan;
pub mod resolve;
pub mod standing;
pub mod surface;
pub mod verdict;
pub mod view;
