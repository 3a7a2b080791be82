//! What is different somewhere or for somebody.

use super::ReleaseChannel;
use crate::finding::Code;
use crate::ids::{Id, JsonPointer, Locale, Text};
use crate::version::VersionRange;
use crate::wire::{Decoder, JsonObject, Wire};

/// Where and for whom something holds: all members must match, any item of a member will do.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-5.8-1")]
pub struct ManifestSelector {
    /// In these environments.
    pub environments: Option<Vec<Id>>,
    /// On these channels.
    pub channels: Option<Vec<ReleaseChannel>>,
    /// In these languages.
    pub locales: Option<Vec<Locale>>,
    /// For these tenants.
    pub tenant_ids: Option<Vec<Id>>,
    /// For these users.
    pub principal_profiles: Option<Vec<Id>>,
    /// For these versions of the application.
    pub app_version_ranges: Option<Vec<VersionRange>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What is different, and where.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.8-1")]
pub struct OverlayManifest {
    /// Where.
    pub selector: ManifestSelector,
    /// What.
    pub patches: Vec<ManifestPatch>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// One change of a manifest.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.8-1", check = ManifestPatch::check)]
pub struct ManifestPatch {
    /// Which manifest: an id of the package, or `alias:id`.
    pub manifest_id: Id,
    /// Where in the document.
    pub path: JsonPointer,
    /// What.
    #[wire(flatten)]
    pub op: PatchOp,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ManifestPatch {
    /// Content may be changed, identity and review state may not (finding M7).
    fn check(&self, decoder: &mut Decoder<'_>) {
        let path = self.path.as_str();
        let under =
            |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let roots =
            ["/spec", "/metadata/title", "/metadata/description", "/metadata/labels", "/metadata/tags"];
        if !roots.into_iter().any(under) {
            let message = format!("An overlay cannot change \"{path}\".");
            let help =
                "It can change what is below /spec, and title, description, labels and tags of the metadata.";
            decoder.at("path", |decoder| decoder.error_with_help(Code::BadForm, message, help));
        }
    }
}

/// What a patch does.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ManifestPatchOp", tag = "op", requirement = "AUT-5.8-1", case = "snake_case")]
pub enum PatchOp {
    /// Puts another value there.
    Replace {
        /// The value.
        value: serde_json::Value,
    },
    /// Merges an object into the one that is there.
    Merge {
        /// The object.
        value: serde_json::Value,
    },
    /// Adds to the end of a list.
    Append {
        /// What is added.
        value: serde_json::Value,
    },
    /// Takes it away.
    Remove,
    /// Adds to a list of objects, or replaces the one with the same key.
    Upsert {
        /// The dotted path of the key.
        match_key: Text,
        /// The object.
        value: serde_json::Value,
    },
}
