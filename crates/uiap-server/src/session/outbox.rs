//! What goes out, in order: kept until it is taken, and for a while after, for a peer who lost it.

use super::terms::{KEPT_BYTES_MAX, KEPT_MAX, UNREAD_BUSY, UNREAD_BYTES_MAX, UNREAD_MAX};
use std::collections::VecDeque;
use std::sync::Arc;
use uiap_protocol::core::CoreErrorCode;
use uiap_protocol::ids::{MessageId, SessionId};

/// One message on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// Which.
    pub id: MessageId,
    /// The message that it is the response to.
    pub answers: Option<MessageId>,
    /// The session that it belongs to, once there is one.
    pub session: Option<SessionId>,
    /// What kind of trouble it tells, if it does.
    pub error: Option<CoreErrorCode>,
    /// The envelope.
    pub text: String,
}

/// What goes out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// What was sent lately, and behind it what was not.
    messages: VecDeque<Arc<Outgoing>>,
    /// How many of them were sent.
    taken: usize,
    taken_bytes: usize,
    unread_bytes: usize,
}

impl Outbox {
    pub(crate) fn push(&mut self, outgoing: Outgoing) {
        self.unread_bytes = self.unread_bytes.saturating_add(outgoing.text.len());
        self.messages.push_back(Arc::new(outgoing));
    }

    /// Puts a message in front of everything that was not sent yet.
    pub(crate) fn push_first(&mut self, outgoing: Outgoing) {
        self.unread_bytes = self.unread_bytes.saturating_add(outgoing.text.len());
        let place = self.taken.min(self.messages.len());
        self.messages.insert(place, Arc::new(outgoing));
    }

    /// The next one, which counts as sent from now on.
    pub(crate) fn take(&mut self) -> Option<Arc<Outgoing>> {
        let next = self.messages.get(self.taken)?.clone();
        self.taken += 1;
        self.unread_bytes = self.unread_bytes.saturating_sub(next.text.len());
        self.taken_bytes = self.taken_bytes.saturating_add(next.text.len());
        while self.taken > KEPT_MAX || (self.taken_bytes > KEPT_BYTES_MAX && self.taken > 0) {
            let Some(oldest) = self.messages.pop_front() else { break };
            self.taken -= 1;
            self.taken_bytes = self.taken_bytes.saturating_sub(oldest.text.len());
        }
        Some(next)
    }

    pub(crate) fn has_unread(&self) -> bool {
        self.unread() > 0
    }

    /// The peer reads too slowly to be told everything.
    pub(crate) fn is_busy(&self) -> bool {
        self.unread() >= UNREAD_BUSY
    }

    /// The peer does not read at all.
    pub(crate) fn is_full(&self) -> bool {
        self.unread() > UNREAD_MAX || self.unread_bytes > UNREAD_BYTES_MAX
    }

    /// Goes back to what followed a message. `false` if it is not known any more; then only what was never sent goes
    /// out.
    pub(crate) fn rewind(&mut self, last: &MessageId) -> bool {
        let Some(place) = self.messages.iter().position(|message| message.id == *last) else { return false };
        let back = self.messages.iter().take(self.taken).skip(place + 1).map(|message| message.text.len());
        let bytes: usize = back.sum();
        self.unread_bytes = self.unread_bytes.saturating_add(bytes);
        self.taken_bytes = self.taken_bytes.saturating_sub(bytes);
        self.taken = self.taken.min(place + 1);
        true
    }

    /// Forgets the oldest of what nobody reads, as long as it is too much. Says whether anything was lost.
    pub(crate) fn shed(&mut self) -> bool {
        let mut lost = false;
        while self.is_full() {
            let Some(oldest) = self.messages.pop_front() else { break };
            if self.taken > 0 {
                self.taken -= 1;
                self.taken_bytes = self.taken_bytes.saturating_sub(oldest.text.len());
            } else {
                self.unread_bytes = self.unread_bytes.saturating_sub(oldest.text.len());
                lost = true;
            }
        }
        lost
    }

    fn unread(&self) -> usize {
        self.messages.len().saturating_sub(self.taken)
    }
}
