//! Step 2: which packages are imported, and in which version.

use super::lock::Locked;
use super::{Loaded, Loader, Opened, PACKAGE_FILES, Package, place_in};
use crate::file::File;
use crate::findings::Place;
use crate::sources::Folder;
use semver::Version;
use std::collections::HashMap;
use std::sync::Arc;
use uiap_protocol::authoring::{ManifestSpec, PackageImport, PackageManifest};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::seal;

/// How deep imports may go.
pub(super) const IMPORT_DEPTH_MAX: usize = 16;
/// Most packages that take part in one build; a package counts as often as it is imported.
pub(super) const PACKAGES_MAX: usize = 256;

/// Packages that may be imported, by id; found out when the first import asks.
#[derive(Debug, Default)]
pub(super) struct Importable<'t> {
    by_id: Option<HashMap<String, Vec<Candidate<'t>>>>,
    /// What is wrong with packages that cannot be used, and which they say they are.
    broken: Vec<(Option<String>, Vec<Finding>)>,
}

#[derive(Clone, Debug)]
struct Candidate<'t> {
    folder: Folder,
    version: Version,
    opened: Opened<'t>,
}

impl<'t> Loader<'_, 't> {
    /// Loads what a package imports, then puts the package itself behind it. Answers with its number.
    pub(super) fn imports(
        &mut self,
        mut package: Package<'t>,
        importable: &mut Importable<'t>,
        importers: &mut Vec<String>,
        loaded: &mut Loaded<'t>,
    ) -> usize {
        let manifest = Arc::clone(&package.manifest);
        importers.push(manifest.package_id.as_str().to_owned());
        for (index, import) in manifest.imports.iter().flatten().enumerate() {
            let place = place_in(&package, format!("/spec/imports/{index}"));
            let imported = self.import(&package, import, place, importable, importers, loaded);
            match imported {
                Some(number) => {
                    package.imports.insert(import.alias.as_str().to_owned(), number);
                }
                None => loaded.is_partial = true,
            }
        }
        importers.pop();
        loaded.packages.push(package);
        loaded.packages.len() - 1
    }

    fn import(
        &mut self,
        importer: &Package<'t>,
        import: &PackageImport,
        place: Place,
        importable: &mut Importable<'t>,
        importers: &mut Vec<String>,
        loaded: &mut Loaded<'t>,
    ) -> Option<usize> {
        let id = import.package_id.as_str();
        if importers.iter().any(|importer| importer == id) {
            let way = importers.join(" -> ");
            let message = format!("The package {id} imports itself: {way} -> {id}.");
            self.findings.error(Code::ImportCycle, place, message).requirement("AUT-2-2");
            return None;
        }
        if importers.len() >= IMPORT_DEPTH_MAX || loaded.packages.len() >= PACKAGES_MAX {
            let message = format!(
                "The import of {id} goes deeper than {IMPORT_DEPTH_MAX} levels or makes more than {PACKAGES_MAX} packages."
            );
            self.findings.error(Code::ImportUnresolved, place, message).requirement("AUT-2-2");
            return None;
        }
        let chosen = self.choose(import, place.clone(), importable)?;
        let prefix = format!("{}{}:", importer.prefix, import.alias);
        let package = chosen.opened.into_package(chosen.folder, prefix, importer.depth + 1);
        self.pin(&package, &chosen.version, place, loaded);
        Some(self.imports(package, importable, importers, loaded))
    }

    /// The version that the lock file names, otherwise the highest that fits.
    fn choose(
        &mut self,
        import: &PackageImport,
        place: Place,
        importable: &mut Importable<'t>,
    ) -> Option<Candidate<'t>> {
        let id = import.package_id.as_str();
        let range = &import.version_range;
        let by_id = match importable.by_id.take() {
            Some(by_id) => by_id,
            None => self.candidates(&place, importable),
        };
        let candidates = by_id.get(id).map(Vec::as_slice).unwrap_or_default();
        let fits = |version: &str| range.contains(version);
        let pinned: Vec<&str> = self.lock.versions_of(id).filter(|version| fits(version)).collect();
        let fitting = candidates.iter().filter(|one| {
            let version = one.version.to_string();
            fits(&version) && (pinned.is_empty() || pinned.contains(&version.as_str()))
        });
        let chosen = fitting.max_by(|one, other| one.version.cmp(&other.version)).cloned();
        match &chosen {
            Some(chosen) => {
                self.findings.list.extend(chosen.opened.findings.iter().cloned());
                let twins = candidates.iter().filter(|one| one.version == chosen.version);
                self.refuse_rivals(id, chosen, twins, place);
            }
            None => self.tell_unresolved(import, &pinned, candidates, &by_id, place, &importable.broken),
        }
        importable.by_id = Some(by_id);
        chosen
    }

    /// Two packages with the same id and version must be the same package.
    fn refuse_rivals<'c>(
        &mut self,
        id: &str,
        chosen: &Candidate<'t>,
        twins: impl Iterator<Item = &'c Candidate<'t>>,
        place: Place,
    ) where
        't: 'c,
    {
        for twin in twins.filter(|twin| twin.folder != chosen.folder) {
            if self.digest_of(&twin.folder, &twin.opened) != self.digest_of(&chosen.folder, &chosen.opened) {
                let mut folders = [twin.folder.as_str(), chosen.folder.as_str()];
                folders.sort_unstable();
                let message = format!(
                    "{id} {} is found twice and differs: in {}.",
                    chosen.version,
                    folders.join(" and in ")
                );
                self.findings
                    .error(Code::Conflict, place, message)
                    .help("Keep one of the two, or give one another version.")
                    .requirement("AUT-2-2");
                return;
            }
        }
    }

    fn tell_unresolved(
        &mut self,
        import: &PackageImport,
        pinned: &[&str],
        candidates: &[Candidate<'t>],
        by_id: &HashMap<String, Vec<Candidate<'t>>>,
        place: Place,
        broken: &[(Option<String>, Vec<Finding>)],
    ) {
        let id = import.package_id.as_str();
        let range = &import.version_range;
        let mut versions: Vec<_> = candidates.iter().map(|one| &one.version).collect();
        versions.sort_unstable();
        let versions: Vec<_> = versions.into_iter().map(ToString::to_string).collect();
        let there_are = versions.join(", ");
        if versions.is_empty() {
            // The one that is looked for may be among those that cannot be used.
            let suspects = broken.iter().filter(|(name, _)| name.as_deref().is_none_or(|name| name == id));
            self.findings.list.extend(suspects.flat_map(|(_, findings)| findings.iter().cloned()));
            self.findings
                .error(Code::ImportUnresolved, place, format!("No package {id} is found."))
                .requirement("AUT-13-3")
                .help("Name the folder that holds it with --packages.")
                .did_you_mean(id, by_id.keys().map(String::as_str));
        } else if candidates.iter().any(|one| range.contains(&one.version.to_string())) {
            let message = format!(
                "The lock file pins {id} {}, which is not found; there are: {there_are}.",
                pinned.join(", ")
            );
            self.findings
                .error(Code::LockMismatch, place, message)
                .help("Bring the pinned version back, or build with --update.")
                .requirement("AUT-2-2");
        } else {
            let message = format!("No version of {id} fits {range}; there are: {there_are}.");
            self.findings
                .error(Code::ImportUnresolved, place, message)
                .help("Change the range, or add a version that fits.")
                .requirement("AUT-13-3");
        }
    }

    fn candidates(
        &mut self,
        place: &Place,
        importable: &mut Importable<'t>,
    ) -> HashMap<String, Vec<Candidate<'t>>> {
        let mut folders = self.sources.importable();
        folders.sort();
        let mut by_id: HashMap<String, Vec<Candidate<'t>>> = HashMap::new();
        for folder in folders {
            match self.package(&folder, place) {
                Ok(opened) => {
                    let Ok(version) = Version::parse(opened.manifest.version.as_str()) else { continue };
                    let id = opened.manifest.package_id.as_str().to_owned();
                    by_id.entry(id).or_default().push(Candidate { folder, version, opened });
                }
                Err(findings) => importable.broken.push((self.stated_id(&folder), findings)),
            }
        }
        by_id
    }

    /// The id that a package states, however wrong the rest of its manifest is.
    fn stated_id(&mut self, folder: &Folder) -> Option<String> {
        PACKAGE_FILES.iter().find_map(|name| {
            let file = self.open(folder, name).ok()?;
            let spec = file.tree.as_ref().ok()?.member("spec")?;
            Some(spec.member("packageId")?.as_text()?.to_owned())
        })
    }

    /// Holds a package against what was pinned, and pins it.
    fn pin(&mut self, package: &Package<'t>, version: &Version, place: Place, loaded: &mut Loaded<'t>) {
        let id = package.manifest.package_id.as_str();
        let digest = self.digest_of_files(&package.folder, &package.file, &package.manifest);
        if let Some(pinned) = self.lock.find(id, &version.to_string())
            && pinned.digest != digest
        {
            let message = format!(
                "{id} {version} is not what the lock file pins: it was {}, now it is {digest}.",
                pinned.digest
            );
            self.findings
                .error(Code::LockMismatch, place, message)
                .help("Find out who changed a published package. If that was meant, build with --update.")
                .requirement("AUT-2-2");
        }
        loaded.lock.add(Locked { package_id: id.to_owned(), version: version.to_string(), digest });
    }

    fn digest_of(&mut self, folder: &Folder, opened: &Opened<'t>) -> String {
        self.digest_of_files(folder, &opened.file, &opened.manifest)
    }

    /// What the files of a package hash to, wherever it lies and however lines end. What its discovery imports name
    /// is part of it.
    fn digest_of_files(&mut self, folder: &Folder, package: &File<'t>, manifest: &PackageManifest) -> String {
        let mut lines = vec![format!("{} {}", package.path, package.digest())];
        for listed in &manifest.manifests {
            let Ok(file) = self.open(folder, listed.path.as_str()) else { continue };
            lines.push(format!("{} {}", file.path, file.digest()));
            if let Some(document) = &file.manifest().0
                && let ManifestSpec::DiscoveryImport(import) = &document.spec
                && let Some(path) = &import.source.r#ref
                && let Ok(file) = self.open(folder, path.as_str())
            {
                lines.push(format!("{} {}", file.path, file.digest()));
            }
        }
        lines.sort();
        seal::hash(lines.join("\n").as_bytes())
    }
}
