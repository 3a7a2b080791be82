//! The smallest thing that is versioned and published.

use super::{AuthoringKind, ManifestSelector};
use crate::finding::Code;
use crate::ids::{ExtensionId, Id, Locale, ProfileId, Text};
use crate::version::{PackageVersion, VersionRange};
use crate::wire::{Decoder, JsonObject, Wire};
use std::collections::HashSet;

/// A package.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1", check = PackageManifest::check)]
pub struct PackageManifest {
    /// Which.
    pub package_id: Id,
    /// In which version.
    #[wire(requirement = "AUT-11.1-1")]
    pub version: PackageVersion,
    /// What it works with.
    pub compatibility: CompatibilitySpec,
    /// What it builds on.
    pub imports: Option<Vec<PackageImport>>,
    /// What it consists of, in the order in which overlays apply.
    pub manifests: Vec<LocalManifestRef>,
    /// How it is built.
    pub build: Option<BuildSpec>,
    /// How it is published.
    pub publish: Option<PublishSpec>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl PackageManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        self.check_imports(decoder);
        self.check_manifests(decoder);
        let channels = self.publish.iter().flat_map(|publish| &publish.channels);
        for (index, channel) in channels.enumerate() {
            decoder.at("publish", |decoder| {
                decoder.at("channels", |decoder| decoder.at_index(index, |decoder| channel.check(decoder)));
            });
        }
    }

    fn check_imports(&self, decoder: &mut Decoder<'_>) {
        let mut aliases = HashSet::new();
        for (index, import) in self.imports.iter().flatten().enumerate() {
            let alias = import.alias.as_str();
            if !aliases.insert(alias) {
                let message = format!("The alias \"{alias}\" is used twice.");
                decoder.under(Some("AUT-6.2-1"), |decoder| {
                    decoder.at("imports", |decoder| {
                        decoder.at_index(index, |decoder| {
                            decoder.at("alias", |decoder| decoder.error(Code::AmbiguousId, message));
                        });
                    });
                });
            }
        }
    }

    fn check_manifests(&self, decoder: &mut Decoder<'_>) {
        let mut ids = HashSet::new();
        for (index, manifest) in self.manifests.iter().enumerate() {
            decoder.at("manifests", |decoder| {
                decoder.at_index(index, |decoder| {
                    if !ids.insert(manifest.id.as_str()) {
                        let message = format!("The manifest id \"{}\" is used twice.", manifest.id);
                        decoder.under(Some("AUT-3.1-2"), |decoder| {
                            decoder.at("id", |decoder| decoder.error(Code::AmbiguousId, message));
                        });
                    }
                    manifest.check(decoder);
                });
            });
        }
        let apps = self.manifests.iter().filter(|manifest| manifest.kind == LocalManifestKind::App).count();
        // A package without an App may be made to be imported; only a build can tell.
        if apps > 1 {
            let message = format!("A package has one App manifest; this one lists {apps}.");
            decoder.under(Some("AUT-4.1-3"), |decoder| {
                decoder.at("manifests", |decoder| {
                    decoder.error_with_help(Code::Inconsistent, message, "Keep one of them.");
                });
            });
        }
    }
}

