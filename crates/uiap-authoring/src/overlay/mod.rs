//! Step 5: overlays change manifests, before anything else reads them.

mod conflict;
mod patch;

use crate::context::selects;
use crate::file::{Shelf, inspect};
use crate::findings::Findings;
use crate::load::{Loaded, Manifest};
use conflict::{Touch, conflicts, covers};
pub(crate) use patch::at_mut;
use patch::{apply, index};
use std::sync::Arc;
use uiap_protocol::authoring::{AuthoredWorkflow, BuildContext, ManifestSpec, OverlayManifest};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::text::Node;

/// A change that an overlay made: where in which manifest, and where the change is written.
#[derive(Clone, Debug)]
pub(crate) struct Patched {
    pub(crate) overlay: usize,
    pub(crate) patch: usize,
    pub(crate) manifest: usize,
    /// Where in the manifest.
    pub(crate) pointer: String,
}

/// Applies the overlays of every package that are meant for the context, in the order in which its package lists them.
pub(crate) fn apply_overlays(
    loaded: &mut Loaded<'_>,
    context: &BuildContext,
    shelf: &Shelf<'_>,
    findings: &mut Findings,
) -> Vec<Patched> {
    let mut patched = Vec::new();
    for package in 0..loaded.packages.len() {
        let overlays: Vec<usize> = (0..loaded.manifests.len())
            .filter(|number| {
                loaded.manifests.get(*number).is_some_and(|manifest| {
                    manifest.package == package
                        && overlay_of(manifest).is_some_and(|overlay| selects(&overlay.selector, context))
                })
            })
            .collect();
        let is_strict = is_strict(loaded, package);
        let mut touches = Vec::new();
        for overlay in overlays {
            apply_overlay(loaded, overlay, &mut touches, findings);
        }
        for (earlier, later) in conflicts(&touches) {
            tell_conflict(loaded, earlier, later, is_strict, shelf, findings);
        }
        patched.extend(touches.into_iter().map(|touch| touch.patched));
    }
    decode_again(loaded, &patched, findings);
    patched
}

fn overlay_of<'m>(manifest: &'m Manifest<'_>) -> Option<&'m OverlayManifest> {
    match &manifest.document.spec {
        ManifestSpec::Overlay(overlay) => Some(overlay),
        _ => None,
    }
}

fn is_strict(loaded: &Loaded<'_>, package: usize) -> bool {
    let build = loaded.packages.get(package).and_then(|package| package.manifest.build.as_ref());
    build.and_then(|build| build.strict) != Some(false)
}

fn apply_overlay(loaded: &mut Loaded<'_>, number: usize, touches: &mut Vec<Touch>, findings: &mut Findings) {
    let Some(overlay) = loaded.manifests.get(number).cloned() else { return };
    let Some(OverlayManifest { patches, .. }) = overlay_of(&overlay) else { return };
    let written = overlay.tree.member("spec").and_then(|spec| spec.member("patches"));
    for (index, patch) in patches.iter().enumerate() {
        let place = overlay.place(format!("/spec/patches/{index}"));
        let id = patch.manifest_id.as_str();
        let Some(target) = loaded.named(overlay.package, id) else { continue };
        let value = written.and_then(|list| list.items().get(index)).and_then(|patch| patch.member("value"));
        let Some(manifest) = loaded.manifests.get_mut(target) else { continue };
        match apply(Arc::make_mut(&mut manifest.tree), patch.path.as_str(), &patch.op, value) {
            Ok(places) => touches.extend(places.into_iter().map(|(pointer, outcome)| {
                let patched = Patched { overlay: number, patch: index, manifest: target, pointer };
                Touch { patched, outcome }
            })),
            Err(fault) => {
                findings
                    .error(
                        Code::PatchFailed,
                        place,
                        format!("The patch of {id} cannot be applied: {}.", fault.what),
                    )
                    .help(fault.help)
                    .requirement(fault.requirement);
            }
        }
    }
}

