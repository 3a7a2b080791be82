//! The application that is open for a model, and how the model knows it.

use super::answer::{Answer, Refused};
use crate::host::{Host, Opened};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;
use uiap_protocol::web::PageGraph;
use uiap_runtime::surface::{Mark, Surface as _, SurfaceError};
use uiap_runtime::view::{OptionStyle, RefError, ViewOptions, changes_between, view_without_revision};

/// Longest wait for a page that is looked at.
pub(super) const LOOK_WAIT: Duration = Duration::from_secs(10);

/// The page as the model saw it last.
struct Seen {
    graph: PageGraph,
    mark: Mark,
}

/// The application that is open for a model.
pub(super) struct Room<H: Host> {
    pub(super) application: Opened<H>,
    seen: Mutex<Option<Seen>>,
}

impl<H: Host> Room<H> {
    /// A room in which the model has not looked around yet.
    pub(super) fn new(application: Opened<H>) -> Self {
        Self { application, seen: Mutex::default() }
    }

    /// Where the application is, as far as it is known.
    pub(super) fn address(&self) -> Option<String> {
        self.application.runtime.surface().scene(|scene| scene.page.route().url.clone())
    }

    /// The page as it is now.
    pub(super) async fn graph(&self) -> Result<PageGraph, Refused> {
        let surface = self.application.runtime.surface();
        surface.look(false, Instant::now() + LOOK_WAIT).await.map_err(|error| unseen(&error))?;
        surface.scene(|scene| scene.page.graph()).ok_or_else(|| {
            Refused::new("The page is being replaced by another.", "Wait for a change, then look.")
        })
    }

    /// A part of the page, or an overview.
    pub(super) async fn look(&self, options: &ViewOptions) -> Result<Answer, Refused> {
        let mut seen = self.seen.lock().await;
        let mark = self.application.runtime.surface().mark();
        let graph = self.graph().await?;
        let text = view_without_revision(&graph, options).map_err(|error| unknown(&error))?;
        let answer = Answer::new().with_unsaid("revision", graph.revision.as_str()).with_page(text);
        *seen = Some(Seen { graph, mark });
        Ok(answer)
    }

    /// What happened since the model last looked; from now on it has seen it.
    pub(super) async fn news(&self) -> String {
        let mut seen = self.seen.lock().await;
        let surface = self.application.runtime.surface();
        let mark = surface.mark();
        let Ok(after) = self.graph().await else {
            return "The page cannot be looked at right now; look again.".to_owned();
        };
        let shown = match &*seen {
            Some(before) => {
                let news = surface.news(before.mark, Instant::now()).await.unwrap_or_default();
                let signals: Vec<_> = news.signals.iter().map(|signal| signal.as_ref().clone()).collect();
                changes_between(&before.graph, &signals, &after, OptionStyle::ToolArguments)
            }
            None => view_without_revision(&after, &whole_page()),
        };
        *seen = Some(Seen { graph: after, mark });
        shown.unwrap_or_else(|error| format!("The page cannot be shown: {error}."))
    }

    /// A picture of the page, as base64: with every dot, or no wider than so many.
    pub(super) async fn picture(&self, width_max: Option<u32>) -> Result<(String, &'static str), Refused> {
        let surface = self.application.runtime.surface();
        let until = Instant::now() + LOOK_WAIT;
        let taken = match width_max {
            Some(width_max) => surface.small_picture(width_max, until).await,
            None => surface.picture(until).await,
        };
        let picture = taken.map_err(|error| unseen(&error))?;
        Ok((STANDARD.encode(&picture.bytes), picture.media_type))
    }
}

/// The overview of a page, with options written as arguments of tools.
pub(super) fn whole_page() -> ViewOptions {
    ViewOptions { style: OptionStyle::ToolArguments, ..ViewOptions::default() }
}

pub(super) fn unseen(error: &SurfaceError) -> Refused {
    let next = match error {
        SurfaceError::Gone { .. } => "Open the page again.",
        SurfaceError::Silent { .. } => "Try again; if that does not help, open the page again.",
    };
    Refused::new(format!("{error}."), next)
}

fn unknown(error: &RefError) -> Refused {
    let next = match error {
        RefError::Unknown { .. } => "Look without scope to see what there is.",
        RefError::Ambiguous { .. } => "Look with find to tell them apart.",
    };
    Refused::new(format!("{error}."), next)
}
