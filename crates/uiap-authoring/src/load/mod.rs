//! Steps 1 to 3: the package, what it imports, and the manifests of all of them.
//!
//! Imported packages are loaded in the same way, each with its own imports; what comes out is flat: packages in the
//! order in which they can be worked on (imports before importers, the package that is built last), and manifests
//! with full names.

mod imports;
mod lock;

pub use lock::{Lock, Locked, NotALock};

use crate::file::{File, Shelf};
use crate::findings::{Findings, Place};
use crate::hands::Hands;
use crate::sources::{FILES_MAX, Folder, Sources, Unreadable};
use imports::Importable;
use std::collections::HashMap;
use std::sync::Arc;
use uiap_protocol::authoring::{
    AuthoringDocument, AuthoringKind, ImportFilter, LocalManifestRef, ManifestSpec, PackageManifest,
};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::text::{Node, Span};

/// What the manifest of a package is called.
pub const PACKAGE_FILES: [&str; 2] = ["package.uiap.yaml", "package.uiap.json"];

/// A package that takes part in a build.
#[derive(Debug)]
pub(crate) struct Package<'t> {
    pub(crate) folder: Folder,
    pub(crate) file: Arc<File<'t>>,
    pub(crate) manifest: Arc<PackageManifest>,
    /// What stands before the ids of its manifests; nothing for the package that is built.
    pub(crate) prefix: String,
    /// The packages that it imports, by alias.
    pub(crate) imports: HashMap<String, usize>,
    /// How many imports away from the package that is built.
    pub(crate) depth: usize,
}

/// A package whose manifest was read.
#[derive(Clone, Debug)]
pub(crate) struct Opened<'t> {
    file: Arc<File<'t>>,
    manifest: Arc<PackageManifest>,
    /// What was found in its manifest; it matters when the package takes part in the build.
    findings: Vec<Finding>,
}

impl<'t> Opened<'t> {
    fn into_package(self, folder: Folder, prefix: String, depth: usize) -> Package<'t> {
        let Self { file, manifest, .. } = self;
        Package { folder, file, manifest, prefix, imports: HashMap::new(), depth }
    }
}

/// A manifest that takes part in a build.
#[derive(Clone, Debug)]
pub(crate) struct Manifest<'t> {
    /// Its full name: `id`, or `alias:id` if it is imported.
    pub(crate) id: String,
    pub(crate) package: usize,
    pub(crate) file: Arc<File<'t>>,
    pub(crate) tree: Arc<Node<'t>>,
    pub(crate) document: Arc<AuthoringDocument>,
    /// Its content goes into the bundle.
    pub(crate) is_visible: bool,
}

impl Manifest<'_> {
    pub(crate) fn kind(&self) -> AuthoringKind {
        self.document.spec.kind()
    }

    pub(crate) fn place(&self, pointer: impl Into<String>) -> Place {
        let pointer = pointer.into();
        Place { span: self.tree.locate(&pointer, false), pointer }
    }
}

/// Everything that was read.
#[derive(Debug, Default)]
pub(crate) struct Loaded<'t> {
    pub(crate) packages: Vec<Package<'t>>,
    pub(crate) manifests: Vec<Manifest<'t>>,
    /// Something could not be read, so what refers to it cannot be judged.
    pub(crate) is_partial: bool,
    pub(crate) lock: Lock,
    by_id: HashMap<String, usize>,
}

impl<'t> Loaded<'t> {
    /// The package that is built.
    pub(crate) fn root(&self) -> Option<&Package<'t>> {
        self.packages.last().filter(|package| package.depth == 0)
    }

    /// The manifest that a package means by an id: its own, or one of a package that it imports itself.
    pub(crate) fn named(&self, package: usize, id: &str) -> Option<usize> {
        let package = self.packages.get(package)?;
        if id.matches(':').count() > 1 {
            return None;
        }
        self.by_id.get(&format!("{}{id}", package.prefix)).copied()
    }

    /// The ids by which a package can refer to manifests.
    pub(crate) fn names(&self, package: usize) -> impl Iterator<Item = &str> {
        let prefix = self.packages.get(package).map_or("", |package| package.prefix.as_str());
        self.manifests
            .iter()
            .filter_map(move |manifest| manifest.id.strip_prefix(prefix))
            .filter(|id| id.matches(':').count() <= 1)
    }
}

