//! `uiap demo`: the chain on the sample application.

use crate::{Outcome, Trouble};
use clap::Args;

/// Show the whole chain on the sample application
#[derive(Args)]
pub(crate) struct Demo {}

impl Demo {
    #[expect(clippy::unnecessary_wraps, reason = "every command has the same signature")]
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        Ok(Outcome::Yes)
    }
}
