//! Pages that somebody else opened, as a guest sees them: nothing about them is arranged, and they stay when we go.

use super::bind::Instruction;
use super::dialogs::Dialogs;
use super::documents::DocumentFilter;
use super::track::{Facts, Track};
use super::watch::PUSH;
use super::{Arrival, DialogPolicy, Page, WORLD};
use crate::browser::Browser;
use crate::cdp::{CallError, SessionId};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::sync::Arc;

/// A page that a browser shows, whoever opened it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OpenPage {
    /// Which.
    #[serde(rename = "targetId")]
    pub id: String,
    /// What it shows.
    pub url: String,
}

impl Browser {
    /// The pages that the browser shows, in all its contexts.
    pub async fn open_pages(&self, deadline: Deadline) -> Result<Vec<OpenPage>, CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Targets {
            target_infos: Vec<OpenPage>,
        }
        let params = json!({ "filter": [{ "type": "page" }] });
        let targets: Targets = self.client().call(None, "Target.getTargets", params, deadline).await?;
        Ok(targets.target_infos)
    }

    /// Looks at a page that is open already. It keeps its size, its dialogs are left to whoever opened it, and it stays
    /// open. A publisher that is there from before is used again, with all it remembers.
    pub async fn join(&self, open: &OpenPage, deadline: Deadline) -> Result<Page, CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Attached {
            session_id: SessionId,
        }
        let client = self.client();
        let params = json!({ "targetId": open.id, "flatten": true });
        let Attached { session_id: session } =
            client.call(None, "Target.attachToTarget", params, deadline).await?;
        let dialogs = Dialogs::new(client.clone(), session.clone(), DialogPolicy::Leave, true);
        let documents = DocumentFilter::new(client.clone(), session.clone());
        let track = Arc::new(Track::new(open.id.clone(), dialogs, documents, |_, _| None, false));
        client.observe(Some(&session), Arc::clone(&track) as Arc<_>);
        track.learn(|facts| facts.document.url.clone_from(&open.url));
        let page = Page {
            client: client.clone(),
            session,
            target: open.id.clone(),
            opener: None,
            track,
            arrival: Arrival { url: open.url.clone(), ..Arrival::default() },
            binding: Instruction::default(),
            annotation: Instruction::default(),
            heard: tokio::sync::Mutex::default(),
            context: None,
        };
        page.listen(deadline).await?;
        page.await_first_document(&open.url, deadline).await?;
        Ok(page)
    }
}

/// The document that every page has until it gets one.
const BLANK: &str = "about:blank";

impl Page {
    /// Waits for the document of a page that somebody has only just opened: until it comes, a blank one is there.
    async fn await_first_document(&self, address: &str, deadline: Deadline) -> Result<(), CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Tree {
            frame_tree: Root,
        }
        #[derive(Deserialize)]
        struct Root {
            frame: Shown,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Shown {
            url: String,
            loader_id: String,
        }
        let Tree { frame_tree: Root { frame } } = self.call("Page.getFrameTree", json!({}), deadline).await?;
        let is_blank = |url: &str| url.is_empty() || url == BLANK;
        if !is_blank(&frame.url) || is_blank(address) {
            return Ok(());
        }
        let another = |facts: &Facts| {
            facts.end.is_some()
                || (!facts.document.loader.is_empty() && facts.document.loader != frame.loader_id)
        };
        if deadline.limit(self.track.until(another)).await.is_some() {
            // A page that does not finish is shown as far as it came.
            let _ = self.settle(address, deadline).await;
        }
        Ok(())
    }

    /// Listens, and arranges nothing. The browser tells again what it told before: how far the document has come, and
    /// which worlds there are.
    async fn listen(&self, deadline: Deadline) -> Result<(), CallError> {
        let order = |method, params: Value| self.call::<IgnoredAny>(method, params, deadline);
        tokio::try_join!(
            order("Page.enable", json!({})),
            order("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            order("Inspector.enable", json!({})),
            order("Runtime.addBinding", json!({ "name": PUSH, "executionContextName": WORLD })),
            order("Runtime.enable", json!({})),
        )?;
        Ok(())
    }
}
