//! Where everything stands in the folder of a registry, and how it is read.
//!
//! ```text
//! registry.json                                  the format of the folder
//! lock                                           held by whoever publishes
//! tmp/                                           what is not published yet, or never will be
//! releases/DIGEST/release.json                   the record; its digest is the name of the folder
//!                 bundle.json                    the bundle in its canonical form
//!                 bundle.json.minisig            the signature, if there is one
//!                 bundle.json.origins.json       the origins, if there are any
//! channels/PACKAGE/CHANNEL/CONTEXT/00000001      the digest of a record; the highest number is current
//! ```
//!
//! Nothing below `releases` and `channels` ever changes: it is added under a name that was not there.

use super::damage::Damage;
use super::line::Line;
use super::parcel::{Flaw, Inspection, Parcel};
use super::record::{RECORD_BYTES_MAX, Record};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::canonical::canonical;
use uiap_protocol::seal::{KeyId, SEAL_BYTES_MAX, TrustedKey, hash};
use uiap_protocol::text::{DOCUMENT_BYTES_MAX, Format, Limits, read, utf8};
use uiap_protocol::wire::JsonObject;

/// Most releases in one row.
pub const RELEASES_MAX: usize = 100_000;
/// Most names that are read of one folder.
pub const NAMES_MAX: usize = 1_000_000;
/// What the name of a signature has behind the name of what is signed.
pub const SIGNATURE_ENDING: &str = ".minisig";
/// What the name of the origins has behind the name of their bundle.
pub const ORIGINS_ENDING: &str = ".origins.json";

pub(super) const RECORD: &str = "release.json";
pub(super) const BUNDLE: &str = "bundle.json";
pub(super) const SIGNATURE: &str = "bundle.json.minisig";
pub(super) const ORIGINS: &str = "bundle.json.origins.json";
/// Marks the folder as ours, in this format.
pub(super) const MARKER: &str = "{\"format\":1,\"kind\":\"uiap-registry\"}";
/// Digits of a number in a row.
const NUMBER_DIGITS: usize = 8;
/// Length of an entry: a digest and the end of the line.
const ENTRY_BYTES_MAX: usize = "sha256:".len() + 64 + 1;

/// A release that was read whole and is sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Release {
    /// What was published.
    pub record: Record,
    /// The bundle.
    pub bundle: CompiledBundle,
    /// Who signed it, if keys were given to check that.
    pub signed_by: Option<KeyId>,
    /// The folder of its files.
    pub folder: PathBuf,
}

impl Release {
    /// The file of the bundle; its signature and its origins stand beside it.
    pub fn bundle_path(&self) -> PathBuf {
        self.folder.join(BUNDLE)
    }
}

/// One place in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) path: PathBuf,
}

/// The pointers of a row.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) entries: Vec<Entry>,
    /// What else stands between them. It means nothing.
    pub(super) strays: Vec<PathBuf>,
}

/// What a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// A registry.
    Marked,
    /// Nothing, or a registry that somebody began to make.
    Empty,
    /// Something else.
    Foreign,
}

/// The folder of a registry.
#[derive(Clone, Debug)]
pub(super) struct Shelves {
    pub(super) root: PathBuf,
}

impl Shelves {
    pub(super) fn marker(&self) -> PathBuf {
        self.root.join("registry.json")
    }

    /// What the folder is.
    pub(super) fn state(&self) -> Result<State, Damage> {
        if self.is_marked()? {
            return Ok(State::Marked);
        }
        let filled = |folder: PathBuf| names_in(&folder).map(|names| !names.is_empty());
        let ours = [self.lock(), self.temporary(), self.releases(), self.channels()];
        let names = names_in(&self.root)?;
        let has_others = names.iter().any(|name| !ours.contains(&self.root.join(name)));
        if !has_others && !filled(self.releases())? && !filled(self.channels())? {
            return Ok(State::Empty);
        }
        // The marker comes before whatever it marks, and nobody removes it. So it is looked at after the names: what a
        // publisher put there since the first look has its marker by now, and only what is of somebody else has none.
        Ok(if self.is_marked()? { State::Marked } else { State::Foreign })
    }

    fn is_marked(&self) -> Result<bool, Damage> {
        let path = self.marker();
        match bytes_in(&path, MARKER.len()) {
            Ok(bytes) if bytes == MARKER.as_bytes() => Ok(true),
            Ok(_) | Err(Damage::TooLarge { .. }) => Err(Damage::BadMarker { path }),
            Err(Damage::Missing { .. }) => Ok(false),
            Err(damage) => Err(damage),
        }
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }

    pub(super) fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    pub(super) fn releases(&self) -> PathBuf {
        self.root.join("releases")
    }

