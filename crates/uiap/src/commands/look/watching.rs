//! `uiap look --watch`: what changes on a page, as it changes.

use crate::Trouble;
use anyhow::Context as _;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use uiap_protocol::web::{GraphStore, PageGraph, WebStateDelta};
use uiap_runtime::redaction::RedactionFilter;
use uiap_runtime::view::{ViewOptions, changes, view};
use uiap_web::{Deadline, Lost, Page, Position};

/// How long a page that was replaced may take to be there again.
const RETURN_WAIT: Duration = Duration::from_secs(30);

/// Shows every change until the page ends or time, if there is a limit, is up.
pub(super) async fn watch(
    page: &Page,
    seen: &PageGraph,
    redaction: &RedactionFilter<'_>,
    as_json: bool,
    time: Option<Duration>,
) -> Result<(), Trouble> {
    let end = time.map(Deadline::after);
    let soon = || end.unwrap_or_else(|| Deadline::after(Duration::MAX));
    let position = page.signals().position();
    let mut shown = Shown { page, redaction, graph: seen.clone(), position, as_json };
    while !end.is_some_and(Deadline::is_over) {
        let mut watch = match page.watch(soon().at_most(RETURN_WAIT)).await {
            Ok(watch) => watch,
            Err(_) if end.is_some_and(Deadline::is_over) => break,
            Err(error) => return Err(gone(error)),
        };
        let Some(mut current) = watch.read(GraphStore::graph) else { continue };
        redaction.graph(&mut current);
        shown.replaced(current)?;
        loop {
            match watch.next(soon()).await {
                Ok(deltas) if deltas.is_empty() && time.is_some() => return Ok(()),
                Ok(deltas) if deltas.is_empty() => {}
                Ok(deltas) => {
                    let Some(current) = watch.read(GraphStore::graph) else { break };
                    shown.changed(&deltas, &current)?;
                }
                Err(lost @ Lost::Ended) => return Err(gone(lost)),
                Err(Lost::Replaced | Lost::Disconnected(_)) => break,
            }
        }
    }
    Ok(())
}

fn gone(why: impl std::error::Error + Send + Sync + 'static) -> Trouble {
    Trouble::Other(anyhow::Error::new(why).context("the page can be watched no longer"))
}

/// What the reader has seen so far.
struct Shown<'p> {
    page: &'p Page,
    redaction: &'p RedactionFilter<'p>,
    graph: PageGraph,
    position: Position,
    as_json: bool,
}

impl Shown<'_> {
    fn changed(&mut self, deltas: &[Arc<WebStateDelta>], current: &PageGraph) -> Result<(), Trouble> {
        let news = self.page.signals().since(self.position);
        self.position = news.next;
        let whole = GraphStore::new(current.clone());
        let mut now = current.clone();
        self.redaction.graph(&mut now);
        let redacted = deltas.iter().map(|delta| {
            let mut delta = delta.as_ref().clone();
            self.redaction.delta(&mut delta, &whole);
            delta
        });
        let deltas: Vec<_> = redacted.collect();
        let signals = self.redaction.signals(&news.signals, Some(&whole));
        let mut out = std::io::stdout().lock();
        if self.as_json {
            for delta in &deltas {
                let line = serde_json::to_string(delta).context("a delta is not JSON")?;
                writeln!(out, "{line}")?;
            }
        } else {
            let text = changes(&self.graph, &deltas, &signals, &now)
                .map_err(|error| Trouble::Other(error.into()))?;
            write!(out, "{text}")?;
        }
        out.flush()?;
        self.graph = now;
        Ok(())
    }

    /// Another document, or the same one after the way to it was broken: it is shown whole if it is different.
    fn replaced(&mut self, now: PageGraph) -> Result<(), Trouble> {
        if now.revision == self.graph.revision {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        if self.as_json {
            let graph = serde_json::to_string(&now).context("the graph is not JSON")?;
            writeln!(out, "{graph}")?;
        } else {
            let text = view(&now, &ViewOptions::default()).map_err(|error| Trouble::Other(error.into()))?;
            write!(out, "{text}")?;
        }
        out.flush()?;
        self.graph = now;
        Ok(())
    }
}
