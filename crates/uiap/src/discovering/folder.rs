//! The folder of a run: what it found, the evidence for it, and the logbook by which it can be gone on with.

use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use uiap_discovery::explore::Archive;
use uiap_discovery::naming::id_of;

/// Where evidence is kept, in the folder.
const EVIDENCE: &str = "evidence";
/// The logbook, in the folder.
const LOGBOOK: &str = "logbook.jsonl";
/// What the run of the folder is, in the folder.
const RUN: &str = "run.json";
/// What a file is called before it is whole.
const PARTIAL: &str = "partial";

/// Most bytes of an id that is the name of a file: what is put behind it has to fit, too.
const NAME_BYTES_MAX: usize = 128;
/// Most letters of an id that are kept in the name of a file where it cannot be the name itself.
const KEPT_LETTERS_MAX: usize = 40;

/// An id as the name of a file or a folder, and of nothing beside it: as it is where that is one, otherwise its letters and
/// a digest.
pub(crate) fn file_name(id: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ');
    if id.len() <= NAME_BYTES_MAX && !id.starts_with('.') && id.chars().all(is_plain) {
        return id.to_owned();
    }
    let letters: String =
        id.chars().filter(|letter| letter.is_alphanumeric()).take(KEPT_LETTERS_MAX).collect();
    id_of(&letters, &[id])
}

/// Keeps out other runs for as long as the file is open.
fn lock(folder: &Path) -> io::Result<File> {
    let lock = File::open(folder)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is working in it")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The folder of a run.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    logbook: Mutex<File>,
    /// Keeps out other runs, as long as the folder is open.
    _lock: File,
}

impl RunFolder {
    /// Opens a folder for one run at a time, and makes it where there is none.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path.join(EVIDENCE))?;
        let lock = lock(path)?;
        let logbook = OpenOptions::new().create(true).append(true).open(path.join(LOGBOOK))?;
        trim(&logbook, &fs::read(path.join(LOGBOOK))?)?;
        Ok(Self { path: path.to_owned(), logbook: Mutex::new(logbook), _lock: lock })
    }

    /// The run that an earlier process began here: its id, when it began and what it is about.
    pub(crate) fn began(&self) -> io::Result<Option<(String, String, String)>> {
        let text = match fs::read_to_string(self.path.join(RUN)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let run: Value = serde_json::from_str(&text).map_err(io::Error::other)?;
        let word = |name: &str| run.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(Some((word("runId"), word("startedAt"), word("about"))))
    }

    /// Notes a run that begins.
    pub(crate) fn begin(&self, id: &str, started: &str, about: &str) -> io::Result<()> {
        let run = json!({ "runId": id, "startedAt": started, "about": about, "finished": false });
        self.write(RUN, run.to_string().as_bytes())
    }

    /// Notes that the run ended, and whether there is anything left to do.
    pub(crate) fn end(&self, finished: bool) -> io::Result<()> {
        let Some((id, started, about)) = self.began()? else { return Ok(()) };
        let run = json!({ "runId": id, "startedAt": started, "about": about, "finished": finished });
        self.write(RUN, run.to_string().as_bytes())
    }

    /// Takes away the run of a folder, but for files that are not of a run.
    pub(crate) fn forget(path: &Path) -> io::Result<()> {
        // What is called like a part of a run is none where there is no run.
        if !path.join(RUN).exists() {
            return Ok(());
        }
        let _lock = lock(path)?;
        let gone = |removed: io::Result<()>| match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        gone(fs::remove_dir_all(path.join(EVIDENCE)))?;
        gone(fs::remove_file(path.join(LOGBOOK)))?;
        // By this it is a run; whoever is interrupted before takes it away the next time.
        gone(fs::remove_file(path.join(RUN)))
    }

    /// Everything is done that a run here could do.
    pub(crate) fn is_finished(path: &Path) -> bool {
        let text = fs::read_to_string(path.join(RUN)).unwrap_or_default();
        let run: Value = serde_json::from_str(&text).unwrap_or_default();
        run.get("finished").and_then(Value::as_bool) == Some(true)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, whole or not at all, whether or not it is there.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(name, |file| file.write_all(bytes).and_then(|()| file.sync_all()))
    }

    /// The same for what is never there as a whole.
    pub(crate) fn write_with(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.put(name, |file| {
            let mut out = BufWriter::new(&mut *file);
            write(&mut out)?;
            out.flush()?;
            drop(out);
            file.sync_all()
        })
    }

    /// A file that is half written is never seen under its name, and does not stay.
    fn put(&self, name: &str, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let path = self.path.join(name);
        let partial = path.with_extension(PARTIAL);
        let written = File::create(&partial).and_then(|mut file| write(&mut file));
        written.and_then(|()| fs::rename(&partial, &path)).map_err(|error| {
            // The reason is told, and what is left helps nobody.
            let _ = fs::remove_file(&partial);
            unwritable(&path, &error)
        })
    }
}

/// A process that ended while it wrote leaves half a line. What comes next must not stand behind it.
fn trim(logbook: &File, written: &[u8]) -> io::Result<()> {
    let whole = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole == written.len() { Ok(()) } else { logbook.set_len(u64::try_from(whole).unwrap_or(u64::MAX)) }
}

fn unwritable(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display()))
}

impl Archive for RunFolder {
    fn keep(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(name, |file| file.write_all(bytes))
    }

    fn kept(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(name))
    }

    fn log(&self, line: &str) -> io::Result<()> {
        let mut logbook = self.logbook.lock().unwrap_or_else(PoisonError::into_inner);
        let written = logbook.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| unwritable(&self.path.join(LOGBOOK), &error))
    }

    fn lines(&self) -> io::Result<Vec<String>> {
        BufReader::new(File::open(self.path.join(LOGBOOK))?).lines().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_a_file_of_its_folder_and_no_other() {
        for plain in ["staging", "127-0-0-1-4870", "Prüfung 2.1", "shop_eu"] {
            assert_eq!(file_name(plain), plain);
        }
        let names =
            ["../../etc/cron", "/etc/cron", "..", ".", ".hidden", "a/b", "a\\b", "a\0b"].map(file_name);
        for name in &names {
            let path = Path::new(name);
            assert_eq!((path.components().count(), path.parent()), (1, Some(Path::new(""))), "{name}");
            assert!(!name.starts_with('.') && !name.contains('\0'), "{name}");
        }
        assert_ne!(file_name("a/b"), file_name("ab"));
        assert!(file_name(&"語".repeat(128)).len() < 255);
    }
}
