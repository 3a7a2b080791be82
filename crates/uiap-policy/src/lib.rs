//! May this happen, with what obligations, and why: one pure function over policy documents, risk and grants.
//!
//! Knows no surface, no clock and no I/O. Furnished in step 3; the types it will speak are in
//! `uiap_protocol::policy`.
