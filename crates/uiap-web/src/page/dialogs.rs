//! Dialogs of a page: asked about, answered, never left open.
//!
//! An open dialog stops its page and every page that shares its thread. So each is answered: at once, or after a wait
//! in which somebody may decide.

use super::signals::{BrowserSignal, SignalLog, cut};
use super::{DialogError, Page};
use crate::cdp::{CallError, Client, SessionId, Text};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest time a dialog may stay open.
const WAIT_MAX: Duration = Duration::from_mins(10);

/// Ids are never given twice in one process.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// What a dialog of a page wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// To be read.
    Alert,
    /// Yes or no.
    Confirm,
    /// A text.
    Prompt,
    /// That the user stays.
    Beforeunload,
    /// Something newer than we are.
    #[serde(other)]
    Other,
}

impl DialogKind {
    /// As the browser spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Confirm => "confirm",
            Self::Prompt => "prompt",
            Self::Beforeunload => "beforeunload",
            Self::Other => "other",
        }
    }

    /// How it is answered when nobody decides. An alert is only read and leaving is what was wanted; everything
    /// else is a question, and a yes nobody gave is worse than a no.
    fn default_answer(self) -> DialogAnswer {
        match self {
            Self::Alert | Self::Beforeunload => DialogAnswer::Accept { text: None },
            Self::Confirm | Self::Prompt | Self::Other => DialogAnswer::Dismiss,
        }
    }
}

/// Who answers dialogs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    /// Nobody: alerts are read, pages may be left, questions get a no.
    #[default]
    AtOnce,
    /// The caller, with [`Page::answer_dialog`]. After the wait it is as if nobody were asked.
    Ask {
        /// How long; ten minutes at most.
        wait: Duration,
    },
    /// Somebody else, whose page it is: they stay open until then.
    Leave,
}

/// A dialog that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDialog {
    /// Which.
    pub id: u64,
    /// What it wants.
    pub kind: DialogKind,
    /// What it says.
    pub message: String,
}

/// An answer to a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// Yes, with a text for a dialog that wants one.
    Accept {
        /// The text.
        text: Option<String>,
    },
    /// No.
    Dismiss,
}

/// The dialogs of one page.
#[derive(Debug)]
pub(super) struct Dialogs {
    client: Client,
    session: SessionId,
    policy: DialogPolicy,
    /// Somebody has this page and can be asked.
    attended: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: Option<OpenDialog>,
    /// Who answered the dialog that is about to close.
    answered_by: Option<&'static str>,
}

/// As the browser tells it.
#[derive(Deserialize)]
pub(super) struct Opening {
    #[serde(rename = "type")]
    kind: DialogKind,
    #[serde(default)]
    message: Text,
}

impl Dialogs {
    pub(super) fn new(client: Client, session: SessionId, policy: DialogPolicy, attended: bool) -> Arc<Self> {
        let attended = AtomicBool::new(attended);
        Arc::new(Self { client, session, policy, attended, state: Mutex::default() })
    }

    /// From now on somebody has this page.
    pub(super) fn attend(&self) {
        self.attended.store(true, Ordering::Relaxed);
    }

    pub(super) fn current(&self) -> Option<OpenDialog> {
        self.state().open.clone()
    }

    pub(super) fn opened(self: &Arc<Self>, opening: &Opening, log: &SignalLog) {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let dialog = OpenDialog { id, kind: opening.kind, message: cut(&opening.message.0) };
        let policy = match self.policy {
            DialogPolicy::Ask { .. } if !self.attended.load(Ordering::Relaxed) => DialogPolicy::AtOnce,
            policy => policy,
        };
        let (kind, message) = (dialog.kind.word(), dialog.message.clone());
        self.state().open = Some(dialog);
        let asked = matches!(policy, DialogPolicy::Ask { .. });
        log.tell(
            BrowserSignal::DialogOpened,
            json!({ "dialogId": id, "dialog": kind, "message": message, "asked": asked }),
        );
        match policy {
            DialogPolicy::AtOnce => self.answer_by_default(id),
            DialogPolicy::Ask { wait } => {
                let dialogs = Arc::clone(self);
                // It ends with the wait, and a dialog that was answered meanwhile is none of its business.
                tokio::spawn(async move {
                    tokio::time::sleep(wait.min(WAIT_MAX)).await;
                    dialogs.answer_by_default(id);
                });
            }
            DialogPolicy::Leave => {}
        }
    }

    pub(super) fn closed(&self, accepted: bool, log: &SignalLog) {
        let by = {
            let mut state = self.state();
            state.open = None;
            state.answered_by.take().unwrap_or("browser")
        };
        log.tell(BrowserSignal::DialogClosed, json!({ "accepted": accepted, "by": by }));
    }

    fn answer_by_default(&self, id: u64) {
        if let Some(dialog) = self.take(id, "default") {
            let answer = dialog.kind.default_answer();
            self.client.post(Some(&self.session), "Page.handleJavaScriptDialog", order(&answer));
        }
    }

    /// Whoever takes the dialog answers it; there is only one.
    fn take(&self, id: u64, by: &'static str) -> Option<OpenDialog> {
        let mut state = self.state();
        let taken = state.open.take_if(|dialog| dialog.id == id)?;
        state.answered_by = Some(by);
        Some(taken)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn order(answer: &DialogAnswer) -> serde_json::Value {
    match answer {
        DialogAnswer::Accept { text: Some(text) } => json!({ "accept": true, "promptText": text }),
        DialogAnswer::Accept { text: None } => json!({ "accept": true }),
        DialogAnswer::Dismiss => json!({ "accept": false }),
    }
}

impl Page {
    /// The dialog that waits for an answer, if the policy of the context asks somebody.
    pub fn dialog(&self) -> Option<OpenDialog> {
        self.track.dialogs().current()
    }

    /// Answers a dialog.
    pub async fn answer_dialog(
        &self,
        id: u64,
        answer: &DialogAnswer,
        deadline: Deadline,
    ) -> Result<(), DialogError> {
        self.track.dialogs().take(id, "caller").ok_or(DialogError::Over)?;
        let answered =
            self.call::<serde::de::IgnoredAny>("Page.handleJavaScriptDialog", order(answer), deadline);
        match answered.await {
            Ok(_) => Ok(()),
            Err(CallError::Refused { .. }) => Err(DialogError::Over),
            Err(error) => Err(error.into()),
        }
    }
}
