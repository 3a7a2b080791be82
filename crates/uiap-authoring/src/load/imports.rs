//! Step 2: which packages are imported, and in which version.

use super::lock::Locked;
use super::{Loaded, Loader, Opened, Package, place_in};
use crate::findings::Place;
use crate::sources::Folder;
use semver::Version;
use std::collections::HashMap;
use std::sync::Arc;
use uiap_protocol::authoring::PackageImport;
use uiap_protocol::finding::Code;
use uiap_protocol::seal;

/// How deep imports may go.
pub(super) const IMPORT_DEPTH_MAX: usize = 16;
/// Most packages that take part in one build; a package counts as often as it is imported.
pub(super) const PACKAGES_MAX: usize = 256;

/// Packages that may be imported, by id; found out when the first import asks.
#[derive(Debug, Default)]
pub(super) struct Importable<'t> {
    by_id: Option<HashMap<String, Vec<Candidate<'t>>>>,
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
            None => self.candidates(),
        };
        let candidates = by_id.get(id).map(Vec::as_slice).unwrap_or_default();
        let mut fitting: Vec<_> =
            candidates.iter().filter(|one| range.contains(&one.version.to_string())).collect();
        let pinned = self.lock.version_of(id).filter(|version| range.contains(version));
        if let Some(pinned) = pinned
            && fitting.iter().any(|one| one.version.to_string() == pinned)
        {
            fitting.retain(|one| one.version.to_string() == pinned);
        }
        fitting.sort_by(|one, other| (&one.version, &one.folder).cmp(&(&other.version, &other.folder)));
        let chosen = fitting.pop().cloned();
        let rival = fitting.pop().filter(|rival| {
            chosen.as_ref().is_some_and(|one| {
                one.version == rival.version && one.opened.file.text != rival.opened.file.text
            })
        });
        match (&chosen, rival) {
            (None, _) => {
                let versions: Vec<_> = candidates.iter().map(|one| one.version.to_string()).collect();
                let message = match versions.as_slice() {
                    [] => format!("No package {id} is found."),
                    versions => {
                        format!("No version of {id} fits {range}; there are: {}.", versions.join(", "))
                    }
                };
                let entry =
                    self.findings.error(Code::ImportUnresolved, place, message).requirement("AUT-13-3");
                if versions.is_empty() {
                    let ids: Vec<_> = by_id.keys().map(String::as_str).collect();
                    entry.help("Name the folder that holds it with --packages.").did_you_mean(id, ids);
                }
            }
            (Some(chosen), Some(rival)) => {
                let message = format!(
                    "{id} {} is found twice and differs: in {} and in {}.",
                    chosen.version, rival.folder, chosen.folder
                );
                self.findings
                    .error(Code::Conflict, place, message)
                    .help("Keep one of the two, or give one another version.")
                    .requirement("AUT-2-2");
            }
            _ => {}
        }
        importable.by_id = Some(by_id);
        chosen
    }

    fn candidates(&mut self) -> HashMap<String, Vec<Candidate<'t>>> {
        let mut folders = self.sources.importable();
        folders.sort();
        let mut by_id: HashMap<String, Vec<Candidate<'t>>> = HashMap::new();
        for folder in folders {
            let Some(opened) = self.package(&folder) else { continue };
            let Ok(version) = Version::parse(opened.manifest.version.as_str()) else { continue };
            let id = opened.manifest.package_id.as_str().to_owned();
            by_id.entry(id).or_default().push(Candidate { folder, version, opened });
        }
        by_id
    }

    /// Holds a package against what was pinned, and pins it.
    fn pin(&mut self, package: &Package<'t>, version: &Version, place: Place, loaded: &mut Loaded<'t>) {
        let id = package.manifest.package_id.as_str();
        let digest = self.package_digest(package);
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

    /// What the files of a package hash to, wherever it lies and however lines end.
    fn package_digest(&mut self, package: &Package<'t>) -> String {
        let mut lines = vec![format!("{} {}", package.file.path, package.file.digest())];
        for listed in &package.manifest.manifests {
            if let Ok(file) = self.open(&package.folder, listed.path.as_str()) {
                lines.push(format!("{} {}", file.path, file.digest()));
            }
        }
        lines.sort();
        seal::hash(lines.join("\n").as_bytes())
    }
}
