//! Step 8: everything that one manifest says about another exists.

use crate::assemble::Assembled;
use crate::findings::{Findings, Place};
use crate::lint::lint;
use crate::load::{Loaded, Manifest, place_in};
use crate::proof::prove;
use crate::texts::app_of;
use uiap_protocol::authoring::{AppManifest, AuthoringKind, BuildContext, ManifestSelector, ManifestSpec};
use uiap_protocol::finding::{Code, Finding};

pub(crate) fn check_references(loaded: &Loaded<'_>, context: &BuildContext, findings: &mut Findings) {
    // As it is written: the bundle has left out what is for other environments.
    let Some(app) = app_of(loaded) else { return };
    check_context(loaded, app, context, findings);
    check_filters(loaded, findings);
    check_channels(loaded, app, findings);
    for manifest in &loaded.manifests {
        check_patches(loaded, manifest, findings);
        // Environments and users are those of the application, which an imported package need not know.
        if loaded.packages.get(manifest.package).is_some_and(|package| package.depth == 0) {
            check_selectors(manifest, app, findings);
        }
    }
}

/// What is wrong with the bundle as a whole, and every way in it to something grave without a person.
pub(crate) fn check_bundle(loaded: &Loaded<'_>, assembled: &Assembled, findings: &mut Findings) {
    let mut found = lint(&assembled.bundle);
    match prove(&assembled.bundle) {
        Ok(violations) => found.extend(violations.iter().map(Finding::from)),
        Err(error) => {
            let place = assembled.place(loaded, "/policies/0");
            findings.error(Code::TooLarge, place, format!("The policies cannot be compiled: {error}."));
        }
    }
    // What is wrong with the context is told with the application as it is written.
    for finding in found.into_iter().filter(|finding| !finding.pointer.starts_with("/buildContext")) {
        let Place { span, pointer } = assembled.place(loaded, &finding.pointer);
        findings.list.push(Finding { span: Some(span), pointer, ..finding });
    }
}

/// A build for an environment that nobody has is a typing error.
fn check_context(loaded: &Loaded<'_>, app: &AppManifest, context: &BuildContext, findings: &mut Findings) {
    let Some(root) = loaded.root() else { return };
    if let (Some(wanted), Some(environments)) = (&context.environment, &app.environments)
        && !environments.iter().any(|environment| environment.id == *wanted)
    {
        findings
            .error(
                Code::DanglingReference,
                place_in(root, String::new()),
                format!("The application has no environment \"{wanted}\"."),
            )
            .requirement("AUT-8-2")
            .did_you_mean(wanted.as_str(), environments.iter().map(|one| one.id.as_str()));
    }
    if let (Some(wanted), Some(profiles)) = (&context.principal_profile, &app.principal_profiles)
        && !profiles.iter().any(|profile| profile.id == *wanted)
    {
        findings
            .error(
                Code::DanglingReference,
                place_in(root, String::new()),
                format!("The application has no principal profile \"{wanted}\"."),
            )
            .requirement("AUT-8-2")
            .did_you_mean(wanted.as_str(), profiles.iter().map(|one| one.id.as_str()));
    }
}

/// What an import includes must be there.
fn check_filters(loaded: &Loaded<'_>, findings: &mut Findings) {
    for package in &loaded.packages {
        for (index, import) in package.manifest.imports.iter().flatten().enumerate() {
            let wanted = import.include.as_ref().and_then(|include| include.manifest_ids.as_ref());
            let imported =
                package.imports.get(import.alias.as_str()).and_then(|number| loaded.packages.get(*number));
            let Some((wanted, imported)) = wanted.zip(imported) else { continue };
            let known = || imported.manifest.manifests.iter().map(|listed| listed.id.as_str());
            for (place, id) in wanted.iter().enumerate() {
                if !known().any(|known| known == id.as_str()) {
                    let pointer = format!("/spec/imports/{index}/include/manifestIds/{place}");
                    findings
                        .error(
                            Code::DanglingReference,
                            place_in(package, pointer),
                            format!("{} has no manifest \"{id}\".", import.package_id),
                        )
                        .requirement("AUT-6.1-1")
                        .did_you_mean(id.as_str(), known());
                }
            }
        }
    }
}

