//! The file of the journal: who may have it, what it survives, what is said when it is no good.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use crate::common::{Folder, entry, handle, intent, result, trace};
use futures_util::future::join_all;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use uiap_protocol::action::{ActionStatus, SideEffectState};
use uiap_protocol::capability::ExecutionMode;
use uiap_runtime::journal::{Admission, Entry, Journal, JournalError, TurnedAway};
use uiap_store::{JournalReader, OpenError, Settings, SqliteJournal};
use uiap_testkit::proves;

/// Intents that wait at the same time.
const TOGETHER: usize = 100;
const MODE: ExecutionMode = ExecutionMode::SemanticUi;

fn open(path: &Path) -> SqliteJournal {
    SqliteJournal::open(path, Settings::default(), 2_000).expect("a journal")
}

/// Why a file is refused, its path left out.
fn refused(path: &Path) -> String {
    let error = SqliteJournal::open(path, Settings::default(), 2_000).expect_err("no journal");
    error.to_string().replace(&path.display().to_string(), "FILE")
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    proves!["ACT-13.2-1", "ACT-13.3-2"];
    let folder = Folder::new("restart");
    let journal = open(&folder.journal());
    for name in ["done", "left", "early"] {
        assert_eq!(journal.admit(entry(name)).await.expect("an answer"), Admission::New);
    }
    journal.intend(&handle("done"), intent(MODE)).await.expect("kept");
    journal.intend(&handle("left"), intent(MODE)).await.expect("kept");
    let done = result("done", ActionStatus::Succeeded, SideEffectState::Applied);
    journal.conclude(done.clone(), trace("done")).await.expect("kept");
    drop(journal);

    let journal = open(&folder.journal());
    assert!(journal.open_actions().await.expect("an answer").is_empty());
    assert_eq!(journal.admit(entry("done")).await.expect("an answer"), Admission::Replay(Box::new(done)));
    let unkeyed = Entry { key: None, handle: handle("again"), ..entry("left") };
    let earlier = handle("left");
    assert_eq!(journal.admit(unkeyed).await.expect("an answer"), Admission::UnsafeRetry { earlier });
    let mut replayed = Vec::new();
    for name in ["left", "early"] {
        let Admission::Replay(result) = journal.admit(entry(name)).await.expect("an answer") else {
            panic!("{name} is not replayed");
        };
        let error = result.error.expect("an error");
        replayed.push(format!("{name} {:?} {} {:?}", result.side_effect_state, error.code, error.retryable));
    }
    assert_eq!(
        replayed,
        [
            "left Some(Unknown) unsafe_retry_refused Some(false)",
            "early Some(None) internal_runtime_error Some(true)"
        ]
    );
}

#[tokio::test]
async fn work_that_waits_together_shares_a_transaction() {
    let folder = Folder::new("group");
    let journal = open(&folder.journal());
    let names: Vec<String> = (0..TOGETHER).map(|number| format!("act_{number}")).collect();
    let handles: Vec<_> = names.iter().map(|name| handle(name)).collect();
    for name in &names {
        journal.admit(entry(name)).await.expect("an answer");
    }
    let before = journal.commits();
    // While somebody else has the file, everything waits: the first group as far as it came, all others in the queue.
    let other = rusqlite::Connection::open(folder.journal()).expect("a connection");
    other.execute_batch("BEGIN IMMEDIATE").expect("the file");
    // Unconstrained: one poll puts all of them into the queue, however many the scheduler would let through at once.
    let intents = join_all(handles.iter().map(|handle| journal.intend(handle, intent(MODE))));
    let mut intents = Box::pin(tokio::task::unconstrained(intents));
    assert!(futures_util::poll!(&mut intents).is_pending());
    other.execute_batch("COMMIT").expect("the file is given back");
    for kept in intents.await {
        kept.expect("kept");
    }
    let commits = journal.commits() - before;
    assert!((1..=2).contains(&commits), "{commits} transactions for {TOGETHER} intents");
    for handle in &handles {
        assert_eq!(journal.find(handle).await.expect("an answer").expect("an action").intents.len(), 1);
    }
}