/// What a package works with.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct CompatibilitySpec {
    /// Versions of the core.
    pub uiap_core: VersionRange,
    /// Extensions.
    pub extensions: Option<Vec<ExtensionRange>>,
    /// Libraries.
    pub sdk: Option<SdkRanges>,
    /// Versions of the application: ranges or plain texts.
    pub app_versions: Option<Vec<Text>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Versions of an extension.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct ExtensionRange {
    /// Which.
    pub id: ExtensionId,
    /// In which versions.
    pub range: VersionRange,
    /// Without it the package does not work.
    pub required: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ExtensionRange {
    /// The name by which runtimes know it: that of the policy extension is written in two ways (finding M26).
    pub fn known_as(&self) -> &str {
        match self.id.as_str() {
            "uicp.policy" => "uiap.policy",
            id => id,
        }
    }
}

/// Versions of libraries.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct SdkRanges {
    /// Of the web SDK.
    pub web: Option<VersionRange>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Another package that this one builds on.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct PackageImport {
    /// Which.
    pub package_id: Id,
    /// In which versions.
    pub version_range: VersionRange,
    /// Under what name.
    pub alias: Id,
    /// What of it.
    pub include: Option<ImportFilter>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What of another package is used.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct ImportFilter {
    /// Only these kinds.
    pub kinds: Option<Vec<AuthoringKind>>,
    /// Only these manifests.
    pub manifest_ids: Option<Vec<Id>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// The kind of a manifest that a package consists of: any but `Package`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-4.1-1", case = "PascalCase")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum LocalManifestKind {
    App,
    Capabilities,
    Bindings,
    Actions,
    PolicySet,
    WorkflowCatalog,
    LocalePack,
    Overlay,
    ReviewSet,
    DiscoveryImport,
}

/// A manifest that a package consists of.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-4.1-1")]
pub struct LocalManifestRef {
    /// Which.
    pub id: Id,
    /// What it is about.
    pub kind: LocalManifestKind,
    /// Where it is, seen from the package.
    pub path: Text,
    /// It must be there; so it is unless this says otherwise.
    pub required: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl LocalManifestRef {
    fn check(&self, decoder: &mut Decoder<'_>) {
        if self.id.as_str().contains(':') {
            let message = format!("The id \"{}\" looks like that of an imported manifest.", self.id);
            decoder.under(Some("AUT-4.1-6"), |decoder| {
                let help = "Local ids have no colon; alias:id is for imports.";
                decoder.at("id", |decoder| decoder.error_with_help(Code::BadForm, message, help));
            });
        }
        let path = self.path.as_str();
        let drive = path.as_bytes().get(1) == Some(&b':');
        if path.starts_with(['/', '\\']) || drive || path.split(['/', '\\']).any(|part| part == "..") {
            let message = format!("The path \"{path}\" leaves the folder of the package.");
            decoder.under(Some("AUT-SEC-3"), |decoder| {
                decoder.at("path", |decoder| decoder.error(Code::PathEscapes, message));
            });
        }
    }
}

/// What makes a build fail besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "BuildFailOn", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum FailOn {
    Warning,
    ReviewWarning,
}

/// How a bundle is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum DigestAlgorithm {
    Sha256,
}

/// How a package is built.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
pub struct BuildSpec {
    /// For which profile.
    pub profile: Option<ProfileId>,
    /// Where to.
    pub out_dir: Option<Text>,
    /// For which contexts.
    pub contexts: Option<Vec<BuildContext>>,
    /// Conflicts of overlays are errors; so they are unless this says otherwise.
    pub strict: Option<bool>,
    /// In which languages.
    pub locales: Option<Vec<Locale>>,
    /// How it is hashed.
    pub digest_algorithm: Option<DigestAlgorithm>,
    /// Where content comes from is kept.
    pub embed_provenance: Option<bool>,
    /// What makes it fail besides errors.
    pub fail_on: Option<Vec<FailOn>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// For whom and where a package is built.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-8-1")]
pub struct BuildContext {
    /// Environment.
    pub environment: Option<Id>,
    /// Channel.
    pub channel: Option<ReleaseChannel>,
    /// Language.
    pub locale: Option<Locale>,
    /// Tenant.
    pub tenant_id: Option<Id>,
    /// Kind of user.
    pub principal_profile: Option<Id>,
    /// Version of the application.
    pub app_version: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Where releases go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "AUT-9-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ReleaseChannel {
    Dev,
    Staging,
    Canary,
    Prod,
    Deprecated,
}

/// How a package is published.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-9-1")]
pub struct PublishSpec {
    /// Where to, unless somebody says otherwise.
    pub default_channel: Option<ReleaseChannel>,
    /// Where to, and under what conditions.
    pub channels: Vec<ReleaseChannelSpec>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How far a review must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-9-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum RequiredReviewState {
    Approved,
    InReview,
    Draft,
}

/// What a channel asks for.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-9-1")]
pub struct ReleaseChannelSpec {
    /// Which.
    pub name: ReleaseChannel,
    /// For whom.
    pub selectors: Option<Vec<ManifestSelector>>,
    /// How far reviews must be.
    pub required_review_state: Option<RequiredReviewState>,
    /// Waivers count.
    pub allow_waivers: Option<bool>,
    /// Nothing that nobody wrote or approved.
    pub forbid_generated_only: Option<bool>,
    /// Bundles have a digest.
    pub require_digest: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ReleaseChannelSpec {
    fn check(&self, decoder: &mut Decoder<'_>) {
        if self.name != ReleaseChannel::Prod {
            return;
        }
        if self.required_review_state != Some(RequiredReviewState::Approved) {
            decoder.under(Some("AUT-9-2"), |decoder| {
                let message = "The channel prod does not ask for approved content.";
                decoder.warning(Code::Inconsistent, message, "Set requiredReviewState to approved.");
            });
        }
        if self.forbid_generated_only != Some(true) {
            decoder.under(Some("AUT-9-3"), |decoder| {
                let message = "The channel prod lets content through that nobody wrote or approved.";
                decoder.warning(Code::Inconsistent, message, "Set forbidGeneratedOnly to true.");
            });
        }
    }
}
