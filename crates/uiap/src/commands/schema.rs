//! `uiap schema`: the JSON Schemas.

use super::kind_named;
use crate::{Outcome, Trouble};
use clap::Args;
use std::io::Write;
use uiap_protocol::generate::schema_of;
use uiap_protocol::kinds::Kind;

/// Print the JSON Schema (2020-12) of a kind of document; without a kind, list the kinds
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap schema                                  one kind per line
  uiap schema action.request                   messages go by their type
  uiap schema Package > package.schema.json    for an editor or another validator")]
pub(crate) struct Schema {
    /// What to print: a manifest kind, a document kind or a message type
    kind: Option<String>,
}

impl Schema {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let mut out = std::io::stdout().lock();
        match self.kind {
            Some(name) => writeln!(out, "{:#}", schema_of(kind_named(&name)?))?,
            None => {
                for kind in Kind::all() {
                    writeln!(out, "{}", kind.name())?;
                }
            }
        }
        Ok(Outcome::Yes)
    }
}
