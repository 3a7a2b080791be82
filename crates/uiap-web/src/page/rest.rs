//! Waiting for what a page builds after it has loaded.

use super::Page;
use super::look::publisher_expression;
use crate::deadline::Deadline;
use serde::de::IgnoredAny;
use serde_json::json;

/// How long a page that waits for no answer must leave itself alone, in milliseconds: a few frames.
const CALM_MS: u32 = 50;
/// How often a page is asked whether it is calm; each time takes at least as long.
const CALM_ATTEMPTS_MAX: usize = 1_000;

impl Page {
    /// Waits until the document has built what it shows after loading: it waits for no answer and changes nothing for
    /// a moment, or at least the network was almost quiet for half a second. False if that did not happen in time:
    /// some pages never rest.
    pub async fn rest(&self, deadline: Deadline) -> bool {
        let quiet = self.track.until(|facts| facts.end.is_some() || facts.document.quiet);
        let rests = async {
            tokio::select! {
                () = quiet => {}
                () = self.calm(deadline) => {}
            }
        };
        deadline.limit(rests).await.is_some()
    }

    /// Ends when the page is calm, otherwise not at all.
    async fn calm(&self, deadline: Deadline) {
        for _ in 0..CALM_ATTEMPTS_MAX {
            self.track.until(|facts| facts.end.is_some() || facts.document.loaded).await;
            let (position, waited) = (self.track.log().position(), !self.in_flight().is_empty());
            if !self.is_unchanged(deadline).await {
                break;
            }
            // An answer that came meanwhile is about to be shown.
            if !waited && self.in_flight().is_empty() && self.track.log().position() == position {
                return;
            }
        }
        std::future::pending().await
    }

    /// Nothing changes in the document for a moment; false if nobody can tell.
    async fn is_unchanged(&self, deadline: Deadline) -> bool {
        let Ok(Some(world)) = self.world(deadline).await else { return false };
        let expression = publisher_expression(&format!("calm({CALM_MS})"));
        let params = json!({ "expression": expression, "uniqueContextId": world, "awaitPromise": true });
        self.call::<IgnoredAny>("Runtime.evaluate", params, deadline).await.is_ok()
    }
}
