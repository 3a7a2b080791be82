//! What happened around an action: whose doing it was, and how much it has to do with the action.
//!
//! Start at [`Around`]. Nothing is thrown away by it: what is noise to one reader is the cause to another, so everything
//! gets a number, and what lies below [`RELEVANT_MIN`] is shown apart. The same signals give the same numbers.

use crate::surface::purpose;
use serde_json::Value;
use std::collections::HashSet;
use uiap_protocol::web::{WebSignal, WebSignalBody};
use uiap_protocol::wire::JsonObject;

/// From here on something has to do with the action; below it is background.
pub const RELEVANT_MIN: u8 = 40;
/// Most requests of one action that are remembered.
const REQUESTS_MAX: usize = 1_024;

/// Whose doing something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The application's own.
    App,
    /// Somebody else's, who is embedded in it or called by it.
    ThirdParty,
    /// It does not say.
    Unknown,
}

impl Party {
    /// As it stands in a trace.
    pub fn word(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::ThirdParty => "third_party",
            Self::Unknown => "unknown",
        }
    }
}

/// What can be said about one thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Whose doing it is.
    pub party: Party,
    /// How much it has to do with the action, from 0 to 100.
    pub relevance: u8,
}

/// The surroundings of one action.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Where the application is.
    home: Option<Host>,
    /// The requests that left since the action began.
    begun: HashSet<String>,
}

impl Around {
    /// Around an action on the page at this address.
    pub fn page(url: &str) -> Self {
        Self { home: Host::of(url), begun: HashSet::new() }
    }

    /// Judges what happened next. Signals are to be told in their order.
    pub fn judge(&mut self, signal: &WebSignal) -> Diagnosis {
        let (party, weight) = match &signal.body {
            WebSignalBody::ToastShown { .. }
            | WebSignalBody::DialogOpened { .. }
            | WebSignalBody::DialogClosed { .. }
            | WebSignalBody::RouteChanged { .. }
            | WebSignalBody::ValidationChanged { .. }
            | WebSignalBody::EntityCreated { .. }
            | WebSignalBody::EntityUpdated { .. }
            | WebSignalBody::EntityDeleted { .. } => (Party::App, 90),
            WebSignalBody::StatusChanged { .. } | WebSignalBody::Custom { .. } => (Party::App, 70),
            WebSignalBody::FocusChanged { .. } => (Party::App, 30),
            WebSignalBody::NetworkResponse { url, status } => {
                (self.party(Some(url)), if *status >= 400 { 85 } else { 50 })
            }
            WebSignalBody::Vendor(form) => {
                let party = self.party(form.members.get("url").and_then(Value::as_str));
                (party, self.weight(form.word.as_str(), &form.members))
            }
        };
        // What others do is seldom the effect of a deed on the application.
        let relevance = if party == Party::ThirdParty { weight / 3 } else { weight };
        Diagnosis { party, relevance }
    }

    /// How much something that the surface tells has to do with the action, if it is the application's.
    fn weight(&mut self, word: &str, members: &JsonObject) -> u8 {
        let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
        let is = |name: &str| members.get(name).and_then(Value::as_bool) == Some(true);
        let request = text("requestId");
        match word.strip_prefix("x.uiap.").unwrap_or_default() {
            "ended" => 100,
            "navigated" | "dialog.opened" | "dialog.closed" | "page.opened" => 90,
            "exception" => 85,
            "download.started" | "download.ended" => 80,
            "console" if text("level") == "error" => 65,
            "console" => 45,
            "request.started" => {
                if self.begun.len() < REQUESTS_MAX {
                    self.begun.insert(request.to_owned());
                }
                asked(text("method"), text("purpose"))
            }
            // The end of what began before is not the doing of the action.
            "request.finished" | "request.failed" if !self.begun.contains(request) => 10,
            "request.failed" if !is("canceled") => 80,
            "request.finished" | "request.failed" => 30,
            "signals.dropped" => 50,
            _ => 20,
        }
    }

    fn party(&self, url: Option<&str>) -> Party {
        match (url.map(Host::of), &self.home) {
            (Some(Some(host)), Some(home)) if home.is_kin(&host) => Party::App,
            (Some(Some(_)), Some(_)) => Party::ThirdParty,
            _ => Party::Unknown,
        }
    }
}

/// What writes matters more than what reads, and data more than decoration.
fn asked(method: &str, what_for: &str) -> u8 {
    let reads = matches!(method, "GET" | "HEAD" | "OPTIONS");
    match what_for {
        purpose::STREAM => 15,
        _ if !reads => 85,
        purpose::PLACE => 80,
        purpose::DATA => 60,
        _ => 20,
    }
}

