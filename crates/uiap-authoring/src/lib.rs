//! Turns an app team's manifests into one compiled bundle, with located diagnostics.
//!
//! Does no I/O: files will reach it through a `Sources` trait. Furnished in step 4; the document types are in
//! `uiap_protocol::authoring`.

pub mod breaking;
