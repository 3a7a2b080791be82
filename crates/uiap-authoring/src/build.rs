//! The ten steps from manifests to a bundle, in their order.

use crate::assemble::assemble;
use crate::compatibility::check_compatibility;
use crate::discovery::take_over;
use crate::file::{Shelf, Texts, has_errors};
use crate::findings::Findings;
use crate::gates::check_gates;
use crate::hands::{Hands, OneHand, of_each};
use crate::items::items_of;
use crate::lint::is_harmless;
use crate::load::{Loaded, Loader, Lock};
use crate::origins::{Known, OriginsMemory, origins};
use crate::overlay::{OverlayMemory, apply_overlays};
use crate::references::{check_bundle, check_references};
use crate::review::{Overridden, Reviews, apply_reviews};
use crate::sources::{Folder, Sources};
use crate::texts::resolve_texts;
use crate::vouching::vouch;
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use uiap_protocol::authoring::{BuildContext, CompiledBundle, FailOn, ReleaseChannel, ReviewState};
use uiap_protocol::canonical::{Object, Piece, Unsealed};
use uiap_protocol::finding::{Code, Diagnostic, Severity};
use uiap_protocol::ids::Text;
use uiap_protocol::seal::{DIGEST_MEMBER, Rehash};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::Shared;

/// The steps of a build, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum Step {
    LoadPackage,
    ResolveImports,
    LoadManifests,
    ApplyDiscoveryImports,
    ApplyOverlays,
    ResolveTexts,
    ApplyReviews,
    ValidateReferences,
    GenerateBundle,
    CheckGates,
}

/// What is built, for whom, and when.
#[derive(Clone, Debug)]
pub struct Request {
    /// The folder of the package.
    pub folder: Folder,
    /// For whom and where; what it leaves open is filled in.
    pub context: BuildContext,
    /// The time by which waivers are judged. It does not get into the bundle.
    pub now: Timestamp,
    /// What was pinned when it was built before.
    pub lock: Lock,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// Everything that was found, by file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// The bundle, if nothing stands in its way.
    pub built: Option<Built>,
    /// What happened on the way.
    pub report: BuildReport,
    /// The texts of the files that diagnostics are about, by name.
    pub texts: Vec<(String, String)>,
}

/// A bundle.
#[derive(Debug)]
pub struct Built {
    /// What it says.
    pub bundle: CompiledBundle,
    /// Its canonical text, digest included.
    pub text: String,
    /// What it hashes to.
    pub digest: String,
    /// Where everything in it comes from: the canonical text of [`Origins`](crate::Origins).
    pub origins: String,
    /// The imported packages that were used.
    pub lock: Lock,
}

/// How a build went: data for people and programs that ask later.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildReport {
    /// The steps that were taken.
    pub steps: Vec<Step>,
    /// The context, completed.
    pub context: BuildContext,
    /// How far the review of every item is.
    pub items: Vec<ItemReport>,
    /// Decisions that later ones have overridden.
    pub overridden: Vec<Overridden>,
}

/// How far the review of an item is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReport {
    /// In which manifest.
    pub manifest_id: String,
    /// Which item.
    pub item_id: String,
    /// How far.
    pub state: ReviewState,
    /// A waiver lets it through for now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_waived: bool,
    /// Nobody has written or approved it, so somebody should look at it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_only_generated: bool,
}

/// Builds packages. What it has read and worked out is kept for the next build, as long as it is the same.
#[derive(Debug)]
pub struct Builder<'t> {
    shelf: Shelf<'t>,
    overlays: OverlayMemory<'t>,
    origins: OriginsMemory<'t>,
    hashing: Mutex<Rehash>,
    hands: &'t dyn Hands,
}

impl<'t> Builder<'t> {
    /// A builder that keeps what it reads in `texts`.
    pub fn new(texts: &'t Texts) -> Self {
        Self::with_hands(texts, &OneHand)
    }

    /// A builder that lets others do what can be done side by side.
    pub fn with_hands(texts: &'t Texts, hands: &'t dyn Hands) -> Self {
        Self {
            hands,
            shelf: Shelf::new(texts),
            overlays: OverlayMemory::default(),
            origins: OriginsMemory::default(),
            hashing: Mutex::default(),
        }
    }

    /// Builds a package. Never fails half-way: what can still be found is found.
    pub fn build(&mut self, request: &Request, sources: &dyn Sources) -> Outcome {
        let mut findings = Findings::default();
        let mut report = BuildReport { context: request.context.clone(), ..BuildReport::default() };
        let built = self.steps(request, sources, &mut findings, &mut report);
        let is_refused = has_errors(&findings.list);
        let diagnostics = self.shelf.diagnostics(findings.list);
        let mut names: Vec<&str> = diagnostics.iter().map(|one| one.file.as_str()).collect();
        names.dedup();
        let texts = names.iter().filter_map(|name| self.shelf.text(name)).collect();
        Outcome { diagnostics, built: built.filter(|_| !is_refused), report, texts }
    }

