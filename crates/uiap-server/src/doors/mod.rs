//! The doors: each brings texts in and out in its own way, and names who comes.

pub mod stdio;
