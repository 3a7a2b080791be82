//! Which sessions there are.

use super::keeper::Told;
use crate::session::Party;
use std::collections::{HashMap, VecDeque};
use tokio::sync::mpsc;
use tokio::time::Instant;
use uiap_protocol::ids::SessionId;

/// Most sessions at a time.
pub const SESSIONS_MAX: usize = 1_024;
/// How many ended sessions are remembered.
const ENDED_MAX: usize = 1_024;

#[derive(Debug, Default)]
pub(super) struct Directory {
    here: HashMap<SessionId, Present>,
    ended: VecDeque<SessionId>,
    /// Nobody comes in any more.
    closed: bool,
}

/// A session that has not ended.
#[derive(Debug)]
struct Present {
    party: Party,
    keeper: mpsc::Sender<Told>,
    /// Since when it waits for a link.
    alone_since: Option<Instant>,
}

/// Where a session is.
pub(super) enum Found {
    Here(mpsc::Sender<Told>),
    Ended,
    Nowhere,
}

impl Directory {
    /// Takes a session in, if there is room.
    pub(super) fn enter(&mut self, id: SessionId, party: Party, keeper: mpsc::Sender<Told>) -> bool {
        if self.closed || (self.here.len() >= SESSIONS_MAX && !self.make_room(party)) {
            return false;
        }
        self.here.insert(id, Present { party, keeper, alone_since: None });
        true
    }

    /// Ends the session that has waited longest for a link, so that those who come again and again without going on
    /// with what they had lock nobody out. Only their own kind gives way to them.
    fn make_room(&mut self, party: Party) -> bool {
        let waits = self.here.iter().filter(|(_, present)| present.party == party);
        let waits = waits.filter_map(|(id, present)| Some((present.alone_since?, id)));
        let Some(id) = waits.min_by_key(|(since, _)| *since).map(|(_, id)| id.clone()) else { return false };
        if let Some(present) = self.here.get(&id) {
            // Who has that much waiting ends when its time is over; its place is free at once.
            let _ = present.keeper.try_send(Told::End("others needed the place".to_owned()));
        }
        self.forget(&id);
        true
    }

    /// A session has a link, or waits for one.
    pub(super) fn linked(&mut self, id: &SessionId, is_linked: bool) {
        if let Some(present) = self.here.get_mut(id) {
            present.alone_since = (!is_linked).then(Instant::now);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.here.is_empty()
    }

    /// A session, for somebody of the same party: to everybody else it does not exist.
    pub(super) fn find(&self, id: &SessionId, party: Party) -> Found {
        match self.here.get(id) {
            Some(present) if present.party == party => Found::Here(present.keeper.clone()),
            None if self.ended.contains(id) => Found::Ended,
            Some(_) | None => Found::Nowhere,
        }
    }

    pub(super) fn forget(&mut self, id: &SessionId) {
        if self.here.remove(id).is_some() {
            self.ended.push_back(id.clone());
            if self.ended.len() > ENDED_MAX {
                self.ended.pop_front();
            }
        }
    }

    pub(super) fn has_ended(&self, id: &str) -> bool {
        self.ended.iter().any(|ended| ended.as_str() == id)
    }

    /// Lets nobody in any more, and says who is here.
    pub(super) fn close(&mut self) -> Vec<mpsc::Sender<Told>> {
        self.closed = true;
        self.here.values().map(|present| present.keeper.clone()).collect()
    }

    pub(super) fn persons(&self) -> Vec<mpsc::Sender<Told>> {
        let persons = self.here.values().filter(|present| present.party == Party::Person);
        persons.map(|present| present.keeper.clone()).collect()
    }
}
