//! Maps an application under budgets and a safety policy, without writing to it.
//!
//! Acts only through the runtime. Furnished in step 6; the package it produces is in
//! `uiap_protocol::discovery`.
