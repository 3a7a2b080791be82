//! Case loader and helpers for tests.