#[tokio::test]
async fn a_refusal_concerns_nobody_else_in_the_group() {
    let folder = Folder::new("refusal");
    let journal = open(&folder.journal());
    journal.admit(entry("known")).await.expect("an answer");
    let (known, unknown) = (handle("known"), handle("unknown"));
    let (refused, kept) =
        tokio::join!(journal.intend(&unknown, intent(MODE)), journal.intend(&known, intent(MODE)));
    assert!(matches!(refused, Err(JournalError::Unknown(_))), "{refused:?}");
    kept.expect("kept");
}

#[tokio::test]
async fn others_read_while_it_is_written() {
    let folder = Folder::new("reader");
    let path = folder.journal();
    let missing = JournalReader::open(&path).expect_err("nothing there");
    assert!(matches!(missing, OpenError::Missing { .. }), "{missing}");

    let journal = open(&path);
    let reader = JournalReader::open(&path).expect("a reader");
    journal.admit(entry("seen")).await.expect("an answer");
    assert!(reader.find(&handle("seen")).expect("an answer").is_some_and(|kept| kept.result.is_none()));
    let done = result("seen", ActionStatus::Succeeded, SideEffectState::Applied);
    journal.conclude(done, trace("seen")).await.expect("kept");
    assert_eq!(reader.trace(&handle("seen")).expect("an answer"), Some(trace("seen")));
    assert_eq!(reader.latest(10).expect("an answer").len(), 1);
    drop(journal);
    // The reader does not stand in the way of the next writer, nor the other way round.
    drop(open(&path));
    assert_eq!(reader.latest(10).expect("an answer").len(), 1);
}

#[tokio::test]
async fn nobody_else_may_read_the_files() {
    let folder = Folder::new("mode");
    let path = folder.journal();
    let state = path.parent().expect("a folder");
    std::fs::create_dir_all(state).expect("a folder");
    std::fs::write(&path, "").expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("rights");
    let journal = open(&path);
    journal.admit(entry("secret")).await.expect("an answer");
    let mut modes: Vec<String> = state
        .read_dir()
        .expect("a folder")
        .flatten()
        .map(|file| {
            let mode = file.metadata().expect("a file").permissions().mode() & 0o777;
            format!("{} {mode:o}", file.file_name().display())
        })
        .collect();
    modes.sort();
    assert_eq!(
        modes,
        [
            "journal.sqlite 600",
            "journal.sqlite-shm 600",
            "journal.sqlite-wal 600",
            "journal.sqlite.holders 700",
            "journal.sqlite.lock 600"
        ]
    );
}

#[test]
fn files_that_are_no_journal_are_refused_and_left_alone() {
    let folder = Folder::new("refused");
    let path = folder.journal();
    drop(open(&path));

    let change = |sql: &str| {
        rusqlite::Connection::open(&path).and_then(|file| file.execute_batch(sql)).expect("a change");
    };
    change("PRAGMA user_version = 5");
    assert_eq!(
        refused(&path),
        "the journal FILE has format 5, and this program knows up to 4; use a newer version, or name another file"
    );
    change("PRAGMA application_id = 7");
    assert_eq!(refused(&path), "FILE is a database of another program; name another file for the journal");

    let text = "a text, and not a short one, that somebody wrote into the place of the journal ".repeat(99);
    std::fs::write(&path, &text).expect("a file");
    assert_eq!(
        refused(&path),
        "the journal FILE is damaged: file is not a database; \
         move it away to begin a new one, which will not know what was done before"
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);

    std::fs::remove_file(&path).expect("a file");
    std::fs::create_dir(&path).expect("a folder");
    assert_eq!(
        refused(&path),
        "cannot open the journal FILE: is a directory; \
         make the place writable, or name another file"
    );
    let below_a_file = Path::new("/dev/null/journal.sqlite");
    assert!(refused(below_a_file).starts_with("cannot open the journal /dev/null: "));
}

