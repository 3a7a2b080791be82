//! Mapping an application: pages of a browser, guards around them, a folder for what is found.
//!
//! Start at [`Mapping::map`]. The command and the server both come through here.

mod browsers;
mod documents;
mod folder;
mod ground;
mod hindrance;
mod mapping;
mod permission;
mod practice;
mod surveyor;

pub(crate) use documents::{gather, sitemap};
pub(crate) use folder::{RunFolder, file_name};
pub(crate) use ground::timestamp;
pub(crate) use mapping::{Mapped, Mapping, PACKAGE_ENDING, REPORT, context_of, package_file};
pub(crate) use permission::{base_of, is_loopback};
pub(crate) use practice::Practice;
pub(crate) use surveyor::Surveyor;
