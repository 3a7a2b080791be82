//! The tools that act or wait: what a model says becomes a request, and what becomes of it an answer. While a question
//! to a person is open, no other action begins (`exclusion`).
//!
//! Start at [`Server::act`] and [`Server::attend`]. A call waits for its action as long as clients wait for a call;
//! after that the action goes on, and `wait` with its handle takes up where the call left.

use super::Server;
use super::advice::next_after_refusal;
use super::answer::{Answer, Refused};
use super::approval::Invitation;
use super::arguments::{ActArguments, ReadArguments, WaitArguments};
use super::consent::{Answered, Way, elicit};
use super::errand::{Errand, Question, Stage};
use super::exclusion::CANCEL;
use super::looking::is_served;
use super::notifier::CodePlace;
use super::offers::KEY;
use super::room::{Room, unseen};
use crate::host::Host;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, ProgressNotificationParam};
use rmcp::service::RequestContext;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};
use uiap_protocol::action::{ActionRequest, VerificationPolicy, VerificationSpec};
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_runtime::shell::wait;
use uiap_runtime::surface::Surface as _;
use uiap_runtime::wait::{Condition, Revisions, Waited};
use uiap_runtime::words::{self, Place, Sign};

/// How long a call waits; clients give up after a minute if nobody tells them otherwise.
const CALL_WAIT: Duration = Duration::from_secs(50);
/// How long a wait takes that says nothing about it.
const WAIT_DEFAULT: Duration = Duration::from_secs(30);
/// How long a page may take to show what a wait was about, if its time is up.
const NEWS_WAIT: Duration = Duration::from_secs(1);
/// What follows from a wait that ended before the person answered.
const STILL_ASKED: &str = "The person has not answered yet. Wait with the handle.";
/// How long an action that was asked to stop may take to end.
const STOP_WAIT: Duration = Duration::from_secs(10);

/// What a tool of the application means: its arguments are those of the action.
pub(super) fn of_tool(action: &ActionDescriptor, given: Option<JsonObject>) -> Result<ActArguments, Refused> {
    let mut args = given.unwrap_or_default();
    let has_own = action.args.iter().flatten().any(|arg| arg.name.as_str() == KEY);
    let key = if has_own { None } else { args.remove(KEY) };
    let key = match key {
        None => None,
        Some(Value::String(key)) => Some(key),
        Some(_) => return Err(Refused::new("The key is not a text.", "Call the tool as its schema says.")),
    };
    Ok(ActArguments { action: action.id.to_string(), args: Some(args), key, ..ActArguments::default() })
}

impl<H: Host> Server<H> {
    pub(super) async fn act(
        &self,
        given: Result<ActArguments, Refused>,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let begun = async {
            let given = given?;
            let room = self.room()?;
            if call.request_state.is_some() {
                return Ok((room, self.answered(call).await?));
            }
            if given.action == CANCEL {
                return Ok((room, self.cancelled(&given).await?));
            }
            let _turn = self.turn(call, context).await?;
            let request = self.request(&room, &given).await?;
            let errand = Errand::begin(Arc::clone(&room.application), request);
            if !self.0.errands.keep(Arc::clone(&errand)) {
                errand.cancel("too much is under way");
                return Err(Refused::new("Too many actions are under way.", "Wait for one of them."));
            }
            Ok((room, errand))
        };
        match begun.await {
            Ok((room, errand)) => self.attend(&room, &errand, call, context, Patience::of_a_call()).await,
            Err(refused) => self.finished(Err(refused)),
        }
    }

    /// Takes the answer of the person that came with this call.
    async fn answered(&self, call: &CallToolRequestParams) -> Result<Arc<Errand>, Refused> {
        let Some(Answered { errand, question, agrees }) = self.0.questions.take(call) else {
            let message = "This is no answer to anything that was asked, or it was given before.";
            return Err(Refused::new(message, "Look, then call the tool anew."));
        };
        // What went wrong with the answer is told by how the action goes on.
        let _ = errand.answer(&question, agrees).await;
        Ok(errand)
    }

    pub(super) async fn read(
        &self,
        given: Result<ReadArguments, Refused>,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let given = given.map(|ReadArguments { target }| ActArguments {
            action: "read".to_owned(),
            target: Some(target),
            ..ActArguments::default()
        });
        self.act(given, call, context).await
    }

