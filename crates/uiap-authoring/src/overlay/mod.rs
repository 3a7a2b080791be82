//! Step 5: overlays change manifests, before anything else reads them.

mod conflict;
mod patch;

use crate::context::selects;
use crate::file::{Inspected, Shelf, inspect};
use crate::findings::Findings;
use crate::load::{Loaded, Manifest};
use conflict::{Touch, conflicts, covers};
pub(crate) use patch::at_mut;
use patch::{Outcome, PatchFault, Places, apply, index};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use uiap_protocol::authoring::{
    AuthoredWorkflow, AuthoringDocument, BuildContext, ManifestSpec, OverlayManifest,
};
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

/// What overlays made of manifests in the last build, by the full names of the manifests.
#[derive(Debug, Default)]
pub(crate) struct OverlayMemory<'t>(HashMap<String, Patching<'t>>);

/// A manifest, the patches that are applied to it, and what became of it.
#[derive(Clone, Debug)]
struct Patching<'t> {
    base: Arc<Node<'t>>,
    /// Each is the tree of its overlay, and its place there.
    patches: Vec<(Arc<Node<'t>>, usize)>,
    /// What each of them did.
    results: Vec<Result<Places, PatchFault>>,
    tree: Arc<Node<'t>>,
    /// What the manifest says now, if it is still sound and anything was changed.
    decoded: Option<Inspected<AuthoringDocument>>,
}

impl<'t> Patching<'t> {
    /// Whether nothing has changed since.
    fn is_of(&self, base: &Arc<Node<'t>>, patches: &[(Arc<Node<'t>>, usize)]) -> bool {
        let is_same = |one: &(Arc<Node<'_>>, usize), other: &(Arc<Node<'_>>, usize)| {
            Arc::ptr_eq(&one.0, &other.0) && one.1 == other.1
        };
        Arc::ptr_eq(&self.base, base)
            && self.patches.len() == patches.len()
            && self.patches.iter().zip(patches).all(|(one, other)| is_same(one, other))
    }
}

/// A patch that is to be applied.
#[derive(Clone, Copy, Debug)]
struct Order {
    package: usize,
    overlay: usize,
    patch: usize,
}

/// Applies the overlays of every package that are meant for the context, in the order in which its package lists them.
pub(crate) fn apply_overlays<'t>(
    loaded: &mut Loaded<'t>,
    context: &BuildContext,
    shelf: &Shelf<'_>,
    memory: &mut OverlayMemory<'t>,
    findings: &mut Findings,
) -> Vec<Patched> {
    let mut remembered = HashMap::new();
    let mut touches: Vec<Vec<Touch>> = loaded.packages.iter().map(|_| Vec::new()).collect();
    let mut changed = Vec::new();
    for (target, orders) in orders(loaded, context) {
        let Some(manifest) = loaded.manifests.get(target) else { continue };
        let patching = memory.0.remove(&manifest.id);
        let patching = patching_of(loaded, manifest, &orders, patching);
        for (order, result) in orders.iter().zip(&patching.results) {
            match result {
                Ok(places) => {
                    if let Some(touches) = touches.get_mut(order.package) {
                        touches.extend(places.iter().map(|place| touch(order, target, place)));
                    }
                }
                Err(fault) => tell_fault(loaded, *order, fault, findings),
            }
        }
        changed.extend(patching.decoded.clone().map(|decoded| (target, decoded)));
        if let Some(manifest) = loaded.manifests.get_mut(target) {
            manifest.tree = Arc::clone(&patching.tree);
            remembered.insert(manifest.id.clone(), patching);
        }
    }
    memory.0 = remembered;
    let mut patched = Vec::new();
    for (package, touches) in touches.into_iter().enumerate() {
        let is_strict = is_strict(loaded, package);
        for (earlier, later) in conflicts(&touches) {
            tell_conflict(loaded, earlier, later, is_strict, shelf, findings);
        }
        patched.extend(touches.into_iter().map(|touch| touch.patched));
    }
    for (target, decoded) in changed {
        take_decoded(loaded, target, decoded, &patched, findings);
    }
    patched
}

