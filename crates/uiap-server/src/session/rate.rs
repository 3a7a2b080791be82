//! How many messages come, and whether that is too many.

use super::terms::{IDS_REMEMBERED, RATE_BURST, RATE_PER_SECOND};
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use uiap_protocol::ids::MessageId;
use uiap_runtime::life::Millis;

/// Room for so many messages now, which comes back with time.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    /// In thousandths of a message, so that a millisecond gives a whole number of them.
    room: u64,
    at: Millis,
}

impl Bucket {
    pub(crate) fn new(at: Millis) -> Self {
        Self { room: RATE_BURST * 1_000, at }
    }

    /// Takes room for one message, if there is any.
    pub(crate) fn take(&mut self, at: Millis) -> bool {
        let back = at.saturating_sub(self.at).saturating_mul(RATE_PER_SECOND);
        self.room = self.room.saturating_add(back).min(RATE_BURST * 1_000);
        self.at = self.at.max(at);
        let left = self.room.checked_sub(1_000);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }
}

/// The ids of the last messages, as digests of 64 bits: a busy session would hold a megabyte of texts. Two ids with
/// one digest are as good as never met, and whoever looks for such a pair is refused a message of his own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    ids: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Seen {
    pub(crate) fn contains(&self, id: &MessageId) -> bool {
        self.ids.contains(&digest(id))
    }

    /// Remembers an id. `false` if it was there already.
    pub(crate) fn insert(&mut self, id: &MessageId) -> bool {
        let id = digest(id);
        if !self.ids.insert(id) {
            return false;
        }
        self.order.push_back(id);
        if self.order.len() > IDS_REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        true
    }
}

fn digest(id: &MessageId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_taken_and_more_comes_back_with_time() {
        let mut bucket = Bucket::new(0);
        let taken = (0..RATE_BURST + 5).filter(|_| bucket.take(0)).count();
        assert_eq!(taken as u64, RATE_BURST);
        let second = (0..RATE_BURST).filter(|_| bucket.take(1_000)).count();
        assert_eq!(second as u64, RATE_PER_SECOND);
    }
}
