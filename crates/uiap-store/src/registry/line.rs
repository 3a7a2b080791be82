//! Where the releases of a package stand: one row for each channel and context.

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use uiap_protocol::authoring::{BuildContext, CompiledBundle, ReleaseChannel};
use uiap_protocol::canonical::canonical;
use uiap_protocol::ids::Id;
use uiap_protocol::seal::hash;

/// Longest name of a file that is made of a text, in bytes. File systems take 255.
pub const FILE_NAME_BYTES_MAX: usize = 240;

/// One row of releases, of which the last is current: a package in a channel, built for one context.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    package_id: Id,
    channel: &'static str,
    /// The digest of the context without its channel, as hexadecimal digits.
    context: String,
    /// The package as the name of a folder.
    folder: String,
}

/// A package cannot have a folder of its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the package id {package_id} is too long for the name of a folder; shorten it to {FILE_NAME_BYTES_MAX} letters a to z, digits, dots and dashes"
)]
pub struct NameTooLong {
    /// Which package.
    pub package_id: Id,
}

impl Line {
    /// The row of a package in a channel, for a context. The channel of the context does not matter.
    pub fn new(
        package_id: &Id,
        channel: ReleaseChannel,
        context: &BuildContext,
    ) -> Result<Self, NameTooLong> {
        let folder =
            file_name(package_id.as_str()).ok_or_else(|| NameTooLong { package_id: package_id.clone() })?;
        let context = BuildContext { channel: None, ..context.clone() };
        let context = serde_json::to_value(context).unwrap_or_default();
        let context = hash(canonical(&context).as_bytes());
        let context = context.trim_start_matches("sha256:").to_owned();
        Ok(Self { package_id: package_id.clone(), channel: word(channel), context, folder })
    }

    /// The row that a bundle belongs to, if it is built for a channel.
    pub(super) fn of(bundle: &CompiledBundle) -> Option<Result<Self, NameTooLong>> {
        let channel = bundle.build_context.channel?;
        Some(Self::new(&bundle.package_id, channel, &bundle.build_context))
    }

    /// Which package.
    pub fn package_id(&self) -> &Id {
        &self.package_id
    }

    /// In which channel.
    pub fn channel(&self) -> &'static str {
        self.channel
    }

    /// Its folder, below the folder of the channels.
    pub(super) fn folders(&self) -> [PathBuf; 3] {
        let package = PathBuf::from(&self.folder);
        let channel = package.join(self.channel);
        let context = channel.join(&self.context);
        [package, channel, context]
    }

    pub(super) fn folder(&self) -> PathBuf {
        let [.., folder] = self.folders();
        folder
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} in {}", self.package_id, self.channel)
    }
}

fn word(channel: ReleaseChannel) -> &'static str {
    ReleaseChannel::WORDS.get(channel as usize).copied().unwrap_or_default()
}

/// A text as the name of a file: different texts have different names, also where capitals do not count, and no
/// name leads elsewhere.
fn file_name(text: &str) -> Option<String> {
    let mut name = String::new();
    for (place, byte) in text.bytes().enumerate() {
        let plain = matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_') || byte == b'.' && place > 0;
        if plain {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02x}");
        }
    }
    (1..=FILE_NAME_BYTES_MAX).contains(&name.len()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lead_nowhere_else() {
        assert_eq!(file_name("videoland.uiap").as_deref(), Some("videoland.uiap"));
        assert_eq!(file_name("@acme/Shop").as_deref(), Some("%40acme%2f%53hop"));
        assert_eq!(file_name("..").as_deref(), Some("%2e."));
        assert_eq!(file_name("a%2f").as_deref(), Some("a%252f"));
        assert_eq!(file_name("\0é").as_deref(), Some("%00%c3%a9"));
        assert_eq!(file_name(&"a".repeat(FILE_NAME_BYTES_MAX + 1)), None);
        assert_eq!(file_name(&"A".repeat(81)), None);
        assert_eq!(file_name(""), None);
    }
}
