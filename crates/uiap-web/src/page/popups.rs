//! Pages that pages open.
//!
//! A page that another one opened shares its thread: a dialog in it, answered by nobody, would hang both. So each new
//! page waits at its very beginning until it is listened to and the publisher is in place. Then it goes on, and stays
//! in the hall of its context until somebody takes it.

use super::bridge::Bridges;
use super::context::prepare;
use super::dialogs::Dialogs;
use super::documents::DocumentFilter;
use super::downloads::{Begins, Progress};
use super::signals::BrowserSignal;
use super::track::Track;
use super::{ContextOptions, address::shown};
use crate::cdp::{CallError, Client, Event, Observer, SessionId};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// Most pages of a context that wait to be taken. Further ones are closed, and that is told.
pub const PAGES_WAITING_MAX: usize = 32;
/// Most downloads of a context whose end is told.
const DOWNLOADS_MAX: usize = 256;
/// How long the browser may take to make a new page ready.
const PREPARE_WAIT: Duration = Duration::from_secs(30);

/// Looks after the pages that pages open, from now on.
pub(crate) async fn attend(client: &Client, deadline: Deadline) -> Result<Arc<Door>, CallError> {
    let door = Arc::new(Door { client: client.clone(), halls: Mutex::default() });
    client.observe(None, Arc::clone(&door) as Arc<_>);
    let params = json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{ "type": "page" }],
    });
    client.send(None, "Target.setAutoAttach", params, deadline).await.map(|_| door)
}

/// Sees every new page of the browser and leads those of our contexts to their hall. The others belong to somebody
/// else who uses the same browser.
#[derive(Debug)]
pub(crate) struct Door {
    client: Client,
    /// By the id of their context.
    halls: Mutex<HashMap<String, Weak<Hall>>>,
}

impl Door {
    pub(super) fn admit(&self, context: &str, hall: &Arc<Hall>) {
        self.halls().insert(context.to_owned(), Arc::downgrade(hall));
    }

    pub(super) fn forget(&self, context: &str) {
        self.halls().remove(context);
    }

    fn halls(&self) -> MutexGuard<'_, HashMap<String, Weak<Hall>>> {
        lock(&self.halls)
    }

    /// Where a page of ours that another page opened belongs.
    fn hall_of(&self, target: &TargetInfo) -> Option<Arc<Hall>> {
        target.opener.as_ref()?;
        self.halls().get(target.context.as_ref()?)?.upgrade()
    }
}

impl Observer for Door {
    fn event(&self, event: &Event) {
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(event),
            "Browser.downloadWillBegin" => {
                if let Some(begins) = event.params() {
                    self.each_hall(|hall| hall.download_begins(&begins));
                }
            }
            "Browser.downloadProgress" => {
                if let Some(progress) = event.params::<Progress>().filter(Progress::is_over) {
                    self.each_hall(|hall| hall.download_ended(&progress));
                }
            }
            _ => {}
        }
    }

    fn gone(&self, _browser: bool) {}
}

impl Door {
    /// The browser does not say whose page an event belongs to; the hall knows its own.
    fn each_hall(&self, tell: impl Fn(&Hall)) {
        let halls: Vec<_> = self.halls().values().filter_map(Weak::upgrade).collect();
        halls.iter().for_each(|hall| tell(hall));
    }

    fn attached(&self, event: &Event) {
        // Whoever attached on purpose does not find it waiting.
        let Some(attached) = event.params::<Attached>().filter(|attached| attached.waiting_for_debugger)
        else {
            return;
        };
        let Attached { session_id, target_info, .. } = attached;
        match self.hall_of(&target_info) {
            Some(hall) => hall.enter(session_id, target_info),
            None => {
                self.client.post(Some(&session_id), "Runtime.runIfWaitingForDebugger", json!({}));
                self.client.post(None, "Target.detachFromTarget", json!({ "sessionId": session_id }));
            }
        }
    }
}

/// The pages of a context: those that somebody has, and those that wait to be taken.
#[derive(Debug)]
pub(super) struct Hall {
    client: Client,
    options: ContextOptions,
    /// By their id, to tell an opener what it opened.
    known: Mutex<HashMap<String, Weak<Track>>>,
    waiting: watch::Sender<VecDeque<Newcomer>>,
    /// Downloads under way, by their id, with the page that offered them.
    downloads: Mutex<HashMap<String, Weak<Track>>>,
}

/// A page that nobody has taken yet.
#[derive(Clone, Debug)]
pub(super) struct Newcomer {
    pub(super) session: SessionId,
    pub(super) target: String,
    pub(super) opener: Option<String>,
    pub(super) track: Arc<Track>,
}

/// A page that waits to be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPage {
    /// Which.
    pub id: String,
    /// The page that opened it.
    pub opener: Option<String>,
    /// What it shows.
    pub url: String,
}

impl Hall {
    pub(super) fn new(client: Client, options: ContextOptions) -> Arc<Self> {
        let waiting = watch::Sender::new(VecDeque::new());
        Arc::new(Self { client, options, known: Mutex::default(), waiting, downloads: Mutex::default() })
    }

    /// A track for a page that we opened: somebody has it and can be asked.
    pub(super) fn track_own(&self, session: &SessionId, target: &str) -> Arc<Track> {
        self.track(session, target, true, false)
    }

