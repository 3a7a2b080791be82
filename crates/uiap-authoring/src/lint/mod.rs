//! What can be wrong with a bundle as a whole.
//!
//! Start at [`lint`]. The decoder has said what is wrong within one part: a workflow whose steps lead nowhere, an action
//! without an implementation, an element that only CSS identifies. Here stands what only the parts together show: names
//! that lead from one to another (`references`), parents that go in circles (`circles`), actions that are used in a way
//! they do not bear (`actions`), a capability document that tells something else (`capabilities`), and values that
//! should be nowhere in it (`secrets`).
//!
//! Every name is looked up in an index, so the cost grows with the size of the bundle and not with its square.

mod actions;
mod capabilities;
mod circles;
mod index;
mod references;
mod report;
mod secrets;

pub use report::NEAREST_ASKED_MAX;
pub(crate) use secrets::is_harmless;

use index::Index;
use report::Report;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::finding::Finding;

/// Everything that is wrong with a bundle as a whole, with pointers into it.
pub fn lint(bundle: &CompiledBundle) -> Vec<Finding> {
    let index = Index::of(bundle);
    let mut report = Report::default();
    references::check(bundle, &index, &mut report);
    circles::check(bundle, &mut report);
    actions::check(bundle, &index, &mut report);
    capabilities::check(bundle, &mut report);
    secrets::check(bundle, &mut report);
    report.finish()
}
