//! Signing in before anything else is done: what to do, in the words of `uiap act`.
//!
//! Start at [`Login::sign_in`]. Commands that act and the mapper both come through here.

use crate::Trouble;
use crate::keeping::random;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use uiap_discovery::door::Door;
use uiap_discovery::place::pattern;
use uiap_discovery::sighting::Sighting;
use uiap_policy::CompiledPolicy;
use uiap_protocol::action::{ActionRequest, ActionResult, ActionStatus, ConfirmationRequest};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Message;
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::{Listener, Runtime};
use uiap_runtime::standing::Rights;
use uiap_runtime::surface::Surface as _;
use uiap_runtime::words::{self, Place};
use uiap_server::secrets::Vaulted;
use uiap_web::{Deadline, Page, WebSurface};
use url::Url;

/// Most steps of a login.
const STEPS_MAX: usize = 50;
/// How long the page of a step may take.
const LOOK_WAIT: Duration = Duration::from_secs(10);
/// How long the page where one signs in may take to be there.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// How long a page that never rests is waited for.
const REST_WAIT: Duration = Duration::from_secs(3);
/// How long it may take after the last step until something else is shown.
const LEAVE_WAIT: Duration = Duration::from_secs(15);
/// How long news is waited for at a time while somebody signs in.
const NEWS_WAIT: Duration = Duration::from_millis(250);

/// In whose name one signs in.
const PERSON: &str = "who-signs-in";

/// Why nobody is signed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct SignInError(String);

/// For a reason in words.
fn refused(reason: &dyn std::fmt::Display) -> SignInError {
    SignInError(reason.to_string())
}

/// How somebody signs in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    /// Where, as an address or a path of the application.
    pub(crate) url: String,
    /// By doing what.
    pub(crate) steps: Vec<Step>,
}

/// One step of a login.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// What to do, such as `enterText`.
    action: String,
    /// On what, such as `textbox:Name`.
    target: Option<String>,
    /// With what; `secret:NAME` stands for a secret of `--secrets`.
    #[serde(default)]
    args: BTreeMap<String, serde_json::Value>,
}

impl Login {
    /// Makes sense, as far as that can be said without a page.
    pub(crate) fn check(&self) -> Result<(), Trouble> {
        if self.steps.is_empty() || self.steps.len() > STEPS_MAX {
            return Err(Trouble::WrongUse(format!("A login has 1 to {STEPS_MAX} steps.")));
        }
        for step in &self.steps {
            words::action(&step.action, &Catalogue::new())?;
        }
        Ok(())
    }

    /// Goes where one signs in, signs in, and waits until something else is shown: another place, or a page that asks for
    /// no secret any more. Tells what the page asked for. `base` is where the application begins.
    pub(crate) async fn sign_in<J: Journal>(
        &self,
        runtime: &Runtime<Vaulted<WebSurface>, J>,
        base: &Url,
    ) -> Result<Option<Door>, SignInError> {
        let deadline = Deadline::after(PAGE_WAIT);
        let address = base.join(&self.url).map_err(|error| refused(&error))?;
        let surface = runtime.surface();
        let page: &Page = surface.inner().page();
        surface.inner().visit(address.as_str(), deadline).await.map_err(|error| refused(&error))?;
        page.rest(deadline.at_most(REST_WAIT)).await;
        let place = pattern(&page.url());
        let door = shown_door(surface).await?;
        // Whoever wrote the login signs in, and the rules of the application are for agents.
        let person = Id::new(PERSON).map_err(|error| refused(&error))?;
        let no_rules = CompiledPolicy::compile(Vec::new()).map_err(|error| refused(&error))?;
        let rights = Rights::of_a_person(person);
        runtime.under(no_rules, Box::pin(self.walk(runtime, &rights))).await?;
        let until = Instant::now() + LEAVE_WAIT;
        while !has_left(surface, &place, door.as_ref()).await? {
            if Instant::now() >= until {
                come_anew(surface, base, &place, door.as_ref()).await?;
                break;
            }
            let news = surface.news(surface.mark(), until.min(Instant::now() + NEWS_WAIT)).await;
            news.map_err(|error| refused(&error))?;
        }
        page.rest(deadline.at_most(REST_WAIT)).await;
        Ok(door)
    }