    fn steps(
        &mut self,
        request: &Request,
        sources: &dyn Sources,
        findings: &mut Findings,
        report: &mut BuildReport,
    ) -> Option<Built> {
        let mut loaded = Loaded::default();
        report.steps.extend([Step::LoadPackage, Step::ResolveImports, Step::LoadManifests]);
        Loader::new(&mut self.shelf, sources, self.hands, findings, &request.lock)
            .load(&request.folder, &mut loaded);
        let context = complete(&request.context, &loaded);
        report.context = context.clone();
        check_compatibility(&loaded, &context, findings);
        report.steps.push(Step::ApplyDiscoveryImports);
        let discovery = take_over(&mut loaded, &context, &mut self.shelf, sources, findings);
        report.steps.push(Step::ApplyOverlays);
        let patched = apply_overlays(&mut loaded, &context, &self.shelf, &mut self.overlays, findings);
        report.steps.push(Step::ResolveTexts);
        let wording = resolve_texts(&mut loaded, &context, &self.shelf, findings);
        report.steps.push(Step::ApplyReviews);
        let reviews = apply_reviews(&loaded, &discovery.taken, &request.now, findings);
        (report.items, report.overridden) = (items(&loaded, &reviews), reviews.audit.clone());
        report.steps.push(Step::ValidateReferences);
        let mut assembled = assemble(&loaded, &context, &wording, &patched, &self.shelf, findings)?;
        vouch(&mut assembled, &loaded, &reviews);
        write_items(&assembled.bundle, self.hands);
        if !loaded.is_partial {
            check_references(&loaded, &context, findings);
            check_bundle(&loaded, &assembled, findings);
        }
        report.steps.push(Step::GenerateBundle);
        let known = Known {
            loaded: &loaded,
            shelf: &self.shelf,
            patched: &patched,
            wording: &wording,
            discovery: &discovery,
            reviews: &reviews,
        };
        let unsealed = unsealed(&mut assembled.bundle);
        let written = unsealed.as_ref().and_then(|unsealed| {
            let digest = || hashed(&self.hashing, unsealed.text());
            origins(&known, &assembled, &digest, &mut self.origins, self.hands)
        });
        report.steps.push(Step::CheckGates);
        check_gates(&loaded, &context, &reviews, &assembled, &patched, findings);
        refuse_what_the_package_refuses(&loaded, findings);
        let (unsealed, (origins, digest)) = unsealed.zip(written)?;
        let text = unsealed.sealed(&digest);
        assembled.bundle.digest = Text::new(digest.clone()).ok();
        Some(Built { bundle: assembled.bundle, text, digest, origins, lock: loaded.lock })
    }
}

/// A context says at least on which channel: the default one of the package, otherwise dev.
fn complete(context: &BuildContext, loaded: &Loaded<'_>) -> BuildContext {
    let publish = loaded.root().and_then(|root| root.manifest.publish.as_ref());
    let default = publish.and_then(|publish| publish.default_channel);
    BuildContext { channel: context.channel.or(default).or(Some(ReleaseChannel::Dev)), ..context.clone() }
}

/// The digest of a bundle, by its text without it.
fn hashed(hashing: &Mutex<Rehash>, text: &str) -> String {
    hashing.lock().unwrap_or_else(PoisonError::into_inner).hash(text.as_bytes())
}

/// Writes the items that are most of a bundle, and looks through them, with many hands.
fn write_items(bundle: &CompiledBundle, hands: &dyn Hands) {
    fn write<T: Serialize + Send + Sync>(items: Option<&Vec<Shared<T>>>, hands: &dyn Hands) {
        let new: Vec<_> = items.into_iter().flatten().filter(|item| !item.is_written()).collect();
        of_each(hands, &new, &|| {}, &|item| item.canonical().is_some() && is_harmless(item));
    }
    write(bundle.bindings.as_ref().and_then(|bindings| bindings.elements.as_ref()), hands);
    write(bundle.actions.as_ref(), hands);
}

/// The canonical text of a bundle without its digest.
fn unsealed(bundle: &mut CompiledBundle) -> Option<Unsealed<'static>> {
    // Elements and actions are most of a bundle, and know their texts already.
    let elements = bundle.bindings.as_mut().and_then(|bindings| bindings.elements.take());
    let actions = bundle.actions.take();
    let mut object = Object::of(bundle).ok()?;
    if let Some((bindings, elements)) = bundle.bindings.as_ref().zip(elements.as_ref()) {
        let mut members = Object::of(bindings).ok()?;
        members.put("elements", texts(elements)?);
        object.put("bindings", Piece::Object(members));
    }
    if let Some(actions) = &actions {
        object.put("actions", texts(actions)?);
    }
    let unsealed = object.unsealed(DIGEST_MEMBER);
    if let Some(bindings) = &mut bundle.bindings {
        bindings.elements = elements;
    }
    bundle.actions = actions;
    Some(unsealed)
}

fn texts<T: Serialize>(items: &[Shared<T>]) -> Option<Piece<'_>> {
    Some(Piece::List(items.iter().map(Shared::canonical).collect::<Option<_>>()?))
}

fn items(loaded: &Loaded<'_>, reviews: &Reviews) -> Vec<ItemReport> {
    let mut reports = Vec::new();
    for (number, manifest) in loaded.manifests.iter().enumerate().filter(|(_, one)| one.is_visible) {
        for (list, index, id) in items_of(manifest) {
            let home = crate::items::Home { manifest: number, list, index };
            let Some(standing) = reviews.items.get(&home) else { continue };
            reports.push(ItemReport {
                manifest_id: manifest.id.clone(),
                item_id: id.to_owned(),
                state: standing.state,
                is_waived: standing.waiver.is_some(),
                is_only_generated: standing.is_only_generated,
            });
        }
    }
    reports
}

/// A package may ask that warnings stop its build.
fn refuse_what_the_package_refuses(loaded: &Loaded<'_>, findings: &mut Findings) {
    let build = loaded.root().and_then(|root| root.manifest.build.as_ref());
    let fail_on = build.and_then(|build| build.fail_on.as_deref()).unwrap_or_default();
    for finding in &mut findings.list {
        let kind = if finding.code == Code::NeedsReview { FailOn::ReviewWarning } else { FailOn::Warning };
        if finding.severity == Severity::Warning && fail_on.contains(&kind) {
            finding.severity = Severity::Error;
        }
    }
}
