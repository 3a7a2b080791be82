//! Between an action and the person at the terminal.

use super::Acting;
use super::person::{Said, Terminal, ask, is_yes, say};
use std::pin::Pin;
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::USER_WAIT_MS_MAX;
use uiap_runtime::shell::WordError;

type Granting<'r> = Pin<Box<dyn Future<Output = Result<(), WordError>> + 'r>>;

/// What the person is waited for.
enum Open {
    Nothing,
    Agreement(ActionHandle, GrantToken),
    Deed(ActionHandle),
}

/// Between the action and the person.
pub(super) struct Desk<'r> {
    runtime: &'r Acting,
    handle: Option<ActionHandle>,
    terminal: Option<Terminal>,
    open: Open,
    granting: Option<Granting<'r>>,
    /// A person can see the page.
    visible: bool,
}

impl<'r> Desk<'r> {
    /// Nothing has been said yet. The person can see the page, or not.
    pub(super) fn new(runtime: &'r Acting, visible: bool) -> Self {
        Self { runtime, handle: None, terminal: None, open: Open::Nothing, granting: None, visible }
    }

    /// The action was accepted here.
    pub(super) fn has_handle(&self) -> bool {
        self.handle.is_some()
    }

    /// Asks the action to stop. `false` if it cannot be asked.
    pub(super) fn cancel(&self) -> bool {
        let reason = Some("you stopped it".to_owned());
        self.handle.as_ref().is_some_and(|handle| self.runtime.cancel(handle, reason).is_ok())
    }

    /// Notes the handle of the action.
    pub(super) fn note(&mut self, said: &Said) {
        if let Said::Accepted(handle) = said {
            self.handle = Some(handle.clone());
        }
    }

    /// Reacts to what the action says.
    pub(super) fn hear(&mut self, said: Said) {
        self.note(&said);
        match said {
            Said::Accepted(_) => {}
            Said::Asks(request, token) => {
                let handle = request.action_handle.clone();
                if !Terminal::is_there() {
                    let reason = "nobody can be asked here, because this is no terminal; run it in a terminal, or \
                                  allow it with a --policy";
                    return self.deny(&handle, reason);
                }
                self.terminal.get_or_insert_with(Terminal::listen).forget();
                ask(&request);
                self.open = Open::Agreement(handle, token);
            }
            Said::NeedsUser { handle, note } if self.visible => {
                say(&note);
                let seconds = USER_WAIT_MS_MAX / 1_000;
                say(&format!(
                    "Do it in the window of the browser; it is waited for up to {seconds} seconds."
                ));
                if Terminal::is_there() {
                    say("Press Enter when it is done, if that is not noticed.");
                    self.terminal.get_or_insert_with(Terminal::listen).forget();
                }
                self.open = Open::Deed(handle);
            }
            Said::NeedsUser { handle, note } => {
                let reason =
                    format!("{} Only a person can do this: run it again with --headed.", ended(&note));
                // An action that has just ended needs nobody.
                let _ = self.runtime.cancel(&handle, Some(reason));
            }
        }
    }

    fn deny(&mut self, handle: &ActionHandle, reason: &str) {
        // An action that has just ended needs no answer.
        let _ = self.runtime.deny(handle, Some(reason.to_owned()));
        self.open = Open::Nothing;
    }

    /// Waits for the person, where the person is waited for.
    pub(super) async fn next(&mut self) {
        if let Some(granting) = &mut self.granting {
            if let Err(error) = granting.await {
                say(&format!("The agreement was not taken: {error}."));
            }
            self.granting = None;
            return;
        }
        let (Some(terminal), false) = (&mut self.terminal, matches!(self.open, Open::Nothing)) else {
            return std::future::pending().await;
        };
        let line = terminal.line().await;
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Agreement(handle, token) if is_yes(line.as_deref()) => {
                let runtime = self.runtime;
                self.granting =
                    Some(Box::pin(async move { runtime.grant(&handle, token, PeerRole::User).await }));
            }
            Open::Agreement(handle, _) => self.deny(&handle, "you did not agree"),
            Open::Deed(handle) => {
                let _ = self.runtime.user_acted(&handle, PeerRole::User);
            }
            Open::Nothing => {}
        }
    }
}

/// A note that ends like a sentence.
fn ended(note: &str) -> String {
    let end = if note.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{note}{end}")
}
