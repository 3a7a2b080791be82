//! What tests share: the case loader, the claims that tests make, a journal that forgets and fails on demand, a port
//! that stays closed, the simulation of actions, and how a discovery package is held against a list made by hand.

mod case_files;
mod closed_port;
mod document_case;
pub mod listed;
mod memory_journal;
mod proves;
pub mod simulation;

pub use case_files::{CaseResult, check_case_files};
pub use closed_port::ClosedPort;
pub use document_case::{CaseError, DocumentCase, RefusedCase};
pub use memory_journal::{Faults, MemoryJournal};
