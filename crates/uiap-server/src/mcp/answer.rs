//! What a tool answers: the same facts as an object for machines and as few lines for models.
//!
//! Start at [`Answer`]. What a page says stands between marks that the page cannot guess, and never anywhere else
//! without having been made harmless.

use super::advice::next;
use crate::secrets::Vault;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;
use std::fmt::Write as _;
use uiap_protocol::action::{ActionResult, ActionStatus, SideEffectState};
use uiap_protocol::capability::SuccessSignal;
use uiap_runtime::plan::Refusal;
use uiap_runtime::view::clean;
use uiap_runtime::words::short_signal;

/// Longest text of a page in one member, in characters.
const CHARS_MAX: usize = 300;
/// Longest return value that is told, in characters.
const RETURNED_CHARS_MAX: usize = 4_000;

/// Most signals that are told; the page shows the others.
const SIGNALS_MAX: usize = 2;
/// Most items of a list on one line.
const LINE_ITEMS_MAX: usize = 4;

/// Something that was not begun, and what to try instead.
#[derive(Debug)]
pub(super) struct Refused {
    message: String,
    next: String,
}

impl Refused {
    pub(super) fn new(message: impl Into<String>, next: impl Into<String>) -> Self {
        Self { message: message.into(), next: next.into() }
    }

    /// And this is how things stand now.
    pub(super) fn and(self, state: &str) -> Self {
        Self { message: format!("{} {state}", self.message), ..self }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.message, self.next)
    }
}

impl From<uiap_runtime::words::Unclear> for Refused {
    fn from(unclear: uiap_runtime::words::Unclear) -> Self {
        Self::new(format!("{unclear}."), "Correct the call; look shows references and names.")
    }
}

