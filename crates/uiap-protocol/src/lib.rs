//! Every word of UIAP as a type.
//!
//! The modules are named after the specifications: [`core`] (envelope, session, errors), [`capability`], [`web`],
//! [`action`], [`policy`], [`workflow`], [`discovery`], [`authoring`], [`binding`] and [`conformance`]. Below them lie what they
//! are made of: [`text`] reads JSON and YAML into a tree that knows where everything stood, [`wire`] decodes that
//! tree into types and reports every [`finding`] on the way, [`ids`], [`time`], [`version`] and [`text_value`]
//! hold the small types, [`canonical`] and [`seal`] say what a document is and who signed it. Above them, [`kinds`] and [`check`](mod@check) validate a document of any kind, and
//! [`generate`] writes schemas and TypeScript.
//!
//! Pure: no I/O, no clock, no task. Only [`web`] knows a word of a platform.
//!
//! Illegal states do not type-check. A response names the request it answers:
//!
//! ```compile_fail,E0063
//! let answer = uiap_protocol::core::Exchange::Response {};
//! ```
//!
//! a target is named in one way:
//!
//! ```compile_fail,E0559
//! # use uiap_protocol::capability::{Role, TargetRef};
//! # let id = uiap_protocol::ids::StableId::new("video.submit").unwrap();
//! let both = TargetRef::StableId { value: id, role: Role::Button };
//! ```
//!
//! an upsert has a key:
//!
//! ```compile_fail,E0063
//! let upsert = uiap_protocol::authoring::PatchOp::Upsert { value: "deny".into() };
//! ```
//!
//! and a delta has a base:
//!
//! ```compile_fail,E0063
//! # use uiap_protocol::{ids::RevisionId, time::Timestamp, web::WebStateDelta};
//! let delta = WebStateDelta {
//!     revision: RevisionId::new("rev_2").unwrap(),
//!     seq: 2,
//!     at: Timestamp::new("2026-03-26T14:03:00.000Z").unwrap(),
//!     route: None,
//!     title: None,
//!     locale: None,
//!     focus: None,
//!     modal_stack: None,
//!     truncated: None,
//!     redacted: None,
//!     metadata: None,
//!     ops: Vec::new(),
//! };
//! ```

pub mod action;
pub mod authoring;
pub mod binding;
pub mod canonical;
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
pub mod policy_test;
pub mod seal;
pub mod text;
pub mod text_value;
pub mod time;
pub mod version;
pub mod web;
pub mod wire;
pub mod workflow;
