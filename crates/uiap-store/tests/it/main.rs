//! Everything that `uiap-store` promises, held against its public interface. One binary: it is linked once.

mod common;
mod file;
mod kill;
mod like_memory;
mod migration;
mod place;
mod press;
mod registry_damage;
mod registry_faults;
mod registry_gates;
mod registry_model;
mod registry_signing;
mod sharing;
