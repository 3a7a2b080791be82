//! What tests share: the case loader, the claims that tests make, a journal that forgets and fails on demand, and the
//! simulation of actions.

mod document_case;
mod memory_journal;
mod proves;
pub mod simulation;

pub use document_case::{CaseError, DocumentCase, RefusedCase};
pub use memory_journal::{Faults, MemoryJournal};
