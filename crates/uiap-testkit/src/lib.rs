//! What tests share: the case loader and the claims that tests make.

mod document_case;
mod proves;

pub use document_case::{CaseError, DocumentCase, RefusedCase};
