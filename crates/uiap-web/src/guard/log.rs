//! What passed a guard, and what was held back.

use super::rules::{Grounds, Reason};
use super::upstream::Fault;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Passages that are kept; the oldest are forgotten, and their numbers are not given again.
pub const PASSAGES_MAX: usize = 10_000;

/// Longest text of a passage, in characters: methods and hosts are as long as a page likes.
const TEXT_CHARS_MAX: usize = 2_000;

/// One request that wanted to leave the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Counts up from 0, in the order of the decisions.
    pub number: u64,
    /// Such as `POST`; `CONNECT` for a connection that did not come about.
    pub method: String,
    /// Where to, without what opens doors.
    pub address: String,
    /// The host, with the port if it is not the usual one.
    pub host: String,
    /// What the browser wants it for, in its own word (`document`, `script`, `empty`), if it says so.
    pub destination: Option<String>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It went on.
    Passed(Grounds),
    /// It went nowhere.
    Held(Reason),
    /// It was let through, as another entry says, and nobody could take it.
    Failed(Fault),
}

/// How many there were so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Went on.
    pub passed: u64,
    /// Went on only because the gate was open: a closed one would have held them back.
    pub let_through: u64,
    /// Were held back.
    pub held: u64,
    /// Found nobody.
    pub failed: u64,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    passages: VecDeque<Passage>,
    next: u64,
    tally: Tally,
}

impl Log {
    pub(super) fn note(&self, mut passage: Passage) {
        for text in [&mut passage.method, &mut passage.address, &mut passage.host] {
            if let Some((end, _)) = text.char_indices().nth(TEXT_CHARS_MAX) {
                text.truncate(end);
            }
        }
        let mut kept = self.kept();
        passage.number = kept.next;
        kept.next += 1;
        let tally = &mut kept.tally;
        match passage.fate {
            Fate::Passed(Grounds::OpenGate(_)) => {
                tally.passed += 1;
                tally.let_through += 1;
            }
            Fate::Passed(_) => tally.passed += 1,
            Fate::Held(_) => tally.held += 1,
            Fate::Failed(_) => tally.failed += 1,
        }
        if kept.passages.len() == PASSAGES_MAX {
            kept.passages.pop_front();
        }
        kept.passages.push_back(passage);
    }

    pub(super) fn since(&self, number: u64) -> (Vec<Passage>, u64) {
        let kept = self.kept();
        let from = kept.passages.partition_point(|passage| passage.number < number);
        (kept.passages.range(from..).cloned().collect(), kept.next)
    }

    pub(super) fn tally(&self) -> Tally {
        self.kept().tally
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten_and_numbers_stay() {
        let log = Log::default();
        let passage = Passage {
            number: 0,
            method: "GET".into(),
            address: "http://a.test/".into(),
            host: "a.test".into(),
            destination: None,
            fate: Fate::Passed(Grounds::Read),
        };
        (0..PASSAGES_MAX + 3).for_each(|_| log.note(passage.clone()));
        let (all, next) = log.since(0);
        assert_eq!((all.len(), all[0].number, next), (PASSAGES_MAX, 3, PASSAGES_MAX as u64 + 3));
        assert_eq!(log.since(next).0, []);
        assert_eq!(log.since(next - 2).0.len(), 2);
        assert_eq!(log.tally().passed, PASSAGES_MAX as u64 + 3);
        log.note(Passage { method: "ä".repeat(100_000), host: "a".repeat(100_000), ..passage });
        let (last, _) = log.since(next);
        assert_eq!((last[0].method.chars().count(), last[0].host.len()), (TEXT_CHARS_MAX, TEXT_CHARS_MAX));
    }
}
