//! The one action life cycle: resolve, check, ask, act, verify, report; and the ports it needs.
//!
//! Knows no DOM, no YAML and no browser. Furnished in step 3; the messages it speaks are in
//! `uiap_protocol::action`.
