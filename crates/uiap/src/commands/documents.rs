//! The documents that paths on the command line stand for.

use crate::Trouble;
use std::io::Read;
use std::path::{Path, PathBuf};
use uiap_protocol::text::{DOCUMENT_BYTES_MAX, Format};

/// Deepest folder that is looked into.
const FOLDER_DEPTH_MAX: usize = 32;

pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(super) fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()? {
        "json" => Some(Format::Json),
        "yaml" | "yml" => Some(Format::Yaml),
        _ => None,
    }
}

/// A schema lies beside documents for the sake of editors, as `uiap init` puts it there, and is none itself.
fn is_schema(path: &Path) -> bool {
    path.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| name.ends_with(".schema.json"))
}

/// The documents a path stands for, in an order that does not depend on the file system.
pub(super) fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Trouble> {
    if is_stdin(path) || path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    if !path.exists() {
        return Err(Trouble::WrongUse(format!("There is no file or folder {}.", path.display())));
    }
    let before = files.len();
    collect_folder(path, 0, files)?;
    if files.len() == before {
        return Err(Trouble::WrongUse(format!(
            "There is no JSON or YAML document below {}.",
            path.display()
        )));
    }
    Ok(())
}

fn collect_folder(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Trouble> {
    if depth == FOLDER_DEPTH_MAX {
        return Err(Trouble::WrongUse(format!("{} is nested too deeply.", folder.display())));
    }
    let unreadable = |error: std::io::Error| {
        Trouble::WrongUse(format!("The folder {} cannot be read: {error}.", folder.display()))
    };
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths: Vec<_> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(unreadable)?;
    paths.sort();
    for path in paths {
        // Links could lead in a circle or out of the folder.
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect_folder(&path, depth + 1, files)?;
        } else if format_of(&path).is_some() && !is_schema(&path) {
            files.push(path);
        }
    }
    Ok(())
}

/// The bytes of a document, one more than is allowed at most: enough to see that it is too large.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, Trouble> {
    let limit = DOCUMENT_BYTES_MAX as u64 + 1;
    let mut bytes = Vec::new();
    let result = if is_stdin(path) {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    result.map_err(|error| Trouble::WrongUse(format!("{} cannot be read: {error}.", path.display())))?;
    Ok(bytes)
}
