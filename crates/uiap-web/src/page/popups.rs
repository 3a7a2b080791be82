//! Pages that pages open.
//!
//! A page that another one opened shares its thread: a dialog in it, answered by nobody, would hang both. So each new
//! page waits at its very beginning until somebody listens to it.

use super::track::Dialog;
use crate::cdp::{CallError, Client, Event, Observer, SessionId};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Looks after the pages that pages open, from now on.
pub(crate) async fn attend(client: &Client, deadline: Deadline) -> Result<Arc<Door>, CallError> {
    let door = Arc::new(Door { client: client.clone(), contexts: Mutex::default() });
    client.observe(None, Arc::clone(&door) as Arc<_>);
    let params = json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{ "type": "page" }],
    });
    client.send(None, "Target.setAutoAttach", params, deadline).await.map(|_| door)
}

/// Sees every new page of the browser and cares for those of our contexts. The others belong to somebody else who
/// uses the same browser.
#[derive(Debug)]
pub(crate) struct Door {
    client: Client,
    contexts: Mutex<HashSet<String>>,
}

impl Door {
    pub(super) fn admit(&self, context: &str) {
        self.contexts().insert(context.to_owned());
    }

    pub(super) fn forget(&self, context: &str) {
        self.contexts().remove(context);
    }

    fn contexts(&self) -> MutexGuard<'_, HashSet<String>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page of ours that another page opened.
    fn is_popup(&self, target: &TargetInfo) -> bool {
        let ours = target.browser_context_id.as_ref().is_some_and(|id| self.contexts().contains(id));
        ours && target.opener_id.is_some()
    }
}

impl Observer for Door {
    fn event(&self, event: &Event) {
        if event.method != "Target.attachedToTarget" {
            return;
        }
        // Whoever attached on purpose does not find it waiting.
        let Some(attached) = event.params::<Attached>().filter(|attached| attached.waiting_for_debugger)
        else {
            return;
        };
        let session = attached.session_id;
        let opened = self.is_popup(&attached.target_info);
        if opened {
            let popup = Popup { client: self.client.clone(), session: session.clone() };
            self.client.observe(Some(&session), Arc::new(popup));
            self.client.post(Some(&session), "Page.enable", json!({}));
        }
        self.client.post(Some(&session), "Runtime.runIfWaitingForDebugger", json!({}));
        if !opened {
            self.client.post(None, "Target.detachFromTarget", json!({ "sessionId": session }));
        }
    }

    fn gone(&self, _browser: bool) {}
}

/// A page that a page opened, as long as nobody else cares for it.
struct Popup {
    client: Client,
    session: SessionId,
}

impl Observer for Popup {
    fn event(&self, event: &Event) {
        if event.method == "Page.javascriptDialogOpening"
            && let Some(dialog) = event.params::<Dialog>()
        {
            dialog.answer(&self.client, &self.session);
        }
    }

    fn gone(&self, _browser: bool) {}
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: SessionId,
    target_info: TargetInfo,
    #[serde(default)]
    waiting_for_debugger: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    opener_id: Option<String>,
    browser_context_id: Option<String>,
}
