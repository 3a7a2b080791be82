//! The packages in `spec/packages`, in memory.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use std::path::{Path, PathBuf};
use uiap_authoring::{Builder, Folder, Lock, Memory, Outcome, Request, Sources, Texts};
use uiap_protocol::authoring::{BuildContext, ReleaseChannel};
use uiap_protocol::time::Timestamp;

/// A file of a package.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every file of a folder of `spec/packages`, by path.
pub(crate) fn files(folder: &str) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/packages").join(folder);
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(path) = open.pop() {
        for entry in root.join(&path).read_dir().expect("a folder").flatten() {
            let path = path.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
                continue;
            }
            let path: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            let text = std::fs::read_to_string(entry.path()).expect("a text");
            found.push(SourceFile { path: path.join("/"), text });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Puts files into a folder.
pub(crate) fn put(memory: &mut Memory, folder: &str, files: &[SourceFile]) {
    for file in files {
        memory.put(folder, &file.path, file.text.as_str());
    }
}

/// Builds the package of a folder for a channel.
pub(crate) fn build(sources: &dyn Sources, folder: &str, channel: ReleaseChannel) -> Outcome {
    let context = BuildContext { channel: Some(channel), ..BuildContext::default() };
    let now = Timestamp::new("2026-06-01T00:00:00Z").expect("a time");
    let request = Request { folder: Folder::new(folder), context, now, lock: Lock::default() };
    Builder::new(&Texts::default()).build(&request, sources)
}
