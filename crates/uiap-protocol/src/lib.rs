//! Every word of UIAP as a type.

pub mod capability;
pub mod finding;
pub mod ids;
pub mod text;
pub mod time;
pub mod version;
pub mod wire;
