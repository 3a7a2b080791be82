//! Secrets that a model can use and never sees: it writes `secret:NAME`, and the value is put in at the last moment.
//!
//! Start at [`Vaulted`], which stands between a runtime and its surface: policy, consent, journal and traces know the
//! name only. A value goes into a field that hides what it holds, on an origin that was named for it, and nowhere else.
//! What an application says back is cleaned of it.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;
use uiap_protocol::action::{ActionResult, PresentationHints, ResolvedTarget};
use uiap_protocol::capability::{ActionDescriptor, ExecutionMode};
use uiap_protocol::ids::{ActionHandle, ElementInstanceId};
use uiap_protocol::wire::accept_object;
use uiap_runtime::deed::{Deed, Private};
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::journal::{
    Admission, Decision, Entry, Intent, Journal, JournalError, Kept, TraceRecord, TraceSummary, TurnedAway,
};
use uiap_runtime::life::Delivery;
use uiap_runtime::sight::Picture;
use uiap_runtime::surface::{Dispatched, Mark, News, Order, Scene, Surface, SurfaceError};
use uiap_runtime::wait::Loading;

/// Starts a text that stands for a secret.
pub const PREFIX: &str = "secret:";
/// Longest value, in bytes.
const VALUE_BYTES_MAX: u64 = 4_096;
/// Shorter values stand in too many texts by chance to be looked for.
const SCRUBBED_CHARS_MIN: usize = 4;
/// What stands in place of a value.
const WITHHELD: &str = "[secret]";

/// Where a secret comes from, and where it may go.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// The origins on which it may be used.
    pub origins: Vec<String>,
    /// The variable of the environment that holds it.
    pub env: Option<String>,
    /// The file that holds it; a line break at its end does not count.
    pub file: Option<PathBuf>,
}

/// Why a secret is not used. Nothing of this names a value.
#[derive(Debug, thiserror::Error)]
enum Withheld {
    #[error("there is no secret called {name:?} in the secrets file of this person")]
    Unknown { name: String },
    #[error("the secret {name:?} is not for {origin}")]
    Elsewhere { name: String, origin: String },
    #[error("the secret {name:?} goes only into a field that hides what it holds, such as a password")]
    InTheOpen { name: String },
    #[error("the secret {name:?} cannot be read where the person said it is")]
    Unreadable { name: String },
}

/// The secrets of a person.
#[derive(Debug, Default)]
pub struct Vault {
    secrets: BTreeMap<String, Secret>,
    /// Values that were used and must not come back.
    used: Mutex<Vec<Private<String>>>,
}

impl Vault {
    /// A vault with these secrets.
    pub fn new(secrets: BTreeMap<String, Secret>) -> Self {
        Self { secrets, used: Mutex::default() }
    }

    /// Whether there is nothing that a model could use.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The value of a secret, for a field on a page.
    fn reveal(&self, name: &str, origin: &str, hides: bool) -> Result<String, Withheld> {
        let named = || name.to_owned();
        let secret = self.secrets.get(name).ok_or_else(|| Withheld::Unknown { name: named() })?;
        if !secret.origins.iter().any(|allowed| allowed == origin) {
            return Err(Withheld::Elsewhere { name: named(), origin: origin.to_owned() });
        }
        if !hides {
            return Err(Withheld::InTheOpen { name: named() });
        }
        let value = secret.read().ok_or_else(|| Withheld::Unreadable { name: named() })?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !used.iter().any(|known| *known.reveal() == value) {
            used.push(Private::new(value.clone()));
        }
        Ok(value)
    }

    /// A text without the values that were used.
    pub fn scrub(&self, text: &str) -> String {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scrubbed = text.to_owned();
        for value in used.iter().map(Private::reveal) {
            if value.chars().count() >= SCRUBBED_CHARS_MIN {
                let encoded: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
                scrubbed = scrubbed.replace(value.as_str(), WITHHELD).replace(&encoded, WITHHELD);
            }
        }
        scrubbed
    }

