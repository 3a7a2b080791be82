//! Turns an app team's manifests into one compiled bundle, with located diagnostics.
//!
//! Start at [`Builder::build`]: ten steps in their published order, each a function of its own. The crate does no I/O:
//! files reach it through [`Sources`], and more than one processor through [`Hands`]. The document types are in `uiap_protocol::authoring`.

mod assemble;
pub mod breaking;
mod build;
pub mod capabilities;
mod compatibility;
mod context;
mod discovery;
mod file;
mod findings;
mod gates;
mod hands;
mod items;
pub mod lint;
mod load;
mod memory;
mod origins;
mod overlay;
pub mod proof;
mod ranges;
mod references;
mod review;
mod sources;
mod texts;
mod vouching;

pub use build::{BuildReport, Builder, Built, ItemReport, Outcome, Request, Step};
pub use file::Texts;
pub use hands::{Hands, OneHand};
pub use load::{Lock, Locked, NotALock, PACKAGE_FILES};
pub use memory::Memory;
pub use origins::{Changed, Evidence, Line, ORIGINS_FORMAT, OriginFile, Origins, Part, Reviewed};
pub use review::{Decided, Overridden};
pub use sources::{FILE_BYTES_MAX, FILES_MAX, Folder, Sources, Unreadable};
