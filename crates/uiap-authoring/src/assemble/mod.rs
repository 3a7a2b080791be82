//! All manifests together: what holds for the context, each item once.

mod capabilities;
mod merge;

use crate::context::selects;
use crate::file::Shelf;
use crate::findings::{Findings, Place};
use crate::items::{Home, Homes, List};
use crate::load::{Loaded, Manifest, place_in};
use crate::overlay::Patched;
use crate::texts::Wording;
pub(crate) use merge::item_at;
use merge::{Found, Merger};
use uiap_protocol::authoring::{
    AppManifest, AuthoredAction, AuthoredWorkflow, AuthoringKind, BindingsManifest, BuildContext,
    CompiledBundle, ManifestSelector, ManifestSpec, ScopedPolicyDocument,
};
use uiap_protocol::finding::Code;
use uiap_protocol::ids::{Id, ProfileId};
use uiap_protocol::wire::{JsonObject, Shared};

/// The profile of bundles that do not name one (finding M3).
const PROFILE: &str = "web@0.1";

/// A bundle, and where each of its items is written.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub(crate) bundle: CompiledBundle,
    /// Where the items of a list come from, in the order of the bundle.
    pub(crate) homes: Vec<(List, Vec<Homes>)>,
    pub(crate) app: usize,
}

impl Assembled {
    /// Where something in the bundle is written.
    pub(crate) fn place(&self, loaded: &Loaded<'_>, pointer: &str) -> Place {
        self.written(loaded, pointer)
            .or_else(|| loaded.root().map(|root| place_in(root, String::new())))
            .unwrap_or_default()
    }

    fn written(&self, loaded: &Loaded<'_>, pointer: &str) -> Option<Place> {
        if let Some(inside) = pointer.strip_prefix("/app") {
            return loaded.manifests.get(self.app).map(|app| app.place(format!("/spec{inside}")));
        }
        if let Some(inside) = pointer.strip_prefix("/capabilities") {
            let mut manifests = loaded.manifests.iter().filter(|manifest| manifest.is_visible);
            let capabilities = manifests.find(|manifest| manifest.kind() == AuthoringKind::Capabilities)?;
            return Some(capabilities.place(format!("/spec/document{inside}")));
        }
        self.homes.iter().find_map(|(list, homes)| {
            let item = pointer.strip_prefix(list.in_bundle())?.strip_prefix('/')?;
            let (index, inside) = item.split_at(item.find('/').unwrap_or(item.len()));
            let home = homes.get(index.parse::<usize>().ok()?)?.first();
            let manifest = loaded.manifests.get(home.manifest)?;
            Some(manifest.place(format!("{}{}{inside}", home.pointer(), list.inner())))
        })
    }
}

pub(crate) fn assemble<'t>(
    loaded: &Loaded<'t>,
    context: &BuildContext,
    wording: &Wording,
    patched: &[Patched],
    shelf: &Shelf<'t>,
    findings: &mut Findings,
) -> Option<Assembled> {
    let root = loaded.root()?;
    let app = the_app(loaded, findings)?;
    let mut merger = Merger::new(loaded, patched, shelf, findings);
    let routes = merger.bindings(
        List::Routes,
        gather(loaded, List::Routes, |spec| match spec {
            ManifestSpec::Bindings(bindings) => bindings.routes.as_deref().unwrap_or_default(),
            _ => &[],
        }),
        |route| route.id.as_str(),
    );
    let scopes = merger.bindings(
        List::Scopes,
        gather(loaded, List::Scopes, |spec| match spec {
            ManifestSpec::Bindings(bindings) => bindings.scopes.as_deref().unwrap_or_default(),
            _ => &[],
        }),
        |scope| scope.id.as_str(),
    );
    let elements = merger.bindings(
        List::Elements,
        gather(loaded, List::Elements, |spec| match spec {
            ManifestSpec::Bindings(bindings) => bindings.elements.as_deref().unwrap_or_default(),
            _ => &[],
        }),
        |element| element.id.as_str(),
    );
    let mut actions = actions(loaded);
    let is_for_context = |action: &Shared<AuthoredAction>| {
        action.selectors.as_ref().is_none_or(|selectors| selectors.iter().any(|one| selects(one, context)))
    };
    merger.once_per_package(List::Actions, &actions, |action| action.descriptor.id.as_str(), is_for_context);
    actions.retain(|found| is_for_context(&found.item));
    for found in actions.iter_mut().filter(|found| found.item.selectors.is_some()) {
        found.item.to_mut().selectors = None;
    }
    let actions = merger.actions(actions);
    let policies = merger.whole(List::Policies, policies(loaded, context), |policy| policy.id.as_str());
    let mut workflows = workflows(loaded);
    let is_meant_here = |workflow: &AuthoredWorkflow| is_meant(workflow.selector.as_ref(), context);
    merger.once_per_package(List::Workflows, &workflows, |one| one.definition.id.as_str(), is_meant_here);
    workflows.retain(|found| is_meant_here(&found.item));
    let workflows = workflows.into_iter().map(|Found { item, home }| Found { item: item.definition, home });
    let workflows = merger.whole(List::Workflows, workflows.collect(), |workflow| workflow.id.as_str());
    let capabilities = capabilities::merged(loaded, shelf, findings);
    let bindings = BindingsManifest {
        routes: some(routes.items),
        scopes: some(scopes.items),
        elements: some(elements.items),
        ..BindingsManifest::default()
    };
    let build = root.manifest.build.as_ref();
    let profile = capabilities
        .as_ref()
        .map(|document| document.profile.clone())
        .or_else(|| build.and_then(|build| build.profile.clone()))
        .or_else(|| ProfileId::new(PROFILE).ok())?;
    let bundle = CompiledBundle {
        package_id: root.manifest.package_id.clone(),
        version: root.manifest.version.clone(),
        profile,
        build_context: context.clone(),
        compatibility: root.manifest.compatibility.clone(),
        app: for_context(app.1, context),
        capabilities,
        bindings: Some(bindings).filter(|bindings| *bindings != BindingsManifest::default()),
        actions: some(actions.items),
        policies: some(policies.items),
        workflows: some(workflows.items),
        locales: Some(wording.locales.clone()).filter(|locales| !locales.is_empty()),
        manifest_index: Some(index(loaded, patched)),
        digest: None,
        extra: JsonObject::new(),
    };
    let homes = vec![
        (List::Routes, routes.homes),
        (List::Scopes, scopes.homes),
        (List::Elements, elements.homes),
        (List::Actions, actions.homes),
        (List::Policies, policies.homes),
        (List::Workflows, workflows.homes),
    ];
    Some(Assembled { bundle, homes, app: app.0 })
}

