//! A context: pages that share cookies and storage with each other and with nobody else.

use super::bind::Instruction;
use super::bridge::auto_attach;
use super::documents::DocumentFilter;
use super::options::Viewport;
use super::popups::{Hall, Newcomer, WaitingPage};
use super::storage::{OriginStorage, Visit};
use super::watch::PUSH;
use super::{Arrival, ContextError, ContextOptions, Door, OpenError, PUBLISHER, Page, Proxy, WORLD};
use crate::cdp::{CallError, Client, SessionId};
use crate::deadline::Deadline;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// An isolated part of a browser. It closes when it and its last page are dropped, and with it the pages that nobody
/// took.
#[derive(Clone, Debug)]
pub struct Context {
    handle: Arc<ContextHandle>,
}

#[derive(Debug)]
pub(super) struct ContextHandle {
    pub(super) client: Client,
    door: Arc<Door>,
    pub(super) id: String,
    /// The browser's own context, which stays when we go.
    lasting: bool,
    options: ContextOptions,
    hall: Arc<Hall>,
    /// What every new page keeps from the beginning.
    given: Mutex<Vec<OriginStorage>>,
}

impl ContextHandle {
    pub(super) fn give_every_page(&self, given: Vec<OriginStorage>) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = given;
    }
}

impl Drop for ContextHandle {
    fn drop(&mut self) {
        self.door.forget(&self.id);
        if !self.lasting {
            self.client.post(None, "Target.disposeBrowserContext", json!({ "browserContextId": self.id }));
            return;
        }
        for page in self.hall.waiting() {
            self.client.post(None, "Target.closeTarget", json!({ "targetId": page.id }));
        }
    }
}

impl Context {
    /// A context that nothing is shared with.
    pub(crate) async fn fresh(
        client: Client,
        door: Arc<Door>,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Self, ContextError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            browser_context_id: String,
        }
        // The browser forgets the context if this very connection closes.
        let mut params = json!({ "disposeOnDetach": true });
        if let (Some(proxy), Some(members)) = (&options.proxy, params.as_object_mut()) {
            members.extend(proxy.members());
        }
        let created: Created = client.call(None, "Target.createBrowserContext", params, deadline).await?;
        let id = created.browser_context_id;
        Self::furnish(client, door, id, false, options, deadline).await
    }

    /// The context of the profile: what it keeps, it keeps.
    pub(crate) async fn lasting(
        client: Client,
        door: Arc<Door>,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Self, ContextError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Contexts {
            default_browser_context_id: String,
        }
        if options.proxy.is_some() {
            return Err(ContextError::LastingProxy);
        }
        let known: Contexts = client.call(None, "Target.getBrowserContexts", json!({}), deadline).await?;
        let id = known.default_browser_context_id;
        Self::furnish(client, door, id, true, options, deadline).await
    }

    async fn furnish(
        client: Client,
        door: Arc<Door>,
        id: String,
        lasting: bool,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Self, ContextError> {
        let hall = Hall::new(client.clone(), options.clone());
        door.admit(&id, &hall);
        let handle = ContextHandle { client, door, id, lasting, options, hall, given: Mutex::default() };
        let params = handle.options.downloads.behavior(&handle.id);
        handle.client.send(None, "Browser.setDownloadBehavior", params, deadline).await?;
        Ok(Self { handle: Arc::new(handle) })
    }

    /// Pages that pages of this context opened and nobody has taken yet. They are complete: what happened in them so
    /// far is in their log, and their dialogs are answered as if nobody were asked.
    pub fn pages(&self) -> Vec<WaitingPage> {
        self.handle.hall.waiting()
    }

    /// Takes such a page. From then on it closes when it is dropped; those that nobody takes close with the context.
    pub fn take(&self, id: &str) -> Option<Page> {
        self.handle.hall.take(|newcomer| newcomer.target == id).map(|newcomer| self.welcome(newcomer))
    }

    /// Takes the first such page, waiting until there is one.
    pub async fn next_page(&self, deadline: Deadline) -> Option<Page> {
        deadline.limit(self.handle.hall.next()).await.map(|newcomer| self.welcome(newcomer))
    }

    fn welcome(&self, Newcomer { session, target, opener, track }: Newcomer) -> Page {
        track.dialogs().attend();
        Page {
            client: self.handle.client.clone(),
            session,
            target,
            opener,
            track,
            arrival: Arrival::default(),
            binding: Instruction::default(),
            annotation: Instruction::default(),
            heard: tokio::sync::Mutex::default(),
            context: Some(Arc::clone(&self.handle)),
        }
    }

    /// Opens a page and waits until it is there: loaded, or usable and almost quiet. A page that began but does not
    /// finish by the deadline is there too; its [`Arrival`] says so.
    pub async fn open(&self, url: &str, deadline: Deadline) -> Result<Page, OpenError> {
        let mut page = self.blank(deadline).await?;
        page.go(url, deadline).await?;
        Ok(page)
    }

    pub(super) fn handle(&self) -> &ContextHandle {
        &self.handle
    }

    /// A page that is nothing but empty.
    pub(super) async fn empty_target(&self, deadline: Deadline) -> Result<CloseUnlessKept<'_>, CallError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            target_id: String,
        }
        let client = &self.handle.client;
        // A window of its own: a page behind another tab is not painted and its frames stand still.
        let params = json!({ "url": "about:blank", "browserContextId": self.handle.id, "newWindow": true });
        let Created { target_id } = client.call(None, "Target.createTarget", params, deadline).await?;
        Ok(CloseUnlessKept { client, target: Some(target_id) })
    }

    /// An empty page that is ready to go somewhere.
    async fn blank(&self, deadline: Deadline) -> Result<Page, OpenError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Attached {
            session_id: SessionId,
        }
        let client = &self.handle.client;
        let target = self.empty_target(deadline).await?;
        let target_id = target.id().to_owned();
        let given = self.handle.given.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !given.is_empty() {
            Visit::begin(client, &target_id, deadline).await?.plant(&given, deadline).await?;
        }
        let params = json!({ "targetId": target_id, "flatten": true });
        let Attached { session_id } = client.call(None, "Target.attachToTarget", params, deadline).await?;
        let track = self.handle.hall.track_own(&session_id, &target_id);
        let page = Page {
            client: client.clone(),
            session: session_id,
            target: target.keep(),
            opener: None,
            track,
            arrival: Arrival::default(),
            binding: Instruction::default(),
            annotation: Instruction::default(),
            heard: tokio::sync::Mutex::default(),
            context: Some(Arc::clone(&self.handle)),
        };
        // Many orders at once make a large future, which every caller would carry.
        Box::pin(prepare(client, &page.session, &self.handle.options, deadline)).await?;
        Ok(page)
    }
}

