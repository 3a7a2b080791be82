//! A bundle on the disk with what stands beside it, and the keys that are trusted.

use super::bundle::{key_in, signature_of, text_in};
use super::documents::bytes_of;
use super::supplies::Supplies;
use crate::Trouble;
use crate::report::sentence;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use uiap_authoring::Built;
use uiap_protocol::seal::{TrustedKey, digest};
use uiap_protocol::wire::JsonObject;
use uiap_store::registry::{ORIGINS_ENDING, Parcel, SigningKey};

/// Whose signatures count.
#[derive(Args, Debug)]
pub(crate) struct TrustFlags {
    /// A public key of minisign whose signature counts; may be given more than once. With it a signature is needed
    #[arg(long, value_name = "KEY")]
    trust: Vec<PathBuf>,
}

impl TrustFlags {
    pub(crate) fn keys(&self) -> Result<Vec<TrustedKey>, Trouble> {
        self.trust.iter().map(|path| key_in(path)).collect()
    }
}

/// A bundle and what belongs to it, as they were read.
#[derive(Debug)]
pub(crate) struct Files {
    bundle: JsonObject,
    origins: Option<Vec<u8>>,
    signature: Option<String>,
}

impl Files {
    /// Reads a sound bundle. The origins and the signature stand beside it, unless other origins are named.
    pub(crate) fn read(supplies: Supplies, path: &Path, origins: Option<&Path>) -> Result<Self, Trouble> {
        let bundle = supplies.bundle(path)?;
        let beside = origins_of(path);
        let origins = origins.or_else(|| beside.exists().then_some(beside.as_path()));
        let origins = origins.map(bytes_of).transpose()?;
        Ok(Self { bundle, origins, signature: text_in(&signature_of(path))? })
    }

    /// What a build has just made.
    pub(crate) fn built(built: &Built) -> Result<Self, Trouble> {
        let bundle = serde_json::from_str(&built.text).map_err(anyhow::Error::from)?;
        let origins = built.origins.clone().into_bytes();
        Ok(Self { bundle, origins: Some(origins), signature: None })
    }

    /// Signs the bundle and its origins; an earlier signature does not count any more.
    pub(crate) fn sign(&mut self, key: &SigningKey) -> Result<(), Trouble> {
        let signature = key.sign(&digest(&self.bundle), self.origins.as_deref());
        let signature = signature
            .map_err(|error| Trouble::Other(anyhow::anyhow!("{}.", sentence(&error.to_string()))))?;
        self.signature = Some(signature);
        Ok(())
    }

    pub(crate) fn parcel(&self) -> Parcel<'_> {
        Parcel {
            bundle: &self.bundle,
            origins: self.origins.as_deref(),
            signature: self.signature.as_deref(),
        }
    }
}

/// Where the origins of a bundle stand.
pub(crate) fn origins_of(bundle: &Path) -> PathBuf {
    let mut name = OsString::from(bundle);
    name.push(ORIGINS_ENDING);
    PathBuf::from(name)
}