    /// The request, as it is meant in front of this page.
    async fn request(&self, room: &Room<H>, given: &ActArguments) -> Result<ActionRequest, Refused> {
        let action = words::action(&given.action, &self.0.catalogue)?;
        let wanted = given.verify.iter().flatten();
        let signs = wanted.clone().filter(|text| *text != "none").map(|text| Sign::read(text));
        let signs = signs.collect::<Result<Vec<_>, _>>()?;
        self.check_destination(room, given)?;
        let graph = room.graph().await?;
        let args = words::arguments(&action, given.args.clone().unwrap_or_default())?;
        let understood = room.application.runtime.surface().scene(|scene| {
            let place = Place::new(scene, &graph);
            let target = given.target.as_ref();
            let target = target.map(|text| place.target(&action, text, given.r#in.as_deref())).transpose()?;
            let signals = signs.iter().map(|sign| place.signal(sign)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Refused>((target, signals))
        });
        let gone = || Refused::new("The page is being replaced by another.", "Wait for a change, then look.");
        let (target, signals) = understood.ok_or_else(gone)??;
        let timeout_ms = given.timeout.map(|seconds| seconds.saturating_mul(1_000));
        let verification = VerificationSpec {
            policy: wanted.clone().any(|text| text == "none").then_some(VerificationPolicy::None),
            signals: (!signals.is_empty()).then_some(signals),
            timeout_ms,
            ..VerificationSpec::default()
        };
        let key = given.key.as_ref().map(Id::new).transpose();
        Ok(ActionRequest {
            action_id: action,
            target,
            args: Some(args).filter(|args| !args.is_empty()),
            preferred_execution_modes: None,
            verification: (verification != VerificationSpec::default()).then_some(verification),
            presentation: None,
            timeout_ms,
            idempotency_key: key
                .map_err(|error| Refused::new(format!("The key is not right: {error}."), "Use letters."))?,
            metadata: None,
        })
    }

    /// An action that goes to an address goes where the model may be.
    fn check_destination(&self, room: &Room<H>, given: &ActArguments) -> Result<(), Refused> {
        let url = given.args.as_ref().and_then(|args| args.get("url")).and_then(Value::as_str);
        let base = room.address().and_then(|address| url::Url::parse(&address).ok());
        let address = url.and_then(|url| match &base {
            Some(base) => base.join(url).ok(),
            None => url::Url::parse(url).ok(),
        });
        match address {
            Some(address) if is_served(&address) => self.check_address(address.as_str()),
            // What no server serves is refused by the surface, as through every other entry point.
            Some(_) | None => Ok(()),
        }
    }

    /// Stays with an action until it ends, a person is needed, or the call has waited long enough.
    async fn attend(
        &self,
        room: &Room<H>,
        errand: &Arc<Errand>,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        patience: Patience,
    ) -> CallToolResponse {
        let mut stage = errand.stage();
        let mut progress = Progress::of(context);
        let Patience { until, is_wait } = patience;
        loop {
            let now = stage.borrow_and_update().clone();
            match now {
                Stage::Ended(ended) => {
                    self.0.done.send_replace(());
                    let answer = match &*ended {
                        Ok(result) => Answer::of_result(result),
                        Err(refusal) => {
                            Answer::of_refusal(refusal, next_after_refusal(refusal, action_of(call)))
                        }
                    };
                    return self.finished(Ok(answer.with_page(patience.news(room).await)));
                }
                Stage::Asks(question) if !question.is_open() => {}
                Stage::Asks(question) => match Way::of(context) {
                    Way::CallAgain => match self.0.questions.put(call, errand, &question) {
                        Some(asks) => return asks.into(),
                        None => return self.ask_on_page(errand, &question).await,
                    },
                    Way::Meanwhile => {
                        let answer = tokio::select! {
                            answer = elicit(context, &question) => answer,
                            _ = stage.changed() => continue,
                            () = context.ct.cancelled() => break,
                            () = sleep_until(until), if is_wait => {
                                return self.finished(Ok(pending(errand, STILL_ASKED)));
                            }
                        };
                        let Some(agrees) = answer else {
                            return self.ask_on_page(errand, &question).await;
                        };
                        // What went wrong with the answer is told by how the action goes on.
                        let _ = errand.answer(&question, agrees).await;
                    }
                    Way::Page => return self.ask_on_page(errand, &question).await,
                },
                Stage::NeedsPerson { note } => {
                    let next =
                        format!("Ask the person to do this in the window: {note} Then wait with the handle.");
                    return self.finished(Ok(pending(errand, &next)));
                }
                Stage::UnderWay { note } => progress.tell(context, note).await,
            }
            tokio::select! {
                changed = stage.changed() => if changed.is_err() { break },
                () = context.ct.cancelled() => break,
                () = sleep_until(until) => {
                    return self.finished(Ok(pending(errand, "It goes on. Wait with the handle.")));
                }
            }
        }
        stop(errand, "the client stopped it").await;
        self.finished(Ok(pending(errand, "It was stopped. Wait with the handle to see how it ended.")))
    }

    /// Leaves the question where the person can answer it.
    async fn ask_on_page(&self, errand: &Arc<Errand>, question: &Arc<Question>) -> CallToolResponse {
        let Some(Invitation { address, places }) = self.0.approvals.ask(errand, question).await else {
            return self.finished(Ok(deny_unasked(errand, question).await));
        };
        let places: Vec<_> = places.into_iter().map(CodePlace::words).collect();
        let next = format!(
            "The person has to agree, at {address}, in their own browser. The code for it is shown {}, to them only. \
             Wait with the handle.",
            places.join(" and ")
        );
        self.finished(Ok(pending(errand, &next)))
    }

    pub(super) async fn wait(
        &self,
        given: Result<WaitArguments, Refused>,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let begun = given.and_then(|given| Ok((self.room()?, given)));
        let (room, given) = match begun {
            Ok(begun) => begun,
            Err(refused) => return self.finished(Err(refused)),
        };
        if call.request_state.is_some() {
            return match self.answered(call).await {
                Ok(errand) => self.attend(&room, &errand, call, context, Patience::of_a_call()).await,
                Err(refused) => self.finished(Err(refused)),
            };
        }
        if let Some(handle) = &given.handle {
            return match self.0.errands.find(handle) {
                Some(errand) => self.wait_on(&room, &errand, call, context, given.timeout).await,
                None => self.finished(Err(Refused::new(
                    "No action of this server has this handle.",
                    "trace says what was done.",
                ))),
            };
        }
        let waited = tokio::select! {
            waited = self.wait_for(&room, &given) => waited,
            () = context.ct.cancelled() => Err(Refused::new("The wait was stopped.", "Look.")),
        };
        self.finished(waited)
    }

    /// Waits for an action. What the person was asked on a page is not asked again before the wait is over.
    async fn wait_on(
        &self,
        room: &Room<H>,
        errand: &Arc<Errand>,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        timeout: Option<u64>,
    ) -> CallToolResponse {
        let patience = Patience::of_a_wait(timeout.map_or(CALL_WAIT, Duration::from_secs));
        if Way::of(context) == Way::Page {
            let mut stage = errand.stage();
            let moves = stage.wait_for(|stage| !matches!(stage, Stage::Asks(_)));
            let is_stopped = tokio::select! {
                _ = timeout_at(patience.until, moves) => false,
                () = context.ct.cancelled() => true,
            };
            if is_stopped {
                stop(errand, "the client stopped it").await;
            }
        }
        self.attend(room, errand, call, context, patience).await
    }

    async fn wait_for(&self, room: &Room<H>, given: &WaitArguments) -> Result<Answer, Refused> {
        let signs =
            given.signals.iter().flatten().map(|text| Sign::read(text)).collect::<Result<Vec<_>, _>>()?;
        let began = Instant::now();
        let patience = Patience::of_a_wait(given.timeout.map_or(WAIT_DEFAULT, Duration::from_secs));
        let Ok(graph) = timeout_at(patience.until, room.graph()).await else {
            return Err(Refused::new("The page did not answer in time.", "Wait longer, or open it again."));
        };
        let graph = graph?;
        let surface = room.application.runtime.surface();
        let signals = surface.scene(|scene| {
            let place = Place::new(scene, &graph);
            signs.iter().map(|sign| place.signal(sign)).collect::<Result<Vec<_>, _>>()
        });
        let signals = signals.transpose()?.unwrap_or_default();
        let condition = match (given.quiet, signals.is_empty()) {
            (Some(ms), _) => Condition::Quiet { ms },
            (None, true) => Condition::Change { since: None },
            (None, false) if given.any == Some(true) => Condition::Any(signals),
            (None, false) => Condition::All(signals),
        };
        let timeout = patience.until.saturating_duration_since(began);
        let waited = wait(surface, &room.redaction(), &mut Revisions::default(), condition, timeout).await;
        let waited = waited.map_err(|error| unseen(&error))?;
        Ok(told(&waited).with_page(patience.news(room).await))
    }
}

/// How long a call stays with an action.
#[derive(Clone, Copy)]
struct Patience {
    until: Instant,
    /// The call says itself how long it waits; a form that is open then is asked again by the next one.
    is_wait: bool,
}

impl Patience {
    /// As long as clients wait for a call.
    fn of_a_call() -> Self {
        Self { until: Instant::now() + CALL_WAIT, is_wait: false }
    }

    /// As long as the call says, and no longer than clients wait.
    fn of_a_wait(timeout: Duration) -> Self {
        Self { until: Instant::now() + timeout.min(CALL_WAIT), is_wait: true }
    }

    /// What happened on the page, as far as it can be said in time.
    async fn news<H: Host>(self, room: &Room<H>) -> String {
        if !self.is_wait {
            return room.news().await;
        }
        let until = self.until.max(Instant::now() + NEWS_WAIT);
        timeout_at(until, room.news())
            .await
            .unwrap_or_else(|_| "The page does not answer; look again.".to_owned())
    }
}

/// What a call asks for: the name of its tool, or the action that it names.
fn action_of(call: &CallToolRequestParams) -> &str {
    let named = call.arguments.as_ref().and_then(|given| given.get("action")).and_then(Value::as_str);
    named.unwrap_or(call.name.as_ref())
}

/// Ends an action that needs a person where none can be asked, and says what would help.
async fn deny_unasked(errand: &Errand, question: &Question) -> Answer {
    // An action that has ended meanwhile needs no answer.
    let _ = errand.deny(question, "no person could be asked");
    let mut stage = errand.stage();
    let ended = stage.wait_for(|stage| matches!(stage, Stage::Ended(_)));
    let ended = tokio::time::timeout(STOP_WAIT, ended).await.ok().and_then(Result::ok);
    let ended = ended.and_then(|stage| match &*stage {
        Stage::Ended(ended) => Some(Arc::clone(ended)),
        _ => None,
    });
    let why = "A person has to agree, and uiap has no way to ask one: the client shows no forms, and no notification, \
               terminal or browser can show the code for the approval page.";
    let next = "Tell the person: use a client with elicitation, install notify-send or xdg-open in a desktop session \
                and pass its variables on, or run the server over HTTP in a terminal.";
    let answer = match ended.as_deref() {
        Some(Ok(result)) => Answer::of_result(result),
        // It ends without the agreement, however long that takes.
        Some(Err(_)) | None => pending(errand, next),
    };
    answer.without("next").without("why").with("next", next).with_foreign("why", Some(why))
}

/// Stops an action and waits for its end. How it ended is in the journal, too.
pub(super) async fn stop(errand: &Errand, reason: &str) {
    errand.cancel(reason);
    let mut stage = errand.stage();
    let ended = stage.wait_for(|stage| matches!(stage, Stage::Ended(_)));
    // One that takes longer goes on ending.
    let _ = tokio::time::timeout(STOP_WAIT, ended).await;
}

/// How a wait ended.
fn told(waited: &Waited) -> Answer {
    let is_success = waited.completion.is_success();
    let answer = Answer::with_status(if is_success { "observed" } else { "not_observed" })
        .with("verdict", waited.completion.word())
        .with_signals("observed", &waited.observed)
        .with_signals("missing", &waited.missing);
    if is_success { answer } else { answer.with("next", "look; it may come later, or never.") }
}

/// An action that goes on after the call. One that was not accepted yet has no handle to wait with.
fn pending(errand: &Errand, next: &str) -> Answer {
    let handle = errand.handle();
    let next =
        if handle.is_some() { next } else { "It was not accepted yet; trace lists it when it has ended." };
    Answer::with_status("pending")
        .with_some("handle", handle.as_ref().map(ActionHandle::as_str))
        .with("next", next)
}

/// Tells a client that asked for it how an action goes on.
struct Progress {
    steps: f64,
    token: Option<rmcp::model::ProgressToken>,
}

impl Progress {
    fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { steps: 0.0, token: context.meta.get_progress_token() }
    }

    async fn tell(&mut self, context: &RequestContext<RoleServer>, note: String) {
        let Some(token) = self.token.clone().filter(|_| !note.is_empty()) else { return };
        self.steps += 1.0;
        let step = ProgressNotificationParam::new(token, self.steps).with_message(note);
        // A client that does not hear it hears the result.
        let _ = context.peer.notify_progress(step).await;
    }
}