    fn track(&self, session: &SessionId, target: &str, attended: bool, expecting: bool) -> Arc<Track> {
        let dialogs = Dialogs::new(self.client.clone(), session.clone(), self.options.dialogs, attended);
        // The main frame of a page has the name of its target.
        let bridge = |log: &_, network: &_| Bridges::new(&self.client, &self.options.bridge, log, network);
        let documents = DocumentFilter::new(self.client.clone(), session.clone());
        let track = Arc::new(Track::new(target.to_owned(), dialogs, documents, bridge, expecting));
        self.client.observe(Some(session), Arc::clone(&track) as Arc<_>);
        let mut known = lock(&self.known);
        known.retain(|_, track| track.strong_count() > 0);
        known.insert(target.to_owned(), Arc::downgrade(&track));
        track
    }

    fn enter(self: &Arc<Self>, session: SessionId, info: TargetInfo) {
        let TargetInfo { target, opener: opened_by, .. } = info;
        let refused = self.waiting.borrow().len() >= PAGES_WAITING_MAX;
        let opener = opened_by.as_ref().and_then(|opener| self.known(opener));
        let url = opener.as_ref().and_then(|opener| opener.announced()).unwrap_or_default();
        if let Some(opener) = opener {
            let refused = refused.then_some(true);
            let members = json!({ "pageId": target, "url": shown(&url), "refused": refused });
            opener.log().tell(BrowserSignal::PageOpened, members);
        }
        if refused {
            self.client.post(Some(&session), "Runtime.runIfWaitingForDebugger", json!({}));
            self.client.post(None, "Target.closeTarget", json!({ "targetId": target }));
            return;
        }
        let expecting = !matches!(url.as_str(), "" | "about:blank");
        let track = self.track(&session, &target, false, expecting);
        let newcomer = Newcomer { session, target, opener: opened_by, track };
        let hall = Arc::clone(self);
        tokio::spawn(async move { hall.prepare(newcomer).await });
    }

    async fn prepare(&self, newcomer: Newcomer) {
        let deadline = Deadline::after(PREPARE_WAIT);
        let Newcomer { session, target, .. } = &newcomer;
        let call = self.client.call::<IgnoredAny>(
            Some(session),
            "Runtime.runIfWaitingForDebugger",
            json!({}),
            deadline,
        );
        let prepared = prepare(&self.client, session, &self.options, deadline);
        if tokio::try_join!(prepared, call).is_err() {
            // It closed itself, or cannot be looked at: nobody could use it.
            self.client.post(None, "Target.closeTarget", json!({ "targetId": target }));
            return;
        }
        self.waiting.send_modify(|waiting| waiting.push_back(newcomer));
    }

    fn known(&self, target: &str) -> Option<Arc<Track>> {
        let known = lock(&self.known);
        known.get(target)?.upgrade()
    }

    fn download_begins(&self, begins: &Begins) {
        let pages: Vec<_> = lock(&self.known).values().filter_map(Weak::upgrade).collect();
        let Some(page) = pages.into_iter().find(|page| page.with(|facts| facts.has_frame(&begins.frame_id)))
        else {
            return;
        };
        let mut downloads = lock(&self.downloads);
        downloads.retain(|_, page| page.strong_count() > 0);
        if downloads.len() < DOWNLOADS_MAX {
            downloads.insert(begins.guid.clone(), Arc::downgrade(&page));
        }
        self.options.downloads.started(begins, page.log());
    }

    fn download_ended(&self, progress: &Progress) {
        let page = lock(&self.downloads).remove(&progress.guid).and_then(|page| page.upgrade());
        if let Some(page) = page {
            self.options.downloads.ended(progress, page.log());
        }
    }

    /// Those that are still there.
    pub(super) fn waiting(&self) -> Vec<WaitingPage> {
        let page = |newcomer: &Newcomer| WaitingPage {
            id: newcomer.target.clone(),
            opener: newcomer.opener.clone(),
            url: newcomer.track.with(|facts| facts.document.url.clone()),
        };
        self.waiting.borrow().iter().filter(|newcomer| newcomer.is_there()).map(page).collect()
    }

    pub(super) fn take(&self, wanted: impl Fn(&Newcomer) -> bool) -> Option<Newcomer> {
        let mut taken = None;
        self.waiting.send_if_modified(|waiting| {
            waiting.retain(Newcomer::is_there);
            let place = waiting.iter().position(wanted);
            taken = place.and_then(|place| waiting.remove(place));
            false
        });
        taken
    }

    /// Waits until one is there.
    pub(super) async fn next(&self) -> Newcomer {
        let mut news = self.waiting.subscribe();
        loop {
            if let Some(taken) = self.take(|_| true) {
                return taken;
            }
            // The sender is part of this value, so it cannot be gone.
            let _ = news.changed().await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Newcomer {
    fn is_there(&self) -> bool {
        self.track.with(|facts| facts.end.is_none())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: SessionId,
    target_info: TargetInfo,
    #[serde(default)]
    waiting_for_debugger: bool,
}

#[derive(Deserialize)]
struct TargetInfo {
    #[serde(rename = "targetId")]
    target: String,
    #[serde(rename = "openerId")]
    opener: Option<String>,
    #[serde(rename = "browserContextId")]
    context: Option<String>,
}