#[tokio::test]
async fn damage_at_any_place_is_an_error_and_no_panic() {
    let folder = Folder::new("damage");
    let path = folder.journal();
    let journal = open(&path);
    for number in 0..40 {
        let name = format!("act_{number}");
        journal.admit(entry(&name)).await.expect("an answer");
        journal.intend(&handle(&name), intent(MODE)).await.expect("kept");
    }
    drop(journal);
    let sound = std::fs::read(&path).expect("a file");
    let mut noticed = 0;
    for start in (0..sound.len()).step_by(1_024) {
        let mut damaged = sound.clone();
        damaged.iter_mut().skip(start).take(512).for_each(|byte| *byte ^= 0x5a);
        std::fs::write(&path, damaged).expect("a file");
        let Ok(journal) = SqliteJournal::open(&path, Settings::default(), 2_000) else {
            noticed += 1;
            continue;
        };
        for number in 0..40 {
            drop(journal.admit(entry(&format!("act_{number}"))).await);
        }
    }
    assert!(noticed > 0, "the header, at least, is looked at");
}

#[tokio::test]
async fn a_full_journal_says_so_and_keeps_what_it_has() {
    let folder = Folder::new("full");
    let settings = Settings { bytes_max: 128 * 1024, ..Settings::default() };
    let journal = SqliteJournal::open(&folder.journal(), settings, 2_000).expect("a journal");
    let mut kept = 0;
    let error = loop {
        match journal.admit(entry(&format!("act_{kept}"))).await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 10_000, "the journal grows without end");
    };
    assert_eq!(
        error.to_string(),
        "the journal is not available: the disk is full, or the journal has reached its largest size; \
         make room and try again"
    );
    assert!(kept > 10);
    assert_eq!(journal.open_actions().await.expect("an answer").len(), kept);
}

#[tokio::test]
async fn a_journal_of_the_first_format_is_brought_to_the_present_one() {
    let folder = Folder::new("upgrade");
    let journal = open(&folder.journal());
    journal.admit(entry("old")).await.expect("an answer");
    journal.intend(&handle("old"), intent(MODE)).await.expect("kept");
    drop(journal);
    let other = rusqlite::Connection::open(folder.journal()).expect("a connection");
    other
        .execute_batch(
            "DROP TABLE turned_away; ALTER TABLE step DROP COLUMN grounds; DROP INDEX action_by_holder; \
             ALTER TABLE action DROP COLUMN holder; DROP TABLE holder; PRAGMA user_version = 1;",
        )
        .expect("the old format");
    drop(other);
    let error = JournalReader::open(&folder.journal()).expect_err("it is not read");
    assert!(matches!(error, OpenError::Older { .. }), "{error}");
    let journal = open(&folder.journal());
    let kept = journal.find(&handle("old")).await.expect("an answer").expect("the action");
    let grounds: Vec<_> = kept.intents.iter().map(|intent| intent.decision.grounds.clone()).collect();
    assert_eq!(grounds, [uiap_runtime::life::Grounds::default()]);
    let request = TurnedAway { at: 1, trace: trace("no") };
    journal.turn_away(request.clone()).await.expect("kept");
    assert_eq!(journal.turned_away(9).await.expect("an answer"), [request]);
    drop(journal);
    assert!(JournalReader::open(&folder.journal()).is_ok());
}

#[tokio::test]
async fn a_reader_sees_what_is_open_and_whether_its_process_lives() {
    let folder = Folder::new("open");
    let journal = open(&folder.journal());
    journal.admit(entry("begun")).await.expect("an answer");
    journal.intend(&handle("begun"), intent(MODE)).await.expect("kept");
    let reader = JournalReader::open(&folder.journal()).expect("a reader");
    let seen = || {
        let open = reader.open_actions().expect("handles");
        (open, reader.is_held(&handle("begun")).expect("an answer"))
    };
    assert_eq!(seen(), (vec![handle("begun")], true));
    drop(journal);
    assert_eq!(seen(), (vec![handle("begun")], false));
}
