//! What a page asks the network for, and what is still under way.

use super::address::shown;
use super::signals::{BrowserSignal, Position, SignalLog, cut};
use crate::cdp::{Event, Text};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use uiap_protocol::web::{WebSignal, WebSignalBody};
use uiap_runtime::surface::purpose;

/// Most requests of a page that are followed at one time. Further ones are told when they start, and then forgotten.
pub const REQUESTS_MAX: usize = 1_024;

/// A request that has no whole answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The browser's name for it.
    pub id: String,
    /// Where to, without what opens doors.
    pub url: String,
    /// `GET`, `POST` and so on.
    pub method: String,
    /// What for, in the browser's words: `Document`, `Fetch`, `XHR`, `Script`, `Image`, `EventSource` and so on.
    pub resource: String,
    /// Whose doing it is, in the browser's words: `script`, `parser`, `other` and so on.
    pub initiator: String,
    /// When it left.
    pub started: Instant,
    /// Its place in the log of the page: whatever lies before it happened before.
    pub position: Position,
    /// When its answer began, or a part of it came last. A page that does not read an answer leaves it so for ever.
    pub answered: Option<Instant>,
    frame: Option<String>,
    loader: String,
}

/// The requests of a page.
#[derive(Debug, Default)]
pub(super) struct Network {
    requests: Mutex<HashMap<String, Request>>,
}

impl Request {
    /// Whether it ends before the page does, so that somebody can wait for it.
    pub fn ends(&self) -> bool {
        purpose_of(&self.resource) != Some(purpose::STREAM)
    }
}

impl Network {
    /// What is under way, the oldest first.
    pub(super) fn in_flight(&self) -> Vec<Request> {
        let mut requests: Vec<_> = self.requests().values().cloned().collect();
        requests.sort_by_key(|request| request.position);
        requests
    }

    /// The page shows another document. Requests of the one before are nobody's any more, whether or not the browser
    /// says so.
    pub(super) fn document_replaced(&self, loader: &str, log: &SignalLog) {
        self.abandon(log, |request| request.loader != loader);
    }

    pub(super) fn frame_detached(&self, frame: &str, log: &SignalLog) {
        self.abandon(log, |request| request.frame.as_deref() == Some(frame));
    }

    fn abandon(&self, log: &SignalLog, gone: impl Fn(&Request) -> bool) {
        let mut abandoned: Vec<_> =
            self.requests().extract_if(|_, request| gone(request)).map(|(_, request)| request).collect();
        abandoned.sort_by_key(|request| request.position);
        for Request { id, url, .. } in abandoned {
            let error = "its document is gone";
            log.tell(
                BrowserSignal::RequestFailed,
                json!({ "requestId": id, "url": url, "error": error, "canceled": true }),
            );
        }
    }

    pub(super) fn event(&self, event: &Event, log: &SignalLog) {
        match event.method.as_str() {
            "Network.requestWillBeSent" => {
                event.params().into_iter().for_each(|sent| self.sent(sent, log));
            }
            "Network.responseReceived" => {
                if let Some(Received { request_id, response }) = event.params() {
                    self.answered(&request_id);
                    response.tell(log);
                    if response.status >= 400 {
                        self.refused(&request_id, ("status", response.status.into()), log);
                    }
                }
            }
            "Network.dataReceived" => {
                if let Some(Named { request_id }) = event.params() {
                    self.answered(&request_id);
                }
            }
            "Network.loadingFinished" => {
                if let Some(Named { request_id }) = event.params()
                    && let Some(Request { id, url, .. }) = self.requests().remove(&request_id)
                {
                    log.tell(BrowserSignal::RequestFinished, json!({ "requestId": id, "url": url }));
                }
            }
            "Network.loadingFailed" => {
                event.params().into_iter().for_each(|failed| self.failed(&failed, log));
            }
            _ => {}
        }
    }