fn tell_conflict(
    loaded: &Loaded<'_>,
    earlier: &Patched,
    later: &Patched,
    is_strict: bool,
    shelf: &Shelf<'_>,
    findings: &mut Findings,
) {
    let place = |patched: &Patched| {
        loaded
            .manifests
            .get(patched.overlay)
            .map(|overlay| overlay.place(format!("/spec/patches/{}", patched.patch)))
    };
    let (Some(first), Some(second)) = (place(earlier), place(later)) else { return };
    let id = loaded.manifests.get(later.manifest).map_or("", |manifest| manifest.id.as_str());
    let message = format!(
        "Two overlays change {} of {id} differently: this one, and the one at {}.",
        later.pointer,
        shelf.place(first.span)
    );
    let severity = if is_strict { Severity::Error } else { Severity::Warning };
    let help = if is_strict {
        "Let one overlay make the change, or narrow the selectors so that only one of them matches."
    } else {
        "The later one holds, because the build is not strict."
    };
    findings.add(severity, Code::Conflict, second, message).help(help).requirement("AUT-5.8-9");
}

/// What was changed must still be sound.
fn decode_again(loaded: &mut Loaded<'_>, patched: &[Patched], findings: &mut Findings) {
    let mut changed: Vec<usize> = patched.iter().map(|patched| patched.manifest).collect();
    changed.sort_unstable();
    changed.dedup();
    for number in changed {
        let Some(manifest) = loaded.manifests.get_mut(number) else { continue };
        let before = Arc::clone(&manifest.document);
        let (after, found) = inspect(&manifest.tree);
        let is_new = |finding: &_| !manifest.file.manifest().1.contains(finding);
        findings.list.extend(found.into_iter().filter(is_new));
        let Some(after) = after else {
            loaded.is_partial = true;
            continue;
        };
        manifest.document = after;
        let manifest = manifest.clone();
        warn_of_reinterpreted(loaded, &before.spec, &manifest, number, patched, findings);
    }
}

/// An overlay may supplement or restrict a workflow. One that makes it do something else gives it another version.
fn warn_of_reinterpreted(
    loaded: &Loaded<'_>,
    before: &ManifestSpec,
    manifest: &Manifest<'_>,
    number: usize,
    patched: &[Patched],
    findings: &mut Findings,
) {
    let (ManifestSpec::WorkflowCatalog(before), ManifestSpec::WorkflowCatalog(after)) =
        (before, &manifest.document.spec)
    else {
        return;
    };
    for (index, now) in after.workflows.iter().enumerate() {
        let id = &now.definition.id;
        let was = before.workflows.iter().find(|was| was.definition.id == *id);
        let does_the_same = |was: &AuthoredWorkflow| what_it_does(was) == what_it_does(now);
        if was.is_none_or(|was| was.definition.version != now.definition.version || does_the_same(was)) {
            continue;
        }
        let workflow = format!("/spec/workflows/{index}");
        let by = patched
            .iter()
            .filter(|one| one.manifest == number && overlap(&one.pointer, &workflow))
            .find_map(|one| {
                let overlay = loaded.manifests.get(one.overlay)?;
                Some(overlay.place(format!("/spec/patches/{}", one.patch)))
            });
        let message = format!(
            "The overlay makes the workflow {id} do something else under the same version {}.",
            now.definition.version
        );
        findings
            .warning(Code::NeedsReview, by.unwrap_or_else(|| manifest.place(workflow)), message)
            .help("Give the workflow another version in the overlay.")
            .requirement("AUT-5.6-4");
    }
}

/// What a workflow does, without what it says and to whom it is offered.
fn what_it_does(workflow: &AuthoredWorkflow) -> impl PartialEq + '_ {
    let workflow = &workflow.definition;
    let steps = workflow.steps.iter();
    let steps: Vec<_> = steps.map(|step| (&step.id, &step.when, &step.on_error, &step.body)).collect();
    (&workflow.initial_step_id, &workflow.recovery, steps)
}

/// Whether one place lies in the other.
fn overlap(one: &str, other: &str) -> bool {
    covers(one, other) || covers(other, one)
}

/// The value that a pointer leads to.
pub(crate) fn at<'n, 't>(tree: &'n Node<'t>, pointer: &str) -> Option<&'n Node<'t>> {
    pointer.split('/').skip(1).try_fold(tree, |node, token| {
        let name = token.replace("~1", "/").replace("~0", "~");
        match &node.value {
            uiap_protocol::text::Value::List(items) => items.get(index(&name)?),
            _ => node.member(&name),
        }
    })
}
