//! Waiting for what a page builds after it has loaded.

use super::look::publisher_expression;
use super::{Page, Request};
use crate::deadline::Deadline;
use serde::de::IgnoredAny;
use serde_json::json;
use std::time::Duration;

/// How long a page that waits for no answer must leave itself alone, in milliseconds: a few frames.
const CALM_MS: u32 = 50;
/// How long a slow answer is waited for when the network is almost quiet; then it counts as one that never comes.
const ANSWER_WAIT: Duration = Duration::from_secs(2);
/// How often a page is asked whether it is calm; each time takes at least as long.
const CALM_ATTEMPTS_MAX: usize = 1_000;

impl Page {
    /// Waits until the document has built what it shows after loading: it waits for no answer and changes nothing for
    /// a moment, or the network stays almost quiet: what it still waits for then may never come. False if that did
    /// not happen in time: some pages never rest.
    pub async fn rest(&self, deadline: Deadline) -> bool {
        let quiet = async {
            self.track.until(|facts| facts.end.is_some() || facts.document.quiet).await;
            if self.track.with(|facts| facts.end.is_none()) {
                tokio::time::sleep(ANSWER_WAIT).await;
            }
        };
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
            let (position, waited) = (self.track.log().position(), self.waits_for_answer());
            if !self.is_unchanged(deadline).await {
                break;
            }
            // An answer that came meanwhile is about to be shown.
            if !waited && !self.waits_for_answer() && self.track.log().position() == position {
                return;
            }
        }
        std::future::pending::<()>().await;
    }

    /// Something was asked for that has an end.
    fn waits_for_answer(&self) -> bool {
        self.in_flight().iter().any(Request::ends)
    }

    /// Nothing changes in the document for a moment; false if nobody can tell.
    async fn is_unchanged(&self, deadline: Deadline) -> bool {
        let Ok(Some(world)) = self.world(deadline).await else { return false };
        let expression = publisher_expression(&format!("calm({CALM_MS})"));
        let params = json!({ "expression": expression, "uniqueContextId": world, "awaitPromise": true });
        self.call::<IgnoredAny>("Runtime.evaluate", params, deadline).await.is_ok()
    }
}
