//! The one action life cycle: resolve, check, ask, act, verify, report; and the ports it needs.
//!
//! Knows no DOM, no YAML and no browser. [`life`] is the life cycle as a pure function and [`shell`] runs it;
//! [`plan`](mod@plan) turns a request into what will be done, [`resolve`](mod@resolve) finds what it means, [`gate`]
//! says whether that can be acted on now, [`verdict`](mod@verdict) whether it may be, [`consent`] makes grants that
//! cannot be forged, [`judge`] says whether it had its effect, [`wait`] waits for the like, [`diagnose`] sorts what happened around it. [`surface`] and [`journal`]
//! are the ports to the application and to what outlasts a crash; [`view`] is what an agent reads of a page,
//! [`words`] what it writes about one.

mod areas;
mod canonical;
pub mod catalogue;
pub mod consent;
pub mod deed;
pub mod diagnose;
pub mod gate;
pub mod identity;
pub mod journal;
pub mod judge;
pub mod life;
pub mod plan;
pub mod question;
pub mod redaction;
pub mod resolve;
pub mod shell;
pub mod sight;
pub mod standing;
pub mod surface;
pub mod verdict;
pub mod view;
pub mod wait;
pub mod words;
