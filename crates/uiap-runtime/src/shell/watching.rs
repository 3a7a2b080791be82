//! Watches for the effect of a deed, from before it is dispatched.

use super::asking::Soon;
use crate::judge::{Expectation, Judge, Sign, Told, Wanted};
use crate::life::Observation;
use crate::redaction::RedactionFilter;
use crate::surface::REQUEST_REFUSED;
use crate::surface::{Mark, News, Surface, SurfaceError};
use std::future::pending;
use tokio::time::Instant;
use uiap_protocol::web::{GraphStore, WebSignal, WebSignalBody};

/// The watch over one action.
pub(super) struct Watching<'r> {
    judge: Judge,
    /// What was begun after it may be the doing of the action.
    since: Mark,
    news: Option<Soon<'r, Result<News, SurfaceError>>>,
    rest: Option<Soon<'r, Result<(), SurfaceError>>>,
    /// The effect has been there while the page was shown twice, and nothing was under way.
    settled: bool,
    next: Mark,
}

/// What the watch hears.
pub(super) enum Heard {
    /// Something happened.
    News(Result<News, SurfaceError>),
    /// Everything that was begun has ended.
    Rest(Result<(), SurfaceError>),
}

impl<'r> Watching<'r> {
    /// Begins to watch. Nothing, if there is no page to watch.
    pub(super) fn begin<S: Surface>(
        surface: &'r S,
        redaction: &RedactionFilter<'_>,
        expectation: Expectation,
        calm_since: impl FnOnce(&GraphStore) -> u64,
    ) -> Option<Self> {
        let since = surface.mark();
        let judge = surface.scene(|scene| {
            let shown = expectation.is_requested().then(|| redaction.page(scene.page)).flatten();
            let mut judge = Judge::for_reader(expectation, scene.page, shown.as_ref());
            judge.idle_since(scene.page, calm_since(scene.page));
            judge
        })?;
        Some(Self { judge, since, news: None, rest: None, settled: false, next: since })
    }

    /// Waits for the next thing that happens.
    pub(super) async fn heard<S: Surface>(&mut self, surface: &'r S, until: Instant) -> Heard {
        let next = self.next;
        let news = self.news.get_or_insert_with(|| Box::pin(surface.news(next, until)));
        let rest = async {
            match &mut self.rest {
                Some(rest) => rest.await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            news = news => {
                self.news = None;
                Heard::News(news)
            }
            rest = rest => {
                self.rest = None;
                Heard::Rest(rest)
            }
        }
    }

    /// Takes in what happened, and how the one who asked may hear it.
    pub(super) fn take(&mut self, news: &News, shown: &[WebSignal]) {
        self.next = news.next;
        for (signal, shown) in news.signals.iter().zip(shown) {
            self.judge.hear_for_reader(signal, shown);
            if let Some(objection) = objection(signal, self.since) {
                self.judge.object(objection);
            }
        }
    }

    /// The effect stayed while everything came to rest.
    pub(super) fn rested(&mut self) {
        self.settled = true;
    }

    /// What proves the action is named. Otherwise a change counts that it plausibly caused, and time alone speaks for
    /// that.
    pub(super) fn knows_its_proof(&self) -> bool {
        let plausible =
            |sign: &Sign| matches!(sign, Sign::Least(Wanted::Reaction | Wanted::Submitted | Wanted::Invoked));
        !self.judge.expectation().signs.iter().all(plausible)
    }

    /// The effect is there, and it is only a question of time whether it stays.
    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Where the watch began.
    pub(super) fn since(&self) -> Mark {
        self.since
    }

    /// It has not come to rest, after all.
    pub(super) fn unsettle(&mut self) {
        self.settled = false;
    }

    /// The surface says what the page does not show.
    pub(super) fn told(&mut self, seen: Told) {
        self.judge.tell(seen);
    }

    /// What there is to see now.
    pub(super) fn observe<S: Surface>(
        &mut self,
        surface: &'r S,
        redaction: &RedactionFilter<'_>,
        until: Instant,
    ) -> Option<Observation> {
        let (judge, settled) = (&mut self.judge, self.settled);
        let observation = surface.scene(|scene| {
            let is_requested = judge.expectation().is_requested();
            let shown = is_requested.then(|| redaction.page(scene.page)).flatten();
            judge.observe_shown(scene.page, shown.as_ref(), settled)
        })?;
        if !observation.enough {
            self.settled = false;
            self.rest = None;
        } else if !self.settled && self.rest.is_none() {
            self.rest = Some(Box::pin(surface.rest(self.since, until)));
        }
        Some(observation)
    }
}

/// A request that was begun after the mark was refused: that speaks against success.
fn objection(signal: &WebSignal, since: Mark) -> Option<String> {
    let WebSignalBody::Vendor(form) = &signal.body else { return None };
    let begun = form.members.get("begun").and_then(serde_json::Value::as_u64);
    if form.word.as_str() != REQUEST_REFUSED || begun.is_none_or(|begun| begun < since.signals) {
        return None;
    }
    let said = |name: &str| {
        form.members.get(name).map(|value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        })
    };
    let why = said("status").or_else(|| said("error")).unwrap_or_default();
    let (method, url) = (said("method").unwrap_or_default(), said("url").unwrap_or_default());
    Some(format!("{method} {url} was answered with {why}"))
}