/// What a tool answers, in the making.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Our own words, in the order in which they are told.
    own: Vec<(&'static str, Value)>,
    /// Words that an application may have put in.
    foreign: Vec<(&'static str, Value)>,
    /// What only machines need.
    unsaid: Vec<(&'static str, Value)>,
    page: Option<String>,
    picture: Option<(String, &'static str)>,
    is_error: bool,
}

impl Answer {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// An answer with a status.
    pub(super) fn with_status(status: &str) -> Self {
        Self::new().with("status", status)
    }

    /// And this, in our own words.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.own.push((name, value.into()));
        self
    }

    /// And this in our own words, if there is any.
    pub(super) fn with_some(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        self.own.extend(value.map(|value| (name, value.into())));
        self
    }

    /// Without what it says about this.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.own.retain(|(own, _)| *own != name);
        self.foreign.retain(|(foreign, _)| *foreign != name);
        self
    }

    /// And this, which no model reads.
    pub(super) fn with_unsaid(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.unsaid.push((name, value.into()));
        self
    }

    /// And this, in which an application may have a say.
    pub(super) fn with_foreign(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        self.foreign.extend(value.map(|value| (name, value.into())));
        self
    }

    /// And these signals, if there are any. What is observed on a page is told in its words.
    pub(super) fn with_signals(self, name: &'static str, signals: &[SuccessSignal]) -> Self {
        let mut signals: Vec<_> = signals.iter().collect();
        let heaviest = signals.iter().map(|signal| weight(signal)).max();
        signals.retain(|signal| Some(weight(signal)) == heaviest);
        let mut words: Vec<_> =
            signals.iter().map(|signal| clean(&short_signal(signal), CHARS_MAX)).collect();
        words.dedup();
        words.truncate(SIGNALS_MAX);
        self.with_foreign(name, (!words.is_empty()).then_some(words))
    }

    /// And what the page shows.
    pub(super) fn with_page(mut self, page: String) -> Self {
        self.page = Some(page);
        self
    }

    /// And a picture, as base64.
    pub(super) fn with_picture(mut self, data: String, media_type: &'static str) -> Self {
        self.picture = Some((data, media_type));
        self
    }

    /// It is bad news.
    pub(super) fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// How an action ended.
    pub(super) fn of_result(result: &ActionResult) -> Self {
        let said = |name: &str| result.metadata.as_ref().and_then(|metadata| metadata.get(name)?.as_str());
        let status = match result.status {
            ActionStatus::Succeeded => "succeeded",
            ActionStatus::Failed => "failed",
            ActionStatus::Cancelled => "cancelled",
        };
        let side_effect = match result.side_effect_state {
            Some(SideEffectState::None) => "none",
            Some(SideEffectState::Applied) => "applied",
            Some(SideEffectState::Unknown) | None => "unknown",
        };
        let error = result.error.as_ref();
        let is_done = result.status == ActionStatus::Succeeded;
        // What was observed says why something is verified; otherwise the explanation does.
        let why = said("explanation").filter(|why| !is_done && !why.is_empty());
        let why = why.or_else(|| error.map(|error| error.message.as_str()));
        let returned = result.return_value.clone().map(Value::Object);
        let returned = returned.map(|value| match value.to_string() {
            text if text.chars().count() > RETURNED_CHARS_MAX => clean(&text, RETURNED_CHARS_MAX).into(),
            _ => value,
        });
        let answer = Self::with_status(status)
            .with_some("verdict", said("verdict"))
            .with("side_effect", side_effect)
            .with_some("error", error.map(|error| error.code.as_str()))
            .with_some("next", next(result))
            // Whoever succeeded needs no handle to find out why.
            .with_some("handle", (!is_done).then(|| result.action_handle.as_str()))
            .with_foreign("why", why.map(|why| clean(why, CHARS_MAX)))
            .with_signals("observed", &result.verification.observed)
            .with_signals("missing", result.verification.missing.as_deref().unwrap_or_default())
            .with_foreign("value", returned);
        if is_done { answer } else { answer.failed() }
    }

    /// An action that was never begun.
    pub(super) fn of_refusal(refusal: &Refusal, next: String) -> Self {
        Self::with_status("refused")
            .with("side_effect", "none")
            .with("error", refusal.code.as_str())
            .with("next", next)
            .with_foreign("why", Some(clean(&refusal.message, CHARS_MAX)))
            .failed()
    }

    /// The answer as the protocol wants it. `mark` keeps apart what a page says, and no secret comes back.
    pub(super) fn finish(self, mark: &str, vault: &Vault) -> CallToolResult {
        let mut text = lines(&self.own);
        let foreign = lines(&self.foreign) + self.page.as_deref().unwrap_or_default();
        if !foreign.is_empty() {
            text.push_str(&fenced(mark, &foreign));
        }
        let page = self.page.map(|page| ("page", Value::from(fenced(mark, &page))));
        let members = self.own.into_iter().chain(self.unsaid).chain(self.foreign).chain(page);
        let members: JsonObject = members.map(|(name, value)| (name.to_owned(), value)).collect();
        let mut content = vec![ContentBlock::text(vault.scrub(&text))];
        content.extend(self.picture.map(|(data, media_type)| ContentBlock::image(data, media_type)));
        let mut result =
            if self.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(vault.scrub_json(Value::Object(members)));
        result
    }
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Self {
        Self::with_status("refused")
            .with("side_effect", "none")
            .with("next", refused.next)
            .with_foreign("why", Some(clean(&refused.message, CHARS_MAX)))
            .failed()
    }
}

/// How much a signal says. Only the strongest are told: what a page shows, and what changed there, is told with it.
fn weight(signal: &SuccessSignal) -> u8 {
    match signal {
        SuccessSignal::ElementState { .. }
        | SuccessSignal::ElementAppeared { .. }
        | SuccessSignal::ElementDisappeared { .. } => 0,
        SuccessSignal::StatusContains { .. } => 1,
        _ => 2,
    }
}

fn lines(members: &[(&str, Value)]) -> String {
    let mut text = String::new();
    for (name, value) in members {
        let shown = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) if items.iter().all(Value::is_string) => {
                let items: Vec<_> = items.iter().filter_map(Value::as_str).collect();
                items.join(if items.len() > LINE_ITEMS_MAX { "\n  " } else { ", " })
            }
            other => other.to_string(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: {shown}");
    }
    text
}

/// Words of others between marks.
fn fenced(mark: &str, text: &str) -> String {
    format!("<page untrusted {mark}>\n{}\n</page {mark}>", text.trim_end().replace(mark, ""))
}
