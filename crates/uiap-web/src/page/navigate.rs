//! Going to an address.

use super::track::{End, Facts};
use super::{NetworkFault, OpenError, Page};
use crate::cdp::{CallError, Text};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde_json::json;

/// How far a page came before the wait for it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Settled {
    /// Everything it asked for at the beginning is there.
    Loaded,
    /// It can be used, and the network was almost quiet for a moment.
    Quiet,
    /// It is still loading.
    #[default]
    Unfinished,
}

/// How a page arrived at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Where it ended up: redirections are followed.
    pub url: String,
    /// What the server said; none if no server was asked. A status such as 404 still has a page.
    pub status: Option<u16>,
    /// How far it came.
    pub settled: Settled,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    /// Missing if the document stays the same (another fragment).
    loader_id: Option<String>,
    error_text: Option<Text>,
    #[serde(default)]
    is_download: bool,
}

impl Page {
    /// Goes to an address and waits until the page is there, as [`super::Context::open`] does.
    pub async fn go(&mut self, url: &str, deadline: Deadline) -> Result<&Arrival, OpenError> {
        self.arrival = self.visit(url, deadline).await?;
        Ok(&self.arrival)
    }

    /// The same for a page that others look at meanwhile.
    pub(crate) async fn visit(&self, url: &str, deadline: Deadline) -> Result<Arrival, OpenError> {
        let (before, moves) = self.track.with(|facts| (facts.document.loader.clone(), facts.moves));
        let navigated = self.navigate(url, deadline).await?;
        let replaced = navigated.loader_id.is_some();
        let gone = |facts: &Facts| facts.end.is_some();
        let shown = |facts: &Facts| facts.document.loader != before || (!replaced && facts.moves != moves);
        let wait = self.track.until(|facts| gone(facts) || shown(facts));
        if deadline.limit(wait).await.is_none() {
            return Err(OpenError::NoAnswer { url: url.to_owned() });
        }
        self.settle(url, deadline).await
    }

    /// Waits until a page that a page opened is there, as [`super::Context::open`] does.
    pub async fn arrive(&mut self, deadline: Deadline) -> Result<&Arrival, OpenError> {
        let url = self.url();
        self.arrival = self.settle(&url, deadline).await?;
        Ok(&self.arrival)
    }

    pub(super) async fn settle(&self, url: &str, deadline: Deadline) -> Result<Arrival, OpenError> {
        let there = |facts: &Facts| !facts.expecting && facts.document.is_ready();
        let wait = self.track.until(|facts| facts.end.is_some() || there(facts));
        // A page that does not finish is shown as far as it came.
        let _ = deadline.limit(wait).await;
        if let Some(end) = self.track.with(|facts| facts.end) {
            return Err(ended(end, url));
        }
        Ok(self.track.with(arrived))
    }

    async fn navigate(&self, url: &str, deadline: Deadline) -> Result<Navigated, OpenError> {
        let url_owned = || url.to_owned();
        let answer = self.call::<Navigated>("Page.navigate", json!({ "url": url }), deadline).await;
        let navigated = match answer {
            Ok(navigated) => navigated,
            Err(CallError::Deadline { .. }) => return Err(OpenError::NoAnswer { url: url_owned() }),
            Err(CallError::Refused { .. }) => return Err(OpenError::Address { url: url_owned() }),
            Err(CallError::SessionGone) if self.track.with(|facts| facts.end) == Some(End::Crashed) => {
                return Err(OpenError::Crashed { url: url_owned() });
            }
            Err(error) => return Err(error.into()),
        };
        match &navigated.error_text {
            Some(_)
                if navigated
                    .loader_id
                    .as_ref()
                    .is_some_and(|loader| self.track.documents().has_refused(loader)) =>
            {
                Err(OpenError::ApprovalPage { url: url_owned() })
            }
            Some(_) if navigated.is_download => Err(OpenError::Download { url: url_owned() }),
            Some(Text(code)) if !code.is_empty() => {
                Err(OpenError::Unreachable { url: url_owned(), fault: NetworkFault::from_code(code) })
            }
            _ => Ok(navigated),
        }
    }
}

fn ended(end: End, url: &str) -> OpenError {
    match end {
        End::Crashed => OpenError::Crashed { url: url.to_owned() },
        End::Closed => OpenError::Call(CallError::SessionGone),
        End::Browser => OpenError::Call(CallError::BrowserGone),
    }
}

/// How far the present document came.
pub(super) fn settled(facts: &Facts) -> Settled {
    if facts.document.loaded {
        Settled::Loaded
    } else if facts.document.is_ready() {
        Settled::Quiet
    } else {
        Settled::Unfinished
    }
}

fn arrived(facts: &Facts) -> Arrival {
    Arrival { url: facts.document.url.clone(), status: facts.status(), settled: settled(facts) }
}
