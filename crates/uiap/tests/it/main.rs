//! Everything that `uiap` promises, held against its public interface. One binary: it is linked once.

mod acting;
mod app;
mod bind;
mod breaking;
mod browsing;
mod building;
mod bundles;
mod cli;
mod demo;
mod discovery;
mod doctor;
mod entry_points;
mod guarding;
mod init;
mod look;
mod mcp;
mod once;
mod publishing;
mod registry;
mod serving;
mod shared;
mod since;
mod ten_steps;
mod tokens;
mod troubles;
