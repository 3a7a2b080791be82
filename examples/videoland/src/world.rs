//! All state of the application, behind one lock.
//!
//! Start at [`App`]. Whoever changes the [`World`] also says so with [`World::effect`]; the request that caused it
//! adds who and under which idempotency key (see `request.rs`).

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use crate::model::{Account, Billing, Member, Token, Video};
use crate::record::{Effect, Log, Write};
use crate::seed;
use crate::server::{Agents, Language};
use crate::session::Sessions;

/// Remembered replies to requests with an idempotency key; the oldest are forgotten first.
const REPLIES_MAX: usize = 1_000;

/// What every request handler shares.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) frame_origin: String,
    /// Whether writes are recorded and `/__test` exists.
    pub(crate) test_api: bool,
    /// The language of pages until a person chooses another one.
    pub(crate) language: Language,
    agents: OnceLock<Agents>,
    world: Mutex<World>,
}

impl App {
    pub(crate) fn new(frame_origin: String, test_api: bool, language: Language) -> Self {
        Self { frame_origin, test_api, language, agents: OnceLock::new(), world: Mutex::new(seed::world()) }
    }

    /// The runtime whose agents take part, if any do.
    pub(crate) fn agents(&self) -> Option<&Agents> {
        self.agents.get()
    }

    pub(crate) fn invite(&self, agents: Agents) {
        // Whoever was invited first stays.
        let _ = self.agents.set(agents);
    }

    /// The state, for as long as the guard lives. No guard is held across an `await`.
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn record_write(&self, write: Write) {
        if self.test_api {
            self.world().writes.push(write);
        }
    }

    /// Back to the seed. Who is signed in stays signed in unless `drop_sessions` is set.
    pub(crate) fn reset(&self, drop_sessions: bool) {
        let mut world = self.world();
        let sessions = std::mem::take(&mut world.sessions);
        *world = seed::world();
        if !drop_sessions {
            world.sessions = sessions;
        }
    }
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) sessions: Sessions,
    pub(crate) videos: BTreeMap<u32, Video>,
    /// Deleted videos, for as long as the page offers to undo.
    pub(crate) trash: BTreeMap<u32, Video>,
    pub(crate) members: BTreeMap<u32, Member>,
    pub(crate) tokens: BTreeMap<u32, Token>,
    pub(crate) billing: Billing,
    /// What the Lab's hazards did, by hazard.
    pub(crate) lab: BTreeMap<String, LabCell>,
    /// How often the live status was read; it is the clock of the status region.
    pub(crate) status_reads: u32,
    pub(crate) next_id: u32,
    pub(crate) replies: Replies,
    pub(crate) writes: Log<Write>,
    pub(crate) ledger: Log<Effect>,
    pending: Vec<(&'static str, String)>,
}

/// What one hazard did to the server.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(crate) struct LabCell {
    pub(crate) count: u32,
    pub(crate) last: Value,
}

impl World {
    pub(crate) fn new(accounts: BTreeMap<String, Account>, billing: Billing) -> Self {
        Self {
            accounts,
            sessions: Sessions::default(),
            videos: BTreeMap::new(),
            trash: BTreeMap::new(),
            members: BTreeMap::new(),
            tokens: BTreeMap::new(),
            billing,
            lab: BTreeMap::new(),
            status_reads: 0,
            next_id: 1,
            replies: Replies::default(),
            writes: Log::default(),
            ledger: Log::default(),
            pending: Vec::new(),
        }
    }

    /// A number no other thing has.
    pub(crate) fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Says that something was done; it reaches the ledger with [`World::settle`].
    pub(crate) fn effect(&mut self, kind: &'static str, id: impl Display) {
        self.pending.push((kind, format!("{id}")));
    }

    /// Moves the effects of one request to the ledger.
    pub(crate) fn settle(&mut self, recording: bool, user: Option<&str>, key: Option<&str>) {
        for (kind, id) in std::mem::take(&mut self.pending) {
            if recording {
                self.ledger.push(Effect {
                    kind,
                    id,
                    user: user.map(str::to_owned),
                    idempotency_key: key.map(str::to_owned),
                });
            }
        }
    }
}

/// First answers by idempotency key, so that a repeated request gets the same answer and has no second effect.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    by_key: BTreeMap<String, KeptReply>,
    order: VecDeque<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct KeptReply {
    /// Method, path and body of the first request.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Replies {
    pub(crate) fn get(&self, key: &str) -> Option<&KeptReply> {
        self.by_key.get(key)
    }

    pub(crate) fn keep(&mut self, key: String, reply: KeptReply) {
        if self.order.len() == REPLIES_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_key.remove(&oldest);
        }
        self.order.push_back(key.clone());
        self.by_key.insert(key, reply);
    }
}