    pub(super) fn channels(&self) -> PathBuf {
        self.root.join("channels")
    }

    pub(super) fn line(&self, line: &Line) -> PathBuf {
        self.channels().join(line.folder())
    }

    pub(super) fn place(row: &Path, number: u64) -> PathBuf {
        row.join(format!("{number:0NUMBER_DIGITS$}"))
    }

    /// The folder of a release. Only a digest becomes a part of a path.
    pub(super) fn release(&self, name: &str) -> Option<PathBuf> {
        let digits = name.strip_prefix("sha256:")?;
        is_hash(digits).then(|| self.releases().join(digits))
    }

    /// The places of a row that are taken, in order. A folder that is not there is an empty row.
    pub(super) fn row(folder: &Path) -> Result<Row, Damage> {
        let mut row = Row::default();
        for name in names_in(folder)? {
            let path = folder.join(&name);
            match name.to_str().and_then(number_of) {
                Some(number) => row.entries.push(Entry { number, path }),
                None => row.strays.push(path),
            }
        }
        row.entries.sort_by_key(|entry| entry.number);
        Ok(row)
    }

    /// The name of the release that an entry is for.
    pub(super) fn named_by(entry: &Entry) -> Result<String, Damage> {
        let bytes = bytes_in(&entry.path, ENTRY_BYTES_MAX)?;
        let text = String::from_utf8(bytes).ok();
        let name = text.as_deref().and_then(|text| text.strip_suffix('\n'));
        match name.filter(|name| name.strip_prefix("sha256:").is_some_and(is_hash)) {
            Some(name) => Ok(name.to_owned()),
            None => Err(Damage::BadEntry { path: entry.path.clone() }),
        }
    }

    /// The record of a release.
    pub(super) fn record(&self, entry: &Entry) -> Result<Record, Damage> {
        let name = Self::named_by(entry)?;
        let folder = self.release(&name).ok_or_else(|| Damage::BadEntry { path: entry.path.clone() })?;
        if !folder.is_dir() {
            return Err(Damage::Dangling { path: entry.path.clone(), release: folder });
        }
        Self::record_in(&folder, &name)
    }

    pub(super) fn record_in(folder: &Path, name: &str) -> Result<Record, Damage> {
        let path = folder.join(RECORD);
        let bytes = bytes_in(&path, RECORD_BYTES_MAX)?;
        let actual = hash(&bytes);
        if actual != name {
            return Err(Damage::Changed { path, stated: name.to_owned(), actual });
        }
        Record::read(&bytes).ok_or(Damage::BadRecord { path })
    }

    /// Reads a release and finds everything that is wrong with it.
    pub(super) fn open(&self, name: &str, trusted: &[TrustedKey]) -> Result<Release, Vec<Damage>> {
        let folder = self.release(name).unwrap_or_else(|| self.releases());
        let record = Self::record_in(&folder, name);
        let mut damages = stray_files(&folder);
        let record = record.map_err(|damage| damages.push(damage)).ok();
        let mut keep = |read: Result<Option<Vec<u8>>, Damage>| {
            read.map_err(|damage| damages.push(damage)).ok().flatten()
        };
        let wanted = |digest: fn(&Record) -> Option<&String>| record.as_ref().and_then(digest);
        let signature =
            keep(part(&folder.join(SIGNATURE), wanted(|record| record.signature.as_ref()), SEAL_BYTES_MAX));
        let origins =
            keep(part(&folder.join(ORIGINS), wanted(|record| record.origins.as_ref()), DOCUMENT_BYTES_MAX));
        let path = folder.join(BUNDLE);
        let document = document_in(&path).map_err(|damage| damages.push(damage)).ok();
        let (Some(record), Some(document)) = (record, document) else { return Err(damages) };
        let signature = signature.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let parcel =
            Parcel { bundle: &document, origins: origins.as_deref(), signature: signature.as_deref() };
        let Inspection { bundle, digest, signed_by, flaws, .. } = parcel.inspect(trusted);
        if digest != record.digest {
            let (path, stated) = (path.clone(), record.digest.clone());
            damages.push(Damage::Changed { path, stated, actual: digest });
        }
        // What was changed does not fit together; that is no news.
        let is_whole = damages.is_empty();
        let flaws = flaws.into_iter().filter(|flaw| is_whole || *flaw == Flaw::NoSignature);
        damages.extend(flaws.map(|flaw| Damage::Flaw { path: path.clone(), flaw }));
        match bundle {
            Some(bundle) if damages.is_empty() && describes(&record, &bundle) => {
                Ok(Release { record, bundle, signed_by, folder })
            }
            Some(bundle) if !describes(&record, &bundle) => {
                damages.push(Damage::OtherRelease { path: folder.join(RECORD), bundle: path });
                Err(damages)
            }
            _ => Err(damages),
        }
    }
}

