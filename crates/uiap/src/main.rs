//! The `uiap` command.

fn main() {}