    /// A document without the values that were used.
    pub(crate) fn scrub_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.scrub(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.scrub_json(item)).collect(),
            Value::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (self.scrub(&name), self.scrub_json(value)))
                    .collect(),
            ),
            other => other,
        }
    }

    fn is_used(&self) -> bool {
        !self.used.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Secret {
    fn read(&self) -> Option<String> {
        let value = match (&self.env, &self.file) {
            (Some(variable), _) => std::env::var(variable).ok()?,
            (None, Some(path)) => {
                let is_small = std::fs::metadata(path).ok()?.len() <= VALUE_BYTES_MAX;
                let text = is_small.then(|| std::fs::read_to_string(path).ok()).flatten()?;
                text.trim_end_matches(['\r', '\n']).to_owned()
            }
            (None, None) => return None,
        };
        (!value.is_empty()).then_some(value)
    }
}

/// A surface or a journal between which and the runtime the secrets stay.
#[derive(Debug)]
pub struct Vaulted<T> {
    inner: T,
    vault: Arc<Vault>,
}

impl<T> Vaulted<T> {
    /// Stands in front of something.
    pub fn new(inner: T, vault: Arc<Vault>) -> Self {
        Self { inner, vault }
    }

    /// What it stands in front of.
    pub fn inner(&self) -> &T {
        &self.inner
    }
}

impl<S: Surface> Vaulted<S> {
    /// The deed with the secret that it names, where it names one.
    fn revealed(&self, deed: &Deed, target: Option<&ResolvedTarget>) -> Result<Option<Deed>, Withheld> {
        let Deed::EnterText { text, clear } = deed else { return Ok(None) };
        let Some(name) = text.reveal().strip_prefix(PREFIX) else { return Ok(None) };
        let place = self.inner.scene(|scene| {
            let element = target.and_then(|target| scene.page.element(target.instance_id.as_str()));
            // The document of the element counts: a frame of somebody else is somebody else.
            let document = element.and_then(|element| scene.page.document(element.document_id.as_str()));
            let url = document.and_then(|document| document.url.clone()).unwrap_or_default();
            (url, element.is_some_and(|element| element.state.ui.sensitive == Some(true)))
        });
        let (url, hides) = place.unwrap_or_default();
        let origin = url::Url::parse(&url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        let value = self.vault.reveal(name, &origin, hides)?;
        Ok(Some(Deed::EnterText { text: Private::new(value), clear: *clear }))
    }
}

impl<S: Surface> Surface for Vaulted<S> {
    fn modes(&self) -> Vec<ExecutionMode> {
        self.inner.modes()
    }

    fn offers(&self, until: Instant) -> impl Future<Output = Vec<ActionDescriptor>> + Send {
        self.inner.offers(until)
    }

    fn look(&self, anew: bool, until: Instant) -> impl Future<Output = Result<(), SurfaceError>> + Send {
        self.inner.look(anew, until)
    }

    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R> {
        self.inner.scene(read)
    }

    fn facts(
        &self,
        target: &ElementInstanceId,
        until: Instant,
    ) -> impl Future<Output = Result<Option<LiveFacts>, SurfaceError>> + Send {
        self.inner.facts(target, until)
    }

    fn reveal(&self, target: &ElementInstanceId, until: Instant) -> impl Future<Output = ()> + Send {
        self.inner.reveal(target, until)
    }

    async fn dispatch(&self, order: Order<'_>, until: Instant) -> Dispatched {
        match self.revealed(order.deed, order.target) {
            Ok(None) => self.inner.dispatch(order, until).await,
            Ok(Some(deed)) => self.inner.dispatch(Order { deed: &deed, ..order }, until).await,
            Err(withheld) => Delivery::NotDelivered { reason: withheld.to_string() }.into(),
        }
    }

    fn picture(&self, until: Instant) -> impl Future<Output = Result<Picture, SurfaceError>> + Send {
        self.inner.picture(until)
    }

    fn small_picture(
        &self,
        width_max: u32,
        until: Instant,
    ) -> impl Future<Output = Result<Picture, SurfaceError>> + Send {
        self.inner.small_picture(width_max, until)
    }

    fn present(
        &self,
        hints: &PresentationHints,
        target: Option<&ElementInstanceId>,
        until: Instant,
    ) -> impl Future<Output = ()> + Send {
        self.inner.present(hints, target, until)
    }

    fn unveil(&self) {
        self.inner.unveil();
    }

    fn mark(&self) -> Mark {
        self.inner.mark()
    }

    fn news(&self, since: Mark, until: Instant) -> impl Future<Output = Result<News, SurfaceError>> + Send {
        self.inner.news(since, until)
    }

    fn loading(&self) -> Option<Loading> {
        self.inner.loading()
    }

    fn rest(&self, since: Mark, until: Instant) -> impl Future<Output = Result<(), SurfaceError>> + Send {
        self.inner.rest(since, until)
    }
}

impl<J: Journal> Journal for Vaulted<J> {
    fn admit(&self, entry: Entry) -> impl Future<Output = Result<Admission, JournalError>> + Send {
        self.inner.admit(entry)
    }

    fn decide(
        &self,
        handle: &ActionHandle,
        decision: Decision,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        self.inner.decide(handle, decision)
    }

    fn intend(
        &self,
        handle: &ActionHandle,
        intent: Intent,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        self.inner.intend(handle, intent)
    }

    /// A page may say a secret aloud, in its console or in an address; it is not kept.
    fn conclude(
        &self,
        mut result: ActionResult,
        mut trace: TraceRecord,
    ) -> impl Future<Output = Result<(), JournalError>> + Send {
        if self.vault.is_used() {
            let clean = serde_json::to_value(&result).map(|value| self.vault.scrub_json(value));
            if let Some(clean) = clean.ok().and_then(|value| accept_object(value.as_object()?).ok()) {
                result = clean;
            }
            if let Some(clean) = TraceRecord::from_json(&self.vault.scrub_json(trace.to_json())) {
                trace = clean;
            }
        }
        self.inner.conclude(result, trace)
    }

    fn turn_away(&self, request: TurnedAway) -> impl Future<Output = Result<(), JournalError>> + Send {
        self.inner.turn_away(request)
    }

    fn find(&self, handle: &ActionHandle) -> impl Future<Output = Result<Option<Kept>, JournalError>> + Send {
        self.inner.find(handle)
    }

    fn open_actions(&self) -> impl Future<Output = Result<Vec<ActionHandle>, JournalError>> + Send {
        self.inner.open_actions()
    }

    fn trace(
        &self,
        handle: &ActionHandle,
    ) -> impl Future<Output = Result<Option<TraceRecord>, JournalError>> + Send {
        self.inner.trace(handle)
    }

    fn latest(&self, most: usize) -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send {
        self.inner.latest(most)
    }

    fn turned_away(&self, most: usize) -> impl Future<Output = Result<Vec<TurnedAway>, JournalError>> + Send {
        self.inner.turned_away(most)
    }

    fn latest_own(
        &self,
        most: usize,
    ) -> impl Future<Output = Result<Vec<TraceSummary>, JournalError>> + Send {
        self.inner.latest_own(most)
    }

    fn is_own(&self, handle: &ActionHandle) -> impl Future<Output = Result<bool, JournalError>> + Send {
        self.inner.is_own(handle)
    }

    fn check_held(&self) -> Result<(), JournalError> {
        self.inner.check_held()
    }
}
