//! Where things are kept: the action journal and the registry of published packages.
//!
//! Furnished in steps 3 (journal) and 4 (registry).
