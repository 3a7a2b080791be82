//! The sample application.

fn main() {}
