//! May this happen, with what obligations, and why.
//!
//! Start at [`CompiledPolicy`]: documents are compiled once, and [`CompiledPolicy::decide`] answers one question
//! ([`Facts`]) with one [`Decision`] that keeps its reasons. [`redact`] withholds values that would leave, and
//! [`risk`] says how risky a target is that nobody described. [`table`] runs the tests that teams write.
//!
//! How a decision comes about: every document speaks for itself, by its rules that match or, where none does, by its
//! defaults. On top stand two floors that no document can lower: the risk, and the grants of the principal. The
//! strictest of all of them holds, so another document can only make an answer stricter.
//!
//! Knows no surface, no clock and no I/O.

mod compile;
mod decide;
mod explain;
mod facts;
mod grants;
pub mod redact;
pub mod risk;
pub mod table;

pub use compile::{CompileError, CompiledPolicy, RULES_MAX};
pub use decide::{Cause, Decision, DefaultKind};
pub use facts::{DataUse, Facts, TargetFacts};
pub use grants::{holds, needed};
