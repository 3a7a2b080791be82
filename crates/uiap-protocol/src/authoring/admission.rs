//! Which bundles a program loads: those that are whole, signed by somebody it trusts, and made for it.
//!
//! Start at [`Admission::admit`]. Nothing comes out of a bundle that fails.

use super::{CompatibilitySpec, CompiledBundle, ExtensionRange};
use crate::finding::Finding;
use crate::ids::ProfileId;
use crate::seal::{DIGEST_MEMBER, KeyId, SignatureError, TrustedKey, digest, verify};
use crate::version::VersionRange;
use crate::wire::{JsonObject, accept_object};

/// The version of the core, and of every extension, that these types speak.
pub const SPOKEN_VERSION: &str = "0.1.0";

/// What a program demands of the bundles that it loads.
#[derive(Clone, Copy, Debug)]
pub struct Admission<'a> {
    /// The profile that it serves.
    pub profile: &'a str,
    /// The extensions that it knows, without their versions.
    pub extensions: &'a [&'a str],
    /// Whose signatures count. Without any a bundle needs no signature.
    pub trusted: &'a [TrustedKey],
}

/// A bundle that was admitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Admitted {
    /// What it says.
    pub bundle: CompiledBundle,
    /// Who signed it, where that was asked for.
    pub signed_by: Option<KeyId>,
}

/// Why a bundle is not loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotAdmitted {
    /// It is no bundle.
    #[error("it is not a bundle")]
    NotABundle {
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
    /// It was changed after it was built, or its digest was.
    #[error("it says that its digest is {stated}, but what it holds has the digest {actual}")]
    Changed {
        /// What it says.
        stated: String,
        /// What it is.
        actual: String,
    },
    /// Nothing can be signed of it.
    #[error("it has no digest, and only signed bundles are loaded")]
    NoDigest,
    /// Nobody signed it.
    #[error("it has no signature, and only signed bundles are loaded")]
    NoSignature,
    /// Its signature does not count.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// It is for another core.
    #[error("it needs the core in {needed}, and this is {SPOKEN_VERSION}")]
    Core {
        /// In which versions.
        needed: VersionRange,
    },
    /// It is for another kind of surface.
    #[error("it needs the profile {needed}, and this is {served}")]
    Profile {
        /// Which.
        needed: ProfileId,
        /// What is here.
        served: String,
    },
    /// It needs an extension that nobody knows here.
    #[error("it needs the extension {}, which nobody knows here; known: {}", .needed.id, .known.join(", "))]
    UnknownExtension {
        /// Which.
        needed: ExtensionRange,
        /// What is here.
        known: Vec<String>,
    },
    /// It needs an extension in another version.
    #[error("it needs the extension {} in {}, and this is {SPOKEN_VERSION}", .needed.id, .needed.range)]
    ExtensionVersion {
        /// Which.
        needed: ExtensionRange,
    },
}

impl NotAdmitted {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotABundle { .. } => "Build it anew.",
            Self::Changed { .. } => "Take the bundle as it was built; whoever changed it must build it anew.",
            Self::NoDigest => "Build it with a digest and sign it.",
            Self::NoSignature => "Put the signature beside it, or get a bundle that is signed.",
            Self::Signature(SignatureError::Unreadable | SignatureError::Wrong { .. }) => {
                "Get the bundle and its signature from where they were published."
            }
            Self::Signature(SignatureError::UnknownKey { .. }) => {
                "If that key is to be trusted, name it as well."
            }
            Self::Core { .. }
            | Self::Profile { .. }
            | Self::UnknownExtension { .. }
            | Self::ExtensionVersion { .. } => "Build it for this version, or use another uiap.",
        }
    }
}

impl Admission<'_> {
    /// Admits a document as a bundle. Its digest is of the document as it was read, so that nothing in it goes
    /// unseen, known or not.
    pub fn admit(&self, document: &JsonObject, signature: Option<&str>) -> Result<Admitted, NotAdmitted> {
        let bundle: CompiledBundle =
            accept_object(document).map_err(|findings| NotAdmitted::NotABundle { findings })?;
        let stated = document.get(DIGEST_MEMBER).and_then(serde_json::Value::as_str);
        let actual = digest(document);
        if let Some(stated) = stated.filter(|stated| *stated != actual) {
            return Err(NotAdmitted::Changed { stated: stated.to_owned(), actual });
        }
        let signed_by = match self.trusted {
            [] => None,
            trusted => {
                let digest = stated.ok_or(NotAdmitted::NoDigest)?;
                let signature = signature.ok_or(NotAdmitted::NoSignature)?;
                Some(verify(digest, signature, trusted)?)
            }
        };
        self.check_profile(&bundle)?;
        self.check_versions(&bundle.compatibility)?;
        Ok(Admitted { bundle, signed_by })
    }

    fn check_profile(&self, bundle: &CompiledBundle) -> Result<(), NotAdmitted> {
        if bundle.profile.as_str() == self.profile {
            return Ok(());
        }
        Err(NotAdmitted::Profile { needed: bundle.profile.clone(), served: self.profile.to_owned() })
    }

    fn check_versions(&self, compatibility: &CompatibilitySpec) -> Result<(), NotAdmitted> {
        if !compatibility.uiap_core.contains(SPOKEN_VERSION) {
            return Err(NotAdmitted::Core { needed: compatibility.uiap_core.clone() });
        }
        let required = compatibility.extensions.iter().flatten().filter(|one| one.required == Some(true));
        for extension in required {
            if !self.extensions.contains(&extension.known_as()) {
                let known = self.extensions.iter().map(ToString::to_string).collect();
                return Err(NotAdmitted::UnknownExtension { needed: extension.clone(), known });
            }
            if !extension.range.contains(SPOKEN_VERSION) {
                return Err(NotAdmitted::ExtensionVersion { needed: extension.clone() });
            }
        }
        Ok(())
    }
}