    /// Does every step on a page that shows where one signs in. What a person would have to agree to is agreed to:
    /// whoever wrote the login meant it.
    async fn walk<J: Journal>(
        &self,
        runtime: &Runtime<Vaulted<WebSurface>, J>,
        rights: &Rights,
    ) -> Result<(), SignInError> {
        // Whoever signs in again means it: it is not the same as the time before.
        let this_time = u64::from_ne_bytes(random::<8>().map_err(|error| refused(&error))?);
        for (number, step) in self.steps.iter().enumerate() {
            let failed = |reason: &str| {
                refused(&format!("step {} of the login ({}) failed: {reason}", number + 1, step.action))
            };
            let surface = runtime.surface();
            surface
                .look(false, Instant::now() + LOOK_WAIT)
                .await
                .map_err(|error| failed(&error.to_string()))?;
            let request = surface.scene(|scene| {
                let graph = scene.page.graph();
                step.request(&Place::new(scene, &graph))
            });
            let request = request.ok_or_else(|| failed("the page cannot be looked at"))?;
            let mut request = request.map_err(|unclear| failed(&unclear.to_string()))?;
            request.idempotency_key = Id::new(format!("login-{this_time:x}-{number}")).ok();
            let result = act(runtime, rights, &request).await.map_err(|refusal| failed(&refusal.message))?;
            if result.status != ActionStatus::Succeeded {
                let why =
                    result.error.as_ref().map_or("it was not proven to work", |error| error.message.as_str());
                return Err(failed(why));
            }
        }
        Ok(())
    }
}

/// What the page asks for, if that is a secret.
async fn shown_door(surface: &Vaulted<WebSurface>) -> Result<Option<Door>, SignInError> {
    surface.look(false, Instant::now() + LOOK_WAIT).await.map_err(|error| refused(&error))?;
    let door = surface.scene(|scene| Door::of(&Sighting::of(&scene.page.graph())));
    Ok(door.flatten())
}

/// Something else is shown than where one signs in.
async fn has_left(
    surface: &Vaulted<WebSurface>,
    place: &str,
    door: Option<&Door>,
) -> Result<bool, SignInError> {
    Ok(pattern(&surface.inner().page().url()) != place || has_opened(surface, door).await?)
}

/// Comes to the application once more. Not every page notices that somebody has signed in, and one that remembers it by a
/// script and loads itself at once may be asked for before the browser has taken down what to remember.
async fn come_anew(
    surface: &Vaulted<WebSurface>,
    base: &Url,
    place: &str,
    door: Option<&Door>,
) -> Result<(), SignInError> {
    let visited = surface.inner().visit(base.as_str(), Deadline::after(PAGE_WAIT)).await;
    visited.map_err(|error| refused(&error))?;
    if has_left(surface, place, door).await? {
        return Ok(());
    }
    Err(refused(&"after its last step the same page is shown as before"))
}

/// The page asks for no secret any more, though it did.
async fn has_opened(surface: &Vaulted<WebSurface>, door: Option<&Door>) -> Result<bool, SignInError> {
    if door.is_none() {
        return Ok(false);
    }
    // One that never rests is judged by what it shows.
    surface.inner().page().rest(Deadline::after(REST_WAIT)).await;
    Ok(shown_door(surface).await?.is_none())
}

impl Step {
    fn request(&self, place: &Place<'_, '_>) -> Result<ActionRequest, words::Unclear> {
        let action_id = words::action(&self.action, &Catalogue::new())?;
        let target = self.target.as_ref().map(|text| place.target(&action_id, text, None)).transpose()?;
        let args: JsonObject = self.args.clone().into_iter().collect();
        Ok(ActionRequest {
            action_id,
            target,
            args: (!args.is_empty()).then_some(args),
            preferred_execution_modes: None,
            verification: None,
            presentation: None,
            timeout_ms: None,
            idempotency_key: None,
            metadata: None,
        })
    }
}

/// Acts for the person who wrote the login, and who meant it.
async fn act<J: Journal>(
    runtime: &Runtime<Vaulted<WebSurface>, J>,
    rights: &Rights,
    request: &ActionRequest,
) -> Result<ActionResult, Refusal> {
    let (asks, mut asked) = mpsc::unbounded_channel();
    let meant = Meant { asks };
    // Both at the same time: the agreement is taken by the action itself.
    let agreeing = async {
        while let Some((handle, token)) = asked.recv().await {
            // One that has just ended needs no agreement.
            let _ = runtime.grant(&handle, token, PeerRole::User).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        result = runtime.act_within(rights, request, &meant) => result,
        never = agreeing => never,
    }
}

/// Passes on what a login asks for; one action asks at most once.
struct Meant {
    asks: mpsc::UnboundedSender<(ActionHandle, GrantToken)>,
}

impl Listener for Meant {
    fn hear(&self, _: &Message) {}

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        // Nobody listens any more only when the action has ended.
        let _ = self.asks.send((request.action_handle.clone(), token));
    }
}
