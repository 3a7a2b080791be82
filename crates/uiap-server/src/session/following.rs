//! What a session shows of the page, and tells about it from then on.

use super::cut::{to_options, to_scopes};
use super::difference::difference;
use super::speaking::{error, timestamp};
use super::{Answer, Effect, Open, PageNews, Pending, Session, Stage};
use uiap_protocol::core::{Body, CoreErrorCode};
use uiap_protocol::ids::{Id, MessageId, RevisionId, ScopeId};
use uiap_protocol::web::{
    PageGraph, SnapshotOptions, StateResync, StateSnapshot, StateSubscribe, StateSubscribed,
    StateUnsubscribe, StateUnsubscribed, WebStateDelta,
};
use uiap_runtime::life::Millis;

/// Somebody who wants to be kept informed.
#[derive(Clone, Debug)]
pub(super) struct Subscription {
    id: Id,
    deltas: bool,
    signals: bool,
    scopes: Option<Vec<ScopeId>>,
    interval_ms: Millis,
    /// When something was told last.
    told_at: Millis,
    /// The page as it was told last. Nothing, if the consumer has to ask for it first.
    base: Option<Box<PageGraph>>,
}

impl Session {
    /// From when on it wants to know what happens on the page; not at all, where nobody follows or reads.
    pub fn wants_news(&self) -> Option<Millis> {
        let subscription = self.subscription.as_ref()?;
        let reads = self.stage == Stage::Active && !self.outbox.is_busy();
        let next = subscription.told_at.saturating_add(subscription.interval_ms);
        (reads && subscription.base.is_some()).then_some(next)
    }

    pub(super) fn base_revision(&self) -> Option<&RevisionId> {
        Some(&self.subscription.as_ref()?.base.as_ref()?.revision)
    }

    /// Deltas no longer connect, until somebody asks for a snapshot.
    pub(super) fn lose_base(&mut self) {
        if let Some(subscription) = &mut self.subscription {
            subscription.base = None;
        }
    }

    pub(super) fn subscribe(&mut self, id: MessageId, wish: StateSubscribe) -> Vec<Effect> {
        let waits = |open: &Open| matches!(open.pending, Pending::Subscription(_));
        if self.subscription.is_some() || self.open.values().any(waits) {
            let message = "There is a subscription in this session; end it with \"web.state.unsubscribe\".";
            self.refuse(&id, error(CoreErrorCode::UnexpectedMessage, message));
            return Vec::new();
        }
        self.open(&id, Pending::Subscription(Box::new(wish)));
        vec![Effect::Look { request: id }]
    }

    pub(super) fn unsubscribe(&mut self, id: &MessageId, wish: &StateUnsubscribe) {
        if self.subscription.as_ref().is_some_and(|subscription| subscription.id == wish.subscription_id) {
            self.subscription = None;
            let subscription_id = wish.subscription_id.clone();
            self.respond(id, Body::StateUnsubscribed(StateUnsubscribed { subscription_id }), false);
        } else {
            let message = format!("There is no subscription \"{}\".", wish.subscription_id);
            self.refuse(id, error(CoreErrorCode::NotFound, message));
        }
    }

    /// Something that a request waits for is there.
    pub(super) fn answered(&mut self, request: &MessageId, answer: Answer) {
        // One response for each request: whoever was answered waits for nothing any more.
        let Some(Open { pending, spelt_old }) = self.open.remove(request) else { return };
        self.mapped(&pending, &answer);
        match (answer, pending) {
            (Answer::Refused(payload), _) => self.refuse(request, *payload),
            (Answer::Body(body), _) => {
                if let Body::CapabilitiesListed(listed) = &*body {
                    self.offered = Some(listed.revision.clone());
                }
                self.respond(request, *body, spelt_old);
            }
            (Answer::Page(graph), Pending::Subscription(wish)) => self.subscribed(request, *graph, &wish),
            (Answer::Page(graph), Pending::Snapshot(options)) => {
                self.snapshot(request, *graph, options.as_ref());
            }
            (Answer::Page(_), _) => {
                let message = "The answer does not fit the question.";
                self.refuse(request, error(CoreErrorCode::InternalError, message));
            }
        }
    }

    fn subscribed(&mut self, request: &MessageId, mut graph: PageGraph, wish: &StateSubscribe) {
        self.subscriptions = self.subscriptions.saturating_add(1);
        let Ok(id) = Id::new(format!("sub_{}", self.subscriptions)) else { return };
        if let Some(scopes) = &wish.scopes {
            to_scopes(&mut graph, scopes);
        }
        self.subscription = Some(Subscription {
            id: id.clone(),
            deltas: wish.deltas != Some(false),
            signals: wish.signals != Some(false),
            scopes: wish.scopes.clone(),
            interval_ms: wish.min_interval_ms.unwrap_or_default(),
            told_at: self.now.ticks,
            base: Some(Box::new(graph.clone())),
        });
        self.respond(request, Body::StateSubscribed(StateSubscribed { subscription_id: id, graph }), false);
    }

    fn snapshot(&mut self, request: &MessageId, mut graph: PageGraph, options: Option<&SnapshotOptions>) {
        graph.seq = self.number(&graph);
        let whole = options.is_none_or(|options| *options == SnapshotOptions::default());
        match &mut self.subscription {
            Some(subscription) if whole && subscription.scopes.is_none() => {
                subscription.base = Some(Box::new(graph.clone()));
            }
            _ => {}
        }
        if let Some(options) = options {
            to_options(&mut graph, options);
        }
        self.respond(request, Body::StateSnapshot(StateSnapshot { graph }), false);
    }

    /// The number of a revision, as this consumer counts: one more than the last one it was told.
    fn number(&self, graph: &PageGraph) -> u64 {
        match self.subscription.as_ref().and_then(|subscription| subscription.base.as_ref()) {
            Some(base) if base.revision == graph.revision => base.seq,
            Some(base) => base.seq.saturating_add(1),
            None => graph.seq,
        }
    }

    /// Something happened on the page.
    pub(super) fn follow(&mut self, news: PageNews) {
        let PageNews { mut graph, signals, lost } = news;
        let seq = self.number(&graph);
        let now = self.now;
        let Some(subscription) = &mut self.subscription else { return };
        let Some(base) = &subscription.base else { return };
        subscription.told_at = now.ticks;
        if lost > 0 && subscription.signals {
            subscription.base = None;
            let reason = format!("{lost} signals were not read in time; ask for a snapshot.");
            self.tell(Body::StateResync(StateResync { reason }));
            return;
        }
        graph.seq = seq;
        if let Some(scopes) = &subscription.scopes {
            to_scopes(&mut graph, scopes);
        }
        let mut delta = None;
        if subscription.deltas && graph.revision != base.revision {
            let at = timestamp(now).unwrap_or_else(|| graph.captured_at.clone());
            let found = difference(base, &graph, at);
            // Who follows a part of the page need not hear of the rest.
            if subscription.scopes.is_none() || says_something(&found) {
                subscription.base = Some(Box::new(graph));
                delta = Some(found);
            }
        }
        let wants_signals = subscription.signals;
        delta.into_iter().for_each(|delta| self.tell(Body::StateDelta(delta)));
        if wants_signals {
            signals.into_iter().for_each(|signal| self.tell(Body::Signal(signal)));
        }
    }
}

fn says_something(delta: &WebStateDelta) -> bool {
    !delta.ops.is_empty()
        || delta.route.is_some()
        || delta.title.is_some()
        || delta.focus.is_some()
        || delta.modal_stack.is_some()
        || delta.metadata.is_some()
}
