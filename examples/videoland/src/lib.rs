//! Videoland, the sample application every part of UIAP is shown and tested on.
//!
//! Start at [`Server`]. A page (plain JavaScript below `web/`) talks to a JSON API below `/api`; the state lives in
//! memory and starts from the same seed every time. With [`Options::test_api`] the server also tells the truth about
//! what was written, below `/__test`, so that a test never has to take the page's word.

mod api;
mod assets;
mod error;
mod model;
mod package;
mod record;
mod request;
mod router;
mod seed;
mod server;
mod session;
mod world;

pub use package::{PackageFile, package_files};
pub use server::{Agents, Language, Options, Server, ServerError};
