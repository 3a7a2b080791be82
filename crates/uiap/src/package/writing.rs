//! Files that are there as a whole or not at all.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file so that readers see the old or the new one, whatever happens in between.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = beside(path);
    let written = write_beside(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // It is not there if it could not be made.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn write_beside(beside: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(beside)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}
