//! Files that a page offers.

use super::address::shown;
use super::signals::{BrowserSignal, SignalLog, cut};
use crate::cdp::Text;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What becomes of the files that a page offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Downloads {
    /// They are refused.
    #[default]
    Refuse,
    /// They are kept. A file is named by the id of its download: the name that a page proposes is only told.
    Keep {
        /// Where.
        folder: PathBuf,
    },
}

impl Downloads {
    /// The order to the browser.
    pub(super) fn behavior(&self, context: &str) -> Value {
        let (behavior, folder) = match self {
            Self::Refuse => ("deny", None),
            Self::Keep { folder } => ("allowAndName", Some(folder)),
        };
        let mut order = json!({ "behavior": behavior, "browserContextId": context, "eventsEnabled": true });
        if let (Some(folder), Some(members)) = (folder, order.as_object_mut()) {
            members.insert("downloadPath".to_owned(), json!(folder));
        }
        order
    }

    pub(super) fn started(&self, begins: &Begins, log: &SignalLog) {
        let kept = matches!(self, Self::Keep { .. });
        let members = json!({
            "downloadId": begins.guid, "url": shown(&begins.url.0),
            "fileName": cut(&begins.suggested_filename.0), "kept": kept,
        });
        log.tell(BrowserSignal::DownloadStarted, members);
    }

    pub(super) fn ended(&self, progress: &Progress, log: &SignalLog) {
        let completed = progress.state == "completed";
        let path = match self {
            Self::Keep { folder } if completed => Some(folder.join(&progress.guid)),
            Self::Keep { .. } | Self::Refuse => None,
        };
        let members = json!({
            "downloadId": progress.guid, "state": progress.state, "bytes": progress.received_bytes, "path": path,
        });
        log.tell(BrowserSignal::DownloadEnded, members);
    }
}

/// As the browser tells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begins {
    pub(super) frame_id: String,
    pub(super) guid: String,
    url: Text,
    #[serde(default)]
    suggested_filename: Text,
}

/// As the browser tells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    pub(super) guid: String,
    received_bytes: f64,
    state: String,
}

impl Progress {
    pub(super) fn is_over(&self) -> bool {
        self.state != "inProgress"
    }
}
