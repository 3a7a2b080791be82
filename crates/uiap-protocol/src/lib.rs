//! The words.
