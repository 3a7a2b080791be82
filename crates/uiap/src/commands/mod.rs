//! One module per verb.

pub(crate) mod act;
pub(crate) mod breaking;
pub(crate) mod build;
mod bundle;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod discover;
pub(crate) mod doctor;
mod documents;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod keys;
mod login;
pub(crate) mod look;
pub(crate) mod mcp;
mod parcel;
pub(crate) mod policy;
pub(crate) mod publish;
mod reader;
pub(crate) mod schema;
pub(crate) mod serve;
mod supplies;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod wait;

use crate::Trouble;
use uiap_protocol::kinds::Kind;
use uiap_protocol::wire::nearest;

/// The kind with a name, or a sentence with the nearest ones.
fn kind_named(name: &str) -> Result<Kind, Trouble> {
    Kind::named(name).ok_or_else(|| {
        let near = nearest(name, Kind::all().map(Kind::name), 3);
        let advice = if near.is_empty() {
            "`uiap schema` lists the kinds.".to_owned()
        } else {
            format!("Did you mean {}?", near.join(", "))
        };
        Trouble::WrongUse(format!("There is no kind of document called \"{name}\". {advice}"))
    })
}
