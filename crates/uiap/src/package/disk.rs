//! Packages on a disk.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;
use uiap_authoring::{FILE_BYTES_MAX, Folder, PACKAGE_FILES, Sources, Unreadable};

/// Deepest folder in which packages are looked for.
const FOLDER_DEPTH_MAX: usize = 8;

/// Folders on a disk: those of packages, and those in which imported packages are looked for.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    repositories: Vec<PathBuf>,
}

impl Disk {
    pub(crate) fn new(repositories: Vec<PathBuf>) -> Self {
        Self { repositories }
    }
}

impl Sources for Disk {
    fn read(&self, folder: &Folder, path: &str) -> Result<Vec<u8>, Unreadable> {
        let path = Path::new(path);
        let is_inside =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_inside {
            return Err(Unreadable::Outside);
        }
        let root = Path::new(folder.as_str());
        let file = root.join(path);
        // Links are followed as long as they stay in the folder.
        let (root, real) = (
            root.canonicalize().map_err(|error| unreadable(&error))?,
            file.canonicalize().map_err(|error| unreadable(&error))?,
        );
        if !real.starts_with(&root) {
            return Err(Unreadable::Outside);
        }
        if !real.is_file() {
            return Err(Unreadable::Other("it is not a file".to_owned()));
        }
        let mut bytes = Vec::new();
        let opened = File::open(real).map_err(|error| unreadable(&error))?;
        opened.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        if bytes.len() > FILE_BYTES_MAX { Err(Unreadable::TooLarge) } else { Ok(bytes) }
    }

    fn importable(&self) -> Vec<Folder> {
        let mut folders = Vec::new();
        for repository in &self.repositories {
            collect(repository, 0, &mut folders);
        }
        folders
    }
}

/// The files of a disk that somebody has read or looked for, and what they were then.
#[derive(Debug)]
pub(crate) struct Watched<'d> {
    disk: &'d Disk,
    seen: RefCell<BTreeMap<PathBuf, Option<Stamp>>>,
}

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    /// Nothing if there is no such file.
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        Some(Self { modified: metadata.modified().ok(), bytes: metadata.len() })
    }
}

impl<'d> Watched<'d> {
    pub(crate) fn new(disk: &'d Disk) -> Self {
        Self { disk, seen: RefCell::default() }
    }

    /// A file that is not what it was, or that came or went.
    pub(crate) fn changed(&self) -> Option<PathBuf> {
        let seen = self.seen.borrow();
        seen.iter().find(|(path, stamp)| Stamp::of(path) != **stamp).map(|(path, _)| path.clone())
    }
}

impl Sources for Watched<'_> {
    fn read(&self, folder: &Folder, path: &str) -> Result<Vec<u8>, Unreadable> {
        let file = Path::new(folder.as_str()).join(path);
        // Before it is read: what changes meanwhile is seen the next time.
        let stamp = Stamp::of(&file);
        self.seen.borrow_mut().insert(file, stamp);
        self.disk.read(folder, path)
    }

    fn importable(&self) -> Vec<Folder> {
        self.disk.importable()
    }
}

fn unreadable(error: &std::io::Error) -> Unreadable {
    match error.kind() {
        ErrorKind::NotFound => Unreadable::Missing,
        _ => Unreadable::Other(error.to_string()),
    }
}

/// Every folder below one that holds a package. Links are not followed: they may lead in a circle.
fn collect(folder: &Path, depth: usize, folders: &mut Vec<Folder>) {
    if PACKAGE_FILES.iter().any(|name| folder.join(name).is_file()) {
        folders.push(Folder::new(folder.display().to_string()));
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    if depth == FOLDER_DEPTH_MAX {
        return;
    }
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, depth + 1, folders);
        }
    }
}