/// What loading needs.
pub(crate) struct Loader<'l, 't> {
    pub(crate) shelf: &'l mut Shelf<'t>,
    pub(crate) sources: &'l dyn Sources,
    pub(crate) hands: &'l dyn Hands,
    pub(crate) findings: &'l mut Findings,
    /// What was pinned before.
    pub(crate) lock: &'l Lock,
    opened: usize,
}

impl<'l, 't> Loader<'l, 't> {
    pub(crate) fn new(
        shelf: &'l mut Shelf<'t>,
        sources: &'l dyn Sources,
        hands: &'l dyn Hands,
        findings: &'l mut Findings,
        lock: &'l Lock,
    ) -> Self {
        Self { shelf, sources, hands, findings, lock, opened: 0 }
    }

    /// Step 1: the package itself. `place` is where somebody asks for it, if that is in a file.
    pub(crate) fn package(&mut self, folder: &Folder, place: &Place) -> Result<Opened<'t>, Vec<Finding>> {
        let mut findings = Findings::default();
        let mut found = Vec::new();
        for name in PACKAGE_FILES {
            match self.open(folder, name) {
                Ok(file) => found.push(file),
                Err(Unreadable::Missing) => {}
                Err(why) => {
                    let message = format!("{} cannot be read: {why}.", folder.file(name));
                    findings.error(Code::Unreadable, place.clone(), message).requirement("AUT-4.1-2");
                }
            }
        }
        let mut found = found.into_iter();
        let Some(file) = found.next() else {
            let message = format!("The folder {folder} has no {}.", PACKAGE_FILES[0]);
            findings
                .error(Code::Unreadable, place.clone(), message)
                .help("Name the folder of a package, or make one with `uiap init`.")
                .requirement("AUT-4.1-2");
            return Err(findings.list);
        };
        if let Some(second) = found.next() {
            let message = format!("{} is a second package manifest, beside {}.", second.name, file.name);
            findings
                .error(Code::Conflict, place_of(&second, ""), message)
                .help("Keep one of the two.")
                .requirement("AUT-4.1-2");
            return Err(findings.list);
        }
        let (document, found) = file.manifest();
        findings.list.extend(found.iter().cloned());
        let Some(document) = document else { return Err(findings.list) };
        let ManifestSpec::Package(manifest) = &document.spec else {
            let message = format!("{} is of kind {}, not Package.", file.name, document.spec.kind());
            findings
                .error(Code::WrongManifest, place_of(&file, "/kind"), message)
                .help(format!(
                    "{} describes the package; put other manifests into other files.",
                    PACKAGE_FILES[0]
                ))
                .requirement("AUT-4.1-2");
            return Err(findings.list);
        };
        let manifest = Arc::new(manifest.clone());
        Ok(Opened { file, manifest, findings: findings.list })
    }

    /// Steps 2 and 3 for a package: its imports, then its manifests.
    pub(crate) fn load(&mut self, folder: &Folder, loaded: &mut Loaded<'t>) {
        let opened = match self.package(folder, &Place::default()) {
            Ok(opened) => opened,
            Err(findings) => {
                self.findings.list.extend(findings);
                loaded.is_partial = true;
                return;
            }
        };
        self.findings.list.extend(opened.findings.iter().cloned());
        let mut importable = Importable::default();
        let root = opened.into_package(folder.clone(), String::new(), 0);
        self.imports(root, &mut importable, &mut Vec::new(), loaded);
        self.manifests(loaded);
    }

    /// Step 3: the manifests of every package.
    fn manifests(&mut self, loaded: &mut Loaded<'t>) {
        let mut manifests = Vec::new();
        let mut is_partial = loaded.is_partial;
        for (number, package) in loaded.packages.iter().enumerate() {
            let filter = filter_of(&loaded.packages, number);
            let files = self.open_manifests(package);
            for (index, (listed, file)) in package.manifest.manifests.iter().zip(files).enumerate() {
                let place = place_in(package, format!("/spec/manifests/{index}"));
                match self.manifest(package, listed, file, place) {
                    Some((file, document)) => {
                        let Ok(tree) = &file.tree else { continue };
                        manifests.push(Manifest {
                            id: format!("{}{}", package.prefix, listed.id),
                            package: number,
                            tree: Arc::clone(tree),
                            document,
                            is_visible: package.depth == 0
                                || (package.depth == 1 && is_included(filter, listed)),
                            file,
                        });
                    }
                    None => is_partial |= listed.required != Some(false),
                }
            }
        }
        loaded.is_partial = is_partial;
        for (number, manifest) in manifests.iter().enumerate() {
            loaded.by_id.insert(manifest.id.clone(), number);
        }
        loaded.manifests = manifests;
    }

    fn manifest(
        &mut self,
        package: &Package<'t>,
        listed: &LocalManifestRef,
        file: Result<Arc<File<'t>>, Unreadable>,
        place: Place,
    ) -> Option<(Arc<File<'t>>, Arc<AuthoringDocument>)> {
        let file = match file {
            Ok(file) => file,
            Err(Unreadable::Missing) if listed.required == Some(false) => return None,
            Err(why) => {
                let message = format!("{} cannot be read: {why}.", package.folder.file(listed.path.as_str()));
                let requirement = if why == Unreadable::Outside { "AUT-SEC-3" } else { "AUT-4.1-1" };
                let code = if why == Unreadable::Outside { Code::PathEscapes } else { Code::Unreadable };
                self.findings
                    .error(code, place, message)
                    .help("Correct the path, or set \"required\" to false if the file may be missing.")
                    .requirement(requirement);
                return None;
            }
        };
        let (document, findings) = file.manifest();
        self.findings.list.extend(findings.iter().cloned());
        let document = Arc::clone(document.as_ref()?);
        let kind = document.spec.kind();
        let id = &document.metadata.id;
        if kind.as_str() != listed.kind.as_str() || *id != listed.id {
            let message =
                format!("The package lists {} {}, but {} is {kind} {id}.", listed.kind, listed.id, file.name);
            self.findings
                .error(Code::WrongManifest, place, message)
                .help("Write the same id and kind in both.")
                .requirement("AUT-3.1-2");
            return None;
        }
        let package_id = &package.manifest.package_id;
        if document.metadata.package_id.as_ref().is_some_and(|stated| stated != package_id) {
            let message = format!("The manifest says that it belongs to another package than {package_id}.");
            self.findings
                .error(Code::WrongManifest, place_of(&file, "/metadata/packageId"), message)
                .help("Correct \"packageId\", or leave it out.")
                .requirement("AUT-3.1-1");
        }
        Some((file, document))
    }

    pub(crate) fn open(&mut self, folder: &Folder, path: &str) -> Result<Arc<File<'t>>, Unreadable> {
        if self.admitted(1) == 0 {
            return Err(too_many());
        }
        self.shelf.open(self.sources, folder, path)
    }

    /// The files of all manifests that a package lists.
    fn open_manifests(&mut self, package: &Package<'t>) -> Vec<Result<Arc<File<'t>>, Unreadable>> {
        let listed = &package.manifest.manifests;
        let paths: Vec<_> = listed.iter().map(|one| (&package.folder, one.path.as_str())).collect();
        let admitted = self.admitted(paths.len());
        let paths = paths.get(..admitted).unwrap_or_default();
        let mut files = self.shelf.open_manifests(self.sources, paths, self.hands);
        files.resize(listed.len(), Err(too_many()));
        files
    }

    /// How many of so many more files may still be opened.
    fn admitted(&mut self, more: usize) -> usize {
        let admitted = more.min(FILES_MAX - self.opened);
        self.opened += admitted;
        admitted
    }
}

