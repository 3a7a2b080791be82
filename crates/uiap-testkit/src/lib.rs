//! Case loader and helpers for tests.

mod proves;
