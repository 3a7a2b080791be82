//! Files that are there as a whole or not at all.

use crate::Trouble;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that readers see the old or the new one, whatever happens in between.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    write_in_order(&[(path, bytes)])
}

/// Writes files as [`write_whole`] does. A new one is seen only when those before it are; all of them are on the disk
/// before the first is seen, which takes no longer than for the largest of them.
pub(crate) fn write_in_order(files: &[(&Path, &[u8])]) -> Result<(), Trouble> {
    let besides: Vec<PathBuf> = files.iter().map(|(path, _)| beside(path)).collect();
    let written: Vec<std::io::Result<()>> = std::thread::scope(|scope| {
        let files = files.iter().zip(&besides);
        let writers: Vec<_> =
            files.map(|((_, bytes), beside)| scope.spawn(move || write_beside(beside, bytes))).collect();
        let broken = |_| Err(ErrorKind::Other.into());
        writers.into_iter().map(|writer| writer.join().unwrap_or_else(broken)).collect()
    });
    // Who still has the old files open does not wait for them to be cleared away, one after the other, by renaming.
    let old: Vec<File> = files.iter().filter_map(|(path, _)| opened(path)).collect();
    let mut written = files.iter().zip(written);
    let written = written.try_for_each(|((path, _), written)| written.map_err(|error| (*path, error)));
    let renamed = written.and_then(|()| {
        let mut places = files.iter().zip(&besides);
        places
            .try_for_each(|((path, _), beside)| std::fs::rename(beside, path).map_err(|error| (*path, error)))
    });
    std::thread::scope(|scope| {
        for file in old {
            scope.spawn(|| drop(file));
        }
    });
    renamed.map_err(|(path, error)| {
        for beside in &besides {
            // It is not there if it could not be made, or is in its place already.
            let _ = std::fs::remove_file(beside);
        }
        let advice = match error.kind() {
            ErrorKind::NotFound => "Make its folder first, or name another file.",
            ErrorKind::IsADirectory => "Name a file in it.",
            _ => "Name a file that can be written.",
        };
        Trouble::WrongUse(format!("{} cannot be written: {error}. {advice}", path.display()))
    })
}

/// A file that is there. What is no file may keep waiting who opens it.
fn opened(path: &Path) -> Option<File> {
    path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    File::open(path).ok()
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