fn too_many() -> Unreadable {
    Unreadable::Other(format!("a build reads at most {FILES_MAX} files"))
}

pub(crate) fn place_in(package: &Package<'_>, pointer: String) -> Place {
    place_of(&package.file, pointer)
}

fn place_of(file: &File<'_>, pointer: impl Into<String>) -> Place {
    let pointer = pointer.into();
    let start = || Span { source: file.source, ..Span::default() };
    let span = file.tree.as_ref().map_or_else(|_| start(), |tree| tree.locate(&pointer, false));
    Place { span, pointer }
}

/// What the package that is built takes of one that it imports.
fn filter_of<'p>(packages: &'p [Package<'_>], number: usize) -> Option<&'p ImportFilter> {
    let root = packages.last()?;
    let (alias, _) = root.imports.iter().find(|(_, imported)| **imported == number)?;
    let import = root.manifest.imports.iter().flatten().find(|import| import.alias.as_str() == alias)?;
    import.include.as_ref()
}

fn is_included(filter: Option<&ImportFilter>, listed: &LocalManifestRef) -> bool {
    filter.is_none_or(|filter| {
        let kinds = filter.kinds.as_ref();
        let ids = filter.manifest_ids.as_ref();
        kinds.is_none_or(|kinds| kinds.iter().any(|kind| kind.as_str() == listed.kind.as_str()))
            && ids.is_none_or(|ids| ids.contains(&listed.id))
    })
}
