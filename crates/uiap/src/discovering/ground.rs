//! Pages of a browser as places to explore in: each behind a guard of its own, all signed in the same way.

use super::browsers::Browsers;
use super::hindrance::{SERVER_FAULT, hindrance};
use crate::Trouble;
use crate::browsing::BrowserFlags;
use crate::keeping::now;
use crate::login::Login;
use crate::running;
use std::io::{BufRead as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use uiap_discovery::atlas::Passage;
use uiap_discovery::door::Door;
use uiap_discovery::explore::{Ground, GroundError, Hand, Hindrance, Image};
use uiap_discovery::place::{pattern, without_data};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::{ElementInstanceId, Id};
use uiap_protocol::policy::{Grant, PolicyDocument, PolicyPrincipal, PrincipalType};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::{WebSignal, WebSignalBody};
use uiap_protocol::wire::{JsonObject, accept};
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::shell::Runtime;
use uiap_runtime::standing::Standing;
use uiap_server::secrets::{Vault, Vaulted};
use uiap_store::SqliteJournal;
use uiap_web::guard::{self, Authority, Fate, Guard};
use uiap_web::{
    BrowserSignal, CallError, Context, ContextOptions, Deadline, OpenError, Page, PictureFormat, Position,
    ScreenshotOptions, StorageState, WebSurface,
};
use url::Url;

/// What holds for whoever maps.
const OWN_POLICY: &str = include_str!("mapper.policy.yaml");
/// In whose name is mapped.
const AGENT: &str = "uiap-discovery";
/// How long a page may take to be there.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// How long a page that never rests is waited for.
const REST_WAIT: Duration = Duration::from_secs(3);
/// By this status a server says that it does not know who asks.
const UNAUTHORISED: u16 = 401;
/// How wide a picture is at most.
const PICTURE_WIDTH: u32 = 800;
/// How good it is, from 0 to 100: enough to recognise a page by.
const PICTURE_QUALITY: u8 = 60;
/// How the name of its file ends.
pub(crate) const PICTURE_ENDING: &str = "jpg";
/// What such a file is.
pub(crate) const PICTURE_MEDIA_TYPE: &str = "image/jpeg";
/// Most errors of the application that are told at a time.
const COMPLAINTS_MAX: usize = 20;
/// What an agent may do on its own while mapping. Nobody lends it more.
const RIGHTS: [Grant; 4] = [Grant::Observe, Grant::Guide, Grant::Draft, Grant::Act];

/// How pages are made.
#[derive(Debug)]
pub(crate) struct Premises {
    pub(crate) base: Url,
    pub(crate) context: ContextOptions,
    pub(crate) guard: guard::Rules,
    pub(crate) login: Option<Login>,
    /// What somebody who is signed in has.
    pub(crate) storage: Option<StorageState>,
    /// A person signs in, in the window of the browser.
    pub(crate) by_hand: bool,
    pub(crate) bundle: Option<CompiledBundle>,
    pub(crate) policies: Vec<PolicyDocument>,
    pub(crate) secrets: Arc<Vault>,
}

/// An application in browsers.
pub(crate) struct WebGround {
    shared: Arc<Shared>,
    browsers: Browsers,
}

/// What every page needs.
struct Shared {
    premises: Premises,
    authority: Arc<Authority>,
    journal: Arc<SqliteJournal>,
    /// What somebody who signed in has, for the next page.
    signed_in: Mutex<Option<StorageState>>,
    /// What the page asked for where somebody signed in.
    door: Mutex<Option<Door>>,
}

type Acting = Runtime<Vaulted<WebSurface>, Vaulted<Arc<SqliteJournal>>>;

/// A page and the guard before it.
pub(crate) struct WebHand {
    shared: Arc<Shared>,
    runtime: Acting,
    context: Context,
    guard: Guard,
    /// What left the page before this was told already.
    told: AtomicU64,
    /// What happened before this was told already.
    heard: Mutex<Position>,
}

impl WebGround {
    /// Starts browsers, or attaches to those that run.
    pub(crate) async fn open(
        premises: Premises,
        flags: &BrowserFlags,
        journal: Arc<SqliteJournal>,
    ) -> Result<Self, Trouble> {
        let authority = Arc::new(Authority::new().map_err(anyhow::Error::new)?);
        let browsers = Browsers::open(flags.sources(&authority)?).await?;
        let shared =
            Shared { premises, authority, journal, signed_in: Mutex::default(), door: Mutex::default() };
        Ok(Self { shared: Arc::new(shared), browsers })
    }

    /// What the browser is, for the record.
    pub(crate) fn browser(&self) -> String {
        self.browsers.version().to_owned()
    }

    /// Ends the browsers that are ours.
    pub(crate) async fn close(self) {
        self.browsers.close().await;
    }
}

impl Ground for WebGround {
    type Hand = WebHand;

    async fn hand(&self, number: usize) -> Result<WebHand, GroundError> {
        let hand = WebHand::open(Arc::clone(&self.shared), &self.browsers, number).await?;
        let premises = &self.shared.premises;
        let nobody_yet = locked(&self.shared.signed_in).is_none();
        if nobody_yet && premises.login.is_some() {
            hand.sign_in().await?;
        } else if nobody_yet && premises.by_hand {
            hand.wait_for_a_person().await?;
        }
        Ok(hand)
    }

    fn now(&self) -> Timestamp {
        timestamp()
    }
}

/// What time it is.
pub(crate) fn timestamp() -> Timestamp {
    let millis = i64::try_from(now()).unwrap_or_default();
    #[expect(clippy::expect_used, reason = "the clock of a machine stands between the years 1970 and 9999")]
    Timestamp::from_millis(millis).expect("the time is a time")
}

impl WebHand {
    async fn open(shared: Arc<Shared>, browsers: &Browsers, number: usize) -> Result<Self, GroundError> {
        let premises = &shared.premises;
        let guard = Guard::start(Arc::clone(&shared.authority), premises.guard.clone()).await;
        let guard = guard.map_err(|error| lost(&format!("{:#}", anyhow::Error::new(error))))?;
        let context = browsers.context(number, &guard, &premises.context).await;
        let context = context.map_err(|error| lost(&format!("{:#}", anyhow::Error::new(error))))?;
        let deadline = Deadline::after(PAGE_WAIT);
        let signed_in = locked(&shared.signed_in).clone();
        if let Some(storage) = signed_in.as_ref().or(premises.storage.as_ref()) {
            context.restore(storage, deadline).await.map_err(|error| lost(&error.to_string()))?;
        }
        let opened = context.open(premises.base.as_str(), deadline).await;
        let page = opened.map_err(|error| match error {
            OpenError::Call(CallError::BrowserGone | CallError::SessionGone) => lost(&error.to_string()),
            other => GroundError::Unreachable { reason: other.to_string() },
        })?;
        if let Some(Hindrance::NoPage { reason }) = hindrance(&page, &guard, 0, Position::default()) {
            return Err(GroundError::Unreachable { reason });
        }
        page.rest(deadline.at_most(REST_WAIT)).await;
        if let Some(bindings) = premises.bundle.as_ref().and_then(|bundle| bundle.bindings.as_ref()) {
            page.bind(bindings, deadline).await.map_err(|error| lost(&error.to_string()))?;
        }
        let heard = Mutex::new(page.signals().position());
        let runtime = runtime(&shared, page).map_err(|error| lost(&error.to_string()))?;
        Ok(Self { shared, runtime, context, guard, told: AtomicU64::new(0), heard })
    }

    /// Lets a person sign in, in the window of the browser.
    async fn wait_for_a_person(&self) -> Result<(), GroundError> {
        self.guard.open();
        let asked = "Sign in in the window of the browser, then press Enter here.";
        let (say, answered) = tokio::sync::oneshot::channel();
        // A thread that nobody waits for: whoever stops the run meanwhile presses nothing.
        std::thread::spawn(move || {
            let read = || {
                writeln!(std::io::stderr(), "{asked}")?;
                std::io::stdin().lock().read_line(&mut String::new())
            };
            let _ = say.send(read());
        });
        let answered = answered.await;
        self.guard.close();
        match answered {
            Ok(Ok(letters)) if letters > 0 => self.remember().await,
            _ => Err(refused("nobody said that the login is done")),
        }
    }

    /// Takes along for the next page what somebody who is signed in has.
    async fn remember(&self) -> Result<(), GroundError> {
        let storage = self.context.storage(Deadline::after(PAGE_WAIT)).await;
        *locked(&self.shared.signed_in) = Some(storage.map_err(|error| refused(&error.to_string()))?);
        Ok(())
    }

    fn page(&self) -> &Page {
        self.runtime.surface().inner().page()
    }
}

impl Hand for WebHand {
    type Surface = Vaulted<WebSurface>;
    type Journal = Vaulted<Arc<SqliteJournal>>;

    fn runtime(&self) -> &Acting {
        &self.runtime
    }

    fn passages(&self) -> Vec<Passage> {
        let (passages, next) = self.guard.passages(self.told.load(Ordering::SeqCst));
        self.told.store(next, Ordering::SeqCst);
        passages.into_iter().filter_map(passage).collect()
    }

    fn complaints(&self) -> Vec<String> {
        let mut heard = locked(&self.heard);
        let news = self.page().signals().since(*heard);
        *heard = news.next;
        news.signals.iter().filter_map(|signal| complaint(signal)).take(COMPLAINTS_MAX).collect()
    }

    fn hindrance(&self) -> Option<Hindrance> {
        hindrance(self.page(), &self.guard, self.told.load(Ordering::SeqCst), *locked(&self.heard))
    }

    fn lift(&self, lifted: bool) {
        if lifted { self.guard.open() } else { self.guard.close() }
    }

    async fn picture(&self, until: Instant) -> Option<Image> {
        let options = ScreenshotOptions {
            mask_sensitive: true,
            max_width: Some(PICTURE_WIDTH),
            format: PictureFormat::Jpeg { quality: PICTURE_QUALITY },
            ..ScreenshotOptions::default()
        };
        // A picture is for people; without one everything else is still known.
        let bytes = self.page().screenshot(&options, Deadline::at(until)).await.ok()?;
        Some(Image { bytes, ending: PICTURE_ENDING })
    }

    async fn accessibility(&self, until: Instant) -> Option<JsonObject> {
        let record = self.page().accessibility(Deadline::at(until)).await.ok()?;
        serde_json::to_value(record).ok()?.as_object().cloned()
    }

    async fn openers(&self, until: Instant) -> Vec<ElementInstanceId> {
        // A page that cannot be asked opens nothing by itself.
        self.page().openers(Deadline::at(until)).await.unwrap_or_default()
    }

    async fn tidy(&self) {
        for waiting in self.context.pages() {
            drop(self.context.take(&waiting.id));
        }
    }

    fn has_account(&self) -> bool {
        let premises = &self.shared.premises;
        premises.login.is_some() || premises.storage.is_some() || premises.by_hand
    }

    fn is_at_door(&self) -> bool {
        if self.is_unknown() {
            return true;
        }
        let login = self.shared.premises.login.as_ref();
        let place = login.and_then(|login| self.shared.premises.base.join(&login.url).ok());
        place.is_some_and(|place| pattern(place.as_str()) == pattern(&self.page().url()))
    }

    fn is_unknown(&self) -> bool {
        self.page().status() == Some(UNAUTHORISED)
    }

    fn door(&self) -> Option<Door> {
        locked(&self.shared.door).clone()
    }

    async fn sign_in(&self) -> Result<(), GroundError> {
        let Some(login) = &self.shared.premises.login else {
            let advice = "there is no login that could be walked through again. Write one for --login, or name a \
                          fresh file for --storage-state";
            return Err(refused(advice));
        };
        self.guard.open();
        let signed_in = login.sign_in(&self.runtime, &self.shared.premises.base).await;
        self.guard.close();
        let door = signed_in.map_err(|error| refused(&error.to_string()))?;
        *locked(&self.shared.door) = door;
        self.remember().await
    }
}

fn runtime(shared: &Shared, page: Page) -> Result<Acting, Trouble> {
    let premises = &shared.premises;
    let principal = PolicyPrincipal {
        r#type: PrincipalType::Agent,
        id: Id::new(AGENT).map_err(anyhow::Error::new)?,
        roles: None,
        grants: Some(RIGHTS.to_vec()),
    };
    let policies = premises.policies.iter().cloned().chain([own_policy()?]).collect();
    let standing = Standing::of(principal, policies).map_err(anyhow::Error::new)?;
    let application = running::application_of(premises.bundle.as_ref(), premises.base.as_str())?;
    let catalogue = premises.bundle.as_ref().map_or_else(Catalogue::new, Catalogue::of_bundle);
    Ok(Runtime::new(
        Vaulted::new(WebSurface::new(page), Arc::clone(&premises.secrets)),
        Vaulted::new(Arc::clone(&shared.journal), Arc::clone(&premises.secrets)),
        catalogue,
        running::settings(standing, application)?,
    ))
}

/// What holds for whoever maps.
fn own_policy() -> Result<PolicyDocument, Trouble> {
    let tree = read(OWN_POLICY, Format::Yaml, Limits::DOCUMENT);
    let tree = tree.map_err(|fault| anyhow::anyhow!("the mapper's own policy: {}", fault.message))?;
    let policy =
        accept(&tree).map_err(|findings| anyhow::anyhow!("the mapper's own policy: {findings:?}"))?;
    Ok(policy)
}

/// A request that bears on what was done: decoration that passed is not told.
fn passage(passage: guard::Passage) -> Option<Passage> {
    let held = match &passage.fate {
        Fate::Held(reason) => Some(reason.to_string()),
        Fate::Passed(_) if passage.method == "GET" => return None,
        Fate::Passed(_) | Fate::Failed(_) => None,
    };
    Some(Passage { method: passage.method, url: passage.address, held })
}

/// What went wrong inside the application, in a sentence.
fn complaint(signal: &WebSignal) -> Option<String> {
    if let WebSignalBody::NetworkResponse { url, status } = &signal.body {
        // The same failure is one failure, whatever was asked for.
        let address = without_data(url);
        return (*status >= SERVER_FAULT).then(|| format!("{address} answered with status {status}"));
    }
    let WebSignalBody::Vendor(form) = &signal.body else { return None };
    let text = form.members.get("text").and_then(serde_json::Value::as_str)?;
    (BrowserSignal::of(signal)? == BrowserSignal::Exception).then(|| format!("threw: {text}"))
}

fn lost(reason: &str) -> GroundError {
    GroundError::Lost { reason: reason.to_owned() }
}

fn refused(reason: &str) -> GroundError {
    GroundError::SignedOut { reason: reason.to_owned() }
}

/// A poisoned lock holds what it held: every change to these is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
