//! Keeps one session: gives it what happens, and carries out what it wishes.

use super::House;
use super::capabilities::{policy_revision, revision};
use super::link::{Inbound, Link, Outbound};
use crate::session::{ActionNews, Answer, Effect, Event, Farewell, MapNews, Party, Session, Terms, step};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};
use uiap_policy::redact::{DigestKey, Redactor};
use uiap_protocol::action::ConfirmationRequest;
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::core::{Body, ErrorPayload};
use uiap_protocol::ids::MessageId;
use uiap_protocol::policy::PolicyAudit;
use uiap_protocol::web::PageGraph;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::{Mark, News, Surface, SurfaceError};

/// Most things that a session is told and has not taken note of.
const TOLD_MAX: usize = 64;
/// Longest time that the last words to a peer may take.
const LAST_WORDS_WAIT: Duration = Duration::from_secs(2);
/// Longest wait for news; then it is asked again.
const NEWS_WAIT: Duration = Duration::from_mins(1);
/// Pause before a page that cannot be looked at is tried again.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// What a session is told by others than its peer.
#[derive(Debug)]
pub(super) enum Told {
    /// Another link wants to go on with it, and has said this.
    Linked(Link, Inbound),
    Consent(Box<ConfirmationRequest>, GrantToken),
    Audit(Box<PolicyAudit>),
    Map(Box<MapNews>),
    Action {
        request: MessageId,
        news: ActionNews,
    },
    Answered {
        request: MessageId,
        answer: Answer,
    },
    /// The page was looked at, and from where on news of it count.
    Looked {
        request: MessageId,
        seen: Result<Box<PageGraph>, Box<ErrorPayload>>,
        mark: Mark,
    },
    End(String),
}

pub(super) struct Keeper<S, J> {
    house: Arc<House<S, J>>,
    session: Option<Session>,
    link: Option<Link>,
    first: Option<Inbound>,
    tell: mpsc::Sender<Told>,
    inbox: mpsc::Receiver<Told>,
    /// From where on news of the page count.
    mark: Mark,
    /// Before this the page is not asked again for news, because it could not be looked at.
    news_from: Option<Instant>,
    /// The peer has agreed on something, its rights included.
    begun: bool,
    /// Hears of what the application offers, once the peer has asked.
    offers: Option<watch::Receiver<Arc<Vec<ActionDescriptor>>>>,
    /// Hears when other rules hold.
    terms: watch::Receiver<Arc<Terms>>,
}

/// What a keeper woke up for.
enum Woken {
    Inbound(Option<Inbound>),
    Told(Told),
    /// The link has room for a message, or is gone.
    Room(bool),
    News(Result<News, SurfaceError>),
    /// The application offers something else.
    Offers,
    /// Other rules hold.
    Terms,
    Time,
}

impl<S: Surface + 'static, J: Journal + 'static> Keeper<S, J> {
    pub(super) fn inbox() -> (mpsc::Sender<Told>, mpsc::Receiver<Told>) {
        mpsc::channel(TOLD_MAX)
    }

    pub(super) fn new(
        house: Arc<House<S, J>>,
        session: Session,
        link: Link,
        first: Inbound,
        (tell, inbox): (mpsc::Sender<Told>, mpsc::Receiver<Told>),
        terms: watch::Receiver<Arc<Terms>>,
    ) -> Self {
        let mark = house.runtime.surface().mark();
        Self {
            house,
            session: Some(session),
            link: Some(link),
            first: Some(first),
            tell,
            inbox,
            mark,
            news_from: None,
            begun: false,
            offers: None,
            terms,
        }
    }

    /// Keeps the session until it is over.
    pub(super) async fn run(mut self) {
        if let Some(first) = self.first.take() {
            self.happen(event_of(first)).await;
        }
        // What is withheld follows from the rights, and they are known only when something was agreed on.
        while !self.is_over() {
            self.keep().await;
        }
        if let Some(session) = &self.session {
            self.house.forget(session.id());
        }
    }

    fn is_over(&self) -> bool {
        self.session.as_ref().is_none_or(Session::is_over)
    }

    /// Keeps the session for as long as the rights of its peer and the rules stay the same.
    async fn keep(&mut self) {
        let runtime = Arc::clone(&self.house.runtime);
        let policy = runtime.policy();
        let Some(principal) = self.session.as_ref().map(|session| session.rights().principal.clone()) else {
            return;
        };
        let mut redactor = Redactor::new(&policy, &principal, DigestKey::new(runtime.settings().digest_key));
        let begun = self.begun;
        while !self.is_over() && self.begun == begun {
            match self.wake().await {
                Woken::Inbound(Some(inbound)) => self.happen(event_of(inbound)).await,
                Woken::Inbound(None) | Woken::Room(false) => {
                    self.link = None;
                    self.is_linked(false);
                    self.happen(Event::LinkLost).await;
                }
                Woken::Room(true) => self.send_one(),
                Woken::Told(told) => self.told(told, &mut redactor).await,
                Woken::News(news) => self.news(news, &mut redactor).await,
                Woken::Offers => self.offered().await,
                Woken::Terms => {
                    let terms = Arc::clone(&self.terms.borrow_and_update());
                    if let Some(revision) = policy_revision(&terms.policies) {
                        self.happen(Event::Ruled { terms, revision }).await;
                    }
                    return;
                }
                Woken::Time => self.happen(Event::Tick).await,
            }
        }
    }

