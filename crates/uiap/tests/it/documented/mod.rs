//! What is said about calls is true: each call that a tool description, a help text or a document shows is performed
//! by the program itself, with a real browser, and answers to models name nothing that models do not have.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

mod answers;
mod commands;
mod extract;
mod site;
mod tools;
