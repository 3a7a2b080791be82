//! Compares what the runtime said with what happened.

use super::schedule::{Asked, lock};
use super::world::{Happened, Reached, State, WIRE_MS_MAX};
use super::{Broken, What, World};
use crate::MemoryJournal;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::action::{ActionResult, ActionStatus, SideEffectState, Stage, VerificationPolicy};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Message;

/// How a request ended, in a line.
pub(super) struct Told;

impl Told {
    pub(super) fn of(asked: &Asked) -> String {
        match &*lock(&asked.reply) {
            None => "killed".to_owned(),
            Some((_, Err(refusal))) => format!("refused {}", refusal.code.as_str()),
            Some((_, Ok(result))) => {
                let effects = result.side_effect_state.as_ref().map_or("-", |state| state.as_str());
                let code = result.error.as_ref().map_or("-", |error| error.code.as_str());
                format!("{} {effects} {code}", result.status)
            }
        }
    }
}

/// Everything that must hold after a schedule.
pub(super) async fn check(
    world: &World,
    shelf: &MemoryJournal,
    all: &[std::sync::Arc<Asked>],
) -> Result<(), Broken> {
    if let Some(broken) = world.state().broken.clone() {
        return Err(broken);
    }
    let mut results: BTreeMap<ActionHandle, ActionResult> = BTreeMap::new();
    for (request, asked) in all.iter().enumerate() {
        let said = words(request, asked)?;
        let reply = lock(&asked.reply).clone();
        let kept = match (&said, &reply) {
            (_, None) if *lock(&asked.orphaned) => None,
            (_, None) => return Err(Broken::Unanswered(request)),
            (_, Some((_, Err(_)))) => None,
            (_, Some((at, Ok(result)))) => Some((*at, result)),
        };
        if let Some((at, result)) = kept {
            let before = results.insert(result.action_handle.clone(), result.clone());
            if before.is_some_and(|before| before != *result) {
                return Err(Broken::Results(result.action_handle.clone()));
            }
            if said.is_some() {
                honest(&world.state(), result, at, asked.wish.what)?;
            }
        }
    }
    let open = shelf.open_actions().await?;
    for summary in shelf.latest(usize::MAX).await? {
        let Some(kept) = shelf.find(&summary.handle).await? else { continue };
        if let Some(result) = &kept.result {
            effects(&world.state(), result)?;
        }
    }
    let reached = world.state().reached.clone();
    once(&reached, shelf).await?;
    // A journal that failed at the last write keeps the action open until it is opened again.
    let failed_at_the_end = |handle: &ActionHandle| results.contains_key(handle);
    match open.iter().find(|handle| !failed_at_the_end(handle)) {
        Some(handle) if all.iter().all(|asked| lock(&asked.reply).is_some()) => {
            Err(Broken::Leaked(format!("the journal says that {handle} is under way")))
        }
        _ => Ok(()),
    }
}

/// One acceptance, then progress in a lawful order, then at most one word of cancellation and one result; or nothing
/// at all. Gives the handle, if there was one.
fn words(request: usize, asked: &Asked) -> Result<Option<ActionHandle>, Broken> {
    let heard = asked.ear.heard();
    let reply = lock(&asked.reply).clone();
    let wrong = || {
        let short = |message: &Message| match message {
            Message::Accepted(_) => "accepted".to_owned(),
            Message::Progress(progress) => format!("{:?}", progress.stage),
            Message::Cancelled(_) => "cancelled".to_owned(),
            Message::Result(result) => format!("{} {:?}", result.status, result.side_effect_state),
        };
        let heard: Vec<_> = heard.iter().map(short).collect();
        Broken::Words { request, heard: heard.join(", ") }
    };
    let Some(first) = heard.first() else { return Ok(None) };
    let Message::Accepted(accepted) = first else { return Err(wrong()) };
    let handle = &accepted.action_handle;
    let mut stage = None;
    let mut ended = None;
    let mut cancelled = false;
    for message in heard.iter().skip(1) {
        match message {
            _ if ended.is_some() => return Err(wrong()),
            Message::Accepted(_) => return Err(wrong()),
            Message::Progress(progress) if cancelled || progress.action_handle != *handle => {
                return Err(wrong());
            }
            Message::Progress(progress) => {
                if !may_follow(stage, progress.stage) {
                    return Err(Broken::Order { request, from: stage, to: progress.stage });
                }
                stage = Some(progress.stage);
            }
            Message::Cancelled(_) if cancelled => return Err(wrong()),
            Message::Cancelled(_) => cancelled = true,
            Message::Result(result) => ended = Some((**result).clone()),
        }
    }
    match (reply, ended) {
        (Some((_, Ok(result))), Some(ended)) if result == ended && result.action_handle == *handle => {}
        (None, _) if *lock(&asked.orphaned) => {}
        _ => return Err(wrong()),
    }
    Ok(Some(handle.clone()))
}

