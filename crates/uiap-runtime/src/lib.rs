//! The one action life cycle: resolve, check, ask, act, verify, report; and the ports it needs.
//!
//! Knows no DOM, no YAML and no browser. So far it holds only [`view`], what an agent reads of a page; the life
//! cycle is furnished in step 3 and speaks the messages of `uiap_protocol::action`.

pub mod view;