    fn sent(&self, sent: Sent, log: &SignalLog) {
        // It reaches no network, and is its own answer.
        if sent.request.url.0.starts_with("data:") {
            return;
        }
        if let Some(redirection) = &sent.redirect_response {
            redirection.tell(log);
        }
        let Sent { request_id, loader_id, frame_id, initiator, kind, request, .. } = sent;
        let (url, method) = (shown(&request.url.0), cut(&request.method.0));
        let position = log.tell(
            BrowserSignal::RequestStarted,
            json!({
                "requestId": request_id, "method": method, "url": url, "resource": kind, "purpose": purpose_of(&kind),
                "initiator": initiator.kind,
            }),
        );
        let mut requests = self.requests();
        if requests.len() >= REQUESTS_MAX && !requests.contains_key(&request_id) {
            return;
        }
        let request = Request {
            id: request_id.clone(),
            url,
            method,
            resource: kind,
            initiator: initiator.kind,
            started: Instant::now(),
            position,
            answered: None,
            frame: frame_id,
            loader: loader_id,
        };
        requests.insert(request_id, request);
    }

    fn answered(&self, id: &str) {
        if let Some(request) = self.requests().get_mut(id) {
            request.answered = Some(Instant::now());
        }
    }

    fn failed(&self, failed: &Failed, log: &SignalLog) {
        let error = cut(&failed.error_text.0);
        if !failed.canceled {
            self.refused(&failed.request_id, ("error", error.as_str().into()), log);
        }
        let Some(Request { id, url, .. }) = self.requests().remove(&failed.request_id) else { return };
        log.tell(
            BrowserSignal::RequestFailed,
            json!({ "requestId": id, "url": url, "error": error, "canceled": failed.canceled }),
        );
    }

    /// We let the page have no answer to this request, and this is why.
    pub(super) fn forbidden(&self, id: &str, why: &str, log: &SignalLog) {
        self.refused(id, ("error", why.into()), log);
    }

    /// Tells of a refusal that bears on what somebody did: pictures and the like do not.
    fn refused(&self, id: &str, (word, why): (&str, serde_json::Value), log: &SignalLog) {
        let Some(request) = self.requests().get(id).cloned() else { return };
        let asks = matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        // Nobody in the page hears how a beacon fared, so nothing depends on it.
        if (asks && request.resource != "Document") || request.resource == "Ping" {
            return;
        }
        let Request { id, url, method, resource, position, .. } = request;
        let members = json!({
            "requestId": id, "url": url, "method": method, "resource": resource, "purpose": purpose_of(&resource),
            "begun": position.count(), word: why,
        });
        log.tell(BrowserSignal::RequestRefused, members);
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<String, Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A signal says that a request left that ends before the page does.
pub(crate) fn begins_what_ends(signal: &WebSignal) -> bool {
    let WebSignalBody::Vendor(form) = &signal.body else { return false };
    form.word.as_str() == BrowserSignal::RequestStarted.word()
        && form.members.get("purpose").and_then(|purpose| purpose.as_str()) != Some(purpose::STREAM)
}

/// The browser's word for what a request is for, in the words of every surface.
fn purpose_of(resource: &str) -> Option<&'static str> {
    match resource {
        "Document" => Some(purpose::PLACE),
        "Fetch" | "XHR" => Some(purpose::DATA),
        "EventSource" | "WebSocket" | "Media" | "Ping" => Some(purpose::STREAM),
        _ => None,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    request_id: String,
    #[serde(default)]
    loader_id: String,
    frame_id: Option<String>,
    request: Asked,
    initiator: Initiator,
    #[serde(rename = "type", default)]
    kind: String,
    redirect_response: Option<Response>,
}

#[derive(Deserialize)]
struct Asked {
    url: Text,
    method: Text,
}

#[derive(Deserialize)]
struct Initiator {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    request_id: String,
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    url: Text,
    status: u16,
}

impl Response {
    fn tell(&self, log: &SignalLog) {
        // Answers that came over no network have no status.
        if self.status > 0 && !self.url.0.starts_with("data:") {
            log.push(WebSignalBody::NetworkResponse { url: shown(&self.url.0), status: self.status });
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    request_id: String,
    #[serde(default)]
    error_text: Text,
    #[serde(default)]
    canceled: bool,
}
