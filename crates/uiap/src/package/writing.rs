//! Files that are there as a whole or not at all.

use crate::Trouble;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that readers see the old or the new one, whatever happens in between.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let beside = beside(path);
    let written = write_beside(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // It is not there if it could not be made.
        let _ = std::fs::remove_file(&beside);
        let advice = match error.kind() {
            ErrorKind::NotFound => "Make its folder first, or name another file.",
            ErrorKind::IsADirectory => "Name a file in it.",
            _ => "Name a file that can be written.",
        };
        Trouble::WrongUse(format!("{} cannot be written: {error}. {advice}", path.display()))
    })
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