/// Every patch names a manifest, whether its overlay is applied or not.
fn check_patches(loaded: &Loaded<'_>, manifest: &Manifest<'_>, findings: &mut Findings) {
    let ManifestSpec::Overlay(overlay) = &manifest.document.spec else { return };
    for (index, patch) in overlay.patches.iter().enumerate() {
        let id = patch.manifest_id.as_str();
        let place = || manifest.place(format!("/spec/patches/{index}/manifestId"));
        let Some(target) = loaded.named(manifest.package, id) else {
            // Somebody may have meant an imported manifest and forgotten the alias.
            let full = loaded
                .names(manifest.package)
                .find(|name| name.split_once(':').is_some_and(|(_, rest)| rest == id));
            let requirement = if full.is_some() { "AUT-6.2-2" } else { "AUT-13-4" };
            let full = full.map(str::to_owned);
            let entry = findings
                .error(Code::DanglingReference, place(), format!("There is no manifest \"{id}\"."))
                .requirement(requirement);
            match full {
                Some(full) => entry.help(format!("Imported manifests are named in full: \"{full}\".")),
                None => entry.did_you_mean(id, loaded.names(manifest.package)),
            };
            continue;
        };
        let kind = loaded.manifests.get(target).map(Manifest::kind);
        if kind.is_some_and(|kind| {
            matches!(kind, AuthoringKind::Overlay | AuthoringKind::ReviewSet | AuthoringKind::DiscoveryImport)
        }) {
            findings
                .error(
                    Code::Inconsistent,
                    place(),
                    format!("An overlay cannot change \"{id}\", which is no content."),
                )
                .help("Overlays change what goes into bundles: applications, bindings, actions, policies, workflows, texts.")
                .requirement(if kind == Some(AuthoringKind::ReviewSet) { "AUT-5.9-2" } else { "AUT-5.8-1" });
        }
    }
}

fn check_selectors(manifest: &Manifest<'_>, app: &AppManifest, findings: &mut Findings) {
    for (pointer, selector) in selectors(&manifest.document.spec) {
        check_selector(selector, &pointer, &|pointer| manifest.place(pointer), app, findings);
    }
}

/// The channels of the package have selectors too.
fn check_channels(loaded: &Loaded<'_>, app: &AppManifest, findings: &mut Findings) {
    let Some(root) = loaded.root() else { return };
    let channels = root.manifest.publish.iter().flat_map(|publish| &publish.channels);
    for (number, channel) in channels.enumerate() {
        for (index, selector) in channel.selectors.iter().flatten().enumerate() {
            let pointer = format!("/spec/publish/channels/{number}/selectors/{index}");
            check_selector(selector, &pointer, &|pointer| place_in(root, pointer), app, findings);
        }
    }
}

/// Environments and users that a selector names are those of the application.
fn check_selector(
    selector: &ManifestSelector,
    pointer: &str,
    place: &dyn Fn(String) -> Place,
    app: &AppManifest,
    findings: &mut Findings,
) {
    let environments: Vec<&str> = app.environments.iter().flatten().map(|one| one.id.as_str()).collect();
    let profiles: Vec<&str> = app.principal_profiles.iter().flatten().map(|one| one.id.as_str()).collect();
    for (member, what, named, known) in [
        ("environments", "environment", &selector.environments, environments),
        ("principalProfiles", "principal profile", &selector.principal_profiles, profiles),
    ] {
        for (index, id) in named.iter().flatten().enumerate() {
            if !known.contains(&id.as_str()) {
                findings
                    .error(
                        Code::DanglingReference,
                        place(format!("{pointer}/{member}/{index}")),
                        format!("The application has no {what} \"{id}\"."),
                    )
                    .requirement("AUT-13-4")
                    .did_you_mean(id.as_str(), known.iter().copied());
            }
        }
    }
}

/// Every selector of a manifest and where it is.
fn selectors(spec: &ManifestSpec) -> Vec<(String, &ManifestSelector)> {
    match spec {
        ManifestSpec::Overlay(overlay) => vec![("/spec/selector".to_owned(), &overlay.selector)],
        ManifestSpec::PolicySet(set) => set
            .policies
            .iter()
            .enumerate()
            .filter_map(|(index, policy)| {
                Some((format!("/spec/policies/{index}/selector"), policy.selector.as_ref()?))
            })
            .collect(),
        ManifestSpec::WorkflowCatalog(catalog) => catalog
            .workflows
            .iter()
            .enumerate()
            .filter_map(|(index, workflow)| {
                Some((format!("/spec/workflows/{index}/selector"), workflow.selector.as_ref()?))
            })
            .collect(),
        ManifestSpec::Actions(actions) => actions
            .actions
            .iter()
            .enumerate()
            .flat_map(|(index, action)| {
                let selectors = action.selectors.iter().flatten().enumerate();
                selectors.map(move |(place, selector)| {
                    (format!("/spec/actions/{index}/selectors/{place}"), selector)
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}