fn describes(record: &Record, bundle: &CompiledBundle) -> bool {
    record.package_id == bundle.package_id
        && record.version == bundle.version
        && Some(record.channel) == bundle.build_context.channel
}

/// What does not belong into the folder of a release.
fn stray_files(folder: &Path) -> Vec<Damage> {
    match names_in(folder) {
        Err(damage) => vec![damage],
        Ok(names) => {
            let known = [RECORD, BUNDLE, SIGNATURE, ORIGINS];
            let strays = names.into_iter().filter(|name| !known.iter().any(|known| name == known));
            strays.map(|name| Damage::Unexpected { path: folder.join(name) }).collect()
        }
    }
}

/// A file that is there exactly if the record names its digest.
fn part(path: &Path, digest: Option<&String>, bytes_max: usize) -> Result<Option<Vec<u8>>, Damage> {
    match (digest, path.symlink_metadata().is_ok()) {
        (None, false) => Ok(None),
        (None, true) => Err(Damage::Unexpected { path: path.to_owned() }),
        (Some(stated), _) => {
            let bytes = bytes_in(path, bytes_max)?;
            let actual = hash(&bytes);
            if actual == *stated {
                return Ok(Some(bytes));
            }
            Err(Damage::Changed { path: path.to_owned(), stated: stated.clone(), actual })
        }
    }
}

/// The members of a document that is written in the canonical form: nothing in such a file can change unseen.
fn document_in(path: &Path) -> Result<JsonObject, Damage> {
    let bytes = bytes_in(path, DOCUMENT_BYTES_MAX)?;
    let text = utf8(&bytes, Limits::DOCUMENT).ok();
    let tree = text.and_then(|text| read(text, Format::Json, Limits::DOCUMENT).ok());
    match tree.map(|tree| tree.to_json()) {
        Some(value) if canonical(&value).as_bytes() == bytes => match value {
            serde_json::Value::Object(members) => Ok(members),
            _ => Err(Damage::NotCanonical { path: path.to_owned() }),
        },
        _ => Err(Damage::NotCanonical { path: path.to_owned() }),
    }
}

/// The names in a folder, in order; none, if there is no such folder.
pub(super) fn names_in(folder: &Path) -> Result<Vec<std::ffi::OsString>, Damage> {
    let unreadable = |source: io::Error| Damage::Unreadable { path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        if names.len() == NAMES_MAX {
            return Err(Damage::TooLarge { path: folder.to_owned(), max: NAMES_MAX });
        }
        names.push(entry.map_err(unreadable)?.file_name());
    }
    names.sort();
    Ok(names)
}

/// The bytes of a file. A link is none: it could lead anywhere.
pub(super) fn bytes_in(path: &Path, bytes_max: usize) -> Result<Vec<u8>, Damage> {
    let unreadable = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => Damage::Missing { path: path.to_owned() },
        _ => Damage::Unreadable { path: path.to_owned(), source },
    };
    if !path.symlink_metadata().map_err(unreadable)?.is_file() {
        return Err(Damage::NotAFile { path: path.to_owned() });
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // One byte more than is allowed shows that there is too much.
    file.take(bytes_max as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > bytes_max {
        return Err(Damage::TooLarge { path: path.to_owned(), max: bytes_max });
    }
    Ok(bytes)
}

pub(super) fn is_hash(digits: &str) -> bool {
    digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn number_of(name: &str) -> Option<u64> {
    let plain = name.len() == NUMBER_DIGITS && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|number| plain && *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// How often a registry is made while somebody looks.
    const ROUNDS: usize = 200;

    #[test]
    fn a_registry_that_is_being_made_is_never_foreign() {
        let folder = std::env::temp_dir().join(format!("uiap-shelves-{}", std::process::id()));
        for round in 0..ROUNDS {
            let shelves = Shelves { root: folder.join(round.to_string()) };
            for folder in [shelves.temporary(), shelves.releases(), shelves.channels()] {
                std::fs::create_dir_all(folder).unwrap();
            }
            let prepared = shelves.temporary().join("marker");
            std::fs::write(&prepared, MARKER).unwrap();
            let together = Barrier::new(2);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    together.wait();
                    std::fs::rename(&prepared, shelves.marker()).unwrap();
                    std::fs::create_dir(shelves.releases().join("first")).unwrap();
                });
                together.wait();
                loop {
                    match shelves.state().unwrap() {
                        State::Marked => break,
                        State::Empty => {}
                        State::Foreign => panic!("round {round}: taken for something else"),
                    }
                }
            });
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
