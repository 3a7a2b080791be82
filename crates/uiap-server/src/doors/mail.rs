//! The letters of sessions over HTTP: what answers a request goes to whoever waits for it, everything else into a box
//! that is read as a stream of events.

use crate::serving::{Inbound, Outbound};
use crate::session::{Outgoing, Party};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc, oneshot};
use uiap_protocol::ids::{MessageId, SessionId};

/// Most events that are kept for whoever comes back.
pub(super) const KEPT_MAX: usize = 512;
/// Most bytes of them.
const KEPT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The sessions that are held over HTTP.
#[derive(Debug, Default)]
pub(super) struct Letters {
    boxes: Mutex<HashMap<SessionId, Arc<Mailbox>>>,
}

impl Letters {
    /// The box of a session, for those who opened it.
    pub(super) fn find(&self, id: &str, party: Party) -> Option<Arc<Mailbox>> {
        let found = locked(&self.boxes).get(id).cloned();
        found.filter(|mailbox| mailbox.party == party)
    }

    pub(super) fn add(&self, id: SessionId, mailbox: Arc<Mailbox>) {
        locked(&self.boxes).insert(id, mailbox);
    }

    pub(super) fn remove(&self, id: &SessionId) {
        locked(&self.boxes).remove(id);
    }
}

/// The box of one session.
#[derive(Debug)]
pub(super) struct Mailbox {
    pub(super) party: Party,
    pub(super) speak: mpsc::Sender<Inbound>,
    inside: Mutex<Inside>,
    /// Something is new, or all is over.
    pub(super) stirred: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    waiting: HashMap<MessageId, oneshot::Sender<Arc<Outgoing>>>,
    events: VecDeque<Arc<Outgoing>>,
    bytes: usize,
    /// The number of the first event that is kept.
    first: u64,
    /// The number of the first event that nobody has read.
    unread: u64,
    readers: u64,
    closed: bool,
}

/// What a reader finds.
pub(super) enum Next {
    Event(Arc<Outgoing>),
    /// Some events were lost.
    Gap,
    Nothing,
    Over,
}

/// Somebody who reads the events of a box.
#[derive(Debug)]
pub(super) struct Reader {
    number: u64,
    next: u64,
    gap: bool,
}

impl Mailbox {
    pub(super) fn new(party: Party, speak: mpsc::Sender<Inbound>) -> Arc<Self> {
        Arc::new(Self { party, speak, inside: Mutex::default(), stirred: Notify::new() })
    }

    /// Waits for the answer to a request; nothing, if somebody waits for it already.
    pub(super) fn wait_for(&self, id: &MessageId) -> Option<oneshot::Receiver<Arc<Outgoing>>> {
        let mut inside = locked(&self.inside);
        if inside.waiting.contains_key(id) {
            return None;
        }
        let (answer, waits) = oneshot::channel();
        inside.waiting.insert(id.clone(), answer);
        Some(waits)
    }

    pub(super) fn give_up(&self, id: &MessageId) {
        locked(&self.inside).waiting.remove(id);
    }

    /// Puts everything that the session says into its place, until it says no more.
    pub(super) async fn sort(self: Arc<Self>, mut listen: mpsc::Receiver<Outbound>) {
        while let Some(Outbound::Message(outgoing)) = listen.recv().await {
            self.put(outgoing);
        }
        let mut inside = locked(&self.inside);
        inside.closed = true;
        inside.waiting.clear();
        drop(inside);
        self.stirred.notify_waiters();
    }

    fn put(&self, outgoing: Arc<Outgoing>) {
        let mut inside = locked(&self.inside);
        let waits = outgoing.answers.as_ref().and_then(|id| inside.waiting.remove(id));
        // Whoever gave up waiting finds the answer among the events.
        let unclaimed = match waits {
            Some(answer) => answer.send(outgoing).err(),
            None => Some(outgoing),
        };
        if let Some(outgoing) = unclaimed {
            inside.bytes = inside.bytes.saturating_add(outgoing.text.len());
            inside.events.push_back(outgoing);
            while inside.events.len() > KEPT_MAX || inside.bytes > KEPT_BYTES_MAX {
                let Some(oldest) = inside.events.pop_front() else { break };
                inside.bytes = inside.bytes.saturating_sub(oldest.text.len());
                inside.first += 1;
            }
        }
        drop(inside);
        self.stirred.notify_waiters();
    }

    /// A reader from behind the last event that he had, or from the first that nobody has read. There is one at a time.
    pub(super) fn reader(&self, last: Option<&str>) -> Reader {
        let mut inside = locked(&self.inside);
        inside.readers += 1;
        let place = last.map(|last| inside.events.iter().position(|event| event.id.as_str() == last));
        let behind = |place: usize| inside.first.saturating_add(u64::try_from(place).unwrap_or(u64::MAX)) + 1;
        let (next, gap) = match place {
            Some(Some(place)) => (behind(place), false),
            Some(None) => (inside.first, true),
            None => (inside.unread.max(inside.first), inside.unread < inside.first),
        };
        let reader = Reader { number: inside.readers, next, gap };
        drop(inside);
        self.stirred.notify_waiters();
        reader
    }

    /// What a reader finds next.
    pub(super) fn next(&self, reader: &mut Reader) -> Next {
        let mut inside = locked(&self.inside);
        if inside.readers != reader.number {
            return Next::Over;
        }
        if std::mem::take(&mut reader.gap) || reader.next < inside.first {
            reader.next = reader.next.max(inside.first);
            return Next::Gap;
        }
        let place = usize::try_from(reader.next - inside.first).unwrap_or(usize::MAX);
        match inside.events.get(place).cloned() {
            Some(event) => {
                reader.next += 1;
                inside.unread = inside.unread.max(reader.next);
                Next::Event(event)
            }
            None if inside.closed => Next::Over,
            None => Next::Nothing,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
