//! The tools that change nothing in the application: open, look, trace.

use super::Server;
use super::answer::{Answer, Refused};
use super::arguments::{Full, LookArguments, OpenArguments, PictureWanted, TraceArguments};
use super::room::{Room, whole_page};
use crate::host::{Asker, Host, OpenError, Opening};
use std::sync::{Arc, PoisonError};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::{Journal as _, JournalError, TraceEntry, TraceSummary};
use uiap_runtime::view::{ViewOptions, clean};

/// How wide a small picture is at most, in dots. A model pays for a picture by its size: at the 750 dots
/// for a token that one maker names, one of 1024 by 576 is 786 tokens, and a screen of 1280 by 720 would be 1,229.
const PICTURE_WIDTH_MAX: u32 = 1_024;
/// Most actions in a list.
const TRACES_MAX: usize = 20;
/// Longest line about a step, in characters.
const STEP_CHARS_MAX: usize = 300;

impl<H: Host> Server<H> {
    pub(super) async fn open(&self, given: Result<OpenArguments, Refused>) -> Result<Answer, Refused> {
        let address = address_of(&given?.url)?;
        self.check_address(&address)?;
        let _turn = self.0.opening.lock().await;
        self.refuse_beside_question()?;
        let asker = Asker::BeforeAPerson(self.0.rules.agent.clone());
        let opened = self.0.host.open(Opening { address, asker }).await.map_err(|error| unopened(&error))?;
        let remarks = opened.remarks.join(" ");
        let room = Arc::new(Room::new(opened));
        let before = {
            let mut front = self.0.front.write().unwrap_or_else(PoisonError::into_inner);
            front.replace(Arc::clone(&room))
        };
        self.0.turned.send_replace(());
        if let Some(before) = before {
            self.0.host.close(Arc::clone(&before.application)).await;
        }
        // It may have led elsewhere.
        let answer = room.look(&whole_page()).await?;
        self.room()?;
        Ok(answer.with_foreign("remark", (!remarks.is_empty()).then_some(remarks)))
    }

    pub(super) async fn look(&self, given: Result<LookArguments, Refused>) -> Result<Answer, Refused> {
        let LookArguments { scope, find, from, picture } = given?;
        let room = self.room()?;
        let from = from.and_then(|from| usize::try_from(from).ok());
        let answer = room.look(&ViewOptions { scope, find, from, ..whole_page() }).await?;
        self.room()?;
        let width_max = match picture {
            None | Some(PictureWanted::Small(false)) => return Ok(answer),
            Some(PictureWanted::Small(true)) => Some(PICTURE_WIDTH_MAX),
            Some(PictureWanted::Full(Full::Full)) => None,
        };
        let (data, media_type) = room.picture(width_max).await?;
        Ok(answer.with_picture(data, media_type))
    }

    pub(super) async fn trace(&self, given: Result<TraceArguments, Refused>) -> Result<Answer, Refused> {
        let room = self.room()?;
        let journal = room.application.runtime.journal();
        let Some(handle) = given?.handle else {
            let latest = journal.latest_own(TRACES_MAX).await.map_err(|error| unread(&error))?;
            return Ok(Answer::new().with("actions", latest.iter().map(line).collect::<Vec<_>>()));
        };
        let unknown = || {
            Refused::new("No ended action of this session has this handle.", "trace without one lists them.")
        };
        let handle = ActionHandle::new(handle).map_err(|_| unknown())?;
        if !journal.is_own(&handle).await.map_err(|error| unread(&error))? {
            return Err(unknown());
        }
        let trace = journal.trace(&handle).await.map_err(|error| unread(&error))?.ok_or_else(unknown)?;
        let steps: Vec<_> = trace.steps.iter().map(step).collect();
        Ok(Answer::new().with_foreign("steps", Some(steps)))
    }
}

fn line(trace: &TraceSummary) -> String {
    let effects = trace.side_effects.as_ref().map_or("unknown", |effects| effects.as_str());
    format!("{} {} {}, side effect {effects}", trace.handle, trace.action_id, trace.status.as_str())
}

fn step(step: &TraceEntry) -> String {
    clean(&format!("{}: {}", step.state, step.note), STEP_CHARS_MAX)
}

fn unread(error: &JournalError) -> Refused {
    Refused::new(format!("{error}."), "Tell the person what is said here, then try again.")
}

fn unopened(error: &OpenError) -> Refused {
    let next = match error {
        OpenError::Address { .. } => "Open another address.",
        OpenError::Missing { .. } => "Tell the person what is missing.",
        OpenError::Unreachable { .. } => "Check the address, or try again later.",
    };
    let message = error.to_string();
    let end = if message.ends_with('.') { "" } else { "." };
    Refused::new(format!("{message}{end}"), next)
}

/// An address as people write it: without a scheme it is a server.
fn address_of(url: &str) -> Result<String, Refused> {
    let address = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let parsed = url::Url::parse(&address).ok().filter(is_served);
    parsed.map(|url| url.to_string()).ok_or_else(no_page)
}

/// Only what servers serve is opened: files of this machine are none of the model's business, and a script is no page.
pub(super) fn is_served(url: &url::Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

fn no_page() -> Refused {
    Refused::new("This is not the address of a page.", "Write it as https://example.org/path.")
}
