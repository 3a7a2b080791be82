//! Which sessions there are.

use super::keeper::Told;
use crate::session::Party;
use std::collections::{HashMap, VecDeque};
use tokio::sync::mpsc;
use uiap_protocol::ids::SessionId;

/// Most sessions at a time.
pub const SESSIONS_MAX: usize = 1_024;
/// How many ended sessions are remembered.
const ENDED_MAX: usize = 1_024;

#[derive(Debug, Default)]
pub(super) struct Directory {
    here: HashMap<SessionId, (Party, mpsc::Sender<Told>)>,
    ended: VecDeque<SessionId>,
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
        if self.here.len() >= SESSIONS_MAX {
            return false;
        }
        self.here.insert(id, (party, keeper));
        true
    }

    /// A session, for somebody of the same party: to everybody else it does not exist.
    pub(super) fn find(&self, id: &SessionId, party: Party) -> Found {
        match self.here.get(id) {
            Some((owner, keeper)) if *owner == party => Found::Here(keeper.clone()),
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

    pub(super) fn everybody(&self) -> Vec<mpsc::Sender<Told>> {
        self.here.values().map(|(_, keeper)| keeper.clone()).collect()
    }

    pub(super) fn persons(&self) -> Vec<mpsc::Sender<Told>> {
        let persons = self.here.values().filter(|(party, _)| *party == Party::Person);
        persons.map(|(_, keeper)| keeper.clone()).collect()
    }
}
