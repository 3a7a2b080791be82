//! The temporary profile of a browser: made fresh, removed at the end, and removed by the next start if its owner
//! could not do it any more.

use rustix::process::{Pid, geteuid, test_kill_process};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How the names of our profiles begin; the rest is `PID-STARTED-NUMBER`.
const PREFIX: &str = "uiap-browser-";
/// Names that are tried before giving up.
const NAMES_TRIED_MAX: u32 = 1_000;
/// Leftovers that one start removes.
const STALE_MAX: usize = 64;
/// How long a browser that was just killed may still hold files.
const REMOVAL_WAIT: Duration = Duration::from_secs(2);
const REMOVAL_PAUSE: Duration = Duration::from_millis(5);

/// The folder a browser keeps its things in.
#[derive(Debug)]
pub(crate) struct Profile {
    path: PathBuf,
    /// Ours to remove.
    temporary: bool,
}

impl Profile {
    /// A fresh folder that nobody else can read.
    pub(crate) fn temporary() -> io::Result<Self> {
        let owner = std::process::id();
        let started = started(owner).unwrap_or_default();
        for number in 0..NAMES_TRIED_MAX {
            let path = std::env::temp_dir().join(format!("{PREFIX}{owner}-{started}-{number}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path, temporary: true }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// A folder of the user, which stays.
    pub(crate) fn kept(path: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        Ok(Self { path, temporary: false })
    }

    /// It stays when its browser ends.
    pub(crate) fn is_kept(&self) -> bool {
        !self.temporary
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        if self.temporary {
            remove(&self.path);
        }
    }
}

/// Removes a folder that dying processes may still be writing to.
fn remove(path: &Path) {
    let end = Instant::now() + REMOVAL_WAIT;
    while std::fs::remove_dir_all(path).is_err() && path.exists() && Instant::now() < end {
        std::thread::sleep(REMOVAL_PAUSE);
    }
}

/// Removes what processes left behind that were killed before they could.
pub(crate) fn remove_stale() {
    let Ok(folder) = std::env::temp_dir().read_dir() else { return };
    let stale = folder.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_stale));
    let own = |path: &PathBuf| {
        path.symlink_metadata().is_ok_and(|facts| facts.is_dir() && facts.uid() == geteuid().as_raw())
    };
    stale.map(|entry| entry.path()).filter(own).take(STALE_MAX).for_each(|path| remove(&path));
}

fn is_stale(name: &str) -> bool {
    let mut parts = name.strip_prefix(PREFIX).unwrap_or_default().split('-');
    let (Some(owner), Some(since)) = (parts.next(), parts.next()) else { return false };
    let (Ok(owner), Ok(since)) = (owner.parse(), since.parse::<u64>()) else { return false };
    !is_alive(owner) || started(owner).is_some_and(|started| started != since)
}

fn is_alive(process: u32) -> bool {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    // A process of somebody else refuses the signal, but it lives.
    pid.is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// When a process was started, in clock ticks since boot: tells a process from a later one with the same number.
/// Unknown where there is no `/proc`.
fn started(process: u32) -> Option<u64> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in parentheses and may contain anything; the start is the 20th word after it.
    let (_, rest) = line.rsplit_once(") ")?;
    rest.split(' ').nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_dead_owners_are_stale() {
        let own = std::process::id();
        let since = started(own).unwrap_or_default();
        assert!(!is_stale(&format!("{PREFIX}{own}-{since}-0")));
        assert!(!is_stale("uiap-browser-"));
        assert!(!is_stale("uiap-browser-x-1-0"));
        assert!(!is_stale("something-else-1-1-0"));
        // No process has this number.
        assert!(is_stale(&format!("{PREFIX}{}-1-0", i32::MAX)));
        // The number is in use again, by another process.
        assert!(is_stale(&format!("{PREFIX}{own}-{}-0", since + 1)) || since == 0);
    }

    #[test]
    fn a_profile_is_private_and_vanishes() {
        let profile = Profile::temporary().unwrap();
        let path = profile.path().to_owned();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
        std::fs::write(path.join("file"), "x").unwrap();
        drop(profile);
        assert!(!path.exists());
    }
}
