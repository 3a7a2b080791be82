//! Maps an application under budgets and a safety policy, without writing to it.
//!
//! Start at [`explore`](mod@explore), which drives a runtime. Everything that decides is pure: [`sighting`] reads a page, [`fingerprint`](mod@fingerprint) tells states apart,
//! [`safety`] says what may be done, [`options`] what could be, and [`atlas`] keeps what is known and says what to try
//! next. Acts only through the runtime; the types of the package are in `uiap_protocol::discovery`.

pub mod atlas;
pub mod budget;
pub mod changes;
pub mod confidence;
pub mod diff;
pub mod door;
pub mod explore;
pub mod fingerprint;
pub mod growth;
pub mod menus;
pub mod naming;
pub mod options;
pub mod package;
pub mod place;
pub mod promote;
pub mod report;
pub mod safety;
pub mod seeds;
pub mod sighting;
