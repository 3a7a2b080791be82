//! The file: found, opened by one process at a time, brought to the present format.

use super::error::{OpenError, StoreError};
use super::holders::process_in;
use super::{OTHERS_WAIT, Settings, migrate};
use rusqlite::{Connection, OpenFlags};
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{ErrorKind, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SCHEMA: &str = include_str!("schema.sql");
/// Marks the file as ours: `UIAP` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x5549_4150;
/// The format that [`SCHEMA`] makes.
pub(super) const FORMAT: i64 = 4;
/// Pause between two tries to open the journal while others open it.
const OPENING_PAUSE: Duration = Duration::from_millis(5);
/// Size to which the log of the database is cut back.
const LOG_BYTES_KEPT: i64 = 8 * 1024 * 1024;

pub(super) const FILE_MODE: u32 = 0o600;
pub(super) const FOLDER_MODE: u32 = 0o700;

/// Keeps out others who open the journal, for as long as it lives. Earlier versions hold the same lock as long as they
/// run, so that they and this one never write at the same time.
#[derive(Debug)]
pub(super) struct OpeningLock(#[expect(dead_code, reason = "holding the file open holds the lock")] File);

/// A path that the database takes for a path, whatever it looks like, and that is the same for all who mean the same
/// file.
pub(super) fn real(path: &Path) -> Result<PathBuf, OpenError> {
    let path = std::path::absolute(path).map_err(unreachable_at(path))?;
    if let Ok(real) = path.canonicalize() {
        return Ok(real);
    }
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    Ok(match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    })
}

/// Makes the folder of the journal, unless it is there.
pub(super) fn make_folder(path: &Path) -> Result<(), OpenError> {
    let path = std::path::absolute(path).map_err(unreachable_at(path))?;
    let Some(folder) = path.parent() else { return Ok(()) };
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder).map_err(unreachable_at(folder))
}

/// Takes the lock; waits while others open the journal, but not for ever.
pub(super) fn lock_opening(path: &Path, wait: Duration) -> Result<OpeningLock, OpenError> {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let lock_path = PathBuf::from(lock_path);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(&lock_path)
        .map_err(unreachable_at(&lock_path))?;
    let end = Instant::now() + wait;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(OPENING_PAUSE),
            Err(TryLockError::WouldBlock) => {
                let owner = process_in(&mut file).ok().flatten();
                return Err(OpenError::Locked { path: path.to_owned(), lock: lock_path, owner });
            }
            Err(TryLockError::Error(source)) => return Err(unreachable_at(&lock_path)(source)),
        }
    }
    // For people only, and not over the text of another program.
    if process_in(&mut file).is_ok() {
        let _ = file
            .rewind()
            .and_then(|()| file.set_len(0))
            .and_then(|()| write!(file, "{}", std::process::id()));
    }
    Ok(OpeningLock(file))
}

/// Opens the journal for writing; makes it, if there is none. Only under the lock.
pub(super) fn open_for_writing(path: &Path, settings: Settings) -> Result<Connection, OpenError> {
    make_file(path)?;
    let connection = connect(path, settings.wait)?;
    if is_empty(&connection).map_err(unusable(path))? {
        make(&connection).map_err(unusable(path))?;
    }
    migrate::upgrade(&connection, path)?;
    check_format(&connection, path)?;
    prepare(&connection, settings.bytes_max).map_err(unusable(path))?;
    Ok(connection)
}

/// Makes an empty file, unless there is one, that nobody else may read.
///
/// INVARIANT: a file that a database may have open is never opened here. Closing it would give up the locks that the
/// database has on it (POSIX locks belong to the process), and another process would take its log away.
fn make_file(path: &Path) -> Result<(), OpenError> {
    let made = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path);
    match made {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unreachable_at(path)(error)),
    }
    if std::fs::metadata(path).map_err(unreachable_at(path))?.is_dir() {
        return Err(unreachable_at(path)(ErrorKind::IsADirectory.into()));
    }
    // The database gives its other files the rights of this one.
    std::fs::set_permissions(path, Permissions::from_mode(FILE_MODE)).map_err(unreachable_at(path))
}

/// Opens a journal that another process may be writing to.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, OpenError> {
    if !path.exists() {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    let connection = connect(path, OTHERS_WAIT)?;
    if is_empty(&connection).map_err(unusable(path))? {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    check_format(&connection, path)?;
    connection.pragma_update(None, "query_only", true).map_err(unusable(path))?;
    Ok(connection)
}

fn connect(path: &Path, wait: Duration) -> Result<Connection, OpenError> {
    // A reader writes nothing, but it may have to read the log of a dead writer in.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(unusable(path))?;
    connection.busy_timeout(wait).map_err(unusable(path))?;
    Ok(connection)
}

pub(super) fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

/// Nobody has written anything into it.
fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let tables: i64 = connection.query_one("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(tables == 0 && number(connection, "application_id")? == 0)
}

/// In one transaction, so that a journal is there wholly or not at all.
fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT;"
    ))
}

fn check_format(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let path = path.to_owned();
    if number(connection, "application_id").map_err(unusable(&path))? != APPLICATION_ID {
        return Err(OpenError::Foreign { path });
    }
    match number(connection, "user_version").map_err(unusable(&path))? {
        FORMAT => Ok(()),
        found if (1..FORMAT).contains(&found) => Err(OpenError::Older { path }),
        found if found > FORMAT => Err(OpenError::Newer { path, found, known: FORMAT }),
        _ => Err(OpenError::Damaged { path, source: StoreError::Unreadable { what: "the format" } }),
    }
}

fn prepare(connection: &Connection, bytes_max: u64) -> Result<(), StoreError> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::NoSharedMemory);
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
    let page_bytes = number(connection, "page_size")?.max(1);
    let pages_max = i64::try_from(bytes_max).unwrap_or(i64::MAX) / page_bytes;
    connection.pragma_update_and_check(None, "max_page_count", pages_max, |_| Ok(()))?;
    Ok(())
}

pub(super) fn unreachable_at(path: &Path) -> impl Fn(std::io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| OpenError::Unreachable { path: path.clone(), source }
}

/// What an error of the database means to somebody who opens it.
pub(super) fn unusable<E: Into<StoreError>>(path: &Path) -> impl Fn(E) -> OpenError {
    let path = path.to_owned();
    move |error| {
        let (path, source) = (path.clone(), error.into());
        if source.is_damage() {
            OpenError::Damaged { path, source }
        } else {
            OpenError::Unusable { path, source }
        }
    }
}
