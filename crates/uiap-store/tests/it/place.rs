//! What happens to the place of a journal while it is open: files that vanish, locks of others, files of others.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use crate::common::{Folder, entry, handle, intent};
use std::path::Path;
use std::time::Duration;
use uiap_protocol::capability::ExecutionMode;
use uiap_runtime::journal::{Journal, JournalError};
use uiap_store::{Settings, SqliteJournal};

const MODE: ExecutionMode = ExecutionMode::SemanticUi;

fn open(path: &Path) -> SqliteJournal {
    SqliteJournal::open(path, Settings::default(), 2_000).expect("a journal")
}

/// A journal with an action that was admitted; then something happens, and nothing may be dispatched any more.
async fn after(name: &str, happens: impl FnOnce(&Path)) -> String {
    let folder = Folder::new(name);
    let journal = open(&folder.journal());
    journal.admit(entry("begun")).await.expect("admitted");
    journal.check_held().expect("it is held");
    happens(&folder.journal());
    let checked = journal.check_held().expect_err("it is not held").to_string();
    let intended = journal.intend(&handle("begun"), intent(MODE)).await.expect_err("not kept").to_string();
    assert_eq!(checked, intended);
    let admitted = journal.admit(entry("more")).await.expect_err("not admitted").to_string();
    assert_eq!(checked, admitted);
    let folder = folder.journal().parent().expect("a folder").display().to_string();
    checked.replace(&folder, "FOLDER")
}

#[tokio::test]
async fn nothing_is_done_when_the_journal_is_not_at_its_path_any_more() {
    let said = "the journal is not available: the file FOLDER/journal.sqlite was deleted, moved or replaced while \
                this program uses it; put it back, or restart this program to begin with what is there now";
    let deleted = after("deleted", |path| std::fs::remove_file(path).expect("deleted")).await;
    assert_eq!(deleted, said);
    let replaced = after("replaced", |path| {
        std::fs::rename(path, path.with_extension("old")).expect("moved");
        drop(open(path));
    });
    assert_eq!(replaced.await, said);
    let folder = after("no-folder", |path| {
        let folder = path.parent().expect("a folder");
        std::fs::rename(folder, folder.with_extension("away")).expect("moved");
    });
    assert_eq!(folder.await, said);
}

#[tokio::test]
async fn nothing_is_done_when_others_take_the_process_for_dead() {
    let said = after("lock-gone", |path| {
        std::fs::remove_dir_all(format!("{}.holders", path.display())).expect("deleted");
    });
    let said = said.await;
    assert!(
        said.starts_with("the journal is not available: the lock file FOLDER/journal.sqlite.holders/"),
        "{said}"
    );
    assert!(
        said.ends_with(
            ".lock was deleted, moved or replaced while this program holds it; restart this program"
        )
    );
}

#[tokio::test]
async fn a_journal_that_was_put_back_is_used_again() {
    let folder = Folder::new("put-back");
    let path = folder.journal();
    let journal = open(&path);
    journal.admit(entry("begun")).await.expect("admitted");
    std::fs::rename(&path, path.with_extension("away")).expect("moved");
    journal.intend(&handle("begun"), intent(MODE)).await.expect_err("not kept");
    std::fs::rename(path.with_extension("away"), &path).expect("moved");
    journal.intend(&handle("begun"), intent(MODE)).await.expect("kept");
}

#[test]
fn a_lock_of_another_program_is_named() {
    let folder = Folder::new("foreign-lock");
    let path = folder.journal();
    drop(open(&path));
    let lock_path = format!("{}.lock", path.display());
    let lock = std::fs::File::open(&lock_path).expect("the lock");
    lock.lock().expect("locked");
    let settings = Settings { wait: Duration::from_millis(20), ..Settings::default() };
    let refused = || SqliteJournal::open(&path, settings, 2_000).expect_err("refused").to_string();
    assert_eq!(
        refused(),
        format!(
            "the journal {} is locked by process {}, which is an older version of uiap, is stopped, or is another \
             program; end that process first, or name another file (the lock is {lock_path})",
            path.display(),
            std::process::id()
        )
    );
    std::fs::write(&lock_path, "of somebody else, and not a number").expect("a text");
    assert!(refused().contains("is locked by another process, which is"));
    drop(lock);
    drop(open(&path));
    let text = std::fs::read_to_string(&lock_path).expect("a text");
    assert_eq!(text, "of somebody else, and not a number");
}

#[test]
fn what_others_put_among_the_lock_files_stays() {
    let folder = Folder::new("foreign-files");
    let path = folder.journal();
    let first = open(&path);
    let holders = format!("{}.holders", path.display());
    let put = |name: &str, text: &str| std::fs::write(format!("{holders}/{name}"), text).expect("a file");
    put("notes.txt", "mine");
    put("0123456789abcdef.lock", "this is the lock of my own program");
    put("00112233445566ff.lock", "4711");
    put("00112233445566fe.lock", "");
    std::fs::create_dir(format!("{holders}/00112233445566aa.lock")).expect("a folder");
    drop(open(&path));
    drop(first);
    let mut left: Vec<_> = std::fs::read_dir(&holders)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    // The two that look like those of dead processes are gone.
    assert_eq!(left, ["00112233445566aa.lock", "0123456789abcdef.lock", "notes.txt"]);
}

#[tokio::test]
async fn a_process_that_keeps_writing_is_not_waited_for_without_end() {
    let folder = Folder::new("busy");
    let settings = Settings { wait: Duration::from_millis(20), ..Settings::default() };
    let journal = SqliteJournal::open(&folder.journal(), settings, 2_000).expect("a journal");
    let other = rusqlite::Connection::open(folder.journal()).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the file");
    let error = journal.admit(entry("late")).await.expect_err("it cannot write");
    assert!(matches!(error, JournalError::Unavailable(_)));
    assert_eq!(
        error.to_string(),
        "the journal is not available: another process keeps the journal locked for writing; if it is stopped, \
         continue or end it"
    );
    other.execute_batch("COMMIT").expect("the file is given back");
    journal.admit(entry("late")).await.expect("an answer");
}

#[tokio::test]
async fn a_link_to_a_journal_is_the_journal() {
    let folder = Folder::new("link");
    let path = folder.journal();
    let first = open(&path);
    first.admit(entry("begun")).await.expect("admitted");
    let link = path.with_file_name("link.sqlite");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    // Its process is found alive, whatever the name is that leads there.
    let second = open(&link);
    assert_eq!(second.open_actions().await.expect("handles"), [handle("begun")]);
}
