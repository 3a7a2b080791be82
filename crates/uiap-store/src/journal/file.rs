//! The file: found, locked, opened, brought to the known format.

use super::error::{OpenError, StoreError};
use rusqlite::{Connection, OpenFlags};
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCHEMA: &str = include_str!("schema.sql");
/// What leads from each format to the next, beginning with the first.
const UPGRADES: [&str; 2] = [include_str!("from_1_to_2.sql"), include_str!("from_2_to_3.sql")];
/// Marks the file as ours: `UIAP` in ASCII.
const APPLICATION_ID: i64 = 0x5549_4150;
/// The format that [`SCHEMA`] makes.
const FORMAT: i64 = 3;
/// How often the right to write is asked for, and the pause between.
const LOCK_TRIES: u8 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(10);
/// Longest wait for somebody who copies the file or reads it in an old mode.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// Size to which the log of the database is cut back.
const LOG_BYTES_KEPT: i64 = 8 * 1024 * 1024;
/// Most characters of a process id in the lock file.
const PID_LENGTH_MAX: u64 = 16;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// The right to write, for as long as it lives; it ends with the process, however that ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "holding the file open holds the lock")] File);

/// A path that the database takes for a path, whatever it looks like.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, OpenError> {
    std::path::absolute(path).map_err(unreachable_at(path))
}

/// Makes the folder and takes the lock.
pub(super) fn lock(path: &Path) -> Result<Lock, OpenError> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder).map_err(unreachable_at(folder))?;
    }
    let lock_path = lock_path(path);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(&lock_path)
        .map_err(unreachable_at(&lock_path))?;
    for tries_left in (0..LOCK_TRIES).rev() {
        match file.try_lock() {
            Ok(()) => break,
            // A reader asks for a moment whether anybody writes.
            Err(TryLockError::WouldBlock) if tries_left > 0 => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::InUse { path: path.to_owned(), owner: owner_of(&file) });
            }
            Err(TryLockError::Error(source)) => return Err(unreachable_at(&lock_path)(source)),
        }
    }
    file.set_len(0)
        .and_then(|()| write!(file, "{}", std::process::id()))
        .map_err(unreachable_at(&lock_path))?;
    Ok(Lock(file))
}

fn lock_path(path: &Path) -> PathBuf {
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    PathBuf::from(lock_path)
}

/// Whether some process has the right to write now. Where that cannot be told, one may have it.
pub(super) fn is_locked(path: &Path) -> bool {
    match File::open(lock_path(path)) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

fn owner_of(file: &File) -> Option<u32> {
    let mut text = String::new();
    file.take(PID_LENGTH_MAX).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Opens the journal for writing; makes it, if there is none.
pub(super) fn open_for_writing(path: &Path, bytes_max: u64) -> Result<Connection, OpenError> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(FILE_MODE)
        .open(path)
        .map_err(unreachable_at(path))?;
    // The database gives its other files the rights of this one.
    file.set_permissions(Permissions::from_mode(FILE_MODE)).map_err(unreachable_at(path))?;
    let connection = connect(path)?;
    if is_empty(&connection).map_err(unusable(path))? {
        make(&connection).map_err(unusable(path))?;
    }
    upgrade(&connection).map_err(unusable(path))?;
    check_format(&connection, path)?;
    prepare(&connection, bytes_max).map_err(unusable(path))?;
    Ok(connection)
}

/// Opens a journal that another process may be writing to.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, OpenError> {
    if !path.exists() {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    let connection = connect(path)?;
    if is_empty(&connection).map_err(unusable(path))? {
        return Err(OpenError::Missing { path: path.to_owned() });
    }
    check_format(&connection, path)?;
    connection.pragma_update(None, "query_only", true).map_err(unusable(path))?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, OpenError> {
    // A reader writes nothing, but it may have to read the log of a dead writer in.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(unusable(path))?;
    connection.busy_timeout(BUSY_WAIT).map_err(unusable(path))?;
    Ok(connection)
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
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

/// Brings a journal of ours from an earlier format to the present one.
fn upgrade(connection: &Connection) -> rusqlite::Result<()> {
    if number(connection, "application_id")? != APPLICATION_ID {
        return Ok(());
    }
    for (from, change) in (1..).zip(UPGRADES) {
        if number(connection, "user_version")? == from {
            let to = from + 1;
            connection
                .execute_batch(&format!("BEGIN IMMEDIATE; {change} PRAGMA user_version = {to}; COMMIT;"))?;
        }
    }
    Ok(())
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

fn unreachable_at(path: &Path) -> impl Fn(std::io::Error) -> OpenError {
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
