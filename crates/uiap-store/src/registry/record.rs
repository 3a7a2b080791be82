//! The record of a release: what it is, and what came before it.

use serde_json::json;
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::canonical::canonical;
use uiap_protocol::ids::Id;
use uiap_protocol::seal::hash;
use uiap_protocol::text::{Format, Limits, read, utf8};
use uiap_protocol::time::Timestamp;
use uiap_protocol::version::PackageVersion;

/// The format of records that is written here.
const FORMAT: u64 = 1;
/// Largest record, in bytes. An id has at most 128 characters, and there are few.
pub(super) const RECORD_BYTES_MAX: usize = 16 * 1024;

/// What is published. The digest of the record names the release, and the record names everything in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Which package.
    pub package_id: Id,
    /// In which version.
    pub version: PackageVersion,
    /// Where to.
    pub channel: ReleaseChannel,
    /// Its place in the row, beginning with one.
    pub number: u64,
    /// The release before it.
    pub previous: Option<String>,
    /// When.
    pub published_at: Timestamp,
    /// The digest of the bundle, as the bundle says it.
    pub digest: String,
    /// The digest of the file of origins.
    pub origins: Option<String>,
    /// The digest of the signature.
    pub signature: Option<String>,
}

impl Record {
    /// Its one form.
    pub(super) fn to_text(&self) -> String {
        let mut value = json!({
            "format": FORMAT,
            "packageId": self.package_id,
            "version": self.version,
            "channel": self.channel,
            "number": self.number,
            "publishedAt": self.published_at,
            "digest": self.digest,
        });
        let optional =
            [("previous", &self.previous), ("origins", &self.origins), ("signature", &self.signature)];
        for (name, text) in optional {
            if let (Some(text), Some(members)) = (text, value.as_object_mut()) {
                members.insert(name.to_owned(), text.as_str().into());
            }
        }
        canonical(&value)
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        hash(self.to_text().as_bytes())
    }

    /// Reads what [`Record::to_text`] writes, and nothing else.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let text = utf8(bytes, Limits::DOCUMENT).ok()?;
        let tree = read(text, Format::Json, Limits::DOCUMENT).ok()?;
        let value = tree.to_json();
        let text_of = |name: &str| value.get(name).and_then(|member| member.as_str()).map(str::to_owned);
        let record = Self {
            package_id: Id::new(text_of("packageId")?).ok()?,
            version: PackageVersion::new(text_of("version")?).ok()?,
            channel: ReleaseChannel::from_word(&text_of("channel")?)?,
            number: value.get("number")?.as_u64()?,
            previous: text_of("previous"),
            published_at: Timestamp::new(text_of("publishedAt")?).ok()?,
            digest: text_of("digest")?,
            origins: text_of("origins"),
            signature: text_of("signature"),
        };
        // Also what is not known here is thereby refused.
        (record.to_text().as_bytes() == bytes).then_some(record)
    }
}
