//! A process that writes is killed, or its disk fails, at any moment: what it was told is durable, is.
//!
//! The tests start this file again as the process that dies; [`ROLE`] tells it that it is the one.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot start has failed")]
#![expect(clippy::print_stdout, reason = "the process that dies tells what it was told")]

use crate::common::{Folder, entry, handle, intent, result, trace};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use uiap_protocol::action::{ActionStatus, RuntimeErrorCode, SideEffectState};
use uiap_protocol::capability::ExecutionMode;
use uiap_runtime::journal::{Admission, Journal, JournalError, Kept};
use uiap_store::{Settings, SqliteJournal};

/// The variable that makes a test the process that dies: the path of the journal and the number of the round.
const ROLE: &str = "UIAP_TEST_JOURNAL_WRITER";
const ROUNDS: u32 = 24;
/// Actions of one process at a time.
const LANES: u32 = 4;
/// Most actions of one lane; the process is killed long before.
const ACTIONS_MAX: u32 = 100_000;

fn open(path: &Path) -> SqliteJournal {
    SqliteJournal::open(path, Settings::default(), 2_000).expect("a journal")
}

fn name_of(round: u32, lane: u32, number: u32) -> String {
    format!("act_{round}_{lane}_{number}")
}

fn succeeded(name: &str) -> uiap_protocol::action::ActionResult {
    result(name, ActionStatus::Succeeded, SideEffectState::Applied)
}

/// Writes actions down and says so, until it is killed or an action cannot be written down.
async fn lane(journal: &SqliteJournal, round: u32, lane: u32) -> Result<(), JournalError> {
    for number in 0..ACTIONS_MAX {
        let name = name_of(round, lane, number);
        assert_eq!(journal.admit(entry(&name)).await?, Admission::New, "{name}");
        println!("admitted {name}");
        journal.intend(&handle(&name), intent(ExecutionMode::SemanticUi)).await?;
        println!("intended {name}");
        if number % 3 != 0 {
            journal.conclude(succeeded(&name), trace(&name)).await?;
            println!("concluded {name}");
        }
    }
    Ok(())
}

/// What the process does that dies, if this is the one.
fn is_the_writer() -> bool {
    let Ok(role) = std::env::var(ROLE) else { return false };
    let (round, path) = role.split_once(':').expect("a round and a path");
    let round = round.parse().expect("a number");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let journal = open(Path::new(path));
        let lanes = (0..LANES).map(|number| lane(&journal, round, number));
        for ended in futures_util::future::join_all(lanes).await {
            println!("failed {}", ended.expect_err("it is killed before it is done"));
        }
        println!("failed {}", journal.admit(entry("late")).await.expect_err("the disk has failed"));
    });
    true
}

/// Starts the process; `shell` is what a shell does first.
fn writer(test: &str, shell: &str, path: &Path, round: u32) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new("sh")
        .arg("-c")
        .arg(format!("{shell} exec \"$0\" --exact kill::{test} --nocapture"))
        .arg(program)
        .env(ROLE, format!("{round}:{}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process")
}

/// The last word about each action, and what failed.
#[derive(Default)]
struct Told {
    actions: BTreeMap<String, String>,
    failures: Vec<String>,
}

impl Told {
    fn hear(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("failed", why)) => self.failures.push(why.to_owned()),
            Some((word @ ("admitted" | "intended" | "concluded"), name)) => {
                self.actions.insert(name.to_owned(), word.to_owned());
            }
            _ => {}
        }
    }
}

/// What was told is so, and what was begun later is whole or not there.
async fn check(journal: &SqliteJournal, told: &Told, round: u32) {
    assert!(journal.open_actions().await.expect("an answer").is_empty());
    for (name, word) in &told.actions {
        let kept = journal.find(&handle(name)).await.expect("an answer");
        let Some(kept) = kept else { panic!("{name} was {word} and is not there") };
        check_one(name, word, &kept);
        let again = journal.admit(entry(name)).await.expect("an answer");
        assert_eq!(again, Admission::Replay(Box::new(kept.result.expect("a result"))), "{name}");
    }
    for lane in 0..LANES {
        let said = |number: &u32| told.actions.contains_key(&name_of(round, lane, *number));
        let next = (0..ACTIONS_MAX).find(|number| !said(number)).expect("an end");
        // One more may have been admitted, and nobody heard of it.
        let after = journal.find(&handle(&name_of(round, lane, next + 1))).await.expect("an answer");
        assert_eq!(after, None);
    }
}

fn check_one(name: &str, word: &str, kept: &Kept) {
    let result = kept.result.as_ref().expect("a result");
    let ended_so = (result.status, result.side_effect_state, result.error.as_ref().map(|error| error.code));
    let done = (ActionStatus::Succeeded, Some(SideEffectState::Applied), None);
    let unknown =
        (ActionStatus::Failed, Some(SideEffectState::Unknown), Some(RuntimeErrorCode::UnsafeRetryRefused));
    let nothing =
        (ActionStatus::Failed, Some(SideEffectState::None), Some(RuntimeErrorCode::InternalRuntimeError));
    assert!(kept.intents.len() == usize::from(word != "admitted" || ended_so != nothing), "{name}: {kept:?}");
    match word {
        "concluded" => assert_eq!(*result, succeeded(name)),
        "intended" => assert!(ended_so == unknown || ended_so == done, "{name}: {ended_so:?}"),
        _ => assert!([unknown, done, nothing].contains(&ended_so), "{name}: {ended_so:?}"),
    }
    assert!(kept.intents.iter().all(|kept| *kept == intent(ExecutionMode::SemanticUi)), "{name}");
}

#[test]
fn a_killed_process_loses_nothing_that_it_was_told_is_kept() {
    if is_the_writer() {
        return;
    }
    let folder = Folder::new("kill");
    let path = folder.journal();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut heard_in_all = 0;
    for round in 0..ROUNDS {
        let test = "a_killed_process_loses_nothing_that_it_was_told_is_kept";
        let mut child = writer(test, "", &path, round);
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut told = Told::default();
        // Another moment in every round.
        let last_line = 3 + (round * 37) % 101;
        for line in lines.by_ref().map_while(Result::ok).take(last_line as usize) {
            told.hear(&line);
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        lines.map_while(Result::ok).for_each(|line| told.hear(&line));
        heard_in_all += told.actions.len();
        let journal = open(&path);
        runtime.block_on(check(&journal, &told, round));
        drop(journal);
        let file = rusqlite::Connection::open(&path).expect("the file");
        let sound: String =
            file.query_one("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
        assert_eq!(sound, "ok");
    }
    assert!(heard_in_all > ROUNDS as usize, "the processes wrote nothing");
}

#[test]
fn after_the_disk_failed_nothing_more_is_promised() {
    if is_the_writer() {
        return;
    }
    let folder = Folder::new("disk");
    let path = folder.journal();
    // No file may grow beyond so many blocks, and trying is an error, not the end of the process.
    let shell = "trap '' XFSZ; ulimit -f 4000;";
    let child = writer("after_the_disk_failed_nothing_more_is_promised", shell, &path, 0);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{output:?}");
    let mut told = Told::default();
    String::from_utf8(output.stdout).expect("text").lines().for_each(|line| told.hear(line));
    assert!(told.actions.len() > 10, "only {:?} were written down", told.actions);
    let last = told.failures.last().expect("a failure");
    assert_eq!(
        last,
        "the journal is not available: the disk failed before; restart, so that the journal is read afresh"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(check(&open(&path), &told, 0));
}
