//! Everything that `uiap-web` promises, held against its public interface. One binary: it is linked once.

mod acting;
mod acting_cases;
mod bridge;
mod browser;
mod capabilities;
mod deltas;
mod driver;
mod evidence;
mod guard;
mod guard_rules;
mod hostile;
mod input;
mod listeners;
mod means;
mod pages;
mod popups;
mod registry;
mod rest;
mod seat;
mod signals;
mod spine;
mod storage;
mod supervise;
mod support;
mod targets;
mod vision;