fn may_follow(from: Option<Stage>, to: Stage) -> bool {
    use Stage as S;
    let lawful: &[Stage] = match from {
        None => &[S::ResolvingTarget, S::CheckingPreconditions],
        Some(S::ResolvingTarget | S::Recovering) => &[S::CheckingPreconditions, S::Recovering],
        Some(S::CheckingPreconditions) => &[
            S::CheckingPreconditions,
            S::Recovering,
            S::AwaitingConfirmation,
            S::WaitingForUser,
            S::Executing,
        ],
        Some(S::AwaitingConfirmation) => &[S::CheckingPreconditions],
        Some(S::Executing) => &[S::CheckingPreconditions, S::WaitingForUser, S::Verifying],
        Some(S::WaitingForUser) => &[S::Verifying],
        Some(S::Verifying) => &[],
    };
    lawful.contains(&to)
}

/// Success only if the world says so, at the moment it was reported.
fn honest(state: &State, result: &ActionResult, at: Instant, what: What) -> Result<(), Broken> {
    let unverified = result.verification.policy == VerificationPolicy::None;
    if result.status != ActionStatus::Succeeded || unverified || what == What::Write {
        return Ok(());
    }
    let handle = &result.action_handle;
    // What was taken back so late that nobody could have heard of it still counts.
    let held = |done: &Happened| {
        let unheard = Duration::from_millis(WIRE_MS_MAX);
        done.at <= at && done.taken_back.is_none_or(|back| back + unheard >= at)
    };
    let mut shared = effects_that_count(state, handle);
    if shared.any(held) { Ok(()) } else { Err(Broken::FalseSuccess(handle.clone())) }
}

/// What came of an action: its own effects, what a person did, and where others did the same to the same thing, theirs.
fn effects_that_count<'s>(state: &'s State, handle: &'s ActionHandle) -> impl Iterator<Item = &'s Happened> {
    let own = state.reached.iter().find(|reached| reached.handle == *handle);
    state.happened.iter().filter(move |done| match &done.handle {
        Some(by) if by == handle => true,
        // A person's deed may be what was seen.
        None => true,
        Some(_) => own.is_none_or(|own| own.thing == done.thing && own.sent <= done.at),
    })
}

/// What is said about effects is never wrong; that they are not known may always be said.
fn effects(state: &State, result: &ActionResult) -> Result<(), Broken> {
    let handle = &result.action_handle;
    let own = state.happened.iter().filter(|done| done.handle.as_ref() == Some(handle)).count();
    let right = match result.side_effect_state {
        Some(SideEffectState::None) => own == 0,
        Some(SideEffectState::Applied) => effects_that_count(state, handle).next().is_some(),
        Some(SideEffectState::Unknown) => true,
        None => false,
    };
    let said = result.side_effect_state;
    if right { Ok(()) } else { Err(Broken::WrongSideEffects { handle: handle.clone(), said, happened: own }) }
}

/// What must not happen twice reached the application once, for every handle and for every key.
async fn once(reached: &[Reached], shelf: &MemoryJournal) -> Result<(), Broken> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for reached in reached.iter().filter(|reached| !reached.what.is_repeatable()) {
        *times.entry(reached.handle.to_string()).or_default() += 1;
        let kept = shelf.find(&reached.handle).await?;
        if let Some(key) = kept.and_then(|kept| kept.entry.key) {
            *times.entry(key.to_string()).or_default() += 1;
        }
    }
    match times.into_iter().find(|(_, times)| *times > 1) {
        Some((who, times)) => Err(Broken::Twice { who, times }),
        None => Ok(()),
    }
}
