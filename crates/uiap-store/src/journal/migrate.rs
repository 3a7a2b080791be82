//! Brings a journal from an earlier format to the present one, and keeps a copy of what it was.

use super::error::{OpenError, StoreError};
use super::file::{APPLICATION_ID, FILE_MODE, FORMAT, number, unreachable_at, unusable};
use rusqlite::Connection;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What leads from each format to the next, beginning with the first.
const UPGRADES: [&str; 3] =
    [include_str!("from_1_to_2.sql"), include_str!("from_2_to_3.sql"), include_str!("from_3_to_4.sql")];

/// Upgrades a journal of ours, in one transaction. Before that a copy is made beside it; what is there under the name
/// of the copy gives way to it.
pub(super) fn upgrade(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let database = unusable::<rusqlite::Error>(path);
    if number(connection, "application_id").map_err(&database)? != APPLICATION_ID {
        return Ok(());
    }
    let from = number(connection, "user_version").map_err(&database)?;
    if !(1..FORMAT).contains(&from) {
        return Ok(());
    }
    keep_copy(connection, path, from)?;
    let changes: String =
        (1..).zip(UPGRADES).filter(|(before, _)| *before >= from).map(|(_, change)| change).collect();
    connection
        .execute_batch(&format!("BEGIN IMMEDIATE; {changes} PRAGMA user_version = {FORMAT}; COMMIT;"))
        .map_err(|error| {
            // A failed statement leaves the transaction open; the first error is what counts.
            let _ = connection.execute_batch("ROLLBACK");
            database(error)
        })
}

fn keep_copy(connection: &Connection, path: &Path, format: i64) -> Result<(), OpenError> {
    let copy = beside(path, &format!(".v{format}.bak"));
    let unfinished = beside(path, &format!(".v{format}.bak.part"));
    let kept = write_copy(connection, &unfinished)
        .and_then(|()| std::fs::rename(&unfinished, &copy).map_err(unreachable_at(&copy)));
    if kept.is_err() {
        // It is not even half a copy; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(&unfinished);
    }
    kept
}

fn write_copy(connection: &Connection, copy: &Path) -> Result<(), OpenError> {
    // The database writes into an empty file, whose rights are those of the journal.
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(FILE_MODE)
        .open(copy)
        .map_err(unreachable_at(copy))?;
    drop(file);
    let Some(name) = copy.to_str() else {
        let source = StoreError::Unreadable { what: "the name of the file, which is no Unicode," };
        return Err(OpenError::Unusable { path: copy.to_owned(), source });
    };
    connection.execute("VACUUM INTO ?1", [name]).map_err(unusable(copy))?;
    File::open(copy).and_then(|file| file.sync_all()).map_err(unreachable_at(copy))
}

/// A name that begins like that of the journal.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