/// The patches for every manifest, in the order in which they are applied.
fn orders(loaded: &Loaded<'_>, context: &BuildContext) -> BTreeMap<usize, Vec<Order>> {
    let mut orders: BTreeMap<usize, Vec<Order>> = BTreeMap::new();
    for package in 0..loaded.packages.len() {
        let of_package = |(_, manifest): &(usize, &Manifest<'_>)| manifest.package == package;
        for (overlay, manifest) in loaded.manifests.iter().enumerate().filter(of_package) {
            let written = overlay_of(manifest).filter(|overlay| selects(&overlay.selector, context));
            for (patch, written) in written.iter().flat_map(|overlay| &overlay.patches).enumerate() {
                if let Some(target) = loaded.named(package, written.manifest_id.as_str()) {
                    orders.entry(target).or_default().push(Order { package, overlay, patch });
                }
            }
        }
    }
    orders
}

fn touch(order: &Order, manifest: usize, (pointer, outcome): &(String, Outcome)) -> Touch {
    let Order { overlay, patch, .. } = *order;
    let patched = Patched { overlay, patch, manifest, pointer: pointer.clone() };
    Touch { patched, outcome: outcome.clone() }
}

/// What patches make of a manifest, or have made of it before.
fn patching_of<'t>(
    loaded: &Loaded<'t>,
    manifest: &Manifest<'t>,
    orders: &[Order],
    known: Option<Patching<'t>>,
) -> Patching<'t> {
    let overlays = orders.iter().filter_map(|order| loaded.manifests.get(order.overlay));
    let patches: Vec<_> =
        overlays.zip(orders).map(|(overlay, order)| (Arc::clone(&overlay.tree), order.patch)).collect();
    if let Some(known) = known.filter(|known| known.is_of(&manifest.tree, &patches)) {
        return known;
    }
    let mut tree = Arc::clone(&manifest.tree);
    let results: Vec<_> =
        orders.iter().filter_map(|order| apply_patch(loaded, *order, Arc::make_mut(&mut tree))).collect();
    let is_changed = results.iter().flatten().any(|places| !places.is_empty());
    let decoded = is_changed.then(|| inspect(&tree));
    Patching { base: Arc::clone(&manifest.tree), patches, results, tree, decoded }
}

fn apply_patch<'t>(
    loaded: &Loaded<'t>,
    order: Order,
    tree: &mut Node<'t>,
) -> Option<Result<Places, PatchFault>> {
    let overlay = loaded.manifests.get(order.overlay)?;
    let patch = overlay_of(overlay)?.patches.get(order.patch)?;
    let written = overlay.tree.member("spec").and_then(|spec| spec.member("patches"));
    let value =
        written.and_then(|list| list.items().get(order.patch)).and_then(|patch| patch.member("value"));
    Some(apply(tree, patch.path.as_str(), &patch.op, value))
}

fn tell_fault(loaded: &Loaded<'_>, order: Order, fault: &PatchFault, findings: &mut Findings) {
    let Some(overlay) = loaded.manifests.get(order.overlay) else { return };
    let Some(patch) = overlay_of(overlay).and_then(|overlay| overlay.patches.get(order.patch)) else {
        return;
    };
    let id = &patch.manifest_id;
    let message = format!("The patch of {id} cannot be applied: {}.", fault.what);
    findings
        .error(Code::PatchFailed, overlay.place(format!("/spec/patches/{}", order.patch)), message)
        .help(fault.help)
        .requirement(fault.requirement);
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
fn take_decoded(
    loaded: &mut Loaded<'_>,
    number: usize,
    (after, found): Inspected<AuthoringDocument>,
    patched: &[Patched],
    findings: &mut Findings,
) {
    let Some(manifest) = loaded.manifests.get_mut(number) else { return };
    let before = Arc::clone(&manifest.document);
    let is_new = |finding: &_| !manifest.file.manifest().1.contains(finding);
    findings.list.extend(found.into_iter().filter(is_new));
    let Some(after) = after else {
        loaded.is_partial = true;
        return;
    };
    manifest.document = after;
    let manifest = manifest.clone();
    warn_of_reinterpreted(loaded, &before.spec, &manifest, number, patched, findings);
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