fn some<T>(items: Vec<T>) -> Option<Vec<T>> {
    Some(items).filter(|items| !items.is_empty())
}

/// The manifests that the bundle was made from. An overlay that is for somebody else is not among them.
fn index(loaded: &Loaded<'_>, patched: &[Patched]) -> Vec<Id> {
    let is_used = |number: usize, manifest: &Manifest<'_>| {
        manifest.is_visible
            && (manifest.kind() != AuthoringKind::Overlay || patched.iter().any(|one| one.overlay == number))
    };
    let visible = loaded.manifests.iter().enumerate().filter(|(number, one)| is_used(*number, one));
    let mut ids: Vec<Id> = visible.filter_map(|(_, manifest)| Id::new(manifest.id.clone()).ok()).collect();
    ids.sort();
    ids
}

/// The one application.
fn the_app<'l>(loaded: &'l Loaded<'_>, findings: &mut Findings) -> Option<(usize, &'l AppManifest)> {
    let mut apps =
        loaded.manifests.iter().enumerate().filter_map(|(number, manifest)| match &manifest.document.spec {
            ManifestSpec::App(app) if manifest.is_visible => Some((number, app)),
            _ => None,
        });
    let root = loaded.root()?;
    let place = || place_in(root, "/spec/manifests".to_owned());
    let first = apps.next();
    if first.is_none() && !loaded.is_partial {
        findings
            .error(Code::MissingMember, place(), "No manifest describes the application.")
            .help("List a manifest of kind App, or import one. To check a package that is only imported, use `uiap check`.")
            .requirement("AUT-4.1-3");
    }
    if let (Some((first, _)), Some((second, _))) = (first, apps.next()) {
        let name = |number: usize| loaded.manifests.get(number).map_or("", |manifest| manifest.id.as_str());
        let message =
            format!("Two manifests describe the application: {} and {}.", name(first), name(second));
        findings
            .error(Code::Conflict, place(), message)
            .help("Keep one; leave the imported one out with \"include\".")
            .requirement("AUT-7.1-1");
        return None;
    }
    first
}

/// Environments other than that of the context are left out (finding M27).
fn for_context(app: &AppManifest, context: &BuildContext) -> AppManifest {
    let mut app = app.clone();
    if let (Some(wanted), Some(environments)) = (&context.environment, &mut app.environments) {
        environments.retain(|environment| environment.id == *wanted);
    }
    app
}

fn visible<'l, 't>(loaded: &'l Loaded<'t>) -> impl Iterator<Item = (usize, &'l Manifest<'t>)> {
    loaded.manifests.iter().enumerate().filter(|(_, manifest)| manifest.is_visible)
}

fn gather<'l, T: Clone + 'l>(
    loaded: &'l Loaded<'_>,
    list: List,
    items: impl Fn(&'l ManifestSpec) -> &'l [T],
) -> Vec<Found<T>> {
    visible(loaded)
        .flat_map(|(manifest, one)| {
            items(&one.document.spec)
                .iter()
                .enumerate()
                .map(move |(index, item)| Found { item: item.clone(), home: Home { manifest, list, index } })
        })
        .collect()
}

fn actions(loaded: &Loaded<'_>) -> Vec<Found<Shared<AuthoredAction>>> {
    gather(loaded, List::Actions, |spec| match spec {
        ManifestSpec::Actions(actions) => actions.actions.as_slice(),
        _ => &[],
    })
}

fn policies(loaded: &Loaded<'_>, context: &BuildContext) -> Vec<Found<ScopedPolicyDocument>> {
    let mut found = gather(loaded, List::Policies, |spec| match spec {
        ManifestSpec::PolicySet(set) => set.policies.as_slice(),
        _ => &[],
    });
    found.retain_mut(|Found { item, .. }| is_meant(item.selector.take().as_ref(), context));
    found
}

fn workflows(loaded: &Loaded<'_>) -> Vec<Found<AuthoredWorkflow>> {
    gather(loaded, List::Workflows, |spec| match spec {
        ManifestSpec::WorkflowCatalog(catalog) => catalog.workflows.as_slice(),
        _ => &[],
    })
}

fn is_meant(selector: Option<&ManifestSelector>, context: &BuildContext) -> bool {
    selector.is_none_or(|selector| selects(selector, context))
}

/// Manifests that are published as wholes.
pub(crate) fn is_published_whole(kind: AuthoringKind) -> bool {
    matches!(kind, AuthoringKind::App | AuthoringKind::Capabilities | AuthoringKind::LocalePack)
}
