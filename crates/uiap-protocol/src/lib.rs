//! Every word of UIAP as a type.

pub mod action;
pub mod authoring;
pub mod capability;
pub mod conformance;
pub mod core;
pub mod discovery;
pub mod finding;
pub mod ids;
pub mod policy;
pub mod text;
pub mod text_value;
pub mod time;
pub mod version;
pub mod web;
pub mod wire;
pub mod workflow;
