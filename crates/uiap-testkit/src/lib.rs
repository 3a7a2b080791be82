//! What tests share: the case loader, the claims that tests make, and the simulation of actions.

mod document_case;
mod proves;
pub mod simulation;

pub use document_case::{CaseError, DocumentCase, RefusedCase};