/// The place that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<String>,
}

impl Host {
    fn of(url: &str) -> Option<Self> {
        let (_, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let authority = authority.rsplit('@').next()?;
        // The colons of an address in brackets are its own.
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, Some(port.to_owned())),
            _ => (authority, None),
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        (!name.is_empty()).then_some(Self { name, port })
    }

    /// The same place, or one below the other. On one machine only the port tells applications apart.
    fn is_kin(&self, other: &Self) -> bool {
        let below = |one: &str, other: &str| {
            one.strip_suffix(other).is_some_and(|rest| rest.ends_with('.')) && other.contains('.')
        };
        let is_machine = self.name == "localhost"
            || self.name.starts_with('[')
            || self.name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_machine {
            return self == other;
        }
        self.name == other.name || below(&self.name, &other.name) || below(&other.name, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uiap_protocol::text::Node;
    use uiap_protocol::wire::accept;

    /// What is said about signals around an action on a page, in their order.
    fn judged(page: &str, signals: &[Value]) -> Vec<String> {
        let mut around = Around::page(page);
        let judge = |body: &Value| {
            let mut signal = json!({ "id": "s", "at": "2026-01-01T00:00:00Z" });
            let members = signal.as_object_mut().unwrap();
            members.extend(body.as_object().unwrap().clone());
            let signal = accept(&Node::from_json(&signal)).unwrap();
            let Diagnosis { party, relevance } = around.judge(&signal);
            let place = if relevance >= RELEVANT_MIN { "" } else { " background" };
            format!("{}{place}", party.word())
        };
        signals.iter().map(judge).collect()
    }

    #[test]
    fn what_the_application_does_in_answer_stands_out() {
        let started = |id: &str, method: &str, purpose: &str| {
            json!({ "kind": "x.uiap.request.started",
            "requestId": id, "method": method, "url": "https://shop.example/api", "purpose": purpose })
        };
        assert_eq!(
            judged(
                "https://shop.example/cart",
                &[
                    json!({ "kind": "toast.shown", "text": "Saved" }),
                    started("1", "POST", purpose::DATA),
                    json!({ "kind": "network.response", "url": "https://shop.example/api", "status": 500 }),
                    json!({ "kind": "x.uiap.exception", "text": "x", "url": "https://shop.example/a.js" }),
                    json!({ "kind": "x.uiap.console", "level": "error", "text": "x" }),
                    started("2", "GET", ""),
                    started("3", "GET", purpose::STREAM),
                ]
            ),
            ["app", "app", "app", "app", "unknown", "app background", "app background"]
        );
    }

    #[test]
    fn what_others_do_and_what_began_before_is_background() {
        let failed = |id: &str, url: &str| json!({ "kind": "x.uiap.request.failed", "requestId": id, "url": url, "error": "x" });
        let begun = json!({ "kind": "x.uiap.request.started", "requestId": "new", "method": "GET",
            "url": "https://shop.example/", "purpose": "data" });
        assert_eq!(
            judged(
                "https://shop.example/",
                &[
                    begun,
                    failed("old", "https://shop.example/poll"),
                    failed("new", "https://shop.example/"),
                    failed("new", "https://ads.example/"),
                    json!({ "kind": "x.uiap.exception", "text": "x", "url": "https://ads.example/t.js" }),
                ]
            ),
            ["app", "app background", "app", "third_party background", "third_party background"]
        );
    }

    #[test]
    fn kin_are_the_same_host_and_those_below_it() {
        for (page, url, party) in [
            ("https://shop.example/", "https://api.shop.example/x", "app"),
            ("https://www.shop.example/", "https://shop.example/x", "app"),
            ("https://shop.example/", "https://user@SHOP.example:8443/x", "app"),
            ("https://shop.example/", "https://othershop.example/", "third_party"),
            ("https://shop.example/", "https://shop.example.evil.test/", "third_party"),
            ("https://shop.example/", "https://example/", "third_party"),
            ("http://127.0.0.1:80/", "http://127.0.0.1:81/", "third_party"),
            ("http://[::1]:80/", "http://[::1]:80/x", "app"),
            ("http://localhost:80/", "http://localhost:80/x", "app"),
            ("data:text/html,x", "http://localhost:80/x", "unknown"),
            ("https://shop.example/", "no address", "unknown"),
        ] {
            let mut around = Around::page(page);
            let signal = json!({ "id": "s", "at": "2026-01-01T00:00:00Z", "kind": "network.response",
                "url": url, "status": 200 });
            let signal = accept(&Node::from_json(&signal)).unwrap();
            assert_eq!(around.judge(&signal).party.word(), party, "{page} {url}");
        }
    }
}
