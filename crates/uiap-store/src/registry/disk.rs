//! The few things that the registry does to a disk.
//!
//! [`Disk`] is the list of them, so that tests can end a publisher between any two; [`RealDisk`] does them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// What holds a lock: it is given back when this goes away, at the latest with the process.
pub type Held = Box<dyn Send>;

/// Everything that changes a registry. Each is done when it returns, but only what says so survives a loss of power.
pub trait Disk {
    /// Makes a folder; one that is there already is good.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a file that must not be there yet. Its bytes survive a loss of power.
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file or folder another name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name, which must not be taken: of two who try, one fails.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file, or a folder with what is in it.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The names in a folder survive a loss of power.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Takes a lock; nothing, if somebody else has it.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Held>>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        match std::fs::create_dir(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            made => made,
        }
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        // A link to a folder is removed as a link: nothing outside the registry is touched.
        if path.symlink_metadata()?.is_dir() {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_file(path)
        }
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Held>> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // For people who find the file: who holds it, or held it last.
        file.set_len(0)?;
        write!(file, "{}", std::process::id())?;
        Ok(Some(Box::new(file)))
    }
}
