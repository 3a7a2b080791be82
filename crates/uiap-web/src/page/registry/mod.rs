//! Actions that a page offers of its own accord: those its application registered, and the tools of its browser.
//!
//! Start at [`Page::actions`] and [`Page::invoke`]. Everything a page says about its actions is a claim: it is decoded
//! like any other foreign text, and where it came from stays with it, so that a claim never outweighs a bundle or a
//! policy.

mod invoked;
mod queue;
mod tools;

pub use invoked::{Invoked, Returned, Uninvoked};
pub(crate) use queue::{read_list, read_outcome};
pub(super) use tools::Tools;

use super::Page;
use crate::cdp::CallError;
use crate::deadline::Deadline;
use uiap_protocol::capability::{ActionDescriptor, DescribedKind};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::wire::{self, JsonObject};

/// Most actions of one source that are told.
pub const REGISTERED_MAX: usize = 500;
/// How ids of the browser's tools begin, so that a tool cannot pass for an action of the application.
const TOOL_PREFIX: &str = "webmcp.";
/// Longest descriptor, in bytes.
const DESCRIPTOR_BYTES_MAX: usize = 128 * 1024;
/// Longest id that is repeated for people.
const ID_CHARS_MAX: usize = 200;

/// Who offers an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionSource {
    /// The application registered it.
    App,
    /// It is a `WebMCP` tool of the page.
    WebMcp,
}

/// An action that the page offers.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisteredAction {
    /// Who offers it.
    pub source: ActionSource,
    /// What the page says about it. Its risk may be raised by this, never lowered.
    pub descriptor: ActionDescriptor,
}

/// Something that was offered as an action and is not sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAction {
    /// Who offers it.
    pub source: ActionSource,
    /// The id it has according to the page; may be empty.
    pub id: String,
    /// What is wrong with it.
    pub why: String,
}

/// What a page offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registered {
    /// What can be invoked.
    pub actions: Vec<RegisteredAction>,
    /// What cannot, and why.
    pub refused: Vec<RefusedAction>,
    /// How many there are beyond [`REGISTERED_MAX`].
    pub left_out: usize,
}

impl Registered {
    fn take(&mut self, described: Result<RegisteredAction, RefusedAction>) {
        match described {
            Ok(action) => self.actions.push(action),
            Err(refused) => self.refused.push(refused),
        }
    }
}

/// Why nobody knows what a page offers.
#[derive(Debug, thiserror::Error)]
pub enum ActionsError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The page navigates faster than anybody can ask.
    #[error("the page was replaced whenever it was asked for its actions")]
    Restless,
}

impl Page {
    /// What the page offers now. From the first time on, what the application says in its queue is in the signals.
    pub async fn actions(&self, deadline: Deadline) -> Result<Registered, ActionsError> {
        let mut registered = self.queued(deadline).await?;
        self.track.tools().describe(&mut registered);
        Ok(registered)
    }

    /// Invokes an action in the page and waits for its end. It never tries twice.
    pub async fn invoke(
        &self,
        action: &RegisteredAction,
        args: &JsonObject,
        idempotency_key: Option<&str>,
        deadline: Deadline,
    ) -> Invoked {
        let id = action.descriptor.id.as_str();
        match action.source {
            ActionSource::App => self.invoke_handler(id, args, idempotency_key, deadline).await,
            ActionSource::WebMcp => self.invoke_tool(id, args, deadline).await,
        }
    }
}

/// A sound descriptor from the text of one.
fn described(source: ActionSource, json: &str) -> Result<RegisteredAction, RefusedAction> {
    let limits = Limits { bytes_max: DESCRIPTOR_BYTES_MAX, ..Limits::MESSAGE };
    let tree = read(json, Format::Json, limits).map_err(|fault| refused(source, "", &fault.to_string()))?;
    let id = tree.member("id").and_then(|id| id.as_text()).unwrap_or_default();
    let descriptor: ActionDescriptor = wire::accept(&tree).map_err(|findings| {
        let first = findings.first();
        let at = first.map_or("", |finding| finding.pointer.as_str());
        let message = first.map_or("", |finding| finding.message.as_str());
        refused(source, id, &format!("{} errors, the first at \"{at}\": {message}", findings.len()))
    })?;
    if descriptor.kind == DescribedKind::Primitive {
        return Err(refused(source, id, "a page cannot register a primitive action"));
    }
    if source == ActionSource::App && id.starts_with(TOOL_PREFIX) {
        return Err(refused(source, id, "ids that begin so belong to the tools of the browser"));
    }
    Ok(RegisteredAction { source, descriptor })
}

fn refused(source: ActionSource, id: &str, why: &str) -> RefusedAction {
    RefusedAction { source, id: id.chars().take(ID_CHARS_MAX).collect(), why: why.to_owned() }
}
