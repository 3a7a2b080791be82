//! A journal of format 3, the last that one process kept for itself, becomes one that is shared; and back.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use crate::common::{Folder, entry, handle, intent, result, trace};
use rusqlite::Connection;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use uiap_protocol::action::{ActionStatus, SideEffectState};
use uiap_protocol::capability::ExecutionMode;
use uiap_runtime::journal::{Admission, Entry, Journal};
use uiap_store::{JournalReader, OpenError, Settings, SqliteJournal};

/// The tables of format 3, as they were made then.
const FORMAT_3: &str = include_str!("format_3.sql");
/// The way back, as a person runs it.
const BACK: &str = include_str!("../../src/journal/from_4_to_3.sql");
const MODE: ExecutionMode = ExecutionMode::SemanticUi;

fn open(path: &Path) -> SqliteJournal {
    SqliteJournal::open(path, Settings::default(), 2_000).expect("a journal")
}

fn number(connection: &Connection, query: &str) -> i64 {
    connection.query_one(query, [], |row| row.get(0)).expect("a number")
}

fn copy_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.v3.bak", path.display()))
}

/// A journal of format 3 with an action that ended, one whose outcome is unknown, and one that is open.
async fn old_journal(folder: &Folder) -> PathBuf {
    let (path, made) = (folder.journal(), folder.journal().with_extension("made"));
    let journal = open(&made);
    for name in ["done", "lost", "open"] {
        let unkeyed = Entry { key: None, ..entry(name) };
        let asked = if name == "done" { entry(name) } else { unkeyed };
        journal.admit(Entry { repeatable: false, ..asked }).await.expect("admitted");
        journal.intend(&handle(name), intent(MODE)).await.expect("kept");
        let ended = match name {
            "done" => result(name, ActionStatus::Succeeded, SideEffectState::Applied),
            "lost" => result(name, ActionStatus::Failed, SideEffectState::Unknown),
            _ => continue,
        };
        journal.conclude(ended, trace(name)).await.expect("kept");
    }
    drop(journal);
    let old = Connection::open(&path).expect("a file");
    old.execute_batch(FORMAT_3).expect("the old tables");
    old.execute("ATTACH ?1 AS made", [made.to_str().expect("a path")]).expect("the rows");
    for table in ["action", "step", "trace", "turned_away"] {
        let columns: Vec<String> = old
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))
            .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
            .expect("columns");
        let columns = columns.join(", ");
        old.execute_batch(&format!(
            "INSERT INTO main.{table} ({columns}) SELECT {columns} FROM made.{table}"
        ))
        .expect("copied");
    }
    path
}

#[tokio::test]
async fn a_journal_of_format_3_is_shared_from_then_on_and_a_copy_is_kept() {
    let folder = Folder::new("migration");
    let path = old_journal(&folder).await;
    let error = JournalReader::open(&path).expect_err("it is not read before");
    assert!(matches!(error, OpenError::Older { .. }), "{error}");

    let (journal, beside) = (open(&path), open(&path));
    let again = |name: &str| Entry { handle: handle(&format!("{name} again")), ..entry(name) };
    assert!(matches!(journal.admit(again("done")).await.expect("an answer"), Admission::Replay(_)));
    // What may have happened then binds all that come after.
    for journal in [&journal, &beside] {
        let retry = Entry { key: None, ..again("lost") };
        let refused = journal.admit(retry).await.expect("an answer");
        assert!(matches!(refused, Admission::UnsafeRetry { .. }), "{refused:?}");
    }
    let left = journal.find(&handle("open")).await.expect("an answer").expect("an action");
    assert_eq!(left.result.expect("a result").side_effect_state, Some(SideEffectState::Unknown));

    let copy = copy_of(&path);
    let mode = std::fs::metadata(&copy).expect("a copy").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    let copy = Connection::open(copy).expect("a copy");
    assert_eq!(number(&copy, "PRAGMA user_version"), 3);
    assert_eq!(number(&copy, "SELECT count(*) FROM action"), 3);
    assert_eq!(number(&copy, "SELECT count(*) FROM action WHERE result IS NULL"), 1);
    let sound: String = copy.query_one("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(sound, "ok");
}

#[tokio::test]
async fn the_copy_and_the_way_back_are_journals_of_format_3() {
    let folder = Folder::new("back");
    let path = old_journal(&folder).await;
    let journal = open(&path);
    journal.admit(entry("since")).await.expect("admitted");
    journal.intend(&handle("since"), intent(MODE)).await.expect("kept");
    let done = result("since", ActionStatus::Succeeded, SideEffectState::Applied);
    journal.conclude(done, trace("since")).await.expect("kept");
    drop(journal);

    // With what was done since.
    let file = Connection::open(&path).expect("a file");
    file.execute_batch(BACK).expect("the way back");
    let tables = |connection: &Connection| {
        let mut query = connection
            .prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
            .expect("a query");
        let names = query.query_map([], |row| row.get::<_, String>(0)).expect("names");
        names.collect::<Result<Vec<_>, _>>().expect("names")
    };
    let fresh = Connection::open_in_memory().expect("a database");
    fresh.execute_batch(FORMAT_3).expect("the old tables");
    assert_eq!(tables(&file), tables(&fresh));
    assert_eq!(number(&file, "PRAGMA user_version"), 3);
    assert_eq!(number(&file, "SELECT count(*) FROM action WHERE handle = 'since'"), 1);
    drop(file);
    let journal = open(&path);
    assert!(journal.find(&handle("since")).await.expect("an answer").is_some());
    drop(journal);

    // Or as it was then.
    std::fs::rename(copy_of(&path), &path).expect("put back");
    let journal = open(&path);
    assert!(journal.find(&handle("done")).await.expect("an answer").is_some());
}

#[tokio::test]
async fn a_journal_that_an_older_version_writes_is_left_to_it() {
    let folder = Folder::new("old-writer");
    let path = old_journal(&folder).await;
    // So do earlier versions, for as long as they run.
    let lock = std::fs::File::create(format!("{}.lock", path.display())).expect("a lock");
    lock.lock().expect("locked");
    let settings = Settings { wait: std::time::Duration::from_millis(20), ..Settings::default() };
    let refused = SqliteJournal::open(&path, settings, 2_000).expect_err("refused");
    assert!(matches!(refused, OpenError::Locked { .. }), "{refused}");
    assert!(!copy_of(&path).exists());
    let file = Connection::open(&path).expect("a file");
    assert_eq!(number(&file, "PRAGMA user_version"), 3);
}
