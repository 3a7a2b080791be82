//! What happened on a page, held for whoever asks later.
//!
//! Start at [`SignalLog`]. Everything is a [`WebSignal`]: what the publisher sees in the page, and what the browser
//! tells about it. For the latter the protocol has one word (`network.response`); the others are [`BrowserSignal`]s,
//! vendor words of ours.

use crate::deadline::Deadline;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use uiap_protocol::ids::{BadForm, Id, RevisionId, VendorForm, VendorName};
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::{WebSignal, WebSignalBody};
use uiap_protocol::wire::JsonObject;

/// Most signals of a page that are held. The oldest go first, and their number is told.
pub const SIGNALS_HELD_MAX: usize = 4_096;
/// Longest text of a page that a signal of the browser carries.
pub(super) const SIGNAL_CHARS_MAX: usize = 2_000;

/// Ids are never given twice in one process.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

macro_rules! browser_signals {
    ($($(#[$doc:meta])* $name:ident $word:literal;)*) => {
        /// What the browser tells about a page and the protocol has no word for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BrowserSignal {
            $($(#[$doc])* $name,)*
        }

        impl BrowserSignal {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The `kind` of such a signal.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

browser_signals! {
    /// An error or a warning on the console: `level`, `text`, and where known `url` and `line`.
    Console "x.uiap.console";
    /// Something was thrown and caught by nobody: `text`, and where known `url`, `line` and `column`.
    Exception "x.uiap.exception";
    /// A request left: `requestId`, `method`, `url`, `resource`, `purpose`, `initiator`.
    RequestStarted "x.uiap.request.started";
    /// A request has all of its answer: `requestId`, `url`.
    RequestFinished "x.uiap.request.finished";
    /// A request has no answer, or not all of it: `requestId`, `url`, `error`, `canceled`.
    RequestFailed "x.uiap.request.failed";
    /// A request that asks for a change, or for a document, was refused by the server or never got there: `requestId`,
    /// `method`, `url`, `resource`, `purpose`, `status` or `error`, and how many signals lay before it (`begun`).
    RequestRefused "x.uiap.request.refused";
    /// The page shows another address: `url`, `from`, and whether it is the `sameDocument`.
    Navigated "x.uiap.navigated";
    /// The page offers a file: `downloadId`, `url`, `fileName`, and whether it is `kept`.
    DownloadStarted "x.uiap.download.started";
    /// That is over: `downloadId`, `state` (`completed` or `canceled`), `bytes`, and the `path` of what was kept.
    DownloadEnded "x.uiap.download.ended";
    /// The page waits for an answer: `dialogId`, `dialog`, `message`, and whether anybody is `asked`.
    DialogOpened "x.uiap.dialog.opened";
    /// It got one: `accepted`, and `by` whom (`default`, `caller`, `browser`).
    DialogClosed "x.uiap.dialog.closed";
    /// The page opened another one: `pageId`, `url`; `refused` if there are too many.
    PageOpened "x.uiap.page.opened";
    /// There is a new frame: `frameId`, `parentFrameId`.
    FrameAttached "x.uiap.frame.attached";
    /// A frame shows another address: `frameId`, `url`, `sameDocument`.
    FrameNavigated "x.uiap.frame.navigated";
    /// A frame went to a process of its own: `frameId`.
    FrameIsolated "x.uiap.frame.isolated";
    /// A frame is gone: `frameId`.
    FrameDetached "x.uiap.frame.detached";
    /// The application said more at once, or longer or other things, than is told.
    SignalsDropped "x.uiap.signals.dropped";
    /// Nothing will happen any more: `reason` (`closed`, `crashed` or `browser`).
    Ended "x.uiap.ended";
}

impl BrowserSignal {
    /// Which of them a signal is, if any.
    pub fn of(signal: &WebSignal) -> Option<Self> {
        let WebSignalBody::Vendor(form) = &signal.body else { return None };
        Self::ALL.iter().copied().find(|kind| kind.word() == form.word.as_str())
    }

    fn body(self, members: JsonObject) -> Option<WebSignalBody> {
        let word = VendorName::new(self.word()).ok()?;
        Some(WebSignalBody::Vendor(VendorForm { word, members }))
    }
}

/// A place in a log: between two signals. The default is before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u64);

impl Position {
    /// The place after so many signals.
    pub(crate) fn after(count: u64) -> Self {
        Self(count)
    }

    /// How many signals lie before it.
    pub(crate) fn count(self) -> u64 {
        self.0
    }
}

/// What a log holds after a position.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// The signals, in order.
    pub signals: Vec<Arc<WebSignal>>,
    /// How many of those after the position are no longer held.
    pub dropped: u64,
    /// Where to go on.
    pub next: Position,
    /// The page ended: there will be no more.
    pub ended: bool,
}

/// The signals of a page. Readers keep their own [`Position`], so any number can read, early or late.
#[derive(Debug)]
pub struct SignalLog {
    held: watch::Sender<Held>,
}

#[derive(Debug, Default)]
struct Held {
    signals: VecDeque<Arc<WebSignal>>,
    /// How many there ever were.
    count: u64,
    revision: Option<RevisionId>,
    ended: bool,
}

impl Held {
    fn since(&self, position: Position) -> Signals {
        let oldest = self.count.saturating_sub(self.signals.len() as u64);
        let dropped = oldest.saturating_sub(position.0);
        let skipped = usize::try_from(position.0.saturating_sub(oldest)).unwrap_or(usize::MAX);
        Signals {
            signals: self.signals.iter().skip(skipped).cloned().collect(),
            dropped,
            next: Position(self.count),
            ended: self.ended,
        }
    }
}

impl Default for SignalLog {
    fn default() -> Self {
        Self { held: watch::Sender::new(Held::default()) }
    }
}

impl SignalLog {
    /// Adds what happens now, on the present revision; gives the place before it.
    pub fn push(&self, body: WebSignalBody) -> Position {
        // A clock without a timestamp is thousands of years off.
        now().map_or_else(|_| self.position(), |at| self.push_at(at, None, body))
    }

    /// Adds what the publisher tells, as it tells it.
    pub(crate) fn add(&self, signal: WebSignal) {
        self.hold(|_| signal);
    }

    /// Adds what happened at a known time and, where known, on another than the present revision.
    pub fn push_at(&self, at: Timestamp, revision: Option<RevisionId>, body: WebSignalBody) -> Position {
        let number = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        // The id of a number is always well formed.
        let Ok(id) = Id::new(format!("sig_{number}")) else { return self.position() };
        self.hold(|present| WebSignal { id, at, revision: revision.or_else(|| present.cloned()), body })
    }

    /// Holds a signal, which may depend on the present revision.
    fn hold(&self, signal: impl FnOnce(Option<&RevisionId>) -> WebSignal) -> Position {
        let mut position = Position::default();
        self.held.send_modify(|held| {
            position = Position(held.count);
            if held.signals.len() >= SIGNALS_HELD_MAX {
                held.signals.pop_front();
            }
            held.signals.push_back(Arc::new(signal(held.revision.as_ref())));
            held.count += 1;
        });
        position
    }

    /// What happens from now on happens on this revision.
    pub fn set_revision(&self, revision: RevisionId) {
        self.held.send_if_modified(|held| {
            held.revision = Some(revision);
            false
        });
    }

    /// The place after everything that has happened.
    pub fn position(&self) -> Position {
        Position(self.held.borrow().count)
    }

    /// What happened after a position.
    pub fn since(&self, position: Position) -> Signals {
        self.held.borrow().since(position)
    }

    /// The same, but waits for at least one signal or the end of the page. Empty when time is up first.
    pub async fn next(&self, position: Position, deadline: Deadline) -> Signals {
        let mut news = self.held.subscribe();
        let arrived = news.wait_for(|held| held.ended || held.count > position.0);
        match deadline.limit(arrived).await {
            Some(Ok(held)) => held.since(position),
            // The log outlives its subscriber, so only the deadline leads here.
            Some(Err(_)) | None => self.since(position),
        }
    }

    /// Waits for a signal after a position that is as wanted, among those that are still held.
    pub async fn find(
        &self,
        mut position: Position,
        deadline: Deadline,
        mut wanted: impl FnMut(&WebSignal) -> bool,
    ) -> Option<Arc<WebSignal>> {
        loop {
            let news = self.next(position, deadline).await;
            if let Some(found) = news.signals.iter().find(|signal| wanted(signal)) {
                return Some(Arc::clone(found));
            }
            if news.ended || (news.signals.is_empty() && deadline.is_over()) {
                return None;
            }
            position = news.next;
        }
    }

    /// Adds what the browser tells; `members` is the object of a `json!`.
    pub(crate) fn tell(&self, kind: BrowserSignal, members: serde_json::Value) -> Position {
        let members = match members {
            serde_json::Value::Object(members) => members,
            _ => JsonObject::new(),
        };
        // What is not known is left out.
        let known = members.into_iter().filter(|(_, value)| !value.is_null()).collect();
        kind.body(known).map_or_else(|| self.position(), |body| self.push(body))
    }

    /// The page ended; only the first reason counts.
    pub(super) fn end(&self, reason: &str) {
        if self.held.borrow().ended {
            return;
        }
        self.tell(BrowserSignal::Ended, serde_json::json!({ "reason": reason }));
        self.held.send_modify(|held| held.ended = true);
    }
}

fn now() -> Result<Timestamp, BadForm> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A text of a page, cut to what a signal carries.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(SIGNAL_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use uiap_protocol::ids::Text;

    fn custom(name: &str) -> WebSignalBody {
        WebSignalBody::Custom { name: Text::new(name).unwrap(), payload: None }
    }

    fn told(signals: &Signals) -> String {
        let name = |signal: &Arc<WebSignal>| match &signal.body {
            WebSignalBody::Custom { name, .. } => name.as_str().to_owned(),
            WebSignalBody::Vendor(form) => form.word.as_str().to_owned(),
            other => format!("{other:?}"),
        };
        let names: Vec<_> = signals.signals.iter().map(name).collect();
        let dropped =
            if signals.dropped > 0 { format!(" dropped {}", signals.dropped) } else { String::new() };
        format!("{}{dropped}{}", names.join(" "), if signals.ended { " ended" } else { "" })
    }

    #[test]
    fn every_reader_has_its_own_place() {
        let log = SignalLog::default();
        log.push(custom("a"));
        let early = log.since(Position::default());
        let before = log.push(custom("b"));
        log.push(custom("c"));
        assert_eq!(told(&early), "a");
        assert_eq!(told(&log.since(early.next)), "b c");
        assert_eq!(told(&log.since(before)), "b c");
        assert_eq!(told(&log.since(Position::default())), "a b c");
        assert_eq!(told(&log.since(log.position())), "");
    }

    #[test]
    fn what_is_no_longer_held_is_counted() {
        let log = SignalLog::default();
        for _ in 0..SIGNALS_HELD_MAX + 5 {
            log.push(custom("x"));
        }
        let all = log.since(Position::default());
        assert_eq!((all.signals.len(), all.dropped), (SIGNALS_HELD_MAX, 5));
        assert_eq!(log.since(Position(3)).dropped, 2);
        assert_eq!(log.since(Position(7)).dropped, 0);
        assert_eq!(log.since(Position(7)).signals.len(), SIGNALS_HELD_MAX - 2);
        assert_eq!(told(&log.since(Position(u64::MAX))), "");
    }

    #[test]
    fn ids_differ_and_the_revision_is_the_present_one() {
        let log = SignalLog::default();
        log.push(custom("a"));
        log.set_revision(RevisionId::new("rev_2").unwrap());
        log.push(custom("b"));
        log.push_at(now().unwrap(), Some(RevisionId::new("rev_1").unwrap()), custom("c"));
        let signals = log.since(Position::default()).signals;
        let revisions: Vec<_> =
            signals.iter().map(|signal| signal.revision.as_ref().map_or("-", |id| id.as_str())).collect();
        assert_eq!(revisions, ["-", "rev_2", "rev_1"]);
        assert_ne!(signals[0].id, signals[1].id);
    }

    #[tokio::test]
    async fn a_wait_ends_with_news_with_the_end_or_with_time() {
        let log = SignalLog::default();
        let soon = || Deadline::after(Duration::from_secs(30));
        let (news, _) = tokio::join!(log.next(log.position(), soon()), async { log.push(custom("a")) });
        assert_eq!(told(&news), "a");
        assert_eq!(told(&log.next(news.next, Deadline::after(Duration::ZERO)).await), "");
        let wanted = |signal: &WebSignal| signal.body == custom("c");
        let push = async { ["b", "c", "d"].map(|name| log.push(custom(name))) };
        let (found, _) = tokio::join!(log.find(news.next, soon(), wanted), push);
        assert_eq!(found.unwrap().body, custom("c"));
        let (none, ()) = tokio::join!(log.find(log.position(), soon(), wanted), async { log.end("closed") });
        assert!(none.is_none());
        log.end("crashed");
        assert_eq!(told(&log.since(news.next)), "b c d x.uiap.ended ended");
    }

    #[test]
    fn every_word_is_a_vendor_word_and_known_again() {
        for kind in BrowserSignal::ALL {
            let log = SignalLog::default();
            log.tell(*kind, serde_json::json!({ "a": 1, "b": null }));
            let signals = log.since(Position::default()).signals;
            assert_eq!(BrowserSignal::of(&signals[0]), Some(*kind));
            let WebSignalBody::Vendor(form) = &signals[0].body else { panic!("{signals:?}") };
            assert_eq!(form.members.keys().collect::<Vec<_>>(), ["a"]);
        }
    }
}