    async fn wake(&mut self) -> Woken {
        let house = &self.house;
        let session = self.session.as_ref();
        let has_unread = session.is_some_and(Session::has_unread);
        let deadline = session.and_then(Session::deadline).map(|at| house.instant(at));
        let news_from = session.and_then(Session::wants_news).map(|at| house.instant(at)).max(self.news_from);
        let wants_news = session.is_some_and(|session| session.wants_news().is_some());
        let surface = house.runtime.surface();
        let mark = self.mark;
        let (inbound, outbound) = match &mut self.link {
            Some(Link { inbound, outbound }) => (Some(inbound), Some(&*outbound)),
            None => (None, None),
        };
        tokio::select! {
            room = async { match outbound {
                Some(outbound) => outbound.reserve().await.is_ok(),
                None => std::future::pending().await,
            } }, if has_unread => Woken::Room(room),
            Some(told) = self.inbox.recv() => Woken::Told(told),
            inbound = async { match inbound {
                Some(inbound) => inbound.recv().await,
                None => std::future::pending().await,
            } } => Woken::Inbound(inbound),
            news = async {
                sleep_until(news_from.unwrap_or_else(Instant::now)).await;
                surface.news(mark, Instant::now() + NEWS_WAIT).await
            }, if wants_news => Woken::News(news),
            changed = async { match &mut self.offers {
                Some(offers) => offers.changed().await.is_ok(),
                None => std::future::pending().await,
            } } => if changed { Woken::Offers } else { Woken::Time },
            Ok(()) = self.terms.changed() => Woken::Terms,
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => Woken::Time,
        }
    }

    /// Gives the session an event, and carries out what it wishes.
    async fn happen(&mut self, event: Event) {
        let Some(session) = self.session.take() else { return };
        let (session, effects) = step(session, self.house.now(), event);
        self.session = Some(session);
        for effect in effects {
            Box::pin(self.carry_out(effect)).await;
        }
    }

    fn send_one(&mut self) {
        let (Some(link), Some(session)) = (&self.link, &mut self.session) else { return };
        if let Ok(permit) = link.outbound.try_reserve()
            && let Some(outgoing) = session.take()
        {
            permit.send(Outbound::Message(outgoing));
        }
    }

    async fn told(&mut self, told: Told, redactor: &mut Redactor<'_>) {
        match told {
            Told::Linked(link, first) => {
                if let Some(old) = self.link.replace(link) {
                    // Whoever reads nothing any more sees that the link is gone.
                    let _ = old.outbound.try_send(Outbound::Hang(Farewell::Superseded));
                }
                self.is_linked(true);
                self.happen(Event::Linked).await;
                self.happen(event_of(first)).await;
            }
            Told::Consent(request, token) => self.happen(Event::Consent(request, token)).await,
            Told::Action { request, news } => self.happen(Event::Action { request, news }).await,
            Told::Map(news) => self.happen(Event::Map(news)).await,
            Told::Audit(audit) => self.happen(Event::Audit(audit)).await,
            Told::Answered { request, answer } => {
                let is_list =
                    matches!(&answer, Answer::Body(body) if matches!(**body, Body::CapabilitiesListed(_)));
                self.happen(Event::Answered { request, answer }).await;
                if is_list {
                    // What was listed may have changed while the list was on its way.
                    self.offered().await;
                }
            }
            Told::Looked { request, seen, mark } => {
                if self.session.as_ref().is_some_and(|session| session.wants_news().is_none()) {
                    self.mark = mark;
                }
                let answer = match seen {
                    Ok(mut graph) => {
                        redactor.graph(&mut graph);
                        Answer::Page(graph)
                    }
                    Err(payload) => Answer::Refused(payload),
                };
                self.happen(Event::Answered { request, answer }).await;
            }
            Told::End(reason) => self.happen(Event::End { reason }).await,
        }
    }

    /// Tells the session what can be done here by now, if it wants to know.
    async fn offered(&mut self) {
        let Some(session) = self.session.as_ref().filter(|session| session.wants_offers()) else { return };
        if let Some(revision) = revision(&self.house.offered_to(session.rights())) {
            self.happen(Event::Offered(revision)).await;
        }
    }

