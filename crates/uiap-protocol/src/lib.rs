//! Every word of UIAP as a type.
//!
//! The modules are named after the specifications: [`core`] (envelope, session, errors), [`capability`], [`web`],
//! [`action`], [`policy`], [`workflow`], [`discovery`], [`authoring`] and [`conformance`]. Below them lie what they
//! are made of: [`text`] reads JSON and YAML into a tree that knows where everything stood, [`wire`] decodes that
//! tree into types and reports every [`finding`] on the way, [`ids`], [`time`], [`version`] and [`text_value`]
//! hold the small types. Above them, [`kinds`] and [`check`](mod@check) validate a document of any kind, and
//! [`generate`] writes schemas and TypeScript.
//!
//! Pure: no I/O, no clock, no task. Only [`web`] knows a word of a platform.

pub mod action;
pub mod authoring;
pub mod capability;
pub mod check;
pub mod conformance;
pub mod core;
pub mod discovery;
pub mod finding;
pub mod generate;
pub mod ids;
pub mod kinds;
pub mod policy;
pub mod text;
pub mod text_value;
pub mod time;
pub mod version;
pub mod web;
pub mod wire;
pub mod workflow;
