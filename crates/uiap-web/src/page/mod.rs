//! A page: opened, followed through its navigations, looked at.
//!
//! Start at [`Context::open`] and [`Page::look`]. What the browser tells about a page is kept by `track`, which sees
//! every event in order; everything else here waits for what it knows.

mod accessibility;
mod address;
mod bind;
mod bridge;
mod context;
mod dialogs;
mod documents;
mod downloads;
mod errors;
mod guest;
mod listeners;
mod look;
mod navigate;
pub(crate) mod network;
mod openers;
mod options;
mod packed;
mod picture;
mod popups;
mod proxy;
mod refusals;
mod registry;
mod report;
mod rest;
mod signals;
mod storage;
mod track;
mod watch;

pub use accessibility::{ACCESSIBLE_MAX, Accessibility, AccessibleNode};
pub(crate) use address::shown;
pub use bind::{BindError, Bound};
pub use bridge::BridgeOptions;
pub use context::Context;
pub use dialogs::{DialogAnswer, DialogKind, DialogPolicy, OpenDialog};
pub use downloads::Downloads;
pub use errors::{
    ContextError, DialogError, EvaluateError, LookError, NetworkFault, OpenError, ScreenshotError,
};
pub use guest::OpenPage;
pub(crate) use look::Evaluated;
pub use look::Look;
pub use navigate::{Arrival, Settled};
pub use network::{REQUESTS_MAX, Request};
pub use options::{BadViewport, ContextOptions, Viewport};
pub use picture::{Clip, PictureFormat, ScreenshotOptions};
pub(crate) use popups::{Door, attend};
pub use popups::{PAGES_WAITING_MAX, WaitingPage};
pub use proxy::Proxy;
pub use registry::{
    ActionSource, ActionsError, Invoked, REGISTERED_MAX, RefusedAction, Registered, RegisteredAction,
    Returned, Uninvoked,
};
pub(crate) use registry::{read_list, read_outcome};
pub use signals::{BrowserSignal, Position, SIGNALS_HELD_MAX, SignalLog, Signals};
pub use storage::{Cookie, OriginStorage, StorageEntry, StorageError, StorageState};
pub use watch::{Changes, DELTAS_HELD_MAX, Lost, Watch};
pub(crate) use watch::{Feed, Followed};

use crate::cdp::{CallError, Client, SessionId, Subscription};
use crate::deadline::Deadline;
use bridge::Bridges;
use context::ContextHandle;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::sync::Arc;
use track::{End, Track};
use uiap_protocol::ids::ElementInstanceId;

/// The name of the world the publisher lives in: the page cannot see into it.
const WORLD: &str = "uiap";
/// What runs in that world: the bundle that `npm run build` makes in `web/`.
const PUBLISHER: &str = include_str!("../../../../web/publisher/dist/publisher.js");

/// A page of a browser. Dropping it closes it, unless somebody else opened it.
#[derive(Debug)]
pub struct Page {
    client: Client,
    session: SessionId,
    target: String,
    opener: Option<String>,
    track: Arc<Track>,
    arrival: Arrival,
    /// What binds every new document of the page.
    binding: bind::Instruction,
    /// How annotations begin in every new document of the page.
    annotation: bind::Instruction,
    /// What the present document listens to.
    heard: tokio::sync::Mutex<listeners::Heard>,
    /// The context of the page, which it keeps open; none if somebody else opened the page.
    context: Option<Arc<ContextHandle>>,
}

impl Page {
    /// Which page of the browser it is.
    pub fn id(&self) -> &str {
        &self.target
    }

    /// The page that opened it, if a page did.
    pub fn opener(&self) -> Option<&str> {
        self.opener.as_deref()
    }

    /// How the page arrived at the address it was last told to go to.
    pub fn arrival(&self) -> &Arrival {
        &self.arrival
    }

    /// The address of the document that is shown now.
    pub fn url(&self) -> String {
        self.track.with(|facts| facts.document.url.clone())
    }

    /// What the server said when it was asked for the document that is shown now; none if no server was asked.
    pub fn status(&self) -> Option<u16> {
        self.track.with(track::Facts::status)
    }

    /// What happened, from the beginning of the page on.
    pub fn signals(&self) -> &SignalLog {
        self.track.log()
    }

    /// Requests that have no whole answer yet, the oldest first.
    pub fn in_flight(&self) -> Vec<Request> {
        self.track.network().in_flight()
    }

    /// Runs an expression in the world of the page itself and waits for its result. Only for tests: what a page
    /// says about itself proves nothing.
    #[doc(hidden)]
    pub async fn evaluate_main(
        &self,
        expression: &str,
        deadline: Deadline,
    ) -> Result<serde_json::Value, EvaluateError> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let answer: look::Evaluated<serde_json::Value> =
            self.call("Runtime.evaluate", params, deadline).await?;
        answer.into_value().map_err(EvaluateError::Thrown)
    }

    /// Takes the process of the page down. Only for tests.
    #[doc(hidden)]
    pub async fn crash_for_tests(&self, deadline: Deadline) -> Result<(), CallError> {
        self.call::<serde::de::IgnoredAny>("Page.crash", json!({}), deadline).await.map(drop)
    }

    /// The element stands in a frame of another origin, of which only looks know.
    pub(crate) fn is_beyond_bridge(&self, element: &ElementInstanceId) -> bool {
        self.track.bridges().is_some() && Bridges::is_beyond(element)
    }

    /// Events of this page, from now on.
    pub(crate) fn subscribe(&self) -> Subscription {
        self.client.subscribe(Some(&self.session))
    }

    /// An order to this page that nobody waits for.
    pub(crate) fn post(&self, method: &'static str, params: impl Serialize) {
        self.client.post(Some(&self.session), method, params);
    }

    /// A call to this page. It ends at once if the page does.
    pub(crate) async fn call<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        deadline: Deadline,
    ) -> Result<R, CallError> {
        let call = self.client.call(Some(&self.session), method, params, deadline);
        tokio::select! {
            biased;
            answer = call => answer,
            end = self.track.end() => Err(end.into()),
        }
    }

    /// Why there is nobody to call any more.
    pub(crate) fn ended(&self) -> Option<CallError> {
        self.track.with(|facts| facts.end).map(CallError::from)
    }
}

impl From<End> for CallError {
    fn from(end: End) -> Self {
        match end {
            End::Browser => Self::BrowserGone,
            End::Closed | End::Crashed => Self::SessionGone,
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let (order, params) = match self.context {
            Some(_) => ("Target.closeTarget", json!({ "targetId": self.target })),
            None => ("Target.detachFromTarget", json!({ "sessionId": self.session })),
        };
        self.client.post(None, order, params);
    }
}
