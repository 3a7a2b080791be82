//! What somebody wants to publish, and the gates that need no registry.

use super::error::PublishError;
use super::line::Line;
use super::parcel::Parcel;
use super::record::Record;
use super::shelves::{BUNDLE, ORIGINS, RECORD, SIGNATURE};
use semver::Version;
use uiap_protocol::authoring::{CompiledBundle, ReleaseChannel};
use uiap_protocol::canonical::canonical;
use uiap_protocol::seal::{KeyId, TrustedKey, hash};
use uiap_protocol::time::Timestamp;
use uiap_protocol::version::PackageVersion;

/// Who made a bundle. A bundle says itself for which channel it was built, and anybody can write that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// Whoever publishes it, just now and from its package: the build has checked the gates of the channel.
    Publisher,
    /// Somebody. That the gates were checked is known by a signature that counts, or not at all.
    Somebody,
}

/// What somebody wants to publish.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    /// The bundle and what belongs to it.
    pub parcel: Parcel<'a>,
    /// Who made the bundle.
    pub maker: Maker,
    /// Where to.
    pub channel: ReleaseChannel,
    /// When.
    pub at: Timestamp,
    /// Whose signature is needed. Without any a release needs no signature, if it was built by whoever publishes it.
    pub trusted: &'a [TrustedKey],
}

/// An offer that passed every gate that needs no registry.
pub(super) struct Sound<'a> {
    pub(super) offer: &'a Offer<'a>,
    pub(super) bundle: CompiledBundle,
    digest: String,
    pub(super) signed_by: Option<KeyId>,
    pub(super) line: Line,
    pub(super) version: Version,
}

impl<'a> Sound<'a> {
    pub(super) fn check(offer: &'a Offer<'a>) -> Result<Self, PublishError> {
        let inspection = offer.parcel.inspect(offer.trusted);
        let bundle = match inspection.bundle {
            Some(bundle) if inspection.flaws.is_empty() => bundle,
            _ => return Err(PublishError::Flawed(inspection.flaws)),
        };
        let line = Line::new(&bundle.package_id, offer.channel, &bundle.build_context)?;
        let asked = line.channel();
        let built_for = Line::of(&bundle).ok_or(PublishError::NoChannel { asked })??;
        if built_for != line {
            return Err(PublishError::OtherChannel { built_for: built_for.channel(), asked });
        }
        if offer.maker == Maker::Somebody && inspection.signed_by.is_none() {
            return Err(PublishError::Unvouched { asked });
        }
        let version = parsed(&bundle.version);
        Ok(Self { offer, bundle, digest: inspection.digest, signed_by: inspection.signed_by, line, version })
    }

    /// Whether a record is of the same content.
    pub(super) fn same_as(&self, record: &Record) -> Result<(), PublishError> {
        let taken = |what, published: &str, offered: &str| PublishError::Taken {
            line: Box::new(self.line.clone()),
            version: record.version.clone(),
            what,
            published: published.to_owned(),
            offered: offered.to_owned(),
        };
        if record.digest != self.digest {
            return Err(taken("digest", &record.digest, &self.digest));
        }
        let origins = self.offer.parcel.origins.map(hash);
        if record.origins != origins {
            let shown = |origins: &Option<String>| origins.clone().unwrap_or_else(|| "none".to_owned());
            return Err(taken("origins", &shown(&record.origins), &shown(&origins)));
        }
        if record.signature.is_none() && self.offer.parcel.signature.is_some() {
            let version = record.version.clone();
            return Err(PublishError::TakenUnsigned { line: Box::new(self.line.clone()), version });
        }
        Ok(())
    }

    pub(super) fn record(&self, number: u64, previous: Option<String>) -> Record {
        Record {
            package_id: self.bundle.package_id.clone(),
            version: self.bundle.version.clone(),
            channel: self.offer.channel,
            number,
            previous,
            published_at: self.offer.at.clone(),
            digest: self.digest.clone(),
            origins: self.offer.parcel.origins.map(hash),
            signature: self.offer.parcel.signature.map(|text| hash(text.as_bytes())),
        }
    }

    /// The files of the release.
    pub(super) fn files(&self, record: &Record) -> Vec<(&'static str, Vec<u8>)> {
        let bundle = serde_json::Value::Object(self.offer.parcel.bundle.clone());
        let mut files =
            vec![(RECORD, record.to_text().into_bytes()), (BUNDLE, canonical(&bundle).into_bytes())];
        files.extend(self.offer.parcel.origins.map(|bytes| (ORIGINS, bytes.to_vec())));
        files.extend(self.offer.parcel.signature.map(|text| (SIGNATURE, text.as_bytes().to_vec())));
        files
    }
}

/// Whether a version is in the form of its type was checked when it was read.
pub(super) fn parsed(version: &PackageVersion) -> Version {
    Version::parse(version.as_str()).unwrap_or_else(|_| Version::new(0, 0, 0))
}
