//! The server's own account of what was asked and what was done; tests believe this and nothing else.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::Value;

/// Entries kept of each list; older ones are dropped and counted.
const ENTRIES_MAX: usize = 5_000;
/// Bytes of a recorded body that are kept.
const BODY_BYTES_MAX: usize = 4 * 1024;

/// One request that was not a read.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Write {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    /// JSON as it is, other text as a string, nothing for an empty body.
    pub(crate) body: Option<Value>,
    /// What was answered.
    pub(crate) status: u16,
    /// `app`, or `frame` for the second origin.
    pub(crate) origin: &'static str,
}

/// One effect that was applied.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Effect {
    /// Such as `video.created`.
    pub(crate) kind: &'static str,
    pub(crate) id: String,
    pub(crate) user: Option<String>,
    pub(crate) idempotency_key: Option<String>,
}

/// A list that forgets its oldest entries but never that there were some.
#[derive(Debug)]
pub(crate) struct Log<T> {
    entries: VecDeque<T>,
    dropped: usize,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { entries: VecDeque::new(), dropped: 0 }
    }
}

impl<T: Serialize> Log<T> {
    pub(crate) fn push(&mut self, entry: T) {
        if self.entries.len() == ENTRIES_MAX {
            self.entries.pop_front();
            self.dropped += 1;
        }
        self.entries.push_back(entry);
    }

    /// What it remembers, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter()
    }

    /// The list under `name`, and how many entries it forgot.
    pub(crate) fn to_json(&self, name: &str) -> Value {
        serde_json::json!({ name: self.entries, "dropped": self.dropped })
    }
}

/// A body as it is recorded.
pub(crate) fn recorded_body(bytes: &[u8]) -> Option<Value> {
    if bytes.is_empty() {
        return None;
    }
    if bytes.len() <= BODY_BYTES_MAX
        && let Ok(value) = serde_json::from_slice(bytes)
    {
        return Some(value);
    }
    let kept = bytes.get(..BODY_BYTES_MAX).unwrap_or(bytes);
    Some(Value::String(String::from_utf8_lossy(kept).into_owned()))
}
