//! Several processes on one journal: what they agree on, and what a dead, a stopped and a living one means to others.
//!
//! Tests start this file again as the other process; [`ROLE`] tells it that it is the one.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot start has failed, and the other process tells what it does"
)]

use crate::common::{Folder, entry, handle, intent, result, trace};
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use uiap_protocol::action::{ActionStatus, SideEffectState};
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::Id;
use uiap_runtime::journal::{Admission, Digest, Entry, Journal, Retention};
use uiap_store::{JournalReader, Settings, SqliteJournal};
use uiap_testkit::proves;

/// The variable that makes a test the other process: its number and the path of the journal.
const ROLE: &str = "UIAP_TEST_JOURNAL_SHARER";
const MODE: ExecutionMode = ExecutionMode::SemanticUi;
/// Processes that run into each other, and the keys that all of them ask for.
const PROCESSES: usize = 6;
const KEYS: usize = 60;

fn open(path: &Path) -> SqliteJournal {
    SqliteJournal::open(path, Settings::default(), 2_000).expect("a journal")
}

/// An action without a key.
fn unkeyed(name: &str) -> Entry {
    Entry { key: None, ..entry(name) }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

async fn end_unknown(journal: &SqliteJournal, name: &str) {
    journal.intend(&handle(name), intent(MODE)).await.expect("kept");
    let unknown = result(name, ActionStatus::Failed, SideEffectState::Unknown);
    journal.conclude(unknown, trace(name)).await.expect("kept");
}

/// The other process. Dropping it kills it.
struct Other {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Other {
    fn start(test: &str, number: usize, path: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", &format!("sharing::{test}"), "--nocapture"])
            .env(ROLE, format!("{number}:{}", path.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, lines }
    }

    /// Its next line that begins so.
    fn hear(&mut self, begin: &str) -> String {
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with(begin)).expect("it says so");
        line.trim_start_matches(begin).trim().to_owned()
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.expect("a signal").success());
    }

    fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What this process is, if it is the other one.
fn role() -> Option<(usize, String)> {
    let role = std::env::var(ROLE).ok()?;
    let (number, path) = role.split_once(':').expect("a number and a path");
    Some((number.parse().expect("a number"), path.to_owned()))
}

/// The other process is about to do something, and says so; then it waits to be killed.
fn left_open(path: &str) {
    block_on(async {
        let journal = open(Path::new(path));
        assert_eq!(journal.admit(entry("left")).await.expect("an answer"), Admission::New);
        journal.intend(&handle("left"), intent(MODE)).await.expect("kept");
        println!("intended left");
        std::future::pending::<()>().await;
    });
}

fn lock_files(path: &Path) -> usize {
    std::fs::read_dir(format!("{}.holders", path.display())).map_or(0, Iterator::count)
}

#[test]
fn two_sessions_write_and_each_sees_its_own() {
    let folder = Folder::new("two");
    let path = folder.journal();
    block_on(async {
        let (first, second) = (open(&path), open(&path));
        for (journal, name) in [(&first, "a"), (&second, "b")] {
            assert_eq!(journal.admit(entry(name)).await.expect("an answer"), Admission::New);
            journal.intend(&handle(name), intent(MODE)).await.expect("kept");
            let done = result(name, ActionStatus::Succeeded, SideEffectState::Applied);
            journal.conclude(done, trace(name)).await.expect("kept");
        }
        let names = |summaries: Vec<uiap_runtime::journal::TraceSummary>| {
            summaries.into_iter().map(|summary| summary.handle.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(first.latest_own(9).await.expect("an answer")), ["a"]);
        assert_eq!(names(second.latest_own(9).await.expect("an answer")), ["b"]);
        assert_eq!(names(first.latest(9).await.expect("an answer")), ["b", "a"]);
        assert!(first.is_own(&handle("a")).await.expect("an answer"));
        assert!(!first.is_own(&handle("b")).await.expect("an answer"));
        // A key means the same to both.
        let again = Entry { handle: handle("again"), ..entry("a") };
        assert!(matches!(second.admit(again).await.expect("an answer"), Admission::Replay(_)));
        assert_eq!(lock_files(&path), 2);
        drop((first, second));
        assert_eq!(lock_files(&path), 0);
    });
}

#[test]
fn a_stopped_process_is_alive_and_a_killed_one_is_not() {
    proves!["ACT-13.2-1"];
    if let Some((_, path)) = role() {
        return left_open(&path);
    }
    let folder = Folder::new("stopped");
    let path = folder.journal();
    let mut other = Other::start("a_stopped_process_is_alive_and_a_killed_one_is_not", 0, &path);
    other.hear("intended left");
    other.signal("STOP");
    let again = |name: &str| Entry { handle: handle(name), ..entry("left") };
    block_on(async {
        // Neither a start nor an admission takes away what a stopped process does.
        let journal = open(&path);
        let reader = JournalReader::open(&path).expect("a reader");
        assert_eq!(journal.open_actions().await.expect("handles"), [handle("left")]);
        let running = journal.admit(again("while stopped")).await.expect("an answer");
        assert_eq!(running, Admission::Running(handle("left")));
        assert!(reader.is_held(&handle("left")).expect("an answer"));

        other.kill();
        assert!(!reader.is_held(&handle("left")).expect("an answer"));
        let Admission::Replay(ended) = journal.admit(again("after")).await.expect("an answer") else {
            panic!("an action of a dead process is still open");
        };
        assert_eq!(ended.side_effect_state, Some(SideEffectState::Unknown));
        assert!(journal.open_actions().await.expect("handles").is_empty());
    });
}

#[test]
fn what_a_killed_process_left_is_ended_by_the_next_start_and_its_lock_file_goes() {
    if let Some((_, path)) = role() {
        return left_open(&path);
    }
    let folder = Folder::new("killed");
    let path = folder.journal();
    let test = "what_a_killed_process_left_is_ended_by_the_next_start_and_its_lock_file_goes";
    let mut other = Other::start(test, 0, &path);
    other.hear("intended left");
    let before = open(&path);
    other.kill();
    assert_eq!(lock_files(&path), 2);
    let after = open(&path);
    assert_eq!(lock_files(&path), 2);
    block_on(async {
        assert!(before.open_actions().await.expect("handles").is_empty());
        let again = |name: &str| Entry { handle: handle(name), ..unkeyed("left") };
        // It binds whoever began after its end, and nobody who lived beside it.
        assert_eq!(before.admit(again("beside")).await.expect("an answer"), Admission::New);
        let refused = Admission::UnsafeRetry { earlier: handle("left") };
        assert_eq!(after.admit(again("later")).await.expect("an answer"), refused);
    });
}

#[test]
fn an_unknown_outcome_binds_its_session_and_the_next_one_and_no_living_other() {
    proves!["ACT-13.3-2"];
    let folder = Folder::new("binds");
    let path = folder.journal();
    block_on(async {
        let (first, beside) = (open(&path), open(&path));
        assert_eq!(first.admit(unkeyed("lost")).await.expect("an answer"), Admission::New);
        let again = |name: &str| Entry { handle: handle(name), ..unkeyed("lost") };
        // Under way, and ended without anybody knowing how: both bind the session that did it, and only that one.
        assert_eq!(beside.admit(again("b1")).await.expect("an answer"), Admission::New);
        let done = result("b1", ActionStatus::Succeeded, SideEffectState::Applied);
        beside.conclude(done, trace("b1")).await.expect("kept");
        end_unknown(&first, "lost").await;
        let refused = Admission::UnsafeRetry { earlier: handle("lost") };
        assert_eq!(first.admit(again("a1")).await.expect("an answer"), refused);
        assert_eq!(beside.admit(again("b2")).await.expect("an answer"), Admission::New);
        let done = result("b2", ActionStatus::Succeeded, SideEffectState::Applied);
        beside.conclude(done, trace("b2")).await.expect("kept");

        drop(first);
        let next = open(&path);
        assert_eq!(next.admit(again("c1")).await.expect("an answer"), refused);
        assert_eq!(beside.admit(again("b3")).await.expect("an answer"), Admission::New);
        // Only of the same principal and application.
        let mut other = again("c2");
        other.owner.application = Id::new("another").expect("an id");
        assert_eq!(next.admit(other).await.expect("an answer"), Admission::New);
    });
}

#[test]
fn counts_are_those_of_all_processes() {
    let folder = Folder::new("counts");
    let retention = Retention { open_max: 3, ended_max: 4, ..Retention::default() };
    let settings = Settings { retention, ..Settings::default() };
    let open = || SqliteJournal::open(&folder.journal(), settings, 2_000).expect("a journal");
    block_on(async {
        let (first, second) = (open(), open());
        for name in ["a", "b"] {
            first.admit(entry(name)).await.expect("admitted");
        }
        second.admit(entry("c")).await.expect("admitted");
        let full = first.admit(entry("d")).await.expect_err("it is full");
        assert_eq!(full.to_string(), "3 actions are under way already; wait for one of them to end");
        for (journal, name) in [(&first, "a"), (&first, "b"), (&second, "c")] {
            let done = result(name, ActionStatus::Succeeded, SideEffectState::Applied);
            journal.conclude(done, trace(name)).await.expect("kept");
        }
        for number in 0..6 {
            let (journal, name) = (if number % 2 == 0 { &first } else { &second }, format!("e{number}"));
            journal.admit(entry(&name)).await.expect("admitted");
            let done = result(&name, ActionStatus::Succeeded, SideEffectState::Applied);
            journal.conclude(done, trace(&name)).await.expect("kept");
        }
        assert_eq!(first.latest(99).await.expect("an answer").len(), 4);
    });
}

/// Asks for every key, and says what it was told.
fn ask_for_all(number: usize, path: &str) {
    block_on(async {
        let journal = open(Path::new(path));
        for key in 0..KEYS {
            let name = format!("act_{number}_{key}");
            let mut asked = entry(&name);
            asked.key = Some(Id::new(format!("key_{key}")).expect("an id"));
            asked.fingerprint.payload = Digest([u8::try_from(key).expect("a small number"); 32]);
            asked.fingerprint.deed = asked.fingerprint.payload;
            if journal.admit(asked).await.expect("an answer") == Admission::New {
                journal.intend(&handle(&name), intent(MODE)).await.expect("kept");
                println!("did {key}");
                let done = result(&name, ActionStatus::Succeeded, SideEffectState::Applied);
                journal.conclude(done, trace(&name)).await.expect("kept");
            }
        }
        println!("ready");
    });
}

#[test]
fn a_key_is_admitted_once_whoever_asks() {
    proves!["ACT-13.2-1"];
    if let Some((number, path)) = role() {
        return ask_for_all(number, &path);
    }
    let folder = Folder::new("keys");
    let path = folder.journal();
    let test = "a_key_is_admitted_once_whoever_asks";
    let others: Vec<_> = (0..PROCESSES).map(|number| Other::start(test, number, &path)).collect();
    let mut did = Vec::new();
    for mut other in others {
        let lines: Vec<_> = other.lines.by_ref().map_while(Result::ok).collect();
        assert!(lines.iter().any(|line| line.ends_with("ready")), "it did not come to an end: {lines:?}");
        let keys = lines.iter().filter_map(|line| line.split_once("did ")?.1.parse::<usize>().ok());
        did.extend(keys);
    }
    did.sort_unstable();
    assert_eq!(did, (0..KEYS).collect::<Vec<_>>());
    assert_eq!(lock_files(&path), 0);
}