    async fn news(&mut self, news: Result<News, SurfaceError>, redactor: &mut Redactor<'_>) {
        let News { signals, dropped, next } = match news {
            Ok(news) => news,
            Err(SurfaceError::Gone { reason }) => return self.happen(Event::End { reason }).await,
            Err(SurfaceError::Silent { .. }) => {
                self.news_from = Some(Instant::now() + AGAIN_AFTER);
                return;
            }
        };
        self.mark = next;
        let shown = self.house.runtime.surface().scene(|scene| {
            let mut graph = scene.page.graph();
            redactor.graph(&mut graph);
            let route = scene.page.route().route_id.as_ref();
            let signals = signals.iter().map(|signal| {
                let mut signal = signal.as_ref().clone();
                redactor.signal(&mut signal, Some(scene.page), route);
                signal
            });
            crate::session::PageNews { signals: signals.collect(), graph, lost: dropped }
        });
        // While one page is replaced by another there is none to look at; that there is a new one will be news.
        if let Some(news) = shown {
            self.happen(Event::News(Box::new(news))).await;
        }
    }

    async fn carry_out(&mut self, effect: Effect) {
        let Some(session) = &self.session else { return };
        let party = session.party();
        match effect {
            Effect::Began => self.begun(party).await,
            Effect::Act { request, action } => {
                let rights = session.rights().clone();
                tokio::spawn(Arc::clone(&self.house).act(request, action, rights, self.tell.clone()));
            }
            Effect::Cancel { request, handle, reason, own } => {
                let answer = self.house.cancel(&handle, reason, own);
                if let (Some(request), Some(answer)) = (request, answer) {
                    self.happen(Event::Answered { request, answer }).await;
                }
            }
            Effect::Agree { request, handle, token } => {
                self.work(request, move |house| async move { house.agree(handle, token, party).await });
            }
            Effect::Decline { request, handle, reason } => {
                let answer = self.house.decline(handle, reason, party);
                if let Some(request) = request {
                    self.happen(Event::Answered { request, answer }).await;
                }
            }
            Effect::ListCapabilities { request } => {
                let rights = session.rights().clone();
                self.offers.get_or_insert_with(|| self.house.offers.heard());
                self.house.watch_offers();
                self.work(Some(request), move |house| async move { house.list(rights).await });
            }
            Effect::Evaluate { request, question } => {
                let rights = session.rights().clone();
                self.work(Some(request), move |house| async move { house.evaluate(rights, *question).await });
            }
            Effect::Look { request } => {
                let (house, tell) = (Arc::clone(&self.house), self.tell.clone());
                tokio::spawn(async move {
                    let mark = house.runtime.surface().mark();
                    let seen = house.look().await;
                    // A session that has ended waits for nothing.
                    let _ = tell.send(Told::Looked { request, seen, mark }).await;
                });
            }
            Effect::Map(request, wish) => self.house.runs.carry_out(request, wish, self.tell.clone()),
            Effect::Hang(farewell) | Effect::Over(farewell) => self.hang(farewell).await,
        }
    }

    /// A task whose answer comes back as an event, where somebody waits for it.
    fn work<F>(&self, request: Option<MessageId>, work: impl FnOnce(Arc<House<S, J>>) -> F)
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let (work, tell) = (work(Arc::clone(&self.house)), self.tell.clone());
        tokio::spawn(async move {
            let answer = work.await;
            if let Some(request) = request {
                // A session that has ended waits for nothing.
                let _ = tell.send(Told::Answered { request, answer }).await;
            }
        });
    }

    /// A person who comes is shown what waits for an answer.
    async fn begun(&mut self, party: Party) {
        self.begun = true;
        if party != Party::Person {
            return;
        }
        let open: Vec<_> = self.house.questions().values().cloned().collect();
        for (request, token) in open {
            self.happen(Event::Consent(Box::new(request), token)).await;
        }
    }

    fn is_linked(&self, is_linked: bool) {
        if let Some(session) = &self.session {
            self.house.directory().linked(session.id(), is_linked);
        }
    }

    /// Says what is left to say, within bounds, and ends the link.
    async fn hang(&mut self, farewell: Farewell) {
        self.is_linked(false);
        let (Some(link), Some(session)) = (self.link.take(), &mut self.session) else { return };
        let last_words = async {
            while let Some(outgoing) = session.take() {
                if link.outbound.send(Outbound::Message(outgoing)).await.is_err() {
                    return;
                }
            }
            // Whoever is gone needs no farewell.
            let _ = link.outbound.send(Outbound::Hang(farewell)).await;
            // The door has said it all.
            link.outbound.closed().await;
        };
        // Who takes longer misses the rest.
        let _ = timeout(LAST_WORDS_WAIT, last_words).await;
    }
}

fn event_of(inbound: Inbound) -> Event {
    match inbound {
        Inbound::Text(text) => Event::Text(text),
        Inbound::Unreadable(farewell) => Event::Unreadable(farewell),
        Inbound::Alive => Event::Alive,
        Inbound::NoMore => Event::NoMore,
    }
}
