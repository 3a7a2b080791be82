//! What changed between two bundles, and how grave that is.
//!
//! Start at [`compare`]: it answers with every [`Change`], each with its [`Rule`], its place in both bundles and a
//! [`Witness`], which is a request, a target, a signal or a step that the bundles answer differently.
//! [`required_bump`] tells whether the version goes up enough for it.
//!
//! Every part of a bundle has a module with its rules. Behind them stands `remainder`, which walks over both bundles
//! as JSON and reports whatever differs and was told by no rule as [`Rule::Unclassified`]: a difference may be judged
//! too gravely, never overlooked.

mod actions;
mod app;
mod arguments;
mod bindings;
mod bump;
mod bundle;
mod capabilities;
mod changes;
mod compatibility;
mod elements;
mod page;
mod parameters;
mod place;
mod policies;
mod remainder;
mod rules;
mod steps;
mod subjects;
mod witness;
mod workflows;

pub use bump::{Bump, BumpVerdict, Class, required_bump};
pub use page::rules_page;
pub use rules::Rule;
pub use witness::{ValueQuestion, Witness};

use changes::Changes;
use serde::Serialize;
use uiap_protocol::authoring::CompiledBundle;

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// What kind of change it is.
    pub rule: Rule,
    /// How grave it is.
    pub class: Class,
    /// Where it is in the old bundle, as a JSON pointer; nothing, if it is not there.
    pub old: Option<String>,
    /// Where it is in the new bundle.
    pub new: Option<String>,
    /// What changed, in a sentence.
    pub message: String,
    /// What the bundles answer differently.
    pub witness: Witness,
}

/// Everything that changed, the gravest first. Version and digest name a bundle and are no change of what it holds.
pub fn compare(old: &CompiledBundle, new: &CompiledBundle) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let mut changes = Changes::default();
    bundle::compare(old, new, &mut changes);
    let (was, is) = (witness::json(old), witness::json(new));
    remainder::add(&was, &is, &mut changes);
    let mut list = changes.into_list();
    remainder::prune(&mut list, &was, &is);
    list
}

/// How grave a list of changes is as a whole: as its gravest. Nothing, if nothing changed.
pub fn class_of(changes: &[Change]) -> Option<Class> {
    changes.iter().map(|change| change.class).max()
}
