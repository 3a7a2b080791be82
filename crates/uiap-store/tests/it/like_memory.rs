//! The journal in SQLite answers as the one in memory does, whatever is asked of them, across restarts.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use crate::common::{Folder, decision, entry, handle, intent, result, trace};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeSet;
use std::sync::Mutex;
use uiap_protocol::action::{ActionStatus, SideEffectState};
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::Id;
use uiap_runtime::journal::{Digest, Entry, Journal, Retention, TurnedAway};
use uiap_store::{Settings, SqliteJournal};
use uiap_testkit::MemoryJournal;

/// So little that every limit is met.
const RETENTION: Retention =
    Retention { age_ms: 100, ended_max: 4, open_max: 5, traces_max: 3, turned_away_max: 3 };
const HANDLES: u8 = 12;

#[derive(Clone, Debug)]
enum Op {
    Admit { name: u8, owner: u8, key: Option<u8>, deed: u8, detail: u8, repeatable: bool },
    Decide { name: u8 },
    Intend { name: u8, mode: u8 },
    Conclude { name: u8, effects: u8 },
    TurnAway { name: u8 },
    Find { name: u8 },
    Wait { ms: u64 },
    Restart,
}

fn op() -> impl Strategy<Value = Op> {
    let name = 0..HANDLES;
    prop_oneof![
        8 => (name.clone(), 0..2_u8, proptest::option::of(0..3_u8), 0..2_u8, 0..2_u8, any::<bool>()).prop_map(
            |(name, owner, key, deed, detail, repeatable)| Op::Admit { name, owner, key, deed, detail, repeatable }
        ),
        1 => name.clone().prop_map(|name| Op::Decide { name }),
        5 => (name.clone(), 0..5_u8).prop_map(|(name, mode)| Op::Intend { name, mode }),
        6 => (name.clone(), 0..3_u8).prop_map(|(name, effects)| Op::Conclude { name, effects }),
        2 => name.clone().prop_map(|name| Op::TurnAway { name }),
        1 => name.prop_map(|name| Op::Find { name }),
        2 => (0..80_u64).prop_map(|ms| Op::Wait { ms }),
        1 => Just(Op::Restart),
    ]
}

fn name_of(name: u8) -> String {
    format!("act_{name}")
}

/// What a journal says to an operation, as text.
async fn said(journal: &impl Journal, op: &Op, now: u64) -> String {
    match op {
        Op::Admit { name, owner, key, deed, detail, repeatable } => {
            let mut asked = Entry { repeatable: *repeatable, at: now, ..entry(&name_of(*name)) };
            asked.owner.principal = Id::new(format!("person_{owner}")).expect("an id");
            asked.key = key.map(|key| Id::new(format!("key_{key}")).expect("an id"));
            asked.fingerprint.deed = Digest([*deed; 32]);
            asked.fingerprint.payload = Digest([deed * 16 + detail; 32]);
            format!("{:?}", journal.admit(asked).await)
        }
        Op::Decide { name } => format!("{:?}", journal.decide(&handle(&name_of(*name)), decision(now)).await),
        Op::Intend { name, mode } => {
            let mode =
                ExecutionMode::WORDS.get(usize::from(*mode)).copied().and_then(ExecutionMode::from_word);
            let intent = intent(mode.expect("a mode"));
            format!("{:?}", journal.intend(&handle(&name_of(*name)), intent).await)
        }
        Op::Conclude { name, effects } => {
            let name = name_of(*name);
            let (status, effects) = match effects {
                0 => (ActionStatus::Succeeded, SideEffectState::Applied),
                1 => (ActionStatus::Failed, SideEffectState::Unknown),
                _ => (ActionStatus::Cancelled, SideEffectState::None),
            };
            format!("{:?}", journal.conclude(result(&name, status, effects), trace(&name)).await)
        }
        Op::TurnAway { name } => {
            let request = TurnedAway { at: now, trace: trace(&name_of(*name)) };
            format!("{:?}", journal.turn_away(request).await)
        }
        Op::Find { name } => format!("{:?}", journal.find(&handle(&name_of(*name))).await),
        Op::Wait { .. } | Op::Restart => String::new(),
    }
}

/// Everything a journal holds, as text.
async fn everything(journal: &impl Journal) -> Vec<String> {
    let mut all = vec![
        format!("{:?}", journal.open_actions().await),
        format!("{:?}", journal.latest(usize::MAX).await),
        format!("{:?}", journal.turned_away(usize::MAX).await),
    ];
    for name in 0..HANDLES {
        let handle = handle(&name_of(name));
        all.push(format!("{:?} {:?}", journal.find(&handle).await, journal.trace(&handle).await));
    }
    all
}

/// What must have been said at least once, or the comparison says nothing about it.
const KINDS_OF_ANSWERS: [&str; 10] = [
    "Err(Ended",
    "Err(Full",
    "Err(HandleTaken",
    "Err(Unknown",
    "Ok(())",
    "Ok(Conflict",
    "Ok(New",
    "Ok(Replay",
    "Ok(Running",
    "Ok(UnsafeRetry",
];

async fn compare(ops: &[Op], seen: &Mutex<BTreeSet<&'static str>>) -> Result<(), TestCaseError> {
    let folder = Folder::new("like-memory");
    let settings = Settings { retention: RETENTION, ..Settings::default() };
    let open = |now| SqliteJournal::open(&folder.journal(), settings, now).expect("a journal");
    let memory = MemoryJournal::new(RETENTION);
    let mut now = 1_000;
    let mut sqlite = open(now);
    for op in ops {
        match op {
            Op::Wait { ms } => now += ms,
            Op::Restart => {
                drop(sqlite);
                sqlite = open(now);
                memory.restart(now);
            }
            _ => {}
        }
        let (answer, expected) = (said(&sqlite, op, now).await, said(&memory, op, now).await);
        prop_assert_eq!(&answer, &expected, "{:?}", op);
        let kinds = KINDS_OF_ANSWERS.iter().filter(|kind| answer.starts_with(**kind));
        seen.lock().expect("no panic before").extend(kinds);
    }
    prop_assert_eq!(everything(&sqlite).await, everything(&memory).await);
    Ok(())
}

#[test]
fn sqlite_and_memory_answer_alike() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    let always_the_same = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let seen = Mutex::default();
    TestRunner::new_with_rng(config, always_the_same)
        .run(&proptest::collection::vec(op(), 1..60), |ops| runtime.block_on(compare(&ops, &seen)))
        .expect("both answer alike");
    assert_eq!(seen.into_inner().expect("no panic before"), BTreeSet::from(KINDS_OF_ANSWERS));
}
