//! Whether the packages of a build fit together, and fit what they are built for.
//!
//! A bundle says what the package that is built says: its core, its extensions, its versions of the application. So
//! that package must not promise more than those that it imports can keep.

use crate::findings::{Findings, Place};
use crate::load::{Loaded, Package, place_in};
use crate::ranges::{Accepts, lost};
use uiap_protocol::authoring::{BuildContext, CompatibilitySpec, ExtensionRange, SPOKEN_VERSION};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::version::VersionRange;

const STATED: &str = "AUT-4.1-1";
const FOR_CONTEXT: &str = "AUT-8-2";

pub(crate) fn check_compatibility(loaded: &Loaded<'_>, context: &BuildContext, findings: &mut Findings) {
    if let Some(root) = loaded.root() {
        let at = |inside: &str| place_in(root, format!("/spec/compatibility/{inside}"));
        check_alone(root, &at, context, findings);
    }
    for importer in &loaded.packages {
        for (index, import) in importer.manifest.imports.iter().flatten().enumerate() {
            let number = importer.imports.get(import.alias.as_str());
            let Some(imported) = number.and_then(|number| loaded.packages.get(*number)) else { continue };
            let at = |_: &str| place_in(importer, format!("/spec/imports/{index}"));
            check_alone(imported, &at, context, findings);
            Promise { importer, imported, place: at(""), findings }.check(context);
        }
    }
}

/// Whether a package can be built at all, here and for this version of the application. `at` is where somebody can do
/// something about it.
fn check_alone(
    package: &Package<'_>,
    at: &dyn Fn(&str) -> Place,
    context: &BuildContext,
    findings: &mut Findings,
) {
    let CompatibilitySpec { uiap_core, extensions, app_versions, .. } = &package.manifest.compatibility;
    let name = named(package);
    if !uiap_core.contains(SPOKEN_VERSION) {
        let message = format!("{name} needs the core in {uiap_core}, and this is {SPOKEN_VERSION}.");
        findings
            .error(Code::Incompatible, at("uiapCore"), message)
            .help("Take a version of the package that is for this core, or a uiap that speaks the other one.")
            .requirement(STATED);
    }
    for (index, extension) in extensions.iter().flatten().enumerate() {
        if is_required(extension) && !extension.range.contains(SPOKEN_VERSION) {
            let message = format!(
                "{name} needs the extension {} in {}, and this is {SPOKEN_VERSION}.",
                extension.id, extension.range
            );
            findings
                .error(Code::Incompatible, at(&format!("extensions/{index}/range")), message)
                .help("Take a version of the package that is for this extension, or a uiap that speaks the other one.")
                .requirement(STATED);
        }
    }
    if let (Some(versions), Some(version)) = (app_versions, &context.app_version)
        && !versions.accepts(version.as_str())
    {
        let message = format!(
            "{name} is for {} of the application, and this build is for {version}.",
            listed(Some(versions))
        );
        findings
            .error(Code::Incompatible, at("appVersions"), message)
            .help("Build for another version (--app-version), or list this one in \"appVersions\" if it was tried.")
            .requirement(FOR_CONTEXT);
    }
}

/// A package, and one that it imports: what the first promises, the second must keep.
struct Promise<'p, 't> {
    importer: &'p Package<'t>,
    imported: &'p Package<'t>,
    /// Where the import is written.
    place: Place,
    findings: &'p mut Findings,
}

impl Promise<'_, '_> {
    fn check(&mut self, context: &BuildContext) {
        let promised = &self.importer.manifest.compatibility;
        let kept = &self.imported.manifest.compatibility;
        // What a runtime looks at when it loads a bundle is an error; what nobody looks at then is a warning.
        self.spoken("the core", "uiapCore", &promised.uiap_core, &kept.uiap_core);
        for needed in kept.extensions.iter().flatten().filter(|one| is_required(one)) {
            let own = promised.extensions.iter().flatten();
            let mut own = own.filter(|one| is_required(one) && one.known_as() == needed.known_as());
            match own.next() {
                Some(own) => {
                    let what = format!("the extension {}", needed.id);
                    self.spoken(&what, "extensions", &own.range, &needed.range);
                }
                None => self.extension(needed),
            }
        }
        let web = |spec: &CompatibilitySpec| spec.sdk.as_ref().and_then(|sdk| sdk.web.clone());
        self.range(Severity::Warning, "the web SDK", "sdk.web", web(promised).as_ref(), web(kept).as_ref());
        // A bundle for one version of the application is used with no other.
        if context.app_version.is_none() {
            let (own, other) = (promised.app_versions.as_ref(), kept.app_versions.as_ref());
            self.range(Severity::Warning, "the application", "appVersions", own, other);
        }
    }

    /// The versions of something that has one here. Those that do not fit by themselves are told already.
    fn spoken(&mut self, what: &str, member: &str, promised: &VersionRange, kept: &VersionRange) {
        if promised.contains(SPOKEN_VERSION) && kept.contains(SPOKEN_VERSION) {
            self.range(Severity::Error, what, member, Some(promised), Some(kept));
        }
    }

    /// The versions of something in which the importer says to work, and those in which the imported one does.
    fn range<T: Accepts>(
        &mut self,
        severity: Severity,
        what: &str,
        member: &str,
        promised: Option<&T>,
        kept: Option<&T>,
    ) {
        let Some(version) = lost(promised, kept) else { return };
        let (importer, imported) = (named(self.importer), named(self.imported));
        let message = format!(
            "{importer} says that it works with {version} of {what}, and {imported}, which it imports, is for {}.",
            listed(kept)
        );
        self.findings
            .add(severity, Code::Incompatible, self.place.clone(), message)
            .help(format!("Say less in \"{member}\", or import a version that is for more."))
            .requirement(STATED);
    }

    fn extension(&mut self, needed: &ExtensionRange) {
        let (importer, imported) = (named(self.importer), named(self.imported));
        let message =
            format!("{imported} needs the extension {}, and {importer} does not ask for it.", needed.id);
        self.findings
            .error(Code::Incompatible, self.place.clone(), message)
            .help(format!(
                "Add {{id: {}, range: \"{}\", required: true}} to \"extensions\" in \"compatibility\".",
                needed.id, needed.range
            ))
            .requirement(STATED);
    }
}

fn named(package: &Package<'_>) -> String {
    format!("{} {}", package.manifest.package_id, package.manifest.version)
}

fn is_required(extension: &ExtensionRange) -> bool {
    extension.required == Some(true)
}

fn listed<T: Accepts>(versions: Option<&T>) -> String {
    versions.map_or_else(|| "all versions".to_owned(), |versions| versions.written().join(", "))
}
