//! The static safety proof: nothing grave is reached that no person decides about.
//!
//! Start at [`prove`]. Every way through every workflow is followed (`walk`), errors, recoveries and skipped steps
//! included, and at each action it is asked what that sets off on its target and what certainly stands before it
//! (`judge`). Two things are grave: what is `blocked` or refused by policy, which needs a handoff on the way, and what
//! destroys, cannot be taken back, costs money or touches protection, which needs somebody's agreement.
//!
//! What stands in the way must be certain. A rule of a policy counts if it holds for every principal, on every route
//! and in every mode (`certain`); one that holds only sometimes protects nobody and forbids nothing here. A guess that
//! a runtime would make from what a page looks like counts as little.

mod certain;
mod judge;
mod violation;
mod walk;

pub use violation::{Danger, Edge, Entry, Guard, Hop, PATH_SHOWN_MAX, Violation};

use judge::Judge;
use uiap_policy::CompileError;
use uiap_protocol::authoring::CompiledBundle;

/// Every way to something grave without the person that it needs, workflows first. Nothing means that it is proven.
/// For each step the shortest way is told. Fails only where there are more rules than a policy may have.
pub fn prove(bundle: &CompiledBundle) -> Result<Vec<Violation>, CompileError> {
    let judge = Judge::new(bundle)?;
    let mut violations = Vec::new();
    for (place, workflow) in bundle.workflows.iter().flatten().enumerate() {
        for found in walk::walk(workflow, &judge) {
            violations.push(Violation {
                entry: Entry::Workflow(workflow.id.clone()),
                pointer: format!("/workflows/{place}/steps/{}/actionId", found.step),
                path: found.path,
                danger: found.danger,
            });
        }
    }
    let elements = bundle.bindings.iter().flat_map(|bindings| bindings.elements.iter().flatten());
    for (place, element) in elements.enumerate() {
        if let Some(danger) = judge.default_action(element) {
            violations.push(Violation {
                entry: Entry::Element(element.id.clone()),
                pointer: format!("/bindings/elements/{place}/defaultAction"),
                path: Vec::new(),
                danger,
            });
        }
    }
    Ok(violations)
}