/// A target that belongs to no page yet, in case the way there is cut short.
pub(super) struct CloseUnlessKept<'c> {
    client: &'c Client,
    target: Option<String>,
}

impl CloseUnlessKept<'_> {
    pub(super) fn id(&self) -> &str {
        self.target.as_deref().unwrap_or_default()
    }

    fn keep(mut self) -> String {
        self.target.take().unwrap_or_default()
    }
}

impl Drop for CloseUnlessKept<'_> {
    fn drop(&mut self) {
        if let Some(target) = self.target.take() {
            self.client.post(None, "Target.closeTarget", json!({ "targetId": target }));
        }
    }
}

/// Listens to everything and installs the publisher. One round trip: the browser answers in order.
pub(super) async fn prepare(
    client: &Client,
    session: &SessionId,
    options: &ContextOptions,
    deadline: Deadline,
) -> Result<(), CallError> {
    let Viewport { width, height } = options.viewport;
    let publisher = json!({ "source": PUBLISHER, "worldName": WORLD, "runImmediately": true });
    let viewport = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    // Not every browser knows it; where it does, this comes before any script of the page.
    client.post(Some(session), "WebMCP.enable", json!({}));
    if options.proxy.as_ref().is_some_and(Proxy::is_unpinned) {
        let params = json!({ "ignore": true });
        client
            .call::<IgnoredAny>(Some(session), "Security.setIgnoreCertificateErrors", params, deadline)
            .await?;
    }
    if let Some(locale) = &options.locale {
        // Without a name of its own, the browser keeps the one that it has.
        let params = json!({ "userAgent": "", "acceptLanguage": locale });
        client.call::<IgnoredAny>(Some(session), "Emulation.setUserAgentOverride", params, deadline).await?;
        // It holds for a process, and is refused where another page of the context said so already.
        client.post(Some(session), "Emulation.setLocaleOverride", json!({ "locale": locale }));
    }
    let order = |method, params: Value| client.call::<IgnoredAny>(Some(session), method, params, deadline);
    tokio::try_join!(
        order("Page.enable", json!({})),
        order("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
        order("Runtime.enable", json!({})),
        order("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
        order("Inspector.enable", json!({})),
        order("Log.enable", json!({})),
        order("Fetch.enable", DocumentFilter::patterns()),
        order("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
        order("Emulation.setDeviceMetricsOverride", viewport),
        order("Runtime.addBinding", json!({ "name": PUSH, "executionContextName": WORLD })),
        order("Page.addScriptToEvaluateOnNewDocument", publisher),
        order("Target.setAutoAttach", auto_attach(&options.bridge)),
    )?;
    Ok(())
}
