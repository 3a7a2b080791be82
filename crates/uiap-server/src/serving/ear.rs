//! Hears one action.

use tokio::sync::mpsc;
use uiap_protocol::action::ConfirmationRequest;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::{Message, Verdict};
use uiap_runtime::shell::Listener;

/// Most things that an action says and nobody has passed on. Its handle is the first of them and its result does not
/// come this way, so what is lost beyond it is progress.
const SAID_MAX: usize = 256;

/// What an action says.
pub(super) enum Said {
    Message(Message),
    Asks(Box<ConfirmationRequest>, GrantToken),
    Decided(Box<Verdict>),
}

pub(super) struct Ear {
    said: mpsc::Sender<Said>,
}

impl Ear {
    pub(super) fn new() -> (Self, mpsc::Receiver<Said>) {
        let (said, heard) = mpsc::channel(SAID_MAX);
        (Self { said }, heard)
    }
}

impl Listener for Ear {
    fn hear(&self, message: &Message) {
        // Nobody listens any more only when the action has ended.
        let _ = self.said.try_send(Said::Message(message.clone()));
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        // An action asks before it does anything, so that there is room; where there is none, nobody agrees, and it ends.
        let _ = self.said.try_send(Said::Asks(Box::new(request.clone()), token));
    }

    fn decided(&self, verdict: &Verdict) {
        // The journal has every decision.
        let _ = self.said.try_send(Said::Decided(Box::new(verdict.clone())));
    }
}
