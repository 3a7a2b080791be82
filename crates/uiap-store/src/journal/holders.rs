//! Which processes have the journal open. Each of them holds a lock on a file of its own, in a folder beside the
//! journal, for as long as it lives: the kernel gives the lock up with the process, however that ends, and keeps it
//! for one that is stopped.
//!
//! Start at [`Holder`]. A holder whose file is free or gone is dead.

use super::error::{OpenError, StoreError};
use super::file::{FILE_MODE, FOLDER_MODE, unreachable_at};
use std::collections::hash_map::RandomState;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// What the name of a lock file ends with; before it stands the name of the holder.
const LOCK_SUFFIX: &str = ".lock";
/// How many characters the name of a holder has.
const NAME_LENGTH: usize = 16;
/// How often a lock file is tried to be made, because its folder or its name was taken away meanwhile.
const CLAIM_TRIES: u8 = 8;
/// Most characters of a process id in a lock file.
const PID_LENGTH_MAX: u64 = 16;
/// Most processes that are named to a person.
const PIDS_MAX: usize = 16;

/// Which file a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    number: u64,
}

impl From<&Metadata> for FileId {
    fn from(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), number: metadata.ino() }
    }
}

impl FileId {
    /// Whether a path leads to this file.
    fn is_at(self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|metadata| Self::from(&metadata) == self)
    }
}

/// The folder of the lock files of a journal.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    let mut folder = path.as_os_str().to_owned();
    folder.push(".holders");
    PathBuf::from(folder)
}

fn lock_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{LOCK_SUFFIX}"))
}

/// The right to write to a journal, and the proof that this process lives.
#[derive(Debug)]
pub(super) struct Holder {
    name: String,
    folder: PathBuf,
    lock_path: PathBuf,
    lock_id: FileId,
    journal: PathBuf,
    journal_id: FileId,
    /// The lock lasts as long as this is open.
    _lock: File,
}

impl Holder {
    /// Makes a lock file and locks it. Only whoever opens the journal may, one process at a time.
    pub(super) fn claim(journal: &Path) -> Result<Self, OpenError> {
        let folder = folder_of(journal);
        let mut tries_left = CLAIM_TRIES;
        loop {
            tries_left = tries_left.saturating_sub(1);
            DirBuilder::new()
                .recursive(true)
                .mode(FOLDER_MODE)
                .create(&folder)
                .map_err(unreachable_at(&folder))?;
            let name = random_name();
            let lock_path = lock_path(&folder, &name);
            let made =
                OpenOptions::new().read(true).write(true).create_new(true).mode(FILE_MODE).open(&lock_path);
            let mut lock = match made {
                Ok(lock) => lock,
                // The last holder took the folder with it, or two had the same name.
                Err(error)
                    if tries_left > 0
                        && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) =>
                {
                    continue;
                }
                Err(error) => return Err(unreachable_at(&lock_path)(error)),
            };
            lock.lock().map_err(unreachable_at(&lock_path))?;
            // For people only; on a full disk it goes without.
            let _ = write!(lock, "{}", std::process::id());
            let lock_id = FileId::from(&lock.metadata().map_err(unreachable_at(&lock_path))?);
            let journal_id = FileId::from(&std::fs::metadata(journal).map_err(unreachable_at(journal))?);
            let journal = journal.to_owned();
            return Ok(Self { name, folder, lock_path, lock_id, journal, journal_id, _lock: lock });
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the journal at its path is still the open one, and others still see that this process lives.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if !self.journal_id.is_at(&self.journal) {
            return Err(StoreError::Displaced { path: self.journal.clone() });
        }
        if !self.lock_id.is_at(&self.lock_path) {
            return Err(StoreError::LockLost { path: self.lock_path.clone() });
        }
        Ok(())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        if self.lock_id.is_at(&self.lock_path) {
            // What cannot be removed is removed by the next one who opens the journal.
            let _ = std::fs::remove_file(&self.lock_path);
        }
        // Fails as long as others are in it.
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// Whether a holder lives. Where that cannot be told, it may.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    match File::open(lock_path(folder, name)) {
        Ok(lock) => lock.try_lock_shared().is_err(),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Removes the lock files of the dead. What has another name or holds another text belongs to others and stays.
///
/// Only for whoever opens the journal: a lock file that is being made is free for a moment.
pub(super) fn sweep(folder: &Path) {
    for path in lock_files(folder) {
        let Ok(mut lock) = File::open(&path) else { continue };
        if lock.try_lock().is_ok() && process_in(&mut lock).is_ok() {
            // What cannot be removed now may be later; nothing depends on it.
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// The processes that have the journal open, as far as they said who they are.
pub(super) fn living(folder: &Path) -> Vec<u32> {
    let process = |path: PathBuf| {
        let mut lock = File::open(path).ok()?;
        let is_held = lock.try_lock_shared().is_err();
        process_in(&mut lock).ok().flatten().filter(|_| is_held)
    };
    let mut processes: Vec<u32> = lock_files(folder).filter_map(process).take(PIDS_MAX).collect();
    processes.sort_unstable();
    processes
}

fn lock_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())).filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?.strip_suffix(LOCK_SUFFIX)?;
        let is_ours = name.len() == NAME_LENGTH && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_ours.then(|| entry.path())
    })
}

/// The process that a lock file names; none, if it is empty. An error, if it is no lock file of ours.
pub(super) fn process_in(lock: &mut File) -> std::io::Result<Option<u32>> {
    let mut text = String::new();
    lock.take(PID_LENGTH_MAX).read_to_string(&mut text)?;
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| ErrorKind::InvalidData.into()),
    }
}

/// A name that is not given twice. It is no secret.
fn random_name() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
